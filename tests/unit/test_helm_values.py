"""Three layers of chart values become one, and what cannot be a chart value is refused."""

from dataclasses import dataclass
from datetime import date
from enum import Enum
from pathlib import Path

import pytest

from karpenter_construct._upstream.helm_values import merge_values
from karpenter_construct.errors import SettingsError


class Level(str, Enum):
    DEBUG = "debug"


@dataclass
class Resources:
    cpu: str = "1"


class Resolvable:
    """Looks like CDK's IResolvable."""

    creation_stack = ()

    def resolve(self, context):
        return context


def fails(user, defaults=None, required=None, **options):
    with pytest.raises(SettingsError) as raised:
        merge_values(defaults or {}, user, required or {}, **options)
    return str(raised.value)


def test_maps_are_merged_key_by_key():
    assert merge_values({"a": {"x": 1, "y": {"z": 2}}}, {"a": {"y": {"w": 3}}, "b": 4}, {"a": {"v": 5}}) == {
        "a": {"x": 1, "y": {"z": 2, "w": 3}, "v": 5},
        "b": 4,
    }


def test_the_user_beats_the_defaults():
    assert merge_values({"replicas": 2}, {"replicas": 1}, {}) == {"replicas": 1}


def test_lists_are_replaced():
    assert merge_values({"tolerations": [1, 2]}, {"tolerations": [3]}, {}) == {"tolerations": [3]}


def test_an_empty_list_or_map_of_the_user():
    assert merge_values({"a": [1], "b": {"c": 1}}, {"a": [], "b": {}}, {}) == {"a": [], "b": {"c": 1}}


def test_variables_are_merged_by_name():
    defaults = {"controller": {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]}}
    user = {"controller": {"env": [{"name": "B", "value": "3"}, {"name": "C", "valueFrom": {"x": "y"}}]}}
    required = {"controller": {"env": [{"name": "D", "value": "4"}]}}
    assert merge_values(defaults, user, required)["controller"]["env"] == [
        {"name": "A", "value": "1"},
        {"name": "B", "value": "3"},
        {"name": "C", "valueFrom": {"x": "y"}},
        {"name": "D", "value": "4"},
    ]


def test_none_leaves_a_key_to_the_chart():
    assert merge_values({"affinity": {"x": 1}, "b": 2}, {"affinity": None, "c": None}, {}) == {"b": 2}
    assert merge_values({"a": {"x": 1, "y": 2}}, {"a": {"x": None}}, {}) == {"a": {"y": 2}}


def test_nothing_is_shared_with_the_layers():
    defaults, user, required = {"a": {"b": [1]}}, {"c": {"d": [{"e": 2}]}}, {"f": {"g": 3}}
    merged = merge_values(defaults, user, required)
    merged["a"]["b"].append(9)
    merged["c"]["d"][0]["e"] = 9
    merged["f"]["g"] = 9
    assert (defaults, user, required) == ({"a": {"b": [1]}}, {"c": {"d": [{"e": 2}]}}, {"f": {"g": 3}})


def test_tuples_and_enums_become_lists_and_values():
    assert merge_values({}, {"logLevel": Level.DEBUG, "a": ({"b": (1, 2)},)}, {}) == {
        "logLevel": "debug",
        "a": [{"b": [1, 2]}],
    }


@pytest.mark.parametrize(
    "value",
    ["text", "", 0, -1, 2**53, -(2**53), 0.075, True, False, -1.8881545897087626e289, "${Token[Name.1]}"],
)
def test_scalars_and_tokens_pass(value):
    assert merge_values({}, {"a": value, "b": [value], "c": {"d": value}}, {}) == {
        "a": value,
        "b": [value],
        "c": {"d": value},
    }


def test_an_object_that_cdk_resolves_passes():
    token = Resolvable()
    assert merge_values({"a": {"b": 1}}, {"a": token, "c": [token]}, {}) == {"a": token, "c": [token]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            2**53 + 1,
            "is beyond 2**53, where JSON numbers lose digits, got 9007199254740993; write it as a string",
        ),
        (float("nan"), "is no JSON number, got nan; write a finite number"),
        (float("inf"), "is no JSON number, got inf; write a finite number"),
        ({1}, "is a set, which has no order, got {1}; write a list"),
        (frozenset({1}), "is a set, which has no order, got frozenset({1}); write a list"),
        (
            Resources(),
            "is no JSON value, got Resources(cpu='1'); write a string, a number, a boolean, a list or a dict",
        ),
        (
            date(2026, 8, 21),
            "is no JSON value, got datetime.date(2026, 8, 21); write a string, a number, a boolean, a list "
            "or a dict",
        ),
        (b"x", "is no JSON value, got b'x'; write a string, a number, a boolean, a list or a dict"),
        (
            Path("x").joinpath("y"),
            "is no JSON value, got PosixPath('x/y'); write a string, a number, a boolean, a list or a dict",
        ),
    ],
)
def test_fails_what_is_no_chart_value(value, message):
    assert fails({"a": value}) == f"`helm_values.a`: {message}"


