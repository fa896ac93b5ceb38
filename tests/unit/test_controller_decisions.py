"""Where the controller runs and how many of it, so that ``helm --wait`` comes to an end."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.controller import (
    capacity_problems,
    decide_capacity,
    decide_replicas,
    decide_topology_spread,
)
from karpenter_construct.controller_capacity import ControllerCapacity, FargateCapacity
from karpenter_construct.discovery import Discovery
from karpenter_construct.errors import Problem
from karpenter_construct.releases import KarpenterVersion

from .facts import LIST_TOKEN, NUMBER_TOKEN, imported, owned

ANYWHERE = ControllerCapacity.anywhere()
EXISTING = ControllerCapacity.existing("critical")


def nodegroup(**arguments: Any):
    return ControllerCapacity.nodegroup(**arguments)


# Where


def test_the_capacity_asked_for_is_taken():
    assert decide_capacity(EXISTING, owned(fargate_only=True)) is EXISTING


def test_by_default_any_node_will_do():
    assert decide_capacity(None, owned()) == ANYWHERE
    assert decide_capacity(None, imported()) == ANYWHERE


def test_a_cluster_of_fargate_alone_has_nothing_else():
    assert isinstance(decide_capacity(None, owned(fargate_only=True)), FargateCapacity)


AL2 = ("AL2_x86_64", "m5.large", "AL2023_x86_64_STANDARD")
AL2_ARM = ("AL2_ARM_64", "m7g.large", "AL2023_ARM_64_STANDARD")


def said(ami_type: str, instance_type: str, kubernetes_version: str | None) -> list[str]:
    capacity = nodegroup(ami_type=ami_type, instance_types=[instance_type])
    found = capacity_problems(capacity, owned(kubernetes_version=kubernetes_version))
    return [str(problem) for problem in found]


@pytest.mark.parametrize(("ami_type", "instance_type", "instead"), [AL2, AL2_ARM])
def test_fails_on_amazon_linux_2_where_it_has_ended(ami_type, instance_type, instead):
    assert said(ami_type, instance_type, "1.32") == []
    assert said(ami_type, instance_type, None) == []
    assert said(ami_type, instance_type, "1.33") == [
        "`controller_capacity.ami_type`: AL2 ends before Kubernetes 1.33, the cluster has 1.33, got "
        f"{ami_type!r}; use {instead!r}"
    ]


def test_other_images_and_other_capacities_go_on():
    assert said("AL2023_x86_64_STANDARD", "m5.large", "1.36") == []
    assert capacity_problems(ANYWHERE, owned(kubernetes_version="1.36")) == []


# How many


def replicas(asked: Any, capacity=ANYWHERE) -> tuple[Any, list[tuple[str, str]], list[str]]:
    problems: list[Problem] = []
    number, cautions = decide_replicas(asked, capacity, problems)
    return number, [(one.id, one.message) for one in cautions], [str(one) for one in problems]


def one_node(wanted: int, room: int) -> tuple[str, str]:
    return (
        "karpenter-construct:oneNode",
        f"{wanted} replicas of the controller need {wanted} nodes, its capacity has {room}: {room} will run. Give the "
        f"node group desired_size={wanted}, so that Karpenter survives the loss of a node.",
    )


@pytest.mark.parametrize(
    ("asked", "capacity", "number"),
    [
        (None, ANYWHERE, 2),
        (None, EXISTING, 2),
        (None, ControllerCapacity.fargate(), 2),
        (None, nodegroup(), 2),
        (None, nodegroup(min_size=5), 2),
        (1, ANYWHERE, 1),
        (1, nodegroup(desired_size=1), 1),
        (2, nodegroup(desired_size=2), 2),
        (3, ANYWHERE, 3),
        (3, nodegroup(desired_size=3), 3),
        (None, nodegroup(desired_size=NUMBER_TOKEN), 2),
        (NUMBER_TOKEN, ANYWHERE, NUMBER_TOKEN),
    ],
)
def test_as_many_as_there_is_room_for(asked, capacity, number):
    assert replicas(asked, capacity) == (number, [], [])


@pytest.mark.parametrize(("asked", "room", "wanted"), [(None, 1, 2), (2, 1, 2), (3, 1, 3), (3, 2, 3)])
def test_more_than_there_are_nodes(asked, room, wanted):
    assert replicas(asked, nodegroup(desired_size=room)) == (room, [one_node(wanted, room)], [])


@pytest.mark.parametrize("asked", [0, -1, 2.0, "2", True, [2]])
def test_fails_on_what_is_no_number_of_replicas(asked):
    assert replicas(asked) == (
        2,
        [],
        [f"`replicas`: must be a whole number of at least 1, got {asked!r}; use 2"],
    )


# In which zones


def spread(number: int, capacity, version: str = "1.14.1", zones: int = 2, subnets=None):
    facts = owned(private_zones=lambda: [f"zone-{number}" for number in range(zones)])
    discovery = Discovery.by_id(subnets=subnets)
    release = KarpenterVersion.parse(version)
    rule, cautions = decide_topology_spread(number, capacity, discovery, facts, release)
    return rule, [(caution.id, caution.message) for caution in cautions]


ONE_ZONE = [
    (
        "karpenter-construct:oneZone",
        "2 replicas of the controller are to run in two zones, its capacity has one: they will share it. Give the "
        "capacity subnets in two zones, so that Karpenter survives the loss of a zone.",
    )
]


@pytest.mark.parametrize(
    ("capacity", "zones"),
    [
        (ANYWHERE, 1),
        (EXISTING, 1),
        (nodegroup(), 2),
        (nodegroup(), 0),
        (ControllerCapacity.fargate(), 3),
        (nodegroup(subnets=["subnet-1", "subnet-2"]), 1),
        (nodegroup(subnets=[LIST_TOKEN]), 1),
    ],
)
def test_two_replicas_are_kept_apart_where_there_may_be_two_zones(capacity, zones):
    assert spread(2, capacity, zones=zones) == ("DoNotSchedule", [])


@pytest.mark.parametrize(
    ("capacity", "zones"),
    [
        (nodegroup(), 1),
        (ControllerCapacity.fargate(), 1),
        (nodegroup(subnets=["subnet-1"]), 2),
        (ControllerCapacity.fargate(subnets=["subnet-1"]), 2),
    ],
)
def test_two_replicas_in_one_zone(capacity, zones):
    assert spread(2, capacity, zones=zones) == ("ScheduleAnyway", ONE_ZONE)


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("0.30.0", ("ScheduleAnyway", [])),
        ("0.37.8", ("ScheduleAnyway", [])),
        ("1.0.0", ("ScheduleAnyway", ONE_ZONE)),
    ],
)
def test_releases_before_1_0_share_a_zone_by_themselves(version, found):
    assert spread(2, nodegroup(), version, zones=1) == found


def test_one_replica_needs_no_second_zone():
    assert spread(1, nodegroup(), zones=1) == ("ScheduleAnyway", [])
    assert spread(1, nodegroup(), zones=2) == ("ScheduleAnyway", [])


@pytest.mark.parametrize(
    ("subnets", "zones", "found"),
    [
        (["subnet-9"], 2, ("ScheduleAnyway", ONE_ZONE)),
        (["subnet-8", "subnet-9"], 1, ("DoNotSchedule", [])),
        (None, 1, ("ScheduleAnyway", ONE_ZONE)),
    ],
)
def test_the_capacity_is_made_in_the_subnets_of_the_nodes(subnets, zones, found):
    assert spread(2, nodegroup(), zones=zones, subnets=subnets) == found
