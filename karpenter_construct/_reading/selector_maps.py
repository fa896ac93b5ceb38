"""Selectors before v1beta1: one map of tags, with a few keys that mean something else; later there are terms.

Each value may list several with commas; a term is one combination (karpenter-provider-aws v0.32.10,
``pkg/utils/nodeclass/nodeclass.go``).
"""

from __future__ import annotations

from itertools import product

from ..releases import since
from .drafts import Draft

TERMS = since("0.32")
"""The releases that have terms."""

_IDS = ("aws-ids", "aws::ids")
_SPECIAL = {**dict.fromkeys(_IDS, "id"), "aws::name": "name", "aws::owners": "owner"}


def ami_terms(draft: Draft, path: str) -> None:
    """The terms of an ``amiSelector``."""
    _take(draft, path, "ami_selector_terms", _SPECIAL)


def subnet_terms(draft: Draft, path: str) -> None:
    """The terms of a ``subnetSelector``."""
    _take(draft, path, "subnet_selector_terms", dict.fromkeys(_IDS, "id"))


def security_group_terms(draft: Draft, path: str) -> None:
    """The terms of a ``securityGroupSelector``."""
    _take(draft, path, "security_group_selector_terms", dict.fromkeys(_IDS, "id"))


def _take(draft: Draft, path: str, target: str, special: dict[str, str]) -> None:
    selector = draft.texts(path)
    if not selector:
        return
    if len(selector) > 1 and any(key in selector for key in _IDS):
        draft.problem(path, "has ids beside other keys, which Karpenter's webhook refuses; leave out either")
        return
    if any(not key or not _values(value) for key, value in selector.items()):
        draft.problem(
            path, "has an empty key or value, which Karpenter's webhook refuses; write '*' for any value"
        )
        return
    choices = [[(key, item) for item in _values(value)] for key, value in selector.items()]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > _MOST_TERMS:
        draft.problem(path, f"stands for {count} combinations, and later releases take {_MOST_TERMS} at most")
        return
    draft.set(target, [_term(combination, special) for combination in product(*choices)], source=path)
    if count > 1:
        message = f"is written as {count} terms, one for each combination of its values"
        draft.note(path, message, TERMS)


_MOST_TERMS = 30
"""The CRDs' ``maxItems`` of every list of terms."""


def _values(text: str) -> list[str]:
    values = [item.strip() for item in text.split(",")]
    return values if all(values) else []


def _term(combination: tuple[tuple[str, str], ...], special: dict[str, str]) -> dict[str, object]:
    term: dict[str, object] = {special[key]: value for key, value in combination if key in special}
    tags = {key: value for key, value in combination if key not in special}
    if tags:
        term["tags"] = tags
    return term
