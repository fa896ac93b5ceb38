"""The role of the nodes that Karpenter launches, and an instance profile with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from aws_cdk import aws_iam as iam
from constructs import Construct

from .._upstream.node_role import ipv6_cni_policy, node_trust_policy
from .policy_document import sub_document

CNI_POLICY = "AmazonEKS_CNI_Policy"


class InstanceProfile(NamedTuple):
    """An instance profile's name, as node classes take it, and its ARN."""

    name: str
    arn: str


def node_role(
    scope: Construct,
    *,
    managed_policies: Sequence[str],
    id: str = "NodeRole",  # noqa: A002 - the word of every construct
    cni_policy: bool = True,
    ipv6: bool = False,
    additional_policies: Sequence[iam.IManagedPolicy] = (),
    permissions_boundary: iam.IManagedPolicy | None = None,
) -> iam.Role:
    """A role for EC2 instances that join the cluster.

    Args:
        scope: The `Karpenter` construct.
        managed_policies: Names of AWS managed policies, ``AmazonEKS_CNI_Policy`` among them.
        id: The construct id.
        cni_policy: Whether the VPC CNI uses this role. ``False`` where it has a role of its own.
        ipv6: Whether pods get IPv6 addresses. The CNI then needs other permissions, for which there is no
            AWS managed policy, in place of ``AmazonEKS_CNI_Policy`` (EKS user guide, CNI IAM role).
        additional_policies: Further managed policies.
        permissions_boundary: The boundary of the role.
    """
    keeps_cni = cni_policy and not ipv6
    names = [name for name in managed_policies if keeps_cni or name != CNI_POLICY]
    aws_policies = [iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in names]
    role = iam.Role(
        scope,
        id,
        assumed_by=cast("iam.IPrincipal", iam.ServicePrincipal("ec2.amazonaws.com")),
        managed_policies=[*aws_policies, *additional_policies],
        permissions_boundary=permissions_boundary,
    )
    resource = cast("iam.CfnRole", role.node.default_child)
    # Upstream's form, proven in every partition; CDK's own is ec2.amazonaws.com everywhere.
    resource.assume_role_policy_document = sub_document(node_trust_policy(), {})
    if cni_policy and ipv6:
        resource.policies = [_inline_policy("CniIpv6", ipv6_cni_policy())]
    return role


def instance_profile(
    scope: Construct,
    role: iam.IRole,
    *,
    id: str = "NodeInstanceProfile",  # noqa: A002 - the word of every construct
) -> InstanceProfile:
    """An instance profile with the role, for node classes that name a profile and not a role.

    Args:
        scope: The `Karpenter` construct.
        role: A role made here or given.
        id: The construct id.
    """
    profile = iam.CfnInstanceProfile(scope, id, roles=[role.role_name])
    return InstanceProfile(name=profile.ref, arn=profile.attr_arn)


def _inline_policy(name: str, document: Mapping[str, Any]) -> iam.CfnRole.PolicyProperty:
    return iam.CfnRole.PolicyProperty(policy_name=name, policy_document=sub_document(document, {}))
