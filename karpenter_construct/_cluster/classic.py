"""Clusters of ``aws_eks``."""

from __future__ import annotations

from collections.abc import Sequence

from aws_cdk import Stack, aws_eks, aws_iam
from constructs import Construct

from .._decisions.cluster_facts import AuthenticationMode
from ..errors import Problem, SettingsError
from .adapter import ClusterAdapter
from .description import is_same, minor_version
from .kubectl_layer import kubectl_minor

_FARGATE_USERNAME = "system:node:{{SessionName}}"
_FARGATE_GROUPS = ("system:bootstrappers", "system:nodes", "system:node-proxier")
"""What CDK gives the role of a Fargate profile (aws-cdk ``aws-eks/lib/fargate-profile.ts``)."""
_NODE_USERNAME = "system:node:{{EC2PrivateDNSName}}"
"""The user that aws-iam-authenticator makes of a node."""
_BUILT_IN_KUBECTL = 20
"""The Kubernetes minor of the kubectl that CDK before 2.179 takes where it is given no layer."""


class ClassicCluster(ClusterAdapter):
    """An ``aws_eks.Cluster`` or ``FargateCluster``, or an imported ``aws_eks.ICluster``."""

    module = aws_eks

    def map_node_role(self, role: aws_iam.IRole, groups: Sequence[str]) -> Construct:
        """Map the role in the ConfigMap that the cluster's construct writes."""
        aws_auth = self._aws_auth_for(role, "node_role")
        aws_auth.add_role_mapping(role, username=_NODE_USERNAME, groups=list(groups))
        return aws_auth

    def map_fargate_role(self, role: aws_iam.IRole) -> Construct:
        """Map the pod execution role of a Fargate profile, as CDK does for profiles of its own."""
        aws_auth = self._aws_auth_for(role, "controller_capacity")
        aws_auth.add_role_mapping(role, username=_FARGATE_USERNAME, groups=list(_FARGATE_GROUPS))
        return aws_auth

    def _aws_auth_for(self, role: aws_iam.IRole, path: str) -> aws_eks.AwsAuth:
        # `aws_auth` of a cluster that cannot have one fails and leaves half of it in the tree.
        if not self.owned or self.facts.authentication_mode is AuthenticationMode.API:
            raise SettingsError(
                Problem(
                    "node_access",
                    "AWS_AUTH needs a cluster of this app that reads aws-auth, "
                    f"got {self.path}; use NodeAccess.ACCESS_ENTRY",
                )
            )
        if not is_same(self.cluster_stack, Stack.of(role)):
            raise SettingsError(
                Problem(
                    path,
                    f"aws-auth of {self.path} cannot map a role of another stack, "
                    f"got {role.node.path}; define the role in the cluster's stack, "
                    "or use NodeAccess.ACCESS_ENTRY",
                )
            )
        aws_auth: aws_eks.AwsAuth = self.cluster.aws_auth
        return aws_auth

    def _authentication_mode(self) -> AuthenticationMode | None:
        if not self.owned:
            return None
        mode = self.cluster.authentication_mode
        # The EKS API takes a cluster that names no mode as CONFIG_MAP.
        return AuthenticationMode.CONFIG_MAP if mode is None else AuthenticationMode(mode.name)

    def _kubernetes_version(self) -> str | None:
        # CDK keeps the version private; the properties of the custom resource that makes the cluster are for
        # subclasses of CfnResource.
        resource = self._node.default_child.node.find_child("Resource").node.default_child
        return minor_version(resource._cfn_properties["Config"]["version"])

    def _kubectl_missing(self) -> str:
        if self.owned or self.cluster.kubectl_provider is not None:
            return ""
        arguments = self._missing_arguments()
        if not arguments:
            return ""
        return (
            f"cannot apply charts and manifests to {self.path}; pass {' and '.join(arguments)}, "
            "or a kubectl_provider, to aws_eks.Cluster.from_cluster_attributes()"
        )

    def _missing_arguments(self) -> list[str]:
        """What CDK needs to make a kubectl provider for an imported cluster, and was not given."""
        cluster = self.cluster
        needed = [("kubectl_role_arn", cluster.kubectl_role), ("kubectl_layer", cluster.kubectl_layer)]
        if cluster.kubectl_private_subnets:
            needed += [("kubectl_security_group_id", cluster.kubectl_security_group), ("vpc", self.vpc)]
        return [argument for argument, value in needed if value is None]

    def _kubectl_layer_minor(self) -> int | None:
        layer = self.cluster.kubectl_layer
        if layer is None and self.owned:
            return _BUILT_IN_KUBECTL
        return kubectl_minor(layer)

    def _auto_mode(self) -> bool:
        return False
