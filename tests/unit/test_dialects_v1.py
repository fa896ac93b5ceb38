"""Node pools, classes, overlays and buffers as v1 has them, Karpenter 1.0 and later."""

from __future__ import annotations

import pytest

from karpenter_construct._dialects import dialect
from karpenter_construct.block_devices import BlockDevice, BlockDeviceMapping
from karpenter_construct.capacity_buffer import CapacityBuffer, PodTemplateRef, ScalableRef
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import (
    ConnectionTracking,
    CPUOptions,
    EC2NodeClass,
    MetadataOptions,
    NetworkInterface,
)
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import Budget, Disruption, NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import CAPACITY_TYPE, INSTANCE_CPU, INSTANCE_FAMILY, Exists, Gte, In
from karpenter_construct.selector_terms import PlacementGroupSelector

WORDS = dialect(KarpenterVersion.parse("1.14.1"))
CLASS = EC2NodeClass(name="default")
CLASS_REF = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}


def test_a_pool_that_says_nothing_says_what_it_means():
    assert WORDS.node_pool(NodePool(name="default"), CLASS) == {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "default"},
        "spec": {
            "template": {"spec": {"nodeClassRef": CLASS_REF, "expireAfter": "720h", "requirements": []}},
            "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
            "limits": {"cpu": 1000},
        },
    }


def test_a_pool_that_says_everything():
    pool = NodePool(
        name="batch",
        requirements=[In(CAPACITY_TYPE, "spot"), Exists(INSTANCE_FAMILY, min_values=2), Gte(INSTANCE_CPU, 4)],
        labels={"team": "a"},
        annotations={"example.com/owner": "b"},
        taints=[Taint(key="dedicated", value="batch", effect="NoSchedule")],
        startup_taints=[Taint(key="ebs.csi.aws.com/agent-not-ready", effect="NoExecute")],
        expire_after="Never",
        termination_grace_period="1h",
        disruption=Disruption(
            consolidation_policy="Balanced",
            consolidate_after="1m",
            budgets=[
                Budget(nodes="0", reasons=["Drifted", "Empty"], schedule="@daily", duration="8h"),
                Budget(),
            ],
        ),
        limits={"cpu": "100", "memory": "1Ti"},
        weight=10,
        kubelet=Kubelet(max_pods=20),
    )
    manifest = WORDS.node_pool(pool, CLASS)
    assert list(manifest["spec"].items()) == [
        (
            "template",
            {
                "metadata": {"labels": {"team": "a"}, "annotations": {"example.com/owner": "b"}},
                "spec": {
                    "nodeClassRef": CLASS_REF,
                    "taints": [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}],
                    "startupTaints": [{"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}],
                    "expireAfter": "Never",
                    "terminationGracePeriod": "1h",
                    "requirements": [
                        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
                        {"key": "karpenter.k8s.aws/instance-family", "operator": "Exists", "minValues": 2},
                        {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gte", "values": ["4"]},
                    ],
                },
            },
        ),
        (
            "disruption",
            {
                "consolidationPolicy": "Balanced",
                "consolidateAfter": "1m",
                "budgets": [
                    {"nodes": "0", "reasons": ["Drifted", "Empty"], "schedule": "@daily", "duration": "8h"},
                    {"nodes": "10%"},
                ],
            },
        ),
        ("limits", {"cpu": "100", "memory": "1Ti"}),
        ("weight", 10),
    ]
    assert list(manifest["spec"]["template"]["spec"]) == [
        "nodeClassRef",
        "taints",
        "startupTaints",
        "expireAfter",
        "terminationGracePeriod",
        "requirements",
    ]


@pytest.mark.parametrize("replicas", [0, 3])
def test_a_static_pool(replicas):
    spec = WORDS.node_pool(NodePool(name="a", replicas=replicas), CLASS)["spec"]
    assert list(spec) == ["replicas", "template", "disruption"]
    assert spec["replicas"] == replicas


def test_no_budget_and_no_reason_differ_from_saying_nothing():
    without = NodePool(name="a", disruption=Disruption(consolidate_after="0s", budgets=[]))
    assert WORDS.node_pool(without, CLASS)["spec"]["disruption"]["budgets"] == []
    unreasoned = NodePool(
        name="a", disruption=Disruption(consolidate_after="0s", budgets=[Budget(reasons=[])])
    )
    assert WORDS.node_pool(unreasoned, CLASS)["spec"]["disruption"]["budgets"] == [
        {"nodes": "10%", "reasons": []}
    ]


def test_a_class_that_says_everything():
    node_class = EC2NodeClass(
        name="spot",
        ami="al2023@v20260810",
        ami_family="Custom",
        subnet_selector_terms=[{"tags": {"karpenter.sh/discovery": "demo"}}, {"id": "subnet-1"}],
        security_group_selector_terms=[{"name": "nodes"}],
        capacity_reservation_selector_terms=[{"owner_id": "123456789012", "instance_match_criteria": "open"}],
        placement_group_selector=PlacementGroupSelector(name="close"),
        role="nodes",
        user_data="echo",
        tags={"team": "a"},
        kubelet=Kubelet(max_pods=20),
        metadata_options=MetadataOptions(http_tokens="optional"),
        block_device_mappings=[
            BlockDeviceMapping(
                device_name="/dev/xvda",
                ebs=BlockDevice(
                    snapshot_id="snap-1", volume_initialization_rate=100, kms_key_id="alias/a", iops=3000
                ),
            )
        ],
        instance_store_policy="RAID0",
        detailed_monitoring=True,
        associate_public_ip_address=False,
        ip_prefix_count=1,
        network_interfaces=[
            NetworkInterface(network_card_index=0, device_index=0, interface_type="interface")
        ],
        connection_tracking=ConnectionTracking(udp_timeout=30),
        cpu_options=CPUOptions(nested_virtualization="enabled"),
        context="c-1",
    )
    manifest = WORDS.node_class(node_class)
    assert (manifest["apiVersion"], manifest["kind"]) == ("karpenter.k8s.aws/v1", "EC2NodeClass")
    assert manifest["metadata"] == {"name": "spot"}
    assert list(manifest["spec"].items()) == [
        ("amiFamily", "Custom"),
        ("subnetSelectorTerms", [{"tags": {"karpenter.sh/discovery": "demo"}}, {"id": "subnet-1"}]),
        ("securityGroupSelectorTerms", [{"name": "nodes"}]),
        ("amiSelectorTerms", [{"alias": "al2023@v20260810"}]),
        ("capacityReservationSelectorTerms", [{"ownerID": "123456789012", "instanceMatchCriteria": "open"}]),
        ("placementGroupSelector", {"name": "close"}),
        ("role", "nodes"),
        ("userData", "echo"),
        ("tags", {"team": "a"}),
        ("kubelet", {"maxPods": 20}),
        (
            "metadataOptions",
            {
                "httpEndpoint": "enabled",
                "httpProtocolIPv6": "disabled",
                "httpPutResponseHopLimit": 1,
                "httpTokens": "optional",
            },
        ),
        (
            "blockDeviceMappings",
            [
                {
                    "deviceName": "/dev/xvda",
                    "ebs": {
                        "snapshotID": "snap-1",
                        "iops": 3000,
                        "volumeInitializationRate": 100,
                        "kmsKeyID": "alias/a",
                    },
                }
            ],
        ),
        ("instanceStorePolicy", "RAID0"),
        ("detailedMonitoring", True),
        ("associatePublicIPAddress", False),
        ("ipPrefixCount", 1),
        ("networkInterfaces", [{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}]),
        ("connectionTracking", {"udpTimeout": 30}),
        ("cpuOptions", {"nestedVirtualization": "enabled"}),
        ("context", "c-1"),
    ]


def test_a_class_that_says_little_leaves_the_metadata_service_to_the_api():
    assert WORDS.node_class(EC2NodeClass(name="a", ami="al2023@latest", role="nodes"))["spec"] == {
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "role": "nodes",
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"ami_family": "Bottlerocket"},
            {"amiFamily": "Bottlerocket", "amiSelectorTerms": [{"alias": "bottlerocket@latest"}]},
        ),
        (
            {"ami_family": "AL2023", "ami_selector_terms": [{"ssm_parameter": "/mine"}]},
            {"amiFamily": "AL2023", "amiSelectorTerms": [{"ssmParameter": "/mine"}]},
        ),
        (
            {"ami_selector_terms": [{"alias": "windows2025@latest"}]},
            {"amiSelectorTerms": [{"alias": "windows2025@latest"}]},
        ),
    ],
)
def test_images(fields, said):
    assert WORDS.node_class(EC2NodeClass(name="a", **fields))["spec"] == said


