"""Feature gates: what does nothing while its gate is off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .._model import Named
from .._upstream.feature_gates import gate_window
from ..capacity_buffer import CapacityBuffer
from ..errors import Problem
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from ..releases import KarpenterVersion


class _Gated(NamedTuple):
    """What a gate is about: which objects, and the field that asks for it, if it is not the object itself."""

    gate: str
    applies: Callable[[Named], bool]
    field: str = ""


_GATED = (
    _Gated("nodeOverlay", lambda model: isinstance(model, NodeOverlay)),
    _Gated("capacityBuffer", lambda model: isinstance(model, CapacityBuffer)),
    _Gated(
        "staticCapacity",
        lambda model: isinstance(model, NodePool) and model.replicas is not None,
        field=".replicas",
    ),
)


def gate_problems(model: Named, version: KarpenterVersion, gates: Mapping[str, object]) -> list[Problem]:
    """Why an object would do nothing.

    Args:
        model: The node object.
        version: The release. One that lacks a gate lacks what the gate is about, which is said elsewhere.
        gates: The gates by chart key.
    """
    return [
        Problem(
            f"{model.path}{gated.field}",
            f"does nothing while the feature gate {gated.gate!r} is off; pass "
            f"feature_gates={{{gated.gate!r}: True}}",
        )
        for gated in _GATED
        if gates.get(gated.gate) is False and gated.applies(model) and _exists(gated.gate, version)
    ]


def _exists(gate: str, version: KarpenterVersion) -> bool:
    window = gate_window(gate)
    return window is not None and version in window
