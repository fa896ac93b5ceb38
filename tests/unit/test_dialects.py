"""What all dialects have in common, and which release speaks which."""

from __future__ import annotations

import json

import pytest

from karpenter_construct._dialects import dialect
from karpenter_construct._dialects.disruption import seconds
from karpenter_construct._dialects.manifest import plain, some, written
from karpenter_construct.capacity_buffer import CapacityBuffer, PodTemplateRef
from karpenter_construct.errors import SettingsError
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import Budget, Disruption, NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import CAPACITY_TYPE, In

PLACEHOLDER = "${Token[TOKEN.1]}"
RELEASES = ("0.31.5", "0.37.8", "1.14.1")


def words(version: str):
    return dialect(KarpenterVersion.parse(version))


@pytest.mark.parametrize(
    ("version", "pool", "node_class"),
    [
        (
            "0.30.0-rc.0",
            ("karpenter.sh/v1alpha5", "Provisioner"),
            ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate"),
        ),
        (
            "0.31.5",
            ("karpenter.sh/v1alpha5", "Provisioner"),
            ("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate"),
        ),
        ("0.32.0", ("karpenter.sh/v1beta1", "NodePool"), ("karpenter.k8s.aws/v1beta1", "EC2NodeClass")),
        ("0.37.8", ("karpenter.sh/v1beta1", "NodePool"), ("karpenter.k8s.aws/v1beta1", "EC2NodeClass")),
        ("1.0.0", ("karpenter.sh/v1", "NodePool"), ("karpenter.k8s.aws/v1", "EC2NodeClass")),
        ("1.15.0", ("karpenter.sh/v1", "NodePool"), ("karpenter.k8s.aws/v1", "EC2NodeClass")),
    ],
)
def test_each_release_gets_the_kinds_of_its_generation(version, pool, node_class):
    manifests = (
        words(version).node_pool(NodePool(name="a"), EC2NodeClass(name="b")),
        words(version).node_class(EC2NodeClass(name="b")),
    )
    assert [(manifest["apiVersion"], manifest["kind"]) for manifest in manifests] == [pool, node_class]
    assert [manifest["metadata"] for manifest in manifests] == [{"name": "a"}, {"name": "b"}]
    assert [list(manifest) for manifest in manifests] == [["apiVersion", "kind", "metadata", "spec"]] * 2


@pytest.mark.parametrize("version", RELEASES)
def test_manifests_are_plain_json(version):
    pool = NodePool(
        name="a", requirements=[In(CAPACITY_TYPE, "spot")], taints=[Taint(key="a", effect="NoExecute")]
    )
    node_class = EC2NodeClass(name="b", tags={"team": "a"}, kubelet=Kubelet(cluster_dns=["10.0.0.10"]))
    for manifest in (words(version).node_pool(pool, node_class), words(version).node_class(node_class)):
        assert json.loads(json.dumps(manifest)) == manifest


@pytest.mark.parametrize("version", RELEASES)
def test_a_placeholder_stands_where_its_value_would(version):
    pool = NodePool(
        name="a",
        labels={"stage": PLACEHOLDER},
        requirements=[In(CAPACITY_TYPE, PLACEHOLDER)],
        expire_after=PLACEHOLDER,
        disruption=Disruption(consolidation_policy="WhenEmpty", consolidate_after=PLACEHOLDER),
        limits={"cpu": PLACEHOLDER},
    )
    node_class = EC2NodeClass(
        name="b",
        instance_profile=PLACEHOLDER,
        ami_selector_terms=[{"id": PLACEHOLDER}],
        ami_family="Custom",
        subnet_selector_terms=[{"tags": {"karpenter.sh/discovery": PLACEHOLDER}}],
        security_group_selector_terms=[{"id": PLACEHOLDER}],
        tags={"stage": PLACEHOLDER},
    )
    pool_text = json.dumps(words(version).node_pool(pool, node_class))
    class_text = json.dumps(words(version).node_class(node_class))
    assert (pool_text.count(PLACEHOLDER), class_text.count(PLACEHOLDER)) == (5, 5)


@pytest.mark.parametrize("version", RELEASES)
def test_a_placeholder_for_a_whole_list_is_no_error(version):
    listed = ["#{Token[TOKEN.2]}"]
    pool = NodePool(name="a", requirements=listed, taints=listed)
    node_class = EC2NodeClass(name="b", subnet_selector_terms=listed, ami_selector_terms=listed)
    words(version).node_pool(pool, node_class)
    words(version).node_class(node_class)


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("0.31.5", "needs Karpenter 1.7.0 or later, version is 0.31.5"),
        ("0.37.8", "needs Karpenter 1.7.0 or later, version is 0.37.8"),
        ("1.6.8", "needs Karpenter 1.7.0 or later, version is 1.6.8"),
    ],
)
def test_fails_for_a_node_overlay_that_the_release_does_not_know(version, requirement):
    with pytest.raises(SettingsError) as error:
        words(version).node_overlay(NodeOverlay(name="a"))
    assert str(error.value) == f"`node_overlays['a']`: {requirement}"


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("0.31.5", "needs Karpenter 1.14.0 or later, version is 0.31.5"),
        ("0.37.8", "needs Karpenter 1.14.0 or later, version is 0.37.8"),
        ("1.13.1", "needs Karpenter 1.14.0 or later, version is 1.13.1"),
    ],
)
def test_fails_for_a_capacity_buffer_that_the_release_does_not_know(version, requirement):
    buffer = CapacityBuffer(name="a", pod_template_ref=PodTemplateRef(name="b"))
    with pytest.raises(SettingsError) as error:
        words(version).capacity_buffer(buffer)
    assert str(error.value) == f"`capacity_buffers['a']`: {requirement}"


def test_written_keeps_the_order_and_what_is_empty_but_not_what_is_none():
    disruption = Disruption(consolidate_after="30s", budgets=[])
    assert list(written(disruption, "budgets", "consolidate_after").items()) == [
        ("budgets", []),
        ("consolidateAfter", "30s"),
    ]
    assert written(Budget(nodes="5"), "nodes", "schedule") == {"nodes": "5"}


def test_some_leaves_out_what_says_nothing():
    assert some(a=None, b=(), c={}, d=Kubelet(), e=0, f=False, g="") == {"e": 0, "f": False, "g": ""}


def test_plain_spells_acronyms_as_the_crds_do():
    kubelet = Kubelet(cluster_dns=("10.0.0.10",), image_gc_high_threshold_percent=85, cpu_cfs_quota=True)
    assert plain(kubelet) == {
        "clusterDNS": ["10.0.0.10"],
        "imageGCHighThresholdPercent": 85,
        "cpuCFSQuota": True,
    }


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        ("0s", 0),
        ("90s", 90),
        ("2m", 120),
        ("720h", 2_592_000),
        ("1h30m15s", 5415),
        (PLACEHOLDER, PLACEHOLDER),
    ],
)
def test_durations_in_seconds(duration, expected):
    assert seconds(duration) == expected
