"""Where the Karpenter controller runs, and what its pods must say to run there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from ._capacity_arguments import (
    NodeTaint,
    TaintLike,
    desired_nodes,
    nodegroup_problems,
    nodegroup_taints,
    read_labels,
    read_sizes,
    read_taints,
    resource_of,
    zone_count,
)
from ._capacity_machines import read_ami_type, read_instance_types
from ._fields import FrozenMap
from ._tokens import is_unresolved
from .discovery import HasSubnetId, read_subnets
from .errors import Problem, SettingsError

NODEGROUP_LABEL = "eks.amazonaws.com/nodegroup"
"""The label that EKS puts on every node of a managed node group; its value is the group's name."""
CONTROLLER_LABEL = "karpenter.sh/controller"
"""The label of the nodes of the group made here, the one that terraform-aws-eks uses."""
CRITICAL_ADDONS_TAINT = "CriticalAddonsOnly=true:NoSchedule"
"""The taint that CoreDNS, the other EKS add-ons and Karpenter's chart tolerate."""
DEFAULT_INSTANCE_TYPES = ("m5.large",)
"""Upstream's getting-started guide (``cluster.yaml``, managedNodeGroups); offered in every partition."""


class HasNodegroupName(Protocol):
    """An ``aws_eks.INodegroup``."""

    @property
    def nodegroup_name(self) -> str:
        """The name, or a token for it."""


class HasTypeName(Protocol):
    """An ``aws_ec2.InstanceType``."""

    def to_string(self) -> str:
        """Such as ``m5.large``."""


@dataclass(frozen=True, kw_only=True)
class ControllerCapacity:
    """Where the Karpenter controller runs. Build one with `nodegroup`, `existing`, `fargate` or `anywhere`.

    Karpenter must not run on nodes that it manages itself: it would take its own node away.

    Attributes:
        labels: Labels of the nodes.
        taints: Taints of the nodes.
    """

    labels: Mapping[str, str] = field(default_factory=FrozenMap)
    taints: tuple[NodeTaint, ...] = ()

    @property
    def on_fargate(self) -> bool:
        """Whether the controller runs on Fargate."""
        return False

    @property
    def on_any_node(self) -> bool:
        """Whether any node will do that Karpenter does not manage."""
        return type(self) is ControllerCapacity

    @property
    def node_count(self) -> int | None:
        """How many nodes there are for the controller, ``None`` where it is unknown or without limit."""
        return None

    @property
    def zone_count(self) -> int | None:
        """How many availability zones the nodes are in, ``None`` where it is unknown."""
        return None

    @property
    def tolerations(self) -> tuple[dict[str, str], ...]:
        """What a pod must tolerate to run here, as in a pod's ``spec.tolerations``."""
        return tuple(taint.toleration() for taint in self.taints)

    def node_affinity_expressions(self, *made: str) -> tuple[dict[str, object], ...]:
        """The ``matchExpressions`` that keep a pod on these nodes; together they must hold in one term.

        Args:
            made: The names of the node groups that were made for this capacity.
        """
        names = (*self._nodegroup_names(), *made)
        by_name = ((NODEGROUP_LABEL, names),) if names else ()
        by_label = ((key, (value,)) for key, value in self.labels.items())
        return tuple(
            {"key": key, "operator": "In", "values": list(values)} for key, values in (*by_name, *by_label)
        )

    def _nodegroup_names(self) -> tuple[str, ...]:
        return ()

    @staticmethod
    def nodegroup(
        *,
        instance_types: Sequence[str | HasTypeName] = DEFAULT_INSTANCE_TYPES,
        min_size: int | None = None,
        max_size: int | None = None,
        desired_size: int | None = None,
        ami_type: str | Enum | None = None,
        labels: Mapping[str, str] | None = None,
        taints: Sequence[str | TaintLike] = (CRITICAL_ADDONS_TAINT,),
        subnets: Sequence[HasSubnetId | str] | None = None,
    ) -> NodegroupCapacity:
        """Make a managed node group for the controller and other critical add-ons.

        Args:
            instance_types: EC2 instance types, of one architecture. Default: m5.large.
            min_size: Least number of nodes. Default: ``desired_size``.
            max_size: Greatest number of nodes. Default: ``desired_size``.
            desired_size: Number of nodes to begin with. Default: ``min_size``, else 2, one for each replica, or
                ``max_size`` if that is less.
            ami_type: EKS' name of an AMI type for Linux, such as ``BOTTLEROCKET_ARM_64``, of the architecture of the
                instance types. Default: Amazon Linux 2023.
            labels: Labels of the nodes, of no domain that EKS, Kubernetes or Karpenter keeps for itself. Default:
                ``karpenter.sh/controller=true``.
            taints: Taints of the nodes, each a `Taint` or a string ``key=value:Effect``. Default:
                ``CriticalAddonsOnly=true:NoSchedule``, which CoreDNS and the other EKS add-ons tolerate.
            subnets: Subnets or their ids. Default: the private subnets with egress of the cluster's VPC.

        Raises:
            SettingsError: What EKS or Kubernetes would refuse: an empty list, sizes that do not fit together, a mix of
                architectures, an unknown AMI type, labels and taints that are none; every mistake, a line each.
        """
        problems: list[Problem] = []
        types = read_instance_types(instance_types, problems)
        sizes = read_sizes(min_size, max_size, desired_size, problems)
        capacity = NodegroupCapacity(
            labels=read_labels(
                {CONTROLLER_LABEL: "true"} if labels is None else labels, problems, of_eks=True
            ),
            taints=read_taints(taints, problems, of_eks=True),
            instance_types=types,
            min_size=sizes.min_size,
            max_size=sizes.max_size,
            desired_size=sizes.desired_size,
            ami_type=read_ami_type(ami_type, types, problems),
            subnets=read_subnets("controller_capacity.subnets", subnets, problems),
        )
        if problems:
            raise SettingsError(*problems)
        return capacity

    @staticmethod
    def existing(
        *nodegroups: HasNodegroupName | str,
        labels: Mapping[str, str] | None = None,
        taints: Sequence[str | TaintLike] | None = None,
    ) -> ExistingCapacity:
        """Use node groups that exist, or are made elsewhere in the app.

        Args:
            nodegroups: Managed node groups or their names. Default: none, for nodes that EKS does not manage;
                ``labels`` says which these are.
            labels: Labels that the nodes must have. Default: none.
            taints: Taints of the nodes, each a `Taint` or a string ``key=value:Effect``. Default: those of the
                groups that the app makes.

        Raises:
            SettingsError: Neither node groups nor labels, a name that is none, labels and taints that are none.
        """
        problems = nodegroup_problems(nodegroups)
        if not nodegroups and not labels:
            problems.append(
                Problem(
                    "controller_capacity.nodegroups",
                    "must list at least one node group, got (); pass node groups, their names, or the "
                    "`labels` of the nodes",
                )
            )
        capacity = ExistingCapacity(
            labels=read_labels({} if labels is None else labels, problems),
            taints=nodegroup_taints(nodegroups) if taints is None else read_taints(taints, problems),
            nodegroups=nodegroups,
        )
        if problems:
            raise SettingsError(*problems)
        return capacity

    @staticmethod
    def fargate(*, subnets: Sequence[HasSubnetId | str] | None = None) -> FargateCapacity:
        """Run the controller on Fargate: a profile takes its pods and nothing else.

        Args:
            subnets: Private subnets or their ids. Default: those with egress of the cluster's VPC.

        Raises:
            SettingsError: The list is empty.
        """
        problems: list[Problem] = []
        capacity = FargateCapacity(subnets=read_subnets("controller_capacity.subnets", subnets, problems))
        if problems:
            raise SettingsError(*problems)
        return capacity

    @staticmethod
    def anywhere() -> ControllerCapacity:
        """Run the controller on any node that Karpenter does not manage, and make none."""
        return ControllerCapacity()


