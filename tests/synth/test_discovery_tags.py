"""Discovery tags: CDK's own where the app makes the subnets, a custom resource for the rest."""

from __future__ import annotations

import pytest
from aws_cdk import Fn, aws_ec2
from constructs import Construct

from karpenter_construct._resources.discovery_tags import tag_for_discovery
from karpenter_construct._resources.handler_function import HandlerFunction

from .clusters import stack
from .intrinsics import CHINA, GOVCLOUD, document, hard_coded, of_stack, resources

TAG = "karpenter.sh/discovery"


def tag(scope: Construct, subnets=(), groups=(), *, name="prod"):
    return tag_for_discovery(
        cluster_name=name,
        subnets=subnets,
        security_group_ids=groups,
        handler=lambda: HandlerFunction(scope),
    )


def vpc(scope: Construct) -> aws_ec2.Vpc:
    return aws_ec2.Vpc(
        scope,
        "Vpc",
        max_azs=2,
        nat_gateways=1,
        subnet_configuration=[
            aws_ec2.SubnetConfiguration(name="Public", subnet_type=aws_ec2.SubnetType.PUBLIC),
            aws_ec2.SubnetConfiguration(name="Private", subnet_type=aws_ec2.SubnetType.PRIVATE_WITH_EGRESS),
        ],
    )


def tagged(found) -> dict[str, str]:
    """The tag's value by logical id."""
    return {
        logical_id: each["Value"]
        for logical_id, body in found.items()
        for each in body.get("Properties", {}).get("Tags", [])
        if isinstance(each, dict) and each["Key"] == TAG
    }


class TestSubnetsOfTheApp:
    def test_are_tagged_by_cdk_and_nothing_beside_them(self):
        found = resources(lambda scope: tag(scope, vpc(scope).private_subnets))
        assert tagged(found) == {"VpcPrivateSubnet1Subnet": "prod", "VpcPrivateSubnet2Subnet": "prod"}
        assert "Handler" not in found

    def test_are_tagged_in_the_stack_they_are_in(self):
        away = stack(name="Away")
        subnets = vpc(away).private_subnets
        home = stack(away.node.root)
        tag(Construct(home, "Karpenter"), subnets)
        assert tagged(of_stack(away)) == {
            "VpcPrivateSubnet1Subnet": "prod",
            "VpcPrivateSubnet2Subnet": "prod",
        }
        assert of_stack(home) == {}

    def test_are_tagged_at_deploy_time_where_the_name_is_generated(self):
        found = resources(lambda scope: tag(scope, vpc(scope).private_subnets, name=Fn.ref("Cluster")))
        assert tagged(found) == {}
        properties = found["DiscoveryTags"]["Properties"]
        assert properties["Value"] == {"Ref": "Cluster"}
        assert properties["Ids"] == [
            {"Ref": "VpcPrivateSubnet1Subnet"},
            {"Ref": "VpcPrivateSubnet2Subnet"},
        ]


@pytest.fixture(scope="module")
def found():
    """An imported subnet, a subnet by its id, and a security group that only the deployment knows."""

    def build(scope):
        imported = aws_ec2.Subnet.from_subnet_id(scope, "Imported", "subnet-1")
        made = tag(scope, [imported, "subnet-2"], [Fn.get_att("Cluster", "Group").to_string()])
        assert made.tagged_at_deploy[1:] == ("subnet-1", "subnet-2")
        assert made.resource is not None

    return resources(build)


class TestTheRest:
    def test_is_tagged_by_one_custom_resource(self, found):
        assert found["DiscoveryTags"] == {
            "Type": "Custom::KarpenterDiscoveryTags",
            "Properties": {
                "ServiceToken": {"Fn::GetAtt": ["Handler", "Arn"]},
                "ServiceTimeout": 900,
                "Key": TAG,
                "Value": "prod",
                "Ids": [{"Fn::GetAtt": ["Cluster", "Group"]}, "subnet-1", "subnet-2"],
            },
            "DependsOn": ["DiscoveryTagsPolicy"],
        }

    def test_handler_may_do_this_and_no_more(self, found):
        policy = found["DiscoveryTagsPolicy"]["Properties"]
        assert document(policy["PolicyDocument"], {"Cluster.Group": "sg-1"}) == {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Action": "ec2:DescribeTags", "Resource": "*"},
                {
                    "Effect": "Allow",
                    "Action": "ec2:CreateTags",
                    "Resource": [
                        "arn:aws:ec2:eu-west-1:*:subnet/subnet-1",
                        "arn:aws:ec2:eu-west-1:*:subnet/subnet-2",
                        "arn:aws:ec2:eu-west-1:*:security-group/sg-1",
                    ],
                    "Condition": {
                        "StringEquals": {"aws:RequestTag/karpenter.sh/discovery": "prod"},
                        "ForAllValues:StringEquals": {"aws:TagKeys": "karpenter.sh/discovery"},
                    },
                },
                {
                    "Effect": "Allow",
                    "Action": "ec2:DeleteTags",
                    "Resource": [
                        "arn:aws:ec2:eu-west-1:*:subnet/*",
                        "arn:aws:ec2:eu-west-1:*:security-group/*",
                    ],
                    "Condition": {
                        "StringEquals": {"aws:ResourceTag/karpenter.sh/discovery": "prod"},
                        "ForAllValues:StringEquals": {"aws:TagKeys": "karpenter.sh/discovery"},
                        "Null": {"aws:TagKeys": "false"},
                    },
                },
            ],
        }

    def test_is_nothing_where_there_is_nothing_to_tag(self):
        made = tag(Construct(stack(), "Karpenter"))
        assert made.resource is None
        assert made.tagged_at_deploy == ()

    def test_generated_name_is_a_variable_of_the_policy(self):
        found = resources(lambda scope: tag(scope, groups=["sg-1"], name=Fn.ref("Cluster")))
        policy = document(
            found["DiscoveryTagsPolicy"]["Properties"]["PolicyDocument"], {"Cluster": "made-up"}
        )
        assert policy["Statement"][1]["Condition"]["StringEquals"] == {
            "aws:RequestTag/karpenter.sh/discovery": "made-up"
        }


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
def test_nothing_is_hard_coded(env):
    found = resources(lambda scope: tag(scope, ["subnet-1"], ["sg-1"]), env=env)
    assert hard_coded(found) == set()