def test_a_node_overlay():
    overlay = NodeOverlay(
        name="cheap",
        requirements=[In(INSTANCE_FAMILY, "m5")],
        price_adjustment="-15%",
        capacity={"smarter-devices/fuse": 1},
        weight=10,
    )
    assert WORDS.node_overlay(overlay) == {
        "apiVersion": "karpenter.sh/v1alpha1",
        "kind": "NodeOverlay",
        "metadata": {"name": "cheap"},
        "spec": {
            "requirements": [
                {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["m5"]}
            ],
            "priceAdjustment": "-15%",
            "capacity": {"smarter-devices/fuse": 1},
            "weight": 10,
        },
    }


def test_the_first_release_with_node_overlays_writes_them():
    manifest = dialect(KarpenterVersion.parse("1.7.0")).node_overlay(NodeOverlay(name="a", price="0.25"))
    assert manifest["spec"] == {"requirements": [], "price": "0.25"}


@pytest.mark.parametrize(
    ("fields", "spec"),
    [
        (
            {"pod_template_ref": PodTemplateRef(name="chunk"), "replicas": 2},
            {"podTemplateRef": {"name": "chunk"}, "replicas": 2},
        ),
        (
            {"scalable_ref": ScalableRef(api_group="apps", kind="Deployment", name="web"), "percentage": 20},
            {"scalableRef": {"apiGroup": "apps", "kind": "Deployment", "name": "web"}, "percentage": 20},
        ),
    ],
)
def test_a_capacity_buffer_has_a_namespace(fields, spec):
    assert WORDS.capacity_buffer(CapacityBuffer(name="room", namespace="shop", **fields)) == {
        "apiVersion": "autoscaling.x-k8s.io/v1beta1",
        "kind": "CapacityBuffer",
        "metadata": {"name": "room", "namespace": "shop"},
        "spec": {**spec, "provisioningStrategy": "buffer.x-k8s.io/active-capacity"},
    }
