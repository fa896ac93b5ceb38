"""How nodes are let into the cluster: what is decided by its authentication mode, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.cluster_facts import AuthenticationMode
from karpenter_construct._decisions.node_access import NodeAccess, aws_auth_arn, decide_node_access
from karpenter_construct.errors import Problem

from .facts import TOKEN, imported, owned, role

CONFIG_MAP = AuthenticationMode.CONFIG_MAP
BOTH = AuthenticationMode.API_AND_CONFIG_MAP
API = AuthenticationMode.API

NO_ENTRIES = (
    "`node_access`: an access entry needs a cluster that takes them, App/Cluster is in mode CONFIG_MAP; create the "
    "cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP, or use NodeAccess.AWS_AUTH"
)
NOT_OURS = (
    "`node_access`: aws-auth of the imported cluster App/Cluster cannot be written from here; use "
    "NodeAccess.ACCESS_ENTRY, or map the role yourself and use NodeAccess.NONE"
)
NOT_READ = "`node_access`: App/Cluster is in mode API and does not read aws-auth; use NodeAccess.ACCESS_ENTRY"
OTHER_STACK = (
    "`node_access`: aws-auth belongs to the stack of App/Cluster and cannot map a role of another stack; create the "
    "cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP so that access entries work, define "
    "Karpenter in the cluster's stack, or map the role there and use NodeAccess.NONE"
)
ROLE_OF_OTHER_STACK = (
    "aws-auth cannot map a role of another stack, got App/Nodes; define the role in the stack of the cluster, or "
    "create the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP"
)


def decided(asked: Any, facts, roles=()) -> tuple[str, list[str]]:
    problems: list[Problem] = []
    access = decide_node_access(asked, facts=facts, roles=roles, problems=problems)
    return access.value, [str(problem) for problem in problems]


def owned_in(mode: AuthenticationMode | None, **changes: Any):
    return owned(authentication_mode=mode, **changes)


MATRIX = [
    # mode, what is asked for: what becomes of it on an owned cluster, and of another stack
    (CONFIG_MAP, None, "AWS_AUTH", [], [OTHER_STACK]),
    (CONFIG_MAP, "AWS_AUTH", "AWS_AUTH", [], [OTHER_STACK]),
    (CONFIG_MAP, "ACCESS_ENTRY", "ACCESS_ENTRY", [NO_ENTRIES], [NO_ENTRIES]),
    (CONFIG_MAP, "BOTH", "BOTH", [NO_ENTRIES], [OTHER_STACK, NO_ENTRIES]),
    (CONFIG_MAP, "NONE", "NONE", [], []),
    (None, None, "AWS_AUTH", [], [OTHER_STACK]),
    (None, "ACCESS_ENTRY", "ACCESS_ENTRY", [NO_ENTRIES], [NO_ENTRIES]),
    (BOTH, None, "ACCESS_ENTRY", [], []),
    (BOTH, "AWS_AUTH", "AWS_AUTH", [], [OTHER_STACK]),
    (BOTH, "ACCESS_ENTRY", "ACCESS_ENTRY", [], []),
    (BOTH, "BOTH", "BOTH", [], [OTHER_STACK]),
    (BOTH, "NONE", "NONE", [], []),
    (API, None, "ACCESS_ENTRY", [], []),
    (API, "AWS_AUTH", "AWS_AUTH", [NOT_READ], [NOT_READ]),
    (API, "ACCESS_ENTRY", "ACCESS_ENTRY", [], []),
    (API, "BOTH", "BOTH", [NOT_READ], [NOT_READ]),
    (API, "NONE", "NONE", [], []),
]


@pytest.mark.parametrize(("mode", "asked", "access", "here", "in_another_stack"), MATRIX)
def test_owned_cluster(mode, asked, access, here, in_another_stack):
    assert decided(asked, owned_in(mode)) == (access, here)
    assert decided(asked, owned_in(mode, same_stack=False)) == (access, in_another_stack)


@pytest.mark.parametrize(
    ("asked", "access", "problems"),
    [
        (None, "ACCESS_ENTRY", []),
        ("AWS_AUTH", "AWS_AUTH", [NOT_OURS]),
        ("ACCESS_ENTRY", "ACCESS_ENTRY", []),
        ("BOTH", "BOTH", [NOT_OURS]),
        ("NONE", "NONE", []),
    ],
)
def test_imported_cluster(asked, access, problems):
    assert decided(asked, imported()) == (access, problems)


def test_a_member_is_taken_as_its_name_is():
    assert decided(NodeAccess.NONE, owned()) == ("NONE", [])


def test_fails_on_roles_of_another_stack_that_aws_auth_cannot_map():
    roles = [role("node_role[0]"), role("node_role[1]", same_stack=False)]
    assert decided(None, owned_in(CONFIG_MAP), roles) == (
        "AWS_AUTH",
        [f"`node_role[1]`: {ROLE_OF_OTHER_STACK}"],
    )
    assert decided(None, owned(), roles) == ("ACCESS_ENTRY", [])


def test_a_cluster_that_cannot_be_mapped_to_is_told_once():
    roles = [role(same_stack=False)]
    assert decided("AWS_AUTH", imported(), roles) == ("AWS_AUTH", [NOT_OURS])


@pytest.mark.parametrize("asked", ["aws_auth", "", 5, ["NONE"]])
def test_fails_on_anything_else(asked):
    assert decided(asked, owned()) == (
        "NONE",
        [f"`node_access`: is unknown, got {asked!r}; use one of AWS_AUTH, ACCESS_ENTRY, BOTH, NONE"],
    )


@pytest.mark.parametrize(
    ("access", "aws_auth", "access_entry"),
    [
        (NodeAccess.AWS_AUTH, True, False),
        (NodeAccess.ACCESS_ENTRY, False, True),
        (NodeAccess.BOTH, True, True),
        (NodeAccess.NONE, False, False),
    ],
)
def test_what_each_way_makes(access, aws_auth, access_entry):
    assert (access.aws_auth, access.access_entry) == (aws_auth, access_entry)


@pytest.mark.parametrize(
    ("arn", "known_as"),
    [
        ("arn:aws:iam::111111111111:role/x", "arn:aws:iam::111111111111:role/x"),
        ("arn:aws:iam::111111111111:role/a/x", "arn:aws:iam::111111111111:role/x"),
        ("arn:aws-cn:iam::111111111111:role/a/b/x", "arn:aws-cn:iam::111111111111:role/x"),
        ("arn:aws:iam::111111111111:role/role/x", "arn:aws:iam::111111111111:role/x"),
        (f"arn:{TOKEN}:iam::{TOKEN}:role/a/{TOKEN}", f"arn:{TOKEN}:iam::{TOKEN}:role/{TOKEN}"),
        (TOKEN, TOKEN),
    ],
)
def test_aws_auth_knows_a_role_without_its_path(arn, known_as):
    assert aws_auth_arn(arn) == known_as
