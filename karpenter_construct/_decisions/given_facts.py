"""What the user brings to `Karpenter` instead of having it made, as plain data."""

from __future__ import annotations

from typing import NamedTuple


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
    """

    arn: str
    name: str


class GivenFacts(NamedTuple):
    """Everything that the user brings.

    Attributes:
        controller_role: The controller's role.
        controller_role_has_permissions: Whether that role may do already what the controller needs.
        node_roles: The nodes' roles.
        node_role_policies: How many further policies the node role that is made gets.
        cni_policy_on_node_role: Whether the VPC CNI works with the node role that is made.
        node_instance_profile: The name of the nodes' instance profile.
        instance_profile_role_arn: The role in that profile; ``None`` where it is not known.
        interruption_queue: The queue of interruption events.
        encryption_key: Whether there is a key for the queue that is made.
    """

    controller_role: RoleFacts | None = None
    controller_role_has_permissions: bool = False
    node_roles: tuple[RoleFacts, ...] = ()
    node_role_policies: int = 0
    cni_policy_on_node_role: bool = True
    node_instance_profile: str | None = None
    instance_profile_role_arn: str | None = None
    interruption_queue: QueueFacts | None = None
    encryption_key: bool = False
