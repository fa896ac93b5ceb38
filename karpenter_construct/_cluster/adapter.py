"""What can be built on an EKS cluster of any kind."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from aws_cdk import Duration, Token, aws_eks, aws_iam
from constructs import Construct, IDependable

from .construct_ids import refuse_taken_id
from .description import ClusterDescription
from .groundwork import DNS_ADDON, NETWORK_ADDONS, looked_up
from .plain import has_null, plain
from .survey import Addon, FargateProfile, NodeGroup

_OnCluster: TypeAlias = "Addon | NodeGroup | FargateProfile"

_AGENT_ADDON = "eks-pod-identity-agent"


class OidcProvider(NamedTuple):
    """The IAM OIDC provider of a cluster.

    Attributes:
        arn: Its ARN; a token where CloudFormation makes the provider.
        issuer: The issuer without ``https://``, as in the condition keys of a trust policy; often a token.
    """

    arn: str
    issuer: str


class ClusterAdapter(ClusterDescription):
    """One cluster, and what is built on it.

    Everything goes into the scope that the caller names, never into the cluster's: in an app where Karpenter
    has a stack of its own, that would make the two stacks depend on each other. The exceptions are what a
    cluster can have only once: aws-auth, the OIDC provider and the Pod Identity agent.
    """

    def oidc_provider(self) -> OidcProvider | None:
        """The OIDC provider, which an owned cluster makes at its first use.

        ``None`` for an imported cluster that was not given one.
        """
        provider = self._open_id_connect_provider
        if provider is None:
            return None
        return OidcProvider(provider.open_id_connect_provider_arn, provider.open_id_connect_provider_issuer)

    def pod_identity_agent(self) -> Construct | None:
        """The Pod Identity agent, to depend on: the app's own add-on, else one that the cluster makes.

        ``None`` for an imported cluster, on which whoever made it must have installed the agent.
        """
        for addon in self._survey.addons:
            if addon.name == _AGENT_ADDON and self._is_mine(addon):
                return addon.resource
        return self.cluster.eks_pod_identity_agent if self.owned else None

    def helm_chart(
        self,
        scope: Construct,
        id: str,  # noqa: A002
        *,
        repository: str,
        version: str,
        release: str,
        namespace: str,
        values: Mapping[str, object],
        create_namespace: bool,
        skip_crds: bool,
        wait: bool = True,
    ) -> Construct:
        """Install a chart, and wait up to 15 minutes for it to work.

        Args:
            scope: Where the chart is built.
            id: Its construct id.
            repository: The OCI address; its last part is the chart's name.
            version: The chart's version. CDK's handler fails on an OCI chart without one.
            release: The name of the Helm release. A release that is renamed leaves the old one behind.
            namespace: The namespace of the release.
            values: The chart values. ``None`` in a mapping is Helm's null: it removes a default of the chart.
            create_namespace: Whether Helm makes the namespace.
            skip_crds: Whether the chart's folder ``crds`` is left out. aws_eks_v2 ignores it.
            wait: Whether to wait until everything in the chart is ready.

        Raises:
            SettingsError: A value has no JSON form.
        """
        json_values = plain(values, "helm_values")
        chart = self.module.HelmChart(
            scope,
            id,
            cluster=self.cluster,
            chart=release,
            repository=repository,
            version=version,
            release=release,
            namespace=namespace,
            values=json_values,
            create_namespace=create_namespace,
            skip_crds=skip_crds,
            wait=wait,
            timeout=self._helm_timeout,
        )
        if has_null(json_values):
            # jsii leaves nulls out of a mapping. As text they arrive, and tokens inside text are resolved.
            text = json.dumps(json_values, default=Token.as_string)
            chart.node.find_child("Resource").node.default_child.add_property_override("Values", text)
        return chart  # type: ignore[no-any-return]

    @cached_property
    def _helm_timeout(self) -> Duration:
        # The longest that CDK's Helm handler can wait, as its Lambda ends then.
        return Duration.minutes(15)

    def manifest(
        self,
        scope: Construct,
        id: str,  # noqa: A002
        body: Mapping[str, object],
        *,
        path: str = "manifest",
        overwrite: bool = False,
    ) -> Construct:
        """Apply one Kubernetes object, in a custom resource of its own.

        CDK's pruning is off: it knows no custom kinds, so what was dropped from a shared resource would stay.

        Args:
            scope: Where the resource is built.
            id: Its construct id.
            body: The object. ``None`` in a mapping is left out.
            path: The argument that the object came in, for messages.
            overwrite: Whether an object of that name which exists already is taken over, and later deleted
                with the resource. Otherwise the deployment fails and leaves it alone. That also saves an
                object whose construct was moved: CloudFormation deletes the old resource after it made the
                new one.

        Raises:
            SettingsError: Something in ``body`` has no JSON form, or the id is taken.
        """
        plain_body = plain(body, path)
        with refuse_taken_id(scope, id, path):
            manifest: Construct = self.module.KubernetesManifest(
                scope,
                id,
                cluster=self.cluster,
                manifest=[plain_body],
                prune=False,
                overwrite=overwrite or None,
            )
        return manifest

    def node_access_entry(
        self,
        scope: Construct,
        id: str,  # noqa: A002
        *,
        role_arn: str,
        type: str = "EC2_LINUX",  # noqa: A002
    ) -> aws_eks.CfnAccessEntry:
        """Let the nodes of a role in by an EKS access entry, which needs an API authentication mode.

        Args:
            scope: Where the entry is built.
            id: Its construct id.
            role_arn: The node role.
            type: ``EC2_LINUX`` or ``EC2_WINDOWS``.
        """
        return aws_eks.CfnAccessEntry(scope, id, cluster_name=self._name, principal_arn=role_arn, type=type)

    def node_group_of(self, role_arn: str) -> Construct | None:
        """A managed node group of the app that has the role; ``None`` where there is none.

        EKS lets the role of a node group into the cluster by itself; a second access entry for it would fail.
        """
        for group in self._survey.node_groups:
            if group.admitted_role_arn == role_arn and self._is_mine(group):
                return group.resource
        return None

    def groundwork(self, scope: Construct, *, dns: bool) -> IDependable:
        """What pods on the cluster's nodes need, to depend on: nodes, network, DNS; what is not made here is left out.

        Args:
            scope: The construct that depends on it; what is inside does not count.
            dns: Whether the pods ask the cluster's own DNS.
        """
        addons = (*NETWORK_ADDONS, DNS_ADDON) if dns else NETWORK_ADDONS
        return looked_up(
            self._tree,
            scope,
            lambda found: [
                *self._mine(found.node_groups),
                *self._mine(found.fargate_profiles),
                *self._mine(addon for addon in found.addons if addon.name in addons),
            ],
        )

    def other_fargate_profiles(self, scope: Construct) -> IDependable:
        """The cluster's Fargate profiles but those inside ``scope``, to depend on: EKS makes one at a time."""
        return looked_up(self._tree, scope, lambda found: self._mine(found.fargate_profiles))

    def _mine(self, found: Iterable[_OnCluster]) -> list[Construct]:
        return [each.resource for each in found if self._is_mine(each)]

    def _is_mine(self, found: _OnCluster) -> bool:
        return found.cluster_name is not None and found.cluster_name in self._names

    @abstractmethod
    def map_fargate_role(self, role: aws_iam.IRole) -> Construct:
        """Let the pods of a Fargate profile in by the ConfigMap aws-auth.

        Args:
            role: The profile's pod execution role.
        """

    @abstractmethod
    def map_node_role(self, role: aws_iam.IRole, groups: Sequence[str]) -> Construct:
        """Let the nodes of a role in by the ConfigMap aws-auth.

        Args:
            role: The node role.
            groups: The Kubernetes groups of its nodes.

        Returns:
            The ConfigMap, to depend on.

        Raises:
            SettingsError: The cluster's aws-auth, or the role, cannot be used from here.
        """
