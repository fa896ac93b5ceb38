"""The role of the nodes, and the instance profile with it."""

from __future__ import annotations

import pytest
from aws_cdk import aws_iam
from constructs import Construct

from karpenter_construct._resources.node_role import instance_profile, node_role

from .clusters import stack
from .intrinsics import CHINA, GOVCLOUD, document, hard_coded, kinds, of_stack, resources

POLICIES = ("AmazonEKS_CNI_Policy", "AmazonEKSWorkerNodePolicy")


def aws_policy(name: str) -> dict:
    return {"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, f":iam::aws:policy/{name}"]]}


def made(**given):
    return resources(lambda scope: node_role(scope, managed_policies=POLICIES, **given))["NodeRole"][
        "Properties"
    ]


def test_is_for_ec2_of_the_partition():
    assert document(made()["AssumeRolePolicyDocument"]) == {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
        ],
    }


def test_has_the_policies_of_the_release():
    assert made()["ManagedPolicyArns"] == [
        aws_policy("AmazonEKS_CNI_Policy"),
        aws_policy("AmazonEKSWorkerNodePolicy"),
    ]
    assert "Policies" not in made()


def test_leaves_the_cni_out_where_it_has_a_role_of_its_own():
    assert made(cni_policy=False)["ManagedPolicyArns"] == [aws_policy("AmazonEKSWorkerNodePolicy")]


def test_ipv6_needs_other_permissions_of_the_cni():
    properties = made(ipv6=True)
    assert properties["ManagedPolicyArns"] == [aws_policy("AmazonEKSWorkerNodePolicy")]
    [policy] = properties["Policies"]
    assert policy["PolicyName"] == "CniIpv6"
    assert document(policy["PolicyDocument"])["Statement"] == [
        {
            "Effect": "Allow",
            "Action": [
                "ec2:AssignIpv6Addresses",
                "ec2:DescribeInstances",
                "ec2:DescribeTags",
                "ec2:DescribeNetworkInterfaces",
                "ec2:DescribeInstanceTypes",
            ],
            "Resource": "*",
        },
        {
            "Effect": "Allow",
            "Action": "ec2:CreateTags",
            "Resource": "arn:aws:ec2:*:*:network-interface/*",
        },
    ]


def test_ipv6_leaves_the_cni_out_too_where_it_has_a_role_of_its_own():
    assert "Policies" not in made(ipv6=True, cni_policy=False)


def test_takes_further_policies_and_a_boundary():
    def build(scope):
        mine = aws_iam.ManagedPolicy.from_aws_managed_policy_name("Mine")
        node_role(scope, managed_policies=POLICIES[1:], additional_policies=[mine], permissions_boundary=mine)

    properties = resources(build)["NodeRole"]["Properties"]
    assert properties["ManagedPolicyArns"] == [
        aws_policy("AmazonEKSWorkerNodePolicy"),
        aws_policy("Mine"),
    ]
    assert properties["PermissionsBoundary"] == aws_policy("Mine")


def test_takes_policies_added_later():
    def build(scope):
        role = node_role(scope, managed_policies=())
        role.add_managed_policy(aws_iam.ManagedPolicy.from_aws_managed_policy_name("Mine"))

    assert resources(build)["NodeRole"]["Properties"]["ManagedPolicyArns"] == [aws_policy("Mine")]


def test_is_one_resource():
    assert kinds(resources(lambda scope: node_role(scope, managed_policies=POLICIES))) == {
        "NodeRole": "AWS::IAM::Role"
    }


def test_profile_has_a_name_and_an_arn():
    home = stack()
    scope = Construct(home, "Karpenter")
    profile = instance_profile(scope, node_role(scope, managed_policies=()))
    name, arn = home.resolve(profile.name), home.resolve(profile.arn)
    assert name["Ref"].startswith("KarpenterNodeInstanceProfile")
    assert arn["Fn::GetAtt"] == [name["Ref"], "Arn"]
    assert of_stack(home)["NodeInstanceProfile"] == {
        "Type": "AWS::IAM::InstanceProfile",
        "Properties": {"Roles": [{"Ref": "NodeRole"}]},
    }


def test_profile_takes_a_given_role_by_its_name():
    def build(scope):
        instance_profile(scope, aws_iam.Role.from_role_name(scope, "Mine", "mine"))

    found = resources(build)
    assert found["NodeInstanceProfile"]["Properties"] == {"Roles": ["mine"]}
    assert len(found) == 1


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
def test_nothing_is_hard_coded(env):
    def build(scope):
        instance_profile(scope, node_role(scope, managed_policies=POLICIES, ipv6=True))

    assert hard_coded(resources(build, env=env)) == set()
