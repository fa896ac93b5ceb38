"""Requirements that can never match: what is left of a label's values once all of them hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from .._fields import shown, suggestion
from .._tokens import is_unresolved
from .._upstream.instance_types import FAMILIES, InstanceFamily, type_names
from .._upstream.labels import WELL_KNOWN, normalised
from ..errors import Problem
from ..requirements import (
    ARCH,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_SIZE,
    INSTANCE_TYPE,
    Requirement,
)
from .placeholders import known_items

T = TypeVar("T")


class Allowed(NamedTuple):
    """The values that requirements leave to one label.

    Attributes:
        values: The only values, ``None`` where any may be.
        excluded: Values that may not be.
        low: The least number, ``None`` where there is none.
        high: The greatest number, ``None`` where there is none.
        present: Whether the label must be there.
        absent: Whether the label must be missing.
    """

    values: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    low: int | None = None
    high: int | None = None
    present: bool = False
    absent: bool = False

    def __and__(self, other: Allowed) -> Allowed:
        return Allowed(
            _both(self.values, other.values, frozenset.intersection),
            self.excluded | other.excluded,
            _both(self.low, other.low, max),
            _both(self.high, other.high, min),
            self.present or other.present,
            self.absent or other.absent,
        )

    def takes(self, value: str) -> bool:
        """Whether the label may have ``value``."""
        if self.absent or value in self.excluded or (self.values is not None and value not in self.values):
            return False
        if self.low is None and self.high is None:
            return True
        return value.isdecimal() and self.takes_number(int(value))

    def takes_number(self, number: int) -> bool:
        """Whether the bounds let ``number`` pass."""
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left, not even a missing label."""
        if self.absent:
            return self.present
        if self.values is not None:
            return not any(self.takes(value) for value in self.values)
        return self.low is not None and self.high is not None and self.low > self.high

    def __str__(self) -> str:
        if self.values is not None:
            return " or ".join(repr(value) for value in sorted(self.values))
        if self.excluded:
            return "other than " + ", ".join(repr(value) for value in sorted(self.excluded))
        if self.absent:
            return "none"
        bounds = {"from": self.low, "up to": self.high}
        return " ".join(f"{word} {bound}" for word, bound in bounds.items() if bound is not None)


def _both(mine: T | None, other: T | None, join: Callable[[T, T], T]) -> T | None:
    if mine is None or other is None:
        return other if mine is None else mine
    return join(mine, other)


_BY_NUMBER: dict[str, Callable[[int], Allowed]] = {
    "Gt": lambda number: Allowed(low=number + 1, present=True),
    "Gte": lambda number: Allowed(low=number, present=True),
    "Lt": lambda number: Allowed(high=number - 1, present=True),
    "Lte": lambda number: Allowed(high=number, present=True),
}
_BY_PRESENCE = {"Exists": Allowed(present=True), "DoesNotExist": Allowed(absent=True)}


def allowed_by(requirement: Requirement) -> Allowed:
    """What a requirement that is right in itself leaves; placeholders of CDK may be any value."""
    operator, values = requirement.operator, requirement.values
    if operator in _BY_PRESENCE:
        return _BY_PRESENCE[operator]
    if operator == "NotIn":
        return Allowed(excluded=frozenset(value for value in values if not is_unresolved(value)))
    if is_unresolved(values) or is_unresolved(operator):
        return Allowed(present=True)
    if operator == "In":
        return Allowed(values=frozenset(values), present=True)
    return _BY_NUMBER[operator](int(values[0]))


def allowed_by_key(requirements: Iterable[Requirement], labels: Mapping[str, str]) -> dict[str, Allowed]:
    """What is left of each label's values; labels that a pool sets count as requirements."""
    found: dict[str, Allowed] = {}
    for requirement in known_items(requirements, Requirement):
        key = normalised(requirement.key)
        one = allowed_by(requirement)
        found[key] = found[key] & one if key in found else one
    for key, value in labels.items():
        if not is_unresolved(value):
            one = Allowed(values=frozenset({value}), present=True)
            found[normalised(key)] = found.get(normalised(key), one) & one
    return found


