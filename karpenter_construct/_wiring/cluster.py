"""The steps that apply something to the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from aws_cdk import Aws
from constructs import Construct, DependencyGroup, IDependable

from .._cluster.node_admission import NodeAdmission
from .._cluster.node_roles import NodeRole
from .._decisions.chart import ChartReferences, chart_inputs, user_values
from .._decisions.identity import IdentityType
from .._node_objects.defaults import NodeDefaults, ebs_csi_taint
from .._node_objects.objects import NodeObjects
from .._resources.controller_capacity import CapacityResources
from .._resources.controller_role import ControllerRole
from .._resources.handler_function import HandlerFunction
from .._resources.interruption_queue import InterruptionQueue
from .._resources.node_drain import node_drain
from .._upstream.chart import chart_values, chart_version, crd_chart_values
from .._upstream.chart_names import controller_name
from .._upstream.clean_up import leaves_something
from .._upstream.flow_schemas import flow_schemas
from .._upstream.vocabulary import node_pool_label
from ..discovery import DISCOVERY_TAG
from ..selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm
from .base import StepBase

CHART_RELEASE = "karpenter"
CRD_CHART_RELEASE = "karpenter-crd"
_SHARED_NAMESPACE = "kube-system"


class ClusterSteps(StepBase):
    """Access of nodes, charts, and node objects."""

    def node_admission(self, roles: Sequence[NodeRole], capacity: CapacityResources) -> NodeAdmission:
        """Let nodes in; those of a node group made here too, where CDK's aws-auth would lock them out."""
        admission = NodeAdmission(self.scope, self.adapter, self.settings.node_access, roles)
        if self.settings.node_access.aws_auth:
            admission.map_controller_nodes(
                node_role=capacity.node_role, pod_execution_role=capacity.pod_execution_role
            )
        return admission

    def foundation(self, *made: IDependable, values: Mapping[str, object]) -> DependencyGroup:
        """All that the controller needs to work, and to clean up when the stack goes; the adapter finds some of it."""
        return DependencyGroup(*made, *self._pod_identity_agent(), *self._groundwork(values))

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

    def chart_values(
        self,
        controller: ControllerRole,
        queue: InterruptionQueue | None,
        profile: str | None,
        capacity: CapacityResources,
    ) -> dict[str, object]:
        """The values of the chart, tokens included."""
        references = ChartReferences(
            cluster_name=self.cluster_name,
            cluster_endpoint=self.adapter.cluster_endpoint,
            region=Aws.REGION,
            controller_role_arn=controller.arn,
            interruption_queue_name=None if queue is None else queue.queue.queue_name,
            instance_profile_name=profile,
            nodegroup_names=capacity.nodegroup_names,
        )
        settings = self.settings
        inputs = chart_inputs(settings, references)
        # The settings have looked at the user's values, and knew more than the tokens here tell.
        return chart_values(settings.version, inputs, user_values(settings), approved=True)

    def charts(
        self, values: Mapping[str, object], *, after: IDependable, crds_after: Iterable[IDependable]
    ) -> Construct | None:
        """The CRDs' chart, which needs nothing but the way to its registry, then the controller's."""
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
        crds.node.add_dependency(*crds_after)
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

    def node_drain(self, handler: Callable[[], HandlerFunction], after: IDependable) -> Construct | None:
        """A wait for nodes that have lost their pools, where the node classes of the release do not wait for all."""
        if not leaves_something(self.settings.version):
            return None
        tag = node_pool_label(self.settings.version)
        drain = node_drain(handler(), cluster_name=self.cluster_name, pool_tag=tag)
        drain.node.add_dependency(after)
        return drain

    def node_objects(
        self, roles: Sequence[NodeRole], profile: str | None, chart_values: Mapping[str, Any]
    ) -> NodeObjects:
        """The node classes and pools to come."""
        by_profile = self.settings.nodes_use_instance_profile or self.given.node_instance_profile is not None
        return NodeObjects(
            self.settings.version,
            NodeDefaults(
                subnet_selector_terms=self._subnet_terms(),
                security_group_selector_terms=self._security_group_terms(),
                role=None if by_profile else roles[0].names[0],
                instance_profile=profile if by_profile and self.settings.node_class_names_profile else None,
                isolated_vpc=self.settings.isolated_vpc,
                known_roles=tuple(name for role in roles for name in role.names),
                made_role=not self.given.node_roles,
                kubernetes_version=self.facts.kubernetes_version,
                startup_taints=(ebs_csi_taint(),) if self.settings.ebs_csi_startup_taint else (),
            ),
            # The user's values may turn gates on and off too.
            feature_gates=chart_values["settings"]["featureGates"],
        )

    def _subnet_terms(self) -> tuple[SubnetSelectorTerm, ...]:
        if self.settings.discovery.tags:
            return (SubnetSelectorTerm(tags={DISCOVERY_TAG: self.cluster_name}),)
        return tuple(SubnetSelectorTerm(id=subnet) for subnet in self._subnet_ids())

    def _security_group_terms(self) -> tuple[SecurityGroupSelectorTerm, ...]:
        if self.settings.discovery.tags:
            return (SecurityGroupSelectorTerm(tags={DISCOVERY_TAG: self.cluster_name}),)
        return tuple(SecurityGroupSelectorTerm(id=group) for group in self._security_group_ids())


def _name(manifest: Mapping[str, Any]) -> str:
    return str(manifest["metadata"]["name"])
