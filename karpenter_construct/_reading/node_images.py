"""AMI families before v1, where v1 has aliases."""

from __future__ import annotations

from .drafts import Draft

_ALIASED = ("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022")
"""The families of v1beta1 that v1 has an alias for."""


def use_alias(draft: Draft, family: str) -> None:
    """A family alone means its newest AMI, which v1 writes as an alias; with a selector it stays a family."""
    target = "ami_family"
    if family in _ALIASED and not draft.values.get("ami_selector_terms"):
        target, family = "ami", f"{family.lower()}@latest"
    for field in ("ami", "ami_family"):  # messages may speak of either
        draft.came_from(field, "amiFamily")
    draft.values[target] = family
