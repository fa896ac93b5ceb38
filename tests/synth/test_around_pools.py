"""Limit ranges, test workloads and any other object, on the cluster."""

from __future__ import annotations

import functools

import pytest
from aws_cdk import Aws, Stack

from karpenter_construct import ControllerCapacity, Karpenter, KarpenterNodePool, SettingsError, Taint

from . import clusters, karpenters
from .node_manifests import lines, manifests, waits_for
from .trees import unchanged

CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "default"}}


def karpenter(version: str = "1.14.1", **fields) -> Karpenter:
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    return Karpenter(
        stack, "Karpenter", cluster=cluster, version=version, **{**karpenters.ROLES_ALONE, **fields}
    )


@functools.cache
def untouched() -> Karpenter:
    """One that several tests are refused by: what is refused leaves nothing behind."""
    return karpenter()


def stack_of(installed: Karpenter) -> Stack:
    return Stack.of(installed)


def refused(installed: Karpenter, method: str, *arguments, **fields) -> list[str]:
    with unchanged(installed, untouched), pytest.raises(SettingsError) as raised:
        getattr(installed, method)(*arguments, **fields)
    return lines(raised.value)


def test_a_limit_range_needs_no_more_than_a_namespace():
    installed = karpenter(install_chart=True)
    handle = installed.add_limit_range("shop")
    assert (handle.name, handle.kind, handle.node.path) == (
        "default-requests",
        "LimitRange",
        "Test/Karpenter/LimitRange-shop-default-requests",
    )
    assert list(manifests(stack_of(installed)).values()) == [
        {
            "apiVersion": "v1",
            "kind": "LimitRange",
            "metadata": {"name": "default-requests", "namespace": "shop"},
            "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m", "memory": "128Mi"}}]},
        }
    ]
    assert "KarpenterChart" in waits_for(stack_of(installed), "LimitRange", "default-requests")


def test_a_limit_range_has_what_was_given():
    installed = karpenter()
    installed.add_limit_range(
        "shop", default_request={"cpu": 1}, default={"cpu": 2, "memory": "1Gi"}, name="large"
    )
    (body,) = manifests(stack_of(installed)).values()
    assert body["metadata"] == {"name": "large", "namespace": "shop"}
    assert body["spec"] == {
        "limits": [
            {"type": "Container", "defaultRequest": {"cpu": 1}, "default": {"cpu": 2, "memory": "1Gi"}}
        ]
    }


def test_limit_ranges_of_several_namespaces_stand_side_by_side():
    installed = karpenter()
    ids = [installed.add_limit_range(namespace).node.id for namespace in ("shop", "bank")]
    assert ids == ["LimitRange-shop-default-requests", "LimitRange-bank-default-requests"]


def test_fails_on_a_limit_range_that_the_api_server_would_refuse():
    assert refused(
        untouched(), "add_limit_range", "Shop", default_request={"cpu": 2}, default={"cpu": "1500m"}
    ) == [
        "`limit_ranges['default-requests'].namespace`: must be a name that Kubernetes takes, got 'Shop'; use lower "
        "case letters, digits, '-' and '.', with a letter or digit at both ends of each part"
    ]
    assert refused(
        untouched(), "add_limit_range", "shop", default_request={"cpu": 2}, default={"cpu": "1500m"}
    ) == [
        "`limit_ranges['default-requests'].default_request['cpu']`: must not be more than the default limit '1500m', "
        "got 2; raise default"
    ]


def test_fails_on_a_second_limit_range_of_one_name():
    installed = karpenter()
    installed.add_limit_range("shop")
    assert refused(installed, "add_limit_range", "shop") == [
        "`manifests['LimitRange-shop-default-requests']`: is the LimitRange 'default-requests' of the namespace "
        "'shop', which is there already, as Test/Karpenter/LimitRange-shop-default-requests; give each its own name"
    ]


def pod(installed: Karpenter) -> dict:
    body = next(body for body in manifests(stack_of(installed)).values() if body["kind"] == "Deployment")
    return body["spec"]["template"]["spec"]


