"""The keys of labels and requirements: which of them a release knows, and which it keeps for itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .._fields import suggestion
from .._tokens import is_unresolved
from .._upstream.labels import (
    RESTRICTED_KEYS,
    WELL_KNOWN,
    Growing,
    RestrictedDomain,
    restricted_domain,
)
from ..errors import Problem
from ..releases import KarpenterVersion, Window
from ..requirements import INSTANCE_FAMILY, INSTANCE_TYPE, NODE_POOL

_NEVER: dict[str, str] = {
    NODE_POOL: "leave it out, Karpenter sets it",
    "kubernetes.io/hostname": "leave it out, every node has its own",
}


def label_problems(labels: Mapping[str, str], path: str, version: KarpenterVersion) -> list[Problem]:
    """What is wrong with the keys and values of a node pool's labels."""
    found = []
    for key, value in labels.items():
        known = WELL_KNOWN.get(key)
        message = restriction(key, version) or (known and unknown_key(key, known.label_window, version))
        message = message or value_message(key, value, version)
        if message:
            found.append(Problem(f"{path}[{key!r}]", message))
    return found


@lru_cache(maxsize=4096)
def restriction(key: str, version: KarpenterVersion) -> str | None:
    """Why a node pool of this release may not use ``key``; the CRD's words first."""
    if is_unresolved(key):
        return None
    if key in RESTRICTED_KEYS:
        return f'label "{key}" is restricted; {_NEVER[key]}'
    domain = restricted_domain(key, version)
    return None if domain is None else _domain_message(key, domain, version)


def _domain_message(key: str, domain: RestrictedDomain, version: KarpenterVersion) -> str:
    says = f'label domain "{domain.name}" is restricted, got {key!r}'
    if domain.free.spans:
        return f"{says}; such a key {domain.free.requirement(version)}"
    return f"{says}; {_nearest(key, domain) or 'use a key of your own domain'}"


def _nearest(key: str, domain: RestrictedDomain) -> str:
    # All keys of a domain look alike up to the slash.
    near = suggestion(key.partition("/")[2], [known.partition("/")[2] for known in domain.keys])
    return near.replace("'", f"'{domain.name}/", 1)


def unknown_key(key: str, window: Window, version: KarpenterVersion) -> str | None:
    """What to say about a well-known key that the release does not know, ``None`` where it does."""
    return None if version in window else f"{key!r} {window.requirement(version)}"


def value_message(key: str, value: str, version: KarpenterVersion) -> str | None:
    """What is wrong with a value of a well-known key whose values are known, look alike, or are numbers."""
    known = WELL_KNOWN.get(key)
    if known is None or is_unresolved(value):
        return None
    if known.is_number:
        return None if value.isdecimal() else f"values of {key!r} are whole numbers, got {value!r}"
    if known.growing:
        return None if known.growing.takes(value) else _no_newer_value(key, value, known.growing)
    if not known.values:
        return None
    if value not in known.values:
        return _no_such_value(key, value, tuple(known.values))
    window = known.values[value]
    return None if version in window else f"{value!r} {window.requirement(version)}"


def _no_such_value(key: str, value: str, values: tuple[str, ...]) -> str:
    hint = suggestion(value, values) or f"use one of {', '.join(map(repr, values))}"
    return f"{key!r} has no such value, got {value!r}; {hint}"


def _looks_like(key: str, value: str) -> bool:
    growing = WELL_KNOWN[key].growing
    return growing is not None and growing.takes(value)


def _no_newer_value(key: str, value: str, growing: Growing) -> str:
    if key == INSTANCE_FAMILY and _looks_like(INSTANCE_TYPE, value):
        hint = f"require {INSTANCE_TYPE!r}, or write '{value.partition('.')[0]}'"
        return f"{key!r} has no such value, got the instance type {value!r}; {hint}"
    if key == INSTANCE_TYPE and _looks_like(INSTANCE_FAMILY, value):
        hint = f"require {INSTANCE_FAMILY!r}, or write '{value}.large'"
        return f"{key!r} has no such value, got the instance family {value!r}; {hint}"
    hint = suggestion(value, growing.known(value)) or f"write one as in {growing.example}"
    return f"{key!r} has no such value, got {value!r}; {hint}"
