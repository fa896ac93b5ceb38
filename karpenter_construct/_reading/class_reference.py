"""How a pool refers to its node class, apart from the name."""

from __future__ import annotations

from .drafts import Draft

GROUP = "karpenter.k8s.aws"
"""The API group of the node classes."""


def check_reference(draft: Draft, path: str, *expected: str) -> None:
    """Part of the reference must be what this library knows; the first of ``expected`` is proposed."""
    found = draft.text(path)
    if found is not None and found not in expected:
        draft.problem(path, f"must be {expected[0]!r}, got {found!r}; no other kind of node class is known")
