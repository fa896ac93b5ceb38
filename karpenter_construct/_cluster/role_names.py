"""The names by which a user may call an IAM role."""

from __future__ import annotations

from aws_cdk import aws_iam


def role_names(role: aws_iam.IRole) -> tuple[str, ...]:
    """CDK's name, which is a token for a role of the app, and the one that the user gave it, if he did."""
    resource = role.node.default_child
    given = resource.role_name if isinstance(resource, aws_iam.CfnRole) else None
    return (role.role_name,) if given is None else (role.role_name, given)
