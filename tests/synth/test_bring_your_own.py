"""For each thing that a user may bring: by default one is made; the given one is used, and none is made."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Aws, Stack, assertions, aws_eks, aws_iam, aws_kms, aws_sqs

from karpenter_construct import ControllerCapacity, Discovery, IdentityType, NodeAccess, SettingsError
from karpenter_construct.karpenter import Karpenter

from . import clusters, karpenters
from .intrinsics import Resources, document, of_stack, resolved
from .looks import KNOWN
from .node_manifests import warnings

ACCOUNT, REGION = clusters.ACCOUNT, clusters.REGION
POLICIES = {
    "NodeLifecyclePolicy",
    "IAMIntegrationPolicy",
    "EKSIntegrationPolicy",
    "InterruptionPolicy",
    "ResourceDiscoveryPolicy",
    "ZonalShiftPolicy",
}

Arguments = Callable[[Stack], dict[str, Any]]


def deployed(
    arguments: Arguments = lambda _: {},
    build: Callable[[Stack], Any] = clusters.imported_classic,
    *,
    pool: bool = False,
    **more: Any,
) -> Resources:
    """The resources of a stack with a Karpenter, and with a pool if wanted; see `of_stack` for their ids."""
    home = clusters.stack()
    given = {"cluster": build(home), "version": "1.14.1", **arguments(home), **more}
    karpenter = Karpenter(home, "Karpenter", **given)
    if pool:
        karpenter.add_node_pool("general")
    return of_stack(home)


@functools.cache
def by_default() -> Resources:
    """Those with nothing brought, and a pool."""
    return deployed(pool=True)


def without_queue(*given: Any, **more: Any) -> Resources:
    """As `deployed`, where nothing is asked about the interruption queue: that makes a quarter of it."""
    return deployed(*given, **karpenters.WITHOUT_QUEUE, **more)


def without_charts(*given: Any, **more: Any) -> Resources:
    """As `deployed`, where nothing is asked about queue, charts and tags."""
    return deployed(*given, **{**karpenters.ROLES_ALONE, **more})


def with_pool(*given: Any, **more: Any) -> Resources:
    """As `without_queue`, with a pool and so a node class."""
    return without_queue(*given, pool=True, **more)


def of_type(found: Resources, resource_type: str) -> set[str]:
    return {name for name, body in found.items() if body["Type"] == f"AWS::{resource_type}"}


def text(value: object) -> str:
    return json.dumps(value)


def manifest(found: Resources, name: str) -> str:
    """A manifest as text, whose tokens are left as they are."""
    [body] = [
        text(resource["Properties"]["Manifest"]) for key, resource in found.items() if key.startswith(name)
    ]
    return body


def values(found: Resources) -> str:
    return text(found["Chart"]["Properties"]["Values"])


def trust(found: Resources, role: str) -> Any:
    return document(found[role]["Properties"]["AssumeRolePolicyDocument"])


# The controller's role


ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/team/mine"
CONTROLLER_ROLES: dict[str, tuple[Callable[[Stack], aws_iam.IRole], Any]] = {
    "by ARN": (lambda home: aws_iam.Role.from_role_arn(home, "Mine", ROLE_ARN), "mine"),
    "by name": (lambda home: aws_iam.Role.from_role_name(home, "Mine", "mine"), "mine"),
    "of the app": (
        lambda home: aws_iam.Role(home, "Mine", assumed_by=aws_iam.AccountRootPrincipal()),
        {"Ref": "Mine"},
    ),
}


def test_a_controller_role_is_made():
    found = by_default()
    assert "ControllerRole" in of_type(found, "IAM::Role")
    assert of_type(found, "IAM::ManagedPolicy") == POLICIES
    assert {text(found[name]["Properties"]["Roles"]) for name in POLICIES} == {'[{"Ref": "ControllerRole"}]'}


@functools.cache
def with_controller_role(form: str) -> Resources:
    make, _ = CONTROLLER_ROLES[form]
    return deployed(lambda home: {"controller_role": make(home)})


@pytest.mark.parametrize("form", CONTROLLER_ROLES)
def test_a_given_controller_role_gets_the_policies(form):
    found = with_controller_role(form)
    assert "ControllerRole" not in found
    assert of_type(found, "IAM::ManagedPolicy") == POLICIES
    _, name = CONTROLLER_ROLES[form]
    assert all(found[policy]["Properties"]["Roles"] == [name] for policy in POLICIES)


@pytest.mark.parametrize("form", CONTROLLER_ROLES)
def test_a_given_controller_role_with_permissions_gets_none(form):
    make, _ = CONTROLLER_ROLES[form]
    found = without_charts(
        lambda home: {"controller_role": make(home), "controller_role_has_permissions": True}
    )
    assert "ControllerRole" not in found
    assert of_type(found, "IAM::ManagedPolicy") == set()


def test_a_given_controller_role_keeps_its_trust():
    found = with_controller_role("of the app")
    [statement] = trust(found, "Mine")["Statement"]
    assert statement["Principal"] == {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}


def test_a_given_controller_role_is_named_for_irsa():
    found = with_controller_role("by ARN")
    assert f'\\"eks.amazonaws.com/role-arn\\":\\"{ROLE_ARN}\\"' in values(found)


def test_a_given_controller_role_is_associated_for_pod_identity():
    make, _ = CONTROLLER_ROLES["by ARN"]
    found = without_queue(lambda home: {"controller_role": make(home)}, pod_identity_agent_installed=True)
    assert found["PodIdentityAssociation"]["Properties"]["RoleArn"] == ROLE_ARN
    assert "role-arn" not in values(found)


@pytest.mark.parametrize(("given", "made"), [(False, 1), (True, 0)])
def test_irsa_makes_an_oidc_provider_for_a_role_that_is_made_here(given, made):
    def arguments(home: Stack) -> dict[str, Any]:
        role = aws_iam.Role.from_role_arn(home, "Mine", ROLE_ARN)
        return {"identity_type": IdentityType.IRSA, **({"controller_role": role} if given else {})}

    found = without_charts(arguments, clusters.classic)
    providers = [body for body in found.values() if "OpenIdConnectProvider" in body["Type"]]
    providers += [body for body in found.values() if "OIDCProvider" in body["Type"]]
    assert len(providers) == made


def test_irsa_of_a_given_role_needs_no_provider_of_an_imported_cluster():
    make, _ = CONTROLLER_ROLES["by ARN"]
    found = without_queue(
        lambda home: {"controller_role": make(home)},
        lambda home: clusters.imported_classic(home, open_id_connect_provider=None),
    )
    assert f'\\"eks.amazonaws.com/role-arn\\":\\"{ROLE_ARN}\\"' in values(found)


STATEMENT = {"Effect": "Allow", "Action": "kms:CreateGrant", "Resource": "*"}


def test_no_additional_policy_is_made():
    assert "AdditionalPolicy" not in by_default()


def test_additional_statements_are_a_policy_of_their_own():
    statement = aws_iam.PolicyStatement.from_json(STATEMENT)
    found = without_charts(controller_policy_statements=[statement])
    assert document(found["AdditionalPolicy"]["Properties"]["PolicyDocument"])["Statement"] == [STATEMENT]
    assert found["AdditionalPolicy"]["Properties"]["Roles"] == [{"Ref": "ControllerRole"}]


def test_statements_added_later_join_it_and_the_chart_waits():
    home = clusters.stack()
    cluster = clusters.imported_classic(home)
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
    for action in ("kms:CreateGrant", "ec2:DescribeVpcs"):
        karpenter.add_to_controller_policy(aws_iam.PolicyStatement(actions=[action], resources=["*"]))
    found = of_stack(home)
    statements = document(found["AdditionalPolicy"]["Properties"]["PolicyDocument"])["Statement"]
    assert [statement["Action"] for statement in statements] == ["kms:CreateGrant", "ec2:DescribeVpcs"]
    assert "AdditionalPolicy" in found["Chart"]["DependsOn"]


def test_the_user_s_statements_are_attached_to_a_role_with_permissions_too():
    make, _ = CONTROLLER_ROLES["by name"]
    found = without_charts(
        lambda home: {"controller_role": make(home)},
        controller_role_has_permissions=True,
        controller_policy_statements=[aws_iam.PolicyStatement.from_json(STATEMENT)],
    )
    assert of_type(found, "IAM::ManagedPolicy") == {"AdditionalPolicy"}


# The node role


def node_role(home: Stack, name: str = "Nodes", **fields: Any) -> aws_iam.Role:
    return aws_iam.Role(home, name, assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"), **fields)


def passed(found: Resources) -> list[str]:
    """The roles that the controller may pass."""
    roles = []
    for name in sorted(POLICIES & set(found)):
        for statement in read(found[name]["Properties"]["PolicyDocument"])["Statement"]:
            if statement["Action"] == "iam:PassRole":
                resources = statement["Resource"]
                roles += resources if isinstance(resources, list) else [resources]
    return roles


def read(value: Any) -> Any:
    """A document, whether it is an object or a string; references are names in angle brackets."""
    deployed_value = resolved(value, KNOWN)
    return json.loads(deployed_value) if isinstance(deployed_value, str) else deployed_value


def admitted(found: Resources) -> list[Any]:
    entries = sorted(of_type(found, "EKS::AccessEntry"))
    return [resolved(found[name]["Properties"]["PrincipalArn"], KNOWN) for name in entries]


def arn(name: str) -> dict[str, list[str]]:
    return {"Fn::GetAtt": [name, "Arn"]}


MANAGED = [
    "AmazonEKS_CNI_Policy",
    "AmazonEKSWorkerNodePolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonSSMManagedInstanceCore",
]


def managed(found: Resources, role: str = "NodeRole") -> list[str]:
    return [
        text(each).rpartition("/")[2].rstrip('"]}') for each in found[role]["Properties"]["ManagedPolicyArns"]
    ]


def test_a_node_role_is_made():
    found = by_default()
    assert managed(found) == MANAGED
    assert passed(found) == ["<NodeRole.Arn>"]
    assert admitted(found) == ["<NodeRole.Arn>"]
    assert '{\\"Ref\\": \\"NodeRole\\"}' in text(manifest(found, "EC2NodeClassdefault"))


def test_a_given_node_role_is_used():
    found = with_pool(lambda home: {"node_role": node_role(home)})
    assert "NodeRole" not in found
    assert passed(found) == ["<Nodes.Arn>"]
    assert admitted(found) == ["<Nodes.Arn>"]
    assert '{\\"Ref\\": \\"Nodes\\"}' in text(manifest(found, "EC2NodeClassdefault"))


def test_several_node_roles_are_used_and_no_other():
    found = with_pool(lambda home: {"node_role": [node_role(home, "One"), node_role(home, "Two")]})
    assert "NodeRole" not in found
    assert passed(found) == ["<One.Arn>", "<Two.Arn>"]
    assert admitted(found) == ["<One.Arn>", "<Two.Arn>"]
    assert '{\\"Ref\\": \\"One\\"}' in text(manifest(found, "EC2NodeClassdefault"))


def with_roles(**fields: Any) -> tuple[Stack, Karpenter]:
    home = clusters.stack()
    roles = [node_role(home, "One"), node_role(home, "Two", role_name="gpu-nodes")]
    cluster = clusters.imported_classic(home)
    given = {"node_role": roles, **karpenters.WITHOUT_QUEUE, **fields}
    return home, Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **given)


def test_a_class_names_one_of_several_roles():
    home, karpenter = with_roles()
    karpenter.add_node_class("by-token", role=karpenter.node_roles[1].role_name)
    karpenter.add_node_class("by-name", role="gpu-nodes")
    found = of_stack(home)
    assert '{\\"Ref\\": \\"Two\\"}' in text(manifest(found, "EC2NodeClassbytoken"))
    assert '\\"role\\":\\"gpu-nodes\\"' in manifest(found, "EC2NodeClassbyname")


def test_fails_where_a_class_names_another_role():
    _, karpenter = with_roles()
    with pytest.raises(SettingsError) as raised:
        karpenter.add_node_class("other", role="other-nodes")
    assert str(raised.value) == (
        "`node_classes['other'].role`: is none of the node roles of this Karpenter, which may pass no other, got "
        "'other-nodes'; pass the role in `node_role` too"
    )


def test_windows_nodes_are_let_in_by_the_role_s_own_name():
    home, karpenter = with_roles()
    karpenter.add_node_class("windows", role="gpu-nodes", ami="windows2022@latest")
    found = of_stack(home)
    types = {name: found[name]["Properties"]["Type"] for name in of_type(found, "EKS::AccessEntry")}
    assert types == {"NodeAccessEntry": "EC2_LINUX", "NodeAccessEntry2": "EC2_WINDOWS"}


def test_further_policies_of_the_node_role():
    extra = aws_iam.ManagedPolicy.from_aws_managed_policy_name("CloudWatchAgentServerPolicy")
    assert managed(with_pool(node_role_policies=[extra])) == [*MANAGED, "CloudWatchAgentServerPolicy"]


def test_a_cni_with_a_role_of_its_own():
    assert managed(with_pool(cni_policy_on_node_role=False)) == MANAGED[1:]


IPV6_ACTIONS = [
    "ec2:AssignIpv6Addresses",
    "ec2:DescribeInstances",
    "ec2:DescribeTags",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeInstanceTypes",
]


def ipv6(home: Stack) -> aws_eks.Cluster:
    return clusters.classic(home, ip_family=aws_eks.IpFamily.IP_V6)


def test_a_cluster_with_ipv6_lets_the_cni_assign_addresses():
    found = with_pool(build=ipv6)
    assert managed(found) == MANAGED[1:]
    [policy] = found["NodeRole"]["Properties"]["Policies"]
    assert policy["PolicyName"] == "CniIpv6"
    assert document(policy["PolicyDocument"])["Statement"][0]["Action"] == IPV6_ACTIONS


def test_a_cluster_with_ipv6_and_a_cni_with_a_role_of_its_own():
    found = with_pool(build=ipv6, cni_policy_on_node_role=False)
    assert managed(found) == MANAGED[1:]
    assert "Policies" not in found["NodeRole"]["Properties"]


def test_a_node_role_that_ec2_instances_cannot_take_is_warned_of_at_synth():
    home = clusters.stack()
    roles = [
        node_role(home, "One"),
        aws_iam.Role(home, "Two", assumed_by=aws_iam.ServicePrincipal("lambda.amazonaws.com")),
        aws_iam.Role(home, "Three", assumed_by=aws_iam.ServicePrincipal("lambda.amazonaws.com")),
    ]
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        node_role=roles,
        **karpenters.WITHOUT_QUEUE,
    )
    # What is trusted may be said after.
    roles[2].assume_role_policy.add_statements(
        aws_iam.PolicyStatement(
            actions=["sts:AssumeRole"], principals=[aws_iam.ServicePrincipal("ec2.amazonaws.com")]
        )
    )
    assert karpenter.node.validate() == []
    assert warnings(home) == [
        "`node_role`: cannot be taken by EC2 instances, got Test/Two, which trusts others only; create it with "
        "assumed_by=iam.ServicePrincipal('ec2.amazonaws.com') [ack: karpenter-construct:nodeRoleTrust]"
    ]


def test_the_role_of_nodes_for_the_controller_is_warned_of():
    home = clusters.stack()
    role = node_role(home, "Nodes")
    Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        node_role=role,
        controller_role=role,
        **karpenters.WITHOUT_QUEUE,
    )
    assert warnings(home) == [
        "`controller_role`: is the role of `node_role` too, got Test/Nodes, and every pod on a node can do what the "
        "controller may; use two roles [ack: karpenter-construct:sharedRole]"
    ]


# The instance profile


def test_no_instance_profile_is_made_where_karpenter_makes_them():
    assert of_type(by_default(), "IAM::InstanceProfile") == set()


@pytest.mark.parametrize(
    "arguments", [{"version": "0.31.5"}, {"isolated_vpc": True}], ids=["0.31", "isolated"]
)
def test_an_instance_profile_is_made_where_karpenter_makes_none(arguments):
    found = with_pool(**arguments)
    assert of_type(found, "IAM::InstanceProfile") == {"NodeInstanceProfile"}
    assert found["NodeInstanceProfile"]["Properties"] == {"Roles": [{"Ref": "NodeRole"}]}


PROFILES: dict[str, Arguments] = {
    "by name": lambda home: {"node_instance_profile": "mine", "node_role": node_role(home)},
    "imported": lambda home: {
        "node_instance_profile": aws_iam.InstanceProfile.from_instance_profile_name(home, "Mine", "mine"),
        "node_role": node_role(home),
    },
    "imported with its role": lambda home: {
        "node_instance_profile": aws_iam.InstanceProfile.from_instance_profile_attributes(
            home,
            "Mine",
            instance_profile_arn=f"arn:aws:iam::{ACCOUNT}:instance-profile/mine",
            role=node_role(home),
        )
    },
}


@pytest.mark.parametrize("arguments", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("version", ["1.14.1", "0.32.2"])
def test_a_given_instance_profile_stands_in_the_class(arguments, version):
    found = with_pool(arguments, version=version)
    assert of_type(found, "IAM::InstanceProfile") == set()
    assert '\\"instanceProfile\\":\\"mine\\"' in manifest(found, "EC2NodeClassdefault")
    assert '\\"role\\"' not in manifest(found, "EC2NodeClassdefault")
    assert passed(found) == ["<Nodes.Arn>"]
    assert admitted(found) == ["<Nodes.Arn>"]


@pytest.mark.parametrize("arguments", PROFILES.values(), ids=PROFILES)
def test_a_given_instance_profile_stands_in_the_settings_before_0_32(arguments):
    found = without_queue(arguments, version="0.31.5")
    assert of_type(found, "IAM::InstanceProfile") == set()
    assert '\\"defaultInstanceProfile\\":\\"mine\\"' in values(found)


def test_a_given_instance_profile_of_the_app_brings_its_role():
    def arguments(home: Stack) -> dict[str, Any]:
        return {"node_instance_profile": aws_iam.InstanceProfile(home, "Mine", role=node_role(home))}

    found = with_pool(arguments)
    assert "NodeRole" not in found
    assert of_type(found, "IAM::InstanceProfile") == {"Mine"}
    assert '{\\"Ref\\": \\"Mine\\"}' in text(manifest(found, "EC2NodeClassdefault"))
    assert passed(found) == ["<Nodes.Arn>"]


def test_fails_on_a_profile_whose_role_is_not_among_the_node_roles():
    def arguments(home: Stack) -> dict[str, Any]:
        profile = aws_iam.InstanceProfile(home, "Mine", role=node_role(home))
        return {
            "node_instance_profile": profile,
            "node_role": aws_iam.Role.from_role_arn(home, "Other", ROLE_ARN),
        }

    with pytest.raises(SettingsError) as raised:
        with_pool(arguments)
    assert str(raised.value).startswith(
        "`node_instance_profile`: has a role that is none of `node_role`, got "
    )


# The interruption queue


QUEUE_ARN = f"arn:aws:sqs:{REGION}:{ACCOUNT}:mine"
RULES = {
    "ScheduledChangeRule",
    "SpotInterruptionRule",
    "RebalanceRule",
    "InstanceStateChangeRule",
    "CapacityReservationInterruptionRule",
}


def test_a_queue_is_made():
    found = by_default()
    assert of_type(found, "SQS::Queue") == {"InterruptionQueue"}
    assert of_type(found, "SQS::QueuePolicy") == {"InterruptionQueuePolicy"}
    assert of_type(found, "Events::Rule") == RULES


def test_without_interruption_handling_there_is_none():
    found = deployed(interruption_handling=False)
    assert of_type(found, "SQS::Queue") | of_type(found, "Events::Rule") == set()
    assert "InterruptionPolicy" not in found
    assert "interruptionQueue" not in values(found)


def test_a_given_queue_of_the_app_is_used_and_gets_the_policy():
    found = deployed(lambda home: {"interruption_queue": aws_sqs.Queue(home, "Mine")})
    assert of_type(found, "SQS::Queue") == {"Mine"}
    assert of_type(found, "SQS::QueuePolicy") == {"MinePolicy"}
    assert {text(found[rule]["Properties"]["Targets"][0]["Arn"]) for rule in RULES} == {text(arn("Mine"))}
    assert '{"Fn::GetAtt": ["Mine", "QueueName"]}' in values(found)


def test_an_imported_queue_is_used_and_left_alone():
    found = deployed(
        lambda home: {"interruption_queue": aws_sqs.Queue.from_queue_arn(home, "Mine", QUEUE_ARN)}
    )
    assert of_type(found, "SQS::Queue") | of_type(found, "SQS::QueuePolicy") == set()
    assert {found[rule]["Properties"]["Targets"][0]["Arn"] for rule in RULES} == {QUEUE_ARN}
    assert '\\"interruptionQueue\\":\\"mine\\"' in values(found)


def test_the_queue_is_encrypted_by_sqs():
    assert by_default()["InterruptionQueue"]["Properties"] == {
        "MessageRetentionPeriod": 300,
        "SqsManagedSseEnabled": True,
    }


KEY_ARN = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1"
KEYS: dict[str, tuple[Callable[[Stack], aws_kms.IKey], Any]] = {
    "of the app": (lambda home: aws_kms.Key(home, "Key"), arn("Key")),
    "imported": (lambda home: aws_kms.Key.from_key_arn(home, "Key", KEY_ARN), KEY_ARN),
}


@functools.cache
def with_key(form: str) -> Resources:
    make, _ = KEYS[form]
    return deployed(lambda home: {"encryption_key": make(home)}, **karpenters.WITHOUT_CHARTS)


@pytest.mark.parametrize("form", KEYS)
def test_the_queue_is_encrypted_with_a_given_key(form):
    found = with_key(form)
    _, key_arn = KEYS[form]
    assert found["InterruptionQueue"]["Properties"]["KmsMasterKeyId"] == key_arn
    assert document(found["AdditionalPolicy"]["Properties"]["PolicyDocument"], {"Key.Arn": "key"})[
        "Statement"
    ] == [{"Effect": "Allow", "Action": "kms:Decrypt", "Resource": "key" if key_arn != KEY_ARN else KEY_ARN}]


def test_statements_added_later_are_looked_at_with_the_first():
    home = clusters.stack()
    first = aws_iam.PolicyStatement.from_json({**STATEMENT, "Sid": "Mine"})
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        controller_policy_statements=[first],
        **karpenters.ROLES_ALONE,
    )
    with pytest.raises(SettingsError) as raised:
        karpenter.add_to_controller_policy(
            aws_iam.PolicyStatement(sid="Mine", principals=[aws_iam.AnyPrincipal()])
        )
    assert str(raised.value).splitlines() == [
        "`statement`: allows no action; pass actions, as in actions=['kms:Decrypt']",
        "`statement`: is about no resource; pass resources, as in resources=['*']",
        "`statement`: names principals, which the policy of a role cannot have; leave them out",
        "`statement`: has the Sid of another statement, got 'Mine'; give each statement its own",
    ]
    statements = document(of_stack(home)["AdditionalPolicy"]["Properties"]["PolicyDocument"])["Statement"]
    assert statements == [{**STATEMENT, "Sid": "Mine"}]


def test_a_sid_may_be_in_a_policy_that_is_full():
    home = clusters.stack()
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        **karpenters.ROLES_ALONE,
    )
    for resource in ("a" * 6000, "b" * 100):
        given = {**STATEMENT, "Sid": "Mine", "Resource": f"arn:aws:s3:::{resource}"}
        karpenter.add_to_controller_policy(aws_iam.PolicyStatement.from_json(given))
    found = of_stack(home)
    policies = [
        found[name]["Properties"]["PolicyDocument"] for name in ("AdditionalPolicy", "AdditionalPolicy2")
    ]
    assert [each["Sid"] for policy in policies for each in policy["Statement"]] == ["Mine", "Mine"]


def test_eventbridge_may_encrypt_with_a_key_of_the_app():
    found = with_key("of the app")
    assert found["Key"]["Properties"]["KeyPolicy"]["Statement"][-1] == {
        "Effect": "Allow",
        "Principal": {"Service": "events.amazonaws.com"},
        "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
        "Resource": "*",
    }


def test_a_role_with_permissions_may_decrypt_already():
    found = deployed(
        lambda home: {
            "encryption_key": aws_kms.Key(home, "Key"),
            "controller_role": aws_iam.Role.from_role_arn(home, "Mine", ROLE_ARN),
            "controller_role_has_permissions": True,
        },
        **karpenters.WITHOUT_CHARTS,
    )
    assert of_type(found, "IAM::ManagedPolicy") == set()


# The service account


@pytest.mark.parametrize(
    ("given", "name"), [({}, "karpenter"), ({"service_account_name": "controller"}, "controller")]
)
def test_the_service_account_is_called_the_same_everywhere(given, name):
    found = without_queue(**given)
    assert f'\\"serviceAccount\\":{{\\"create\\":true,\\"name\\":\\"{name}\\"' in values(found)
    [statement] = trust(found, "ControllerRole")["Statement"]
    subject = statement["Condition"]["StringEquals"][f"{clusters.OIDC_ISSUER}:sub"]
    assert subject == f"system:serviceaccount:kube-system:{name}"
    pod_identity = without_charts(pod_identity_agent_installed=True, **given)
    assert pod_identity["PodIdentityAssociation"]["Properties"]["ServiceAccount"] == name


# The permissions boundary


BOUNDARY = f"arn:aws:iam::{ACCOUNT}:policy/boundary"
CAPACITIES = {
    "anywhere": (ControllerCapacity.anywhere(), {"ControllerRole", "NodeRole", "HandlerRole"}),
    "nodegroup": (
        ControllerCapacity.nodegroup(),
        {"ControllerRole", "NodeRole", "HandlerRole", "ControllerNodeRole"},
    ),
    "fargate": (
        ControllerCapacity.fargate(),
        {"ControllerRole", "NodeRole", "HandlerRole", "PodExecutionRole"},
    ),
}


@pytest.mark.parametrize(("capacity", "roles"), CAPACITIES.values(), ids=CAPACITIES)
def test_the_boundary_is_on_every_role_that_is_made(capacity, roles):
    def arguments(home: Stack) -> dict[str, Any]:
        boundary = aws_iam.ManagedPolicy.from_managed_policy_arn(home, "Boundary", BOUNDARY)
        return {"permissions_boundary": boundary, "controller_capacity": capacity}

    found = without_queue(arguments)
    bounded = {
        name: found[name]["Properties"].get("PermissionsBoundary") for name in of_type(found, "IAM::Role")
    }
    assert bounded == dict.fromkeys(roles, BOUNDARY)


@pytest.mark.parametrize(("capacity", "roles"), CAPACITIES.values(), ids=CAPACITIES)
def test_without_a_boundary_there_is_none(capacity, roles):
    found = without_queue(controller_capacity=capacity)
    assert of_type(found, "IAM::Role") == roles
    assert all("PermissionsBoundary" not in found[name]["Properties"] for name in roles)


# Names


LONGEST = "c" + "-23456789" * 11
PHYSICAL_NAMES = (
    "RoleName",
    "QueueName",
    "ManagedPolicyName",
    "InstanceProfileName",
    "FunctionName",
    "LogGroupName",
)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"version": "0.31.5"},
        {"isolated_vpc": True},
        {"controller_capacity": ControllerCapacity.nodegroup()},
        {"controller_capacity": ControllerCapacity.fargate()},
        {"pod_identity_agent_installed": True},
    ],
    ids=["newest", "0.31", "isolated", "nodegroup", "fargate", "pod identity"],
)
def test_nothing_is_named_after_a_cluster_of_100_characters(arguments):
    assert len(LONGEST) == 100
    found = deployed(
        build=lambda home: clusters.imported_classic(home, cluster_name=LONGEST), pool=True, **arguments
    )
    named = [name for name, body in found.items() if set(PHYSICAL_NAMES) & set(body.get("Properties", {}))]
    assert named == []
    events = [name for name in of_type(found, "Events::Rule") if "Name" in found[name]["Properties"]]
    assert events == []


# The construct in an app whose values only the deployment knows


def test_tokens_never_raise():
    home = Stack(App(), "Test")
    mine = {
        "namespace": Aws.STACK_NAME,
        "service_account_name": Aws.STACK_NAME,
        "controller_role": aws_iam.Role.from_role_arn(home, "Controller", Aws.STACK_ID),
        "node_role": [aws_iam.Role.from_role_name(home, "Nodes", Aws.STACK_NAME)],
        "node_instance_profile": Aws.STACK_NAME,
        "node_access": NodeAccess.NONE,
        "interruption_queue": aws_sqs.Queue.from_queue_arn(home, "Queue", Aws.STACK_ID),
        "discovery": Discovery.by_id(subnets=[Aws.STACK_NAME], security_groups=[Aws.STACK_NAME]),
        "controller_capacity": ControllerCapacity.existing(Aws.STACK_NAME),
        "chart_repository": Aws.STACK_NAME,
        "crd_chart_repository": f"oci://{Aws.STACK_NAME}/karpenter-crd",
        "image_repository": Aws.STACK_NAME,
        "feature_gates": {"nodeRepair": Aws.STACK_NAME},
        "helm_values": {"settings": {"clusterName": Aws.STACK_NAME}, "logLevel": Aws.STACK_NAME},
    }
    cluster = clusters.imported_classic(home, cluster_name=Aws.STACK_NAME)
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **mine)
    mine_too = karpenter.add_node_class("mine", role=Aws.STACK_NAME)
    karpenter.add_node_pool("mine", node_class=mine_too, limits={"cpu": Aws.STACK_NAME})
    template = assertions.Template.from_stack(home)
    assert template.find_resources("AWS::SQS::Queue") == {}
