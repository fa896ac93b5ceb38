"""The IAM roles of nodes."""

from __future__ import annotations

from typing import NamedTuple

from aws_cdk import aws_iam


class NodeRole(NamedTuple):
    """An IAM role of nodes, and what it is called; asked once, as each answer comes from Node.js.

    Attributes:
        role: The role.
        arn: Its ARN, often a token.
        names: The names by which a user may call it, CDK's first, which is a token for a role of the app.
    """

    role: aws_iam.IRole
    arn: str
    names: tuple[str, ...]

    @classmethod
    def given(cls, role: aws_iam.IRole) -> NodeRole:
        """A role of the user's, who may have given it a name."""
        resource = role.node.default_child
        name = resource.role_name if isinstance(resource, aws_iam.CfnRole) else None
        return cls(role, role.role_arn, (role.role_name,) if name is None else (role.role_name, name))
