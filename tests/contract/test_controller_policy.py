"""The controller's policies say what upstream's getting-started template says, for every release."""

import pytest

from karpenter_construct._upstream.controller_policy import PolicyInputs, controller_policies
from karpenter_construct.releases import since
from tests.contract import upstream
from tests.contract.deviations import agreed
from tests.statements import facts

INPUTS = PolicyInputs(
    node_role_arns=("${KarpenterNodeRole.Arn}",),
    interruption_queue_arn="${KarpenterInterruptionQueue.Arn}",
)
SPLIT_UPSTREAM = [tag for tag in upstream.TAGS if upstream.version(tag) in since("1.9")]


def upstream_policies(tag):
    return {
        policy: entry["document"]["Statement"]
        for policy, entry in upstream.iam(tag)["controllerPolicies"].items()
    }


def our_policies(tag):
    documents = controller_policies(upstream.version(tag), INPUTS)
    return {policy: document["Statement"] for policy, document in documents.items()}


def all_facts(policies):
    return facts(statement for statements in policies.values() for statement in statements)


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_statements_are_upstreams(tag):
    ours, theirs = our_policies(tag), upstream_policies(tag)
    assert all_facts(ours) == agreed("controller policy", tag, all_facts(theirs))


@pytest.mark.parametrize("tag", SPLIT_UPSTREAM)
def test_statements_are_grouped_as_upstream_groups_them(tag):
    def sids(policies):
        return {policy: {s["Sid"] for s in statements} for policy, statements in policies.items()}

    assert sids(our_policies(tag)) == sids(upstream_policies(tag))


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_nothing_but_the_placeholders_of_the_inputs_is_left_to_fill(tag):
    text = str(our_policies(tag)).replace("${KarpenterNodeRole.Arn}", "").replace(
        "${KarpenterInterruptionQueue.Arn}", ""
    )  # fmt: skip
    for name in ("${AWS::Partition}", "${AWS::Region}", "${AWS::AccountId}", "${ClusterName}"):
        text = text.replace(name, "")
    assert "${" not in text
