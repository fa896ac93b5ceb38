"""Chart values of the user's beside what the construct sets, seen before anything is built."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.chart import ChartReferences, chart_inputs, user_values
from karpenter_construct._decisions.given_facts import GivenFacts, QueueFacts
from karpenter_construct._decisions.resolve import resolve
from karpenter_construct._decisions.settings import KarpenterSettings
from karpenter_construct._upstream.chart import chart_values
from karpenter_construct.controller_capacity import ControllerCapacity
from karpenter_construct.errors import SettingsError

from .facts import ACCOUNT, NUMBER_TOKEN, TOKEN, imported, owned, role

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


def test_a_value_of_which_only_the_deployment_knows_what_it_must_be():
    given = GivenFacts(interruption_queue=QueueFacts(arn=TOKEN, name=TOKEN))
    values = {"settings": {"interruptionQueue": "mine", "clusterName": "prod"}, **region("eu-west-1")}
    facts = imported(region=TOKEN, literal_name=None, name=TOKEN)
    settings = resolve(facts, given, version="1.14.1", pod_identity_agent_installed=True, helm_values=values)
    assert settings.helm_values == values


def test_fails_on_variables_that_are_no_list_once():
    for facts in (owned(), owned(region=TOKEN)):
        assert message({"controller": {"env": "x"}}, facts=facts) == (
            "`helm_values.controller.env`: is no list, got 'x'; write [{'name': …}, …]"
        )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "is set"), (GIVEN, "is set to 'mine'")], ids=["made", "given"]
)
def test_fails_on_another_queue(given, needed):
    assert message({"settings": {"interruptionQueue": "other"}}, given) == (
        f"`helm_values.settings.interruptionQueue`: {needed} by the construct, got 'other'; leave it out, or use the "
        "argument `interruption_queue`"
    )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "is set"), (GIVEN, f"is set to {ROLE_ARN!r}")], ids=["made", "given"]
)
def test_fails_on_another_role(given, needed):
    assert message(annotation("arn:aws:iam::111122223333:role/other"), given) == (
        f"`helm_values.serviceAccount.annotations['{ANNOTATION}']`: {needed} by the construct, got "
        "'arn:aws:iam::111122223333:role/other'; leave it out, or use the argument `controller_role`"
    )


@pytest.mark.parametrize(
    ("given", "needed"), [(NOTHING, "is set"), (GIVEN, "is set to 'nodes'")], ids=["made", "given"]
)
def test_fails_on_another_profile(given, needed):
    values = {"settings": {"aws": {"defaultInstanceProfile": "other"}}}
    assert message(values, given, version="0.31.5") == (
        f"`helm_values.settings.aws.defaultInstanceProfile`: {needed} by the construct, got 'other'; leave it out, or "
        "use the argument `node_instance_profile`"
    )


def test_fails_on_the_name_of_a_cluster_whose_name_is_made_up():
    assert message({"settings": {"clusterName": "prod"}}, facts=owned(literal_name=None)) == (
        "`helm_values.settings.clusterName`: is set by the construct, got 'prod'; leave it out, or use the argument "
        "`cluster`"
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


# Where the controller runs

EXISTING = ControllerCapacity.existing("critical", taints=["dedicated=infra:NoSchedule"])
MADE = ControllerCapacity.nodegroup()
TERMS = "helm_values.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
OFF = {"key": "karpenter.sh/nodepool", "operator": "DoesNotExist"}
NAMED = {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["critical"]}
LABELLED = {"key": "karpenter.sh/controller", "operator": "In", "values": ["true"]}
ZONED = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-west-1a"]}


def affinity(*terms: Any) -> dict[str, Any]:
    required = {"nodeSelectorTerms": list(terms)}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


def term(*expressions: Any) -> dict[str, Any]:
    return {"matchExpressions": list(expressions)}


def settled(values: dict[str, Any], capacity: ControllerCapacity | None = None, **arguments: Any):
    arguments = {"version": "1.14.1", "controller_capacity": capacity, **arguments}
    return resolve(owned(), helm_values=values, **arguments)


@pytest.mark.parametrize(
    ("key", "given", "word"),
    [
        ("affinity", "zone a", "map"),
        ("affinity", [], "map"),
        ("nodeSelector", ["a"], "map"),
        ("tolerations", {"key": "a"}, "list"),
        ("tolerations", "a", "list"),
    ],
)
def test_fails_on_a_placement_of_another_shape(key, given, word):
    assert message({key: given}) == (
        f"`helm_values.{key}`: is no {word}, got {given!r}; write it as in a pod's spec"
    )


@pytest.mark.parametrize(
    "values",
    [
        {"affinity": {}},
        {"nodeSelector": {}},
        {"tolerations": []},
        {"affinity": TOKEN},
        {"nodeSelector": None},
    ],
)
def test_placements_of_the_right_shape(values):
    assert settled(values).helm_values == values


CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
DEDICATED = {"key": "dedicated", "operator": "Equal", "value": "infra", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("tolerations", "capacity"),
    [
        ([DEDICATED], EXISTING),
        ([{"key": "dedicated", "operator": "Exists"}], EXISTING),
        ([{"key": "dedicated", "value": "infra"}], EXISTING),
        ([{"operator": "Exists"}], EXISTING),
        ([TOKEN], EXISTING),
        ([{"key": TOKEN, "operator": "Exists"}], EXISTING),
        (None, MADE),
        ([CRITICAL], MADE),
        ([], None),
        ([], ControllerCapacity.fargate()),
        ([], ControllerCapacity.existing("critical", taints=["a=b:PreferNoSchedule"])),
    ],
)
def test_tolerations_that_suffice(tolerations, capacity):
    assert settled({"tolerations": tolerations}, capacity).helm_values == {"tolerations": tolerations}


@pytest.mark.parametrize(
    "tolerations",
    [
        [],
        None,
        [CRITICAL],
        [{"key": "dedicated", "value": "other"}],
        [{"key": "dedicated", "operator": "Exists", "effect": "NoExecute"}],
        [{"operator": "Equal", "value": "infra"}],
    ],
)
def test_fails_on_tolerations_that_do_not_suffice(tolerations):
    assert message({"tolerations": tolerations}, controller_capacity=EXISTING) == (
        "`helm_values.tolerations`: do not tolerate the taint dedicated=infra:NoSchedule of the controller's nodes, "
        f"got {tolerations!r}; add {DEDICATED!r}"
    )


def test_fails_on_no_tolerations_with_the_taint_of_the_node_group_made_here():
    assert message({"tolerations": []}, controller_capacity=MADE) == (
        "`helm_values.tolerations`: do not tolerate the taint CriticalAddonsOnly=true:NoSchedule of the controller's "
        "nodes, got []; add {'key': 'CriticalAddonsOnly', 'operator': 'Equal', 'value': 'true', 'effect': 'NoSchedule'}"
    )


@pytest.mark.parametrize(
    ("values", "capacity"),
    [
        (affinity(term(OFF, NAMED)), EXISTING),
        (affinity(term(NAMED)), EXISTING),
        (affinity(term(OFF, NAMED, ZONED), term(NAMED, OFF)), EXISTING),
        (affinity(term(OFF, {**NAMED, "values": [TOKEN]})), EXISTING),
        (affinity(term(OFF, LABELLED, ZONED)), MADE),
        (affinity(term(OFF)), None),
        (affinity(term(NAMED)), None),
        (affinity(TOKEN), EXISTING),
        ({"affinity": {}}, EXISTING),
        ({"affinity": {"podAntiAffinity": None}}, EXISTING),
        (
            {"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}}},
            EXISTING,
        ),
        ({"affinity": None}, None),
        ({"affinity": None}, ControllerCapacity.fargate()),
    ],
)
def test_affinities_that_add_to_what_must_be(values, capacity):
    assert settled(values, capacity).helm_values == values


def warned(index: int = 0, label: str = "karpenter.sh/nodepool") -> tuple[str, str]:
    return (
        "karpenter-construct:controllerOnOwnNodes",
        f"`{TERMS}[{index}]`: lets the controller run on nodes that it manages, and it may take its own node away; add "
        f"{{'key': '{label}', 'operator': 'DoesNotExist'}} to its matchExpressions.",
    )


def told(*args: Any, **arguments: Any) -> list[tuple[str, str]]:
    return [
        (caution.id, caution.message)
        for caution in settled(*args, **arguments).cautions
        if caution.id.endswith(":controllerOnOwnNodes")
    ]


def exists(key: str) -> dict[str, str]:
    return {"key": key, "operator": "Exists"}


def absent(key: str) -> dict[str, str]:
    return {"key": key, "operator": "DoesNotExist"}


LABELS = ControllerCapacity.existing(labels={"team": "platform"})


@pytest.mark.parametrize(
    ("expression", "capacity"),
    [
        (LABELLED, None),
        (exists("karpenter.sh/controller"), None),
        (exists("karpenter.sh/controller"), MADE),
        (exists("eks.amazonaws.com/nodegroup-image"), None),
        ({"key": "eks.amazonaws.com/capacityType", "operator": "In", "values": ["ON_DEMAND"]}, None),
        (exists("eks.amazonaws.com/compute-type"), None),
        (exists("alpha.eksctl.io/nodegroup-name"), None),
        (absent("karpenter.sh/nodepool"), None),
        (absent("karpenter.sh/registered"), None),
        (absent("karpenter.sh/capacity-type"), None),
        (absent("karpenter.sh/initialized"), None),
        ({"key": TOKEN, "operator": "Exists"}, None),
        ({"key": "team", "operator": "In", "values": ["platform"]}, LABELS),
    ],
)
def test_a_term_that_no_node_of_karpenters_meets(expression, capacity):
    values = affinity(term(expression), term(ZONED, expression))
    assert settled(values, capacity).helm_values == values
    assert told(values, capacity) == []


def test_a_node_selector_adds_to_each_term():
    values = {**affinity(term(ZONED)), "nodeSelector": {"eks.amazonaws.com/nodegroup": "critical"}}
    assert told(values) == told(values, EXISTING) == []
    assert told({**values, "nodeSelector": {"kubernetes.io/os": "linux"}}) == [warned()]


@pytest.mark.parametrize(
    "expression",
    [
        ZONED,
        absent("eks.amazonaws.com/nodegroup"),
        exists("team"),
        exists("karpenter.sh/nodepool"),
        {**LABELLED, "operator": "NotIn"},
    ],
)
def test_a_term_that_nodes_of_karpenters_may_meet_is_a_warning(expression):
    values = affinity(term(OFF), term(expression))
    assert settled(values).helm_values == values
    assert told(values) == [warned(1)]


def drops_group(got: object, instead: str = "add it to its matchExpressions") -> str:
    return (
        "drops eks.amazonaws.com/nodegroup In ['critical'], which keeps the controller on its capacity, got "
        f"{got!r}; {instead}, or change `controller_capacity`"
    )


def test_fails_on_an_affinity_that_drops_what_must_be():
    both = term(ZONED)
    assert message(affinity(term(OFF, NAMED), both), controller_capacity=EXISTING) == (
        f"`{TERMS}[1]`: {drops_group(both)}"
    )
    group = term(OFF, {**NAMED, "values": ["critical", "other"]})
    assert message(affinity(group), controller_capacity=EXISTING) == f"`{TERMS}[0]`: {drops_group(group)}"


def test_fails_on_an_affinity_that_drops_the_labels_of_the_node_group_made_here():
    bare = term(OFF)
    assert message(affinity(bare), controller_capacity=MADE) == (
        f"`{TERMS}[0]`: drops karpenter.sh/controller In ['true'], which keeps the controller on its capacity, got "
        f"{bare!r}; add it to its matchExpressions, or change `controller_capacity`"
    )


def test_fails_on_an_affinity_that_cannot_name_the_node_group_made_here():
    bare = term(OFF)
    capacity = ControllerCapacity.nodegroup(labels={})
    assert message(affinity(bare), controller_capacity=capacity) == (
        f"`{TERMS}[0]`: drops eks.amazonaws.com/nodegroup In the name of the node group made here, which keeps the "
        f"controller on its capacity, got {bare!r}; give the group labels, and name them in its matchExpressions"
    )


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"affinity": None}, "helm_values.affinity"),
        ({"affinity": {"nodeAffinity": None}}, "helm_values.affinity.nodeAffinity"),
    ],
)
def test_fails_where_no_affinity_is_left_for_the_capacity(values, path):
    assert message(values, controller_capacity=EXISTING) == f"`{path}`: {drops_group(None, 'leave it out')}"


def test_the_release_says_which_nodes_are_karpenters():
    new, old = affinity(term(OFF)), affinity(term(absent("karpenter.sh/provisioner-name")))
    assert told(old, version="0.31.5") == []
    assert told(new, version="0.31.5") == [warned(label="karpenter.sh/provisioner-name")]
    assert told(new, version="0.32.10") == told(old, version="0.32.10") == []
    assert told(old) == [warned()]


@pytest.mark.parametrize(
    ("selector", "capacity"),
    [
        ({"eks.amazonaws.com/nodegroup": "critical"}, EXISTING),
        ({"kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64"}, MADE),
        ({"karpenter.sh/controller": "true"}, MADE),
        ({"eks.amazonaws.com/nodegroup": TOKEN, "karpenter.sh/nodepool": None}, MADE),
        ({"eks.amazonaws.com/nodegroup": "mine"}, None),
    ],
)
def test_selectors_of_nodes_that_there_are(selector, capacity):
    assert settled({"nodeSelector": selector}, capacity).helm_values == {"nodeSelector": selector}


@pytest.mark.parametrize(
    ("key", "value", "capacity", "said"),
    [
        (
            "karpenter.sh/nodepool",
            "default",
            None,
            "selects nodes that the controller manages, and it stays off them",
        ),
        (
            "karpenter.sh/provisioner-name",
            "default",
            MADE,
            "selects nodes that the controller manages, and it stays off them",
        ),
        (
            "kubernetes.io/os",
            "windows",
            None,
            "selects nodes of another system, and the image of the controller is for Linux",
        ),
        (
            "eks.amazonaws.com/nodegroup",
            "other",
            EXISTING,
            "selects other nodes than `controller_capacity`, which have 'critical'",
        ),
        (
            "eks.amazonaws.com/nodegroup",
            "other",
            MADE,
            "selects other nodes than `controller_capacity`",
        ),
    ],
)
def test_fails_on_selectors_of_other_nodes(key, value, capacity, said):
    assert message({"nodeSelector": {key: value}}, controller_capacity=capacity) == (
        f"`helm_values.nodeSelector['{key}']`: {said}, got {value!r}; leave it out"
    )


@pytest.mark.parametrize(
    ("values", "arguments"),
    [
        ({"nameOverride": "scaler"}, {}),
        ({"fullnameOverride": "scaler"}, {"controller_capacity": ControllerCapacity.fargate()}),
        ({"nameOverride": "karpenter"}, {"controller_capacity": ControllerCapacity.fargate()}),
    ],
)
def test_names_that_no_fargate_profile_looks_for(values, arguments):
    assert settled(values, **arguments).helm_values == values


def test_fails_on_a_name_that_the_fargate_profile_does_not_know():
    assert message({"nameOverride": "scaler"}, controller_capacity=ControllerCapacity.fargate()) == (
        "`helm_values.nameOverride`: renames the label by which the Fargate profile takes the controller's pods, got "
        "'scaler'; leave it out, or use fullnameOverride"
    )


# Variables


def variable(name: str, value: str = "x") -> dict[str, Any]:
    return {"controller": {"env": [{"name": name, "value": value}]}}


@pytest.mark.parametrize(
    ("name", "version", "instead"),
    [
        ("CLUSTER_NAME", "1.14.1", "leave it out, or use the argument `cluster`"),
        ("INTERRUPTION_QUEUE", "0.32.0", "leave it out, or use the argument `interruption_queue`"),
        ("FEATURE_GATES", "1.14.1", "leave it out, or use the argument `feature_gates`"),
        ("CLUSTER_ENDPOINT", "1.14.1", "write the value `settings.clusterEndpoint`"),
        ("LOG_LEVEL", "1.14.1", "write the value `logLevel`"),
        ("VM_MEMORY_OVERHEAD_PERCENT", "1.14.1", "write the value `settings.vmMemoryOverheadPercent`"),
        ("METRICS_PORT", "0.30.0", "write the value `controller.metrics.port`"),
        ("KARPENTER_SERVICE", "1.14.1", "leave it out"),
    ],
)
def test_fails_on_a_variable_that_the_chart_sets(name, version, instead):
    assert message(variable(name), version=version, identity_type=None) == (
        f"`helm_values.controller.env['{name}']`: is set by the chart itself, got {{'name': '{name}', 'value': 'x'}}; "
        f"{instead}"
    )


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("CLUSTER_NAME", "0.31.5"),
        ("DISABLE_WEBHOOK", "0.31.5"),
        ("DISABLE_WEBHOOK", "1.1.0"),
        ("CPU_REQUESTS", "1.6.8"),
        ("GOMEMLIMIT", "1.14.1"),
    ],
)
def test_a_variable_that_the_chart_of_the_release_does_not_set(name, version):
    assert settled(variable(name), version=version).helm_values == variable(name)


OPTIONAL = {
    "ASSUME_ROLE_ARN": ("assumeRoleARN", "arn:aws:iam::111122223333:role/x", "0.37.8"),
    "CLUSTER_CA_BUNDLE": ("clusterCABundle", "Zm9v", "1.14.1"),
    "CLUSTER_ENDPOINT": ("clusterEndpoint", "https://x", "1.14.1"),
    "DISABLE_CLUSTER_STATE_OBSERVABILITY": ("disableClusterStateObservability", True, "1.14.1"),
    "DISABLE_DRY_RUN": ("disableDryRun", True, "1.14.1"),
    "EKS_CONTROL_PLANE": ("eksControlPlane", True, "1.14.1"),
    "ENABLE_ZONAL_SHIFT": ("enableZonalShift", True, "1.14.1"),
}


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_variable_that_the_chart_sets_only_with_its_value(name):
    key, value, version = OPTIONAL[name]
    facts = owned(has_endpoint=False)
    assert resolve(facts, version=version, helm_values=variable(name)).helm_values == variable(name)
    both = {**variable(name), "settings": {key: value}}
    assert message(both, facts=facts, version=version, identity_type=None) == (
        f"`helm_values.controller.env['{name}']`: is set by the chart itself, got {{'name': '{name}', 'value': 'x'}}; "
        f"write the value `settings.{key}`"
    )


def test_a_variable_that_the_chart_sets_only_with_an_argument():
    queue, isolated = variable("INTERRUPTION_QUEUE"), variable("ISOLATED_VPC")
    assert settled(queue, interruption_handling=False).helm_values == queue
    assert settled(isolated).helm_values == isolated
    assert message(isolated, isolated_vpc=True) == (
        "`helm_values.controller.env['ISOLATED_VPC']`: is set by the chart itself, got {'name': 'ISOLATED_VPC', "
        "'value': 'x'}; leave it out, or use the argument `isolated_vpc`"
    )


def test_a_variable_in_place_of_a_value_that_the_chart_drops():
    values = {**variable("VM_MEMORY_OVERHEAD_PERCENT", "0"), "settings": {"vmMemoryOverheadPercent": 0}}
    assert settled(values).helm_values == values


# What an argument decides too


@pytest.mark.parametrize(
    ("values", "arguments", "told"),
    [
        ({"replicas": 3}, {}, {"replicas": 3}),
        ({"replicas": 3}, {"replicas": 3}, {"replicas": 3}),
        ({"replicas": 0}, {}, {"replicas": 0, "topology_spread": "ScheduleAnyway"}),
        ({"replicas": 1}, {}, {"replicas": 1, "topology_spread": "ScheduleAnyway"}),
        ({"replicas": None}, {"replicas": 3}, {"replicas": 3}),
        ({"replicas": NUMBER_TOKEN}, {"replicas": 3}, {"replicas": NUMBER_TOKEN}),
        ({"controller": {"image": {"repository": "mine/c"}}}, {}, {"image_repository": "mine/c"}),
        (
            {"controller": {"image": {"repository": "mine/c"}}},
            {"image_repository": "mine/c"},
            {"image_repository": "mine/c"},
        ),
        ({"topologySpreadConstraints": []}, {}, {"topology_spread": "ScheduleAnyway"}),
        (
            {"topologySpreadConstraints": [{"topologyKey": "topology.kubernetes.io/zone"}]},
            {},
            {"topology_spread": "DoNotSchedule"},
        ),
        ({"topologySpreadConstraints": None}, {}, {"topology_spread": "DoNotSchedule"}),
    ],
)
def test_the_settings_tell_what_the_values_decide(values, arguments, told):
    settings = settled(values, **arguments)
    assert {name: getattr(settings, name) for name in told} == told


def test_the_settings_tell_the_gates_of_the_values():
    gates = {"nodeRepair": True, "spotToSpotConsolidation": TOKEN}
    settings = settled({"settings": {"featureGates": gates}}, feature_gate_overrides={"nodeRepair": True})
    assert (settings.feature_gates["nodeRepair"], settings.feature_gates["spotToSpotConsolidation"]) == (
        True,
        False,
    )
    old = settled({"settings": {"featureGates": {"driftEnabled": True}}}, version="0.32.10")
    assert old.feature_gates == {"drift": True}


@pytest.mark.parametrize(
    ("values", "arguments", "problem"),
    [
        (
            {"replicas": 2},
            {"replicas": 3},
            "`helm_values.replicas`: contradicts the argument `replicas`, which is 3, got 2; leave one out",
        ),
        (
            {"replicas": "2"},
            {},
            "`helm_values.replicas`: must be a whole number of at least 0, got '2'; use 2",
        ),
        (
            {"controller": {"image": {"repository": "mine/c"}}},
            {"image_repository": "yours/c"},
            "`helm_values.controller.image.repository`: contradicts the argument `image_repository`, which is "
            "'yours/c', got 'mine/c'; leave one out",
        ),
        (
            {"controller": {"image": {"repository": "https://mine/c"}}},
            {},
            "`helm_values.controller.image.repository`: is no repository of an image, got 'https://mine/c'; write "
            "'<registry>/…/controller', without scheme and tag",
        ),
        (
            {"settings": {"featureGates": {"nodeRepair": False}}},
            {"feature_gate_overrides": {"nodeRepair": True}},
            "`helm_values.settings.featureGates.nodeRepair`: contradicts the argument `feature_gates['nodeRepair']`, "
            "which is True, got False; leave one out",
        ),
    ],
)
def test_fails_where_values_and_arguments_contradict_each_other(values, arguments, problem):
    assert message(values, **arguments) == problem


def rendered(settings: KarpenterSettings) -> dict[str, Any]:
    references = ChartReferences("prod", None, "eu-west-1", ROLE_ARN, None, None)
    inputs = chart_inputs(settings, references)
    return chart_values(settings.version, inputs, user_values(settings), approved=True)


def test_what_is_warned_of_is_what_is_rendered():
    one = ControllerCapacity.nodegroup(desired_size=1)
    settings = settled({"replicas": 2}, one)
    assert (settings.replicas, rendered(settings)["replicas"]) == (1, 1)
    assert [(caution.id, caution.message) for caution in settings.cautions] == [
        (
            "karpenter-construct:oneNode",
            "2 replicas of the controller need 2 nodes, its capacity has 1: 1 will run. Give the node group "
            "desired_size=2, so that Karpenter survives the loss of a node.",
        )
    ]
    assert rendered(settled({"replicas": None}, one))["replicas"] == 1
    assert rendered(settled({"replicas": 3}))["replicas"] == 3


def test_an_image_of_the_values_keeps_the_digest_of_the_chart():
    image = {"repository": "mine/c"}
    assert rendered(settled({"controller": {"image": image}}))["controller"]["image"] == image
