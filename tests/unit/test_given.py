"""What the user brings: what cannot be used from here, and what has no effect."""

from __future__ import annotations

import json
from typing import Any

import pytest

from karpenter_construct._decisions.given import given_problems
from karpenter_construct._decisions.given_facts import GivenFacts, QueueFacts
from karpenter_construct._decisions.given_roles import shared_role_cautions, trust_caution
from karpenter_construct._decisions.given_statements import statement_problems, statement_size
from karpenter_construct.errors import Caution

from .facts import ACCOUNT, TOKEN, owned, role

OTHER = "999999999999"
KEY = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"


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
        role(arn=f"arn:{TOKEN}:iam::{ACCOUNT}:role/nodes"),
        role(arn=f"arn:aws:iam::{ACCOUNT}:{TOKEN}"),
        role(arn="arn:aws:iam::123456789012:role/DUMMY_ARN"),
    ],
    ids=[
        "literal",
        "token",
        "token for the account",
        "with a path",
        "token for the partition",
        "token at the end",
        "to be looked up",
    ],
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
    arns = {name: f"arn:aws:iam::{OTHER}:role/{name}" for name in ("mine", "yours")}
    assert problems(
        controller_role=role("controller_role", arn=arns["mine"]),
        node_roles=(role("node_role[0]"), role("node_role[1]", arn=arns["yours"])),
    ) == [
        f"`{argument}`: is a role of account {OTHER}, got '{arns[name]}', but the stack is of account {ACCOUNT}; use "
        "a role of that account"
        for argument, name in (("controller_role", "mine"), ("node_role[1]", "yours"))
    ]


def test_fails_on_an_arn_for_a_name():
    arn = f"arn:aws:iam::{ACCOUNT}:role/nodes"
    assert problems(node_roles=(role(arn=f"arn:aws:iam::{ACCOUNT}:role/{arn}"),)) == [
        f"`node_role`: has an ARN for a name, got '{arn}'; import it with iam.Role.from_role_arn()"
    ]


PARTITION_OF_THE_REGION = "but eu-west-1 is of aws; use one of that partition"


def test_fails_on_roles_and_policies_of_another_partition():
    roles = [f"arn:{partition}:iam::{ACCOUNT}:role/{partition}" for partition in ("aws-cn", "aws-us-gov")]
    policy = f"arn:aws-cn:iam::{ACCOUNT}:policy/mine"
    assert problems(
        controller_role=role("controller_role", arn=roles[0]),
        node_roles=(role(arn=roles[1]),),
        managed_policies={"permissions_boundary": policy},
    ) == [
        f"`controller_role`: is of the partition aws-cn, got '{roles[0]}', {PARTITION_OF_THE_REGION}",
        f"`node_role`: is of the partition aws-us-gov, got '{roles[1]}', {PARTITION_OF_THE_REGION}",
        f"`permissions_boundary`: is of the partition aws-cn, got '{policy}', {PARTITION_OF_THE_REGION}",
    ]


@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("eu-west-1", "aws"),
        ("ap-southeast-7", "aws"),
        ("cn-north-1", "aws-cn"),
        ("us-gov-west-1", "aws-us-gov"),
        ("us-isob-east-1", "aws-iso-b"),
        ("us-mars-olympus-1", "aws-of-mars"),
        (TOKEN, "aws-cn"),
    ],
)
def test_a_role_of_the_partition_of_the_region(region, partition):
    here = owned(region=region)
    assert problems(here, node_roles=(role(arn=f"arn:{partition}:iam::{ACCOUNT}:role/nodes"),)) == []


@pytest.mark.parametrize(
    "arn",
    [
        f"arn:aws:iam::{ACCOUNT}:user/x",
        f"arn:aws:iam::{ACCOUNT}:instance-profile/{TOKEN}",
        f"arn:aws:iam::{ACCOUNT}:root",
        f"arn:aws:sts::{ACCOUNT}:assumed-role/x/y",
    ],
)
def test_fails_on_what_is_no_role(arn):
    assert problems(node_roles=(role(arn=arn),)) == [f"`node_role`: is no role, got '{arn}'; pass a role"]


