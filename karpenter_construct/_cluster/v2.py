"""Clusters of ``aws_eks_v2``. Imported only for one: CDK before 2.240 lacks the module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import Stack, aws_eks_v2, aws_iam
from constructs import Construct

from .._decisions.cluster_facts import AuthenticationMode
from ..errors import Problem, SettingsError
from .adapter import ClusterAdapter
from .description import minor_version
from .kubectl_layer import kubectl_minor


class V2Cluster(ClusterAdapter):
    """An ``aws_eks_v2.Cluster`` or ``FargateCluster``, or an imported ``aws_eks_v2.ICluster``."""

    module = aws_eks_v2

    def map_node_role(self, role: aws_iam.IRole, groups: Sequence[str]) -> Construct:  # noqa: ARG002
        """Fail: these clusters do not read aws-auth."""
        raise SettingsError(
            Problem(
                "node_access",
                f"AWS_AUTH needs an aws_eks.Cluster, got the aws_eks_v2 cluster {self.path}; "
                "use NodeAccess.ACCESS_ENTRY",
            )
        )

    def map_fargate_role(self, role: aws_iam.IRole) -> Construct:
        """Fail: these clusters do not read aws-auth."""
        return self.map_node_role(role, ())

    def _authentication_mode(self) -> AuthenticationMode | None:
        # CDK's aws-eks-v2/lib/cluster.ts knows no other; an imported cluster may have been made elsewhere.
        return AuthenticationMode.API if self.owned else None

    def _kubernetes_version(self) -> str | None:
        return minor_version(self._node.default_child.version)

    def _kubectl_missing(self) -> str:
        if self.cluster.kubectl_provider is not None:
            return ""
        if self.owned:
            argument = (
                "kubectl_provider_options=KubectlProviderOptions(kubectl_layer=...) to aws_eks_v2.Cluster"
            )
        else:
            argument = "kubectl_provider to aws_eks_v2.Cluster.from_cluster_attributes()"
        return f"cannot apply charts and manifests to {self.path}; pass {argument}"

    def _kubectl_layer_minor(self) -> int | None:
        """The minor of the layer of the kubectl function: CDK keeps the layer itself private."""
        provider = self.cluster.kubectl_provider
        function = None if provider is None else provider.node.try_find_child("Handler")
        if function is None or not self._survey.layers:
            return None
        used = Stack.of(function).resolve(function.node.default_child.layers)
        for layer in self._survey.layers:
            if Stack.of(layer).resolve(layer.layer_version_arn) in used:
                return kubectl_minor(layer)
        return None

    def _auto_mode(self) -> bool:
        if not self.owned:
            return False
        compute = self._node.default_child.compute_config
        enabled = (
            compute.get("enabled") if isinstance(compute, Mapping) else getattr(compute, "enabled", None)
        )
        return enabled is True
