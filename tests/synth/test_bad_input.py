"""What bad input gets, through the real construct: one clear sentence, and nothing is left in the tree."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import Environment, Stack, aws_ec2, aws_eks, aws_iam, aws_kms, aws_sqs
from constructs import Construct

from karpenter_construct import ControllerCapacity, Discovery, EC2NodeClass, SettingsError
from karpenter_construct._decisions.argument_types import ARGUMENT_TYPES
from karpenter_construct.karpenter import Karpenter

from . import clusters
from .trees import unchanged

ACCOUNT = clusters.ACCOUNT
OTHER_ACCOUNT = "999999999999"
HERE = Environment(account=ACCOUNT, region=clusters.REGION)


def refused(build: Callable[[Stack], object], *, env: Environment | None = None) -> str:
    """The message with which ``build`` fails, whose arguments must be built before; it must leave nothing behind."""
    home = clusters.stack(env=env)
    return message(home, build(home))


def message(home: Construct, act: Callable[[], object], *shared: object) -> str:
    with unchanged(home, *shared), pytest.raises(SettingsError) as raised:
        act()
    return str(raised.value)


def construction(arguments: Callable[[Stack], dict[str, Any]], *, env: Environment | None = None) -> str:
    """The message of the constructor with arguments that are built in the stack, on an imported cluster."""
    return refused(
        lambda home: constructor(
            {"scope": home, "cluster": clusters.imported_classic(home), **arguments(home)}
        ),
        env=env,
    )


def constructor(arguments: dict[str, Any]) -> Callable[[], Karpenter]:
    given = {"id": "Karpenter", "version": "1.14.1", **arguments}
    return lambda: Karpenter(given.pop("scope"), given.pop("id"), **given)


def on_an_imported_cluster() -> Karpenter:
    home = clusters.stack()
    return Karpenter(home, "Karpenter", cluster=clusters.imported_classic(home), version="1.14.1")


# What is refused leaves nothing behind, so that the next one can be refused in the same place.


@functools.cache
def empty_cluster() -> tuple[Stack, object]:
    home = clusters.stack()
    return home, clusters.imported_classic(home)


@functools.cache
def untouched() -> Karpenter:
    return on_an_imported_cluster()


def shared(home: Construct, act: Callable[[], object]) -> str:
    """The message, of something done to what several tests use."""
    return message(home, act, empty_cluster, untouched)


def with_values(**arguments: Any) -> str:
    """The message of the constructor with arguments for which nothing is built."""
    home, cluster = empty_cluster()
    return shared(home, constructor({"scope": home, "cluster": cluster, **arguments}))


# What the arguments say together, and what they say of the world


RELEASES = {
    None: "is not a Karpenter release, got None; write one as in '1.14.1' or 'v0.30.0-rc.0'",
    1: "is not a Karpenter release, got 1; write one as in '1.14.1' or 'v0.30.0-rc.0'",
    1.14: "is not a Karpenter release, got 1.14; write one as in '1.14.1' or 'v0.30.0-rc.0'",
    "latest": "is not a Karpenter release, got 'latest'; write one as in '1.14.1' or 'v0.30.0-rc.0'",
    "1.14": "is not a Karpenter release, got '1.14'; write one as in '1.14.1' or 'v0.30.0-rc.0'",
    "0.29.2": "is older than 0.30.0, got '0.29.2'; use a release from 0.30.0 to 1.14.1",
    "2.0.0": "may have an API that this library does not know, got '2.0.0'; use a release from 0.30.0 to 1.14.1",
    "1.8.0": "has a chart whose own values make the controller panic (a feature gate is spelled in two ways), got "
    "'1.8.0'; use 1.8.8",
    "1.8.4": "fails to schedule some pods with topology spread constraints, and upstream warns of it, got '1.8.4'; use "
    "1.8.8",
}


@pytest.mark.parametrize("version", RELEASES)
def test_fails_on_the_release(version):
    assert with_values(version=version) == f"`version`: {RELEASES[version]}"


CLUSTERS: dict[str, tuple[Callable[[Stack], object], str]] = {
    "none": (lambda _: None, "None"),
    "a name": (lambda _: "prod", "'prod'"),
    "a class": (lambda _: aws_eks.Cluster, "the class aws_cdk.aws_eks.Cluster"),
    "a VPC": (lambda home: aws_ec2.Vpc(home, "Net"), "an object of class aws_cdk.aws_ec2.Vpc"),
}


@pytest.mark.parametrize(("cluster", "got"), CLUSTERS.values(), ids=CLUSTERS)
def test_fails_on_what_is_no_cluster(cluster, got):
    assert construction(lambda home: {"cluster": cluster(home)}) == (
        f"`cluster`: is no EKS cluster, got {got}; pass an aws_eks.Cluster, an aws_eks_v2.Cluster, or what "
        "from_cluster_attributes() of either returns"
    )


def test_fails_on_a_second_karpenter_on_the_cluster():
    def build(home: Stack) -> Callable[[], Karpenter]:
        cluster = clusters.imported_classic(home)
        Karpenter(home, "First", cluster=cluster, version="1.14.1")
        return lambda: Karpenter(home, "Second", cluster=cluster, version="1.14.1")

    assert refused(build) == (
        "`cluster`: Test/Cluster has Karpenter already, from Test/First, and two would fight over its nodes; add node "
        "pools to the first"
    )


def test_fails_on_an_id_that_is_taken():
    def build(home: Stack) -> Callable[[], Karpenter]:
        Construct(home, "Karpenter")
        cluster = clusters.imported_classic(home)
        return lambda: Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1")

    assert refused(build) == "`id`: the construct id 'Karpenter' is taken in Test; choose another name"


@pytest.mark.parametrize("argument", ["controller_role", "node_role"])
def test_fails_on_a_role_of_another_account(argument):
    arn = f"arn:aws:iam::{OTHER_ACCOUNT}:role/mine"

    def arguments(home: Stack) -> dict[str, Any]:
        return {argument: aws_iam.Role.from_role_arn(home, "Mine", arn)}

    assert construction(arguments, env=HERE) == (
        f"`{argument}`: is a role of account {OTHER_ACCOUNT}, got '{arn}', but the stack is of account {ACCOUNT}; use "
        "a role of that account"
    )


def test_fails_on_an_arn_for_the_name_of_a_role():
    arn = f"arn:aws:iam::{ACCOUNT}:role/mine"
    assert construction(lambda home: {"node_role": aws_iam.Role.from_role_name(home, "Mine", arn)}) == (
        f"`node_role`: has an ARN for a name, got '{arn}'; import it with iam.Role.from_role_arn()"
    )


def test_fails_on_a_queue_of_another_account_and_region():
    arn = f"arn:aws:sqs:us-east-1:{OTHER_ACCOUNT}:mine"
    assert construction(
        lambda home: {"interruption_queue": aws_sqs.Queue.from_queue_arn(home, "Mine", arn)}, env=HERE
    ) == (
        f"`interruption_queue`: is in us-east-1 of account {OTHER_ACCOUNT}, got '{arn}', and Karpenter finds a queue "
        "only where it runs; use a queue of the stack's own account and region"
    )


MANAGED_KEY = "a key that AWS manages, got 'alias/aws/sqs', which EventBridge may not use"
OWN_KEY = "use a key of your own, or QueueEncryption.SQS_MANAGED"
FIFO = (
    "is a FIFO queue, got Test/Mine, which takes messages of a group only, and the rules that fill it have none; use a "
    "standard queue"
)
QUEUES: dict[str, tuple[Callable[[Stack], object], str]] = {
    "of the app with groups": (lambda home: aws_sqs.Queue(home, "Mine", fifo=True), FIFO),
    "imported with groups": (
        lambda home: aws_sqs.Queue.from_queue_arn(home, "Mine", f"{QUEUE_ARN}.fifo"),
        FIFO,
    ),
    "of the app with the key of AWS": (
        lambda home: aws_sqs.Queue(home, "Mine", encryption=aws_sqs.QueueEncryption.KMS_MANAGED),
        f"is encrypted with {MANAGED_KEY}; {OWN_KEY}",
    ),
    "imported with the key of AWS": (
        lambda home: aws_sqs.Queue.from_queue_attributes(
            home, "Mine", queue_arn=QUEUE_ARN, key_arn=f"arn:aws:kms:eu-west-1:{ACCOUNT}:alias/aws/sqs"
        ),
        f"is encrypted with {MANAGED_KEY}; {OWN_KEY}",
    ),
}


@pytest.mark.parametrize(("queue", "message"), QUEUES.values(), ids=QUEUES)
def test_fails_on_a_queue_that_eventbridge_cannot_write_to(queue, message):
    assert (
        construction(lambda home: {"interruption_queue": queue(home)}) == f"`interruption_queue`: {message}"
    )


def test_fails_on_the_key_that_aws_manages():
    def arguments(home: Stack) -> dict[str, Any]:
        return {"encryption_key": aws_kms.Alias.from_alias_name(home, "Mine", "alias/aws/sqs")}

    assert construction(arguments) == (
        f"`encryption_key`: is {MANAGED_KEY}; use a key of your own, or leave this out for a key of SQS"
    )


@pytest.mark.parametrize("made", [True, False], ids=["of the app", "by ARN"])
def test_fails_on_one_node_role_twice(made):
    def arguments(home: Stack) -> dict[str, Any]:
        if made:
            role = aws_iam.Role(home, "Mine", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
            return {"node_role": [role, role]}
        return {"node_role": [aws_iam.Role.from_role_arn(home, id, ROLE_ARN) for id in ("One", "Mine")]}  # noqa: A001

    assert construction(arguments) == (
        "`node_role[1]`: is the role of `node_role[0]` too, got Test/Mine; pass each role once"
    )


def test_fails_on_what_iam_refuses_and_on_things_of_elsewhere():
    def arguments(home: Stack) -> dict[str, Any]:
        return {
            "node_role": aws_iam.Role.from_role_arn(home, "Nodes", f"arn:aws:iam::{ACCOUNT}:user/x"),
            "permissions_boundary": aws_iam.ManagedPolicy.from_managed_policy_arn(
                home, "Boundary", f"arn:aws-cn:iam::{ACCOUNT}:policy/mine"
            ),
            "controller_policy_statements": [
                aws_iam.PolicyStatement(actions=["kms:Decrypt"], resources=["*"]),
                aws_iam.PolicyStatement(actions=["kms:Decrypt"]),
            ],
            "encryption_key": aws_kms.Key.from_key_arn(home, "Key", f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1"),
        }

    assert construction(arguments, env=HERE).splitlines() == [
        f"`node_role`: is no role, got 'arn:aws:iam::{ACCOUNT}:user/x'; pass a role",
        f"`permissions_boundary`: is of the partition aws-cn, got 'arn:aws-cn:iam::{ACCOUNT}:policy/mine', but "
        "eu-west-1 is of aws; use one of that partition",
        "`controller_policy_statements[1]`: is about no resource; pass resources, as in resources=['*']",
        f"`encryption_key`: is a key of us-east-1, got 'arn:aws:kms:us-east-1:{ACCOUNT}:key/1', and SQS takes keys of "
        "its own region only; use a key of eu-west-1",
    ]


def test_fails_on_chart_values_that_the_construct_sets():
    assert with_values(helm_values={"settings": {"clusterName": "dev"}}) == (
        "`helm_values.settings.clusterName`: is set to 'prod' by the construct, got 'dev'; leave it out, or use the "
        "argument `cluster`"
    )


def test_fails_on_all_wrong_values_at_once():
    def arguments(home: Stack) -> dict[str, Any]:
        mine = aws_iam.Role.from_role_name(home, "Mine", "mine")
        return {
            "namespace": "Karpenter",
            "replicas": 0,
            "node_role": mine,
            "node_role_policies": [aws_iam.ManagedPolicy.from_aws_managed_policy_name("ReadOnlyAccess")],
            "node_access": "AWS_AUTH",
            "identity_type": "POD_IDENTITY",
        }

    assert construction(arguments).splitlines() == [
        "`replicas`: must be a whole number of at least 1, got 0; use 2",
        "`identity_type`: POD_IDENTITY needs the Pod Identity agent on the cluster; pass "
        "`pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed, or use "
        "IdentityType.IRSA",
        "`node_access`: aws-auth of the imported cluster Test/Cluster cannot be written from here; use "
        "NodeAccess.ACCESS_ENTRY, or map the role yourself and use NodeAccess.NONE",
        "`namespace`: is no name that Kubernetes accepts, got 'Karpenter'; use at most 63 characters, only lower-case "
        "letters, digits and '-', a letter or digit first and last",
        "`node_role_policies`: has no effect beside `node_role`; attach them to that role, and leave this out",
    ]


def test_what_failed_may_be_tried_again():
    home = clusters.stack()
    cluster = clusters.imported_classic(home)
    with pytest.raises(SettingsError):
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", replicas=0)
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1")
    with pytest.raises(SettingsError):
        karpenter.add_node_pool("x", limits={"cpu": "lots"})
    assert karpenter.add_node_pool("x").name == "x"


# Wrong types


NOT_A_FLAG = "is neither True nor False, got {got}; write True or False"
FLAGS = (
    "controller_role_has_permissions",
    "keep_provisioner_permissions",
    "keep_pre_v1_permissions",
    "cni_policy_on_node_role",
    "interruption_handling",
    "isolated_vpc",
    "install_chart",
    "ebs_csi_startup_taint",
    "spot_service_linked_role",
)
ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/mine"
POLICY_ARN = f"arn:aws:iam::{ACCOUNT}:policy/mine"
QUEUE_ARN = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:mine"
QUEUE_URL = f"https://sqs.eu-west-1.amazonaws.com/{ACCOUNT}/mine"
KEY_ARN = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
ANY_ROLE = "pass an iam.Role, or what iam.Role.from_role_arn() or from_role_name() returns"
ANY_POLICY = (
    "pass an iam.ManagedPolicy, or what iam.ManagedPolicy.from_managed_policy_arn() or a like method returns"
)
NAMED_POLICY = (
    "pass iam.ManagedPolicy.from_managed_policy_name(self, '<id>', 'ReadOnlyAccess'), or for a policy of AWS "
    "iam.ManagedPolicy.from_aws_managed_policy_name('ReadOnlyAccess')"
)
DISCOVERY = "use Discovery.by_tag(…) or Discovery.by_id(…)"
CAPACITY = "use ControllerCapacity.nodegroup(…), .existing(…), .fargate(…) or .anywhere()"
LABEL = "use at most 63 characters, only lower-case letters, digits and '-', a letter or digit first and last"
SUBDOMAIN = "use at most 253 characters, only lower-case letters, digits, '-' and '.', a letter or digit first and last"

WRONG_TYPES: list[tuple[str, Any, str]] = [
    *((flag, "yes", NOT_A_FLAG.format(got="'yes'")) for flag in FLAGS),
    *((flag, None, NOT_A_FLAG.format(got="None")) for flag in FLAGS),
    ("pod_identity_agent_installed", 1, NOT_A_FLAG.format(got="1")),
    ("id", 5, "is no construct id, got 5; write a string, as in 'Karpenter'"),
    ("id", "", "is no construct id, got ''; write a string, as in 'Karpenter'"),
    ("scope", None, "is no construct, got None; pass the stack, which is mostly `self`"),
    ("scope", "Test", "is no construct, got 'Test'; pass the stack, which is mostly `self`"),
    ("namespace", 5, f"is no name that Kubernetes accepts, got 5; {LABEL}"),
    ("namespace", ["a"], f"is no name that Kubernetes accepts, got ['a']; {LABEL}"),
    ("namespace", "kube_system", f"is no name that Kubernetes accepts, got 'kube_system'; {LABEL}"),
    ("service_account_name", 5, f"is no name that Kubernetes accepts, got 5; {SUBDOMAIN}"),
    ("service_account_name", "A", f"is no name that Kubernetes accepts, got 'A'; {SUBDOMAIN}"),
    ("identity_type", "irsa", "is unknown, got 'irsa'; use IdentityType.IRSA or POD_IDENTITY"),
    ("node_access", "aws-auth", "is unknown, got 'aws-auth'; use one of AWS_AUTH, ACCESS_ENTRY, BOTH, NONE"),
    (
        "controller_role",
        "mine",
        "is no IAM role, got 'mine'; pass iam.Role.from_role_name(self, '<id>', 'mine')",
    ),
    (
        "controller_role",
        ROLE_ARN,
        f"is no IAM role, got '{ROLE_ARN}'; pass iam.Role.from_role_arn(self, '<id>', '{ROLE_ARN}')",
    ),
    ("controller_role", 5, f"is no IAM role, got 5; {ANY_ROLE}"),
    ("controller_role", aws_iam.Role, f"is no IAM role, got the class aws_cdk.aws_iam.Role; {ANY_ROLE}"),
    ("node_role", "mine", "is no IAM role, got 'mine'; pass iam.Role.from_role_name(self, '<id>', 'mine')"),
    ("node_role", {"mine"}, f"is no IAM role, got {{'mine'}}; {ANY_ROLE}"),
    ("node_role", [], "must list at least one, got []; leave it out to have one made"),
    (
        "node_role[1]",
        [None, ROLE_ARN],
        f"is no IAM role, got '{ROLE_ARN}'; pass iam.Role.from_role_arn(self, '<id>', '{ROLE_ARN}')",
    ),
    ("node_role[1]", [None, None], f"is no IAM role, got None; {ANY_ROLE}"),
    ("controller_policy_statements", "x", "is no list, got 'x'; pass an iam.PolicyStatement, in a list"),
    (
        "controller_policy_statements",
        {"Effect": "Allow"},
        "is no list, got {'Effect': 'Allow'}; pass iam.PolicyStatement.from_json(…) of it, in a list",
    ),
    (
        "controller_policy_statements[0]",
        [{"Effect": "Allow"}],
        "is no policy statement, got {'Effect': 'Allow'}; pass iam.PolicyStatement.from_json(…) of it",
    ),
    ("controller_policy_statements", None, "is no list, got None; pass an iam.PolicyStatement, in a list"),
    (
        "permissions_boundary",
        POLICY_ARN,
        f"is no managed policy, got '{POLICY_ARN}'; pass iam.ManagedPolicy.from_managed_policy_arn(self, '<id>', "
        f"'{POLICY_ARN}')",
    ),
    ("permissions_boundary", 5, f"is no managed policy, got 5; {ANY_POLICY}"),
    (
        "node_role_policies[0]",
        ["ReadOnlyAccess"],
        f"is no managed policy, got 'ReadOnlyAccess'; {NAMED_POLICY}",
    ),
    ("node_role_policies", "ReadOnlyAccess", f"is no list, got 'ReadOnlyAccess'; {NAMED_POLICY}, in a list"),
    (
        "node_instance_profile",
        5,
        "is no instance profile, got 5; pass its name, or an iam.InstanceProfile",
    ),
    (
        "interruption_queue",
        "mine",
        "is no SQS queue, got 'mine'; pass sqs.Queue.from_queue_arn(self, '<id>', 'arn:…') with the queue's ARN",
    ),
    (
        "interruption_queue",
        QUEUE_URL,
        f"is no SQS queue, got '{QUEUE_URL}'; pass sqs.Queue.from_queue_arn(self, '<id>', 'arn:…') with the queue's "
        "ARN",
    ),
    (
        "interruption_queue",
        QUEUE_ARN,
        f"is no SQS queue, got '{QUEUE_ARN}'; pass sqs.Queue.from_queue_arn(self, '<id>', '{QUEUE_ARN}')",
    ),
    (
        "interruption_queue",
        5,
        "is no SQS queue, got 5; pass an sqs.Queue, or what sqs.Queue.from_queue_arn() returns",
    ),
    (
        "encryption_key",
        KEY_ARN,
        f"is no KMS key, got '{KEY_ARN}'; pass kms.Key.from_key_arn(self, '<id>', '{KEY_ARN}')",
    ),
    (
        "encryption_key",
        "alias/mine",
        "is no KMS key, got 'alias/mine'; pass kms.Alias.from_alias_name(self, '<id>', 'alias/mine')",
    ),
    (
        "encryption_key",
        "alias/aws/sqs",
        "is no KMS key, got 'alias/aws/sqs'; pass a key of your own, or leave this out for a key of SQS",
    ),
    (
        "encryption_key",
        "1234",
        "is no KMS key, got '1234'; pass kms.Key.from_key_arn(self, '<id>', 'arn:…') with the key's ARN",
    ),
    (
        "encryption_key",
        5,
        "is no KMS key, got 5; pass a kms.Key, or what kms.Key.from_key_arn() or kms.Alias.from_alias_name() returns",
    ),
    ("discovery", "tag", f"is no Discovery, got 'tag'; {DISCOVERY}"),
    ("discovery", ["subnet-1"], f"is no Discovery, got ['subnet-1']; {DISCOVERY}"),
    ("discovery", Discovery.by_id, f"is no Discovery, got the function Discovery.by_id; {DISCOVERY}"),
    ("controller_capacity", "fargate", f"is no ControllerCapacity, got 'fargate'; {CAPACITY}"),
    (
        "controller_capacity",
        ControllerCapacity.fargate,
        f"is no ControllerCapacity, got the function ControllerCapacity.fargate; {CAPACITY}",
    ),
    ("replicas", "2", "must be a whole number of at least 1, got '2'; use 2"),
    ("chart_repository", 5, "is no string, got 5; write one as in 'oci://<registry>/…/karpenter'"),
    ("crd_chart_repository", 5, "is no string, got 5; write one as in 'oci://<registry>/…/karpenter-crd'"),
    ("image_repository", 5, "is no string, got 5; write one as in '<registry>/karpenter/controller'"),
    (
        "feature_gates",
        ["nodeRepair"],
        "is no map of feature gates, got ['nodeRepair']; write a dict, as in {'nodeRepair': True}",
    ),
    (
        "feature_gates['nodeRepair']",
        {"nodeRepair": "on"},
        "is neither on nor off, got 'on'; write True or False",
    ),
    (
        "helm_values",
        [{"logLevel": "debug"}],
        "is no map of chart values, got [{'logLevel': 'debug'}]; write a dict, as in {'logLevel': 'debug'}",
    ),
    ("helm_values", {5: 1}, "has a key that is no string, got 5; write '5'"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG_TYPES, ids=lambda value: str(value)[:40])
def test_fails_on_a_wrong_type(path, value, message):
    argument = path.partition("[")[0]

    if path == "node_role[1]":
        role_before = aws_iam.Role.from_role_name(clusters.stack(), "Mine", "mine")
        value = [role_before, value[1]]
    assert with_values(**{argument: value}) == f"`{path}`: {message}"


CDK_OBJECTS: dict[str, tuple[Callable[[Stack], object], str, str]] = {
    "controller_role": (
        lambda home: aws_iam.CfnRole(home, "Mine", assume_role_policy_document={}),
        "is no IAM role, got an object of class aws_cdk.aws_iam.CfnRole",
        ANY_ROLE,
    ),
    "node_role": (
        lambda home: aws_iam.User(home, "Mine"),
        "is no IAM role, got an object of class aws_cdk.aws_iam.User",
        ANY_ROLE,
    ),
    "interruption_queue": (
        lambda home: aws_sqs.CfnQueue(home, "Mine"),
        "is no SQS queue, got an object of class aws_cdk.aws_sqs.CfnQueue",
        "pass an sqs.Queue, or what sqs.Queue.from_queue_arn() returns",
    ),
    "encryption_key": (
        lambda home: aws_sqs.Queue(home, "Mine"),
        "is no KMS key, got an object of class aws_cdk.aws_sqs.Queue",
        "pass a kms.Key, or what kms.Key.from_key_arn() or kms.Alias.from_alias_name() returns",
    ),
    "permissions_boundary": (
        lambda home: aws_iam.Role.from_role_name(home, "Mine", "mine"),
        "is no managed policy, got an object of class jsii._reference_map.InterfaceDynamicProxy",
        ANY_POLICY,
    ),
}


@pytest.mark.parametrize("argument", CDK_OBJECTS)
def test_fails_on_another_cdk_object(argument):
    make, wrong, fix = CDK_OBJECTS[argument]
    assert construction(lambda home: {argument: make(home)}) == f"`{argument}`: {wrong}; {fix}"


def test_fails_on_all_wrong_types_at_once():
    assert with_values(discovery="tag", isolated_vpc=1, helm_values=[]).splitlines() == [
        f"`discovery`: is no Discovery, got 'tag'; {DISCOVERY}",
        "`isolated_vpc`: is neither True nor False, got 1; write True or False",
        "`helm_values`: is no map of chart values, got []; write a dict, as in {'logLevel': 'debug'}",
    ]


def test_every_argument_has_a_type_or_is_looked_at_where_it_is_decided_on():
    arguments = set(inspect.signature(Karpenter.__init__).parameters) - {"self"}
    elsewhere = {
        "cluster",
        "version",
        "namespace",
        "service_account_name",
        "identity_type",
        "node_access",
        "replicas",
    }
    assert arguments - set(ARGUMENT_TYPES) == elsewhere


# What the methods are given


def method(act: Callable[[Karpenter], object], first: Callable[[Karpenter], object] | None = None) -> str:
    """The message with which a method of a Karpenter fails, after ``first``."""
    if first is None:
        return shared(untouched(), lambda: act(untouched()))
    karpenter = on_an_imported_cluster()
    first(karpenter)
    return message(karpenter, lambda: act(karpenter))


NAME = "use lower case letters, digits, '-' and '.', with a letter or digit at both ends of each part"

POOLS: list[tuple[dict[str, Any], str]] = [
    ({"requirements": "spot"}, ".requirements`: must be a list, got 'spot'; write ['spot']"),
    (
        {"requirements": ["spot"]},
        ".requirements[0]`: must be a Requirement or a mapping of its fields, got 'spot'; write one as in "
        "{'key': 'team', 'operator': 'In', 'values': ['a']}",
    ),
    ({"limits": "100"}, ".limits`: must be a mapping, got '100'; write one as in {'cpu': 1000}"),
    (
        {"limits": {"cpu": "lots"}},
        ".limits['cpu']`: must be a Kubernetes quantity, got 'lots'; write one as in 200, '500m' or '16Gi'",
    ),
    ({"disruption": {}}, ".disruption.consolidate_after`: is required; write for example '0s'"),
    ({"taint": []}, ".taint`: is not a field of NodePool; did you mean 'taints'?"),
    (
        {"node_class": "gpu"},
        ".node_class`: there is no such node class, got 'gpu', known so far are none; add the class before its pools",
    ),
    (
        {"node_class": EC2NodeClass(name="gpu")},
        ".node_class`: takes what was added, got EC2NodeClass(name='gpu'); pass what the method that adds it returns, "
        "or its name",
    ),
]


@pytest.mark.parametrize(("fields", "message"), POOLS, ids=[str(fields)[:40] for fields, _ in POOLS])
def test_fails_on_a_pool_with_wrong_fields(fields, message):
    assert method(lambda karpenter: karpenter.add_node_pool("x", **fields)) == f"`node_pools['x']{message}"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Batch", f"`node_pools['Batch'].name`: must be a name that Kubernetes takes, got 'Batch'; {NAME}"),
        (5, "`NodePool.name`: must be a string, got 5; write '5'"),
        (
            EC2NodeClass(name="gpu"),
            "`node_classes['gpu']`: is no NodePool, got EC2NodeClass(name='gpu'); add it with the method for its own "
            "kind",
        ),
    ],
    ids=["illegal", "number", "class"],
)
def test_fails_on_what_is_no_pool(name, message):
    assert method(lambda karpenter: karpenter.add_node_pool(name)) == message


def test_fails_on_two_names_of_a_pool():
    assert method(lambda karpenter: karpenter.add_node_pool("x", name="y")) == (
        "`NodePool.name`: is given twice, as 'x' and as 'y'; give one"
    )


def test_fails_on_a_pool_whose_construct_id_is_taken():
    other = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    assert (
        method(
            lambda karpenter: karpenter.add_node_pool("x"),
            first=lambda karpenter: karpenter.add_manifest("NodePool-x", other),
        )
        == "`node_pools['x']`: the construct id 'NodePool-x' is taken in Test/Karpenter; choose another name"
    )


def test_fails_on_a_pool_whose_construct_id_the_users_own_construct_has():
    def first(karpenter: Karpenter) -> None:
        karpenter.add_node_class("default")
        Construct(karpenter, "NodePool-x")

    assert (
        method(lambda karpenter: karpenter.add_node_pool("x"), first=first)
        == "`node_pools['x']`: the construct id 'NodePool-x' is taken in Test/Karpenter; choose another name"
    )


def test_fails_on_a_class_of_another_karpenter():
    elsewhere = clusters.stack(name="Elsewhere")
    other = Karpenter(elsewhere, "Other", cluster=clusters.imported_classic(elsewhere), version="1.14.1")
    gpu = other.add_node_class("gpu")
    assert method(lambda karpenter: karpenter.add_node_pool("x", node_class=gpu)) == (
        "`node_pools['x'].node_class`: is the EC2NodeClass Elsewhere/Other/EC2NodeClass-gpu of another Karpenter; pass "
        "a node class of this one"
    )


CLASSES: list[tuple[dict[str, Any], str]] = [
    (
        {"role": ROLE_ARN},
        f".role`: must be the name of an IAM role, got '{ROLE_ARN}'; give the name without ARN and path",
    ),
    (
        {"role": "other"},
        ".role`: is none of the node roles of this Karpenter, which may pass no other, got 'other'; pass the role in "
        "`node_role` too",
    ),
    (
        {"instance_profile": "arn:aws:iam::1:instance-profile/mine"},
        ".instance_profile`: must be the name of an instance profile, got 'arn:aws:iam::1:instance-profile/mine'; give "
        "the name without ARN and path",
    ),
]


@pytest.mark.parametrize(("fields", "message"), CLASSES, ids=[str(fields)[:40] for fields, _ in CLASSES])
def test_fails_on_a_class_with_wrong_fields(fields, message):
    assert method(lambda karpenter: karpenter.add_node_class("x", **fields)) == f"`node_classes['x']{message}"


CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
NO_OBJECT = "pass one object, as a dict with apiVersion, kind and metadata.name"


@pytest.mark.parametrize(
    "manifest",
    [
        5,
        None,
        "kind: ConfigMap",
        [],
        {},
        {"kind": "ConfigMap"},
        {"apiVersion": "v1", "kind": "A", "metadata": {}},
        {"apiVersion": "v1", "kind": "List"},
        {"items": [], "kind": "List"},
    ],
    ids=str,
)
def test_fails_on_what_is_no_manifest(manifest):
    assert method(lambda karpenter: karpenter.add_manifest("Mine", manifest)) == (
        f"`manifest`: is no Kubernetes object, got {manifest!r}; {NO_OBJECT}"
    )


def test_fails_on_a_manifest_without_json_form():
    assert method(lambda karpenter: karpenter.add_manifest("Mine", {**CONFIG_MAP, "data": {1, 2}})) == (
        "`manifests['Mine'].data`: has no JSON form, got an object of class set; use dicts, lists, strings, numbers "
        "and booleans"
    )


@pytest.mark.parametrize("construct_id", [5, None, ""])
def test_fails_on_what_is_no_construct_id(construct_id):
    assert method(lambda karpenter: karpenter.add_manifest(construct_id, CONFIG_MAP)) == (
        f"`id`: is no construct id, got {construct_id!r}; write a string, as in 'Karpenter'"
    )


def test_fails_on_a_construct_id_that_is_taken():
    assert method(lambda karpenter: karpenter.add_manifest("Chart", CONFIG_MAP)) == (
        "`manifests['Chart']`: the construct id 'Chart' is taken in Test/Karpenter; choose another name"
    )


def test_fails_on_what_is_no_policy_statement():
    statement = {"Effect": "Allow"}
    assert method(lambda karpenter: karpenter.add_to_controller_policy(statement)) == (
        "`statement`: is no policy statement, got {'Effect': 'Allow'}; pass iam.PolicyStatement.from_json(…) of it"
    )
    assert method(lambda karpenter: karpenter.add_to_controller_policy(None)) == (
        "`statement`: is no policy statement, got None; pass an iam.PolicyStatement"
    )


def test_fails_on_what_is_no_vpc():
    assert method(lambda karpenter: karpenter.add_vpc_endpoints("vpc-1", existing="ec2")).splitlines() == [
        "`vpc`: is no VPC, got 'vpc-1'; pass an ec2.Vpc, or what ec2.Vpc.from_lookup() or from_vpc_attributes() "
        "returns",
        "`existing`: is no list, got 'ec2'; put it in a list",
    ]


def test_fails_in_a_stack_of_another_region_than_the_cluster_s():
    app = clusters.stack(env=Environment(account=ACCOUNT, region="us-east-1")).node.root
    cluster = clusters.imported_classic(app.node.find_child("Test"))
    home = Stack(app, "Elsewhere", env=HERE)
    with pytest.raises(SettingsError) as raised:
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1")
    assert str(raised.value) == (
        f"`cluster`: Test/Cluster is in us-east-1 of account {ACCOUNT}, the stack of Karpenter in eu-west-1 of account "
        f"{ACCOUNT}; define Karpenter in a stack of the cluster's account and region"
    )
    assert home.node.children == []
