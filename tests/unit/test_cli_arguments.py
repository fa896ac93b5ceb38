"""What the arguments of the command line take, and what is said of other texts."""

from __future__ import annotations

import json

import pytest

from tests.unit.command import run

POLICY = ("policy", "--version", "1.14.1", "--cluster-name", "prod")
VALUES = ("values", "--version", "1.14.1", "--cluster-name", "prod", "--region", "eu-west-1")


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--cluster-name", "a"),
        ("--cluster-name", "1-a_B"),
        ("--cluster-name", "a" * 100),
        ("--cluster-name", "${ClusterName}"),
        ("--cluster-name", "prod-${AWS::Region}"),
        ("--partition", "aws-iso-b"),
        ("--region", "us-gov-west-1"),
        ("--region", "ap-southeast-7"),
        ("--account", "000000000000"),
        ("--node-role-arn", "arn:aws-cn:iam::111122223333:role/nodes/a+=,.@-_b"),
        ("--node-role-arn", "arn:aws:iam::111122223333:role/nodes-*"),
        ("--node-role-arn", "${NodeRole.Arn}"),
        ("--queue-arn", "arn:aws:sqs:eu-west-1:111122223333:prod"),
        ("--queue-arn", "arn:${AWS::Partition}:sqs:${AWS::Region}:${AWS::AccountId}:prod"),
        ("--ssm-parameter", "/images/nodes"),
        ("--ssm-parameter", "nodes:3"),
        ("--ssm-parameter", "arn:aws:ssm:eu-west-1:111122223333:parameter/images/nodes"),
    ],
)
def test_policy_takes(option, text):
    assert run(*POLICY, option, text).code == 0


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        *(
            (
                "--cluster-name",
                text,
                "must be the name of an EKS cluster, got %r; use at most 100 letters, digits, '-' and '_', with a "
                "letter or digit first",
            )
            for text in ("", "*", "a b", "_a", "a" * 101, "prod\n", 'a"${x}')
        ),
        ("--partition", "", "must be a partition of AWS, got %r; write one as in 'aws-cn'"),
        ("--partition", "azure", "must be a partition of AWS, got %r; write one as in 'aws-cn'"),
        ("--region", "EU WEST", "must be a region of AWS, got %r; write one as in 'eu-west-1'"),
        ("--region", "eu-west-1a", "must be a region of AWS, got %r; write one as in 'eu-west-1'"),
        ("--account", "1111-2222-3333", "must be an AWS account, got %r; write its twelve digits"),
        (
            "--node-role-arn",
            "nodes",
            "must be the ARN of an IAM role, got %r; write one as in 'arn:aws:iam::111122223333:role/nodes'",
        ),
        (
            "--queue-arn",
            "https://sqs.eu-west-1.amazonaws.com/111122223333/prod",
            "must be the ARN of an SQS queue, got %r; write one as in 'arn:aws:sqs:eu-west-1:111122223333:prod'",
        ),
        (
            "--ssm-parameter",
            "a b",
            "must be the name or the ARN of an SSM parameter, got %r; write one as in '/images/nodes'",
        ),
    ],
)
def test_policy_fails_for(option, text, message):
    ended = run(*POLICY, option, text)
    assert (ended.code, ended.output) == (2, "")
    assert ended.errors.endswith(f"policy: error: argument {option}: {message % text}\n")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--region", "", "must be a region of AWS, got %r; write one as in 'eu-west-1'"),
        (
            "--cluster-endpoint",
            "x.eks",
            "must be the URL of an API server, got %r; write one as in 'https://example.com'",
        ),
        (
            "--interruption-queue",
            "arn:aws:sqs:eu-west-1:111122223333:prod",
            "must be the name of an SQS queue, got %r; give the name without ARN and URL",
        ),
        (
            "--instance-profile",
            "arn:aws:iam::111122223333:instance-profile/a",
            "must be the name of an instance profile, got %r; give the name without ARN and path",
        ),
        *(
            ("--replicas", text, "must be a whole number from 1 on, got %r; write one as in 2")
            for text in ("0", "-5", "two", "9" * 20)
        ),
        (
            "--namespace",
            "A b",
            "must be the name of a namespace, got %r; use at most 63 lower case letters, digits and '-', with a letter "
            "or digit at both ends",
        ),
    ],
)
def test_values_fail_for(option, text, message):
    ended = run(*VALUES, f"{option}={text}")
    assert (ended.code, ended.output) == (2, "")
    assert ended.errors.endswith(f"values: error: argument {option}: {message % text}\n")


@pytest.mark.parametrize(
    ("option", "text", "what"),
    [
        ("--node-role", "", "an IAM role"),
        ("--node-role", "arn:aws:iam::111122223333:role/nodes", "an IAM role"),
        ("--instance-profile", "a/b", "an instance profile"),
    ],
)
def test_convert_fails_for(option, text, what):
    ended = run("convert", "a.yaml", "--to", "1.14.1", option, text)
    assert (ended.code, ended.output) == (2, "")
    assert ended.errors.endswith(
        f"convert: error: argument {option}: must be the name of {what}, got {text!r}; give the name "
        "without ARN and path\n"
    )


