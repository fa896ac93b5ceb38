"""The step that looks at what else the app puts on the cluster, which is known only when all of the app is built."""

from __future__ import annotations

from typing import cast

import jsii
from constructs import IConstruct, IValidation

from .._cluster.node_admission import NodeAdmission
from .._decisions.neighbours import neighbour_cautions, second_entries, second_karpenter
from ..applied_objects import show
from .base import StepBase


class NeighbourSteps(StepBase):
    """What is looked at when the app is synthesised."""

    def watch_neighbours(self, admission: NodeAdmission) -> None:
        """Refuse at synth what does not go with Karpenter, and warn of it.

        Args:
            admission: The access of nodes.
        """
        self.scope.node.add_validation(_NeighbourCheck(self, admission))

    def tagged_security_groups(self) -> dict[str, str]:
        """What to call the security groups that get the discovery tag, by id; none where they are selected by id."""
        given = self.settings.discovery.security_groups
        if not self.settings.discovery.tags:
            return {}
        if given is None:
            return {str(self.adapter.cluster_security_group_id): "the cluster security group"}
        names = (group if isinstance(group, str) else cast("IConstruct", group).node.path for group in given)
        return dict(zip(self._security_group_ids(), names, strict=True))


@jsii.implements(IValidation)
class _NeighbourCheck:
    def __init__(self, step: NeighbourSteps, admission: NodeAdmission) -> None:
        self._step = step
        self._admission = admission

    def validate(self) -> list[str]:
        step = self._step
        neighbours = step.adapter.neighbours(step.scope)
        show(step.scope, neighbour_cautions(neighbours, step.tagged_security_groups()))
        problems = [
            *second_karpenter(step.adapter.path, neighbours.karpenter),
            *second_entries(self._admission.role_arns, neighbours.node_groups),
        ]
        return [str(problem) for problem in problems]
