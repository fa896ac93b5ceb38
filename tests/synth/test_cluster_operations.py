"""What the adapters build on every kind of cluster: in the given scope, and nothing where they refuse."""

from __future__ import annotations

import functools
import json
from enum import Enum
from typing import Any

import pytest
from aws_cdk import Aws, CfnResource, Fn, Stack, Token, aws_eks, aws_iam
from aws_cdk.assertions import Template
from constructs import Construct

from karpenter_construct._cluster import ClusterAdapter, adapt
from karpenter_construct.errors import SettingsError

from . import clusters
from .trees import unchanged

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
every_kind = pytest.mark.parametrize("kind", clusters.BUILDERS)
every_owned_module = pytest.mark.parametrize(
    "build", [clusters.classic, pytest.param(clusters.v2, marks=needs_eks_v2)], ids=["classic", "v2"]
)
every_imported_module = pytest.mark.parametrize(
    "build",
    [clusters.imported_classic, pytest.param(clusters.imported_v2, marks=needs_eks_v2)],
    ids=["classic", "v2"],
)

CHART: dict[str, Any] = {
    "repository": "oci://public.ecr.aws/karpenter/karpenter",
    "version": "1.14.1",
    "release": "karpenter",
    "namespace": "kube-system",
    "values": {"replicas": 2},
    "create_namespace": False,
    "skip_crds": True,
}
POOL = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "default"}}
NODE_GROUPS = ["system:bootstrappers", "system:nodes"]

NODE_ROLE_ARN = "arn:aws:iam::111122223333:role/nodes"
NODE_ROLE = "NodeRoleB5643E21"
HELM_CHART = "Custom::AWSCDK-EKS-HelmChart"
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


def karpenter_on(cluster: object, stack: Stack) -> ClusterAdapter:
    return adapt(cluster, Construct(stack, "Karpenter"))


def resources(stack: Stack, resource_type: str) -> list[dict[str, Any]]:
    return list(Template.from_stack(stack).find_resources(resource_type).values())


def only(stack: Stack, resource_type: str) -> dict[str, Any]:
    (resource,) = resources(stack, resource_type)
    return resource


def node_role(stack: Stack) -> aws_iam.Role:
    return aws_iam.Role(stack, "NodeRole", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))


@functools.cache
def built_on(kind: str) -> tuple[list[str], Template]:
    """A chart, a manifest and an access entry on one kind of cluster: their paths, and the template."""
    stack = clusters.stack()
    adapter = karpenter_on(clusters.BUILDERS[kind](stack), stack)
    built = [
        adapter.helm_chart(stack, "Chart", **CHART),
        adapter.manifest(stack, "Pool", POOL),
        adapter.node_access_entry(stack, "NodeAccess", role_arn=NODE_ROLE_ARN),
    ]
    return [construct.node.path for construct in built], Template.from_stack(stack)


@every_kind
def test_everything_is_built_in_the_given_scope_on(kind: str):
    assert built_on(kind)[0] == ["Test/Chart", "Test/Pool", "Test/NodeAccess"]


# Charts


@every_kind
def test_a_chart_on(kind: str):
    (chart,) = built_on(kind)[1].find_resources(HELM_CHART).values()
    properties = chart["Properties"]
    expected = {
        "Release": "karpenter",
        "Chart": "karpenter",
        "Version": "1.14.1",
        "Wait": True,
        "Timeout": "900s",
        "Values": '{"replicas":2}',
        "Namespace": "kube-system",
        "Repository": "oci://public.ecr.aws/karpenter/karpenter",
        "SkipCrds": True,
    }
    assert {key: properties.get(key) for key in expected} == expected
    assert "CreateNamespace" not in properties


def test_a_chart_that_makes_its_namespace_and_its_crds_and_does_not_wait():
    stack = clusters.stack()
    changes = {"create_namespace": True, "skip_crds": False, "wait": False}
    karpenter_on(clusters.imported_classic(stack), stack).helm_chart(stack, "Chart", **{**CHART, **changes})
    properties = only(stack, HELM_CHART)["Properties"]
    assert properties["CreateNamespace"] is True
    assert "SkipCrds" not in properties
    assert "Wait" not in properties


@every_owned_module
def test_a_chart_in_another_stack_than_the_cluster(build: Any):
    stack = clusters.stack()
    karpenter_on(clusters.other_stack(stack, build), stack).helm_chart(stack, "Chart", **CHART)
    name = only(stack, HELM_CHART)["Properties"]["ClusterName"]["Fn::ImportValue"]
    assert name.startswith("ClusterStack:ExportsOutputRefCluster")


