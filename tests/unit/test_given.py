"""What the user brings: what cannot be used from here, and what has no effect."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.given import given_problems
from karpenter_construct._decisions.given_facts import GivenFacts, QueueFacts

from .facts import ACCOUNT, TOKEN, owned, role

OTHER = "999999999999"


def problems(facts=None, **given: Any) -> list[str]:
    return [str(problem) for problem in given_problems(GivenFacts(**given), facts or owned())]


def queue(arn: str) -> QueueFacts:
    return QueueFacts(arn=arn, name=arn.rpartition(":")[2])


def test_nothing_needs_no_word():
    assert problems() == []


# Roles


@pytest.mark.parametrize(
    "given",
    [
        role(),
        role(name=TOKEN, arn=TOKEN),
        role(arn=f"arn:aws:iam::{TOKEN}:role/nodes"),
        role(arn=f"arn:aws:iam::{ACCOUNT}:role/team/nodes"),
        role(arn=f"arn:aws-cn:iam::{ACCOUNT}:role/nodes"),
    ],
    ids=["literal", "token", "token for the account", "with a path", "of another partition"],
)
def test_a_role_of_the_account(given):
    assert problems(node_roles=(given,)) == []


@pytest.mark.parametrize(
    ("account", "arn"),
    [(TOKEN, f"arn:aws:iam::{OTHER}:role/nodes"), (ACCOUNT, TOKEN)],
    ids=["of the stack", "of the role"],
)
def test_a_role_whose_account_is_not_known_yet(account, arn):
    assert problems(owned(account=account), node_roles=(role(arn=arn),)) == []


def test_fails_on_roles_of_another_account():
    arn = f"arn:aws:iam::{OTHER}:role/mine"
    assert problems(
        controller_role=role("controller_role", arn=arn),
        node_roles=(role("node_role[0]"), role("node_role[1]", arn=arn)),
    ) == [
        f"`{argument}`: is a role of account {OTHER}, got '{arn}', but the stack is of account {ACCOUNT}; use a role "
        "of that account"
        for argument in ("controller_role", "node_role[1]")
    ]


def test_fails_on_an_arn_for_a_name():
    arn = f"arn:aws:iam::{ACCOUNT}:role/nodes"
    assert problems(node_roles=(role(arn=f"arn:aws:iam::{ACCOUNT}:role/{arn}"),)) == [
        f"`node_role`: has an ARN for a name, got '{arn}'; import it with iam.Role.from_role_arn()"
    ]


# The queue


@pytest.mark.parametrize(
    "arn", [f"arn:aws:sqs:eu-west-1:{ACCOUNT}:mine", TOKEN, f"arn:aws:sqs:{TOKEN}:{TOKEN}:mine"]
)
def test_a_queue_of_the_stack_s_place(arn):
    assert problems(interruption_queue=queue(arn)) == []


@pytest.mark.parametrize(
    ("region", "account"), [("us-east-1", ACCOUNT), ("eu-west-1", OTHER), ("us-east-1", OTHER)]
)
def test_fails_on_a_queue_of_another_place(region, account):
    arn = f"arn:aws:sqs:{region}:{account}:mine"
    assert problems(interruption_queue=queue(arn)) == [
        f"`interruption_queue`: is in {region} of account {account}, got '{arn}', and Karpenter finds a queue only "
        "where it runs; use a queue of the stack's own account and region"
    ]


# The instance profile


@pytest.mark.parametrize("name", ["nodes", TOKEN, f"{TOKEN}/nodes"])
def test_a_profile_is_a_name(name):
    assert problems(node_roles=(role(),), node_instance_profile=name) == []


@pytest.mark.parametrize("name", [f"arn:aws:iam::{ACCOUNT}:instance-profile/nodes", "team/nodes"])
def test_fails_on_more_than_the_name_of_a_profile(name):
    assert problems(node_roles=(role(),), node_instance_profile=name) == [
        f"`node_instance_profile`: must be a name, got {name!r}; write what follows the last '/'"
    ]


def test_fails_on_a_profile_with_a_role_that_is_not_among_the_nodes():
    arn = f"arn:aws:iam::{ACCOUNT}:role/other"
    given = {"node_instance_profile": "nodes", "instance_profile_role_arn": arn}
    assert problems(node_roles=(role(name="other"), role()), **given) == []
    assert problems(node_roles=(role(),), **given) == [
        f"`node_instance_profile`: has a role that is none of `node_role`, got '{arn}'; pass that role in `node_role`"
    ]


# What has no effect


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            {"controller_role_has_permissions": True},
            "`controller_role_has_permissions`: is about a role of yours, but `controller_role` is not given; pass "
            "`controller_role` too",
        ),
        (
            {"node_instance_profile": "nodes"},
            "`node_instance_profile`: needs the role that is in it, but `node_role` is not given; pass `node_role` too",
        ),
        (
            {"node_roles": (role(),), "node_role_policies": 1},
            "`node_role_policies`: has no effect beside `node_role`; attach them to that role, and leave this out",
        ),
        (
            {"node_roles": (role(),), "cni_policy_on_node_role": False},
            "`cni_policy_on_node_role`: has no effect beside `node_role`; leave the CNI policy off that role, and "
            "leave this out",
        ),
        (
            {"interruption_queue": queue(TOKEN), "encryption_key": True},
            "`encryption_key`: has no effect beside `interruption_queue`; encrypt that queue with it, and leave this "
            "out",
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else "",
)
def test_fails_on_what_has_no_effect(given, problem):
    assert problems(**given) == [problem]


@pytest.mark.parametrize("given", [{"interruption_queue": queue(TOKEN)}, {"encryption_key": True}])
def test_fails_on_a_queue_that_nothing_is_sent_to(given):
    [argument] = given
    with_handling = given_problems(GivenFacts(**given), owned())
    without = given_problems(GivenFacts(**given), owned(), interruption_handling=False)
    assert with_handling == []
    assert [str(problem) for problem in without] == [
        f"`{argument}`: has no effect without interruption handling; turn that on, or leave this out"
    ]


@pytest.mark.parametrize(
    "given",
    [
        {"controller_role": role("controller_role"), "controller_role_has_permissions": True},
        {"node_roles": (role(),), "node_instance_profile": "nodes"},
        {"node_role_policies": 2, "cni_policy_on_node_role": False, "encryption_key": True},
    ],
)
def test_what_goes_together(given):
    assert problems(**given) == []