def expressions(installed: Karpenter) -> list[dict]:
    affinity = pod(installed)["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return affinity["nodeSelectorTerms"][0]["matchExpressions"]


def test_a_test_workload_waits_to_be_scaled():
    installed = karpenter(install_chart=True)
    handle = installed.add_test_workload()
    assert (handle.name, handle.kind, handle.node.id) == (
        "inflate",
        "Deployment",
        "Deployment-default-inflate",
    )
    (body,) = manifests(stack_of(installed)).values()
    assert body["spec"]["replicas"] == 0
    assert body["metadata"] == {"name": "inflate", "namespace": "default"}
    assert expressions(installed)[0] == {"key": "karpenter.sh/nodepool", "operator": "Exists"}
    assert "tolerations" not in pod(installed)
    assert "KarpenterChart" in waits_for(stack_of(installed), "Deployment", "inflate")


def test_a_test_workload_is_of_the_size_that_is_asked_for():
    installed = karpenter()
    installed.add_test_workload(
        "load",
        namespace="shop",
        replicas=50,
        cpu="500m",
        memory="4Gi",
        pods_per_node=5,
        image="registry.example/pause:1",
    )
    (body,) = manifests(stack_of(installed)).values()
    (container,) = pod(installed)["containers"]
    assert (body["metadata"], body["spec"]["replicas"]) == ({"name": "load", "namespace": "shop"}, 50)
    assert container["resources"] == {"requests": {"cpu": "500m", "memory": "4Gi"}}
    assert container["image"] == "registry.example/pause:1"
    assert pod(installed)["topologySpreadConstraints"][0]["maxSkew"] == 5


@pytest.mark.parametrize(
    ("version", "label"), [("0.31.5", "karpenter.sh/provisioner-name"), ("0.32.0", "karpenter.sh/nodepool")]
)
def test_a_test_workload_knows_the_nodes_of_the_release(version, label):
    installed = karpenter(version)
    installed.add_test_workload()
    assert expressions(installed)[0]["key"] == label


def test_a_test_workload_of_a_pool_tolerates_its_taints_and_waits_for_it():
    installed = karpenter()
    pool = installed.add_node_pool(
        "gpu", taints=[Taint(key="nvidia.com/gpu", value="true", effect="NoSchedule")]
    )
    installed.add_test_workload(node_pool=pool)
    assert expressions(installed)[0] == {"key": "karpenter.sh/nodepool", "operator": "In", "values": ["gpu"]}
    assert pod(installed)["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
    ]
    assert "KarpenterNodePoolgpu" in waits_for(stack_of(installed), "Deployment", "inflate")


def test_a_test_workload_takes_the_name_of_a_pool_from_elsewhere():
    installed = karpenter()
    installed.add_test_workload(node_pool="by-hand")
    assert expressions(installed)[0]["values"] == ["by-hand"]
    assert "tolerations" not in pod(installed)


def test_fails_on_a_pool_of_another_karpenter():
    theirs = karpenter().add_node_pool("gpu")
    assert refused(untouched(), "add_test_workload", node_pool=theirs) == [
        "`test_workloads['inflate'].node_pool`: is the NodePool Test/Karpenter/NodePool-gpu of another Karpenter; pass "
        "a node pool of this one"
    ]


def test_fails_on_a_class_as_a_pool():
    installed = karpenter()
    node_class = installed.add_node_class("c")
    assert refused(installed, "add_test_workload", node_pool=node_class) == [
        "`test_workloads['inflate'].node_pool`: takes another kind of object, got the EC2NodeClass 'c'; pass a node "
        "pool"
    ]


def test_a_test_workload_does_not_wait_for_the_pool_of_a_team_whose_stack_waits_for_this_one():
    installed = karpenter()
    team = Stack(stack_of(installed).node.root, "Team")
    pool = KarpenterNodePool(team, "Pool", karpenter=installed, name="p")
    installed.add_test_workload(node_pool=pool)
    assert expressions(installed)[0]["values"] == ["p"]
    assert stack_of(installed).dependencies == []


def test_fails_on_a_test_workload_that_is_less_than_nothing():
    assert refused(untouched(), "add_test_workload", replicas=-1, cpu="one") == [
        "`test_workloads['inflate'].replicas`: must be between 0 and 2147483647, got -1",
        "`test_workloads['inflate'].cpu`: must be a Kubernetes quantity, got 'one'; write one as in 200, '500m' or "
        "'16Gi'",
    ]


def test_any_object_is_applied_after_the_chart():
    installed = karpenter(install_chart=True)
    assert installed.add_manifest("Config", CONFIG).node.path == "Test/Karpenter/Config"
    assert "KarpenterChart" in waits_for(stack_of(installed), "ConfigMap", "x")


def test_a_list_of_objects_is_applied_as_it_is():
    installed = karpenter()
    installed.add_manifest("List", {"apiVersion": "v1", "kind": "List", "items": [CONFIG]})
    again = {"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata": {"name": "x"}}]}
    assert refused(installed, "add_manifest", "Again", again) == [
        "`manifests['Again']`: is the ConfigMap 'x', which is there already, as Test/Karpenter/List; give each its own "
        "name"
    ]
    (found,) = (body for body in manifests(stack_of(installed)).values() if body["kind"] == "List")
    assert found == {"apiVersion": "v1", "kind": "List", "items": [CONFIG]}


POOL = {"apiVersion": "karpenter.sh/v1beta1", "kind": "NodePool", "metadata": {"name": "default"}}


def test_fails_on_a_manifest_of_a_pool_that_is_there():
    installed = karpenter()
    installed.add_node_pool("default")
    assert refused(installed, "add_manifest", "Mine", POOL) == [
        "`manifests['Mine']`: is the NodePool 'default', which is there already, as Test/Karpenter/NodePool-default; "
        "give each its own name"
    ]
    installed.add_manifest("Mine", {**POOL, "metadata": {"name": "other"}})


