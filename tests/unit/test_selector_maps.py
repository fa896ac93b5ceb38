"""Terms as one map, which selectors were before 0.32."""

from __future__ import annotations

import pytest

from karpenter_construct._upstream.selector_maps import one_map
from karpenter_construct.selector_terms import (
    AMISelectorTerm,
    SecurityGroupSelectorTerm,
    SubnetSelectorTerm,
    map_entries,
)


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        ([], {}),
        ([{}], {}),
        ([{"a": "1", "b": "*"}], {"a": "1", "b": "*"}),
        ([{"a": "1"}, {"a": "2"}, {"a": "1"}], {"a": "1,2"}),
        (
            [{"a": "1", "b": "3"}, {"a": "1", "b": "4"}, {"b": "3", "a": "2"}, {"a": "2", "b": "4"}],
            {"a": "1,2", "b": "3,4"},
        ),
    ],
)
def test_terms_are_one_map(terms, found):
    assert one_map(terms) == found


@pytest.mark.parametrize(
    "terms",
    [
        [{"a": "1"}, {"b": "1"}],
        [{"a": "1"}, {}],
        [{"a": "1", "b": "3"}, {"a": "2", "b": "4"}],
        [{"a": "1"}, {"a": "*"}],
        [{f"k{key}": f"{term}" for key in range(20)} for term in range(30)],
    ],
)
def test_terms_are_no_map(terms):
    assert one_map(terms) is None


@pytest.mark.parametrize(
    ("term", "entries"),
    [
        (AMISelectorTerm(id="ami-1"), {"aws::ids": "ami-1"}),
        (
            AMISelectorTerm(name="n", owner="self", tags={"a": "b"}),
            {"aws::name": "n", "aws::owners": "self", "a": "b"},
        ),
        (SubnetSelectorTerm(id="subnet-1"), {"aws-ids": "subnet-1"}),
        (SecurityGroupSelectorTerm(tags={"a": "*"}), {"a": "*"}),
    ],
)
def test_entries(term, entries):
    assert map_entries(term) == entries