def test_managed_policies_of_aws_and_of_the_account():
    arns = ("arn:aws:iam::aws:policy/ReadOnlyAccess", f"arn:aws:iam::{ACCOUNT}:policy/team/mine", TOKEN)
    assert (
        problems(managed_policies={f"node_role_policies[{index}]": arn for index, arn in enumerate(arns)})
        == []
    )


def test_fails_on_other_managed_policies():
    theirs, no_policy = f"arn:aws:iam::{OTHER}:policy/mine", f"arn:aws:iam::{ACCOUNT}:role/mine"
    assert problems(
        managed_policies={"permissions_boundary": theirs, "node_role_policies[0]": no_policy}
    ) == [
        f"`permissions_boundary`: is a policy of account {OTHER}, got '{theirs}', but the stack is of account "
        f"{ACCOUNT}; use a policy of that account",
        f"`node_role_policies[0]`: is no managed policy, got '{no_policy}'; pass a managed policy",
    ]


ONCE = "got App/Nodes; pass each role once"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"arn": TOKEN, "name": TOKEN}, {"arn": TOKEN, "name": TOKEN}),
        ({"name": "mine"}, {"name": "mine"}),
        ({"name": "mine"}, {"name": "mine", "arn": f"arn:{TOKEN}:iam::{TOKEN}:role/mine"}),
    ],
    ids=["one of the app", "one ARN", "by ARN and by name"],
)
def test_fails_on_one_role_twice(first, second):
    roles = (role("node_role[0]", **first), role("node_role[1]", **second))
    assert problems(node_roles=roles) == [f"`node_role[1]`: is the role of `node_role[0]` too, {ONCE}"]


def test_several_roles():
    other_token = "${Token[TOKEN.44]}"  # noqa: S105 - CDK's word
    roles = (
        role(name="one"),
        role(name="two"),
        role(arn=TOKEN, name=TOKEN),
        role(arn=other_token, name=other_token),
    )
    assert problems(node_roles=roles, controller_role=role("controller_role", name="three")) == []


def test_roles_that_a_lookup_has_yet_to_find():
    roles = [role(f"node_role[{index}]", arn=f"arn:aws:iam::{ACCOUNT}:role/DUMMY_ARN") for index in range(2)]
    assert problems(node_roles=tuple(roles)) == []


def test_warns_of_the_role_of_nodes_for_the_controller():
    given = GivenFacts(node_roles=(role(),), controller_role=role("controller_role"))
    assert given_problems(given, owned()) == []
    assert list(shared_role_cautions(given)) == [
        Caution(
            "karpenter-construct:sharedRole",
            "`controller_role`: is the role of `node_role` too, got App/Nodes, and every pod on a node can do what the "
            "controller may; use two roles",
        )
    ]


@pytest.mark.parametrize("controller", [None, role("controller_role", name="other")])
def test_roles_of_their_own_are_not_warned_of(controller):
    assert list(shared_role_cautions(GivenFacts(node_roles=(role(),), controller_role=controller))) == []


EC2 = {"Service": "ec2.amazonaws.com"}
LAMBDA = {"Service": "lambda.amazonaws.com"}


def trust(*principals: object) -> dict[str, Any]:
    return {"Statement": [{"Effect": "Allow", "Principal": principal} for principal in principals]}


@pytest.mark.parametrize(
    "policy",
    [
        trust(EC2),
        trust({"Service": ["lambda.amazonaws.com", "ec2.amazonaws.com.cn"]}),
        trust(LAMBDA, EC2),
        trust("*"),
        trust({"Service": {"Fn::Join": ["", ["ec2.", {"Ref": "AWS::URLSuffix"}]]}}),
        trust({"Fn::If": ["Mine", EC2, LAMBDA]}),
        {"Statement": {"Principal": EC2}},
        {"Fn::Sub": "{}"},
        "{}",
        None,
    ],
)
def test_a_node_role_that_may_trust_ec2(policy):
    assert trust_caution("App/Nodes", policy) is None


