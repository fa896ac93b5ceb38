"""What a release cannot say, on both sides of every border."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import (
    check_capacity_buffer,
    check_node_class,
    check_node_overlay,
    check_node_pool,
)
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import CAPACITY_TYPE, Gte, In, Lte

CHECKS = {
    NodePool: check_node_pool,
    EC2NodeClass: check_node_class,
    NodeOverlay: check_node_overlay,
    CapacityBuffer: check_capacity_buffer,
}


def lines(model, version: str) -> list[str]:
    """What the checks of a release say about a model."""
    check = CHECKS[type(model)]
    return [str(problem) for problem in check(model, KarpenterVersion.parse(version), path=model.path)]


def pool(**fields) -> NodePool:
    return NodePool(name="batch", **fields)


def disrupted(**fields) -> NodePool:
    return pool(disruption={"consolidate_after": "0s", **fields})


def node_class(**fields) -> EC2NodeClass:
    return EC2NodeClass(name="spot", **fields)


# What is said, the last release that cannot say it, the first that can, and the path with the clause.
NEEDS = [
    (
        disrupted(budgets=[{"nodes": "5"}]),
        "0.33.12",
        "0.34.0",
        "`node_pools['batch'].disruption.budgets`: needs Karpenter 0.34.0 or later, version is 0.33.12",
    ),
    (
        disrupted(budgets=[]),
        "0.33.12",
        "0.34.0",
        "`node_pools['batch'].disruption.budgets`: needs Karpenter 0.34.0 or later, version is 0.33.12",
    ),
    (
        disrupted(budgets=[{"reasons": ["Drifted"]}]),
        "0.37.8",
        "1.0.0",
        "`node_pools['batch'].disruption.budgets[0].reasons`: needs Karpenter 1.0.0 or later, version is "
        "0.37.8",
    ),
    (
        disrupted(consolidation_policy="Balanced"),
        "1.13.1",
        "1.14.0",
        "`node_pools['batch'].disruption.consolidation_policy`: 'Balanced' needs Karpenter 1.14.0 or later, "
        "version is 1.13.1",
    ),
    (
        pool(termination_grace_period="1h"),
        "0.37.8",
        "1.0.0",
        "`node_pools['batch'].termination_grace_period`: needs Karpenter 1.0.0 or later, version is 0.37.8",
    ),
    (
        pool(requirements=[In(CAPACITY_TYPE, "spot", min_values=1)]),
        "0.34.13",
        "0.35.0",
        "`node_pools['batch'].requirements[0].min_values`: needs Karpenter 0.35.0 or later, version is "
        "0.34.13",
    ),
    (
        pool(requirements=[Gte("example.com/size", 4)]),
        "1.8.8",
        "1.9.0",
        "`node_pools['batch'].requirements[0].operator`: 'Gte' needs Karpenter 1.9.0 or later, version is "
        "1.8.8",
    ),
    (
        pool(requirements=[Lte("example.com/size", 4)]),
        "1.8.8",
        "1.9.0",
        "`node_pools['batch'].requirements[0].operator`: 'Lte' needs Karpenter 1.9.0 or later, version is "
        "1.8.8",
    ),
    (
        pool(replicas=0),
        "1.7.6",
        "1.8.0",
        "`node_pools['batch'].replicas`: needs Karpenter 1.8.0 or later, version is 1.7.6",
    ),
    (
        node_class(role="nodes"),
        "0.31.5",
        "0.32.0",
        "`node_classes['spot'].role`: needs Karpenter 0.32.0 or later, version is 0.31.5",
    ),
    (
        node_class(instance_profile="nodes"),
        "0.32.1",
        "0.32.2",
        "`node_classes['spot'].instance_profile`: needs Karpenter 0.32.2 or later, version is 0.32.1",
    ),
    (
        node_class(ami_family="AL2023"),
        "0.34.13",
        "0.35.0",
        "`node_classes['spot'].ami_family`: 'AL2023' needs Karpenter 0.35.0 or later, version is 0.34.13",
    ),
    (
        node_class(ami_family="Windows2025"),
        "1.8.8",
        "1.9.0",
        "`node_classes['spot'].ami_family`: 'Windows2025' needs Karpenter 1.9.0 or later, version is 1.8.8",
    ),
    (
        node_class(associate_public_ip_address=False),
        "0.34.13",
        "0.35.0",
        "`node_classes['spot'].associate_public_ip_address`: needs Karpenter 0.35.0 or later, version is "
        "0.34.13",
    ),
    (
        node_class(instance_store_policy="RAID0"),
        "0.33.12",
        "0.34.0",
        "`node_classes['spot'].instance_store_policy`: needs Karpenter 0.34.0 or later, version is 0.33.12",
    ),
    (
        node_class(
            block_device_mappings=[
                {"device_name": "/dev/xvda", "ebs": {"volume_size": "1Gi"}, "root_volume": True}
            ]
        ),
        "0.31.5",
        "0.32.0",
        "`node_classes['spot'].block_device_mappings[0].root_volume`: needs Karpenter 0.32.0 or later, "
        "version is 0.31.5",
    ),
    (
        node_class(capacity_reservation_selector_terms=[{"id": "cr-1"}]),
        "1.2.8",
        "1.3.0",
        "`node_classes['spot'].capacity_reservation_selector_terms`: needs Karpenter 1.3.0 or later, version "
        "is 1.2.8",
    ),
    (
        node_class(ami_family="AL2023", ami_selector_terms=[{"ssm_parameter": "/images/nodes"}]),
        "1.3.8",
        "1.4.0",
        "`node_classes['spot'].ami_selector_terms[0].ssm_parameter`: needs Karpenter 1.4.0 or later, version "
        "is 1.3.8",
    ),
    (
        node_class(
            block_device_mappings=[
                {
                    "device_name": "/dev/xvda",
                    "ebs": {"snapshot_id": "snap-1", "volume_initialization_rate": 200},
                }
            ]
        ),
        "1.4.4",
        "1.5.0",
        "`node_classes['spot'].block_device_mappings[0].ebs.volume_initialization_rate`: needs Karpenter "
        "1.5.0 or later, version is 1.4.4",
    ),
    (
        node_class(ip_prefix_count=0),
        "1.7.6",
        "1.8.0",
        "`node_classes['spot'].ip_prefix_count`: needs Karpenter 1.8.0 or later, version is 1.7.6",
    ),
    (
        node_class(capacity_reservation_selector_terms=[{"instance_match_criteria": "open"}]),
        "1.7.6",
        "1.8.0",
        "`node_classes['spot'].capacity_reservation_selector_terms[0].instance_match_criteria`: needs "
        "Karpenter 1.8.0 or later, version is 1.7.6",
    ),
    (
        node_class(placement_group_selector={"name": "rack"}),
        "1.10.2",
        "1.11.0",
        "`node_classes['spot'].placement_group_selector`: needs Karpenter 1.11.0 or later, version is 1.10.2",
    ),
    (
        node_class(
            network_interfaces=[{"network_card_index": 0, "device_index": 0, "interface_type": "interface"}]
        ),
        "1.10.2",
        "1.11.0",
        "`node_classes['spot'].network_interfaces`: needs Karpenter 1.11.0 or later, version is 1.10.2",
    ),
    (
        node_class(connection_tracking={"udp_timeout": 30}),
        "1.12.2",
        "1.13.0",
        "`node_classes['spot'].connection_tracking`: needs Karpenter 1.13.0 or later, version is 1.12.2",
    ),
    (
        node_class(cpu_options={"nested_virtualization": "enabled"}),
        "1.12.2",
        "1.13.0",
        "`node_classes['spot'].cpu_options`: needs Karpenter 1.13.0 or later, version is 1.12.2",
    ),
    (
        NodeOverlay(name="cheap", price="0.1"),
        "1.6.8",
        "1.7.0",
        "`node_overlays['cheap']`: needs Karpenter 1.7.0 or later, version is 1.6.8",
    ),
    (
        NodeOverlay(name="cheap", requirements=[Gte("example.com/size", 4)]),
        "1.8.8",
        "1.9.0",
        "`node_overlays['cheap'].requirements[0].operator`: 'Gte' needs Karpenter 1.9.0 or later, version is "
        "1.8.8",
    ),
]

BUFFER = CapacityBuffer(name="room", pod_template_ref={"name": "chunk"}, replicas=1)


@pytest.mark.parametrize(("model", "last", "first", "line"), NEEDS, ids=[row[3] for row in NEEDS])
def test_fails_up_to_the_release_before_and_passes_from_the_first(model, last, first, line):
    assert lines(model, last)[0] == line
    assert lines(model, first) == []


def test_fails_to_buffer_before_its_release():
    # A buffer's other mistakes are of no interest to a release without buffers, but are said all the same.
    assert lines(BUFFER, "1.13.1") == [
        "`capacity_buffers['room']`: needs Karpenter 1.14.0 or later, version is 1.13.1"
    ]
    assert lines(BUFFER, "1.14.0") == []


@pytest.mark.parametrize("last", ["0.30.0", "0.31.5", "0.32.0", "0.37.8"])
def test_ubuntu_passes_before_1_0(last):
    model = node_class(ami_family="Ubuntu")
    assert lines(model, last) == []
    assert lines(model, "1.0.0") == [
        "`node_classes['spot'].ami_family`: 'Ubuntu' was removed in Karpenter 1.0.0, version is 1.0.0"
    ]


def test_instance_profiles_pass_before_node_classes_forgot_them():
    assert lines(node_class(instance_profile="nodes"), "0.31.5") == []
    assert lines(node_class(instance_profile="nodes"), "0.32.0") == [
        "`node_classes['spot'].instance_profile`: needs Karpenter 0.32.2 or later, version is 0.32.0"
    ]


@pytest.mark.parametrize("version", ["0.30.0", "0.32.0", "0.34.0", "1.0.0", "1.14.1"])
@pytest.mark.parametrize(
    "model",
    [
        pool(),
        pool(disruption={"consolidate_after": "Never", "consolidation_policy": "WhenEmptyOrUnderutilized"}),
        pool(disruption={"consolidate_after": "0s", "budgets": None}, termination_grace_period=None),
        node_class(),
        node_class(capacity_reservation_selector_terms=None, metadata_options={}),
    ],
)
def test_what_is_left_at_its_default_passes_in_every_release(model, version):
    assert lines(model, version) == []


def test_a_release_candidate_knows_what_its_release_knows():
    assert lines(disrupted(budgets=[{}]), "0.34.0-rc.0") == []


@pytest.mark.parametrize("version", ["0.30.0-rc.0", "0.31.5"])
def test_fails_to_wait_beside_consolidation_before_0_32(version):
    assert lines(pool(disruption={"consolidate_after": "30s"}), version) == [
        "`node_pools['batch'].disruption.consolidate_after`: becomes ttlSecondsAfterEmpty, which Karpenter's webhook "
        "refuses beside consolidation.enabled before 0.32, got '30s'; write '0s' for the old behaviour, or 'Never' to "
        "turn consolidation off"
    ]


@pytest.mark.parametrize("version", ["0.32.0", "0.37.8"])
@pytest.mark.parametrize("wait", ["30s", "1h30m"])
def test_fails_to_wait_beside_underutilisation_before_1_0(wait, version):
    model = pool(disruption={"consolidate_after": wait})
    assert lines(model, version) == [
        "`node_pools['batch'].disruption.consolidate_after`: consolidateAfter cannot be combined with "
        f"consolidationPolicy=WhenUnderutilized before 1.0, got {wait!r}; write '0s' for the old behaviour, "
        f"or "
        "'Never' to turn consolidation off"
    ]
    assert lines(model, "1.0.0") == []


@pytest.mark.parametrize("wait", ["0s", "0h0m", "Never", "${Token[Wait.1]}"])
def test_the_old_behaviour_passes_before_1_0(wait):
    assert lines(pool(disruption={"consolidate_after": wait}), "0.30.0") == []


def test_waiting_for_empty_nodes_passes_before_1_0():
    model = pool(disruption={"consolidate_after": "30s", "consolidation_policy": "WhenEmpty"})
    assert lines(model, "0.30.0") == []


@pytest.mark.parametrize(
    ("version", "needs"),
    [("0.34.0", "0.34.5"), ("0.34.3", "0.34.5"), ("0.35.0", "0.35.4"), ("0.35.2", "0.35.4")],
)
def test_fails_on_hours_and_minutes_where_a_budget_takes_one_unit(version, needs):
    model = disrupted(budgets=[{"schedule": "@daily", "duration": "8h30m"}])
    assert lines(model, version) == [
        f"`node_pools['batch'].disruption.budgets[0].duration`: hours and minutes together needs Karpenter "
        f"{needs} or later, version is {version}, got '8h30m'"
    ]


@pytest.mark.parametrize("version", ["0.34.5", "0.34.13", "0.35.4", "0.36.0", "1.14.1"])
def test_hours_and_minutes_pass_in_a_budget(version):
    assert lines(disrupted(budgets=[{"schedule": "@daily", "duration": "8h30m"}]), version) == []


@pytest.mark.parametrize("version", ["0.34.0", "0.35.2"])
def test_one_unit_passes_in_every_budget(version):
    assert lines(disrupted(budgets=[{"schedule": "@daily", "duration": "30m"}]), version) == []


THIRTY_ONE = pool(requirements=[In(f"example.com/l{index}", "x") for index in range(31)])
HUNDRED_AND_ONE = pool(
    requirements=[In(f"example.com/r{index}", "x") for index in range(60)],
    labels={f"example.com/l{index}": "x" for index in range(41)},
)


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("0.33.5", "0.33.6"),
        ("0.34.6", "0.34.7"),
        ("0.35.5", "0.35.6"),
        ("0.36.2", "0.36.3"),
        ("0.37.0", "0.37.1"),
    ],
)
def test_fails_on_more_than_thirty_requirements_where_the_crd_takes_thirty(last, first):
    assert lines(THIRTY_ONE, last) == [
        "`node_pools['batch'].requirements`: must have at most 30 items, has 31; more needs Karpenter "
        f"{first} or later, version is {last}"
    ]
    assert lines(THIRTY_ONE, first) == []


@pytest.mark.parametrize("version", ["0.30.0", "0.31.5", "1.0.0"])
def test_thirty_one_requirements_pass(version):
    assert lines(THIRTY_ONE, version) == []


@pytest.mark.parametrize("version", ["0.37.1", "1.0.0", "1.14.1"])
def test_fails_on_more_than_a_hundred_requirements_and_labels(version):
    assert lines(HUNDRED_AND_ONE, version) == [
        "`node_pools['batch'].requirements`: requirements and labels must be at most 100 together, there are "
        "60 and 41; drop some"
    ]


def test_a_provisioner_has_no_limit_of_requirements():
    assert lines(HUNDRED_AND_ONE, "0.31.5") == []
