"""Lets nodes into the cluster: by aws-auth, by access entries, or both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jsii
from aws_cdk import IStableListProducer, Lazy, aws_eks, aws_iam
from constructs import Construct

from .._decisions.node_access import NodeAccess, path_problem
from .._upstream.node_role import NODE_GROUPS, WINDOWS_NODE_GROUPS
from ..errors import Problem
from .adapter import ClusterAdapter
from .node_roles import NodeRole, path_of, resource_of

_LINUX, _WINDOWS = "EC2_LINUX", "EC2_WINDOWS"


class NodeAdmission:
    """The access of the node roles. A role that turns out to run Windows nodes is given what these need besides.

    Attributes:
        dependencies: What must exist before a node can join, and until the last one has gone.
        role_arns: The roles that got an access entry here.
    """

    def __init__(
        self, scope: Construct, adapter: ClusterAdapter, access: NodeAccess, roles: Sequence[NodeRole]
    ) -> None:
        """Let the roles in.

        Args:
            scope: The `Karpenter` construct.
            adapter: The cluster.
            access: By which way.
            roles: The node roles. The second has the number 2 in the ids of its constructs, and so on.
        """
        self._adapter = adapter
        self._groups: dict[str, _Groups] = {}
        self._mapped_by_arn: list[aws_iam.IRole] = []
        self._entries: dict[str, aws_eks.CfnAccessEntry] = {}
        self.dependencies: list[Construct] = []
        self.role_arns: list[str] = []
        for number, role in enumerate(roles, start=1):
            suffix = "" if number == 1 else str(number)
            if access.aws_auth:
                groups = _Groups()
                self._groups |= dict.fromkeys(role.names, groups)
                mapped = role.in_aws_auth(scope, f"MappedNodeRole{suffix}")
                self._depend_on(adapter.map_node_role(mapped, Lazy.list(groups)))
                self._mapped_by_arn += [] if role.aws_auth_arn else [role.role]
            if access.access_entry:
                self._depend_on(self._entry(scope, f"NodeAccessEntry{suffix}", role))

    def _entry(self, scope: Construct, id: str, role: NodeRole) -> Construct:  # noqa: A002
        """The access entry; the node group with which EKS has made one, where there is such a group."""
        group = self._adapter.node_group_of(role.arn)
        if group is not None:
            return group
        entry = self._adapter.node_access_entry(scope, id, role_arn=role.arn, type=_LINUX)
        self._entries |= dict.fromkeys(role.names, entry)
        self.role_arns.append(role.arn)
        return entry

    def map_controller_nodes(
        self, *, node_role: aws_iam.IRole | None, pod_execution_role: aws_iam.IRole | None
    ) -> None:
        """Map the roles of what the controller runs on in aws-auth: CDK overwrites what EKS itself puts there."""
        if node_role is not None:
            self._depend_on(self._adapter.map_node_role(node_role, NODE_GROUPS))
            self._mapped_by_arn.append(node_role)
        if pod_execution_role is not None:
            self._depend_on(self._adapter.map_fargate_role(pod_execution_role))
            self._mapped_by_arn.append(pod_execution_role)

    def path_problems(self) -> list[Problem]:
        """Roles that got a path after they were mapped, as from an aspect; to be asked when all of the app is built."""
        resources = (resource_of(role) for role in self._mapped_by_arn)
        paths = ((resource.node.path, path_of(resource)) for resource in resources if resource is not None)
        return [
            path_problem(name.removesuffix("/Resource"), path) for name, path in paths if path is not None
        ]

    def admit_windows(self, role_name: str | None) -> None:
        """Give a role, known by its name, what Windows nodes need."""
        if groups := self._groups.get(str(role_name)):
            groups.names = (*NODE_GROUPS, *WINDOWS_NODE_GROUPS)
        if entry := self._entries.get(str(role_name)):
            entry.type = _WINDOWS

    def _depend_on(self, construct: Construct) -> None:
        if construct not in self.dependencies:
            self.dependencies.append(construct)


@jsii.implements(IStableListProducer)
class _Groups:
    """The Kubernetes groups of a role, asked for at synth, when all node classes are known."""

    def __init__(self) -> None:
        self.names: Sequence[str] = NODE_GROUPS

    def produce(self) -> Any:  # noqa: ANN401 - jsii's own signature
        return list(self.names)
