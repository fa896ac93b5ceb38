"""Which releases serve which API version: what `kubectl apply` takes as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from .._model import Named
from .._upstream.webhooks import CONVERSION_WEBHOOK
from ..errors import Problem
from ..releases import KarpenterVersion, Window, between, since, until
from . import v1, v1alpha5, v1beta1
from .manifests import NodeManifests
from .places import Origin

_V1 = CONVERSION_WEBHOOK | since("1.0")
T = TypeVar("T", bound=Named)

SERVED: dict[str, Window] = {
    v1alpha5.PROVISIONER.api_version: until("0.33"),
    v1alpha5.NODE_TEMPLATE.api_version: until("0.33"),
    v1beta1.NODE_POOL.api_version: between("0.32", "1.1"),
    v1beta1.NODE_CLASS.api_version: between("0.32", "1.1"),
    v1.NODE_POOL.api_version: _V1,
    v1.NODE_CLASS.api_version: _V1,
    v1.NODE_OVERLAY.api_version: v1.NODE_OVERLAY.model.window,
    v1.CAPACITY_BUFFER.api_version: v1.CAPACITY_BUFFER.model.window,
}
"""The charts' CRDs of all tags, ``spec.versions[].served``."""

# Other releases have no words for these.
_ALONE = (v1.NODE_OVERLAY.api_version, v1.CAPACITY_BUFFER.api_version)


def served(read: NodeManifests, version: KarpenterVersion) -> tuple[NodeManifests, list[Problem]]:
    """The objects that the API server of a release takes as they stand, and why it takes no other."""
    refused = {
        path: _problem(origin, version)
        for path, origin in read.origins.items()
        if version not in SERVED[origin.api_version]
    }
    kept = replace(
        read,
        node_classes=_without(refused, read.node_classes),
        node_pools=_without(refused, read.node_pools),
        node_overlays=_without(refused, read.node_overlays),
        capacity_buffers=_without(refused, read.capacity_buffers),
    )
    return kept, list(refused.values())


def _without(refused: Mapping[str, Problem], models: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(model for model in models if model.path not in refused)


def _problem(origin: Origin, version: KarpenterVersion) -> Problem:
    window = SERVED[origin.api_version]
    what_to_do = "leave the object out" if origin.api_version in _ALONE else "convert the object"
    message = f"{origin.api_version} {window.requirement(version)}; {what_to_do}"
    return origin.source.problem(("apiVersion",), message)
