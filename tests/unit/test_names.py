"""The names that Kubernetes accepts: of namespaces, and of objects."""

from __future__ import annotations

import pytest

from karpenter_construct._names import label_problems, subdomain_problems

from .facts import TOKEN

LABEL = "use at most 63 characters, only lower-case letters, digits and '-', a letter or digit first and last"
SUBDOMAIN = "use at most 253 characters, only lower-case letters, digits, '-' and '.', a letter or digit first and last"

NOT_EVEN_OBJECTS = ["", "-a", "a-", "A", "a_b", "a/b", "a b", "ä", "a\n", 5, None, True, ["a"]]
ONLY_OBJECTS = ["gpu.large", "a.b.c", "a" * 64, "a" * 253]
LONG_PARTS = ".".join(["a" * 63] * 4)


@pytest.mark.parametrize("name", ["a", "1", "123", "kube-system", "a--b", "a" * 63, TOKEN, f"team-{TOKEN}"])
def test_both_take(name):
    assert label_problems("namespace", name) == []
    assert subdomain_problems("name", name) == []


@pytest.mark.parametrize("name", ONLY_OBJECTS)
def test_objects_take_dots_and_length(name):
    assert subdomain_problems("name", name) == []
    assert [str(problem) for problem in label_problems("namespace", name)] == [
        f"`namespace`: is no name that Kubernetes accepts, got {name!r}; {LABEL}"
    ]


@pytest.mark.parametrize("name", [*NOT_EVEN_OBJECTS, "a.", ".a", "a..b", "a.-b", "a" * 254, LONG_PARTS])
def test_fails_on_both(name):
    assert [str(problem) for problem in subdomain_problems("name", name)] == [
        f"`name`: is no name that Kubernetes accepts, got {name!r}; {SUBDOMAIN}"
    ]
    assert [str(problem) for problem in label_problems("namespace", name)] == [
        f"`namespace`: is no name that Kubernetes accepts, got {name!r}; {LABEL}"
    ]
