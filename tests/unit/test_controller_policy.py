"""The controller's policies: what changes at which release, what each option does, and how large they get."""

from pathlib import Path

import pytest

from karpenter_construct._upstream.controller_policy import (
    MANAGED_POLICY_LIMIT,
    OPTIONS,
    POLICY_IDS,
    PolicyInputs,
    controller_policies,
    policy_size,
)
from karpenter_construct.releases import KarpenterVersion
from tests.contract.upstream import TAGS
from tests.statements import lines

INPUTS = PolicyInputs(
    node_role_arns=("ROLE",),
    interruption_queue_arn="QUEUE",
    cluster_name="C",
    partition="P",
    region="R",
    account="A",
)
CHANGES = Path(__file__).with_name("controller_policy_changes.txt")


def policies(version, inputs=INPUTS, **options):
    return controller_policies(KarpenterVersion.parse(version), inputs._replace(**options))


def statements(version, **options):
    return [s for document in policies(version, **options).values() for s in document["Statement"]]


def statement(version, sid, **options):
    return next((s for s in statements(version, **options) if s["Sid"] == sid), None)


def sids(document):
    return [statement["Sid"] for statement in document["Statement"]]


def changes():
    sections = {}
    for line in CHANGES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = sections.setdefault(line.removeprefix("## "), [])
        elif not line.startswith("#"):
            section.append(line)
    return sections


def lines_of(release):
    """``1.0.0`` or ``1.0.0 with keep_pre_v1_permissions``; nothing before the first release."""
    version, _, option = release.partition(" with ")
    return lines(statements(version, **({option: True} if option else {}))) if version else set()


@pytest.mark.parametrize("section", changes())
def test_what_changes_is_what_the_file_says(section):
    before, _, after = section.rpartition(" -> ")
    old, new = lines_of(before), lines_of(after)
    removed = [f"- {line}" for line in sorted(old - new)]
    added = [f"+ {line}" for line in sorted(new - old)]
    assert removed + added == changes()[section]


def test_the_file_tells_every_border_between_release_lines():
    borders = [section.rpartition(" -> ")[2] for section in changes() if " with " not in section]
    assert borders == [*(f"0.{minor}.0" for minor in range(30, 38)), *(f"1.{minor}.0" for minor in range(15))]


@pytest.mark.parametrize("tag", TAGS)
def test_patches_of_a_release_line_have_the_same_statements(tag):
    line = KarpenterVersion.parse(tag).line
    assert policies(f"{line}.0") == policies(tag)


def test_a_release_candidate_has_the_statements_of_its_release():
    assert policies("0.30.0-rc.0") == policies("0.30.0")


def test_policies_are_upstreams_groups_in_upstreams_order():
    assert {policy: sids(document) for policy, document in policies("1.14.1").items()} == {
        "NodeLifecyclePolicy": [
            "AllowScopedEC2InstanceAccessActions",
            "AllowScopedEC2LaunchTemplateAccessActions",
            "AllowScopedEC2InstanceActionsWithTags",
            "AllowScopedResourceCreationTagging",
            "AllowScopedResourceTagging",
            "AllowScopedDeletion",
        ],
        "IAMIntegrationPolicy": [
            "AllowPassingInstanceRole",
            "AllowScopedInstanceProfileCreationActions",
            "AllowScopedInstanceProfileTagActions",
            "AllowScopedInstanceProfileActions",
        ],
        "EKSIntegrationPolicy": ["AllowAPIServerEndpointDiscovery"],
        "InterruptionPolicy": ["AllowInterruptionQueueActions"],
        "ResourceDiscoveryPolicy": [
            "AllowRegionalReadActions",
            "AllowSSMReadActions",
            "AllowPricingReadActions",
            "AllowUnscopedInstanceProfileListAction",
            "AllowInstanceProfileReadActions",
        ],
        "ZonalShiftPolicy": ["AllowZonalShiftStatusReadOnly"],
    }


def test_the_oldest_release_is_grouped_the_same_way():
    assert {policy: sids(document) for policy, document in policies("0.30.0").items()} == {
        "NodeLifecyclePolicy": [
            "AllowScopedEC2InstanceActions",
            "AllowScopedEC2LaunchTemplateActions",
            "AllowScopedEC2InstanceActionsWithTags",
            "AllowScopedResourceCreationTagging",
            "AllowMachineMigrationTagging",
            "AllowScopedDeletion",
        ],
        "IAMIntegrationPolicy": ["AllowPassingInstanceRole"],
        "EKSIntegrationPolicy": ["AllowAPIServerEndpointDiscovery"],
        "InterruptionPolicy": ["AllowInterruptionQueueActions"],
        "ResourceDiscoveryPolicy": ["AllowRegionalReadActions", "AllowGlobalReadActions"],
    }


