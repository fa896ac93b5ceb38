"""What else the app has put on its clusters, found in walks over the construct tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from aws_cdk import aws_ec2
from constructs import Construct, IConstruct, Node

if TYPE_CHECKING:
    from aws_cdk import aws_lambda

T = TypeVar("T")

_LAYER = re.compile(r"@aws-cdk/lambda-layer-kubectl-v\d+\..*|aws-cdk-lib\.aws_lambda\.LayerVersion")
# Each construct costs a trip to the Node.js process, so most of the tree is left out: of CDK's own classes,
# only these have what is looked for among their descendants, and a cluster has it as children.
_CONTAINERS = re.compile(r"aws-cdk-lib\.(App|Stage|Stack|NestedStack)|(?!aws-cdk-lib\.|@aws-cdk/).*")
_CLUSTERS = re.compile(r"aws-cdk-lib\.aws_eks(_v2)?\.(I|Fargate)?Cluster")
# What may be, or make, nodes by itself; what a template has that is included is not seen.
_OTHER_MACHINES = re.compile(
    r"aws-cdk-lib\.(aws_autoscaling\.CfnAutoScalingGroup|aws_ec2\.(Cfn)?Instance|aws_ec2\.Cfn(EC2|Spot)Fleet"
    r"|cloudformation_include\.CfnInclude)"
)
_GENERIC = "aws-cdk-lib.CfnResource"
_MACHINE_TYPES = {"AWS::EKS::Nodegroup", "AWS::EKS::FargateProfile", "AWS::AutoScaling::AutoScalingGroup"}
_L2_ADDONS = re.compile(r"aws-cdk-lib\.aws_eks(_v2)?\.Addon")


class Chart(NamedTuple):
    """A Helm chart that the app installs."""

    path: str
    name: str
    cluster_name: str


class Addon(NamedTuple):
    """An EKS add-on that the app installs."""

    resource: Construct
    name: str
    cluster_name: str


class NodeGroup(NamedTuple):
    """A managed node group, or an Auto Scaling group that a cluster made.

    Attributes:
        resource: The group.
        cluster_name: The name of its cluster; ``None`` for an Auto Scaling group of something else.
        admitted_role_arn: The role that EKS lets into the cluster by itself, with the group.
    """

    resource: Construct
    cluster_name: str | None
    admitted_role_arn: str | None = None


class FargateProfile(NamedTuple):
    """A Fargate profile."""

    resource: Construct
    cluster_name: str


class Survey:
    """What an app installs that matters here, in the order of the tree; read from the constructs when it is asked for.

    Args:
        found: Every construct that may matter, by jsii class.
    """

    def __init__(self, found: Sequence[tuple[str, Any]]) -> None:
        self._found = found

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """The Helm charts."""
        return self._read(_CHARTS)

    @cached_property
    def addons(self) -> tuple[Addon, ...]:
        """The EKS add-ons."""
        return self._read(_ADDONS)

    @cached_property
    def layers(self) -> tuple[aws_lambda.ILayerVersion, ...]:
        """The layers of Lambda functions."""
        return tuple(construct for name, construct in self._found if _LAYER.fullmatch(name))

    @cached_property
    def node_groups(self) -> tuple[NodeGroup, ...]:
        """The groups of nodes."""
        return self._read(_NODE_GROUPS)

    @cached_property
    def fargate_profiles(self) -> tuple[FargateProfile, ...]:
        """The Fargate profiles."""
        return self._read(_FARGATE_PROFILES)

    @cached_property
    def security_groups(self) -> tuple[aws_ec2.CfnSecurityGroup, ...]:
        """The security groups."""
        return self._read(_SECURITY_GROUPS)

    @cached_property
    def cluster_names(self) -> frozenset[str]:
        """The names of the clusters."""
        return frozenset(cluster.cluster_name for name, cluster in self._found if _CLUSTERS.fullmatch(name))

    @property
    def may_hold_nodes(self) -> bool:
        """Whether there is anything else that may make nodes of one cluster or another."""
        return any(
            _OTHER_MACHINES.fullmatch(name)
            or (name == _GENERIC and construct.cfn_resource_type in _MACHINE_TYPES)
            for name, construct in self._found
        )

    def _read(self, readers: Mapping[str, Callable[[Any], T]]) -> tuple[T, ...]:
        return tuple(readers[name](construct) for name, construct in self._found if name in readers)


class Tree:
    """The construct tree of an app, looked through as often as it may have grown.

    Args:
        construct: Any construct of the app.
    """

    def __init__(self, construct: IConstruct) -> None:
        self._construct = construct
        # A construct keeps its node, which is a trip to ask for.
        self._nodes: dict[str, Node] = {}

    @cached_property
    def root(self) -> Node:
        """The node of the app."""
        return self.node_of(self.node_of(self._construct).root)

    def node_of(self, construct: Any) -> Node:  # noqa: ANN401
        """The node of a construct."""
        reference = construct.__jsii_ref__.ref
        if reference not in self._nodes:
            self._nodes[reference] = construct.node
        return self._nodes[reference]

    def survey(self, *, without: IConstruct | None = None) -> Survey:
        """Look through it. Cluster names are as the resources have them: literals or tokens.

        Args:
            without: A construct that is left out, with everything below it.
        """
        return Survey(list(self._walk(self.root, without)))

    def _walk(
        self, node: Node, without: IConstruct | None, *, inside_cluster: bool = False
    ) -> Iterator[tuple[str, Any]]:
        for child in node.children:
            # One Python object, where Python made the construct.
            if child is without:
                continue
            name = _jsii_name(child)
            yield name, child
            if _L2_ADDONS.fullmatch(name) or _CLUSTERS.fullmatch(name):
                yield from self._walk(self.node_of(child), without, inside_cluster=True)
            elif not inside_cluster and _CONTAINERS.fullmatch(name):
                yield from self._walk(self.node_of(child), without)


def _jsii_name(construct: object) -> str:
    """The jsii class that a construct is of or derives from; the interface, where its class is not public."""
    name: str | None = getattr(type(construct), "__jsii_type__", None)
    if name is None:
        interfaces = getattr(getattr(construct, "__jsii_ref__", None), "interfaces", None)
        name = interfaces[0] if interfaces else ""
    return name


def _chart(chart: Any) -> Chart:  # noqa: ANN401
    resource = chart.node.find_child("Resource").node.default_child
    # Of an OCI chart, CDK's Helm handler takes the name from the address.
    repository: str = chart.repository or ""
    name = repository.rsplit("/", 1)[-1] if repository.startswith("oci://") else chart.chart or ""
    return Chart(chart.node.path, name, resource._cfn_properties["ClusterName"])


def _auto_scaling_group(group: Any) -> NodeGroup:  # noqa: ANN401
    # CDK keeps no cluster with the group; one that a cluster made is its child.
    return NodeGroup(group, getattr(group.node.scope, "cluster_name", None))


def _classic_fargate_profile(profile: Any) -> FargateProfile:  # noqa: ANN401
    resource = profile.node.find_child("Resource").node.default_child
    return FargateProfile(profile, resource._cfn_properties["Config"]["clusterName"])


def _of_eks(**readers: Callable[[Any], T]) -> dict[str, Callable[[Any], T]]:
    """Readers of classes that both EKS modules have alike."""
    return {
        f"aws-cdk-lib.{module}.{name}": reader
        for module in ("aws_eks", "aws_eks_v2")
        for name, reader in readers.items()
    }


_CHARTS = _of_eks(HelmChart=_chart)
_ADDONS = _of_eks(CfnAddon=lambda addon: Addon(addon, addon.addon_name, addon.cluster_name))
_NODE_GROUPS: Mapping[str, Callable[[Any], NodeGroup]] = {
    **_of_eks(
        Nodegroup=lambda group: NodeGroup(group, group.cluster.cluster_name, group.role.role_arn),
        CfnNodegroup=lambda group: NodeGroup(group, group.cluster_name, group.node_role),
    ),
    "aws-cdk-lib.aws_autoscaling.AutoScalingGroup": _auto_scaling_group,
}
_FARGATE_PROFILES: Mapping[str, Callable[[Any], FargateProfile]] = {
    **_of_eks(CfnFargateProfile=lambda profile: FargateProfile(profile, profile.cluster_name)),
    "aws-cdk-lib.aws_eks.FargateProfile": _classic_fargate_profile,
    "aws-cdk-lib.aws_eks_v2.FargateProfile": lambda profile: FargateProfile(
        profile, profile.node.default_child.cluster_name
    ),
}
_SECURITY_GROUPS: Mapping[str, Callable[[Any], aws_ec2.CfnSecurityGroup]] = {
    "aws-cdk-lib.aws_ec2.SecurityGroup": lambda group: group.node.default_child,
    "aws-cdk-lib.aws_ec2.CfnSecurityGroup": lambda group: group,
}
