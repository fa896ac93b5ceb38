"""The step that looks at what else the app puts on the cluster, which is known only when all of the app is built."""

from __future__ import annotations

from typing import cast

from constructs import IConstruct

from .._cluster.node_admission import NodeAdmission
from .._cluster.node_roles import resource_of
from .._decisions.given_roles import trust_caution
from .._decisions.neighbours import neighbour_cautions, room_cautions, second_entries, second_karpenter
from ..errors import Caution, Problem
from .base import StepBase


class NeighbourSteps(StepBase):
    """What is looked at when the app is synthesised."""

    def problems_and_cautions(self, admission: NodeAdmission) -> tuple[list[Problem], list[Caution]]:
        """What does not go with Karpenter, and what to warn of.

        Args:
            admission: The access of nodes.
        """
        neighbours = self.adapter.neighbours(self.scope, with_room=self._needs_room)
        problems = [
            *second_karpenter(self.adapter.path, neighbours.karpenter),
            *second_entries(admission.role_arns, neighbours.node_groups),
            *admission.path_problems(),
        ]
        cautions = neighbour_cautions(neighbours, self.tagged_security_groups())
        return problems, [
            *cautions,
            *self._trust_cautions(),
            *room_cautions(neighbours.room, self.adapter.path, self.settings.replicas),
        ]

    @property
    def _needs_room(self) -> bool:
        """Whether the nodes of the app are all that the controller is known to have."""
        facts = self.facts
        return (
            self.settings.install_chart
            and self.settings.controller_capacity.on_any_node
            and facts.owned
            and not facts.auto_mode
            and not facts.fargate_only
        )

    def _trust_cautions(self) -> list[Caution]:
        """Node roles of the app that EC2 instances cannot take."""
        resources = (resource_of(role) for role in self.given.node_roles)
        found = (
            trust_caution(
                resource.node.path.removesuffix("/Resource"),
                self.adapter.stack.resolve(resource.assume_role_policy_document),
            )
            for resource in resources
            if resource is not None
        )
        return [caution for caution in found if caution is not None]

    def tagged_security_groups(self) -> dict[str, str]:
        """What to call the security groups that get the discovery tag, by id; none where they are selected by id."""
        given = self.settings.discovery.security_groups
        if not self.settings.discovery.tags:
            return {}
        if given is None:
            return {str(self.adapter.cluster_security_group_id): "the cluster security group"}
        names = (group if isinstance(group, str) else cast("IConstruct", group).node.path for group in given)
        return dict(zip(self._security_group_ids(), names, strict=True))