def test_chart_values_with_tokens():
    stack = clusters.stack()
    values = {"settings": {"region": Aws.REGION, "queue": Token.as_any({"Ref": "Queue"})}}
    karpenter_on(clusters.imported_classic(stack), stack).helm_chart(
        stack, "Chart", **{**CHART, "values": values}
    )
    CfnResource(stack, "Queue", type="AWS::SQS::Queue")
    assert only(stack, HELM_CHART)["Properties"]["Values"] == {
        "Fn::Join": [
            "",
            ['{"settings":{"region":"', {"Ref": "AWS::Region"}, '","queue":"', {"Ref": "Queue"}, '"}}'],
        ]
    }


def test_a_null_among_chart_values_reaches_helm():
    stack = clusters.stack()
    values = {"affinity": None, "settings": {"region": Aws.REGION, "queue": Token.as_any({"Ref": "Queue"})}}
    karpenter_on(clusters.imported_classic(stack), stack).helm_chart(
        stack, "Chart", **{**CHART, "values": values}
    )
    CfnResource(stack, "Queue", type="AWS::SQS::Queue")
    assert only(stack, HELM_CHART)["Properties"]["Values"] == {
        "Fn::Join": [
            "",
            [
                '{"affinity": null, "settings": {"region": "',
                {"Ref": "AWS::Region"},
                '", "queue": "',
                {"Ref": "Queue"},
                '"}}',
            ],
        ]
    }


def test_fails_with_a_chart_value_that_has_no_json_form():
    stack = clusters.stack()
    adapter = karpenter_on(clusters.imported_classic(stack), stack)
    with unchanged(stack), pytest.raises(SettingsError) as failure:
        adapter.helm_chart(stack, "Chart", **{**CHART, "values": {"controller": {"env": {1, 2}}}})
    assert str(failure.value) == (
        "`helm_values.controller.env`: has no JSON form, got an object of class set; "
        "use dicts, lists, strings, numbers and booleans"
    )


# Manifests


@every_kind
def test_a_manifest_on(kind: str):
    ours = [
        resource["Properties"]
        for resource in built_on(kind)[1].find_resources(MANIFEST).values()
        if "NodePool" in json.dumps(resource["Properties"]["Manifest"])
    ]
    assert [properties["Manifest"] for properties in ours] == [
        '[{"apiVersion":"karpenter.sh/v1","kind":"NodePool","metadata":{"name":"default"}}]'
    ]
    assert "PruneLabel" not in ours[0]
    assert "Overwrite" not in ours[0]


def test_a_manifest_that_takes_over_an_object():
    stack = clusters.stack()
    karpenter_on(clusters.imported_classic(stack), stack).manifest(stack, "Pool", POOL, overwrite=True)
    assert only(stack, MANIFEST)["Properties"]["Overwrite"] is True


@every_owned_module
def test_a_manifest_in_another_stack_than_the_cluster(build: Any):
    stack = clusters.stack()
    karpenter_on(clusters.other_stack(stack, build), stack).manifest(stack, "Pool", POOL)
    assert only(stack, MANIFEST)["Properties"]["Manifest"].startswith('[{"apiVersion":"karpenter.sh/v1"')


class Effect(str, Enum):
    NO_SCHEDULE = "NoSchedule"


def test_a_manifest_of_python_objects():
    stack = clusters.stack()
    body = {
        "kind": "NodePool",
        "metadata": {"name": "a", "annotations": None},
        "spec": {"taints": ({"effect": Effect.NO_SCHEDULE},), "weight": 10, "ratio": 0.5, "on": True},
    }
    karpenter_on(clusters.imported_classic(stack), stack).manifest(stack, "Pool", body)
    assert only(stack, MANIFEST)["Properties"]["Manifest"] == (
        '[{"kind":"NodePool","metadata":{"name":"a"},'
        '"spec":{"taints":[{"effect":"NoSchedule"}],"weight":10,"ratio":0.5,"on":true}}]'
    )


def test_numbers_that_only_the_deployment_knows():
    stack = clusters.stack()
    body = {"kind": "NodePool", "spec": {"weight": Token.as_number({"Ref": "Weight"})}}
    karpenter_on(clusters.imported_classic(stack), stack).manifest(stack, "Pool", body)
    CfnResource(stack, "Weight", type="AWS::SQS::Queue")
    assert only(stack, MANIFEST)["Properties"]["Manifest"] == {
        "Fn::Join": ["", ['[{"kind":"NodePool","spec":{"weight":', {"Ref": "Weight"}, "}}]"]]
    }


