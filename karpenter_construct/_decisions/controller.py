"""Where the controller runs, and how many of it."""

from __future__ import annotations

from ..cluster_facts import ClusterFacts
from ..controller_capacity import ControllerCapacity
from ..errors import Caution, Problem

DEFAULT_REPLICAS = 2
"""The chart's own number in every release: one leads, one waits."""


def decide_capacity(asked: ControllerCapacity | None, facts: ClusterFacts) -> ControllerCapacity:
    """What was asked for; else Fargate on a cluster that has nothing else, else any node."""
    if asked is not None:
        return asked
    return ControllerCapacity.fargate() if facts.fargate_only else ControllerCapacity.anywhere()


def decide_replicas(
    asked: int | None, capacity: ControllerCapacity, problems: list[Problem]
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
