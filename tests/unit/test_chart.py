"""The chart's version, and the values it gets: our defaults, the user's, what must be."""

import pytest

from karpenter_construct._upstream.chart import (
    CHART_REPOSITORY,
    CRD_CHART_REPOSITORY,
    ChartInputs,
    chart_values,
    chart_version,
    default_values,
    metrics_port,
    required_values,
)
from karpenter_construct.errors import SettingsError
from karpenter_construct.releases import KarpenterVersion

REGION = {"name": "AWS_REGION", "value": "eu-west-1"}
ROLE = {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/controller"}


def release(text):
    return KarpenterVersion.parse(text)


def inputs(**changes):
    return ChartInputs(
        **{"cluster_name": "demo", "region": "eu-west-1", "service_account_name": "karpenter", **changes}
    )


def values(version, user=None, **changes):
    return chart_values(release(version), inputs(**changes), user)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.30.0-rc.0", "v0.30.0-rc.0"),
        ("v0.30.0", "v0.30.0"),
        ("0.33.12", "v0.33.12"),
        ("0.34.13", "v0.34.13"),
        ("0.35.0", "0.35.0"),
        ("v0.35.12", "0.35.12"),
        ("v1.14.1", "1.14.1"),
    ],
)
def test_the_chart_has_a_v_up_to_0_34(version, expected):
    assert chart_version(release(version)) == expected


def test_where_the_charts_are():
    assert CHART_REPOSITORY == "oci://public.ecr.aws/karpenter/karpenter"
    assert CRD_CHART_REPOSITORY == "oci://public.ecr.aws/karpenter/karpenter-crd"


@pytest.mark.parametrize(
    ("version", "port"), [("0.30.0", 8000), ("0.37.8", 8000), ("1.0.0", 8080), ("1.14.1", 8080)]
)
def test_metrics_port(version, port):
    assert metrics_port(release(version)) == port


MINIMAL_0_31 = {
    "settings": {
        "aws": {"clusterName": "demo", "isolatedVPC": False},
        "featureGates": {"driftEnabled": False},
    },
    "serviceAccount": {"create": True, "name": "karpenter"},
    "controller": {"env": [REGION]},
}


def minimal_since_0_32(gates):
    return {
        "settings": {"clusterName": "demo", "isolatedVPC": False, "featureGates": gates},
        "serviceAccount": {"create": True, "name": "karpenter"},
        "controller": {"env": [REGION]},
    }


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.30.0-rc.0", MINIMAL_0_31),
        ("0.31.5", MINIMAL_0_31),
        ("0.32.0", minimal_since_0_32({"drift": False})),
        ("0.33.0", minimal_since_0_32({"drift": True})),
        (
            "1.14.1",
            minimal_since_0_32(
                {
                    "spotToSpotConsolidation": False,
                    "nodeRepair": False,
                    "reservedCapacity": True,
                    "nodeOverlay": False,
                    "staticCapacity": False,
                    "capacityBuffer": False,
                }
            ),
        ),
    ],
)
def test_nothing_is_written_that_the_chart_does_by_itself_but_the_gates(version, expected):
    assert values(version) == expected


REFERENCES = {
    "cluster_endpoint": "https://api.example",
    "interruption_queue": "queue",
    "default_instance_profile": "profile",
    "isolated_vpc": True,
}


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            "0.31.5",
            {
                "aws": {
                    "clusterName": "demo",
                    "interruptionQueueName": "queue",
                    "defaultInstanceProfile": "profile",
                    "isolatedVPC": True,
                }
            },
        ),
        (
            "0.32.0",
            {
                "clusterName": "demo",
                "interruptionQueue": "queue",
                "aws": {"defaultInstanceProfile": "profile"},
                "isolatedVPC": True,
            },
        ),
        ("0.33.0", {"clusterName": "demo", "interruptionQueue": "queue", "isolatedVPC": True}),
        ("1.14.1", {"clusterName": "demo", "interruptionQueue": "queue", "isolatedVPC": True}),
    ],
)
def test_settings_that_must_be_are_spelled_as_the_release_spells_them(version, expected):
    assert required_values(release(version), inputs(**REFERENCES))["settings"] == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        (
            "0.31.5",
            {"aws": {"clusterEndpoint": "https://api.example"}, "featureGates": {"driftEnabled": False}},
        ),
        ("0.32.0", {"clusterEndpoint": "https://api.example", "featureGates": {"drift": False}}),
    ],
)
def test_the_endpoint_is_a_default(version, expected):
    assert default_values(release(version), inputs(**REFERENCES))["settings"] == expected