def test_fails_with_every_problem_and_its_path():
    assert fails(
        {"podAnnotations": {"a.b/c": {1}}, "tolerations": [None], "settings": {8080: "x"}, "l": [{"m": b""}]}
    ) == "\n".join(
        (
            "`helm_values.podAnnotations['a.b/c']`: is a set, which has no order, got {1}; write a list",
            "`helm_values.tolerations[0]`: is None, which CDK drops from a list; leave it out",
            "`helm_values.settings`: has a key that is no string, got 8080; write '8080'",
            "`helm_values.l[0].m`: is no JSON value, got b''; write a string, a number, a boolean, a list or "
            "a dict",
        )
    )


def test_fails_no_map():
    assert fails("replicas: 1") == "`helm_values`: is no map of chart values, got 'replicas: 1'; write a dict"


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"A": "1"}, "`helm_values.controller.env`: is no list, got {'A': '1'}; write [{'name': …}, …]"),
        (["A"], "`helm_values.controller.env[0]`: has no name, got 'A'; write {'name': …}"),
        (
            [{"name": "A"}, {"value": "1"}],
            "`helm_values.controller.env[1]`: has no name, got {'value': '1'}; write {'name': …}",
        ),
        (
            "${Token[Env.1]}",
            "`helm_values.controller.env`: is no list, got '${Token[Env.1]}'; write [{'name': …}, …]",
        ),
    ],
)
def test_fails_variables_without_names(env, message):
    assert fails({"controller": {"env": env}}) == message


def test_a_required_value_that_the_user_wrote_too():
    assert merge_values({}, {"a": {"b": "x"}, "n": 2.0}, {"a": {"b": "x"}, "n": 2}) == {
        "a": {"b": "x"},
        "n": 2,
    }


def test_a_required_value_beside_a_token_that_may_be_the_same():
    assert merge_values({}, {"a": {"b": "${Token[Name.1]}"}}, {"a": {"b": "x"}}) == {"a": {"b": "x"}}
    assert merge_values({}, {"a": {"b": Resolvable()}}, {"a": {"b": "x"}}) == {"a": {"b": "x"}}


@pytest.mark.parametrize(
    ("user", "required", "message"),
    [
        (
            {"a": {"b": "y"}},
            {"a": {"b": "x"}},
            "`helm_values.a.b`: is set to 'x' by the construct, got 'y'; leave it out",
        ),
        (
            {"a": {"b": None}},
            {"a": {"b": "x"}},
            "`helm_values.a.b`: is set to 'x' by the construct, got None; leave it out",
        ),
        ({"a": 1}, {"a": True}, "`helm_values.a`: is set to True by the construct, got 1; leave it out"),
        (
            {"a": ""},
            {"a": "${Token[Name.1]}"},
            "`helm_values.a`: is set by the construct, got ''; leave it out",
        ),
        (
            {"a": "y"},
            {"a": "<the name>"},
            "`helm_values.a`: is set by the construct, got 'y'; leave it out",
        ),
        (
            {"controller": {"env": "x"}},
            {"controller": {"env": [{"name": "A", "value": "1"}]}},
            "`helm_values.controller.env`: is no list, got 'x'; write [{'name': …}, …]",
        ),
        (
            {"controller": {"env": [{"value": "x"}]}},
            {"controller": {"env": [{"name": "A", "value": "1"}]}},
            "`helm_values.controller.env[0]`: has no name, got {'value': 'x'}; write {'name': …}",
        ),
        ({"a": "y"}, {"a": {"b": "x"}}, "`helm_values.a`: is no map, got 'y'; write a dict, or leave it out"),
        (
            {"controller": {"env": [{"name": "A", "value": "2"}]}},
            {"controller": {"env": [{"name": "A", "value": "1"}]}},
            "`helm_values.controller.env['A']`: is set to {'name': 'A', 'value': '1'} by the construct, got "
            "{'name': 'A', 'value': '2'}; leave it out",
        ),
    ],
)
def test_fails_a_contradiction(user, required, message):
    assert fails(user, required=required) == message


def test_fails_a_contradiction_naming_the_argument_to_use():
    message = fails(
        {"a": {"b": "y"}}, required={"a": {"b": "x"}}, arguments={"a.b": "cluster"}, path="values"
    )
    assert message == (
        "`values.a.b`: is set to 'x' by the construct, got 'y'; leave it out, or use the argument `cluster`"
    )


def test_fails_a_token_where_a_map_must_be():
    token = Resolvable()
    assert fails({"a": token}, required={"a": {"b": "x"}}) == (
        f"`helm_values.a`: is no map, got {token!r}; write a dict, or leave it out"
    )
