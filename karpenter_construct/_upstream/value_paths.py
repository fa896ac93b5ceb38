"""Reads and writes a tree of chart values by dotted key, as ``settings.clusterName``."""

from __future__ import annotations

from collections.abc import Mapping


def get(values: Mapping[str, object], key: str) -> object:
    """The value at ``key``; ``None`` where there is none."""
    found: object = values
    for name in key.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def put(values: dict[str, object], key: str, value: object) -> None:
    """Set the value at ``key``, and make the maps above it."""
    name, _, rest = key.partition(".")
    if not rest:
        values[name] = value
        return
    inner = values.get(name)
    if not isinstance(inner, dict):
        inner = values[name] = {}
    put(inner, rest, value)


def take(values: dict[str, object], key: str) -> object:
    """Remove the value at ``key`` and return it; ``None`` where there is none."""
    above, _, last = key.rpartition(".")
    inner = get(values, above) if above else values
    return inner.pop(last, None) if isinstance(inner, dict) else None
