"""What `adapt` finds out about every kind of cluster, and that it builds nothing to find out."""

from __future__ import annotations

import functools
import importlib.metadata
from typing import Any

import pytest
from aws_cdk import Environment, Stack, aws_ec2, aws_ecs, aws_eks, aws_lambda, aws_s3
from constructs import Construct

from karpenter_construct._cluster import adapt
from karpenter_construct._cluster.known import known
from karpenter_construct._decisions.cluster_facts import AuthenticationMode, ClusterFacts
from karpenter_construct.errors import SettingsError

from . import clusters
from .trees import Tree

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")

OWNED = {
    "path": "Test/Cluster",
    "literal_name": "prod",
    "owned": True,
    "same_stack": True,
    "kubernetes_version": "1.33",
    "has_oidc_provider": True,
    "has_kubectl": True,
    "kubectl_missing": "",
    "kubectl_layer_minor": None,
    "auto_mode": False,
    "fargate_only": False,
    "ipv6": False,
    "other_karpenter": None,
    "private_subnet_count": 2,
    "private_zones": ("eu-west-1a", "eu-west-1b"),
    "has_security_group": True,
    "has_endpoint": True,
}
CLASSIC = {**OWNED, "module": "aws_eks", "authentication_mode": AuthenticationMode.CONFIG_MAP}
V2 = {**OWNED, "module": "aws_eks_v2", "authentication_mode": AuthenticationMode.API}
IMPORTED = {**OWNED, "owned": False, "kubernetes_version": None, "authentication_mode": None}

EXPECTED = {
    "classic": CLASSIC,
    "classic_config_map": CLASSIC,
    "classic_both": {**CLASSIC, "authentication_mode": AuthenticationMode.API_AND_CONFIG_MAP},
    "classic_api": {**CLASSIC, "authentication_mode": AuthenticationMode.API},
    "classic_unnamed": {**CLASSIC, "literal_name": None},
    "classic_subclass": CLASSIC,
    "fargate": {**CLASSIC, "fargate_only": True},
    "v2": V2,
    "v2_unnamed": {**V2, "literal_name": None},
    "v2_automode": {**V2, "auto_mode": True},
    "v2_fargate": {**V2, "fargate_only": True},
    "imported_classic": {**IMPORTED, "module": "aws_eks"},
    "imported_classic_by_role": {**IMPORTED, "module": "aws_eks"},
    "imported_v2": {**IMPORTED, "module": "aws_eks_v2"},
}


def facts_of(cluster: object, scope: Stack) -> ClusterFacts:
    return adapt(cluster, Construct(scope, "Karpenter")).facts


def test_every_kind_of_cluster_has_its_facts_written_down():
    assert set(clusters.BUILDERS) <= set(EXPECTED)


@functools.cache
def asked(kind: str) -> tuple[ClusterFacts, list[str]]:
    """The facts of one kind of cluster, and what changed in the construct tree meanwhile."""
    stack = clusters.stack()
    cluster = clusters.BUILDERS[kind](stack)
    tree = Tree(stack)
    facts = adapt(cluster, stack).facts
    return facts, tree.changes()


@pytest.mark.parametrize("kind", clusters.BUILDERS)
def test_facts_of(kind: str):
    found = asked(kind)[0]
    facts = {**found._asdict(), "private_zones": found.private_zones()}
    assert {key: facts[key] for key in EXPECTED[kind]} == EXPECTED[kind]


@pytest.mark.parametrize("kind", clusters.BUILDERS)
def test_facts_build_nothing_with(kind: str):
    assert asked(kind)[1] == []


@pytest.mark.parametrize(
    "build",
    [clusters.classic, clusters.classic_api, pytest.param(clusters.v2, marks=needs_eks_v2)],
)
def test_a_cluster_of_another_stack_is_known_as_such(build: Any):
    stack = clusters.stack()
    facts = facts_of(clusters.other_stack(stack, build), stack)
    assert (facts.path, facts.owned, facts.same_stack, facts.literal_name) == (
        "ClusterStack/Cluster",
        True,
        False,
        "prod",
    )


def test_the_name_of_an_owned_cluster_refers_to_the_cluster():
    stack = clusters.stack()
    name = facts_of(clusters.classic(stack), stack).name
    assert stack.resolve(name) == {"Ref": "Cluster9EE0221C"}


def test_the_name_of_an_imported_cluster_is_a_literal():
    stack = clusters.stack()
    assert facts_of(clusters.imported_classic(stack), stack).name == "prod"


def test_an_imported_cluster_whose_name_is_a_token_has_no_literal_name():
    stack = clusters.stack()
    owner = clusters.classic_unnamed(Stack(stack.node.root, "Owner"))
    facts = facts_of(clusters.imported_classic(stack, cluster_name=owner.cluster_name), stack)
    assert facts.literal_name is None
    assert facts.name == owner.cluster_name


def test_a_kubernetes_version_cdk_has_no_constant_for():
    stack = clusters.stack()
    cluster = clusters.classic(stack, version=aws_eks.KubernetesVersion.of("1.99"))
    assert facts_of(cluster, stack).kubernetes_version == "1.99"


