"""Node overlays: what the release cannot say, and what its CRD refuses."""

from __future__ import annotations

from ..errors import Problem
from ..node_overlay import NodeOverlay
from ..releases import KarpenterVersion
from .requirements import overlay_requirement_problems
from .rule import Rule, broken
from .windows import unknown_to_release

_OWN_RESOURCES = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})

_RULES: tuple[Rule[NodeOverlay], ...] = (
    Rule(
        lambda overlay: overlay.price is not None and overlay.price_adjustment is not None,
        "cannot set both 'price' and 'priceAdjustment'",
        "leave one of the two out",
    ),
    Rule(
        lambda overlay: _OWN_RESOURCES & set(overlay.capacity or ()),
        "invalid resource restricted",
        "leave cpu, memory, ephemeral-storage and pods out, an overlay cannot change them",
        field="capacity",
    ),
)


def check_node_overlay(overlay: NodeOverlay, version: KarpenterVersion, *, path: str) -> list[Problem]:
    """Everything that this release would refuse.

    Args:
        overlay: The node overlay.
        version: The release that it is for.
        path: Where messages begin, such as ``node_overlays['gpu']``.
    """
    return [
        *unknown_to_release(overlay, path, version),
        *broken(_RULES, overlay, path, version),
        *overlay_requirement_problems(overlay.requirements, path, version),
    ]
