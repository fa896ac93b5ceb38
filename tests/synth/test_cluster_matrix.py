"""Karpenter on every kind of cluster, with each identity, with roles made and given: it fits, or is refused."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from aws_cdk import Stack, aws_iam
from aws_cdk.assertions import Annotations, Match

from karpenter_construct import (
    ControllerCapacity,
    Discovery,
    IdentityType,
    Karpenter,
    NodeAccess,
    SettingsError,
)

from . import clusters, karpenters
from .looks import Looks
from .trees import unchanged

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")

GIVEN_NODES = f"arn:aws:iam::{clusters.ACCOUNT}:role/nodes"
GIVEN_CONTROLLER = f"arn:aws:iam::{clusters.ACCOUNT}:role/controller"

AWS_AUTH, ENTRY = NodeAccess.AWS_AUTH, NodeAccess.ACCESS_ENTRY
NO_MAPPING_FROM_HERE = (
    "`node_access`: aws-auth belongs to the stack of ClusterStack/Cluster and cannot map a role of another stack; "
    "create the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP so that access entries work, "
    "define Karpenter in the cluster's stack, or map the role there and use NodeAccess.NONE"
)
# By kind of cluster, and so by owner and authentication mode, how nodes get in; or why they cannot.
# Only classic clusters that the app owns have a mode: those of aws_eks_v2 are always in mode API, and of an imported
# one nobody knows.
CLUSTERS: dict[str, NodeAccess | str] = {
    "classic": AWS_AUTH,
    "classic_config_map": AWS_AUTH,
    "classic_both": ENTRY,
    "classic_api": ENTRY,
    "classic_subclass": AWS_AUTH,
    "other_classic": NO_MAPPING_FROM_HERE,
    "other_classic_config_map": NO_MAPPING_FROM_HERE,
    "other_classic_both": ENTRY,
    "other_classic_api": ENTRY,
    "imported_classic": ENTRY,
    "v2": ENTRY,
    "other_v2": ENTRY,
    "imported_v2": ENTRY,
}
CLUSTER_NAMES = {"other_": "<from the cluster's stack>", "imported": "prod"}


def kinds(*names: str) -> list[Any]:
    """The kinds as parameters; those of aws_eks_v2 need a CDK that has it."""
    return [pytest.param(name, marks=needs_eks_v2 if "v2" in name else ()) for name in names]


def install(kind: str, home: Stack, identity: IdentityType, roles: str, **arguments: Any) -> Karpenter:
    """Karpenter without charts, with a namespace and a service account that only the arguments know."""
    if roles == "given":
        arguments.update(given_roles(home))
    if kind.startswith("imported"):
        arguments["pod_identity_agent_installed"] = True
    return karpenters.karpenter(
        kind, home, identity_type=identity, **{**karpenters.ROLES_ALONE, **NAMES, **arguments}
    )


NAMES = {"namespace": "scaling", "service_account_name": "scaler"}


def given_roles(home: Stack) -> dict[str, aws_iam.IRole]:
    return {
        "node_role": aws_iam.Role.from_role_arn(home, "Nodes", GIVEN_NODES),
        "controller_role": aws_iam.Role.from_role_arn(home, "Controller", GIVEN_CONTROLLER),
    }


class Installed(NamedTuple):
    """What is to be seen of a Karpenter with its charts."""

    node_access: NodeAccess
    looks: Looks
    looks_of_cluster: Looks


@functools.cache
def installed_on(kind: str, identity: IdentityType, roles: str) -> Installed:
    home = clusters.stack()
    karpenter = install(kind, home, identity, roles, install_chart=True)
    elsewhere = home.node.root.node.find_child("ClusterStack") if kind.startswith("other_") else home
    assert isinstance(elsewhere, Stack)
    looks = Looks(home)
    return Installed(karpenter.node_access, looks, looks if elsewhere is home else Looks(elsewhere))


def expected_access(access: NodeAccess, role: str) -> dict[str, Any]:
    mapping = {
        "rolearn": role,
        "username": "system:node:{{EC2PrivateDNSName}}",
        "groups": ["system:bootstrappers", "system:nodes"],
    }
    if access is AWS_AUTH:
        return {"aws-auth": [mapping], "entries": []}
    return {"aws-auth": [], "entries": [(role, "EC2_LINUX")]}


def expected_trust(identity: IdentityType) -> dict[str, Any]:
    if identity is IdentityType.POD_IDENTITY:
        return {
            "Principal": {"Service": "pods.eks.amazonaws.com"},
            "Action": ["sts:AssumeRole", "sts:TagSession"],
        }
    return {
        "Principal": {"Federated": clusters.OIDC_PROVIDER_ARN},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {
            "StringEquals": {
                f"{clusters.OIDC_ISSUER}:aud": "sts.amazonaws.com",
                f"{clusters.OIDC_ISSUER}:sub": "system:serviceaccount:scaling:scaler",
            }
        },
    }


def expected_association(kind: str, identity: IdentityType, role: str) -> list[dict[str, Any]]:
    if identity is IdentityType.IRSA:
        return []
    names = [name for start, name in CLUSTER_NAMES.items() if kind.startswith(start)]
    return [
        {
            "ClusterName": names[0] if names else "<Cluster>",
            "Namespace": "scaling",
            "RoleArn": role,
            "ServiceAccount": "scaler",
        }
    ]


def expected_account(identity: IdentityType, role: str) -> dict[str, Any]:
    account: dict[str, Any] = {"create": True, "name": "scaler"}
    if identity is IdentityType.IRSA:
        account["annotations"] = {"eks.amazonaws.com/role-arn": role}
    return account


@pytest.mark.parametrize("roles", ["made", "given"])
@pytest.mark.parametrize("identity", IdentityType)
@pytest.mark.parametrize(
    "kind", kinds(*(kind for kind, access in CLUSTERS.items() if access in tuple(NodeAccess)))
)
def test_cluster(kind: str, identity: IdentityType, roles: str):
    node_access, looks, _ = installed_on(kind, identity, roles)
    nodes = {"made": "<NodeRole.Arn>", "given": GIVEN_NODES}[roles]
    controller = {"made": "<ControllerRole.Arn>", "given": GIVEN_CONTROLLER}[roles]

    assert node_access is CLUSTERS[kind]
    assert looks.access() == expected_access(NodeAccess(CLUSTERS[kind]), nodes)
    assert looks.trust() == ([expected_trust(identity)] if roles == "made" else [])
    assert looks.resources("AWS::EKS::PodIdentityAssociation") == expected_association(
        kind, identity, controller
    )
    assert looks.values["serviceAccount"] == expected_account(identity, controller)
    assert [chart["Namespace"] for chart in looks.charts] == ["scaling", "scaling"]
    priorities = [
        body["spec"]["rules"][0]["subjects"] for body in looks.manifests if body["kind"] == "FlowSchema"
    ]
    account = {"kind": "ServiceAccount", "serviceAccount": {"name": "scaler", "namespace": "scaling"}}
    assert priorities == [[account], [account]]


@functools.cache
def refusing(kind: str) -> tuple[Stack, object, dict[str, aws_iam.IRole]]:
    """A cluster that refuses Karpenter, so that nothing comes to it, and roles."""
    home = clusters.stack()
    return home, karpenters.cluster(kind, home), given_roles(home)


@pytest.mark.parametrize("roles", ["made", "given"])
@pytest.mark.parametrize("identity", IdentityType)
@pytest.mark.parametrize(
    "kind", [kind for kind, access in CLUSTERS.items() if access not in tuple(NodeAccess)]
)
def test_fails_on_cluster(kind: str, identity: IdentityType, roles: str):
    home, cluster, given = refusing(kind)
    arguments = {**karpenters.WITHOUT_QUEUE, **NAMES, **(given if roles == "given" else {})}
    with unchanged(home, refusing), pytest.raises(SettingsError) as raised:
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", identity_type=identity, **arguments)
    assert str(raised.value) == CLUSTERS[kind]


@pytest.mark.parametrize("kind", kinds("classic", "other_classic_both", "v2", "other_v2"))
def test_the_pod_identity_agent_is_made_on_a_cluster_of_the_app(kind: str):
    looks = installed_on(kind, IdentityType.POD_IDENTITY, "made").looks_of_cluster
    [agent] = looks.resources("AWS::EKS::Addon")
    assert agent == {"AddonName": "eks-pod-identity-agent", "ClusterName": "<Cluster>"}


@pytest.mark.parametrize("kind", kinds("imported_classic", "imported_v2"))
def test_the_pod_identity_agent_is_not_made_on_an_imported_cluster(kind: str):
    looks = installed_on(kind, IdentityType.POD_IDENTITY, "made").looks
    assert looks.resources("AWS::EKS::Addon") == []


@pytest.mark.parametrize(
    ("kind", "release", "identity"),
    [
        *(
            pytest.param(kind, release, identity, marks=needs_eks_v2 if "v2" in kind else ())
            for kind, (release, identity) in itertools.product(
                ("classic", "v2"),
                (("0.31.5", "IRSA"), ("0.37.8", "POD_IDENTITY"), ("1.14.1", "POD_IDENTITY")),
            )
        ),
        ("imported_classic", "1.14.1", "IRSA"),
        ("fargate", "1.14.1", "IRSA"),
    ],
)
def test_identity_by_default(kind: str, release: str, identity: str):
    installed = karpenters.karpenter(kind, clusters.stack(), release, **karpenters.ROLES_ALONE)
    assert installed.identity_type == identity


@pytest.mark.parametrize("kind", kinds("classic", "other_classic", "imported_classic", "v2"))
def test_a_role_that_has_access_gets_none(kind: str):
    home = clusters.stack()
    install(kind, home, IdentityType.IRSA, "given", node_access=NodeAccess.NONE)
    assert Looks(home).access() == {"aws-auth": [], "entries": []}


def test_both_ways_in():
    home = clusters.stack()
    install("classic_both", home, IdentityType.IRSA, "given", node_access=NodeAccess.BOTH)
    assert Looks(home).access() == {
        **expected_access(AWS_AUTH, GIVEN_NODES),
        "entries": [(GIVEN_NODES, "EC2_LINUX")],
    }


def nodes(home: Stack, name: str, **fields: Any) -> aws_iam.Role:
    return aws_iam.Role(home, name, assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"), **fields)


def test_aws_auth_knows_roles_without_their_path_and_access_entries_with_it():
    home = clusters.stack()
    by_arn = f"arn:aws:iam::{clusters.ACCOUNT}:role/a/b/nodes"
    roles = [
        aws_iam.Role.from_role_arn(home, "ByArn", by_arn),
        aws_iam.Role.from_role_name(home, "ByName", "a/b/named"),
        nodes(home, "Plain"),
        nodes(home, "Root", path="/"),
        nodes(home, "Deep", path="/a/b/"),
    ]
    install("classic_both", home, IdentityType.IRSA, "made", node_role=roles, node_access=NodeAccess.BOTH)
    access = Looks(home).access()
    prefix = f"arn:aws:iam::{clusters.ACCOUNT}:role"
    assert [mapping["rolearn"] for mapping in access["aws-auth"]] == [
        f"{prefix}/nodes",
        f"{prefix}/named",
        "<Plain.Arn>",
        "<Root.Arn>",
        f"{prefix}/<Deep>",
    ]
    assert [arn for arn, _ in access["entries"]] == [
        by_arn,
        f"{prefix}/a/b/named",
        "<Plain.Arn>",
        "<Root.Arn>",
        "<Deep.Arn>",
    ]


def test_aws_auth_knows_the_role_of_a_profile_without_its_path():
    home = clusters.stack()
    profile = aws_iam.InstanceProfile(home, "Profile", role=nodes(home, "Deep", path="/a/b/"))
    installed = install("classic", home, IdentityType.IRSA, "made", node_instance_profile=profile)
    installed.add_node_class("windows", ami="windows2022@latest")
    [mapping] = Looks(home).access()["aws-auth"]
    assert mapping["rolearn"] == f"arn:aws:iam::{clusters.ACCOUNT}:role/<Deep>"
    assert mapping["groups"] == ["system:bootstrappers", "system:nodes", "eks:kube-proxy-windows"]


GOT_A_PATH = (
    "`node_access`: aws-auth knows roles without their path, and Test/Karpenter/{role} got one after it was mapped, "
    "got '/late/'; set no path on it, or create the cluster with "
    "authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP"
)


@pytest.mark.parametrize(
    ("kind", "capacity", "roles"),
    [
        ("classic", ControllerCapacity.nodegroup(), ["NodeRole", "ControllerNodeRole"]),
        ("classic", ControllerCapacity.fargate(), ["NodeRole", "PodExecutionRole"]),
        ("classic_both", ControllerCapacity.nodegroup(), []),
    ],
)
def test_fails_at_synth_on_a_path_that_a_mapped_role_got_later(kind, capacity, roles):
    home = clusters.stack()
    installed = install(kind, home, IdentityType.IRSA, "made", controller_capacity=capacity)
    for name in ("NodeRole", "ControllerNodeRole", "PodExecutionRole"):
        role = installed.node.try_find_child(name)
        if role is not None:
            role.node.default_child.path = "/late/"
    assert installed.node.validate() == [GOT_A_PATH.format(role=role) for role in roles]


def test_windows_nodes_by_access_entry():
    home = clusters.stack()
    install("classic_both", home, IdentityType.IRSA, "made").add_node_class(
        "windows", ami="windows2022@latest"
    )
    assert Looks(home).access() == {"aws-auth": [], "entries": [("<NodeRole.Arn>", "EC2_WINDOWS")]}


def test_windows_nodes_by_aws_auth():
    home = clusters.stack()
    install("classic", home, IdentityType.IRSA, "made").add_node_class("windows", ami="windows2022@latest")
    [mapping] = Looks(home).access()["aws-auth"]
    assert mapping["groups"] == ["system:bootstrappers", "system:nodes", "eks:kube-proxy-windows"]


class TestFargate:
    @staticmethod
    @functools.cache
    def installed_on(kind: str) -> tuple[IdentityType, Looks]:
        home = clusters.stack()
        installed = karpenters.karpenter(kind, home, **karpenters.WITHOUT_QUEUE)
        return installed.identity_type, Looks(home)

    @pytest.mark.parametrize("kind", kinds("fargate", "v2_fargate"))
    def test_controller_of_a_fargate_cluster_runs_on_a_profile_of_its_own(self, kind: str):
        identity, looks = self.installed_on(kind)
        profiles = [
            profile
            for profile in looks.resources("AWS::EKS::FargateProfile")
            if profile["PodExecutionRoleArn"] == "<PodExecutionRole.Arn>"
        ]
        labels = [{"Key": "app.kubernetes.io/name", "Value": "karpenter"}]
        assert [profile["Selectors"] for profile in profiles] == [
            [{"Namespace": "kube-system", "Labels": labels}]
        ]
        assert identity is IdentityType.IRSA
        assert looks.values["dnsPolicy"] == "Default"
        assert looks.values["controller"]["env"] == [{"name": "AWS_REGION", "value": "eu-west-1"}]

    def test_its_role_is_mapped_where_cdk_writes_aws_auth(self):
        _, looks = self.installed_on("fargate")
        mapped = {mapping["rolearn"]: mapping for mapping in looks.access()["aws-auth"]}
        assert mapped["<PodExecutionRole.Arn>"] == {
            "rolearn": "<PodExecutionRole.Arn>",
            "username": "system:node:{{SessionName}}",
            "groups": ["system:bootstrappers", "system:nodes", "system:node-proxier"],
        }

    @pytest.mark.parametrize("kind", kinds("fargate", "v2_fargate"))
    def test_fails_with_pod_identity(self, kind: str):
        home = clusters.stack()
        with pytest.raises(SettingsError) as raised:
            karpenters.karpenter(kind, home, identity_type=IdentityType.POD_IDENTITY)
        assert str(raised.value) == (
            "`identity_type`: POD_IDENTITY does not work on Fargate, where the controller runs; use IdentityType.IRSA"
        )


class TestControllerNodegroup:
    @staticmethod
    @functools.cache
    def looks_on(kind: str) -> Looks:
        home = clusters.stack()
        capacity = ControllerCapacity.nodegroup()
        karpenters.karpenter(kind, home, controller_capacity=capacity, **karpenters.WITHOUT_QUEUE)
        return Looks(home)

    @pytest.mark.parametrize(
        "kind",
        kinds("classic", "classic_api", "fargate", "imported_classic", "v2", "v2_fargate", "imported_v2"),
    )
    def test_is_made_on_every_kind_of_cluster(self, kind: str):
        looks = self.looks_on(kind)
        [group] = looks.resources("AWS::EKS::Nodegroup")
        assert group["ClusterName"] == ("prod" if kind.startswith("imported") else "<Cluster>")
        assert group["Subnets"] == list(clusters.PRIVATE_SUBNETS)
        terms = looks.values["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        [term] = terms["nodeSelectorTerms"]
        assert {"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"} in term["matchExpressions"]
        assert {
            "key": "eks.amazonaws.com/nodegroup",
            "operator": "In",
            "values": ["<ControllerNodegroup.NodegroupName>"],
        } in term["matchExpressions"]

    def test_its_role_is_mapped_where_cdk_writes_aws_auth(self):
        mapped = [mapping["rolearn"] for mapping in self.looks_on("classic").access()["aws-auth"]]
        assert mapped == ["<NodeRole.Arn>", "<ControllerNodeRole.Arn>"]

    def test_other_charts_tolerate_its_taint_too(self):
        capacity = ControllerCapacity.nodegroup()
        installed = karpenters.karpenter(
            "imported_classic", clusters.stack(), controller_capacity=capacity, **karpenters.ROLES_ALONE
        )
        assert installed.critical_addons_tolerations == [
            {"key": "CriticalAddonsOnly", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
        ]


REFUSED: dict[str, tuple[Callable[[Stack], object], dict[str, Any], str]] = {
    "aws_auth_of_v2": (
        clusters.v2,
        {"node_access": "AWS_AUTH"},
        "`node_access`: Test/Cluster is in mode API and does not read aws-auth; use NodeAccess.ACCESS_ENTRY",
    ),
    "aws_auth_in_mode_api": (
        clusters.classic_api,
        {"node_access": "AWS_AUTH"},
        "`node_access`: Test/Cluster is in mode API and does not read aws-auth; use NodeAccess.ACCESS_ENTRY",
    ),
    "aws_auth_of_imported": (
        clusters.imported_classic,
        {"node_access": "AWS_AUTH"},
        "`node_access`: aws-auth of the imported cluster Test/Cluster cannot be written from here; use "
        "NodeAccess.ACCESS_ENTRY, or map the role yourself and use NodeAccess.NONE",
    ),
    "entry_in_mode_config_map": (
        clusters.classic,
        {"node_access": "ACCESS_ENTRY"},
        "`node_access`: an access entry needs a cluster that takes them, Test/Cluster is in mode CONFIG_MAP; create "
        "the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP, or use NodeAccess.AWS_AUTH",
    ),
    "pod_identity_of_imported": (
        clusters.imported_classic,
        {"identity_type": "POD_IDENTITY"},
        "`identity_type`: POD_IDENTITY needs the Pod Identity agent on the cluster; pass "
        "`pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed, or use "
        "IdentityType.IRSA",
    ),
    "irsa_of_imported_without_provider": (
        lambda home: clusters.imported_classic(home, open_id_connect_provider=None),
        {},
        "`identity_type`: IRSA needs the OIDC provider of the imported cluster Test/Cluster; pass "
        "`open_id_connect_provider` to from_cluster_attributes(), or use Pod Identity: pass "
        "`pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed",
    ),
    "v2_without_kubectl": (
        clusters.v2_without_kubectl,
        {},
        "`cluster`: cannot apply charts and manifests to Test/Cluster; pass "
        "kubectl_provider_options=KubectlProviderOptions(kubectl_layer=...) to aws_eks_v2.Cluster, or use "
        "install_chart=False",
    ),
    "imported_classic_without_kubectl": (
        lambda home: clusters.imported_classic(home, kubectl_provider=None),
        {},
        "`cluster`: cannot apply charts and manifests to Test/Cluster; pass kubectl_role_arn and kubectl_layer, or a "
        "kubectl_provider, to aws_eks.Cluster.from_cluster_attributes(), or use install_chart=False",
    ),
    "imported_v2_without_kubectl": (
        lambda home: clusters.imported_v2(home, kubectl_provider=None),
        {},
        "`cluster`: cannot apply charts and manifests to Test/Cluster; pass kubectl_provider to "
        "aws_eks_v2.Cluster.from_cluster_attributes(), or use install_chart=False",
    ),
}


@pytest.mark.parametrize("case", kinds(*REFUSED))
def test_fails(case: str):
    build, arguments, message = REFUSED[case]
    home = clusters.stack()
    cluster = build(home)
    with unchanged(home), pytest.raises(SettingsError) as raised:
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **arguments)
    assert str(raised.value) == message


class TestWithoutCharts:
    @pytest.mark.parametrize(
        "build",
        [clusters.imported_classic_bare, pytest.param(clusters.imported_v2_bare, marks=needs_eks_v2)],
        ids=["imported_classic_bare", "imported_v2_bare"],
    )
    def test_a_cluster_needs_a_name_only(self, build: Callable[[Stack], Any]):
        home = clusters.stack()
        installed = Karpenter(
            home,
            "Karpenter",
            cluster=build(home),
            version="1.14.1",
            install_chart=False,
            pod_identity_agent_installed=True,
            discovery=Discovery.by_id(subnets=["subnet-1"], security_groups=["sg-1"]),
        )
        assert installed.chart is None
        assert Looks(home).charts == []
        assert installed.chart_values["settings"]["clusterName"] == "prod"  # type: ignore[index]
        assert installed.chart_version == "1.14.1"
        assert installed.chart_repository == "oci://public.ecr.aws/karpenter/karpenter"

    def test_fails_to_apply_a_pool_without_kubectl(self):
        home = clusters.stack()
        cluster = clusters.imported_classic(home, kubectl_provider=None)
        installed = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", install_chart=False)
        with pytest.raises(SettingsError) as raised:
            installed.add_node_class("default")
        assert str(raised.value) == (
            "`node_classes['default']`: cannot apply charts and manifests to Test/Cluster; pass kubectl_role_arn and "
            "kubectl_layer, or a kubectl_provider, to aws_eks.Cluster.from_cluster_attributes(), or apply the object "
            "from elsewhere"
        )


@needs_eks_v2
def test_auto_mode_is_warned_of():
    home = clusters.stack()
    Karpenter(
        home,
        "Karpenter",
        cluster=clusters.v2_automode(home),
        version="1.14.1",
        **karpenters.WITHOUT_QUEUE,
    )
    warnings = Annotations.from_stack(home).find_warning("*", Match.string_like_regexp("Auto Mode"))
    assert [warning.entry.data for warning in warnings] == [
        "Test/Cluster runs EKS Auto Mode, which has a Karpenter of its own: both would scale for the same pods, and "
        "the karpenter-crd chart fails on the CRDs that Auto Mode owns; create the cluster with default_capacity_type="
        "DefaultCapacityType.NODEGROUP and default_capacity=0. [ack: karpenter-construct:autoMode]"
    ]
