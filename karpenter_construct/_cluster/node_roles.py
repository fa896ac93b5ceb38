"""The IAM roles of nodes."""

from __future__ import annotations

from typing import NamedTuple

from aws_cdk import Aws, aws_iam
from constructs import Construct

from .._decisions.node_access import aws_auth_arn


def resource_of(role: aws_iam.IRole) -> aws_iam.CfnRole | None:
    """What CloudFormation makes of the role; ``None`` where it is imported."""
    resource = role.node.default_child
    return resource if isinstance(resource, aws_iam.CfnRole) else None


def path_of(resource: aws_iam.CfnRole) -> str | None:
    """The path of the role, if it has one."""
    path = resource.path
    return None if path == "/" else path


class NodeRole(NamedTuple):
    """An IAM role of nodes, and what it is called; asked once, as each answer comes from Node.js.

    Attributes:
        role: The role.
        arn: Its ARN, often a token.
        names: The names by which a user may call it, CDK's first, which is a token for a role of the app.
        aws_auth_arn: What aws-auth calls it, where that is not its ARN: where the role has a path.
    """

    role: aws_iam.IRole
    arn: str
    names: tuple[str, ...]
    aws_auth_arn: str | None = None

    @classmethod
    def given(cls, role: aws_iam.IRole) -> NodeRole:
        """A role of the user's, who may have given it a name and a path."""
        resource, arn, name = resource_of(role), role.role_arn, role.role_name
        if resource is None:
            known_as = aws_auth_arn(arn)
            return cls(role, arn, (name,), None if known_as == arn else known_as)
        own_name = resource.role_name
        names = (name,) if own_name is None else (name, own_name)
        if path_of(resource) is None:
            return cls(role, arn, names)
        return cls(role, arn, names, f"arn:{Aws.PARTITION}:iam::{Aws.ACCOUNT_ID}:role/{name}")

    def in_aws_auth(self, scope: Construct, id: str) -> aws_iam.IRole:  # noqa: A002
        """The role as aws-auth is to map it.

        Args:
            scope: Where a role without the path is imported, in the stack of the cluster.
            id: The construct id of that.
        """
        if self.aws_auth_arn is None:
            return self.role
        return aws_iam.Role.from_role_arn(scope, id, self.aws_auth_arn)
