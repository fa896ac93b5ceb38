"""What is decided where the user leaves it open, promised in one table; and what he may say himself."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from karpenter_construct._decisions.cluster_facts import AuthenticationMode
from karpenter_construct._decisions.given_facts import GivenFacts
from karpenter_construct._decisions.resolve import resolve
from karpenter_construct.controller_capacity import ControllerCapacity
from karpenter_construct.discovery import Discovery
from karpenter_construct.errors import SettingsError

from .facts import TOKEN, imported, owned, role

CONFIG_MAP, API = AuthenticationMode.CONFIG_MAP, AuthenticationMode.API
UPSTREAM = "oci://public.ecr.aws/karpenter/karpenter"

NEWEST: dict[str, Any] = {
    "namespace": "kube-system",
    "service_account_name": "karpenter",
    "identity_type": "POD_IDENTITY",
    "keep_provisioner_permissions": False,
    "keep_pre_v1_permissions": False,
    "node_access": "ACCESS_ENTRY",
    "interruption_handling": True,
    "discovery": {"tags": True, "subnets": None, "security_groups": None},
    "controller_capacity": {"labels": {}, "taints": ()},
    "replicas": 2,
    "topology_spread": "DoNotSchedule",
    "install_chart": True,
    "chart_repository": UPSTREAM,
    "crd_chart_repository": "oci://public.ecr.aws/karpenter/karpenter-crd",
    "image_repository": None,
    "isolated_vpc": False,
    "needs_instance_profile": False,
    "feature_gates": {
        "spotToSpotConsolidation": False,
        "nodeRepair": False,
        "reservedCapacity": True,
        "nodeOverlay": False,
        "staticCapacity": False,
        "capacityBuffer": False,
    },
    "helm_values": {},
    "ebs_csi_startup_taint": False,
    "spot_service_linked_role": True,
    "cautions": (),
}
"""Everything, on a cluster of the app that takes access entries, for the newest release."""

V1BETA1 = {"topology_spread": "ScheduleAnyway"}
V1ALPHA5 = {
    "namespace": "karpenter",
    "identity_type": "IRSA",
    "needs_instance_profile": True,
    "topology_spread": "ScheduleAnyway",
}
IRSA = {"identity_type": "IRSA"}
AWS_AUTH = {"node_access": "AWS_AUTH"}
FARGATE = {"identity_type": "IRSA", "controller_capacity": {"labels": {}, "taints": (), "subnets": None}}

# What differs from NEWEST; gates and cautions of other releases have tests of their own.
PROMISED = [
    ("1.14.1", owned(), {}),
    ("1.0.0", owned(), {}),
    ("0.37.8", owned(), V1BETA1),
    ("0.34.0", owned(), V1BETA1),
    ("0.33.12", owned(), {**V1BETA1, **IRSA}),
    ("0.33.0", owned(), {**V1BETA1, **IRSA}),
    ("0.32.10", owned(), {**V1ALPHA5, "needs_instance_profile": False}),
    ("0.31.5", owned(), V1ALPHA5),
    ("v0.30.0-rc.0", owned(), V1ALPHA5),
    ("1.14.1", owned(authentication_mode=CONFIG_MAP), AWS_AUTH),
    ("1.14.1", owned(authentication_mode=None), AWS_AUTH),
    ("1.14.1", owned(authentication_mode=API), {}),
    ("1.14.1", owned(same_stack=False), {}),
    ("1.14.1", owned(literal_name=None), {}),
    ("1.14.1", owned(fargate_only=True), FARGATE),
    ("0.31.5", owned(fargate_only=True), {**V1ALPHA5, **FARGATE}),
    ("1.14.1", imported(has_oidc_provider=True), IRSA),
    ("0.31.5", imported(has_oidc_provider=True), V1ALPHA5),
]


@pytest.mark.parametrize(("version", "facts", "differs"), PROMISED)
def test_promised_defaults(version, facts, differs):
    decided = asdict(resolve(facts, version=version))
    release = decided.pop("version")["release"]
    assert ".".join(map(str, release)) == version.lstrip("v").partition("-")[0]
    expected = {**NEWEST, **differs}
    if version != "1.14.1":
        for settings in (decided, expected):
            settings.pop("feature_gates")
            settings.pop("cautions")
    assert decided == expected


GIVEN = [
    ({"namespace": "platform"}, {}),
    ({"service_account_name": "controller"}, {}),
    ({"identity_type": "IRSA"}, {}),
    ({"node_access": "NONE"}, {}),
    ({"interruption_handling": False}, {}),
    ({"replicas": 3}, {}),
    ({"replicas": 1}, {"topology_spread": "ScheduleAnyway"}),
    ({"install_chart": False}, {}),
    ({"chart_repository": "oci://registry.example.com/mirror/karpenter"}, {}),
    ({"crd_chart_repository": "oci://registry.example.com/mirror/karpenter-crd"}, {}),
    ({"image_repository": "registry.example.com/karpenter"}, {}),
    ({"isolated_vpc": True}, {"needs_instance_profile": True}),
    ({"helm_values": {"logLevel": "debug"}}, {}),
    ({"ebs_csi_startup_taint": True}, {}),
    ({"spot_service_linked_role": False}, {}),
]


@pytest.mark.parametrize(("arguments", "follows"), GIVEN, ids=",".join)
def test_what_the_user_says_counts(arguments, follows):
    decided = asdict(resolve(owned(), version="1.14.1", **arguments))
    decided.pop("version")
    assert decided == {**NEWEST, **arguments, **follows}


def test_discovery_and_capacity_stay_the_objects_that_were_given():
    discovery = Discovery.by_id(subnets=["subnet-1"])
    capacity = ControllerCapacity.existing("critical")
    settings = resolve(owned(), version="1.14.1", discovery=discovery, controller_capacity=capacity)
    assert settings.discovery is discovery
    assert settings.controller_capacity is capacity


def test_a_gate_is_turned_on_among_the_others():
    settings = resolve(owned(), version="1.14.1", feature_gate_overrides={"nodeRepair": True})
    assert settings.feature_gates == {**NEWEST["feature_gates"], "nodeRepair": True}


@pytest.mark.parametrize(
    ("version", "isolated", "by_profile", "in_class"),
    [
        ("0.31.5", False, True, False),
        ("0.31.5", True, True, False),
        ("0.32.10", False, False, True),
        ("0.32.10", True, True, True),
        ("1.14.1", False, False, True),
        ("1.14.1", True, True, True),
    ],
)
def test_where_nodes_have_their_instance_profile_from(version, isolated, by_profile, in_class):
    settings = resolve(owned(), version=version, isolated_vpc=isolated)
    assert settings.nodes_use_instance_profile is by_profile
    assert settings.node_class_names_profile is in_class


@pytest.mark.parametrize("version", ["0.32.0", "0.32.10"])
def test_provisioners_of_0_32_keep_their_profile(version):
    settings = resolve(owned(), version=version, keep_provisioner_permissions=True)
    assert settings.needs_instance_profile is True
    assert settings.nodes_use_instance_profile is False


# What cannot work


def message(facts=None, given: GivenFacts | None = None, **arguments: Any) -> str:
    arguments = {"version": "1.14.1", **arguments}
    with pytest.raises(SettingsError) as raised:
        resolve(facts or owned(), given, **arguments)
    return str(raised.value)


def test_fails_on_a_second_karpenter():
    assert message(owned(other_karpenter="App/Karpenter")) == (
        "`cluster`: App/Cluster has Karpenter already, from App/Karpenter, and two would fight over its nodes; add "
        "node pools to the first"
    )


@pytest.mark.parametrize(
    "place", [("111122223333", "us-east-1"), ("999999999999", "eu-west-1"), ("999999999999", TOKEN)]
)
def test_fails_on_a_cluster_elsewhere(place):
    account, region = place
    assert message(owned(cluster_place=place)) == (
        f"`cluster`: App/Cluster is in {region} of account {account}, the stack of Karpenter in eu-west-1 of account "
        "111122223333; define Karpenter in a stack of the cluster's account and region"
    )


@pytest.mark.parametrize("place", [("111122223333", "eu-west-1"), (TOKEN, TOKEN), (TOKEN, "eu-west-1")])
def test_a_cluster_in_the_same_place_or_perhaps(place):
    resolve(owned(cluster_place=place), version="1.14.1")
    resolve(owned(cluster_place=place, account=TOKEN, region=TOKEN), version="1.14.1")


@pytest.mark.parametrize(
    "repository", ["", "karpenter", "https://a.example.com/karpenter", "oci://a/karpenter/"]
)
def test_fails_on_a_chart_repository_that_cdk_cannot_take(repository):
    assert message(chart_repository=repository) == (
        f"`chart_repository`: is no OCI repository of the chart karpenter, got {repository!r}; write "
        "'oci://<registry>/…/karpenter'"
    )


@pytest.mark.parametrize("repository", ["oci://a/karpenter", "oci://a/b/karpenter/crd"])
def test_fails_on_a_crd_chart_repository_that_cdk_cannot_take(repository):
    assert message(crd_chart_repository=repository) == (
        f"`crd_chart_repository`: is no OCI repository of the chart karpenter-crd, got {repository!r}; write "
        "'oci://<registry>/…/karpenter-crd'"
    )


@pytest.mark.parametrize(
    "repository", [TOKEN, f"oci://{TOKEN}/karpenter", f"{TOKEN}/karpenter", f"oci://a/{TOKEN}"]
)
def test_a_repository_that_only_the_deployment_knows_is_taken(repository):
    assert resolve(owned(), version="1.14.1", chart_repository=repository).chart_repository == repository


@pytest.mark.parametrize(
    ("option", "version", "problem"),
    [
        ("keep_provisioner_permissions", "0.31.5", "is for Karpenter 0.32 only, version is 0.31.5"),
        ("keep_provisioner_permissions", "0.33.0", "is for Karpenter 0.32 only, version is 0.33.0"),
        ("keep_pre_v1_permissions", "0.37.8", "is for Karpenter 1.0 only, version is 0.37.8"),
        ("keep_pre_v1_permissions", "1.1.0", "is for Karpenter 1.0 only, version is 1.1.0"),
    ],
)
def test_fails_on_permissions_kept_for_another_release(option, version, problem):
    assert message(version=version, **{option: True}) == f"`{option}`: {problem}; leave it out"


@pytest.mark.parametrize(
    ("option", "version"),
    [
        ("keep_provisioner_permissions", "0.32.0"),
        ("keep_provisioner_permissions", "0.32.10"),
        ("keep_pre_v1_permissions", "1.0.0"),
        ("keep_pre_v1_permissions", "1.0.14"),
    ],
)
def test_permissions_are_kept_in_the_release_that_one_migrates_with(option, version):
    assert getattr(resolve(owned(), version=version, **{option: True}), option) is True


@pytest.mark.parametrize("version", ["0.32.0", "0.32.1"])
def test_fails_in_an_isolated_vpc_where_classes_name_no_profile(version):
    assert message(version=version, isolated_vpc=True) == (
        f"`isolated_vpc`: needs Karpenter 0.32.2 or later, version is {version}, whose node classes name no instance "
        "profile; use 0.32.10"
    )


@pytest.mark.parametrize("version", ["0.32.0", "0.32.1"])
def test_fails_on_a_profile_that_classes_cannot_name(version):
    given = GivenFacts(node_roles=(role(),), node_instance_profile="nodes")
    assert message(given=given, version=version) == (
        f"`node_instance_profile`: needs Karpenter 0.32.2 or later, version is {version}, whose node classes name no "
        "instance profile; use 0.32.10"
    )


@pytest.mark.parametrize("version", ["0.31.5", "0.32.2"])
def test_a_profile_and_an_isolated_vpc_work_before_and_after(version):
    given = GivenFacts(node_roles=(role(),), node_instance_profile="nodes")
    assert resolve(owned(), given, version=version, isolated_vpc=True).isolated_vpc is True


def test_fails_with_every_mistake_at_once():
    assert message(
        owned(has_kubectl=False, kubectl_missing="cannot apply charts", private_subnet_count=0),
        GivenFacts(controller_role_has_permissions=True),
        namespace="Karpenter",
        replicas=0,
        chart_repository="karpenter",
        feature_gate_overrides={"nodeRepairs": True},
        helm_values={"settings": {"clusterName": "dev"}},
    ).splitlines() == [
        "`replicas`: must be a whole number of at least 1, got 0; use 2",
        "`cluster`: cannot apply charts, or use install_chart=False",
        "`namespace`: is no name that Kubernetes accepts, got 'Karpenter'; use at most 63 characters, only "
        "lower-case letters, digits and '-', a letter or digit first and last",
        "`controller_role_has_permissions`: is about a role of yours, but `controller_role` is not given; pass "
        "`controller_role` too",
        "`discovery.subnets`: the VPC of App/Cluster has no private subnets with egress; pass the nodes' subnets: "
        "discovery=Discovery.by_tag(subnets=[…])",
        "`chart_repository`: is no OCI repository of the chart karpenter, got 'karpenter'; write "
        "'oci://<registry>/…/karpenter'",
        "`helm_values.settings.clusterName`: is set to 'prod' by the construct, got 'dev'; leave it out, or use the "
        "argument `cluster`",
        "`feature_gates['nodeRepairs']`: is no feature gate of Karpenter 1.14.1; use one of spotToSpotConsolidation, "
        "nodeRepair, reservedCapacity, nodeOverlay, staticCapacity, capacityBuffer",
    ]
