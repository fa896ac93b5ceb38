"""A real policy evaluator agrees with what the function behind the custom resources may do."""

from __future__ import annotations

import json

import pytest
from aws_cdk import Fn

from karpenter_construct._resources.discovery_tags import tag_for_discovery
from karpenter_construct._resources.handler_function import HandlerFunction
from karpenter_construct._resources.node_drain import node_drain
from karpenter_construct._resources.spot_service_linked_role import spot_service_linked_role
from tests.synth.clusters import ACCOUNT as HERE
from tests.synth.intrinsics import document, resources

from .simulator import ACCOUNT, Ask, simulate

TAG = "karpenter.sh/discovery"
EC2 = f"arn:aws:ec2:eu-west-1:{ACCOUNT}"
SUBNET, GROUP, INSTANCE = f"{EC2}:subnet/subnet-1", f"{EC2}:security-group/sg-1", f"{EC2}:instance/i-1"
REMOVED = f"{EC2}:subnet/subnet-9"
SHARED = "arn:aws:ec2:eu-west-1:999999999999:subnet/subnet-2"
SERVICE_ROLES = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role"
SPOT_ROLE = f"{SERVICE_ROLES}/spot.amazonaws.com/AWSServiceRoleForEC2Spot"
STACK = f"arn:aws:cloudformation:eu-west-1:{ACCOUNT}:stack/karpenter/1"
ECS_ROLE = f"{SERVICE_ROLES}/ecs.amazonaws.com/AWSServiceRoleForECS"


def tagging(action: str, resource: str, *, keys=(TAG,), value="prod", has=None) -> Ask:
    """A call that sets or takes off tags on a resource that has a value of the discovery tag, or none."""
    request = {f"aws:RequestTag/{key}": value for key in keys}
    context = {"aws:TagKeys": list(keys), **request} if keys else {}
    return Ask(action, resource, context if has is None else {**context, f"aws:ResourceTag/{TAG}": has})


def service_role(resource: str, service: str) -> Ask:
    return Ask("iam:CreateServiceLinkedRole", resource, {"iam:AWSServiceName": service})


WORK = {
    "tag a subnet": tagging("ec2:CreateTags", SUBNET),
    "tag a subnet again": tagging("ec2:CreateTags", SUBNET, has="prod"),
    "tag the group": tagging("ec2:CreateTags", GROUP),
    "tag a shared subnet": tagging("ec2:CreateTags", SHARED),
    "untag a subnet": tagging("ec2:DeleteTags", SUBNET, has="prod"),
    "untag the group": tagging("ec2:DeleteTags", GROUP, has="prod"),
    "untag a subnet that is not listed any more": tagging("ec2:DeleteTags", REMOVED, has="prod"),
    "look at tags": Ask("ec2:DescribeTags", "*"),
    "make the role of spot": service_role(SPOT_ROLE, "spot.amazonaws.com"),
    "look at instances": Ask("ec2:DescribeInstances", "*"),
    "look at launch templates": Ask("ec2:DescribeLaunchTemplates", "*"),
    "look at its stack": Ask("cloudformation:DescribeStacks", STACK),
}
MORE = {
    "tag a subnet that is not listed": tagging("ec2:CreateTags", REMOVED),
    "tag for another cluster": tagging("ec2:CreateTags", SUBNET, value="other"),
    "tag with one more key": tagging("ec2:CreateTags", SUBNET, keys=(TAG, "Name")),
    "tag with another key": tagging("ec2:CreateTags", SUBNET, keys=("Name",)),
    "tag an instance": tagging("ec2:CreateTags", INSTANCE),
    "untag another cluster's subnet": tagging("ec2:DeleteTags", SUBNET, has="other"),
    "untag what has no tag": tagging("ec2:DeleteTags", SUBNET),
    "take off all tags": tagging("ec2:DeleteTags", SUBNET, keys=(), has="prod"),
    "untag one more key": tagging("ec2:DeleteTags", SUBNET, keys=(TAG, "Name"), has="prod"),
    "untag an instance": tagging("ec2:DeleteTags", INSTANCE, has="prod"),
    "make another role": service_role(ECS_ROLE, "ecs.amazonaws.com"),
    "delete the role of spot": Ask("iam:DeleteServiceLinkedRole", SPOT_ROLE),
    "terminate an instance": Ask("ec2:TerminateInstances", INSTANCE),
    "delete a launch template": Ask("ec2:DeleteLaunchTemplate", f"{EC2}:launch-template/lt-1"),
    "look at another stack": Ask("cloudformation:DescribeStacks", STACK.replace("karpenter", "other")),
    "delete its stack": Ask("cloudformation:DeleteStack", STACK),
}


@pytest.fixture(scope="module")
def allowed():
    """The evaluator's answers about the function of a cluster with two subnets and one group."""

    def build(scope):
        handler = HandlerFunction(scope)
        spot_service_linked_role(handler)
        node_drain(handler, cluster_name=Fn.ref("Cluster"), pool_tag="karpenter.sh/provisioner-name")
        tag_for_discovery(
            cluster_name=Fn.ref("Cluster"),
            subnets=["subnet-1", "subnet-2"],
            security_group_ids=["sg-1"],
            handler=lambda: handler,
        )

    found = resources(build)
    policies = {
        name: document(
            found[name]["Properties"]["PolicyDocument"], {"Cluster": "prod", "AWS::StackId": STACK}
        )
        for name in ("DiscoveryTagsPolicy", "SpotServiceLinkedRolePolicy", "NodeDrainPolicy")
    }
    policies = json.loads(json.dumps(policies).replace(HERE, ACCOUNT))
    asked = {**WORK, **MORE}
    answers = simulate({"function": policies}, [("function", ask) for ask in asked.values()])
    assert [answer.ignored for answer in answers] == [()] * len(asked), "a condition key that does not exist"
    return {what: answer.allowed for what, answer in zip(asked, answers, strict=True)}


@pytest.mark.parametrize("what", WORK)
def test_function_may(allowed, what):
    assert allowed[what]


@pytest.mark.parametrize("what", MORE)
def test_function_fails_to(allowed, what):
    assert not allowed[what]