@pytest.mark.parametrize(
    ("partition", "region", "found"),
    [
        ("aws", "cn-north-1", "aws-cn"),
        ("aws", "us-gov-west-1", "aws-us-gov"),
        ("aws-cn", "eu-west-1", "aws"),
        ("aws-us-gov", "cn-north-1", "aws-cn"),
    ],
)
def test_policy_fails_for_a_region_of_another_partition(partition, region, found):
    ended = run(*POLICY, "--partition", partition, "--region", region)
    assert ended == (
        2,
        "",
        f"karpenter-construct policy: argument --partition: {region} is a region of {found}, got '{partition}'; "
        "leave it out\n",
    )


@pytest.mark.parametrize(
    ("partition", "region"),
    [("aws-iso", "us-iso-east-1"), ("aws-cn", "cn-north-1"), ("aws-cn", "${AWS::Region}")],
)
def test_policy_takes_partition_and_region(partition, region):
    assert run(*POLICY, "--partition", partition, "--region", region).code == 0


@pytest.mark.parametrize(
    ("version", "option", "policy"),
    [
        ("0.32.10", "--keep-provisioner-permissions", "ProvisionerPolicy"),
        ("1.0.14", "--keep-pre-v1-permissions", "PreV1Policy"),
    ],
)
def test_policy_keeps_the_permissions_of_older_releases(version, option, policy):
    arguments = ("policy", "--version", version, "--cluster-name", "prod")
    kept = json.loads(run(*arguments, option).output)
    assert list(kept) == [*json.loads(run(*arguments).output), policy]


def test_policy_takes_parameters_of_ones_own():
    ended = run(
        *(*POLICY, "--partition", "aws", "--region", "eu-west-1", "--account", "111122223333"),
        *("--ssm-parameter", "/images/a:3", "--ssm-parameter", "b", "--only", "ResourceDiscoveryPolicy"),
    )
    (statement,) = [
        each for each in json.loads(ended.output)["Statement"] if each["Sid"] == "AllowExtraSSMReadActions"
    ]
    assert statement["Resource"] == [
        "arn:aws:ssm:eu-west-1:111122223333:parameter/images/a",
        "arn:aws:ssm:eu-west-1:111122223333:parameter/b",
    ]


@pytest.mark.parametrize(
    ("version", "option", "message"),
    [
        (
            "0.33.12",
            "--keep-provisioner-permissions",
            "was removed in Karpenter 0.33.0, version is 0.33.12; leave it out",
        ),
        (
            "0.37.8",
            "--keep-pre-v1-permissions",
            "needs Karpenter 1.0.0 or later, version is 0.37.8; leave it out",
        ),
        ("1.3.8", "--ssm-parameter=/a", "needs Karpenter 1.4.0 or later, version is 1.3.8; leave it out"),
    ],
)
def test_policy_fails_for_options_of_other_releases(version, option, message):
    ended = run("policy", "--version", version, "--cluster-name", "prod", option)
    name = option.partition("=")[0]
    assert ended == (2, "", f"karpenter-construct policy: argument {name}: {message}\n")


def test_values_fail_for_an_instance_profile_that_the_chart_does_not_know():
    assert run(*VALUES, "--instance-profile", "nodes") == (
        2,
        "",
        "karpenter-construct values: argument --instance-profile: was removed in Karpenter 0.33.0, version is 1.14.1; "
        "name it in the node classes\n",
    )
    arguments = (
        "values",
        "--version",
        "0.32.10",
        "--cluster-name",
        "prod",
        "--region",
        "eu-west-1",
        "--json",
    )
    found = json.loads(run(*arguments, "--instance-profile", "nodes").output)
    assert found["settings"]["aws"]["defaultInstanceProfile"] == "nodes"


def test_policy_warns_of_a_role_that_there_cannot_be():
    name = "a" * 47
    ended = run("policy", "--version", "1.14.1", "--cluster-name", name)
    assert ended.code == 0
    assert ended.errors.splitlines()[0] == (
        f"warning: no role can have the 65 characters of KarpenterNodeRole-{name}; give the nodes' with --node-role-arn"
    )
    assert "no role" not in run("policy", "--version", "1.14.1", "--cluster-name", "a" * 46).errors
    assert "no role" not in run("policy", "--version", "1.14.1", "--cluster-name", f"${{{name}}}").errors


def test_policy_tells_the_placeholders_of_its_documents():
    ended = run(
        *("policy", "--version", "1.14.1", "--cluster-name", "${ClusterName}", "--region", "eu-west-1"),
        *("--only", "NodeLifecyclePolicy"),
    )
    assert ended.errors == (
        "note: the documents have placeholders for Fn::Sub: ${AWS::Partition}, ${ClusterName}\n"
    )


def test_policy_warns_of_documents_that_iam_does_not_take():
    roles = [f"arn:aws:iam::111122223333:role/{'r' * 60}{number}" for number in range(60)]
    ended = run(*POLICY, *(word for role in roles for word in ("--node-role-arn", role)))
    assert ended.code == 0
    assert ended.errors.splitlines()[0] == (
        "warning: IAMIntegrationPolicy has 7483 characters, more than the 6144 that IAM takes in one policy"
    )
