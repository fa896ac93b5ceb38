"""The short ways to write a requirement."""

from __future__ import annotations

import pytest

from karpenter_construct.errors import SettingsError
from karpenter_construct.requirements import (
    CAPACITY_TYPE,
    CapacityType,
    DoesNotExist,
    Exists,
    Gt,
    Gte,
    In,
    Lt,
    Lte,
    NotIn,
    Operator,
    Requirement,
)


@pytest.mark.parametrize(
    ("short", "operator", "values"),
    [
        (In("a", "x", "y"), "In", ("x", "y")),
        (NotIn("a", "x"), "NotIn", ("x",)),
        (Exists("a"), "Exists", ()),
        (DoesNotExist("a"), "DoesNotExist", ()),
        (Gt("a", 5), "Gt", ("5",)),
        (Lt("a", "5"), "Lt", ("5",)),
        (Gte("a", 5), "Gte", ("5",)),
        (Lte("a", 5), "Lte", ("5",)),
    ],
)
def test_is_short_for(short, operator, values):
    assert short == Requirement(key="a", operator=operator, values=values)


def test_takes_a_minimum_of_values():
    assert In("a", "x", "y", min_values=2) == Requirement(
        key="a", operator="In", values=["x", "y"], min_values=2
    )
    assert In("a", "x").min_values is None


def test_takes_members_of_enums():
    assert In(CAPACITY_TYPE, CapacityType.SPOT) == In(CAPACITY_TYPE, "spot")
    assert Requirement(key="a", operator=Operator.EXISTS) == Exists("a")


def test_reads_as_it_is_written():
    assert repr(In("a", "x", 5, min_values=1)) == "In('a', 'x', '5', min_values=1)"
    assert repr(DoesNotExist("a")) == "DoesNotExist('a')"


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: In("a", True), "`Requirement.values[0]`: must be a string, got True; write 'true'"),
        (
            lambda: In("a", "not a value"),
            "`Requirement.values[0]`: must be a label value, got 'not a value'; use letters, digits, '-', "
            "'_' and '.', with a letter or digit at both ends",
        ),
        (
            lambda: In("a", "x" * 64),
            f"`Requirement.values[0]`: must be at most 63 characters, has 64, got '{'x' * 64}'; use letters, "
            f"digits, "
            "'-', '_' and '.', with a letter or digit at both ends",
        ),
        (
            lambda: In("a", ["x"]),
            "`Requirement.values[0]`: must be a string, got ['x']; write the values one by one, as in In(key, *values)",
        ),
        (
            lambda: NotIn("a", "x", ("y", "z")),
            "`Requirement.values[1]`: must be a string, got ('y', 'z'); write the values one by one, as in "
            "NotIn(key, *values)",
        ),
        (
            lambda: In("a" * 64, "x"),
            f"`Requirement.key`: must be a label key, got '{'a' * 64}'; write one as in 'team' or "
            f"'example.com/team'",
        ),
        (
            lambda: Exists(None),
            "`Requirement.key`: must be a string, got None; write one as in 'team' or 'example.com/team'",
        ),
        (lambda: In("a", "x", min_values=51), "`Requirement.min_values`: must be between 1 and 50, got 51"),
        (lambda: In("a", "x", min_values=0), "`Requirement.min_values`: must be between 1 and 50, got 0"),
    ],
)
def test_fails(make, line):
    with pytest.raises(SettingsError) as raised:
        make()
    assert str(raised.value) == line
