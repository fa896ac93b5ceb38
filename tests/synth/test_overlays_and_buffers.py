"""Node overlays, capacity buffers and static pools on the cluster."""

from __future__ import annotations

import pytest
from aws_cdk import Stack

from karpenter_construct import (
    CapacityBuffer,
    EC2NodeClass,
    Gt,
    In,
    Karpenter,
    NodeOverlay,
    SettingsError,
    Taint,
)
from karpenter_construct.requirements import INSTANCE_CPU, INSTANCE_FAMILY

from . import clusters, karpenters
from .node_manifests import applied, lines, manifests, waits_for, warnings
from .trees import unchanged


def karpenter(version: str = "1.14.1", **fields) -> Karpenter:
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    return Karpenter(
        stack, "Karpenter", cluster=cluster, version=version, **{**karpenters.ROLES_ALONE, **fields}
    )


def stack_of(installed: Karpenter) -> Stack:
    return Stack.of(installed)


def test_an_overlay_is_applied_after_the_chart():
    installed = karpenter(feature_gates={"nodeOverlay": True}, install_chart=True)
    handle = installed.add_node_overlay(
        "fuse", requirements=[Gt(INSTANCE_CPU, 3)], capacity={"example.com/fuse": 1}
    )
    assert (handle.name, handle.kind) == ("fuse", "NodeOverlay")
    assert handle.node.path == "Test/Karpenter/NodeOverlay-fuse"
    assert list(manifests(stack_of(installed)).values()) == [
        {
            "apiVersion": "karpenter.sh/v1alpha1",
            "kind": "NodeOverlay",
            "metadata": {"name": "fuse"},
            "spec": {
                "requirements": [
                    {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gt", "values": ["3"]}
                ],
                "capacity": {"example.com/fuse": 1},
            },
        }
    ]
    assert "KarpenterChart" in waits_for(stack_of(installed), "NodeOverlay", "fuse")


def test_a_ready_overlay_is_applied_as_it_is():
    installed = karpenter(feature_gates={"nodeOverlay": True})
    installed.add_node_overlay(
        NodeOverlay(name="cheap", requirements=[In(INSTANCE_FAMILY, "c7i")], price="0.1")
    )
    (body,) = manifests(stack_of(installed)).values()
    assert body["spec"]["price"] == "0.1"


def test_a_buffer_is_applied_in_its_namespace():
    installed = karpenter(feature_gates={"capacityBuffer": True}, install_chart=True)
    handle = installed.add_capacity_buffer(
        "spare",
        namespace="shop",
        scalable_ref={"apiGroup": "apps", "kind": "Deployment", "name": "web"},
        percentage=20,
    )
    assert handle.node.path == "Test/Karpenter/CapacityBuffer-shop-spare"
    assert list(manifests(stack_of(installed)).values()) == [
        {
            "apiVersion": "autoscaling.x-k8s.io/v1beta1",
            "kind": "CapacityBuffer",
            "metadata": {"name": "spare", "namespace": "shop"},
            "spec": {
                "scalableRef": {"apiGroup": "apps", "kind": "Deployment", "name": "web"},
                "percentage": 20,
                "provisioningStrategy": "buffer.x-k8s.io/active-capacity",
            },
        }
    ]
    assert "KarpenterChart" in waits_for(stack_of(installed), "CapacityBuffer", "spare")


def test_a_buffer_without_a_namespace_is_in_the_default_one():
    installed = karpenter(feature_gates={"capacityBuffer": True})
    buffer = CapacityBuffer(name="spare", pod_template_ref={"name": "chunk"}, replicas=2)
    assert installed.add_capacity_buffer(buffer).node.id == "CapacityBuffer-default-spare"


def test_fails_on_two_buffers_with_one_construct_id():
    installed = karpenter(feature_gates={"capacityBuffer": True})
    first = CapacityBuffer(name="a-b", namespace="team", pod_template_ref={"name": "chunk"}, replicas=2)
    installed.add_capacity_buffer(first)
    with pytest.raises(SettingsError) as raised:
        installed.add_capacity_buffer(first.model_copy(update={"name": "b", "namespace": "team-a"}))
    assert lines(raised.value) == [
        "`capacity_buffers['team-a/b']`: the construct id 'CapacityBuffer-team-a-b' is taken in Test/Karpenter; choose "
        "another name"
    ]


def test_a_static_pool_is_applied():
    installed = karpenter(feature_gates={"staticCapacity": True})
    installed.add_node_pool("always", replicas=3)
    bodies = {body["kind"]: body for body in manifests(stack_of(installed)).values()}
    assert bodies["NodePool"]["spec"]["replicas"] == 3
    assert "limits" not in bodies["NodePool"]["spec"]


ADD_OVERLAY = ("add_node_overlay", {"price": "1"}, "`node_overlays['x']`", "nodeOverlay")
ADD_BUFFER = (
    "add_capacity_buffer",
    {"pod_template_ref": {"name": "chunk"}, "replicas": 1},
    "`capacity_buffers['x']`",
    "capacityBuffer",
)
ADD_STATIC_POOL = ("add_node_pool", {"replicas": 1}, "`node_pools['x'].replicas`", "staticCapacity")
gated = pytest.mark.parametrize(
    ("method", "fields", "path", "gate"),
    [ADD_OVERLAY, ADD_BUFFER, ADD_STATIC_POOL],
    ids=["overlay", "buffer", "static pool"],
)


@gated
def test_fails_while_the_gate_is_off_and_leaves_nothing(method, fields, path, gate):
    installed = karpenter()
    with unchanged(installed), pytest.raises(SettingsError) as raised:
        getattr(installed, method)("x", **fields)
    assert lines(raised.value) == [
        f"{path}: does nothing while the feature gate '{gate}' is off; pass feature_gates={{'{gate}': True}}"
    ]


@gated
def test_a_gate_in_the_chart_values_counts(method, fields, path, gate):  # noqa: ARG001
    installed = karpenter(helm_values={"settings": {"featureGates": {gate: True}}})
    assert getattr(installed, method)("x", **fields).name == "x"


@gated
def test_fails_where_the_chart_values_turn_the_gate_off(method, fields, path, gate):
    installed = karpenter(helm_values={"settings": {"featureGates": {gate: False}}})
    assert installed.settings.feature_gates[gate] is False
    with pytest.raises(SettingsError) as raised:
        getattr(installed, method)("x", **fields)
    assert lines(raised.value) == [
        f"{path}: does nothing while the feature gate '{gate}' is off; pass feature_gates={{'{gate}': True}}"
    ]


def test_fails_on_an_overlay_of_a_name_that_is_taken():
    installed = karpenter(feature_gates={"nodeOverlay": True})
    installed.add_node_overlay("x", price="1")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_overlay("x", price="2")
    assert lines(raised.value) == [
        "`node_overlays['x']`: is there already, as Test/Karpenter/NodeOverlay-x; give each its own name"
    ]


def test_fails_before_the_default_class_is_made():
    installed = karpenter()
    with unchanged(installed), pytest.raises(SettingsError) as raised:
        installed.add_node_pool("x", labels={"karpenter.sh/nodepool": "x"})
    assert [problem.path for problem in raised.value.problems] == [
        "node_pools['x'].labels['karpenter.sh/nodepool']"
    ]


def test_fails_on_a_handle_of_another_karpenter():
    installed, other = karpenter(), karpenter()
    theirs = other.add_node_class("spot")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch", node_class=theirs)
    assert lines(raised.value) == [
        "`node_pools['batch'].node_class`: is the EC2NodeClass Test/Karpenter/EC2NodeClass-spot of another Karpenter; "
        "pass a node class of this one"
    ]


def test_fails_on_a_handle_of_another_karpenter_although_there_is_a_class_of_that_name():
    installed, other = karpenter(), karpenter()
    installed.add_node_class("spot")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch", node_class=other.add_node_class("spot"))
    assert [problem.path for problem in raised.value.problems] == ["node_pools['batch'].node_class"]


def test_fails_on_a_pool_as_a_node_class():
    installed = karpenter()
    pool = installed.add_node_pool("first")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch", node_class=pool)
    assert lines(raised.value) == [
        "`node_pools['batch'].node_class`: takes another kind of object, got the NodePool 'first'; pass a node class"
    ]


def test_fails_on_a_construct_id_that_add_manifest_has_taken():
    installed = karpenter()
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "default"}}
    installed.add_manifest("NodePool-batch", body)
    with unchanged(installed), pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch")
    assert lines(raised.value) == [
        "`node_pools['batch']`: the construct id 'NodePool-batch' is taken in Test/Karpenter; choose another name"
    ]
    with pytest.raises(SettingsError) as raised:
        installed.add_manifest("NodePool-batch", {**body, "metadata": {"name": "y"}})
    assert lines(raised.value) == [
        "`manifests['NodePool-batch']`: the construct id 'NodePool-batch' is taken in Test/Karpenter; choose another "
        "name"
    ]


