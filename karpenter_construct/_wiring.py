"""The steps of `Karpenter`: each hands the decided settings to the resources or to the cluster."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from aws_cdk import Aws, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct, DependencyGroup, IDependable

from ._cluster import ClusterAdapter
from ._cluster.node_admission import NodeAdmission
from ._decisions.identity import IdentityType
from ._given import Given
from ._resources.controller_capacity import CapacityResources, capacity_resources
from ._resources.controller_role import ControllerRole, IrsaTrust, PodIdentityTrust
from ._resources.discovery_tags import tag_for_discovery
from ._resources.handler_function import HandlerFunction
from ._resources.interruption_queue import InterruptionQueue, interruption_queue
from ._resources.node_drain import node_drain
from ._resources.node_role import instance_profile, node_role
from ._upstream.chart import chart_values, chart_version, crd_chart_values
from ._upstream.chart_names import controller_name
from ._upstream.clean_up import leaves_something
from ._upstream.controller_policy import PolicyInputs, controller_policies
from ._upstream.flow_schemas import flow_schemas
from ._upstream.interruption_events import interruption_events
from ._upstream.node_role import node_managed_policies
from ._upstream.vocabulary import node_pool_label
from .cluster_facts import ClusterFacts
from .discovery import DISCOVERY_TAG
from .errors import Caution
from .node_defaults import EBS_CSI_STARTUP_TAINT, NodeDefaults
from .node_objects import NodeObjects
from .selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm
from .settings import ChartReferences, KarpenterSettings, chart_inputs

CHART_RELEASE = "karpenter"
CRD_CHART_RELEASE = "karpenter-crd"
_SHARED_NAMESPACE = "kube-system"


@dataclass(frozen=True, kw_only=True)
class Step:
    """What every step works with.

    Attributes:
        scope: The `Karpenter` construct.
        adapter: The cluster.
        settings: What was decided.
        given: What the user brings.
    """

    scope: Construct
    adapter: ClusterAdapter
    settings: KarpenterSettings
    given: Given

    @property
    def facts(self) -> ClusterFacts:
        """What the cluster is."""
        return self.adapter.facts

    @property
    def cluster_name(self) -> str:
        """The cluster's name, literal where it is known."""
        return self.facts.literal_name or self.facts.name

    def node_roles(self) -> tuple[iam.IRole, ...]:
        """The roles of nodes; the first is that of every node class that names none."""
        if self.given.node_roles:
            return self.given.node_roles
        role = node_role(
            self.scope,
            managed_policies=node_managed_policies(self.settings.version),
            cni_policy=self.given.cni_policy_on_node_role,
            ipv6=self.facts.ipv6,
            additional_policies=self.given.node_role_policies,
            permissions_boundary=self.given.permissions_boundary,
        )
        return (cast("iam.IRole", role),)

    def node_instance_profile(self, role: iam.IRole) -> str | None:
        """The name of the nodes' instance profile, where Karpenter does not make one for the role."""
        if self.given.node_instance_profile is not None:
            return self.given.node_instance_profile
        return instance_profile(self.scope, role).name if self.settings.needs_instance_profile else None

    def interruption_queue(self) -> InterruptionQueue | None:
        """The queue of interruption events and the rules that fill it."""
        if not self.settings.interruption_handling:
            return None
        return interruption_queue(
            self.scope,
            events_of_release=interruption_events(self.settings.version),
            queue=self.given.interruption_queue,
            encryption_key=self.given.encryption_key,
        )

    def controller_role(
        self, node_roles: Sequence[iam.IRole], queue: InterruptionQueue | None
    ) -> ControllerRole:
        """The controller's role with the policies of the release."""
        arns = {f"NodeRoleArn{index}": role.role_arn for index, role in enumerate(node_roles)}
        values = {"ClusterName": self.cluster_name, **arns}
        if queue is not None:
            values["InterruptionQueueArn"] = queue.queue.queue_arn
        policies = controller_policies(
            self.settings.version,
            PolicyInputs(
                node_role_arns=tuple(f"${{{name}}}" for name in arns),
                interruption_queue_arn=None if queue is None else "${InterruptionQueueArn}",
                keep_provisioner_permissions=self.settings.keep_provisioner_permissions,
                keep_pre_v1_permissions=self.settings.keep_pre_v1_permissions,
                isolated_vpc=self.settings.isolated_vpc,
            ),
        )
        return ControllerRole(
            self.scope,
            trust=self._trust(),
            policies={} if self.given.controller_role_has_permissions else policies,
            values=values,
            role=self.given.controller_role,
            additional_statements=[
                *self.given.controller_policy_statements,
                *(() if queue is None else queue.controller_statements),
            ],
            permissions_boundary=self.given.permissions_boundary,
        )

    def _trust(self) -> IrsaTrust | PodIdentityTrust:
        account = {
            "namespace": self.settings.namespace,
            "service_account_name": self.settings.service_account_name,
        }
        if self.settings.identity_type is IdentityType.POD_IDENTITY:
            return PodIdentityTrust(cluster_name=self.facts.name, **account)
        provider = self.adapter.oidc_provider()
        assert provider is not None, "the settings refuse IRSA without a provider"  # noqa: S101
        return IrsaTrust(provider_arn=provider.arn, issuer=provider.issuer, **account)

    def discovery_tags(self, handler: Callable[[], HandlerFunction]) -> tuple[Construct, ...]:
        """Tag what node classes select by tag; what is tagged only at deploy time is returned, to depend on."""
        discovery = self.settings.discovery
        if not discovery.tags:
            return ()
        subnets = self.adapter.private_subnets if discovery.subnets is None else discovery.subnets
        tagged = tag_for_discovery(
            cluster_name=self.cluster_name,
            subnets=cast("Sequence[ec2.ISubnet | str]", subnets or ()),
            security_group_ids=self._security_group_ids(),
            handler=handler,
        )
        return () if tagged.resource is None else (tagged.resource,)

    def controller_capacity(self) -> CapacityResources:
        """What the controller runs on, where it is to be made."""
        return capacity_resources(
            self.scope,
            self.settings.controller_capacity,
            cluster_name=self.facts.name,
            namespace=self.settings.namespace,
            subnet_ids=self._subnet_ids(),
            ipv6=self.facts.ipv6,
            permissions_boundary=self.given.permissions_boundary,
            after=(self.adapter.other_fargate_profiles(self.scope),),
        )

    def chart_values(
        self,
        controller: ControllerRole,
        queue: InterruptionQueue | None,
        profile: str | None,
        capacity: CapacityResources,
    ) -> dict[str, object]:
        """The values of the chart, tokens included."""
        references = ChartReferences(
            cluster_endpoint=self.adapter.cluster_endpoint,
            region=Aws.REGION,
            controller_role_arn=controller.role.role_arn,
            interruption_queue_name=None if queue is None else queue.queue.queue_name,
            instance_profile_name=profile,
            nodegroup_names=capacity.nodegroup_names,
        )
        settings = self.settings
        return chart_values(
            settings.version, chart_inputs(settings, self.facts, references), settings.helm_values
        )

    def foundation(self, *made: Construct, values: Mapping[str, object]) -> DependencyGroup:
        """All that the controller needs to work, and to clean up when the stack goes; the adapter finds some of it."""
        return DependencyGroup(*made, *self._pod_identity_agent(), *self._groundwork(values))

    def charts(self, values: Mapping[str, object], after: IDependable) -> Construct | None:
        """The CRDs' chart, then the controller's."""
        if not self.settings.install_chart:
            return None
        # First, so that Helm owns the CRDs and upgrades them before the controller.
        crds = self._chart(
            "CrdChart",
            release=CRD_CHART_RELEASE,
            repository=self.settings.crd_chart_repository,
            values=crd_chart_values(
                self.settings.version,
                namespace=self.settings.namespace,
                service_name=controller_name(CHART_RELEASE, values),
                chart_values=values,
            ),
        )
        chart = self._chart(
            "Chart", release=CHART_RELEASE, repository=self.settings.chart_repository, values=values
        )
        chart.node.add_dependency(crds, *self._flow_schemas(), after)
        return chart

    def _chart(
        self,
        chart_id: str,
        *,
        release: str,
        repository: str,
        values: Mapping[str, object],
    ) -> Construct:
        settings = self.settings
        return self.adapter.helm_chart(
            self.scope,
            chart_id,
            repository=repository,
            version=chart_version(settings.version),
            release=release,
            namespace=settings.namespace,
            values=values,
            create_namespace=settings.namespace != _SHARED_NAMESPACE,
            # The main chart has the CRDs too, which Helm would install but never upgrade.
            skip_crds=release == CHART_RELEASE,
        )

    def _flow_schemas(self) -> list[Construct]:
        """The priority that the controller has in kube-system by itself."""
        schemas = flow_schemas(
            self.settings.version,
            namespace=self.settings.namespace,
            service_account_name=self.settings.service_account_name,
            kubernetes_version=self.facts.kubernetes_version,
        )
        return [
            self.adapter.manifest(self.scope, f"FlowSchema-{_name(schema)}", schema) for schema in schemas
        ]

    def _pod_identity_agent(self) -> tuple[Construct, ...]:
        """What hands the controller its credentials, where that is Pod Identity."""
        if self.settings.identity_type is not IdentityType.POD_IDENTITY:
            return ()
        agent = self.adapter.pod_identity_agent()
        return () if agent is None else (agent,)

    def _groundwork(self, values: Mapping[str, object]) -> tuple[IDependable, ...]:
        """What the controller's pods stand on; Fargate brings all of it along, but the profile."""
        if self.settings.controller_capacity.on_fargate:
            return ()
        return (self.adapter.groundwork(self.scope, dns=values.get("dnsPolicy") != "Default"),)

    def node_drain(self, handler: Callable[[], HandlerFunction], after: IDependable) -> Construct | None:
        """A wait for nodes that have lost their pools, where the node classes of the release do not wait for all."""
        if not leaves_something(self.settings.version):
            return None
        tag = node_pool_label(self.settings.version)
        drain = node_drain(handler(), cluster_name=self.cluster_name, pool_tag=tag)
        drain.node.add_dependency(after)
        return drain

    def node_admission(self, roles: Sequence[iam.IRole], capacity: CapacityResources) -> NodeAdmission:
        """Let nodes in; those of a node group made here too, where CDK's aws-auth would lock them out."""
        admission = NodeAdmission(self.scope, self.adapter, self.settings.node_access, roles)
        if self.settings.node_access.aws_auth:
            admission.map_controller_nodes(
                node_role=capacity.node_role, pod_execution_role=capacity.pod_execution_role
            )
        return admission

    def node_objects(
        self, roles: Sequence[iam.IRole], profile: str | None, chart_values: Mapping[str, Any]
    ) -> NodeObjects:
        """The node classes and pools to come."""
        by_profile = self.settings.nodes_use_instance_profile or self.given.node_instance_profile is not None
        return NodeObjects(
            self.settings.version,
            NodeDefaults(
                subnet_selector_terms=self._subnet_terms(),
                security_group_selector_terms=self._security_group_terms(),
                role=None if by_profile else roles[0].role_name,
                instance_profile=profile if by_profile and self.settings.node_class_names_profile else None,
                isolated_vpc=self.settings.isolated_vpc,
                known_roles=tuple(role.role_name for role in roles),
                made_role=not self.given.node_roles,
                kubernetes_version=self.facts.kubernetes_version,
                startup_taints=(EBS_CSI_STARTUP_TAINT,) if self.settings.ebs_csi_startup_taint else (),
            ),
            # The user's values may turn gates on and off too.
            feature_gates=chart_values["settings"]["featureGates"],
        )

    def queue_cautions(self, queue: InterruptionQueue | None) -> list[Caution]:
        """What the policies of an imported queue and of its key must say, which only their owner can write."""
        if queue is None:
            return []
        stack = Stack.of(self.scope)
        return [
            Caution(
                f"karpenter-construct:{id}",
                f"The policy of {what} cannot be changed from here; it must have "
                f"{json.dumps(stack.resolve(statements))}.",
            )
            for id, what, statements in (  # noqa: A001
                ("importedQueuePolicy", "the imported interruption queue", queue.missing_queue_statements),
                ("importedKeyPolicy", "the imported encryption key", queue.missing_key_statements),
            )
            if statements
        ]

    def _subnet_terms(self) -> tuple[SubnetSelectorTerm, ...]:
        if self.settings.discovery.tags:
            return (SubnetSelectorTerm(tags={DISCOVERY_TAG: self.cluster_name}),)
        return tuple(SubnetSelectorTerm(id=subnet) for subnet in self._subnet_ids())

    def _security_group_terms(self) -> tuple[SecurityGroupSelectorTerm, ...]:
        if self.settings.discovery.tags:
            return (SecurityGroupSelectorTerm(tags={DISCOVERY_TAG: self.cluster_name}),)
        return tuple(SecurityGroupSelectorTerm(id=group) for group in self._security_group_ids())

    def _subnet_ids(self) -> tuple[str, ...]:
        given = self.settings.discovery.subnet_ids()
        return (self.facts.private_subnet_ids or ()) if given is None else given

    def _security_group_ids(self) -> tuple[str, ...]:
        given = self.settings.discovery.security_group_ids()
        return (str(self.adapter.cluster_security_group_id),) if given is None else given


def _name(manifest: Mapping[str, Any]) -> str:
    return str(manifest["metadata"]["name"])