def test_the_chart_makes_the_service_account_with_its_role():
    account = values("1.14.1", service_account_annotations=ROLE)["serviceAccount"]
    assert account == {"create": True, "name": "karpenter", "annotations": ROLE}


def test_further_annotations_of_the_service_account_are_kept():
    account = values(
        "1.14.1", {"serviceAccount": {"annotations": {"team": "x"}}}, service_account_annotations=ROLE
    )
    assert account["serviceAccount"]["annotations"] == {"team": "x", **ROLE}


def test_fails_another_role():
    theirs = {
        "serviceAccount": {"annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/x"}}
    }
    with pytest.raises(SettingsError) as raised:
        values("1.14.1", theirs, service_account_annotations=ROLE)
    assert str(raised.value) == (
        "`helm_values.serviceAccount.annotations['eks.amazonaws.com/role-arn']`: is set to "
        "'arn:aws:iam::111122223333:role/controller' by the construct, got "
        "'arn:aws:iam::111122223333:role/x'; "
        "leave it out, or use the argument `controller_role`"
    )


def test_the_region_joins_the_variables_of_the_user():
    env = values("1.14.1", {"controller": {"env": [{"name": "GODEBUG", "value": "x"}]}})["controller"]["env"]
    assert env == [{"name": "GODEBUG", "value": "x"}, REGION]


def test_fails_another_region():
    with pytest.raises(SettingsError) as raised:
        values("1.14.1", {"controller": {"env": [{"name": "AWS_REGION", "value": "us-east-1"}]}})
    assert str(raised.value) == (
        "`helm_values.controller.env['AWS_REGION']`: is set to {'name': 'AWS_REGION', 'value': 'eu-west-1'} "
        "by the "
        "construct, got {'name': 'AWS_REGION', 'value': 'us-east-1'}; leave it out"
    )


@pytest.mark.parametrize(
    ("version", "user", "message"),
    [
        (
            "0.31.5",
            {"settings": {"aws": {"clusterName": "other"}}},
            "`helm_values.settings.aws.clusterName`: is set to 'demo' by the construct, got 'other'; leave "
            "it out, or "
            "use the argument `cluster`",
        ),
        (
            "1.14.1",
            {"settings": {"clusterName": "other"}},
            "`helm_values.settings.clusterName`: is set to 'demo' by the construct, got 'other'; leave it "
            "out, or use "
            "the argument `cluster`",
        ),
        (
            "0.32.10",
            {"settings": {"aws": {"clusterName": "other"}}},
            "`helm_values.settings.clusterName`: is set to 'demo' by the construct, got 'other'; leave it "
            "out, or use "
            "the argument `cluster`",
        ),
        (
            "1.14.1",
            {"settings": {"isolatedVPC": True}},
            "`helm_values.settings.isolatedVPC`: is set to False by the construct, got True; leave it out, "
            "or use the "
            "argument `isolated_vpc`",
        ),
        (
            "1.14.1",
            {"serviceAccount": {"create": False, "name": "mine"}},
            "`helm_values.serviceAccount.create`: is set to True by the construct, got False; leave it out\n"
            "`helm_values.serviceAccount.name`: is set to 'karpenter' by the construct, got 'mine'; leave it "
            "out, or "
            "use the argument `service_account_name`",
        ),
    ],
)
def test_fails_values_that_contradict_what_is_built(version, user, message):
    with pytest.raises(SettingsError) as raised:
        values(version, user)
    assert str(raised.value) == message


def test_a_queue_of_which_only_the_deployment_knows_the_name_may_be_the_users():
    theirs = {"settings": {"interruptionQueue": "mine"}}
    merged = values("1.14.1", theirs, interruption_queue="${Token[Queue.7]}")
    assert merged["settings"]["interruptionQueue"] == "${Token[Queue.7]}"


def test_a_queue_of_the_users_own_without_interruption_handling():
    assert (
        values("1.14.1", {"settings": {"interruptionQueue": "mine"}})["settings"]["interruptionQueue"]
        == "mine"
    )