def test_objects_that_cdk_resolves():
    stack = clusters.stack()
    body = {"kind": "NodePool", "spec": {"limits": [Fn.get_att("Queue", "Arn"), Token.as_any({"a": [1]})]}}
    karpenter_on(clusters.imported_classic(stack), stack).manifest(stack, "Pool", body)
    CfnResource(stack, "Queue", type="AWS::SQS::Queue")
    assert only(stack, MANIFEST)["Properties"]["Manifest"] == {
        "Fn::Join": [
            "",
            ['[{"kind":"NodePool","spec":{"limits":["', {"Fn::GetAtt": ["Queue", "Arn"]}, '",{"a":[1]}]}}]'],
        ]
    }


def test_fails_with_a_construct_in_a_manifest():
    stack = clusters.stack()
    adapter = karpenter_on(clusters.imported_classic(stack), stack)
    with pytest.raises(SettingsError) as failure:
        adapter.manifest(stack, "Pool", {"spec": stack}, path="node_pools['a']")
    assert str(failure.value) == f"`node_pools['a'].spec`: {NO_JSON_FORM.format('Stack')}"


NO_JSON_FORM = "has no JSON form, got an object of class {}; use dicts, lists, strings, numbers and booleans"
ROUNDED = "is an integer that CDK would round, got {}; write it as a string"


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"weight": 2**53 + 1}, ".weight`: " + ROUNDED.format("9007199254740993")),
        ({"weight": -(2**53) - 1}, ".weight`: " + ROUNDED.format("-9007199254740993")),
        ({"weight": float("nan")}, ".weight`: is no JSON number, got nan; write a finite number"),
        ({"taints": [None]}, ".taints[0]`: is null, which CDK drops from a list; leave it out"),
        ({5: "a"}, "`: has a key that is no string, got 5; write '5'"),
        ({"weight": object()}, ".weight`: " + NO_JSON_FORM.format("object")),
        ({"at": b"x"}, ".at`: " + NO_JSON_FORM.format("bytes")),
    ],
    ids=["large", "small", "nan", "null_in_list", "key", "object", "bytes"],
)
def test_fails_with_a_manifest_that_has_no_json_form(spec: dict[Any, object], problem: str):
    stack = clusters.stack()
    adapter = karpenter_on(clusters.imported_classic(stack), stack)
    with unchanged(stack), pytest.raises(SettingsError) as failure:
        adapter.manifest(stack, "Pool", {"spec": spec}, path="node_pools['a']")
    assert str(failure.value) == f"`node_pools['a'].spec{problem}"


def test_the_largest_integer_that_javascript_knows():
    stack = clusters.stack()
    karpenter_on(clusters.imported_classic(stack), stack).manifest(stack, "Pool", {"a": 2**53, "b": -(2**53)})
    assert only(stack, MANIFEST)["Properties"]["Manifest"] == '[{"a":9007199254740992,"b":-9007199254740992}]'


def test_fails_with_every_problem_of_a_manifest_at_once():
    stack = clusters.stack()
    adapter = karpenter_on(clusters.imported_classic(stack), stack)
    with pytest.raises(SettingsError) as failure:
        adapter.manifest(stack, "Pool", {"a": [None], "b": {1: 2}})
    assert [problem.path for problem in failure.value.problems] == ["manifest.a[0]", "manifest.b"]


# Node access


@every_kind
def test_an_access_entry_on(kind: str):
    entries = [
        resource["Properties"]
        for resource in built_on(kind)[1].find_resources("AWS::EKS::AccessEntry").values()
    ]
    assert [
        {key: entry[key] for key in ("PrincipalArn", "Type")}
        for entry in entries
        if entry.get("Type") == "EC2_LINUX"
    ] == [{"PrincipalArn": NODE_ROLE_ARN, "Type": "EC2_LINUX"}]


def test_an_access_entry_refers_to_the_cluster_and_the_role():
    stack = clusters.stack()
    adapter = karpenter_on(clusters.classic_api(stack), stack)
    adapter.node_access_entry(stack, "NodeAccess", role_arn=node_role(stack).role_arn, type="EC2_WINDOWS")
    assert only(stack, "AWS::EKS::AccessEntry")["Properties"] == {
        "ClusterName": {"Ref": "Cluster9EE0221C"},
        "PrincipalArn": {"Fn::GetAtt": [NODE_ROLE, "Arn"]},
        "Type": "EC2_WINDOWS",
    }