def test_fails_on_a_pool_of_which_there_is_a_manifest():
    installed = karpenter()
    installed.add_manifest("Mine", POOL)
    said = "is there already, as Test/Karpenter/Mine; give each its own name"
    assert refused(installed, "add_node_pool", "default") == [f"`node_pools['default']`: {said}"]
    assert refused(installed, "add_manifests", {**POOL, "spec": {"template": {"spec": {}}}}) != []
    team = Stack(stack_of(installed).node.root, "Team")
    with pytest.raises(SettingsError) as raised:
        KarpenterNodePool(team, "Pool", karpenter=installed, name="default")
    assert lines(raised.value) == [f"`node_pools['default']`: {said}"]
    installed.add_node_pool("other")


def test_fails_on_a_pool_whose_default_class_has_a_manifest():
    installed = karpenter()
    node_class = {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "default"},
    }
    installed.add_manifest("Mine", node_class)
    assert refused(installed, "add_node_pool", "p") == [
        "`node_classes['default']`: is there already, as Test/Karpenter/Mine; give each its own name"
    ]


def test_fails_on_two_manifests_of_one_object():
    installed = karpenter()
    installed.add_manifest("One", CONFIG)
    again = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "b"}}
    assert refused(installed, "add_manifest", "Two", again) == [
        "`manifests['Two']`: is the ConfigMap 'x', which is there already, as Test/Karpenter/One; give each its own "
        "name"
    ]
    installed.add_manifest("Three", {**again, "metadata": {"name": "x", "namespace": "shop"}})


@pytest.mark.parametrize(
    ("add", "version", "kind", "namespace", "name"),
    [
        ("add_limit_range", "v1", "LimitRange", "shop", "default-requests"),
        ("add_test_workload", "apps/v1", "Deployment", "default", "inflate"),
    ],
)
def test_fails_on_what_goes_around_the_pools_beside_a_manifest_of_it(add, version, kind, namespace, name):
    body = {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}}
    arguments = [namespace] if add == "add_limit_range" else []
    there = f"Test/Karpenter/{kind}-{namespace}-{name}"
    words = f"the {kind} {name!r}" + ("" if namespace == "default" else f" of the namespace {namespace!r}")
    first, second = karpenter(), karpenter()
    getattr(first, add)(*arguments)
    assert refused(first, "add_manifest", "Mine", body) == [
        f"`manifests['Mine']`: is {words}, which is there already, as {there}; give each its own name"
    ]
    second.add_manifest("Mine", body)
    assert refused(second, add, *arguments) == [
        f"`manifests['{kind}-{namespace}-{name}']`: is {words}, which is there already, as Test/Karpenter/Mine; give "
        "each its own name"
    ]


def flow_schema(name: str) -> dict:
    return {"apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": name}}


def test_fails_on_what_the_construct_applies_for_itself():
    installed = karpenter(namespace="karpenter", install_chart=True)
    assert refused(installed, "add_manifest", "Mine", flow_schema("karpenter-workload")) == [
        "`manifests['Mine']`: is the FlowSchema 'karpenter-workload', which is there already, as Test/Karpenter; give "
        "each its own name"
    ]
    installed.add_manifest("Mine", flow_schema("other"))
    karpenter(install_chart=True).add_manifest("Mine", flow_schema("karpenter-workload"))


def test_fails_on_a_second_aws_auth():
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "aws-auth", "namespace": "kube-system"},
    }
    home = clusters.stack()
    mapped = Karpenter(
        home,
        "Karpenter",
        cluster=clusters.classic_config_map(home),
        version="1.14.1",
        **karpenters.ROLES_ALONE,
    )
    assert refused(mapped, "add_manifest", "Mine", body) == [
        "`manifests['Mine']`: is the ConfigMap 'aws-auth' of the namespace 'kube-system', which is there already, as "
        "aws_auth of Test/Cluster; give each its own name"
    ]
    karpenter().add_manifest("Mine", body)


def test_what_the_deployment_names_is_not_compared():
    installed = karpenter()
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": Aws.STACK_NAME}}
    installed.add_manifest("One", body)
    installed.add_manifest("Two", body)


def test_fails_on_a_manifest_with_a_name_that_kubernetes_refuses():
    body = {**CONFIG, "kind": "", "metadata": {"name": "My_Settings", "namespace": "default"}}
    assert refused(untouched(), "add_manifest", "Mine", body) == [
        "`manifests['Mine'].kind`: is missing; write one as in 'ConfigMap'",
        "`manifests['Mine'].metadata.name`: is no name that Kubernetes accepts, got 'My_Settings'; use at most 253 "
        "characters, only lower-case letters, digits, '-' and '.', a letter or digit first and last",
    ]


def test_other_charts_can_run_where_the_controller_does():
    taint = Taint(key="critical", value="true", effect="NoSchedule")
    stack = clusters.stack()
    installed = Karpenter(
        stack,
        "Karpenter",
        cluster=clusters.imported_classic(stack),
        version="1.14.1",
        controller_capacity=ControllerCapacity.existing(labels={"addons": "true"}, taints=[taint]),
        **karpenters.ROLES_ALONE,
    )
    tolerations = [{"key": "critical", "operator": "Equal", "value": "true", "effect": "NoSchedule"}]
    assert installed.critical_addons_tolerations == tolerations
    assert untouched().critical_addons_tolerations == []
