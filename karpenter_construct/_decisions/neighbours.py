"""What else is on the cluster, and does not go with Karpenter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .._tokens import is_unresolved
from ..discovery import DISCOVERY_TAG
from ..errors import Caution, Problem
from .cluster_facts import Neighbours


def second_karpenter(cluster: str, other: str | None) -> list[Problem]:
    """Why a cluster that has Karpenter cannot have another.

    Args:
        cluster: The construct path of the cluster.
        other: The construct path of what installs Karpenter there.
    """
    if other is None:
        return []
    return [
        Problem(
            "cluster",
            f"{cluster} has Karpenter already, from {other}, and two would fight over its nodes; add node pools to "
            "the first",
        )
    ]


def second_entries(role_arns: Iterable[str], node_groups: Mapping[str, str]) -> list[Problem]:
    """Node roles that are let in twice.

    Args:
        role_arns: The roles that got an access entry here.
        node_groups: The managed node groups of the cluster by the role of each, those made after Karpenter too.
    """
    return [
        Problem(
            "node_role",
            f"is the role of the node group {node_groups[arn]} too, which EKS lets into the cluster itself, and a "
            "second access entry fails; define the node group before Karpenter, or use NodeAccess.NONE",
        )
        for arn in role_arns
        if arn in node_groups
    ]


def neighbour_cautions(neighbours: Neighbours, tagged_here: Mapping[str, str]) -> list[Caution]:
    """Everything about the neighbours that the user should look at.

    Args:
        neighbours: What the app puts on the cluster besides.
        tagged_here: What to call the security groups that Karpenter tags for its nodes, by id.
    """
    return [*_chart_cautions(neighbours.charts), *_group_cautions(neighbours, tagged_here)]


def room_cautions(room: int | None, cluster: str, replicas: int) -> list[Caution]:
    """What to say where the controller may run on any node, and there are too few.

    Args:
        room: With how many nodes the app begins the cluster, ``None`` where that is unknown.
        cluster: The construct path of the cluster.
        replicas: How many controllers are to run; a token may stand for it.
    """
    if room is None or is_unresolved(replicas) or room >= replicas:
        return []
    if room == 0:
        return [
            Caution(
                "karpenter-construct:noNodes",
                f"Nothing in this app gives {cluster} a node: unless one comes from elsewhere, the controller has "
                "nowhere to run, and its chart fails after 15 minutes. Use controller_capacity=ControllerCapacity."
                "nodegroup(), or add a node group to the cluster.",
            )
        ]
    return [
        Caution(
            "karpenter-construct:oneNode",
            f"{replicas} replicas of the controller need {replicas} nodes, this app gives {cluster} {room}: the others "
            f"wait for a node. Give its node group desired_size={replicas}, so that Karpenter survives the loss of a "
            f"node, or use replicas={room}.",
        )
    ]


def _chart_cautions(charts: Sequence[str]) -> Iterator[Caution]:
    for chart, (caution_id, reason) in _RIVALS.items():
        if chart in charts:
            yield Caution(
                f"karpenter-construct:{caution_id}",
                f"The chart {chart} is installed in this app too: {reason}.",
            )


_RIVALS = {
    "cluster-autoscaler": (
        "clusterAutoscaler",
        "both would scale for the same pods; keep the two to separate node groups while you migrate, then remove it",
    ),
    "aws-node-termination-handler": (
        "nodeTerminationHandler",
        "Karpenter's interruption handling drains its own nodes; keep the handler off them, or remove it",
    ),
}


def _group_cautions(neighbours: Neighbours, tagged_here: Mapping[str, str]) -> Iterator[Caution]:
    tagged = {**neighbours.tagged_security_groups, **tagged_here}
    if len(tagged) > 1 and tagged_here:
        yield Caution(
            "karpenter-construct:severalDiscoveryGroups",
            f"Several security groups carry the tag {DISCOVERY_TAG} of this cluster, and nodes get all of them: "
            f"{', '.join(tagged.values())}. Leave the tag to one, or select groups with Discovery.by_id().",
        )
