"""Node pools and classes as v1beta1 has them, Karpenter 0.32 to 0.37."""

from __future__ import annotations

import pytest

from karpenter_construct._dialects import dialect
from karpenter_construct.block_devices import BlockDevice, BlockDeviceMapping
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import EC2NodeClass, MetadataOptions
from karpenter_construct.node_pool import Budget, Disruption, NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import CAPACITY_TYPE, INSTANCE_FAMILY, In

WORDS = dialect(KarpenterVersion.parse("0.37.8"))
CLASS = EC2NodeClass(name="default")
METADATA_OPTIONS = {
    "httpEndpoint": "enabled",
    "httpProtocolIPv6": "disabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}


def test_a_pool_that_says_nothing_means_what_it_means_in_v1():
    assert WORDS.node_pool(NodePool(name="default"), CLASS) == {
        "apiVersion": "karpenter.sh/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "default"},
        "spec": {
            "template": {
                "spec": {
                    "nodeClassRef": {
                        "apiVersion": "karpenter.k8s.aws/v1beta1",
                        "kind": "EC2NodeClass",
                        "name": "default",
                    },
                    "requirements": [],
                },
            },
            "disruption": {"consolidationPolicy": "WhenUnderutilized", "expireAfter": "720h"},
            "limits": {"cpu": 1000},
        },
    }


def test_a_pool_that_says_everything():
    pool = NodePool(
        name="batch",
        requirements=[In(CAPACITY_TYPE, "spot"), In(INSTANCE_FAMILY, "c5", "m5", min_values=2)],
        labels={"team": "a"},
        annotations={"example.com/owner": "b"},
        taints=[Taint(key="dedicated", value="batch", effect="NoSchedule")],
        startup_taints=[Taint(key="ebs.csi.aws.com/agent-not-ready", effect="NoExecute")],
        expire_after="Never",
        disruption=Disruption(
            consolidation_policy="WhenEmpty",
            consolidate_after="30s",
            budgets=[Budget(nodes="0", schedule="@daily", duration="8h")],
        ),
        limits={"cpu": "100"},
        weight=10,
        kubelet=Kubelet(max_pods=20),
    )
    spec = WORDS.node_pool(pool, EC2NodeClass(name="spot"))["spec"]
    assert list(spec) == ["template", "disruption", "limits", "weight"]
    assert list(spec["template"].items()) == [
        ("metadata", {"labels": {"team": "a"}, "annotations": {"example.com/owner": "b"}}),
        (
            "spec",
            {
                "nodeClassRef": {
                    "apiVersion": "karpenter.k8s.aws/v1beta1",
                    "kind": "EC2NodeClass",
                    "name": "spot",
                },
                "taints": [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}],
                "startupTaints": [{"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}],
                "requirements": [
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
                    {
                        "key": "karpenter.k8s.aws/instance-family",
                        "operator": "In",
                        "values": ["c5", "m5"],
                        "minValues": 2,
                    },
                ],
                "kubelet": {"maxPods": 20},
            },
        ),
    ]
    assert list(spec["template"]["spec"]) == [
        "nodeClassRef",
        "taints",
        "startupTaints",
        "requirements",
        "kubelet",
    ]
    assert list(spec["disruption"].items()) == [
        ("consolidationPolicy", "WhenEmpty"),
        ("consolidateAfter", "30s"),
        ("expireAfter", "Never"),
        ("budgets", [{"nodes": "0", "schedule": "@daily", "duration": "8h"}]),
    ]
    assert (spec["limits"], spec["weight"]) == ({"cpu": "100"}, 10)


@pytest.mark.parametrize(
    ("policy", "after", "said"),
    [
        ("WhenEmptyOrUnderutilized", "0s", {"consolidationPolicy": "WhenUnderutilized"}),
        (
            "WhenEmptyOrUnderutilized",
            "Never",
            {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never"},
        ),
        ("WhenEmpty", "Never", {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never"}),
        ("WhenEmpty", "0s", {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "0s"}),
        (
            "WhenEmptyOrUnderutilized",
            "${Token[TOKEN.1]}",
            {"consolidationPolicy": "WhenUnderutilized", "consolidateAfter": "${Token[TOKEN.1]}"},
        ),
    ],
)
def test_consolidation(policy, after, said):
    pool = NodePool(name="a", disruption=Disruption(consolidation_policy=policy, consolidate_after=after))
    assert WORDS.node_pool(pool, CLASS)["spec"]["disruption"] == {**said, "expireAfter": "720h"}


def test_no_budget_at_all_differs_from_saying_nothing():
    pool = NodePool(name="a", disruption=Disruption(consolidate_after="0s", budgets=[]))
    assert WORDS.node_pool(pool, CLASS)["spec"]["disruption"]["budgets"] == []


@pytest.mark.parametrize(
    ("of_pool", "of_class", "said"),
    [
        (None, None, None),
        (None, Kubelet(max_pods=20), {"maxPods": 20}),
        (Kubelet(max_pods=30), None, {"maxPods": 30}),
        (Kubelet(max_pods=30), Kubelet(max_pods=20, pods_per_core=2), {"maxPods": 30}),
    ],
)
def test_the_kubelet_lives_in_the_pool(of_pool, of_class, said):
    node_class = EC2NodeClass(name="a", kubelet=of_class)
    pool = WORDS.node_pool(NodePool(name="a", kubelet=of_pool), node_class)
    assert pool["spec"]["template"]["spec"].get("kubelet") == said
    assert "kubelet" not in WORDS.node_class(node_class)["spec"]


def test_a_class_that_says_everything():
    node_class = EC2NodeClass(
        name="spot",
        ami_selector_terms=[{"name": "mine-*", "owner": "self"}, {"tags": {"a": "b"}}],
        ami_family="AL2023",
        subnet_selector_terms=[{"tags": {"karpenter.sh/discovery": "demo"}}, {"id": "subnet-1"}],
        security_group_selector_terms=[{"name": "nodes"}],
        role="nodes",
        user_data="echo",
        tags={"team": "a"},
        metadata_options=MetadataOptions(http_tokens="optional"),
        block_device_mappings=[
            BlockDeviceMapping(device_name="/dev/xvda", ebs=BlockDevice(volume_size="20Gi"), root_volume=True)
        ],
        instance_store_policy="RAID0",
        detailed_monitoring=True,
        associate_public_ip_address=False,
        context="c-1",
    )
    manifest = WORDS.node_class(node_class)
    assert manifest["metadata"] == {"name": "spot"}
    assert list(manifest["spec"].items()) == [
        ("amiFamily", "AL2023"),
        ("subnetSelectorTerms", [{"tags": {"karpenter.sh/discovery": "demo"}}, {"id": "subnet-1"}]),
        ("securityGroupSelectorTerms", [{"name": "nodes"}]),
        ("amiSelectorTerms", [{"name": "mine-*", "owner": "self"}, {"tags": {"a": "b"}}]),
        ("role", "nodes"),
        ("userData", "echo"),
        ("tags", {"team": "a"}),
        ("metadataOptions", {**METADATA_OPTIONS, "httpTokens": "optional"}),
        (
            "blockDeviceMappings",
            [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "20Gi"}, "rootVolume": True}],
        ),
        ("instanceStorePolicy", "RAID0"),
        ("detailedMonitoring", True),
        ("associatePublicIPAddress", False),
        ("context", "c-1"),
    ]


@pytest.mark.parametrize(
    ("fields", "family"),
    [
        ({"ami": "al2023@latest"}, "AL2023"),
        ({"ami_selector_terms": [{"alias": "windows2022@latest"}]}, "Windows2022"),
        ({"ami_family": "Ubuntu"}, "Ubuntu"),
    ],
)
def test_an_alias_is_said_as_its_family_and_the_hop_limit_is_that_of_v1(fields, family):
    node_class = EC2NodeClass(name="a", instance_profile="nodes", **fields)
    assert WORDS.node_class(node_class)["spec"] == {
        "amiFamily": family,
        "instanceProfile": "nodes",
        "metadataOptions": METADATA_OPTIONS,
    }
