"""The tag by which node classes find subnets and security groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from aws_cdk import CfnResource, Tags
from aws_cdk import aws_ec2 as ec2

from .._tokens import is_unresolved
from ..discovery import DISCOVERY_TAG
from .handler_function import HandlerFunction
from .policy_document import statements, sub_document

RESOURCE_TYPE = "Custom::KarpenterDiscoveryTags"


class DiscoveryTags(NamedTuple):
    """What was tagged.

    Attributes:
        resource: The custom resource that tags at deploy time; ``None`` where CDK's own tags do for all.
        tagged_at_deploy: The ids that it tags.
    """

    resource: CfnResource | None
    tagged_at_deploy: tuple[str, ...]


def tag_for_discovery(
    *,
    cluster_name: str,
    subnets: Sequence[ec2.ISubnet | str],
    security_group_ids: Sequence[str],
    handler: Callable[[], HandlerFunction],
) -> DiscoveryTags:
    """Tag ``karpenter.sh/discovery=<cluster name>``.

    Subnets that the app makes get CDK's tags. Not where the cluster's name is generated: the subnets would
    wait for the cluster, which waits for them. Everything that CloudFormation does not own is tagged by one
    custom resource, which untags it when it is deleted.

    Args:
        cluster_name: Literal where it is known at synth, else a token.
        subnets: Subnets or their ids.
        security_group_ids: Security group ids.
        handler: Gives the function behind custom resources; called only where one is needed.
    """
    literal = not is_unresolved(cluster_name)
    at_deploy = list(security_group_ids)
    for subnet in subnets:
        if isinstance(subnet, str):
            at_deploy.append(subnet)
        elif literal and isinstance(subnet, ec2.Subnet):
            # The subnet alone: its route table and NAT gateway take tags too.
            Tags.of(subnet).add(DISCOVERY_TAG, cluster_name, include_resource_types=["AWS::EC2::Subnet"])
        else:
            at_deploy.append(subnet.subnet_id)
    if not at_deploy:
        return DiscoveryTags(None, ())
    resource = handler().custom_resource(
        "DiscoveryTags",
        resource_type=RESOURCE_TYPE,
        properties={"Key": DISCOVERY_TAG, "Value": cluster_name, "Ids": at_deploy},
        policy_document=_policy(
            cluster_name, subnets=at_deploy[len(security_group_ids) :], groups=security_group_ids
        ),
    )
    return DiscoveryTags(resource, tuple(at_deploy))


def _policy(cluster_name: str, *, subnets: Sequence[str], groups: Sequence[str]) -> Any:  # noqa: ANN401
    """What the handler may do: set this tag on exactly these resources, take this cluster's tag off again.

    An update takes the tag off what is listed no more, when the policy does not list it any more either:
    hence the condition on the tag itself. The account is open: a shared subnet belongs to another one.
    """
    kinds = {**dict.fromkeys(subnets, "subnet"), **dict.fromkeys(groups, "security-group")}
    only_this_tag: Mapping[str, Any] = {"aws:TagKeys": DISCOVERY_TAG}
    return sub_document(
        statements(
            {"Effect": "Allow", "Action": "ec2:DescribeTags", "Resource": "*"},
            {
                "Effect": "Allow",
                "Action": "ec2:CreateTags",
                "Resource": [_arn(kind, resource) for resource, kind in kinds.items()],
                "Condition": {
                    "StringEquals": {f"aws:RequestTag/{DISCOVERY_TAG}": "${ClusterName}"},
                    "ForAllValues:StringEquals": only_this_tag,
                },
            },
            {
                "Effect": "Allow",
                "Action": "ec2:DeleteTags",
                "Resource": [_arn("subnet", "*"), _arn("security-group", "*")],
                "Condition": {
                    "StringEquals": {f"aws:ResourceTag/{DISCOVERY_TAG}": "${ClusterName}"},
                    "ForAllValues:StringEquals": only_this_tag,
                    # A request that names no tag would take off all of them.
                    "Null": {"aws:TagKeys": "false"},
                },
            },
        ),
        {"ClusterName": cluster_name},
    )


def _arn(kind: str, resource: str) -> str:
    return f"arn:${{AWS::Partition}}:ec2:${{AWS::Region}}:*:{kind}/{resource}"