def test_a_document_is_written_as_iam_takes_it():
    assert policies("1.14.1")["ZonalShiftPolicy"] == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "AllowZonalShiftStatusReadOnly",
                "Effect": "Allow",
                "Action": "arc-zonal-shift:GetManagedResource",
                "Resource": "*",
                "Condition": {
                    "StringEquals": {"arc-zonal-shift:ResourceIdentifier": "arn:P:eks:R:A:cluster/C"}
                },
            }
        ],
    }


def test_zonal_shift_comes_with_1_12():
    assert "ZonalShiftPolicy" not in policies("1.11.3")
    assert "ZonalShiftPolicy" in policies("1.12.0")


def test_inputs_are_cloudformation_placeholders_unless_given():
    inputs = PolicyInputs(node_role_arns=("${NodeRole.Arn}",))
    documents = controller_policies(KarpenterVersion.parse("1.14.1"), inputs)
    assert documents["EKSIntegrationPolicy"]["Statement"][0]["Resource"] == (
        "arn:${AWS::Partition}:eks:${AWS::Region}:${AWS::AccountId}:cluster/${ClusterName}"
    )
    deletion = documents["NodeLifecyclePolicy"]["Statement"][-1]
    assert deletion["Condition"]["StringEquals"] == {
        "aws:ResourceTag/kubernetes.io/cluster/${ClusterName}": "owned"
    }


def test_without_a_queue_there_is_no_interruption_policy():
    assert "InterruptionPolicy" not in policies("1.14.1", interruption_queue_arn=None)
    assert statement("1.14.1", "AllowInterruptionQueueActions")["Resource"] == "QUEUE"


@pytest.mark.parametrize(
    ("roles", "resource"), [(("A",), "A"), (("A", "B"), ["A", "B"])], ids=["one role", "two roles"]
)
def test_the_given_node_roles_may_be_passed(roles, resource):
    assert statement("1.14.1", "AllowPassingInstanceRole", node_role_arns=roles)["Resource"] == resource


def test_without_node_roles_none_may_be_passed():
    assert statement("1.14.1", "AllowPassingInstanceRole", node_role_arns=()) is None


def test_each_option_makes_sense_for_these_releases():
    first_and_last = {
        "keep_provisioner_permissions": ("0.31.99", "0.32.0", "0.32.99", "0.33.0"),
        "keep_pre_v1_permissions": ("0.37.99", "1.0.0", "1.0.99", "1.1.0"),
    }
    for option, versions in first_and_last.items():
        window = OPTIONS[option]
        assert [KarpenterVersion.parse(v) in window for v in versions] == [False, True, True, False]
    assert KarpenterVersion.parse("1.3.99") not in OPTIONS["extra_ssm_parameters"]
    assert KarpenterVersion.parse("1.4.0") in OPTIONS["extra_ssm_parameters"]
    assert KarpenterVersion.parse("0.30.0") in OPTIONS["isolated_vpc"]


def test_0_32_can_keep_the_permissions_for_provisioners():
    assert sids(policies("0.32.0", keep_provisioner_permissions=True)["ProvisionerPolicy"]) == [
        "AllowScopedEC2InstanceActionsWithTagsForProvisioners",
        "AllowScopedResourceCreationTaggingForProvisioners",
        "AllowMachineMigrationTaggingForProvisioners",
        "AllowScopedDeletionForProvisioners",
    ]


def test_1_0_can_keep_the_permissions_for_the_controller_before_it():
    document = policies("1.0.0", keep_pre_v1_permissions=True)["PreV1Policy"]
    assert sids(document) == [
        "AllowScopedEC2InstanceActionsWithTagsBeforeV1",
        "AllowScopedResourceCreationTaggingBeforeV1",
        "AllowScopedInstanceProfileCreationActionsBeforeV1",
        "AllowScopedInstanceProfileTagActionsBeforeV1",
    ]


COVERED = {
    "0.32.0": set(),
    "1.0.0": {
        "AllowScopedResourceTagging",  # allows one more tag key, and demands its value only where it is set
        "AllowScopedInstanceProfileActions",  # `*` written as `instance-profile/*`
        "AllowInstanceProfileReadActions",  # the same
    },
}


