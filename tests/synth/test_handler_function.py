"""The Lambda function behind the custom resources: what is deployed, and what may stay behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import App, Stack, aws_iam
from constructs import Construct

from karpenter_construct._resources.handler_function import HandlerFunction
from karpenter_construct._resources.node_drain import node_drain
from karpenter_construct._resources.policy_document import statements
from karpenter_construct._resources.spot_service_linked_role import spot_service_linked_role

from .intrinsics import CHINA, GOVCLOUD, document, hard_coded, kinds, resources

ALLOWED = statements({"Effect": "Allow", "Action": "ec2:DescribeTags", "Resource": "*"})


def two_resources(scope: Construct) -> None:
    handler = HandlerFunction(scope)
    for name in ("One", "Two"):
        handler.custom_resource(
            name,
            resource_type=f"Custom::{name}",
            properties={"Name": name.lower()},
            policy_document=ALLOWED,
        )


@pytest.fixture(scope="module")
def found():
    return resources(two_resources)


@pytest.fixture(scope="module")
def asset(tmp_path_factory) -> Path:
    """The folder that goes to Lambda."""
    app = App(outdir=str(tmp_path_factory.mktemp("cdk.out")))
    HandlerFunction(Construct(Stack(app, "Test"), "Karpenter"))
    assembly = app.synth().directory
    [folder] = Path(assembly).glob("asset.*")
    return folder


def test_two_custom_resources_share_one_function(found):
    assert kinds(found) == {
        "HandlerLogs": "AWS::Logs::LogGroup",
        "HandlerRole": "AWS::IAM::Role",
        "Handler": "AWS::Lambda::Function",
        "OnePolicy": "AWS::IAM::Policy",
        "One": "Custom::One",
        "TwoPolicy": "AWS::IAM::Policy",
        "Two": "Custom::Two",
    }


def test_function_runs_on_a_current_runtime_and_logs_to_its_group(found):
    properties = found["Handler"]["Properties"]
    assert {key: value for key, value in properties.items() if key != "Code"} == {
        "Description": "Custom resources of karpenter-construct",
        "Handler": "lambda_handler.index.handler",
        "LoggingConfig": {"LogGroup": {"Ref": "HandlerLogs"}},
        "Role": {"Fn::GetAtt": ["HandlerRole", "Arn"]},
        "Runtime": "python3.14",
        "Timeout": 300,
    }


def test_logs_go_with_the_stack(found):
    assert found["HandlerLogs"] == {
        "Type": "AWS::Logs::LogGroup",
        "Properties": {"RetentionInDays": 30},
    }


def test_role_may_write_logs_but_not_make_a_group_that_would_stay(found):
    role = found["HandlerRole"]["Properties"]
    assert role["AssumeRolePolicyDocument"]["Statement"] == [
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ]
    [logs] = role["Policies"]
    assert logs["PolicyDocument"]["Statement"] == [
        {
            "Effect": "Allow",
            "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
            "Resource": {"Fn::GetAtt": ["HandlerLogs", "Arn"]},
        }
    ]


def test_custom_resource_gives_up_before_cloudformations_hour(found):
    assert found["One"] == {
        "Type": "Custom::One",
        "Properties": {
            "ServiceToken": {"Fn::GetAtt": ["Handler", "Arn"]},
            "ServiceTimeout": 900,
            "Name": "one",
        },
        "DependsOn": ["OnePolicy"],
    }


def test_each_custom_resource_has_its_policy_until_it_has_gone(found):
    assert found["TwoPolicy"]["Properties"] == {
        "PolicyDocument": ALLOWED,
        "PolicyName": "Two",
        "Roles": [{"Ref": "HandlerRole"}],
    }


def test_custom_resource_that_needs_nothing_of_aws_has_no_policy():
    found = resources(
        lambda scope: HandlerFunction(scope).custom_resource(
            "One", resource_type="Custom::One", properties={}, policy_document=None
        )
    )
    assert kinds(found) == {
        "HandlerLogs": "AWS::Logs::LogGroup",
        "HandlerRole": "AWS::IAM::Role",
        "Handler": "AWS::Lambda::Function",
        "One": "Custom::One",
    }
    assert "DependsOn" not in found["One"]


def test_boundary_is_set_on_the_role():
    def build(scope):
        boundary = aws_iam.ManagedPolicy.from_managed_policy_arn(scope, "Boundary", "arn:aws:iam::1:policy/b")
        HandlerFunction(scope, permissions_boundary=boundary)

    assert resources(build)["HandlerRole"]["Properties"]["PermissionsBoundary"] == "arn:aws:iam::1:policy/b"


def test_code_is_the_package_alone(asset):
    files = {str(file.relative_to(asset)) for file in asset.rglob("*") if file.is_file()}
    assert files == {
        "lambda_handler/__init__.py",
        "lambda_handler/cloudformation.py",
        "lambda_handler/discovery_tags.py",
        "lambda_handler/index.py",
        "lambda_handler/node_drain.py",
        "lambda_handler/spot_service_linked_role.py",
        "lambda_handler/upgrade_guard.py",
    }


def test_code_runs_where_nothing_else_of_the_project_is(asset):
    script = """