@pytest.mark.parametrize(
    "build",
    [clusters.classic, pytest.param(clusters.v2, marks=needs_eks_v2)],
)
def test_ipv6_clusters(build: Any):
    stack = clusters.stack()
    # Both modules take the same words for the family.
    module = aws_eks if build is clusters.classic else clusters.eks2
    assert facts_of(build(stack, ip_family=module.IpFamily.IP_V6), stack).ipv6 is True


def test_an_ipv6_cluster_that_is_imported():
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack, ip_family=aws_eks.IpFamily.IP_V6)
    assert facts_of(cluster, stack).ipv6 is True


def test_the_cdk_at_work():
    stack = clusters.stack()
    installed = importlib.metadata.version("aws-cdk-lib")
    assert facts_of(clusters.imported_classic_bare(stack), stack).cdk_version == installed


@pytest.mark.parametrize(
    "build",
    [clusters.imported_classic_bare, pytest.param(clusters.imported_v2_bare, marks=needs_eks_v2)],
)
def test_an_imported_cluster_of_which_only_the_name_is_known(build: Any):
    stack = clusters.stack()
    adapter = adapt(build(stack), Construct(stack, "Karpenter"))
    facts = adapter.facts
    assert (facts.has_oidc_provider, facts.has_kubectl, facts.private_subnet_count) == (False, False, None)
    assert (facts.has_security_group, facts.has_endpoint) == (False, False)
    assert (adapter.vpc, adapter.private_subnets, adapter.oidc_provider()) == (None, None, None)
    assert (adapter.cluster_security_group_id, adapter.cluster_endpoint) == (None, None)


class Broken:
    @property
    def vpc(self) -> object:
        raise RuntimeError("the connection is lost")


def test_fails_with_any_other_error_of_an_imported_cluster():
    with pytest.raises(RuntimeError, match="the connection is lost"):
        known(Broken(), "vpc")


def test_what_an_imported_cluster_was_told():
    stack = clusters.stack()
    adapter = adapt(clusters.imported_classic(stack), Construct(stack, "Karpenter"))
    assert adapter.cluster_security_group_id == "sg-cluster"
    assert adapter.cluster_endpoint == "https://EXAMPLE.gr7.eu-west-1.eks.amazonaws.com"
    assert adapter.vpc is not None
    assert adapter.vpc.vpc_id == "vpc-1"


def test_subnets_without_egress_are_left_out():
    stack = clusters.stack()
    vpc = aws_ec2.Vpc(
        stack,
        "Own",
        max_azs=1,
        nat_gateways=1,
        subnet_configuration=[
            aws_ec2.SubnetConfiguration(name="Public", subnet_type=aws_ec2.SubnetType.PUBLIC),
            aws_ec2.SubnetConfiguration(name="Nodes", subnet_type=aws_ec2.SubnetType.PRIVATE_WITH_EGRESS),
            aws_ec2.SubnetConfiguration(name="Data", subnet_type=aws_ec2.SubnetType.PRIVATE_ISOLATED),
        ],
    )
    subnets = adapt(clusters.classic(stack, vpc=vpc), Construct(stack, "Karpenter")).private_subnets
    assert subnets is not None
    assert [subnet.node.path for subnet in subnets] == ["Test/Own/NodesSubnet1"]


# kubectl


def test_fails_without_kubectl_of_an_imported_classic_cluster():
    stack = clusters.stack()
    assert facts_of(clusters.imported_classic_bare(stack), stack).kubectl_missing == (
        "cannot apply charts and manifests to Test/Cluster; pass kubectl_role_arn and kubectl_layer, or a "
        "kubectl_provider, to aws_eks.Cluster.from_cluster_attributes()"
    )


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"kubectl_role_arn": None}, "pass kubectl_role_arn, or a kubectl_provider,"),
        ({"kubectl_layer": None}, "pass kubectl_layer, or a kubectl_provider,"),
        (
            {"kubectl_private_subnet_ids": ["subnet-1"], "kubectl_security_group_id": "sg-1", "vpc": None},
            "pass vpc, or a kubectl_provider,",
        ),
        (
            {"kubectl_private_subnet_ids": ["subnet-1"]},
            "pass kubectl_security_group_id, or a kubectl_provider,",
        ),
    ],
    ids=["role", "layer", "vpc", "security_group"],
)
def test_fails_without_the_one_argument_that_kubectl_lacks(changes: dict[str, Any], missing: str):
    stack = clusters.stack()
    facts = facts_of(clusters.imported_classic_by_role(stack, **changes), stack)
    assert facts.has_kubectl is False
    assert facts.kubectl_missing == (
        f"cannot apply charts and manifests to Test/Cluster; {missing} to "
        "aws_eks.Cluster.from_cluster_attributes()"
    )


def test_kubectl_in_private_subnets_of_an_imported_cluster():
    stack = clusters.stack()
    cluster = clusters.imported_classic_by_role(
        stack, kubectl_private_subnet_ids=["subnet-1"], kubectl_security_group_id="sg-1"
    )
    assert facts_of(cluster, stack).has_kubectl is True