@dataclass(frozen=True, kw_only=True)
class NodegroupCapacity(ControllerCapacity):
    """A managed node group to be made; `ControllerCapacity.nodegroup` builds it and documents the fields."""

    instance_types: tuple[str, ...]
    min_size: int
    max_size: int
    desired_size: int
    ami_type: str
    subnets: tuple[HasSubnetId | str, ...] | None

    @property
    def node_count(self) -> int | None:
        """Its desired size, which nothing changes but the user; ``None`` where the deployment decides it."""
        return None if is_unresolved(self.desired_size) else self.desired_size

    @property
    def zone_count(self) -> int | None:
        """One where there is one subnet; more may still share a zone."""
        return zone_count(self.subnets)


@dataclass(frozen=True, kw_only=True)
class ExistingCapacity(ControllerCapacity):
    """Nodes made elsewhere; `ControllerCapacity.existing` builds it and documents the fields."""

    nodegroups: tuple[HasNodegroupName | str, ...]

    @property
    def node_count(self) -> int | None:
        """The desired size of the groups, where the app makes all of them."""
        return desired_nodes(self.nodegroups)

    def _nodegroup_names(self) -> tuple[str, ...]:
        return tuple(_name(group) for group in self.nodegroups)


@dataclass(frozen=True, kw_only=True)
class FargateCapacity(ControllerCapacity):
    """A Fargate profile to be made; `ControllerCapacity.fargate` builds it and documents the field."""

    subnets: tuple[HasSubnetId | str, ...] | None

    @property
    def on_fargate(self) -> bool:
        """Yes."""
        return True

    @property
    def zone_count(self) -> int | None:
        """One where there is one subnet; more may still share a zone."""
        return zone_count(self.subnets)


def _name(group: HasNodegroupName | str) -> str:
    """The name alone.

    Without the feature flag ``@aws-cdk/aws-eks:nodegroupNameAttribute`` CDK's own ``nodegroup_name`` is
    ``<cluster>/<name>``, which no node carries as a label; the attribute of the L1 is right with and without.
    """
    if isinstance(group, str):
        return group
    name: str = getattr(resource_of(group), "attr_nodegroup_name", None) or group.nodegroup_name
    return name
