"""What else the app has put on its clusters, found in one walk over the construct tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aws_cdk import aws_ec2
from constructs import Construct, IConstruct, Node

if TYPE_CHECKING:
    from aws_cdk import aws_lambda

_LAYER = re.compile(r"@aws-cdk/lambda-layer-kubectl-v\d+\..*|aws-cdk-lib\.aws_lambda\.LayerVersion")
# Each construct costs a trip to the Node.js process, so most of the tree is left out: of CDK's own classes,
# only these have what is looked for among their descendants, and a cluster has it as children.
_CONTAINERS = re.compile(r"aws-cdk-lib\.(App|Stage|Stack|NestedStack)|(?!aws-cdk-lib\.|@aws-cdk/).*")
_CLUSTERS = re.compile(r"aws-cdk-lib\.aws_eks(_v2)?\.(I|Fargate)?Cluster")
_L2_ADDONS = re.compile(r"aws-cdk-lib\.aws_eks(_v2)?\.Addon")


@dataclass(frozen=True)
class Chart:
    """A Helm chart that the app installs."""

    path: str
    name: str
    cluster_name: str


@dataclass(frozen=True)
class Addon:
    """An EKS add-on that the app installs."""

    resource: Construct
    name: str
    cluster_name: str


@dataclass(frozen=True)
class NodeGroup:
    """A managed node group, or an Auto Scaling group that a cluster made.

    Attributes:
        resource: The group.
        cluster_name: The name of its cluster; ``None`` for an Auto Scaling group of something else.
        admitted_role_arn: The role that EKS lets into the cluster by itself, with the group.
    """

    resource: Construct
    cluster_name: str | None
    admitted_role_arn: str | None = None


@dataclass(frozen=True)
class FargateProfile:
    """A Fargate profile."""

    resource: Construct
    cluster_name: str


@dataclass(frozen=True)
class Survey:
    """What an app installs that matters here, in the order of the tree."""

    charts: tuple[Chart, ...]
    addons: tuple[Addon, ...]
    layers: tuple[aws_lambda.ILayerVersion, ...]
    node_groups: tuple[NodeGroup, ...]
    fargate_profiles: tuple[FargateProfile, ...]
    security_groups: tuple[aws_ec2.CfnSecurityGroup, ...]


def survey(root: Node, *, without: IConstruct | None = None) -> Survey:
    """Look through a construct tree. Cluster names are as the resources have them: literals or tokens.

    Args:
        root: The node of the construct to begin below.
        without: A construct that is left out, with everything below it.
    """
    found: list[Any] = []
    layers = []
    for name, construct in _walk(root, without):
        if reader := _READERS.get(name):
            found.append(reader(construct))
        elif _LAYER.fullmatch(name):
            layers.append(construct)
    return Survey(
        charts=tuple(each for each in found if isinstance(each, Chart)),
        addons=tuple(each for each in found if isinstance(each, Addon)),
        layers=tuple(layers),
        node_groups=tuple(each for each in found if isinstance(each, NodeGroup)),
        fargate_profiles=tuple(each for each in found if isinstance(each, FargateProfile)),
        security_groups=tuple(each for each in found if isinstance(each, aws_ec2.CfnSecurityGroup)),
    )


def _walk(
    node: Node, without: IConstruct | None, *, inside_cluster: bool = False
) -> Iterator[tuple[str, Any]]:
    for child in node.children:
        # One Python object, where Python made the construct.
        if child is without:
            continue
        name = _jsii_name(child)
        yield name, child
        if _L2_ADDONS.fullmatch(name) or _CLUSTERS.fullmatch(name):
            yield from _walk(child.node, without, inside_cluster=True)
        elif not inside_cluster and _CONTAINERS.fullmatch(name):
            yield from _walk(child.node, without)


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


_IN_BOTH_MODULES: Mapping[str, Callable[[Any], object]] = {
    "HelmChart": _chart,
    "CfnAddon": lambda addon: Addon(addon, addon.addon_name, addon.cluster_name),
    "Nodegroup": lambda group: NodeGroup(group, group.cluster.cluster_name, group.role.role_arn),
    "CfnNodegroup": lambda group: NodeGroup(group, group.cluster_name, group.node_role),
    "CfnFargateProfile": lambda profile: FargateProfile(profile, profile.cluster_name),
}
_READERS: Mapping[str, Callable[[Any], object]] = {
    **{f"aws-cdk-lib.aws_eks.{name}": reader for name, reader in _IN_BOTH_MODULES.items()},
    **{f"aws-cdk-lib.aws_eks_v2.{name}": reader for name, reader in _IN_BOTH_MODULES.items()},
    "aws-cdk-lib.aws_eks.FargateProfile": _classic_fargate_profile,
    "aws-cdk-lib.aws_eks_v2.FargateProfile": lambda profile: FargateProfile(
        profile, profile.node.default_child.cluster_name
    ),
    "aws-cdk-lib.aws_autoscaling.AutoScalingGroup": _auto_scaling_group,
    "aws-cdk-lib.aws_ec2.SecurityGroup": lambda group: group.node.default_child,
    "aws-cdk-lib.aws_ec2.CfnSecurityGroup": lambda group: group,
}
