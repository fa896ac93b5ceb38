"""What else the app puts on the cluster, looked at when all of it is built."""

from __future__ import annotations

import pytest

from karpenter_construct._decisions.cluster_facts import Neighbours
from karpenter_construct._decisions.neighbours import (
    neighbour_cautions,
    room_cautions,
    second_entries,
    second_karpenter,
)

from .facts import NUMBER_TOKEN

OURS = {"sg-cluster": "the cluster security group"}
AUTOSCALER = (
    "karpenter-construct:clusterAutoscaler",
    "The chart cluster-autoscaler is installed in this app too: both would scale for the same pods; keep the two to "
    "separate node groups while you migrate, then remove it.",
)
HANDLER = (
    "karpenter-construct:nodeTerminationHandler",
    "The chart aws-node-termination-handler is installed in this app too: Karpenter's interruption handling drains "
    "its own nodes; keep the handler off them, or remove it.",
)


def cautions(tagged_here=OURS, **neighbours):
    found = neighbour_cautions(Neighbours(**neighbours), tagged_here)
    return [(caution.id, caution.message) for caution in found]


@pytest.mark.parametrize(
    ("charts", "found"),
    [
        ((), []),
        (("metrics-server", "karpenter"), []),
        (("cluster-autoscaler",), [AUTOSCALER]),
        (("aws-node-termination-handler",), [HANDLER]),
        (("aws-node-termination-handler", "metrics-server", "cluster-autoscaler"), [AUTOSCALER, HANDLER]),
    ],
)
def test_charts_that_scale_or_drain_too(charts, found):
    assert cautions(charts=charts) == found


def several(names: str) -> list[tuple[str, str]]:
    return [
        (
            "karpenter-construct:severalDiscoveryGroups",
            "Several security groups carry the tag karpenter.sh/discovery of this cluster, and nodes get all of them: "
            f"{names}. Leave the tag to one, or select groups with Discovery.by_id().",
        )
    ]


@pytest.mark.parametrize(
    ("ours", "others", "found"),
    [
        (OURS, {}, []),
        (OURS, {"sg-1": "App/Other"}, several("App/Other, the cluster security group")),
        (OURS, {"sg-cluster": "App/Cluster/Group"}, []),
        ({"sg-1": "sg-1", "sg-2": "sg-2"}, {}, several("sg-1, sg-2")),
        ({}, {"sg-1": "App/One", "sg-2": "App/Two"}, []),
    ],
    ids=["one", "another", "the same", "two given", "selected by id"],
)
def test_security_groups_with_the_tag(ours, others, found):
    assert cautions(ours, tagged_security_groups=others) == found


@pytest.mark.parametrize(("room", "replicas"), [(None, 2), (2, 2), (5, 2), (1, 1), (0, 0), (0, NUMBER_TOKEN)])
def test_nodes_that_suffice_or_may(room, replicas):
    assert room_cautions(room, "App/Cluster", replicas) == []


@pytest.mark.parametrize("replicas", [1, 2])
def test_no_node(replicas):
    assert [(one.id, one.message) for one in room_cautions(0, "App/Cluster", replicas)] == [
        (
            "karpenter-construct:noNodes",
            "Nothing in this app gives App/Cluster a node: unless one comes from elsewhere, the controller has nowhere "
            "to run, and its chart fails after 15 minutes. Use controller_capacity=ControllerCapacity.nodegroup(), or "
            "add a node group to the cluster.",
        )
    ]


@pytest.mark.parametrize(("room", "replicas"), [(1, 2), (2, 3)])
def test_too_few_nodes(room, replicas):
    assert [(one.id, one.message) for one in room_cautions(room, "App/Cluster", replicas)] == [
        (
            "karpenter-construct:oneNode",
            f"{replicas} replicas of the controller need {replicas} nodes, this app gives App/Cluster {room}: the "
            f"others wait for a node. Give its node group desired_size={replicas}, so that Karpenter survives the "
            f"loss of a node, or use replicas={room}.",
        )
    ]


def test_one_karpenter_is_enough():
    assert second_karpenter("App/Cluster", None) == []
    assert [str(problem) for problem in second_karpenter("App/Cluster", "App/Chart")] == [
        "`cluster`: App/Cluster has Karpenter already, from App/Chart, and two would fight over its nodes; add node "
        "pools to the first"
    ]


def test_fails_on_a_role_that_eks_lets_in_too():
    found = second_entries(["arn-1", "arn-2"], {"arn-2": "App/Nodes", "arn-3": "App/More"})
    assert [str(problem) for problem in found] == [
        "`node_role`: is the role of the node group App/Nodes too, which EKS lets into the cluster itself, and a "
        "second access entry fails; define the node group before Karpenter, or use NodeAccess.NONE"
    ]


def test_a_role_without_an_entry_of_ours_has_one():
    assert second_entries([], {"arn-1": "App/Nodes"}) == []
