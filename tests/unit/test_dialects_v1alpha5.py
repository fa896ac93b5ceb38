"""Provisioners and node templates, Karpenter 0.30 and 0.31."""

from __future__ import annotations

import pytest

from karpenter_construct._dialects import dialect
from karpenter_construct.block_devices import BlockDevice, BlockDeviceMapping
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import EC2NodeClass, MetadataOptions
from karpenter_construct.node_pool import Disruption, NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_CPU,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_TYPE,
    OS,
    Exists,
    Gt,
    In,
    NotIn,
)

WORDS = dialect(KarpenterVersion.parse("0.31.5"))
CLASS = EC2NodeClass(name="default")


def spec_of(pool: NodePool, node_class: EC2NodeClass = CLASS) -> dict:
    return WORDS.node_pool(pool, node_class)["spec"]


def template(**fields: object) -> dict:
    return WORDS.node_class(EC2NodeClass(name="default", **fields))["spec"]


def test_a_pool_that_says_nothing_means_what_it_means_in_v1():
    assert WORDS.node_pool(NodePool(name="default"), CLASS) == {
        "apiVersion": "karpenter.sh/v1alpha5",
        "kind": "Provisioner",
        "metadata": {"name": "default"},
        "spec": {
            "providerRef": {"name": "default"},
            "requirements": [
                {"key": "kubernetes.io/os", "operator": "Exists"},
                {"key": "kubernetes.io/arch", "operator": "Exists"},
                {"key": "karpenter.sh/capacity-type", "operator": "Exists"},
                {"key": "node.kubernetes.io/instance-type", "operator": "Exists"},
            ],
            "limits": {"resources": {"cpu": 1000}},
            "consolidation": {"enabled": True},
            "ttlSecondsUntilExpired": 2592000,
        },
    }


