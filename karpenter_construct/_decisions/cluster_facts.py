"""What the settings need to know about a cluster, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple


class AuthenticationMode(str, Enum):
    """How an EKS cluster takes its principals (``eks:AuthenticationMode``)."""

    CONFIG_MAP = "CONFIG_MAP"
    API_AND_CONFIG_MAP = "API_AND_CONFIG_MAP"
    API = "API"


class ClusterFacts(NamedTuple):
    """A cluster as its CDK construct describes it.

    Attributes:
        path: The construct path or name to show in messages.
        module: ``aws_eks`` or ``aws_eks_v2``.
        name: The cluster's name; a token where CloudFormation makes it up.
        literal_name: The name where it is known at synth, else ``None``.
        region: The region that Karpenter is deployed to; a token where its stack does not say.
        account: The account, likewise.
        cluster_place: The account and the region of the cluster; each a token where its stack does not say.
        owned: Whether the app creates the cluster, as opposed to importing it.
        same_stack: Whether the cluster lives in the stack of the Karpenter construct.
        authentication_mode: ``None`` where it is unknown (imported clusters).
        kubernetes_version: Such as ``1.35``; ``None`` where it is unknown.
        has_oidc_provider: Whether an IAM OIDC provider is known, or can be made.
        has_kubectl: Whether manifests and charts can be applied.
        kubectl_missing: Why they cannot and what to pass, as words for the user; empty where nothing is missing.
        kubectl_layer_minor: The Kubernetes minor of the kubectl layer, ``None`` where it is unknown.
        auto_mode: Whether EKS Auto Mode manages compute on this cluster.
        fargate_only: Whether the cluster was made for Fargate (``FargateCluster``).
        ipv6: Whether pods get IPv6 addresses.
        cdk_version: The version of aws-cdk-lib at work.
        other_karpenter: The construct path of what installs Karpenter on this cluster already.
        private_subnet_count: How many private subnets with egress the cluster's VPC has; ``None`` where the VPC is
            unknown (imported clusters).
        private_zones: Gives the availability zones of these subnets, names or tokens; none where they are unknown.
        has_security_group: Whether the cluster security group is known.
        has_endpoint: Whether the address of the API server is known.
    """

    path: str
    module: str
    name: str
    literal_name: str | None
    region: str
    account: str
    owned: bool
    same_stack: bool
    authentication_mode: AuthenticationMode | None
    kubernetes_version: str | None
    has_oidc_provider: bool
    has_kubectl: bool
    cluster_place: tuple[str, str] = ("", "")
    kubectl_missing: str = ""
    kubectl_layer_minor: int | None = None
    auto_mode: bool = False
    fargate_only: bool = False
    ipv6: bool = False
    cdk_version: str = "2.148.0"
    other_karpenter: str | None = None
    private_subnet_count: int | None = 0
    private_zones: Callable[[], Sequence[str]] = tuple
    has_security_group: bool = True
    has_endpoint: bool = True


class Neighbours(NamedTuple):
    """What else the app puts on the cluster, as far as it matters to Karpenter; known when all is built.

    Attributes:
        charts: The names of Helm charts, such as ``cluster-autoscaler``.
        karpenter: The construct path of a chart that installs another Karpenter.
        tagged_security_groups: The security groups that carry the cluster's discovery tag: the construct path of each
            by its id, which is a token.
        node_groups: The managed node groups of the cluster: the construct path of each by the ARN of its role.
        room: With how many nodes the app begins the cluster; ``None`` where it does not say, or nobody asked.
    """

    charts: tuple[str, ...] = ()
    karpenter: str | None = None
    tagged_security_groups: Mapping[str, str] = MappingProxyType({})
    node_groups: Mapping[str, str] = MappingProxyType({})
    room: int | None = None
