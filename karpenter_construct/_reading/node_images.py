"""AMI families before v1, where v1 has aliases."""

from __future__ import annotations

from .drafts import Draft

_ALIASED = ("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022")
"""The families of v1beta1 that v1 has an alias for."""


def use_alias(draft: Draft, family: str) -> None:
    """A family alone means its newest AMI, which v1 writes as an alias; with a selector it stays a family."""
    if family in _ALIASED and not draft.values.get("ami_selector_terms"):
        draft.set("ami", f"{family.lower()}@latest", source="amiFamily")
    else:
        draft.set("ami_family", family, source="amiFamily")
