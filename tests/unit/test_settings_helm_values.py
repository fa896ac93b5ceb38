"""Chart values of the user's beside what the construct sets, seen before anything is built."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.given_facts import GivenFacts, QueueFacts
from karpenter_construct._decisions.resolve import resolve
from karpenter_construct.errors import SettingsError

from .facts import ACCOUNT, TOKEN, owned, role

ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/mine"
GIVEN = GivenFacts(
    controller_role=role("controller_role", name="mine"),
    node_roles=(role(),),
    node_instance_profile="nodes",
    interruption_queue=QueueFacts(arn=f"arn:aws:sqs:eu-west-1:{ACCOUNT}:mine", name="mine"),
)
NOTHING = GivenFacts()
ANNOTATION = "eks.amazonaws.com/role-arn"


def region(value: str) -> dict[str, Any]:
    return {"controller": {"env": [{"name": "AWS_REGION", "value": value}]}}


def message(values: dict[str, Any], given: GivenFacts = NOTHING, facts=None, **arguments: Any) -> str:
    arguments = {"version": "1.14.1", "identity_type": "IRSA", **arguments}
    with pytest.raises(SettingsError) as raised:
        resolve(facts or owned(), given, helm_values=values, **arguments)
    return str(raised.value)


def annotation(value: str) -> dict[str, Any]:
    return {"serviceAccount": {"annotations": {ANNOTATION: value}}}


SAME = {
    "cluster name": ({"settings": {"clusterName": "prod"}}, NOTHING, "1.14.1"),
    "region": (region("eu-west-1"), NOTHING, "1.14.1"),
    "service account": ({"serviceAccount": {"name": "karpenter", "create": True}}, NOTHING, "1.14.1"),
    "queue": ({"settings": {"interruptionQueue": "mine"}}, GIVEN, "1.14.1"),
    "role": (annotation(ROLE_ARN), GIVEN, "1.14.1"),
    "profile": ({"settings": {"aws": {"defaultInstanceProfile": "nodes"}}}, GIVEN, "0.31.5"),
    "old queue": ({"settings": {"aws": {"interruptionQueueName": "mine"}}}, GIVEN, "0.31.5"),
    "token for the queue": ({"settings": {"interruptionQueue": TOKEN}}, NOTHING, "1.14.1"),
    "token for the region": (region(TOKEN), NOTHING, "1.14.1"),
    "other annotations": ({"serviceAccount": {"annotations": {"team": "platform"}}}, NOTHING, "1.14.1"),
    "other variables": (
        {"controller": {"env": [{"name": "GOMEMLIMIT", "value": "1GiB"}]}},
        NOTHING,
        "1.14.1",
    ),
}


@pytest.mark.parametrize(("values", "given", "version"), SAME.values(), ids=SAME)
def test_what_the_construct_sets_anyway_may_be_said(values, given, version):
    settings = resolve(owned(), given, version=version, identity_type="IRSA", helm_values=values)
    assert settings.helm_values == values


def test_fails_on_another_region():
    assert message(region("us-east-1")) == (
        "`helm_values.controller.env['AWS_REGION']`: is set to {'name': 'AWS_REGION', 'value': 'eu-west-1'} by the "
        "construct, got {'name': 'AWS_REGION', 'value': 'us-east-1'}; leave it out"
    )


def test_fails_on_a_region_that_the_stack_does_not_know():
    assert message(region("eu-west-1"), facts=owned(region=TOKEN)) == (
        "`helm_values.controller.env['AWS_REGION']`: is set by the construct, got {'name': 'AWS_REGION', 'value': "
        "'eu-west-1'}; leave it out"
    )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "<the interruption queue>"), (GIVEN, "mine")], ids=["made", "given"]
)
def test_fails_on_another_queue(given, needed):
    assert message({"settings": {"interruptionQueue": "other"}}, given) == (
        f"`helm_values.settings.interruptionQueue`: is set to {needed!r} by the construct, got 'other'; leave it out, "
        "or use the argument `interruption_queue`"
    )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "<the controller role>"), (GIVEN, ROLE_ARN)], ids=["made", "given"]
)
def test_fails_on_another_role(given, needed):
    assert message(annotation("arn:aws:iam::111122223333:role/other"), given) == (
        f"`helm_values.serviceAccount.annotations['{ANNOTATION}']`: is set to {needed!r} by the construct, got "
        "'arn:aws:iam::111122223333:role/other'; leave it out, or use the argument `controller_role`"
    )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "<the instance profile>"), (GIVEN, "nodes")], ids=["made", "given"]
)
def test_fails_on_another_profile(given, needed):
    values = {"settings": {"aws": {"defaultInstanceProfile": "other"}}}
    assert message(values, given, version="0.31.5") == (
        f"`helm_values.settings.aws.defaultInstanceProfile`: is set to {needed!r} by the construct, got 'other'; leave "
        "it out, or use the argument `node_instance_profile`"
    )


def test_fails_on_the_name_of_a_cluster_whose_name_is_made_up():
    assert message({"settings": {"clusterName": "prod"}}, facts=owned(literal_name=None)) == (
        "`helm_values.settings.clusterName`: is set to '<the name of the cluster>' by the construct, got 'prod'; "
        "leave it out, or use the argument `cluster`"
    )


def test_without_a_queue_the_user_may_name_one():
    settings = resolve(
        owned(),
        version="1.14.1",
        interruption_handling=False,
        helm_values={"settings": {"interruptionQueue": "other"}},
    )
    assert settings.helm_values == {"settings": {"interruptionQueue": "other"}}


def test_a_value_that_the_chart_does_not_read_is_a_warning():
    settings = resolve(owned(), version="1.14.1", helm_values={"logLevl": "debug"})
    assert [(caution.id, caution.message) for caution in settings.cautions] == [
        (
            "karpenter-construct:unknownHelmValue",
            "`helm_values.logLevl`: the chart of Karpenter 1.14.1 has no such value and ignores it; did you mean "
            "`logLevel`?",
        )
    ]
