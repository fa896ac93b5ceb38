"""Where the controller runs, how many of it, and with which feature gates."""

from __future__ import annotations

from collections.abc import Mapping

from .._upstream.chart import feature_gates
from ..cluster_facts import ClusterFacts
from ..controller_capacity import ControllerCapacity
from ..errors import Caution, Problem
from ..releases import KarpenterVersion

DEFAULT_REPLICAS = 2
"""The chart's own number in every release: one leads, one waits."""


def decide_capacity(asked: ControllerCapacity | None, facts: ClusterFacts) -> ControllerCapacity:
    """What was asked for; else Fargate on a cluster that has nothing else, else any node."""
    if asked is not None:
        return asked
    return ControllerCapacity.fargate() if facts.fargate_only else ControllerCapacity.anywhere()


def decide_replicas(
    asked: int | None, capacity: ControllerCapacity, version: KarpenterVersion, problems: list[Problem]
) -> tuple[int, list[Caution]]:
    """As many as can run: each needs a node of its own, and ``helm --wait`` waits for all of them."""
    if asked is not None and (isinstance(asked, bool) or not isinstance(asked, int) or asked < 1):
        problems.append(Problem("replicas", f"must be a whole number of at least 1, got {asked!r}; use 2"))
        return DEFAULT_REPLICAS, []
    wanted = DEFAULT_REPLICAS if asked is None else asked
    room = capacity.node_count
    if room is None or wanted <= room:
        return wanted, []
    return room, [
        Caution(
            "karpenter-construct:oneNode",
            f"{wanted} replicas of the controller need {wanted} nodes, its capacity has {room}: {room} will run. "
            "Give the node group min_size=2, so that Karpenter survives the loss of a node.",
        )
    ]


def gate_problems(overrides: Mapping[str, bool], version: KarpenterVersion) -> list[Problem]:
    """Feature gates that the release does not have, or that are no booleans."""
    known = feature_gates(version)
    problems = []
    for gate, value in overrides.items():
        if gate not in known:
            has = ", ".join(known) or "none"
            problems.append(
                Problem(f"feature_gates[{gate!r}]", f"is no feature gate of Karpenter {version}; it has {has}")
            )
        elif not isinstance(value, bool):
            problems.append(Problem(f"feature_gates[{gate!r}]", f"must be True or False, got {value!r}"))
    return problems
