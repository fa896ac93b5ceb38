"""What the user brings to `Karpenter` instead of having it made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

# Its modules for queues and keys are loaded where they are first named, and many users bring neither.
import aws_cdk as cdk
from aws_cdk import aws_iam as iam

from .._decisions.given_facts import GivenFacts, QueueFacts, RoleFacts


class Given(NamedTuple):
    """What the user brings, and what is put on everything that is made."""

    controller_role: iam.IRole | None
    controller_role_has_permissions: bool
    controller_policy_statements: Sequence[iam.PolicyStatement]
    permissions_boundary: iam.IManagedPolicy | None
    node_role: iam.IRole | Sequence[iam.IRole] | None
    node_role_policies: Sequence[iam.IManagedPolicy]
    cni_policy_on_node_role: bool
    node_instance_profile: str | iam.IInstanceProfile | None
    interruption_queue: cdk.aws_sqs.IQueue | None
    encryption_key: cdk.aws_kms.IKey | None

    @property
    def node_roles(self) -> tuple[iam.IRole, ...]:
        """The roles of nodes: none, one, or several; that of the instance profile where only that is given."""
        if isinstance(self.node_role, (list, tuple)):
            return tuple(self.node_role)
        role = self.node_role or self._instance_profile_role
        return () if role is None else (cast("iam.IRole", role),)

    @property
    def node_instance_profile_name(self) -> str | None:
        """The name of the instance profile of nodes."""
        profile = self.node_instance_profile
        return profile if profile is None or isinstance(profile, str) else profile.instance_profile_name

    @property
    def _instance_profile_role(self) -> iam.IRole | None:
        profile = self.node_instance_profile
        return None if profile is None or isinstance(profile, str) else profile.role

    def facts(self, stack: cdk.Stack) -> GivenFacts:
        """All of it, as plain data.

        Args:
            stack: The stack of the construct.
        """
        profile_role = self._instance_profile_role
        return GivenFacts(
            controller_role=self._controller_role_facts(stack),
            controller_role_has_permissions=self.controller_role_has_permissions,
            controller_statements={
                f"controller_policy_statements[{index}]": statement.to_statement_json()
                for index, statement in enumerate(self.controller_policy_statements)
            },
            node_roles=tuple(self._node_role_facts(stack)),
            managed_policies=dict(self._managed_policy_arns()),
            node_role_policies=len(self.node_role_policies),
            cni_policy_on_node_role=self.cni_policy_on_node_role,
            node_instance_profile=self.node_instance_profile_name,
            instance_profile_role_arn=None if profile_role is None else profile_role.role_arn,
            interruption_queue=self._queue_facts(),
            encryption_key_arn=None if self.encryption_key is None else self.encryption_key.key_arn,
        )

    def _controller_role_facts(self, stack: cdk.Stack) -> RoleFacts | None:
        role = self.controller_role
        return None if role is None else _role_facts("controller_role", role, stack)

    def _node_role_facts(self, stack: cdk.Stack) -> Iterator[RoleFacts]:
        several = isinstance(self.node_role, (list, tuple))
        for index, role in enumerate(self.node_roles):
            yield _role_facts(f"node_role[{index}]" if several else "node_role", role, stack)

    def _managed_policy_arns(self) -> Iterator[tuple[str, str]]:
        if self.permissions_boundary is not None:
            yield "permissions_boundary", self.permissions_boundary.managed_policy_arn
        for index, policy in enumerate(self.node_role_policies):
            yield f"node_role_policies[{index}]", policy.managed_policy_arn

    def _queue_facts(self) -> QueueFacts | None:
        queue = self.interruption_queue
        if queue is None:
            return None
        return QueueFacts(
            arn=queue.queue_arn,
            name=queue.queue_name,
            path=queue.node.path,
            fifo=queue.fifo,
            key_arn=_queue_key_arn(queue),
        )


def _queue_key_arn(queue: cdk.aws_sqs.IQueue) -> str | None:
    if queue.encryption_type is cdk.aws_sqs.QueueEncryption.KMS_MANAGED:
        return "alias/aws/sqs"
    key = queue.encryption_master_key
    return None if key is None else key.key_arn


def _role_facts(argument: str, role: iam.IRole, stack: cdk.Stack) -> RoleFacts:
    return RoleFacts(
        argument=argument,
        path=role.node.path,
        arn=role.role_arn,
        name=role.role_name,
        same_stack=cdk.Stack.of(role).node.path == stack.node.path,
    )
