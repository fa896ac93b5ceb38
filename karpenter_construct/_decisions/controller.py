"""Where the controller runs, and how many of it."""

from __future__ import annotations

from typing import cast

from .._capacity_arguments import zone_count
from .._fields import shown
from .._tokens import is_unresolved
from .._upstream.controller_placement import default_topology_spread
from .._upstream.eks_node_groups import DEFAULT_AMI_TYPES, ami_architecture, is_of_al2
from .._upstream.kubernetes import FIRST_WITHOUT_AL2, KubernetesVersion
from ..controller_capacity import ControllerCapacity, FargateCapacity, NodegroupCapacity
from ..discovery import Discovery
from ..errors import Caution, Problem
from ..releases import KarpenterVersion
from .cluster_facts import ClusterFacts
from .given_values import GivenValues

DEFAULT_REPLICAS = 2
"""The chart's own number in every release: one leads, one waits."""


def decide_capacity(asked: ControllerCapacity | None, facts: ClusterFacts) -> ControllerCapacity:
    """What was asked for; else Fargate on a cluster that has nothing else, else any node."""
    if asked is not None:
        return asked
    return ControllerCapacity.fargate() if facts.fargate_only else ControllerCapacity.anywhere()


def capacity_problems(capacity: ControllerCapacity, facts: ClusterFacts) -> list[Problem]:
    """Why the cluster cannot have the capacity."""
    if not isinstance(capacity, NodegroupCapacity) or not is_of_al2(capacity.ami_type):
        return []
    kubernetes = KubernetesVersion.parse(facts.kubernetes_version) if facts.kubernetes_version else None
    if kubernetes is None or kubernetes < FIRST_WITHOUT_AL2:
        return []
    instead = DEFAULT_AMI_TYPES[ami_architecture(capacity.ami_type) or "x86_64"]
    return [
        Problem(
            "controller_capacity.ami_type",
            f"AL2 ends before Kubernetes {FIRST_WITHOUT_AL2}, the cluster has {kubernetes}, got {capacity.ami_type!r}; "
            f"use {instead!r}",
        )
    ]


def decide_replicas(
    asked: object,
    capacity: ControllerCapacity,
    problems: list[Problem],
    *,
    in_values: bool = False,
) -> tuple[int, list[Caution]]:
    """As many as can run: each needs a node of its own, and ``helm --wait`` waits for all of them.

    Args:
        asked: What the user asks for.
        capacity: Where they run.
        problems: Where to put what is wrong.
        in_values: Whether he does so in the chart's values, where none at all may be right for a while.
    """
    least = 0 if in_values else 1
    if asked is not None and not _is_count(asked, least):
        message = f"must be a whole number of at least {least}, got {shown(asked)}; use 2"
        problems.append(Problem("helm_values.replicas" if in_values else "replicas", message))
        return DEFAULT_REPLICAS, []
    wanted = DEFAULT_REPLICAS if asked is None else cast("int", asked)
    room = capacity.node_count
    if room is None or is_unresolved(wanted) or wanted <= room:
        return wanted, []
    return room, [
        Caution(
            "karpenter-construct:oneNode",
            f"{wanted} replicas of the controller need {wanted} nodes, its capacity has {room}: {room} will run. "
            f"Give the node group desired_size={wanted}, so that Karpenter survives the loss of a node.",
        )
    ]


def _is_count(asked: object, least: int) -> bool:
    return is_unresolved(asked) or (isinstance(asked, int) and not isinstance(asked, bool) and asked >= least)


def decide_topology_spread(
    replicas: int,
    capacity: ControllerCapacity,
    discovery: Discovery,
    facts: ClusterFacts,
    version: KarpenterVersion,
    *,
    given: GivenValues | None = None,
) -> tuple[str, list[Caution]]:
    """The release's own spread over zones; a soft one where the controller cannot be in two; or the user's."""
    default = default_topology_spread(version)
    told = given.topology_spread(default) if given is not None else None
    if told is not None:
        return told, []
    if replicas in (0, 1):
        return _SOFT, []
    if default == _SOFT or _zone_count(capacity, discovery, facts) != 1:
        return default, []
    return _SOFT, [
        Caution(
            "karpenter-construct:oneZone",
            f"{replicas} replicas of the controller are to run in two zones, its capacity has one: they will share it. "
            "Give the capacity subnets in two zones, so that Karpenter survives the loss of a zone.",
        )
    ]


_SOFT = "ScheduleAnyway"


def _zone_count(capacity: ControllerCapacity, discovery: Discovery, facts: ClusterFacts) -> int | None:
    """How many zones the controller's nodes are in, ``None`` where that is unknown."""
    if not isinstance(capacity, (NodegroupCapacity, FargateCapacity)) or capacity.subnets is not None:
        return capacity.zone_count
    if discovery.subnets is not None:
        return zone_count(discovery.subnets)
    return len(facts.private_zones()) or None