@pytest.mark.parametrize(
    "policy",
    [trust(LAMBDA), trust({"AWS": "arn:aws:iam::111122223333:root"}, {"Service": ["eks.amazonaws.com"]})],
)
def test_a_node_role_that_trusts_others_is_warned_of(policy):
    assert trust_caution("App/Nodes", policy) == Caution(
        "karpenter-construct:nodeRoleTrust",
        "`node_role`: cannot be taken by EC2 instances, got App/Nodes, which trusts others only; create it with "
        "assumed_by=iam.ServicePrincipal('ec2.amazonaws.com')",
    )


# The statements of the controller


ALLOWED = {"Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*"}


def statement(**changes: Any) -> dict[str, Any]:
    return {key: value for key, value in {**ALLOWED, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    "given",
    [
        statement(),
        statement(Action=None, NotAction=["iam:*"]),
        statement(Resource=None, NotResource=TOKEN),
        statement(Sid=""),
        statement(Sid="Mine9"),
        statement(Sid=f"{TOKEN}-x"),
        statement(Resource=TOKEN * 1000),
        statement(Condition={"StringEquals": {"a": object()}}),
    ],
)
def test_a_statement(given):
    assert problems(controller_statements={"x": given}) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (statement(Action=None), "allows no action; pass actions, as in actions=['kms:Decrypt']"),
        (statement(Resource=[]), "is about no resource; pass resources, as in resources=['*']"),
        (
            statement(Principal={"AWS": TOKEN}),
            "names principals, which the policy of a role cannot have; leave them out",
        ),
        (
            statement(NotPrincipal={"AWS": "*"}),
            "names principals, which the policy of a role cannot have; leave them out",
        ),
        (
            statement(Sid="my statement"),
            "has a Sid that IAM does not take, got 'my statement'; use letters and digits only",
        ),
        (
            statement(Sid="Ünikod"),
            "has a Sid that IAM does not take, got 'Ünikod'; use letters and digits only",
        ),
    ],
)
def test_fails_on_a_statement_that_iam_refuses(given, message):
    path = "controller_policy_statements[0]"
    assert problems(controller_statements={path: given}) == [f"`{path}`: {message}"]


def test_fails_on_a_sid_twice():
    one, other = statement(Sid="Mine"), statement(Sid="Mine", Action="kms:Encrypt")
    assert problems(controller_statements={"x[0]": one, "x[1]": other}) == [
        "`x[1]`: has the Sid of another statement, got 'Mine'; give each statement its own"
    ]
    assert [str(problem) for problem in statement_problems({"statement": other}, [one])] == [
        "`statement`: has the Sid of another statement, got 'Mine'; give each statement its own"
    ]
    # CDK writes it once.
    assert problems(controller_statements={"x[0]": one, "x[1]": one}) == []


def test_a_sid_may_be_in_two_policies():
    one, other = statement(Sid="Mine"), statement(Sid="Mine", Action="kms:Encrypt")
    filler = statement(Resource="x" * 6000)
    assert problems(controller_statements={"x[0]": one, "x[1]": filler, "x[2]": other}) == []
    assert statement_problems({"statement": {**other, "Resource": "x" * 6000}}, [one]) == []
    # The third joins the second.
    assert problems(controller_statements={"x[0]": filler, "x[1]": one, "x[2]": other}) == [
        "`x[2]`: has the Sid of another statement, got 'Mine'; give each statement its own"
    ]


def test_a_statement_that_fills_a_policy():
    largest = "x" * (
        6144 - len('{"Version":"2012-10-17","Statement":[]}') - len(compact(statement(Resource="")))
    )
    assert problems(controller_statements={"x": statement(Resource=f"{largest}  ")}) == []
    assert problems(controller_statements={"x": statement(Resource=f"{largest}x")}) == [
        "`x`: has 6106 characters without white space, and IAM takes 6105 in a statement of a managed policy; divide "
        "it into several statements"
    ]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_the_size_of_a_statement():
    assert statement_size(statement()) == len(compact(statement())) + 1
    assert statement_size(statement(Resource=TOKEN)) == len(compact(statement(Resource="x" * 100))) + 1


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


def test_a_standard_queue():
    assert problems(interruption_queue=queue(TOKEN)._replace(fifo=False, path="App/Queue")) == []


