"""What the user brings to `Karpenter` instead of having it made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sqs as sqs

from ._tokens import is_unresolved
from .errors import Problem, SettingsError


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the user brings, and what is put on everything that is made."""

    controller_role: iam.IRole | None
    controller_role_has_permissions: bool
    controller_policy_statements: Sequence[iam.PolicyStatement]
    permissions_boundary: iam.IManagedPolicy | None
    node_roles: tuple[iam.IRole, ...]
    node_role_policies: Sequence[iam.IManagedPolicy]
    cni_policy_on_node_role: bool
    node_instance_profile: str | None
    interruption_queue: sqs.IQueue | None
    encryption_key: kms.IKey | None

    def problems(self, stack: Stack, *, aws_auth: bool) -> list[Problem]:
        """What cannot work.

        Args:
            stack: The stack of the construct.
            aws_auth: Whether node roles are mapped in aws-auth, which is in that stack.
        """
        roles = {f"node_role[{index}]": role for index, role in enumerate(self.node_roles)}
        if self.controller_role is not None:
            roles["controller_role"] = self.controller_role
        return [
            *(problem for path, role in roles.items() for problem in _role_problems(path, role, stack)),
            *(_foreign_stack_problems(self.node_roles, stack) if aws_auth else ()),
            *_instance_profile_problems(self.node_instance_profile),
            *self._without_effect(),
        ]

    def _without_effect(self) -> Iterator[Problem]:
        """Arguments about something that is not there, or that is brought along already."""
        if self.controller_role is None and self.controller_role_has_permissions:
            yield _pointless("controller_role_has_permissions", "is about a role of yours", "controller_role")
        if not self.node_roles and self.node_instance_profile is not None:
            yield _pointless("node_instance_profile", "needs the role that is in it", "node_role")
        if self.node_roles and self.node_role_policies:
            yield _unused("node_role_policies", "node_role", "attach them to that role")
        if self.node_roles and not self.cni_policy_on_node_role:
            yield _unused("cni_policy_on_node_role", "node_role", "leave the CNI policy off that role")
        if self.interruption_queue is not None and self.encryption_key is not None:
            yield _unused("encryption_key", "interruption_queue", "encrypt that queue with it")


def as_roles(node_role: iam.IRole | Sequence[iam.IRole] | None) -> tuple[iam.IRole, ...]:
    """The given node roles: none, one, or several.

    Raises:
        SettingsError: An empty list, or something that is no role.
    """
    if node_role is None:
        return ()
    roles = tuple(node_role) if isinstance(node_role, (list, tuple)) else (node_role,)
    if not roles:
        raise SettingsError(
            Problem(
                "node_role", f"must list at least one role, got {node_role!r}; leave it out to have one made"
            )
        )
    return roles


def _role_problems(path: str, role: iam.IRole, stack: Stack) -> Iterator[Problem]:
    if not hasattr(type(role), "role_arn") and not hasattr(role, "role_arn"):
        yield Problem(
            path,
            f"is no IAM role, got {role!r}; pass an iam.Role, or iam.Role.from_role_arn() or from_role_name()",
        )
        return
    account = _account(role.role_arn)
    if account and not is_unresolved(stack.account) and account != stack.account:
        yield Problem(
            path,
            f"is a role of account {account}, got {role.role_arn!r}, but the stack is of account {stack.account}; use "
            "a role of that account",
        )


def _foreign_stack_problems(roles: Sequence[iam.IRole], stack: Stack) -> Iterator[Problem]:
    """CDK writes aws-auth in the cluster's stack only with roles of that stack, imported ones included."""
    for index, role in enumerate(roles):
        # jsii gives one Python object for one construct as long as it is held.
        own = Stack.of(role)
        if own is not stack:
            yield Problem(
                f"node_role[{index}]",
                f"aws-auth cannot map a role of another stack, got {role.node.path}; define the role in the stack of "
                "the cluster, or create the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP",
            )


def _account(arn: str) -> str:
    """The account in an ARN, empty where it is not known yet."""
    parts = arn.split(":")
    return "" if is_unresolved(arn) or len(parts) < 6 else parts[4]  # noqa: PLR2004 - arn:partition:iam::account:role/…


def _instance_profile_problems(name: str | None) -> Iterator[Problem]:
    if name is not None and not is_unresolved(name) and (name.startswith("arn:") or "/" in name):
        yield Problem(
            "node_instance_profile", f"must be a name, got {name!r}; write what follows the last '/'"
        )


def _pointless(path: str, why: str, argument: str) -> Problem:
    return Problem(path, f"{why}, but `{argument}` is not given; pass `{argument}` too")


def _unused(path: str, argument: str, instead: str) -> Problem:
    return Problem(path, f"has no effect beside `{argument}`; {instead}, and leave this out")