@every_owned_module
def test_an_access_entry_in_another_stack_than_the_cluster(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(clusters.other_stack(stack, build), stack)
    adapter.node_access_entry(stack, "NodeAccess", role_arn=node_role(stack).role_arn)
    assert only(stack, "AWS::EKS::AccessEntry")["Properties"]["Type"] == "EC2_LINUX"


@pytest.mark.parametrize(
    "build",
    [clusters.classic, clusters.classic_config_map, clusters.classic_both, clusters.classic_subclass],
)
def test_a_role_is_mapped_in_aws_auth(build: Any):
    stack = clusters.stack()
    mapped = karpenter_on(build(stack), stack).map_node_role(node_role(stack), NODE_GROUPS)
    assert mapped.node.path == "Test/Cluster/AwsAuth"
    before, arn, after = only(stack, MANIFEST)["Properties"]["Manifest"]["Fn::Join"][1]
    assert before.endswith('"data":{"mapRoles":"[{\\"rolearn\\":\\"')
    assert arn == {"Fn::GetAtt": [NODE_ROLE, "Arn"]}
    assert after == (
        '\\",\\"username\\":\\"system:node:{{EC2PrivateDNSName}}\\",'
        '\\"groups\\":[\\"system:bootstrappers\\",\\"system:nodes\\"]}]","mapUsers":"[]","mapAccounts":"[]"}}]'
    )


def test_a_role_is_mapped_beside_those_of_fargate():
    stack = clusters.stack()
    karpenter_on(clusters.fargate(stack), stack).map_node_role(node_role(stack), NODE_GROUPS)
    manifest = json.dumps(only(stack, MANIFEST)["Properties"]["Manifest"])
    assert manifest.count("system:node-proxier") == 1
    assert manifest.count(NODE_ROLE) == 1


@pytest.mark.parametrize(
    "build", [clusters.classic_api, clusters.imported_classic, clusters.imported_classic_by_role]
)
def test_fails_to_map_a_role_where_aws_auth_is_not_read_or_not_ours(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(build(stack), stack)
    role = node_role(stack)
    with unchanged(stack), pytest.raises(SettingsError) as failure:
        adapter.map_node_role(role, NODE_GROUPS)
    assert str(failure.value) == (
        "`node_access`: AWS_AUTH needs a cluster of this app that reads aws-auth, got Test/Cluster; use "
        "NodeAccess.ACCESS_ENTRY"
    )


@needs_eks_v2
@pytest.mark.parametrize("build", [clusters.v2, clusters.imported_v2])
def test_fails_to_map_a_role_on_a_v2_cluster(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(build(stack), stack)
    role = node_role(stack)
    with unchanged(stack), pytest.raises(SettingsError) as failure:
        adapter.map_node_role(role, NODE_GROUPS)
    assert str(failure.value) == (
        "`node_access`: AWS_AUTH needs an aws_eks.Cluster, got the aws_eks_v2 cluster Test/Cluster; use "
        "NodeAccess.ACCESS_ENTRY"
    )


def test_fails_to_map_the_role_of_another_stack():
    stack = clusters.stack()
    adapter = karpenter_on(clusters.other_stack(stack), stack)
    role = node_role(stack)
    with unchanged(stack), pytest.raises(SettingsError) as failure:
        adapter.map_node_role(role, NODE_GROUPS)
    assert str(failure.value) == (
        "`node_role`: aws-auth of ClusterStack/Cluster cannot map a role of another stack, "
        "got Test/NodeRole; define the role in the cluster's stack, or use NodeAccess.ACCESS_ENTRY"
    )


def test_a_role_of_the_clusters_stack_is_mapped_from_another_stack():
    stack = clusters.stack()
    cluster = clusters.other_stack(stack)
    karpenter_on(cluster, stack).map_node_role(node_role(cluster.stack), NODE_GROUPS)
    assert "system:node:{{EC2PrivateDNSName}}" in json.dumps(only(cluster.stack, MANIFEST))


def test_the_role_of_a_fargate_profile_is_mapped_in_aws_auth():
    stack = clusters.stack()
    mapped = karpenter_on(clusters.classic(stack), stack).map_fargate_role(node_role(stack))
    assert mapped.node.path == "Test/Cluster/AwsAuth"
    assert only(stack, MANIFEST)["Properties"]["Manifest"]["Fn::Join"][1][2] == (
        '\\",\\"username\\":\\"system:node:{{SessionName}}\\",\\"groups\\":[\\"system:bootstrappers\\",'
        '\\"system:nodes\\",\\"system:node-proxier\\"]}]","mapUsers":"[]","mapAccounts":"[]"}}]'
    )


@pytest.mark.parametrize(
    "build",
    [clusters.classic_api, clusters.imported_classic, pytest.param(clusters.v2, marks=needs_eks_v2)],
)
def test_fails_to_map_the_role_of_a_fargate_profile_where_aws_auth_is_not_read(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(build(stack), stack)
    role = node_role(stack)
    with unchanged(stack), pytest.raises(SettingsError):
        adapter.map_fargate_role(role)


@every_owned_module
def test_the_role_of_a_managed_node_group_is_in_already(build: Any):
    stack = clusters.stack()
    cluster, role = build(stack), node_role(stack)
    other_role = aws_iam.Role(stack, "Other", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
    group = cluster.add_nodegroup_capacity("System", node_role=role)
    adapter = karpenter_on(cluster, stack)
    found = adapter.node_group_of(role.role_arn)
    assert found is not None
    assert found.node.path == group.node.path == "Test/Cluster/NodegroupSystem"
    assert adapter.node_group_of(other_role.role_arn) is None


def test_the_role_of_a_node_group_of_another_cluster_is_not_in():
    stack = clusters.stack()
    role = node_role(stack)
    clusters.other_stack(stack, clusters.classic_api).add_nodegroup_capacity("System", node_role=role)
    adapter = karpenter_on(clusters.imported_classic(stack, cluster_name="other"), stack)
    assert adapter.node_group_of(role.role_arn) is None


# Identity


@every_owned_module
def test_the_oidc_provider_is_made_by_the_cluster_once(build: Any):
    stack = clusters.stack()
    cluster = build(stack)
    adapter = karpenter_on(cluster, stack)
    providers = [adapter.oidc_provider() for _ in range(2)]
    made = cluster.open_id_connect_provider
    assert [stack.resolve(list(provider or ())) for provider in providers] == [
        stack.resolve([made.open_id_connect_provider_arn, made.open_id_connect_provider_issuer])
    ] * 2
    assert made.node.path == "Test/Cluster/OpenIdConnectProvider"


@every_imported_module
def test_the_oidc_provider_of_an_imported_cluster(build: Any):
    stack = clusters.stack()
    provider = karpenter_on(build(stack), stack).oidc_provider()
    assert provider is not None
    assert provider.arn == clusters.OIDC_PROVIDER_ARN
    assert provider.issuer == clusters.OIDC_ISSUER


@every_owned_module
def test_the_pod_identity_agent_is_made_by_the_cluster_once(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(build(stack), stack)
    for _ in range(2):
        agent = adapter.pod_identity_agent()
        assert agent is not None
        assert agent.node.path == "Test/Cluster/EksPodIdentityAgentAddon"
    assert only(stack, "AWS::EKS::Addon")["Properties"]["AddonName"] == "eks-pod-identity-agent"


@pytest.mark.parametrize("level", ["l1", "l2"])
def test_an_agent_that_the_app_installs_is_taken(level: str):
    stack = clusters.stack()
    cluster = clusters.classic(stack)
    if level == "l1":
        aws_eks.CfnAddon(
            stack, "Agent", addon_name="eks-pod-identity-agent", cluster_name=cluster.cluster_name
        )
    else:
        aws_eks.Addon(stack, "Agent", addon_name="eks-pod-identity-agent", cluster=cluster)
    agent = karpenter_on(cluster, stack).pod_identity_agent()
    assert agent is not None
    assert agent.node.path == {"l1": "Test/Agent", "l2": "Test/Agent/Resource"}[level]
    assert len(resources(stack, "AWS::EKS::Addon")) == 1


def test_an_agent_on_a_cluster_known_by_its_literal_name_is_taken():
    stack = clusters.stack()
    cluster = clusters.classic(stack)
    aws_eks.CfnAddon(stack, "Agent", addon_name="eks-pod-identity-agent", cluster_name="prod")
    agent = karpenter_on(cluster, stack).pod_identity_agent()
    assert agent is not None
    assert agent.node.path == "Test/Agent"


@pytest.mark.parametrize(
    ("addon_name", "cluster_name"), [("vpc-cni", "prod"), ("eks-pod-identity-agent", "other")]
)
def test_another_addon_or_the_agent_of_another_cluster_is_not_taken(addon_name: str, cluster_name: str):
    stack = clusters.stack()
    cluster = clusters.classic(stack)
    aws_eks.CfnAddon(stack, "Addon", addon_name=addon_name, cluster_name=cluster_name)
    agent = karpenter_on(cluster, stack).pod_identity_agent()
    assert agent is not None
    assert agent.node.path == "Test/Cluster/EksPodIdentityAgentAddon"


@every_imported_module
def test_an_imported_cluster_makes_no_agent(build: Any):
    stack = clusters.stack()
    adapter = karpenter_on(build(stack), stack)
    with unchanged(stack):
        assert adapter.pod_identity_agent() is None