def test_the_startup_taint_of_the_ebs_driver_is_on_every_pool_and_in_none_without():
    taint = {"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}
    own = Taint(key="example.com/setup", effect="NoSchedule")
    pools = []
    for asked in (True, False):
        installed = karpenter(ebs_csi_startup_taint=asked)
        installed.add_node_pool("a")
        installed.add_node_pool("b", startup_taints=[own])
        bodies = [body for body in manifests(stack_of(installed)).values() if body["kind"] == "NodePool"]
        pools.append([body["spec"]["template"]["spec"].get("startupTaints") for body in bodies])
    setup = {"key": "example.com/setup", "effect": "NoSchedule"}
    assert pools == [[[taint], [setup, taint]], [None, [setup]]]


def test_warns_of_an_instance_profile_that_cannot_have_the_role_made_here():
    installed = karpenter()
    installed.add_node_class(EC2NodeClass(name="c", ami="al2023@v20260810", instance_profile="by-hand"))
    assert (
        "`node_classes['c'].instance_profile`: Karpenter may pass the role made here and no other, so 'by-hand' must "
        "have that role; pass the role that it has in `node_role` [ack: karpenter-construct:otherInstanceProfile]"
    ) in warnings(stack_of(installed))
    assert applied(stack_of(installed)) == ["EC2NodeClass c"]