def contradictions(
    requirements: tuple[Requirement, ...], labels: Mapping[str, str], path: str
) -> Iterator[Problem]:
    """A problem for each label that no value is left of, or one for instance types that do not exist.

    Args:
        requirements: Requirements that are right one by one.
        labels: The labels that the pool sets.
        path: The path of the pool.
    """
    allowed = allowed_by_key(requirements, labels)
    empty = [key for key, left in allowed.items() if _within_known(key, left).is_empty]
    for key in empty:
        yield Problem(f"{path}.requirements", _contradiction(key, requirements, labels))
    if not empty and (message := _no_instance_type(allowed)):
        yield Problem(f"{path}.requirements", message)


def _within_known(key: str, left: Allowed) -> Allowed:
    known = WELL_KNOWN.get(key)
    if known is None or not known.values or left.absent:
        return left
    return left & Allowed(values=frozenset(known.values))


def _contradiction(key: str, requirements: Iterable[Requirement], labels: Mapping[str, str]) -> str:
    said = [shown(requirement) for requirement in requirements if normalised(requirement.key) == key]
    said += [f"the label {value!r}" for name, value in labels.items() if normalised(name) == key]
    return f"no value of {key!r} satisfies {' and '.join(said)}; change or drop one"


_Property = Callable[[InstanceFamily, Allowed], bool]

# What a family's name tells, and the label that asks for it.
_PROPERTIES: tuple[tuple[str, str, _Property], ...] = (
    ("family", INSTANCE_FAMILY, lambda family, left: left.takes(family.name)),
    ("category", INSTANCE_CATEGORY, lambda family, left: left.takes(family.category)),
    ("generation", INSTANCE_GENERATION, lambda family, left: left.takes(str(family.generation))),
    ("architecture", ARCH, lambda family, left: left.takes(family.arch)),
    ("size", INSTANCE_SIZE, lambda family, left: family.may_grow or any(map(left.takes, family.sizes))),
)


def _no_instance_type(allowed: Mapping[str, Allowed]) -> str | None:
    """Why no instance is of a type or family that is asked for; ``None`` where one is not known here."""
    for word, key in (("type", INSTANCE_TYPE), ("family", INSTANCE_FAMILY)):
        asked = allowed.get(key, Allowed())
        names = [name for name in sorted(asked.values or ()) if asked.takes(name)]
        families = [_family_of(name) for name in names]
        known = [family for family in families if family is not None]
        if known and len(known) == len(names) and (missing := _missing(known, allowed)):
            fix = _near(names) or "name another" if missing == _EXISTS else "change one of the two"
            return f"no instance {word} of {', '.join(map(repr, names))} {missing}; {fix}"
    return None


def _near(names: list[str]) -> str:
    """What may have been meant by the only type that is asked for."""
    return suggestion(names[0], type_names(names[0].partition(".")[0])) if len(names) == 1 else ""


def _family_of(name: str) -> InstanceFamily | None:
    """A family that is known here by its name; by that of an instance type, with no other size than that."""
    start, dot, size = name.partition(".")
    family = FAMILIES.get(start)
    if family is None or not dot:
        return family
    sizes = frozenset({size}) if family.may_grow else family.sizes & {size}
    return family._replace(sizes=sizes, may_grow=False)


_EXISTS = "exists"


def _missing(families: list[InstanceFamily], allowed: Mapping[str, Allowed]) -> str | None:
    """What none of the families has, of those before it in the list of properties."""
    left = [family for family in families if family.sizes]
    if not left:
        return _EXISTS
    for word, key, has in _PROPERTIES:
        if key in allowed:
            left = [family for family in left if has(family, allowed[key])]
            if not left:
                return f"has {word} {allowed[key]}"
    return None
