"""Cron schedules as Karpenter reads them (robfig/cron, ``ParseStandard``, without time zones)."""

from __future__ import annotations

import re
from functools import lru_cache

from .._tokens import is_unresolved

# Least value, greatest value, and names that stand for values from the least on.
_FIELDS = (
    (0, 59, ""),
    (0, 23, ""),
    (1, 31, ""),
    (1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    (0, 6, "sun mon tue wed thu fri sat"),
)
_PART = r"(\*|\?|\w+|\w+-\w+)(/0*[1-9][0-9]*)?"


@lru_cache(maxsize=256)
def is_schedule(text: str) -> bool:
    """Whether ``text`` is five fields that can be met, or a word such as ``@daily``."""
    if text.startswith("@") or is_unresolved(text):
        return True
    fields = text.lower().split()
    return len(fields) == len(_FIELDS) and all(
        _is_part(part, least, most, names.split())
        for field, (least, most, names) in zip(fields, _FIELDS, strict=True)
        for part in field.split(",")
    )


def _is_part(part: str, least: int, most: int, names: list[str]) -> bool:
    found = re.fullmatch(_PART, part, re.ASCII)
    if found is None:
        return False
    if found[1] in {"*", "?"}:
        return True
    ends = [least + names.index(end) if end in names else end for end in found[1].split("-")]
    numbers = [int(end) for end in ends if isinstance(end, int) or end.isdecimal()]
    in_range = all(least <= number <= most for number in numbers)
    return len(numbers) == len(ends) and in_range and numbers == sorted(numbers)
