"""Karpenter's feature gates: which exist in a release, and what each is unless told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .._tokens import is_unresolved
from ..errors import Problem
from ..releases import KarpenterVersion, Window, between, since, until


class FeatureGate(NamedTuple):
    """One gate, as the chart's key ``settings.featureGates.<key>``."""

    key: str
    window: Window
    on_by_default: Window | None = None


# charts/karpenter/values.yaml and the variable FEATURE_GATES of templates/deployment.yaml, by tag. The values
# of 1.8.0 spell one key StaticCapacity, but its template reads staticCapacity as those of later releases do.
FEATURE_GATES = (
    FeatureGate("driftEnabled", until("0.32")),
    FeatureGate("drift", between("0.32", "1.0"), since("0.33")),
    FeatureGate("spotToSpotConsolidation", since("0.34")),
    FeatureGate("nodeRepair", since("1.1")),
    FeatureGate("reservedCapacity", since("1.3"), since("1.6")),
    FeatureGate("nodeOverlay", since("1.7")),
    FeatureGate("staticCapacity", since("1.8")),
    FeatureGate("capacityBuffer", since("1.14")),
)

_RENAMED = (("driftEnabled", "drift"),)


def feature_gates(version: KarpenterVersion) -> dict[str, bool]:
    """Every gate of the release, by chart key, with the release's own default.

    All of them have to be written: the chart renders a missing one as ``Name=``, and the controller panics.
    """
    return {
        gate.key: gate.on_by_default is not None and version in gate.on_by_default
        for gate in FEATURE_GATES
        if version in gate.window
    }


def gate_window(key: str) -> Window | None:
    """The releases that have the gate; ``None`` where no release has."""
    return next((gate.window for gate in FEATURE_GATES if gate.key == key), None)


def feature_gate_problems(gates: Mapping[str, object], version: KarpenterVersion) -> list[Problem]:
    """What is wrong with the gates that a user sets: not of this release, or neither on nor off."""
    problems = (_gate_problem(key, value, version) for key, value in gates.items())
    return [problem for problem in problems if problem is not None]


def _other_name(key: str) -> str | None:
    """What other releases call the gate."""
    return next((other for names in _RENAMED for other in names if key in names and other != key), None)


def _gate_problem(key: str, value: object, version: KarpenterVersion) -> Problem | None:
    path = f"feature_gates[{key!r}]"
    window = gate_window(key)
    if window is None:
        known = ", ".join(feature_gates(version))
        return Problem(path, f"is no feature gate of Karpenter {version}; use one of {known}")
    if version not in window:
        other = _other_name(key)
        fix = f"write {other!r}" if other in feature_gates(version) else "leave it out"
        return Problem(path, f"{window.requirement(version)}; {fix}")
    if not isinstance(value, bool) and not is_unresolved(value):
        return Problem(path, f"is neither on nor off, got {value!r}; write True or False")
    return None
