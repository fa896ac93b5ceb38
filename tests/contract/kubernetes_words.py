"""Kubernetes' own words: names, label values, quantities, schedules (apimachinery, robfig/cron)."""

from __future__ import annotations

import re
from decimal import Decimal

_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUANTITY = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?")
_DECIMAL_SUFFIXES = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def is_subdomain(text: str) -> bool:
    """Whether Kubernetes takes ``text`` as an object's name."""
    return len(text) <= 253 and _SUBDOMAIN.fullmatch(text) is not None


def is_qualified_name(key: str) -> bool:
    """Whether Kubernetes takes ``key`` as a label's key: ``name`` or ``domain/name``."""
    prefix, slash, name = key.rpartition("/")
    return (not slash or is_subdomain(prefix)) and len(name) <= 63 and _NAME.fullmatch(name) is not None


def is_label_value(value: str) -> bool:
    """Whether Kubernetes takes ``value`` as a label's value."""
    return value == "" or (len(value) <= 63 and _NAME.fullmatch(value) is not None)


def quantity(text: str | int) -> Decimal | None:
    """The number that a quantity such as ``1500m`` or ``20Gi`` stands for; ``None`` where it is none."""
    found = _QUANTITY.fullmatch(str(text))
    if found is None:
        return None
    number, suffix = Decimal(found[1]), found[2] or ""
    if suffix.endswith("i"):
        return number * Decimal(1024) ** ("KMGTPE".index(suffix[0]) + 1)
    if suffix[:1] in {"e", "E"} and suffix[1:]:
        return number * Decimal(10) ** int(suffix[1:])
    return number * Decimal(10) ** _DECIMAL_SUFFIXES[suffix]


_CRON_FIELDS: tuple[tuple[int, int, str], ...] = (
    (0, 59, ""),
    (0, 23, ""),
    (1, 31, ""),
    (1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    (0, 6, "sun mon tue wed thu fri sat"),
)


def is_schedule(text: str) -> bool:
    """Whether robfig/cron's standard parser takes ``text``: five fields, or ``@daily`` and its kind."""
    if re.fullmatch(r"@(annually|yearly|monthly|weekly|daily|midnight|hourly)", text):
        return True
    fields = re.sub(r"^(CRON_)?TZ=\S+ ", "", text).split()
    return len(fields) == len(_CRON_FIELDS) and all(
        _is_cron_part(part.lower(), *limits)
        for field, limits in zip(fields, _CRON_FIELDS, strict=True)
        for part in field.split(",")
    )


def _is_cron_part(part: str, first: int, last: int, names: str) -> bool:
    numbers = {name: first + index for index, name in enumerate(names.split())}
    span, _, step = part.partition("/")
    if "/" in part and not re.fullmatch(r"0*[1-9]\d*", step):
        return False
    if span in {"*", "?"}:
        return True
    ends = [str(numbers.get(end, end)) for end in span.split("-")]
    in_range = all(end.isdecimal() and first <= int(end) <= last for end in ends)
    return in_range and len(ends) <= 2 and int(ends[0]) <= int(ends[-1])