NODEGROUP = {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["critical"]}
NOT_A_PROVISIONERS = {"key": "karpenter.sh/provisioner-name", "operator": "DoesNotExist"}
NOT_A_NODE_POOLS = {"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"}


@pytest.mark.parametrize(
    ("version", "own"),
    [
        ("0.31.5", [NOT_A_PROVISIONERS]),
        ("0.32.0", [NOT_A_PROVISIONERS, NOT_A_NODE_POOLS]),
        ("0.32.10", [NOT_A_PROVISIONERS, NOT_A_NODE_POOLS]),
        ("0.33.0", [NOT_A_NODE_POOLS]),
        ("1.14.1", [NOT_A_NODE_POOLS]),
    ],
)
def test_the_node_group_and_the_charts_condition_are_one_term(version, own):
    affinity = values(version, node_affinity_expressions=(NODEGROUP,))["affinity"]
    assert affinity == {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": [*own, NODEGROUP]}]
            }
        }
    }


def test_tolerations_keep_the_charts_own():
    taint = {"key": "critical-addons", "operator": "Equal", "value": "true", "effect": "NoSchedule"}
    assert values("1.14.1", tolerations=(taint,))["tolerations"] == [
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
        taint,
    ]


def spread(rule):
    return [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": rule}]


@pytest.mark.parametrize(
    ("version", "asked", "written"),
    [
        ("0.37.8", "ScheduleAnyway", None),
        ("0.37.8", "DoNotSchedule", spread("DoNotSchedule")),
        ("1.0.0", "ScheduleAnyway", spread("ScheduleAnyway")),
        ("1.0.0", "DoNotSchedule", None),
        ("1.0.0", None, None),
    ],
)
def test_the_spread_over_zones_is_written_where_it_differs(version, asked, written):
    assert values(version, topology_spread=asked).get("topologySpreadConstraints") == written


def test_controllers_that_may_share_a_host():
    assert values("1.14.1", share_hosts=True)["affinity"] == {
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [],
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "podAffinityTerm": {"topologyKey": "kubernetes.io/hostname"}}
            ],
        }
    }


def test_both_affinities_beside_each_other():
    affinity = values("1.14.1", share_hosts=True, node_affinity_expressions=(NODEGROUP,))["affinity"]
    assert sorted(affinity) == ["nodeAffinity", "podAntiAffinity"]


@pytest.mark.parametrize(("asked", "written"), [(1, 1), (2, None), (3, 3)])
def test_replicas_are_written_where_they_differ(asked, written):
    assert values("1.14.1", replicas=asked).get("replicas") == written


def test_an_image_of_a_private_registry_loses_its_digest_and_keeps_its_tag():
    image = values(
        "1.14.1", image_repository="111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter/controller"
    )
    assert image["controller"]["image"] == {
        "repository": "111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter/controller",
        "digest": "",
    }


def test_dns_policy():
    assert values("1.14.1", dns_policy="Default")["dnsPolicy"] == "Default"


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.31.5", {"logLevel": "error"}),
        (
            "0.32.0",
            {"logLevel": "error", "logConfig": {"logLevel": {"global": "error", "controller": "error"}}},
        ),
        ("0.33.0", {"logLevel": "error"}),
    ],
)
def test_the_log_level_goes_where_the_release_reads_it(version, expected):
    written = values(version, log_level="error")
    assert {key: value for key, value in written.items() if key.startswith("log")} == expected


@pytest.mark.parametrize(
    ("version", "written"),
    [
        ("0.33.5", None),
        ("0.33.6", {"enabled": True}),
        ("0.33.7", {"enabled": True}),
        ("0.33.8", None),
        ("0.37.2", {"enabled": True}),
        ("0.37.3", None),
        ("1.0.0", None),
        ("1.1.0", None),
    ],
)
def test_the_conversion_webhook_is_turned_on_where_the_chart_forgets_it(version, written):
    assert values(version).get("webhook") == written


def test_gates_of_the_inputs_and_of_the_user():
    gates = values(
        "1.8.1", {"settings": {"featureGates": {"nodeRepair": True}}}, feature_gates={"nodeOverlay": True}
    )["settings"]["featureGates"]
    assert gates == {
        "spotToSpotConsolidation": False,
        "nodeRepair": True,
        "reservedCapacity": True,
        "nodeOverlay": True,
        "staticCapacity": False,
    }