import json, sys
from lambda_handler import index
ours = [name for name in sys.modules if name.startswith(("aws_cdk", "karpenter"))]
print(json.dumps([sorted(index.HANDLERS), ours]))
"""
    environment = {**os.environ, "PYTHONPATH": str(asset), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=asset, env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout) == [
        [
            "Custom::KarpenterDiscoveryTags",
            "Custom::KarpenterNodeDrain",
            "Custom::KarpenterSpotServiceLinkedRole",
            "Custom::KarpenterUpgradeGuard",
        ],
        [],
    ]


class TestSpotServiceLinkedRole:
    def test_may_make_the_role_of_spot_alone(self):
        found = resources(lambda scope: spot_service_linked_role(HandlerFunction(scope)))
        assert found["SpotServiceLinkedRole"]["Type"] == "Custom::KarpenterSpotServiceLinkedRole"
        assert document(found["SpotServiceLinkedRolePolicy"]["Properties"]["PolicyDocument"]) == {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "iam:CreateServiceLinkedRole",
                    "Resource": "arn:aws:iam::111122223333:role/aws-service-role/spot.amazonaws.com/*",
                    "Condition": {"StringEquals": {"iam:AWSServiceName": "spot.amazonaws.com"}},
                }
            ],
        }


@pytest.fixture(scope="module")
def drain():
    """A wait for nodes, with its function."""
    pools = "karpenter.sh/provisioner-name"
    return resources(lambda scope: node_drain(HandlerFunction(scope), cluster_name="prod", pool_tag=pools))


class TestNodeDrain:
    def test_knows_the_cluster_the_pools_and_its_stack(self, drain):
        properties = drain["NodeDrain"]["Properties"]
        del properties["ServiceToken"]
        assert properties == {
            "ServiceTimeout": 2700,
            "ClusterName": "prod",
            "PoolTag": "karpenter.sh/provisioner-name",
            "StackId": {"Ref": "AWS::StackId"},
        }

    def test_may_take_all_the_time_that_lambda_gives(self, drain):
        assert drain["Handler"]["Properties"]["Timeout"] == 900

    def test_may_look_and_do_nothing(self, drain):
        known = {"AWS::StackId": "arn:aws:cloudformation:eu-west-1:111122223333:stack/test/1"}
        assert document(drain["NodeDrainPolicy"]["Properties"]["PolicyDocument"], known) == {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["ec2:DescribeInstances", "ec2:DescribeLaunchTemplates"],
                    "Resource": "*",
                },
                {
                    "Effect": "Allow",
                    "Action": "cloudformation:DescribeStacks",
                    "Resource": "arn:aws:cloudformation:eu-west-1:111122223333:stack/test/1",
                },
            ],
        }


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
def test_nothing_is_hard_coded(env):
    def build(scope):
        handler = HandlerFunction(scope)
        spot_service_linked_role(handler)
        node_drain(handler, cluster_name="prod", pool_tag="karpenter.sh/nodepool")

    assert hard_coded(resources(build, env=env)) == set()