@needs_eks_v2
def test_fails_without_kubectl_of_an_owned_v2_cluster():
    stack = clusters.stack()
    facts = facts_of(clusters.v2_without_kubectl(stack), stack)
    assert facts.has_kubectl is False
    assert facts.kubectl_missing == (
        "cannot apply charts and manifests to Test/Cluster; pass "
        "kubectl_provider_options=KubectlProviderOptions(kubectl_layer=...) to aws_eks_v2.Cluster"
    )


@needs_eks_v2
def test_fails_without_kubectl_of_an_imported_v2_cluster():
    stack = clusters.stack()
    facts = facts_of(clusters.imported_v2_bare(stack), stack)
    assert facts.has_kubectl is False
    assert facts.kubectl_missing == (
        "cannot apply charts and manifests to Test/Cluster; pass kubectl_provider to "
        "aws_eks_v2.Cluster.from_cluster_attributes()"
    )


def described_layer(stack: Stack, description: str | None, name: str = "Layer") -> aws_lambda.LayerVersion:
    bucket = aws_s3.Bucket.from_bucket_name(stack, f"{name}Code", "some-bucket")
    code = aws_lambda.Code.from_bucket(bucket, "layer.zip")
    return aws_lambda.LayerVersion(stack, name, code=code, description=description)


@pytest.mark.parametrize(
    ("description", "minor"),
    [
        ("/opt/kubectl/kubectl 1.35.2; /opt/helm/helm 4.1.3", 35),
        ("/opt/kubectl/kubectl 1.26; /opt/helm/helm 3.11", 26),
        ("our kubectl", None),
        (None, None),
    ],
)
def test_the_minor_of_a_kubectl_layer(description: str | None, minor: int | None):
    stack = clusters.stack()
    cluster = clusters.classic(stack, kubectl_layer=described_layer(stack, description))
    assert facts_of(cluster, stack).kubectl_layer_minor == minor


def test_the_layer_of_an_imported_classic_cluster():
    stack = clusters.stack()
    layer = described_layer(stack, "/opt/kubectl/kubectl 1.34.5; /opt/helm/helm 4.1.3")
    cluster = clusters.imported_classic_by_role(stack, kubectl_layer=layer)
    assert facts_of(cluster, stack).kubectl_layer_minor == 34


@needs_eks_v2
def test_the_layer_of_a_v2_cluster_is_the_one_that_its_function_uses():
    stack = clusters.stack()
    described_layer(stack, "/opt/kubectl/kubectl 1.30; /opt/helm/helm 3.17.1", name="Unused")
    layer = described_layer(stack, "/opt/kubectl/kubectl 1.34.5; /opt/helm/helm 4.1.3")
    options = clusters.eks2.KubectlProviderOptions(
        kubectl_layer=layer, awscli_layer=clusters.layer(stack, "AwsCliLayer")
    )
    assert facts_of(clusters.v2(stack, kubectl_provider_options=options), stack).kubectl_layer_minor == 34


def test_the_published_layers_say_what_they_carry():
    published = pytest.importorskip("aws_cdk.lambda_layer_kubectl_v36")
    stack = clusters.stack()
    cluster = clusters.classic(stack, kubectl_layer=published.KubectlV36Layer(stack, "Published"))
    assert facts_of(cluster, stack).kubectl_layer_minor == 36


# What is no EKS cluster


def ecs_cluster() -> object:
    return aws_ecs.Cluster(clusters.stack(), "Ecs")


def cfn_cluster() -> object:
    network = aws_eks.CfnCluster.ResourcesVpcConfigProperty(subnet_ids=["subnet-1"])
    return aws_eks.CfnCluster(
        clusters.stack(), "Cfn", role_arn=clusters.KUBECTL_ROLE_ARN, resources_vpc_config=network
    )


@pytest.mark.parametrize(
    ("make", "got"),
    [
        (lambda: None, "None"),
        (lambda: "prod", "'prod'"),
        (lambda: aws_eks.Cluster, "the class aws_cdk.aws_eks.Cluster"),
        (lambda: {"cluster_name": "prod"}, "{'cluster_name': 'prod'}"),
        (ecs_cluster, "an object of class aws_cdk.aws_ecs.Cluster"),
        (cfn_cluster, "an object of class aws_cdk.aws_eks.CfnCluster"),
        (
            lambda: clusters.vpc(clusters.stack()),
            "an object of class jsii._reference_map.InterfaceDynamicProxy",
        ),
    ],
    ids=["none", "name", "class", "dict", "ecs", "l1", "vpc"],
)
def test_fails_with_what_is_no_eks_cluster(make: Any, got: str):
    with pytest.raises(SettingsError) as failure:
        adapt(make(), clusters.stack())
    assert str(failure.value) == (
        f"`cluster`: is no EKS cluster, got {got}; pass an aws_eks.Cluster, an aws_eks_v2.Cluster, or what "
        "from_cluster_attributes() of either returns"
    )


def test_an_environment_that_is_known_changes_nothing():
    env = Environment(account=clusters.ACCOUNT, region=clusters.REGION)
    stack = clusters.stack(env=env)
    assert facts_of(clusters.classic(stack), stack).literal_name == "prod"