@pytest.mark.parametrize("wrong", [None, "true", 1])
def test_fails_a_gate_that_is_neither_on_nor_off(wrong):
    with pytest.raises(SettingsError) as raised:
        values("1.14.1", {"settings": {"featureGates": {"nodeRepair": wrong}}})
    assert str(raised.value) == (
        f"`helm_values.settings.featureGates.nodeRepair`: is neither on nor off, got {wrong!r}; write True "
        f"or False"
    )


def test_a_token_may_turn_a_gate_on():
    gates = values("1.14.1", {"settings": {"featureGates": {"nodeRepair": "${Token[Repair.3]}"}}})["settings"]
    assert gates["featureGates"]["nodeRepair"] == "${Token[Repair.3]}"


@pytest.mark.parametrize(
    ("version", "settings", "variables"),
    [
        ("0.31.5", {"aws": {"vmMemoryOverheadPercent": 0}}, []),
        (
            "0.32.0",
            {"vmMemoryOverheadPercent": 0},
            [{"name": "VM_MEMORY_OVERHEAD_PERCENT", "value": "0"}],
        ),
        (
            "0.32.0",
            {"aws": {"vmMemoryOverheadPercent": 0}},
            [{"name": "VM_MEMORY_OVERHEAD_PERCENT", "value": "0"}],
        ),
        ("1.8.1", {"ignoreDRARequests": False}, [{"name": "IGNORE_DRA_REQUESTS", "value": "false"}]),
        ("1.7.6", {"ignoreDRARequests": False}, []),
        ("1.8.1", {"ignoreDRARequests": True, "vmMemoryOverheadPercent": 0.1}, []),
    ],
)
def test_a_value_that_the_chart_drops_for_being_falsy_becomes_a_variable(version, settings, variables):
    assert values(version, {"settings": settings})["controller"]["env"] == [*variables, REGION]


def test_the_dropped_value_stays_beside_its_variable():
    assert (
        values("1.8.1", {"settings": {"ignoreDRARequests": False}})["settings"]["ignoreDRARequests"] is False
    )


def test_a_variable_of_the_user_beats_the_dropped_value():
    env = values(
        "1.8.1",
        {
            "settings": {"ignoreDRARequests": False},
            "controller": {"env": [{"name": "IGNORE_DRA_REQUESTS", "value": "true"}]},
        },
    )["controller"]["env"]
    assert env == [{"name": "IGNORE_DRA_REQUESTS", "value": "true"}, REGION]


@pytest.mark.parametrize(
    ("version", "user", "settings"),
    [
        ("0.32.0", {"aws": {"reservedENIs": "1"}}, {"reservedENIs": "1", "aws": {}}),
        ("0.32.0", {"aws": {"reservedENIs": "1"}, "reservedENIs": "2"}, {"reservedENIs": "1", "aws": {}}),
        ("0.32.0", {"aws": {"reservedENIs": ""}, "reservedENIs": "2"}, {"reservedENIs": "2", "aws": {}}),
        ("0.32.0", {"aws": {"tags": {"a": "b"}}}, {"aws": {"tags": {"a": "b"}}}),
        ("0.31.5", {"aws": {"reservedENIs": "1"}}, {"aws": {"reservedENIs": "1"}}),
    ],
)
def test_0_32_gets_one_spelling_where_its_chart_would_prefer_the_old(version, user, settings):
    written = values(version, {"settings": user})["settings"]
    ours = {"clusterName", "isolatedVPC", "featureGates"}
    if "aws" in written:
        written["aws"] = {key: value for key, value in written["aws"].items() if key not in ours}
    assert {key: value for key, value in written.items() if key not in ours} == settings


def test_the_old_spelling_of_drift_in_0_32_replaces_the_new():
    gates = values("0.32.10", {"settings": {"featureGates": {"driftEnabled": True}}})["settings"][
        "featureGates"
    ]
    assert gates == {"drift": True}


def test_fails_values_that_are_no_map():
    with pytest.raises(SettingsError) as raised:
        values("1.14.1", ["replicas"])
    assert str(raised.value) == "`helm_values`: is no map of chart values, got ['replicas']; write a dict"


def test_the_users_own_values_are_not_changed():
    user = {"settings": {"aws": {"reservedENIs": "1"}}, "controller": {"env": []}}
    values("0.32.0", user)
    assert user == {"settings": {"aws": {"reservedENIs": "1"}}, "controller": {"env": []}}
