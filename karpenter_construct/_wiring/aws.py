"""The steps that make resources in AWS."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import cast

from aws_cdk import Aws, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct, DependencyGroup, IDependable

from .._cluster.description import is_same
from .._cluster.node_roles import NodeRole
from .._decisions.identity import IdentityType
from .._resources.controller_capacity import CapacityResources, capacity_resources
from .._resources.controller_role import ControllerRole, IrsaTrust, PodIdentityTrust
from .._resources.discovery_tags import tag_for_discovery
from .._resources.handler_function import HandlerFunction
from .._resources.interruption_queue import InterruptionQueue, interruption_queue
from .._resources.node_role import instance_profile, node_role
from .._resources.upgrade_guard import upgrade_guard
from .._upstream.controller_policy import PolicyInputs, controller_policies, parameter_statements
from .._upstream.interruption_events import interruption_events
from .._upstream.node_role import node_managed_policies
from .._upstream.upgrades import refused_origins
from ..errors import Caution
from ..node_class import EC2NodeClass
from .base import StepBase


class AwsSteps(StepBase):
    """Roles, queue, tags, and what the controller runs on."""

    def node_roles(self) -> tuple[NodeRole, ...]:
        """The roles of nodes; the first is that of every node class that names none."""
        if self.given.node_roles:
            return tuple(NodeRole.given(role) for role in self.given.node_roles)
        role = node_role(
            self.scope,
            managed_policies=node_managed_policies(self.settings.version),
            cni_policy=self.given.cni_policy_on_node_role,
            ipv6=self.facts.ipv6,
            additional_policies=self.given.node_role_policies,
            permissions_boundary=self.given.permissions_boundary,
        )
        return (NodeRole(cast("iam.IRole", role), role.role_arn, (role.role_name,)),)

    def node_instance_profile(self, role: iam.IRole) -> str | None:
        """The name of the nodes' instance profile, where Karpenter does not make one for the role."""
        if self.given.node_instance_profile is not None:
            return self.given.node_instance_profile_name
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

    def queue_cautions(self, queue: InterruptionQueue | None) -> list[Caution]:
        """What the policies of an imported queue and of its key must say, which only their owner can write."""
        if queue is None:
            return []
        return [
            Caution(
                f"karpenter-construct:{id}",
                f"The policy of {what} cannot be changed from here; it must have "
                f"{json.dumps(self.adapter.stack.resolve(list(statements)))}.",
            )
            for id, what, statements in (  # noqa: A001
                ("importedQueuePolicy", "the imported interruption queue", queue.missing_queue_statements),
                ("importedKeyPolicy", "the imported encryption key", queue.missing_key_statements),
            )
            if statements
        ]

    def upgrade_guard(self, handler: Callable[[], HandlerFunction]) -> tuple[Construct, ...]:
        """What refuses a forbidden step from the release that is installed, where the charts are installed here."""
        if not self.settings.install_chart:
            return ()
        version = self.settings.version
        guard = upgrade_guard(
            handler(),
            release=str(version),
            namespace=self.settings.namespace,
            refused=refused_origins(version),
        )
        return (guard,)

    def controller_role(
        self,
        node_roles: Sequence[NodeRole],
        queue: InterruptionQueue | None,
        *,
        after: Sequence[Construct] = (),
    ) -> ControllerRole:
        """The controller's role with the policies of the release.

        Args:
            node_roles: The roles that the controller may give to nodes.
            queue: The queue that it may read.
            after: What comes before the permissions of the controller that runs are touched.
        """
        has_permissions = self.given.controller_role_has_permissions
        arns = {f"NodeRoleArn{index}": role.arn for index, role in enumerate(node_roles)}
        values = {"ClusterName": self.cluster_name, **arns}
        if queue is not None:
            values["InterruptionQueueArn"] = queue.arn
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
            policies={} if has_permissions else policies,
            values=values,
            role=self.given.controller_role,
            additional_statements=[
                *self.given.controller_policy_statements,
                *(() if has_permissions or queue is None else queue.controller_statements),
            ],
            permissions_boundary=self.given.permissions_boundary,
            after=after,
        )

    def let_read_image_parameters(
        self, controller: ControllerRole, foundation: DependencyGroup
    ) -> Callable[[EC2NodeClass, Construct], None]:
        """What lets the controller read the SSM parameters that a node class takes AMIs from, before it needs them.

        Args:
            controller: The role. A given role that has its permissions already is left alone.
            foundation: What node classes wait for.

        Returns:
            A function of a node class and of the resource that applies it.
        """

        def let_read(node_class: EC2NodeClass, resource: Construct) -> None:
            statements = self._image_parameter_statements(node_class)
            if not statements or self.given.controller_role_has_permissions:
                return
            if is_same(Stack.of(resource), self.adapter.stack):
                foundation.add(controller.add_statements(*statements))
            else:
                # The parameter may be of the team's stack, which waits for this one.
                resource.node.add_dependency(controller.policy_beside(resource, statements))

        return let_read

    def _image_parameter_statements(self, node_class: EC2NodeClass) -> list[iam.PolicyStatement]:
        terms = node_class.ami_selector_terms or ()
        parameters = [term.ssm_parameter for term in terms if term.ssm_parameter is not None]
        if not parameters:
            return []
        statements = parameter_statements(
            self.settings.version,
            parameters,
            partition=Aws.PARTITION,
            region=Aws.REGION,
            account=Aws.ACCOUNT_ID,
        )
        return [iam.PolicyStatement.from_json(statement) for statement in statements]

    def _trust(self) -> IrsaTrust | PodIdentityTrust | None:
        """Who may take the role, and how the controller gets it; a given role for IRSA has all of that already."""
        account = {
            "namespace": self.settings.namespace,
            "service_account_name": self.settings.service_account_name,
        }
        if self.settings.identity_type is IdentityType.POD_IDENTITY:
            return PodIdentityTrust(cluster_name=self.facts.name, **account)
        if self.given.controller_role is not None:
            return None
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

    def controller_capacity(self, *, after: IDependable) -> CapacityResources:
        """What the controller runs on, where it is to be made.

        Args:
            after: What nodes need before they can join.
        """
        capacity = self.settings.controller_capacity
        return capacity_resources(
            self.scope,
            capacity,
            cluster_name=self.facts.name,
            namespace=self.settings.namespace,
            subnet_ids=self._subnet_ids,
            ipv6=self.facts.ipv6,
            permissions_boundary=self.given.permissions_boundary,
            after=(after, self.adapter.other_fargate_profiles(self.scope))
            if capacity.on_fargate
            else (after,),
        )
