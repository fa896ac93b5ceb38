"""Waits, when the stack goes, until Karpenter has terminated its instances and deleted its launch templates.

It deletes nothing itself: the pools went before it, and the controller, which goes after it, drains their nodes.

Properties: ``ClusterName``; ``PoolTag``, the key of the tag by which an instance names its pool; ``StackId``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import boto3

from .cloudformation import RefusedError, Request, RequestType, logger, once_allowed

if TYPE_CHECKING:
    from types_boto3_ec2 import EC2Client
    from types_boto3_ec2.type_defs import FilterTypeDef

RESOURCE_TYPE = "Custom::KarpenterNodeDrain"
LONGEST_WAIT_S = 720
"""Leaves a minute each for IAM and for the calls themselves within Lambda's 15 minutes."""
PAUSE_S = 15
_STATES = ["pending", "running", "shutting-down", "stopping", "stopped"]
_SHOWN = 5


def handle(request: Request, *, pause: Callable[[float], None] = time.sleep) -> None:
    """On delete, wait for the nodes; an instance that stays is an error, a launch template costs nothing."""
    if request.type is not RequestType.DELETE or once_allowed(lambda: _stack_stays(request)):
        return
    ec2 = boto3.client("ec2")
    for _ in range(LONGEST_WAIT_S // PAUSE_S):
        instances = once_allowed(lambda: _instances(ec2, request.properties))
        left = instances or once_allowed(lambda: _launch_templates(ec2, request.properties))
        if not left:
            return
        logger.info("Still there: %s", ", ".join(left))
        pause(PAUSE_S)
    if instances:
        raise RefusedError(_refusal(instances, request.properties["PoolTag"]))
    logger.warning("Left behind: %s", ", ".join(left))


def _stack_stays(request: Request) -> bool:
    """Whether this is the clean-up of an update, such as one to a release that needs no waiting."""
    stacks = boto3.client("cloudformation").describe_stacks(StackName=request.properties["StackId"])
    return str(stacks["Stacks"][0]["StackStatus"]).startswith("UPDATE_")


def _instances(ec2: EC2Client, properties: Any) -> list[str]:  # noqa: ANN401
    filters: list[FilterTypeDef] = [
        {"Name": "tag-key", "Values": [properties["PoolTag"]]},
        {"Name": f"tag:kubernetes.io/cluster/{properties['ClusterName']}", "Values": ["owned"]},
        {"Name": "instance-state-name", "Values": _STATES},
    ]
    pages = ec2.get_paginator("describe_instances").paginate(Filters=filters)
    return [
        instance["InstanceId"]
        for page in pages
        for reservation in page["Reservations"]
        for instance in reservation["Instances"]
    ]


def _launch_templates(ec2: EC2Client, properties: Any) -> list[str]:  # noqa: ANN401
    filters: list[FilterTypeDef] = [
        {"Name": "tag:karpenter.k8s.aws/cluster", "Values": [properties["ClusterName"]]}
    ]
    pages = ec2.get_paginator("describe_launch_templates").paginate(Filters=filters)
    return [template["LaunchTemplateId"] for page in pages for template in page["LaunchTemplates"]]


def _refusal(instances: Sequence[str], pool_tag: str) -> str:
    shown = ", ".join(instances[:_SHOWN])
    more = f" and {len(instances) - _SHOWN} more" if len(instances) > _SHOWN else ""
    return (
        f"Nodes of Karpenter still run after {LONGEST_WAIT_S // 60} minutes: {shown}{more}; see with `kubectl get "
        f"nodes -l {pool_tag}` what keeps them, such as a PodDisruptionBudget, and delete the stack again"
    )
