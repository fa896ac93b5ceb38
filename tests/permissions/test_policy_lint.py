"""``parliament`` finds nothing in the policies but what is upstream's own and reasoned here."""

import json
import warnings
from functools import cache

import pytest

from karpenter_construct._upstream.controller_policy import PolicyInputs, controller_policies
from karpenter_construct._upstream.node_role import ipv6_cni_policy
from tests.contract.upstream import TAGS, version

LAUNCH = (
    "a launch is allowed by kind of resource, over several statements; parliament wants each to name them all"
)
OWN_PROFILES = "scoped by tags; `*` is narrowed to `instance-profile/*` from 1.0 on, as upstream does"
PUBLIC = "public parameters belong to no account; parliament wants one in the ARN"

REASONS = {
    ("RESOURCE_MISMATCH", "AllowScopedEC2InstanceActions"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowScopedEC2InstanceAccessActions"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowScopedEC2LaunchTemplateAccessActions"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowScopedEC2InstanceActionsWithTags"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowScopedEC2InstanceActionsWithTagsForProvisioners"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowScopedEC2InstanceActionsWithTagsBeforeV1"): LAUNCH,
    ("RESOURCE_MISMATCH", "AllowSSMReadActions"): PUBLIC,
    ("RESOURCE_STAR", "AllowGlobalReadActions"): "0.30 reads any parameter, as upstream; narrowed in 0.31",
    ("RESOURCE_STAR", "AllowScopedInstanceProfileCreationActions"): OWN_PROFILES,
    ("RESOURCE_STAR", "AllowScopedInstanceProfileTagActions"): OWN_PROFILES,
    ("RESOURCE_STAR", "AllowScopedInstanceProfileActions"): OWN_PROFILES,
    ("RESOURCE_STAR", "AllowScopedInstanceProfileCreationActionsBeforeV1"): OWN_PROFILES,
    ("RESOURCE_STAR", "AllowScopedInstanceProfileTagActionsBeforeV1"): OWN_PROFILES,
    ("RESOURCE_STAR", "AllowInstanceProfileReadActions"): "reads only, and before 1.0 only",
    (
        "RESOURCE_STAR",
        "AllowZonalShiftStatusReadOnly",
    ): "the action knows no clusters; a condition names ours",
}


@cache
def linter():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parliament imports pkg_resources, which is deprecated
        import parliament  # noqa: PLC0415 - reads all of AWS, which only the worker needs that runs these tests
    return parliament.analyze_policy_string


def findings(statement):
    document = {"Version": "2012-10-17", "Statement": [statement]}
    return {finding.issue for finding in linter()(json.dumps(document)).findings}


@pytest.fixture(scope="module")
def found():
    inputs = PolicyInputs(
        node_role_arns=("arn:aws:iam::123456789012:role/prod-nodes",),
        interruption_queue_arn="arn:aws:sqs:eu-west-1:123456789012:prod",
        cluster_name="prod",
        partition="aws",
        region="eu-west-1",
        account="123456789012",
        keep_provisioner_permissions=True,
        keep_pre_v1_permissions=True,
        extra_ssm_parameters=("/golden/al2023",),
    )
    documents = [d for tag in TAGS for d in controller_policies(version(tag), inputs).values()]
    statements = {json.dumps(s): s for document in documents for s in document["Statement"]}
    return {(issue, s["Sid"]) for s in statements.values() for issue in findings(s)}


def test_nothing_is_found_that_has_no_reason(found):
    assert found - set(REASONS) == set()


def test_every_reason_still_has_something_to_excuse(found):
    assert set(REASONS) - found == set()


def test_the_policy_for_ipv6_has_but_the_star_of_the_eks_guide():
    assert [findings(s) for s in ipv6_cni_policy("aws")["Statement"]] == [{"RESOURCE_STAR"}, set()]


def test_fails_to_excuse_an_action_that_does_not_exist():
    assert findings({"Effect": "Allow", "Action": "ec2:RunInstance", "Resource": "*"}) == {"UNKNOWN_ACTION"}
