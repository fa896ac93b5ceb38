"""What the user brings to `Karpenter` instead of having it made, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

_NONE: Mapping[str, Any] = MappingProxyType({})


class RoleFacts(NamedTuple):
    """An IAM role of the user's.

    Attributes:
        argument: The argument that it came in, such as ``node_role[1]``.
        path: Its construct path.
        arn: Its ARN, often a token.
        name: Its name, often a token.
        same_stack: Whether it is in the stack of the Karpenter construct.
    """

    argument: str
    path: str
    arn: str
    name: str
    same_stack: bool = True


class QueueFacts(NamedTuple):
    """An SQS queue of the user's.

    Attributes:
        arn: Its ARN, often a token.
        name: Its name, often a token.
        path: Its construct path.
        fifo: Whether it takes messages of a group only.
        key_arn: The ARN of the KMS key that it is encrypted with, or of an alias of that, or an alias; ``None``
            where there is none, or it is not known.
    """

    arn: str
    name: str
    path: str = ""
    fifo: bool = False
    key_arn: str | None = None


class GivenFacts(NamedTuple):
    """Everything that the user brings.

    Attributes:
        controller_role: The controller's role.
        controller_role_has_permissions: Whether that role may do already what the controller needs.
        controller_statements: What the controller may do besides: statements by the argument that each came in.
        node_roles: The nodes' roles.
        managed_policies: The ARNs of managed policies, often tokens, by the argument that each came in.
        node_role_policies: How many further policies the node role that is made gets.
        cni_policy_on_node_role: Whether the VPC CNI works with the node role that is made.
        node_instance_profile: The name of the nodes' instance profile.
        instance_profile_role_arn: The role in that profile; ``None`` where it is not known.
        interruption_queue: The queue of interruption events.
        encryption_key_arn: The ARN of the key for the queue that is made, or of an alias, often a token.
    """

    controller_role: RoleFacts | None = None
    controller_role_has_permissions: bool = False
    controller_statements: Mapping[str, Mapping[str, Any]] = _NONE
    node_roles: tuple[RoleFacts, ...] = ()
    managed_policies: Mapping[str, str] = _NONE
    node_role_policies: int = 0
    cni_policy_on_node_role: bool = True
    node_instance_profile: str | None = None
    instance_profile_role_arn: str | None = None
    interruption_queue: QueueFacts | None = None
    encryption_key_arn: str | None = None
