"""Each requirement by itself: key, operator and values, as the release's CRD and controller see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from .._fields import shown
from .._tokens import is_unresolved
from .._upstream.labels import WELL_KNOWN, normalised
from ..errors import Problem
from ..releases import KarpenterVersion, since, until
from ..requirements import NODE_POOL, Requirement
from .labels import restriction, unknown_key, value_message
from .placeholders import known_items
from .rule import Rule, broken

COMPARISONS = frozenset({"Gt", "Lt", "Gte", "Lte"})
# CEL's int() and Go's Atoi read no more.
_LARGEST_NUMBER = 2**63 - 1


def _is_no_number(requirement: Requirement) -> bool:
    values = requirement.values
    if is_unresolved(values):
        return False
    return len(values) != 1 or not values[0].isdecimal() or int(values[0]) > _LARGEST_NUMBER


_RULES: tuple[Rule[Requirement], ...] = (
    Rule(
        lambda r: r.operator == "In" and not r.values,
        "requirements with operator 'In' must have a value defined",
        "give at least one value",
        field="values",
    ),
    Rule(
        lambda r: r.operator == "NotIn" and not r.values,
        "requirements with operator 'NotIn' must have a value defined",
        "give at least one value, or leave the requirement out",
        field="values",
    ),
    Rule(
        lambda r: r.operator in {"Exists", "DoesNotExist"} and r.values,
        "operators 'Exists' and 'DoesNotExist' take no values",
        "use 'In' or 'NotIn', or leave the values out",
        field="values",
    ),
    Rule(
        lambda r: r.operator in COMPARISONS and _is_no_number(r),
        "requirements operator 'Gt' or 'Lt' must have a single positive integer value",
        "give one whole number",
        field="values",
        window=until("1.9"),
    ),
    Rule(
        lambda r: r.operator in COMPARISONS and _is_no_number(r),
        "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
        "give one whole number",
        field="values",
        window=since("1.9"),
    ),
    Rule(
        lambda r: (
            r.operator == "In"
            and r.min_values is not None
            and not is_unresolved((*r.values, r.min_values))
            and len(r.values) < r.min_values
        ),
        "requirements with 'minValues' must have at least that many values specified in the 'values' field",
        "give more values, or a smaller min_values",
        field="min_values",
    ),
    Rule(
        lambda r: r.operator in COMPARISONS and (known := WELL_KNOWN.get(r.key)) and not known.is_number,
        "the values of this label are no numbers, so that none can match",
        "use 'In' or 'NotIn'",
        field="key",
    ),
)


def requirement_problems(
    requirements: Sequence[Requirement], path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    """What is wrong with the requirements of a node pool, one by one."""
    for index, requirement in enumerate(known_items(requirements, Requirement)):
        here = f"{path}.requirements[{index}]"
        message = _key_message(requirement.key, version)
        if message:
            yield Problem(f"{here}.key", message)
        yield from _value_problems(requirement, here, version)


def _key_message(key: str, version: KarpenterVersion) -> str | None:
    return restriction(key, version) or _unknown_key(key, version)


@lru_cache(maxsize=4096)
def _unknown_key(key: str, version: KarpenterVersion) -> str | None:
    known = WELL_KNOWN.get(key)
    return unknown_key(key, known.window, version) if known else None


def _value_problems(requirement: Requirement, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    yield from broken(_RULES, requirement, path, version)
    if requirement.operator not in {"In", "NotIn"}:
        return
    key = normalised(requirement.key)
    for index, value in enumerate(requirement.values):
        message = value_message(key, value, version)
        if message:
            yield Problem(f"{path}.values[{index}]", message)


def overlay_requirement_problems(
    requirements: Sequence[Requirement], path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    """What is wrong with the requirements of a node overlay: other keys, and no minimum of values."""
    for index, requirement in enumerate(known_items(requirements, Requirement)):
        here = f"{path}.requirements[{index}]"
        message = _overlay_key_message(requirement.key, version)
        if message:
            yield Problem(f"{here}.key", message)
        if requirement.min_values is not None:
            yield Problem(f"{here}.min_values", "a node overlay has no such field; leave it out")
        yield from _value_problems(requirement, here, version)


def _overlay_key_message(key: str, version: KarpenterVersion) -> str | None:
    if key == NODE_POOL:
        return None
    known = WELL_KNOWN.get(key)
    if known and not known.in_overlay:
        return (
            f'label domain "karpenter.k8s.aws" is restricted in node overlays, got {shown(key)}; leave it out'
        )
    return _key_message(key, version)
