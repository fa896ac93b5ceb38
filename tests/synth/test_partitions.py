"""Karpenter in every partition of AWS: its part of a template names none, and no suffix, region or account."""

from __future__ import annotations

import json
import re

import pytest
from aws_cdk import Environment, Stack, aws_kms
from aws_cdk.assertions import Template

from karpenter_construct import ControllerCapacity, Karpenter

from . import clusters, karpenters
from .intrinsics import SAME_EVERYWHERE

REGIONS = {
    "aws": "eu-west-1",
    "aws-cn": "cn-north-1",
    "aws-us-gov": "us-gov-west-1",
    "aws-iso": "us-iso-east-1",
    "aws-iso-b": "us-isob-east-1",
    "aws-iso-e": "eu-isoe-west-1",
    "aws-iso-f": "us-isof-south-1",
}
ACCOUNT = "444455556666"
needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")

# Regions of all partitions, in ARNs and names of services too; not those of the imported resources of the fixtures.
REGION = re.compile(r"\b(?:us|eu|ap|cn|ca|sa|me|af|il|mx)-(?:[a-z]+-)?[a-z]+-\d\b")
SUFFIX = re.compile(
    r"[a-z0-9.-]+\.(?:amazonaws\.com(?:\.cn)?|c2s\.ic\.gov|sc2s\.sgov\.gov|csp\.hci\.ic\.gov|cloud\.adc-e\.uk)"
)
NAMES = {
    *SAME_EVERYWHERE,
    # The controller passes the node role to EC2, which has a name of its own in China; upstream lists both.
    "ec2.amazonaws.com",
    "ec2.amazonaws.com.cn",
    # The domain of EKS' labels and annotations in Kubernetes.
    "eks.amazonaws.com",
}


def installed(kind: str, environment: Environment | None) -> tuple[Stack, str]:
    """A stack with every part that differs between partitions, and Karpenter's part of the template as text."""
    stack = clusters.stack(env=environment)
    capacity = None if kind == "fargate" else ControllerCapacity.nodegroup()
    karpenter = Karpenter(
        stack,
        "Karpenter",
        cluster=karpenters.cluster(kind, stack),
        version="1.14.1",
        controller_capacity=capacity,
        encryption_key=aws_kms.Key(stack, "Key"),
    )
    karpenter.add_node_pool("default")
    resources = Template.from_stack(stack).to_json()["Resources"]
    parts = {name: body for name, body in resources.items() if name.startswith("Karpenter")}
    # CDK names its own bucket of files by account and region.
    parts["KarpenterHandlerA43F7A72"]["Properties"]["Code"] = None
    return stack, json.dumps(parts)


@pytest.mark.parametrize(
    ("partition", "kind"),
    [
        *((partition, "classic") for partition in REGIONS),
        ("aws-cn", "fargate"),
        pytest.param("aws-us-gov", "v2", marks=needs_eks_v2),
    ],
)
def test_nothing_is_hard_coded(partition: str, kind: str):
    region = REGIONS[partition]
    stack, text = installed(kind, Environment(account=ACCOUNT, region=region))
    assert stack.region == region
    assert REGION.findall(text) == []
    assert ACCOUNT not in text
    assert re.findall(r"arn:aws[a-z-]*:", text) == []
    assert set(SUFFIX.findall(text)) - NAMES == set()


@pytest.mark.parametrize("kind", ["classic", "fargate", pytest.param("v2", marks=needs_eks_v2)])
def test_nothing_is_hard_coded_where_the_region_is_open(kind: str):
    _, text = installed(kind, None)
    assert REGION.findall(text) == []
    assert re.findall(r"arn:aws[a-z-]*:", text) == []


def test_fails_to_overlook_a_region():
    assert REGION.findall(
        "com.amazonaws.eu-west-1.ec2 us-gov-west-1 cn-north-1 us-isob-east-1 ap-southeast-2"
    ) == [
        "eu-west-1",
        "us-gov-west-1",
        "cn-north-1",
        "us-isob-east-1",
        "ap-southeast-2",
    ]
    assert SUFFIX.findall(
        "ec2.c2s.ic.gov s3.eu-west-1.amazonaws.com ec2.csp.hci.ic.gov sqs.cloud.adc-e.uk"
    ) == [
        "ec2.c2s.ic.gov",
        "s3.eu-west-1.amazonaws.com",
        "ec2.csp.hci.ic.gov",
        "sqs.cloud.adc-e.uk",
    ]
