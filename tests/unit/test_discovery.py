"""Which subnets and security groups the nodes get, as plain data."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from karpenter_construct._decisions.discovery import discovery_problems
from karpenter_construct.discovery import Discovery
from karpenter_construct.errors import SettingsError

from .facts import LIST_TOKEN, TOKEN, imported, owned

FACTORIES = pytest.mark.parametrize("make", [Discovery.by_tag, Discovery.by_id], ids=["by_tag", "by_id"])
SUBNET = SimpleNamespace(subnet_id="subnet-3")
GROUP = SimpleNamespace(security_group_id=TOKEN)


def message(make, **arguments) -> str:
    with pytest.raises(SettingsError) as raised:
        make(**arguments)
    return str(raised.value)


def test_tags_or_ids():
    assert Discovery.by_tag() == Discovery(tags=True, subnets=None, security_groups=None)
    assert Discovery.by_id() == Discovery(tags=False, subnets=None, security_groups=None)


@FACTORIES
def test_nothing_given_is_nothing(make):
    assert make().subnet_ids() is None
    assert make().security_group_ids() is None


@FACTORIES
def test_objects_and_ids_are_taken(make):
    discovery = make(subnets=["subnet-1", SUBNET, TOKEN], security_groups=("sg-1", GROUP))
    assert discovery.subnets == ("subnet-1", SUBNET, TOKEN)
    assert discovery.subnet_ids() == ("subnet-1", "subnet-3", TOKEN)
    assert discovery.security_groups == ("sg-1", GROUP)
    assert discovery.security_group_ids() == ("sg-1", TOKEN)


KINDS = pytest.mark.parametrize(
    ("argument", "what", "example"),
    [
        ("subnets", "subnet", "vpc.private_subnets or ['subnet-…']"),
        ("security_groups", "security group", "['sg-…']"),
    ],
)


@FACTORIES
@KINDS
def test_fails_without_any(make, argument, what, example):
    del what, example
    assert message(make, **{argument: []}) == (
        f"`discovery.{argument}`: must list at least one, got []; leave the argument out to take the cluster's own"
    )


@KINDS
@pytest.mark.parametrize(
    "given", ["subnet-1", 5, {"sg-1"}, SimpleNamespace()], ids=["string", "int", "set", "object"]
)
def test_fails_without_a_list(argument, what, example, given):
    del what
    assert message(Discovery.by_tag, **{argument: given}) == (
        f"`discovery.{argument}`: is no list, got {given!r}; write {example}"
    )


@KINDS
@pytest.mark.parametrize("item", ["private", "", "vpc-1", "subnet-A", "sg-a_b", 5, None])
def test_fails_on_what_is_neither(argument, what, example, item):
    good = TOKEN
    assert message(Discovery.by_id, **{argument: [good, item]}) == (
        f"`discovery.{argument}[1]`: is no {what} and no id of one, got {item!r}; write {example}"
    )


def test_fails_on_one_for_the_other():
    assert message(Discovery.by_tag, subnets=["sg-1"], security_groups=["subnet-1"]).splitlines() == [
        "`discovery.subnets[0]`: is no subnet and no id of one, got 'sg-1'; write vpc.private_subnets or ['subnet-…']",
        "`discovery.security_groups[0]`: is no security group and no id of one, got 'subnet-1'; write ['sg-…']",
    ]


@FACTORIES
@pytest.mark.parametrize("argument", ["subnets", "security_groups"])
def test_fails_on_a_list_of_unknown_length(make, argument):
    assert message(make, **{argument: [LIST_TOKEN]}) == (
        f"`discovery.{argument}`: has a length that only the deployment knows, got '{LIST_TOKEN}'; list its items one "
        "by one, as in [Fn.select(0, ids), Fn.select(1, ids)]"
    )


@pytest.mark.parametrize("found", [TOKEN, "p-12345", "subnet-0a"])
def test_ids_of_objects_that_are_selected_by(found):
    assert Discovery.by_id(subnets=[SimpleNamespace(subnet_id=found)]).subnet_ids() == (found,)


def test_fails_for_objects_without_an_id_to_select_by():
    private = SimpleNamespace(subnet_id="Private_1")
    nodes = SimpleNamespace(security_group_id="nodes")
    assert message(Discovery.by_id, subnets=["subnet-1", private], security_groups=[nodes]).splitlines() == [
        "`discovery.subnets[1]`: is a subnet whose id is none of EC2's, got 'Private_1'; give it one as in "
        "'subnet-0abcdef1234567890'",
        "`discovery.security_groups[0]`: is a security group whose id is none of EC2's, got 'nodes'; give it one as "
        "in 'sg-0abcdef1234567890'",
    ]
    assert Discovery.by_tag(subnets=[private]).subnet_ids() == ("Private_1",)


CLUSTER = SimpleNamespace(private_subnet_ids=("subnet-1", "private"), cluster_security_group_id=None)


def test_fails_for_a_cluster_without_ids_to_select_by():
    assert message(Discovery.by_id().refuse_unusable_ids, cluster=CLUSTER).splitlines() == [
        "`discovery.subnets`: are those of the cluster, got 'private', which is no id of a subnet; pass them, as in "
        "vpc.private_subnets or ['subnet-…']",
        "`discovery.security_groups`: are those of the cluster, got '', which is no id of a security group; pass "
        "them, as in ['sg-…']",
    ]


@pytest.mark.parametrize(
    "discovery", [Discovery.by_tag(), Discovery.by_id(subnets=["subnet-1"], security_groups=["sg-1"])]
)
def test_ids_of_the_cluster_that_nobody_selects_by(discovery):
    discovery.refuse_unusable_ids(CLUSTER)


# What the cluster tells


@pytest.mark.parametrize(
    ("facts", "given", "problems"),
    [
        (owned(), {}, []),
        (
            owned(private_subnet_count=0),
            {},
            [
                "`discovery.subnets`: the VPC of App/Cluster has no private subnets with egress; pass the nodes' "
                "subnets: discovery=Discovery.by_tag(subnets=[…])"
            ],
        ),
        (
            imported(private_subnet_count=None),
            {},
            [
                "`discovery.subnets`: the VPC of App/Cluster is unknown; pass the nodes' subnets: "
                "discovery=Discovery.by_tag(subnets=[…]), or `vpc` to from_cluster_attributes()"
            ],
        ),
        (imported(private_subnet_count=None), {"subnets": ["subnet-1"]}, []),
        (
            imported(has_security_group=False),
            {},
            [
                "`discovery.security_groups`: the cluster security group of App/Cluster is unknown; pass it: "
                "discovery=Discovery.by_tag(security_groups=['sg-…']), or `cluster_security_group_id` to "
                "from_cluster_attributes()"
            ],
        ),
        (imported(has_security_group=False), {"security_groups": ["sg-1"]}, []),
    ],
)
@FACTORIES
def test_what_neither_the_cluster_nor_the_user_tells(make, facts, given, problems):
    assert [str(problem) for problem in discovery_problems(make(**given), facts)] == problems
