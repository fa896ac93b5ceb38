"""cfn-lint and cdk-nag look at the stacks of app.py; what they find and what is left so, each with its reason."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import aws_cdk
import pytest

from . import apps

pytest.importorskip("aws_cdk.lambda_layer_kubectl_v36", reason="a kubectl layer of app.py is not installed")
pytest.importorskip("aws_cdk.lambda_layer_kubectl_v26", reason="a kubectl layer of app.py is not installed")
pytestmark = pytest.mark.xdist_group("app")

DEMO, REFERENCE = "KarpenterDemo", "KarpenterReference2023"

NOT_LINTED = {
    "W3005": "a DependsOn beside a reference: what must not go before the controller is said in full, whatever the "
    "chart's values happen to mention",
}
"""Rules of cfn-lint."""

EC2 = "arn:<AWS::Partition>:ec2:<AWS::Region>"
PROFILES = "arn:<AWS::Partition>:iam::<AWS::AccountId>:instance-profile/*"
MANAGED = "arn:<AWS::Partition>:iam::aws:policy"
CLUSTERS_GROUP = (
    '["arn:${AWS::Partition}:ec2:${AWS::Region}:*:security-group/${Value0}",'
    '{"Value0":{"Fn::GetAtt":["Cluster9EE0221C","ClusterSecurityGroupId"]}}]'
)
UPSTREAM = "upstream's statement of the release, narrowed by its conditions to what carries the cluster's tag"
NODES_NEED = "what every EKS node needs, kept up to date by AWS (EKS user guide, node IAM role)"

ACCEPTED: dict[str, dict[str, str]] = {
    "InterruptionQueue/Resource": {
        "AwsSolutions-SQS3": "no dead-letter queue: a message is worth nothing after the two minutes of EC2's notice",
    },
    "NodeRole/Resource": {
        f"AwsSolutions-IAM4[Policy::{MANAGED}/{name}]": NODES_NEED
        for name in (
            "AmazonEKSWorkerNodePolicy",
            "AmazonEKS_CNI_Policy",
            "AmazonEC2ContainerRegistryPullOnly",
            "AmazonEC2ContainerRegistryReadOnly",
            "AmazonSSMManagedInstanceCore",
        )
    },
    "ControllerNodeRole/Resource": {
        f"AwsSolutions-IAM4[Policy::{MANAGED}/{name}]": NODES_NEED
        for name in (
            "AmazonEKSWorkerNodePolicy",
            "AmazonEKS_CNI_Policy",
            "AmazonEC2ContainerRegistryPullOnly",
        )
    },
    "NodeLifecyclePolicy": {
        **{
            f"AwsSolutions-IAM5[Resource::{EC2}:*:{kind}/*]": UPSTREAM
            for kind in (
                "capacity-reservation",
                "fleet",
                "instance",
                "launch-template",
                "network-interface",
                "placement-group",
                "security-group",
                "spot-instances-request",
                "subnet",
                "volume",
            )
        },
        f"AwsSolutions-IAM5[Resource::{EC2}::image/*]": UPSTREAM,
        f"AwsSolutions-IAM5[Resource::{EC2}::snapshot/*]": UPSTREAM,
    },
    "IAMIntegrationPolicy": {f"AwsSolutions-IAM5[Resource::{PROFILES}]": UPSTREAM},
    "ResourceDiscoveryPolicy": {
        "AwsSolutions-IAM5[Resource::*]": "upstream's statement: these read actions take no resource",
        f"AwsSolutions-IAM5[Resource::{PROFILES}]": "upstream's statement: it only reads",
        "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>::parameter/aws/service/*]": "public "
        "parameters, which belong to AWS",
    },
    "ZonalShiftPolicy": {
        "AwsSolutions-IAM5[Resource::*]": "the action takes no resource; a condition names the cluster",
    },
    "DiscoveryTagsPolicy": {
        "AwsSolutions-IAM5[Resource::*]": "ec2:DescribeTags takes no resource",
        f"AwsSolutions-IAM5[Resource::{CLUSTERS_GROUP}]": "one group; the account is open for shared subnets",
        f"AwsSolutions-IAM5[Resource::{EC2}:*:security-group/*]": "to untag: a condition demands the cluster's own tag",
        f"AwsSolutions-IAM5[Resource::{EC2}:*:subnet/*]": "to untag: a condition demands the cluster's own tag",
    },
    "SpotServiceLinkedRolePolicy": {
        "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role/aws-service-role/"
        "spot.amazonaws.com/*]": "IAM names the one role below this path",
    },
    "NodeDrainPolicy": {"AwsSolutions-IAM5[Resource::*]": "EC2's read actions take no resource"},
}
"""Findings of cdk-nag by the construct below Karpenter, and why they stay."""

NOT_KARPENTERS = {
    "Vpc": "the example's network: flow logs cost money",
    "Cluster": "the example's cluster: a public endpoint, and logs off",
    "@aws-cdk--aws-eks.ClusterResourceProvider": "CDK's own function, which makes the cluster",
    "@aws-cdk--aws-eks.KubectlProvider": "CDK's own function, which applies charts and manifests",
}
"""Whose findings are not looked at."""


@pytest.mark.parametrize("stack", [DEMO, REFERENCE])
def test_cfn_lint_has_nothing_to_say(stack: str):
    cfnlint = pytest.importorskip("cfnlint.api", reason="cfn-lint is not installed")
    found = cfnlint.lint(json.dumps(apps.templates("app.py")[stack]), None, ["us-gov-west-1"])
    assert [str(match) for match in found if match.rule.id not in NOT_LINTED] == []
    assert {match.rule.id for match in found} == set(NOT_LINTED)


@pytest.fixture(scope="module")
def findings(tmp_path_factory) -> set[tuple[str, str]]:
    """What cdk-nag finds: paths of constructs, and rules."""
    cdk_nag = pytest.importorskip("cdk_nag", reason="cdk-nag is not installed")
    if not hasattr(aws_cdk, "Validations"):
        pytest.skip("this CDK has no Validations (since 2.251)")
    folder = tmp_path_factory.mktemp("cdk.out")
    app = aws_cdk.App(context=apps.CONTEXT, outdir=str(folder))
    classes = apps.run("app.py")
    classes["DemoStack"](app, DEMO)
    classes["Reference2023Stack"](app, REFERENCE)
    aws_cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
    # It fails, as it has findings; they are in the report.
    with suppress(RuntimeError):
        app.synth()
    report = json.loads(Path(folder, "validation-report.json").read_text(encoding="utf-8"))
    return {
        (construct["constructPath"], violation["ruleName"])
        for plugin in report["pluginReports"]
        for violation in plugin["violations"]
        for construct in violation["violatingConstructs"]
    }


def test_cdk_nag_finds_nothing_that_is_not_accepted(findings):
    accepted = {
        (f"{stack}/Karpenter/{construct}", rule)
        for stack in (DEMO, REFERENCE)
        for construct, rules in ACCEPTED.items()
        for rule in rules
    }
    elsewhere = tuple(f"{stack}/{part}" for stack in (DEMO, REFERENCE) for part in NOT_KARPENTERS)
    ours = {finding for finding in findings if not finding[0].startswith(elsewhere)}
    assert ours - accepted == set()


def test_fails_to_accept_what_cdk_nag_does_not_find(findings):
    found = {(path.partition("/Karpenter/")[2], rule) for path, rule in findings}
    accepted = {(construct, rule) for construct, rules in ACCEPTED.items() for rule in rules}
    assert accepted - found == set()


def test_cdk_nag_looks_at_all_of_it(findings):
    assert any(path.startswith(f"{DEMO}/Vpc") for path, _ in findings)
    assert len(findings) > 60
