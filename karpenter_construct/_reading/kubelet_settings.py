"""Kubelet settings, which v1beta1 and v1alpha5 have in the pool."""

from __future__ import annotations

from .drafts import Draft


def drop_empty_kubelet(draft: Draft) -> None:
    """Settings that set nothing are none: they must not make a pool differ from its neighbours."""
    if draft.values.get("kubelet") == {}:
        del draft.values["kubelet"]