def test_fails_on_a_fifo_queue():
    assert problems(interruption_queue=queue(TOKEN)._replace(fifo=True, path="App/Queue")) == [
        "`interruption_queue`: is a FIFO queue, got App/Queue, which takes messages of a group only, and the rules "
        "that fill it have none; use a standard queue"
    ]


def test_fails_on_a_queue_of_another_partition():
    arn = f"arn:aws-cn:sqs:eu-west-1:{ACCOUNT}:mine"
    assert problems(interruption_queue=queue(arn)) == [
        f"`interruption_queue`: is of the partition aws-cn, got '{arn}', {PARTITION_OF_THE_REGION}"
    ]


# The key of the queue


def of_a_key(arn: str) -> tuple[list[str], list[str]]:
    """The problems of a key for the queue that is made, and of a given queue with that key."""
    return problems(encryption_key_arn=arn), problems(interruption_queue=queue(TOKEN)._replace(key_arn=arn))


@pytest.mark.parametrize(
    "arn",
    [
        KEY,
        f"arn:aws:kms:eu-west-1:{OTHER}:key/1",
        f"arn:aws:kms:eu-west-1:{ACCOUNT}:alias/mine",
        f"arn:{TOKEN}:kms:{TOKEN}:{TOKEN}:alias/awsome",
        f"arn:{TOKEN}:kms:eu-west-1:{TOKEN}:{TOKEN}",
        TOKEN,
    ],
)
def test_a_key(arn):
    assert of_a_key(arn) == ([], [])


OWN_KEY = "use a key of your own, or leave this out for a key of SQS"
OWN_KEY_OF_QUEUE = "use a key of your own, or QueueEncryption.SQS_MANAGED"


@pytest.mark.parametrize("arn", ["alias/aws/sqs", f"arn:{TOKEN}:kms:eu-west-1:{ACCOUNT}:alias/aws/sqs"])
def test_fails_on_a_key_that_aws_manages(arn):
    wrong = "a key that AWS manages, got 'alias/aws/sqs', which EventBridge may not use"
    assert of_a_key(arn) == (
        [f"`encryption_key`: is {wrong}; {OWN_KEY}"],
        [f"`interruption_queue`: is encrypted with {wrong}; {OWN_KEY_OF_QUEUE}"],
    )


def test_fails_on_a_key_of_another_region():
    arn = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1"
    wrong = (
        f"a key of us-east-1, got '{arn}', and SQS takes keys of its own region only; use a key of eu-west-1"
    )
    assert of_a_key(arn) == (
        [f"`encryption_key`: is {wrong}"],
        [f"`interruption_queue`: is encrypted with {wrong}"],
    )
    assert problems(owned(region=TOKEN), encryption_key_arn=arn) == []


def test_fails_on_a_key_of_another_partition():
    arn = f"arn:aws-cn:kms:eu-west-1:{ACCOUNT}:key/1"
    assert problems(encryption_key_arn=arn) == [
        f"`encryption_key`: is of the partition aws-cn, got '{arn}', {PARTITION_OF_THE_REGION}"
    ]


def test_fails_on_an_alias_without_its_prefix():
    assert problems(encryption_key_arn=f"arn:{TOKEN}:kms:eu-west-1:{ACCOUNT}:mine") == [
        "`encryption_key`: is neither a key nor an alias, got 'mine'; write an alias as in 'alias/mine'"
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
            {"interruption_queue": queue(TOKEN), "encryption_key_arn": KEY},
            "`encryption_key`: has no effect beside `interruption_queue`; encrypt that queue with it, and leave this "
            "out",
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else "",
)
def test_fails_on_what_has_no_effect(given, problem):
    assert problems(**given) == [problem]


@pytest.mark.parametrize("given", [{"interruption_queue": queue(TOKEN)}, {"encryption_key_arn": KEY}])
def test_fails_on_a_queue_that_nothing_is_sent_to(given):
    argument = next(iter(given)).removesuffix("_arn")
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
        {"node_role_policies": 2, "cni_policy_on_node_role": False, "encryption_key_arn": KEY},
    ],
)
def test_what_goes_together(given):
    assert problems(**given) == []
