"""Which releases serve which API version: what `kubectl apply` takes as it stands."""

from __future__ import annotations

from .._upstream.webhooks import CONVERSION_WEBHOOK
from ..releases import KarpenterVersion, Window, between, since, until
from . import v1, v1alpha5, v1beta1
from .places import Origin, PlacedProblem

_V1 = CONVERSION_WEBHOOK | since("1.0")
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


def served_problem(origin: Origin, version: KarpenterVersion) -> PlacedProblem | None:
    """Why the API server of a release takes no object of this kind, ``None`` where it does."""
    window = SERVED[origin.api_version]
    if version in window:
        return None
    message = f"{origin.api_version} {window.requirement(version)}; convert the object"
    return origin.source.problem(("apiVersion",), message)
