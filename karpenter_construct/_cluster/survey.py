"""What else the app has put on its clusters, found in one walk over the construct tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aws_cdk import aws_lambda
from constructs import Construct, IConstruct

_CHARTS = ("aws-cdk-lib.aws_eks.HelmChart", "aws-cdk-lib.aws_eks_v2.HelmChart")
_ADDONS = ("aws-cdk-lib.aws_eks.CfnAddon", "aws-cdk-lib.aws_eks_v2.CfnAddon")
_NODE_GROUPS = ("aws-cdk-lib.aws_eks.Nodegroup", "aws-cdk-lib.aws_eks_v2.Nodegroup")
_LAYER = re.compile(r"@aws-cdk/lambda-layer-kubectl-v\d+\..*|aws-cdk-lib\.aws_lambda\.LayerVersion")
# Each construct costs a trip to the Node.js process, so most of the tree is left out: of CDK's own classes,
# only these have charts, add-ons and layers among their descendants, and a cluster has them as children.
_CONTAINERS = re.compile(r"aws-cdk-lib\.(App|Stage|Stack|NestedStack)")
_CLUSTERS = re.compile(r"aws-cdk-lib\.aws_eks(_v2)?\.(I|Fargate)?Cluster")
_L2_ADDONS = ("aws-cdk-lib.aws_eks.Addon", "aws-cdk-lib.aws_eks_v2.Addon")


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
class Survey:
    """What an app installs that matters here, in the order of the tree."""

    charts: tuple[Chart, ...]
    addons: tuple[Addon, ...]
    layers: tuple[aws_lambda.ILayerVersion, ...]
    node_groups: tuple[Any, ...]


def survey(root: IConstruct) -> Survey:
    """Look through a construct tree. Cluster names are as the resources have them: literals or tokens."""
    charts, addons, layers, node_groups = [], [], [], []
    for name, construct in _walk(root):
        if name in _CHARTS:
            charts.append(_chart(construct))
        elif name in _ADDONS:
            addons.append(Addon(construct, construct.addon_name, construct.cluster_name))
        elif _LAYER.fullmatch(name):
            layers.append(construct)
        elif name in _NODE_GROUPS:
            node_groups.append(construct)
    return Survey(tuple(charts), tuple(addons), tuple(layers), tuple(node_groups))


def _walk(construct: IConstruct, *, inside_cluster: bool = False) -> Iterator[tuple[str, Any]]:
    for child in construct.node.children:
        name = _jsii_name(child)
        yield name, child
        if name in _L2_ADDONS or _CLUSTERS.fullmatch(name):
            yield from _walk(child, inside_cluster=True)
        elif not inside_cluster and (not name.startswith("aws-cdk-lib.") or _CONTAINERS.fullmatch(name)):
            yield from _walk(child)


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