def test_a_pool_that_says_everything():
    pool = NodePool(
        name="batch",
        node_class="spot",
        requirements=[
            In(CAPACITY_TYPE, "spot"),
            In(INSTANCE_CATEGORY, "c", "m"),
            Gt(INSTANCE_GENERATION, 5),
            NotIn(ARCH, "arm64"),
            In(OS, "linux", "windows"),
        ],
        labels={"team": "a"},
        annotations={"example.com/owner": "b"},
        taints=[Taint(key="dedicated", value="batch", effect="NoSchedule")],
        startup_taints=[Taint(key="ebs.csi.aws.com/agent-not-ready", effect="NoExecute")],
        expire_after="1h",
        disruption=Disruption(consolidation_policy="WhenEmpty", consolidate_after="1m30s"),
        limits={"cpu": "100", "memory": "1Ti"},
        weight=10,
        kubelet=Kubelet(max_pods=20, kube_reserved={"cpu": "100m"}),
    )
    manifest = WORDS.node_pool(pool, EC2NodeClass(name="spot"))
    assert manifest["metadata"] == {"name": "batch"}
    assert list(manifest["spec"].items()) == [
        ("providerRef", {"name": "spot"}),
        ("taints", [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]),
        ("startupTaints", [{"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}]),
        ("labels", {"team": "a"}),
        ("annotations", {"example.com/owner": "b"}),
        (
            "requirements",
            [
                {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
                {"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["c", "m"]},
                {"key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["5"]},
                {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["arm64"]},
                {"key": "kubernetes.io/os", "operator": "In", "values": ["linux", "windows"]},
            ],
        ),
        ("kubeletConfiguration", {"maxPods": 20, "kubeReserved": {"cpu": "100m"}}),
        ("limits", {"resources": {"cpu": "100", "memory": "1Ti"}}),
        ("ttlSecondsAfterEmpty", 90),
        ("ttlSecondsUntilExpired", 3600),
        ("weight", 10),
    ]


@pytest.mark.parametrize(
    ("policy", "after", "said"),
    [
        ("WhenEmptyOrUnderutilized", "0s", {"consolidation": {"enabled": True}}),
        ("WhenEmptyOrUnderutilized", "Never", {}),
        ("WhenEmpty", "Never", {}),
        ("WhenEmpty", "0s", {"ttlSecondsAfterEmpty": 0}),
        ("WhenEmpty", "30m", {"ttlSecondsAfterEmpty": 1800}),
    ],
)
def test_consolidation(policy, after, said):
    disruption = Disruption(consolidation_policy=policy, consolidate_after=after)
    spec = spec_of(NodePool(name="a", disruption=disruption))
    assert {key: spec[key] for key in ("consolidation", "ttlSecondsAfterEmpty") if key in spec} == said


def test_nodes_that_never_expire_have_no_time_to_live():
    assert "ttlSecondsUntilExpired" not in spec_of(NodePool(name="a", expire_after="Never"))


def test_no_limits_are_left_out():
    assert "limits" not in spec_of(NodePool(name="a", limits=None))


ANY_OS = {"key": "kubernetes.io/os", "operator": "Exists"}
ANY_ARCH = {"key": "kubernetes.io/arch", "operator": "Exists"}
ANY_CAPACITY = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
ANY_TYPE = {"key": "node.kubernetes.io/instance-type", "operator": "Exists"}


@pytest.mark.parametrize(
    ("required", "added"),
    [
        pytest.param(In(OS, "windows"), [ANY_ARCH, ANY_CAPACITY, ANY_TYPE], id="os"),
        pytest.param(In(ARCH, "arm64"), [ANY_OS, ANY_CAPACITY, ANY_TYPE], id="architecture"),
        pytest.param(NotIn(CAPACITY_TYPE, "spot"), [ANY_OS, ANY_ARCH, ANY_TYPE], id="capacity type"),
        pytest.param(In(INSTANCE_TYPE, "m5.large"), [ANY_OS, ANY_ARCH, ANY_CAPACITY], id="instance type"),
        pytest.param(In(INSTANCE_FAMILY, "m5"), [ANY_OS, ANY_ARCH, ANY_CAPACITY], id="family"),
        pytest.param(Exists(INSTANCE_CATEGORY), [ANY_OS, ANY_ARCH, ANY_CAPACITY], id="category"),
        pytest.param(Gt(INSTANCE_GENERATION, 2), [ANY_OS, ANY_ARCH, ANY_CAPACITY], id="generation"),
        pytest.param(
            In(INSTANCE_CPU, 4), [ANY_OS, ANY_ARCH, ANY_CAPACITY, ANY_TYPE], id="what has no default"
        ),
    ],
)
def test_what_the_webhook_would_narrow_is_said_to_be_open(required, added):
    pool = NodePool(name="a", requirements=[required])
    assert spec_of(pool)["requirements"][1:] == added


WEBHOOKS_OWN = [In(OS, "linux"), In(ARCH, "amd64"), In(CAPACITY_TYPE, "on-demand")]


def test_what_the_webhook_adds_itself_is_left_to_it():
    pool = NodePool(name="a", requirements=[*WEBHOOKS_OWN, In(INSTANCE_FAMILY, "t3")])
    assert spec_of(pool)["requirements"] == [
        {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["t3"]}
    ]


def test_the_webhook_adds_nothing_beside_another_requirement_on_the_label():
    pool = NodePool(name="a", requirements=[In(ARCH, "amd64"), Exists(ARCH), In(INSTANCE_FAMILY, "t3")])
    assert spec_of(pool)["requirements"][:2] == [
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
        {"key": "kubernetes.io/arch", "operator": "Exists"},
    ]


def test_metadata_options_that_are_the_releases_own_are_left_to_it():
    assert "metadataOptions" not in template(metadata_options=MetadataOptions(http_put_response_hop_limit=2))


def test_the_kubelet_of_the_class_is_said_in_the_pool():
    node_class = EC2NodeClass(name="a", kubelet=Kubelet(max_pods=20))
    assert spec_of(NodePool(name="a"), node_class)["kubeletConfiguration"] == {"maxPods": 20}


def test_the_kubelet_of_the_pool_comes_before_that_of_the_class():
    node_class = EC2NodeClass(name="a", kubelet=Kubelet(max_pods=20))
    pool = NodePool(name="a", kubelet=Kubelet(max_pods=30))
    assert spec_of(pool, node_class)["kubeletConfiguration"] == {"maxPods": 30}


def test_a_node_template_that_says_everything():
    node_class = EC2NodeClass(
        name="spot",
        ami="bottlerocket@latest",
        subnet_selector_terms=[{"tags": {"karpenter.sh/discovery": "demo", "tier": "*"}}],
        security_group_selector_terms=[{"id": "sg-1"}, {"id": "sg-2"}],
        instance_profile="nodes",
        user_data="[settings]",
        tags={"team": "a"},
        metadata_options=MetadataOptions(http_put_response_hop_limit=3),
        block_device_mappings=[
            BlockDeviceMapping(device_name="/dev/xvdb", ebs=BlockDevice(volume_size="20Gi", encrypted=True))
        ],
        detailed_monitoring=True,
        context="c-1",
    )
    assert list(WORDS.node_class(node_class)["spec"].items()) == [
        ("subnetSelector", {"karpenter.sh/discovery": "demo", "tier": "*"}),
        ("securityGroupSelector", {"aws-ids": "sg-1,sg-2"}),
        ("instanceProfile", "nodes"),
        ("amiFamily", "Bottlerocket"),
        ("userData", "[settings]"),
        ("tags", {"team": "a"}),
        (
            "metadataOptions",
            {
                "httpEndpoint": "enabled",
                "httpProtocolIPv6": "disabled",
                "httpPutResponseHopLimit": 3,
                "httpTokens": "required",
            },
        ),
        (
            "blockDeviceMappings",
            [{"deviceName": "/dev/xvdb", "ebs": {"volumeSize": "20Gi", "encrypted": True}}],
        ),
        ("detailedMonitoring", True),
        ("context", "c-1"),
    ]


def test_a_node_template_that_says_little_has_the_metadata_service_of_v1():
    assert template(ami="al2@latest", role="nodes") == {
        "amiFamily": "AL2",
        "metadataOptions": {
            "httpEndpoint": "enabled",
            "httpProtocolIPv6": "disabled",
            "httpPutResponseHopLimit": 1,
            "httpTokens": "required",
        },
    }


@pytest.mark.parametrize(
    ("terms", "selector"),
    [
        ([{"id": "ami-1"}], {"aws::ids": "ami-1"}),
        ([{"id": "ami-1"}, {"id": "ami-2"}], {"aws::ids": "ami-1,ami-2"}),
        ([{"name": "mine-*"}], {"aws::name": "mine-*"}),
        ([{"name": "mine-*", "owner": "self"}], {"aws::name": "mine-*", "aws::owners": "self"}),
        ([{"tags": {"a": "b"}, "owner": "amazon"}], {"aws::owners": "amazon", "a": "b"}),
    ],
)
def test_ami_selectors(terms, selector):
    assert template(ami_selector_terms=terms, ami_family="Custom")["amiSelector"] == selector


@pytest.mark.parametrize(
    "fields", [{"ami_family": "Ubuntu"}, {"ami_selector_terms": [{"alias": "al2@latest"}]}]
)
def test_a_family_needs_no_ami_selector(fields):
    assert "amiSelector" not in template(**fields)
    assert template(**fields)["amiFamily"] == fields.get("ami_family", "AL2")


def test_the_role_cannot_be_said():
    assert "role" not in template(role="nodes")
