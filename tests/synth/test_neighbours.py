"""What else the app puts on the cluster, whether it was there before Karpenter or comes after."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import CfnResource, Fn, Stack, Tags, assertions, aws_autoscaling, aws_ec2, aws_eks, aws_iam
from constructs import Construct

from karpenter_construct import ControllerCapacity, Discovery, Karpenter, NodeAccess, SettingsError

from . import clusters, karpenters

both_orders = pytest.mark.parametrize("order", ["before", "after"])

Add = Callable[[Stack, Any], object]


def app(
    order: str, add: Add, build: Callable[..., Any] = clusters.imported_classic, **arguments: Any
) -> Stack:
    """A cluster with Karpenter, and what ``add`` builds."""
    home = clusters.stack()
    cluster = build(home)
    if order == "before":
        add(home, cluster)
    given = {
        **karpenters.WITHOUT_QUEUE,
        "controller_capacity": ControllerCapacity.existing("critical"),
        **arguments,
    }
    Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **given)
    if order == "after":
        add(home, cluster)
    return home


def warned(home: Stack) -> list[str]:
    found = assertions.Annotations.from_stack(home).find_warning(
        "/Test/Karpenter", assertions.Match.any_value()
    )
    return sorted(re.sub(r".*\[ack: karpenter-construct:(\w+)\]", r"\1", entry.entry.data) for entry in found)


def fails(home: Stack) -> str:
    """The message with which the synth fails."""
    with pytest.raises(RuntimeError) as raised:
        assertions.Template.from_stack(home)
    [line] = [line for line in str(raised.value).splitlines() if "[Test/Karpenter]" in line]
    return line.partition("[Test/Karpenter] ")[2]


# Charts


@both_orders
@pytest.mark.parametrize(
    ("charts", "ids"),
    [
        (["metrics-server"], []),
        (["cluster-autoscaler"], ["clusterAutoscaler"]),
        (["aws-node-termination-handler"], ["nodeTerminationHandler"]),
        (
            ["aws-node-termination-handler", "cluster-autoscaler"],
            ["clusterAutoscaler", "nodeTerminationHandler"],
        ),
    ],
)
def test_charts_that_scale_or_drain_too(order, charts, ids):
    def add(home: Stack, cluster: Any) -> None:  # noqa: ARG001
        for chart in charts:
            cluster.add_helm_chart(chart, chart=chart, repository="https://charts.example.com")

    assert warned(app(order, add)) == ids


def by_hand(home: Stack, cluster: Any) -> None:  # noqa: ARG001
    repository = "oci://public.ecr.aws/karpenter/karpenter"
    cluster.add_helm_chart("ByHand", chart="karpenter", repository=repository, version="1.14.1")


SECOND = (
    "`cluster`: Test/Cluster has Karpenter already, from Test/Cluster/chart-ByHand, and two would fight over its "
    "nodes; add node pools to the first"
)


def test_fails_where_someone_has_installed_karpenter():
    with pytest.raises(SettingsError) as raised:
        app("before", by_hand)
    assert str(raised.value) == SECOND


def test_fails_where_someone_installs_karpenter_later():
    assert fails(app("after", by_hand)) == SECOND


# Security groups


def tagged(value: Callable[[Any], str]) -> Add:
    def add(home: Stack, cluster: Any) -> None:
        group = aws_ec2.SecurityGroup(home, "Group", vpc=cluster.vpc)
        Tags.of(group).add("karpenter.sh/discovery", value(cluster))

    return add


@both_orders
@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (lambda _: clusters.NAME, ["severalDiscoveryGroups"]),
        (lambda cluster: cluster.cluster_name, ["severalDiscoveryGroups"]),
        (lambda _: "staging", []),
    ],
    ids=["name", "token", "other cluster"],
)
def test_a_second_security_group_with_the_tag(order, value, ids):
    assert warned(app(order, tagged(value), clusters.classic, discovery=None)) == ids


@both_orders
def test_a_security_group_of_the_l1_with_the_tag(order):
    def add(home: Stack, cluster: Any) -> None:  # noqa: ARG001
        tags = [{"key": "karpenter.sh/discovery", "value": clusters.NAME}]
        aws_ec2.CfnSecurityGroup(home, "Group", group_description="Mine", tags=tags)

    assert warned(app(order, add, discovery=None)) == ["severalDiscoveryGroups"]


def test_the_tag_on_the_whole_cluster_is_on_its_second_group_too():
    def add(home: Stack, cluster: Any) -> None:  # noqa: ARG001
        Tags.of(cluster).add("karpenter.sh/discovery", clusters.NAME)

    assert warned(app("after", add, clusters.classic, discovery=None)) == ["severalDiscoveryGroups"]


@both_orders
def test_groups_that_are_selected_by_id_need_no_tag(order):
    add = tagged(lambda _: clusters.NAME)
    assert warned(app(order, add, discovery=Discovery.by_id())) == []


def test_the_group_that_was_given_and_tagged_is_one():
    home = clusters.stack()
    cluster = clusters.imported_classic(home)
    group = aws_ec2.SecurityGroup(home, "Group", vpc=cluster.vpc)
    Tags.of(group).add("karpenter.sh/discovery", clusters.NAME)
    discovery = Discovery.by_tag(security_groups=[group])
    given = {**karpenters.WITHOUT_QUEUE, "discovery": discovery}
    Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **given)
    assert warned(home) == []


# Nodes for a controller that takes any


def group(desired: int) -> Add:
    return lambda home, cluster: cluster.add_nodegroup_capacity(  # noqa: ARG005
        f"Group{desired}", min_size=desired, desired_size=desired
    )


def bare_group(cluster_name: Callable[[Stack, Any], str], desired: int | None = 1) -> Add:
    def add(home: Stack, cluster: Any) -> None:
        scaling = {} if desired is None else {"scaling_config": {"desiredSize": desired}}
        name = cluster_name(home, cluster)
        aws_eks.CfnNodegroup(
            home,
            "Bare",
            cluster_name=name,
            node_role="arn:aws:iam::1:role/n",
            subnets=["subnet-1"],
            **scaling,
        )

    return add


def other_cluster(home: Stack, cluster: Any) -> str:  # noqa: ARG001
    elsewhere = Stack(home.node.root, "Elsewhere")
    return str(clusters.classic_unnamed(elsewhere).cluster_name)


def fargate_profile(home: Stack, cluster: Any) -> None:  # noqa: ARG001
    cluster.add_fargate_profile("Profile", selectors=[aws_eks.Selector(namespace="kube-system")])


def auto_scaling_group(home: Stack, cluster: Any) -> None:
    aws_autoscaling.AutoScalingGroup(
        home,
        "Machines",
        vpc=cluster.vpc,
        instance_type=aws_ec2.InstanceType("m5.large"),
        machine_image=aws_ec2.MachineImage.generic_linux({"eu-west-1": "ami-1"}),
    )


def bare_machines(home: Stack, cluster: Any) -> None:  # noqa: ARG001
    aws_autoscaling.CfnAutoScalingGroup(home, "Bare", min_size="1", max_size="2")


def bare_instance(home: Stack, cluster: Any) -> None:  # noqa: ARG001
    aws_ec2.CfnInstance(home, "Bare")


def both(*adds: Add) -> Add:
    def add(home: Stack, cluster: Any) -> None:
        for each in adds:
            each(home, cluster)

    return add


def nothing(home: Stack, cluster: Any) -> None:
    pass


def generic_group(resource_type: str) -> Add:
    return lambda home, _: CfnResource(home, "Nodes", type=resource_type)


ROOM: dict[str, tuple[Add, list[str]]] = {
    "nothing": (nothing, ["noNodes"]),
    "none to begin with": (group(0), ["noNodes"]),
    "one": (group(1), ["oneNode"]),
    "two": (group(2), []),
    "one and two": (both(group(1), group(2)), []),
    "one of the L1": (bare_group(lambda _, cluster: cluster.cluster_name), ["oneNode"]),
    "one by name": (bare_group(lambda *_: clusters.NAME), ["oneNode"]),
    "a group that does not say how many": (bare_group(lambda *_: clusters.NAME, None), []),
    "a group of another name": (bare_group(lambda *_: "staging"), ["noNodes"]),
    "a group of another cluster": (bare_group(other_cluster), ["noNodes"]),
    "a group of who knows": (bare_group(lambda *_: Fn.import_value("name")), []),
    "Fargate": (fargate_profile, []),
    "Auto Scaling": (auto_scaling_group, []),
    "Auto Scaling of the L1": (bare_machines, []),
    "an instance": (bare_instance, []),
    "a group without a class": (generic_group("AWS::EKS::Nodegroup"), []),
    "another resource without a class": (generic_group("AWS::SSM::Parameter"), ["noNodes"]),
}


# The controller's own choice of nodes, which there is only where its chart is installed.
ANY_NODE = {"controller_capacity": None}


@pytest.mark.parametrize("name", ROOM)
def test_what_the_app_has_for_the_controller_to_run_on(name):
    add, ids = ROOM[name]
    assert warned(app("after", add, clusters.classic, **ANY_NODE)) == ids


@pytest.mark.parametrize("name", ["nothing", "one", "two"])
def test_the_order_does_not_matter(name):
    add, ids = ROOM[name]
    assert warned(app("before", add, clusters.classic, **ANY_NODE)) == ids


@pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
@pytest.mark.parametrize("name", ["nothing", "one", "two"])
def test_clusters_of_the_second_version_are_looked_at_too(name):
    add, ids = ROOM[name]
    assert warned(app("after", add, clusters.v2, **ANY_NODE)) == ids


def test_the_default_capacity_counts():
    def cluster(home: Stack) -> Any:
        return clusters.classic(home, default_capacity=1)

    assert warned(app("after", nothing, cluster, **ANY_NODE)) == ["oneNode"]
    assert warned(app("after", nothing, cluster, **ANY_NODE, replicas=1)) == []


ELSEWHERE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "an imported cluster": (clusters.imported_classic, {}),
    "Fargate alone": (clusters.fargate, {}),
    "Fargate alone, and any node": (
        clusters.fargate,
        {"controller_capacity": ControllerCapacity.anywhere()},
    ),
    "no chart": (clusters.classic, {"install_chart": False}),
    "nodes that exist": (clusters.classic, {"controller_capacity": ControllerCapacity.existing("critical")}),
    "a group that is made": (clusters.classic, {"controller_capacity": ControllerCapacity.nodegroup()}),
    "no controller for a while": (clusters.classic, {"helm_values": {"replicas": 0}}),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_nothing_is_said_where_nodes_are_not_missed(name):
    build, arguments = ELSEWHERE[name]
    assert warned(app("after", nothing, build, **{**ANY_NODE, **arguments})) == []


# Roles of node groups


def entries(home: Stack) -> int:
    return len(
        assertions.Template.from_stack(home).find_resources(
            "AWS::EKS::AccessEntry", {"Properties": {"Type": "EC2_LINUX"}}
        )
    )


def on_nodes_of_a_group(order: str, build: Callable[..., Any], **arguments: Any) -> Stack:
    home = clusters.stack()
    cluster = build(home)
    role = aws_iam.Role(home, "Nodes", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))

    def make_group() -> Construct:
        return aws_eks.CfnNodegroup(
            home, "Group", cluster_name=cluster.cluster_name, node_role=role.role_arn, subnets=["subnet-1"]
        )

    if order == "before":
        make_group()
    given = {"node_role": role, **karpenters.WITHOUT_QUEUE, **arguments}
    Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **given)
    if order == "after":
        make_group()
    return home


def test_a_role_that_came_with_a_node_group_gets_no_second_entry():
    assert entries(on_nodes_of_a_group("before", clusters.classic_api)) == 0


def test_fails_on_a_role_that_gets_a_second_entry_with_a_node_group():
    assert fails(on_nodes_of_a_group("after", clusters.classic_api)) == (
        "`node_role`: is the role of the node group Test/Group too, which EKS lets into the cluster itself, and a "
        "second access entry fails; define the node group before Karpenter, or use NodeAccess.NONE"
    )


@both_orders
def test_without_an_entry_of_ours_the_order_does_not_matter(order):
    home = on_nodes_of_a_group(order, clusters.classic_api, node_access=NodeAccess.NONE)
    assert entries(home) == 0


def test_fails_where_the_role_made_here_is_given_to_a_node_group():
    home = clusters.stack()
    cluster = clusters.imported_classic(home)
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
    aws_eks.CfnNodegroup(
        home,
        "Group",
        cluster_name=clusters.NAME,
        node_role=karpenter.node_role.role_arn,
        subnets=["subnet-1"],
    )
    assert fails(home).startswith("`node_role`: is the role of the node group Test/Group too, ")
