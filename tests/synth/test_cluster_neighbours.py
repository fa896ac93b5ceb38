"""What the adapters see of the rest of the app: other charts on the cluster, and another Karpenter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Environment, NestedStack, Stack, aws_eks, aws_s3_assets
from constructs import Construct

from karpenter_construct._cluster import ClusterAdapter, adapt
from karpenter_construct._decisions.cluster_facts import Neighbours

from . import clusters

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
every_module = pytest.mark.parametrize(
    "build",
    [
        clusters.classic,
        clusters.imported_classic,
        pytest.param(clusters.v2, marks=needs_eks_v2),
        pytest.param(clusters.imported_v2, marks=needs_eks_v2),
    ],
    ids=["classic", "imported_classic", "v2", "imported_v2"],
)

FIRST_ENV = Environment(account=clusters.ACCOUNT, region="eu-west-1")
SECOND_ENV = Environment(account=clusters.ACCOUNT, region="us-east-1")


def karpenter_on(cluster: object, scope: Construct, name: str = "Karpenter") -> ClusterAdapter:
    return adapt(cluster, Construct(scope, name))


def neighbours_of(cluster: object, scope: Construct) -> Neighbours:
    karpenter = Construct(scope, "Karpenter")
    return adapt(cluster, karpenter).neighbours(karpenter)


def another_stack(stack: Stack, name: str = "Second", env: Environment | None = None) -> Stack:
    return Stack(stack.node.root, name, env=env)


# Charts


@every_module
def test_charts_that_the_cluster_was_asked_to_add(build: Any):
    stack = clusters.stack()
    cluster = build(stack)
    for chart in ("aws-node-termination-handler", "cluster-autoscaler", "metrics-server"):
        cluster.add_helm_chart(chart, chart=chart, repository="https://charts.example.com")
    assert karpenter_on(cluster, stack, "First").facts.other_karpenter is None
    neighbours = neighbours_of(cluster, stack)
    assert neighbours.charts == ("aws-node-termination-handler", "cluster-autoscaler", "metrics-server")
    assert neighbours.karpenter is None


def test_a_chart_of_an_oci_registry():
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    repository = "oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler"
    cluster.add_helm_chart("Drain", chart="drain", repository=repository, version="0.27.0")
    assert neighbours_of(cluster, stack).charts == ("aws-node-termination-handler",)


def test_a_chart_of_an_asset_has_no_name():
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    asset = aws_s3_assets.Asset(stack, "Asset", path=str(Path(__file__).parent))
    cluster.add_helm_chart("Own", chart_asset=asset)
    assert neighbours_of(cluster, stack).charts == ("",)


PLACES: dict[str, Callable[[Stack], Construct]] = {
    "stack": lambda stack: stack,
    "construct": lambda stack: Construct(Construct(stack, "Platform"), "Scaling"),
    "nested_stack": lambda stack: NestedStack(stack, "Nested"),
    "other_stack": another_stack,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_chart_elsewhere_in_the_app(place: str):
    stack = clusters.stack()
    cluster = clusters.classic(stack)
    aws_eks.HelmChart(PLACES[place](stack), "Chart", cluster=cluster, chart="cluster-autoscaler")
    assert neighbours_of(cluster, stack).charts == ("cluster-autoscaler",)


def test_a_chart_on_another_cluster_does_not_count():
    stack = clusters.stack()
    other = clusters.imported_classic(another_stack(stack), cluster_name="other")
    other.add_helm_chart("Scale", chart="cluster-autoscaler")
    assert neighbours_of(clusters.classic(stack), stack).charts == ()


# Another Karpenter


@every_module
def test_a_cluster_that_another_karpenter_has(build: Any):
    stack = clusters.stack()
    cluster = build(stack)
    first = karpenter_on(cluster, stack, "First")
    assert first.facts.other_karpenter is None
    first.claim(Construct(stack, "Claimant"))
    assert karpenter_on(cluster, stack, "Second").facts.other_karpenter == "Test/Claimant"
    assert karpenter_on(cluster, another_stack(stack)).facts.other_karpenter == "Test/Claimant"


def test_a_cluster_on_which_karpenter_was_not_claimed_is_free():
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    assert karpenter_on(cluster, stack, "First").facts.other_karpenter is None
    assert karpenter_on(cluster, stack, "Second").facts.other_karpenter is None


@every_module
def test_a_karpenter_chart_that_someone_else_installs(build: Any):
    stack = clusters.stack()
    cluster = build(stack)
    repository = "oci://public.ecr.aws/karpenter/karpenter"
    cluster.add_helm_chart("ByHand", chart="karpenter", repository=repository, version="1.14.1")
    assert karpenter_on(cluster, stack).facts.other_karpenter == "Test/Cluster/chart-ByHand"


def test_one_cluster_imported_twice_into_one_environment():
    stack = clusters.stack(env=FIRST_ENV)
    second = another_stack(stack, env=FIRST_ENV)
    karpenter_on(clusters.imported_classic(stack), stack).claim(stack)
    facts = karpenter_on(clusters.imported_classic(second), second).facts
    assert facts.other_karpenter == "Test"


def test_one_cluster_owned_and_imported_by_name():
    stack = clusters.stack(env=FIRST_ENV)
    second = another_stack(stack, env=FIRST_ENV)
    karpenter_on(clusters.classic(stack), stack).claim(stack)
    facts = karpenter_on(clusters.imported_classic(second), second).facts
    assert facts.other_karpenter == "Test"


@pytest.mark.parametrize("build", [clusters.classic, clusters.classic_unnamed])
def test_one_cluster_owned_and_imported_by_its_token(build: Any):
    stack = clusters.stack()
    second = another_stack(stack)
    cluster = build(stack)
    karpenter_on(cluster, stack).claim(stack)
    imported = clusters.imported_classic(second, cluster_name=cluster.cluster_name)
    assert karpenter_on(imported, second).facts.other_karpenter == "Test"


def test_clusters_of_one_name_in_two_regions_are_two():
    stack = clusters.stack(env=FIRST_ENV)
    second = another_stack(stack, env=SECOND_ENV)
    karpenter_on(clusters.imported_classic(stack), stack).claim(stack)
    assert karpenter_on(clusters.imported_classic(second), second).facts.other_karpenter is None


def test_clusters_of_one_name_in_two_stacks_without_environment_may_be_two():
    stack = clusters.stack()
    second = another_stack(stack)
    karpenter_on(clusters.imported_classic(stack), stack).claim(stack)
    assert karpenter_on(clusters.imported_classic(second), second).facts.other_karpenter is None


def test_a_claim_leaves_no_trace_in_the_cloud_assembly():
    stack = clusters.stack()
    karpenter_on(clusters.imported_classic(stack), stack).claim(stack)
    out = Path(stack.node.root.synth().directory)
    written = list(out.rglob("*.json"))
    assert written != []
    assert [path.name for path in written if "karpenter-construct" in path.read_text()] == []