@pytest.mark.parametrize(
    ("before", "after", "option", "policy", "suffix"),
    [
        ("0.31.5", "0.32.0", "keep_provisioner_permissions", "ProvisionerPolicy", "ForProvisioners"),
        ("0.37.8", "1.0.0", "keep_pre_v1_permissions", "PreV1Policy", "BeforeV1"),
    ],
)
def test_whatever_the_older_release_could_do_is_kept_or_covered(before, after, option, policy, suffix):
    changed = {s["Sid"] for s in statements(before) if s != statement(after, s["Sid"])}
    kept = policies(after, **{option: True})[policy]["Statement"]
    assert changed == {s["Sid"].removesuffix(suffix) for s in kept} | COVERED[after]
    for s in kept:
        sid = s["Sid"].removesuffix(suffix)
        assert s | {"Sid": sid} == statement(before, sid)


@pytest.mark.parametrize(
    ("version", "option"),
    [
        ("0.31.5", "keep_provisioner_permissions"),
        ("0.33.0", "keep_provisioner_permissions"),
        ("0.37.8", "keep_pre_v1_permissions"),
        ("1.1.0", "keep_pre_v1_permissions"),
    ],
)
def test_outside_its_releases_an_option_changes_nothing(version, option):
    assert policies(version, **{option: True}) == policies(version)


@pytest.mark.parametrize("version", ["0.32.10", "1.0.14"])
def test_kept_statements_have_sids_of_their_own(version):
    everything = statements(version, keep_provisioner_permissions=True, keep_pre_v1_permissions=True)
    assert len({s["Sid"] for s in everything}) == len(everything)


@pytest.mark.parametrize("tag", TAGS)
def test_an_isolated_vpc_only_leaves_out(tag):
    assert lines(statements(tag, isolated_vpc=True)) < lines(statements(tag))


@pytest.mark.parametrize(
    ("parameter", "arn"),
    [
        ("/golden/al2023", "arn:P:ssm:R:A:parameter/golden/al2023"),
        ("golden", "arn:P:ssm:R:A:parameter/golden"),
        ("/golden/al2023:3", "arn:P:ssm:R:A:parameter/golden/al2023"),
        ("golden:stable", "arn:P:ssm:R:A:parameter/golden"),
        ("/golden/${AWS::Region}", "arn:P:ssm:R:A:parameter/golden/R"),
        (
            "arn:aws:ssm:eu-west-1:111122223333:parameter/x/y",
            "arn:aws:ssm:eu-west-1:111122223333:parameter/x/y",
        ),
        (
            "arn:aws:ssm:eu-west-1:111122223333:parameter/x:7",
            "arn:aws:ssm:eu-west-1:111122223333:parameter/x",
        ),
    ],
)
def test_an_extra_ssm_parameter_may_be_read_from_1_4_on(parameter, arn):
    given = {"extra_ssm_parameters": (parameter,)}
    assert statement("1.4.0", "AllowExtraSSMReadActions", **given) == {
        "Sid": "AllowExtraSSMReadActions",
        "Effect": "Allow",
        "Action": "ssm:GetParameter",
        "Resource": arn,
    }
    assert policies("1.3.8", **given) == policies("1.3.8")


LONGEST = {
    "cluster_name": "c" * 100,
    "keep_provisioner_permissions": True,
    "keep_pre_v1_permissions": True,
    "extra_ssm_parameters": ("/golden/" + "p" * 100,),
}


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(
    ("partition", "region"), [("aws", "ap-northeast-1"), ("aws-us-gov", "us-gov-west-1")]
)
def test_no_policy_is_too_large_with_the_longest_names(tag, partition, region):
    inputs = PolicyInputs(
        node_role_arns=(f"arn:{partition}:iam::123456789012:role/" + "r" * 64,),
        interruption_queue_arn=f"arn:{partition}:sqs:{region}:123456789012:" + "q" * 80,
        partition=partition,
        region=region,
        account="123456789012",
    )
    documents = policies(tag, inputs, **LONGEST)
    assert {policy: policy_size(d) for policy, d in documents.items() if policy_size(d) > 6144} == {}


def test_size_counts_all_but_white_space():
    assert policy_size({"Sid": "a b", "Effect": ["Allow"]}) == len('{"Sid":"ab","Effect":["Allow"]}')
    assert MANAGED_POLICY_LIMIT == 6144


def test_a_role_takes_all_its_policies():
    most = max(len(policies(tag, **LONGEST)) for tag in TAGS)
    assert most == 6  # IAM attaches ten managed policies to a role
    assert set(POLICY_IDS) >= set(policies("1.14.1"))
