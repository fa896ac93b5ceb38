"""Both CEL engines evaluate rules as the API server does."""

from __future__ import annotations

import sys

import pytest

from tests.contract import kubernetes_cel

RULES = [
    ("self.find('^([^/]+)').endsWith('karpenter.sh')", "karpenter.sh/x", True),
    ("self.find('^([^/]+)').endsWith('karpenter.sh')", "example.com/x", False),
    ("self.split('@')[0] in ['al2', 'al2023']", "al2@latest", True),
    ("self.split('@')[0] in ['al2', 'al2023']", "al2024@latest", False),
    ("self.matches('b')", "abc", True),
    ("self.all(k, k != '' && self[k] != '')", {"a": ""}, False),
    ("self.all(x, self.filter(y, x.a == y.a).size() == 1)", [{"a": 1}, {"a": 2}], True),
    ("self.all(x, self.filter(y, x.a == y.a).size() == 1)", [{"a": 1}, {"a": 1}], False),
    ("size(self) == 1 && 'nodes' in self", {"nodes": 3}, True),
    ("has(self.a) == has(self.b)", {"a": 1}, False),
    ("self.all(x, int(x) >= 0)", ["1", "2"], True),
    ("self.all(x, int(x) >= 0)", ["one"], kubernetes_cel.RuleError),
    ("self.a.size() != 0", {}, kubernetes_cel.RuleError),
]
# The faster one is not published for Python 3.10.
ENGINES = ["RustEngine", "PythonEngine"] if sys.version_info >= (3, 11) else ["PythonEngine"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("rule", "value", "answer"), RULES)
def test_both_engines_answer_as_the_api_server(engine, rule, value, answer):
    evaluate = getattr(kubernetes_cel, engine)().evaluate
    if answer is kubernetes_cel.RuleError:
        with pytest.raises(kubernetes_cel.RuleError):
            evaluate(rule, value)
    else:
        assert bool(evaluate(rule, value)) is answer


def test_transition_rules_are_left_out_of_a_creation():
    assert kubernetes_cel.failures([{"rule": "self == oldSelf", "message": "immutable"}], "a") == []


def test_fails_with_the_messages_of_the_rules_that_are_broken():
    rules = [
        {"rule": "self.a == 1", "message": "a is one"},
        {"rule": "self.b == 1", "message": "b is one"},
        {"rule": "self.a == 2"},
    ]
    assert kubernetes_cel.failures(rules, {"a": 1}) == [
        "b is one (cannot be evaluated)",
        "failed rule: self.a == 2",
    ]


def test_a_rule_about_the_whole_object_sees_all_of_it():
    rules = [
        {"rule": "self.a == 1 && size(self) == 2"},
        {"rule": "self.a == 1 && self.exists(key, key == 'b')"},
        {"rule": "self.a == 1 && self['b'] == 2"},
    ]
    assert kubernetes_cel.failures(rules, {"a": 1, "b": 2}) == []
