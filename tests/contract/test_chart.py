"""The values we write are values that the release's chart reads, and its defaults are as we take them."""

import pytest

from karpenter_construct._upstream.chart import ChartInputs, chart_values, metrics_port
from karpenter_construct._upstream.chart_keys import CHART_KEYS, unknown_value_cautions
from karpenter_construct._upstream.chart_variables import CHART_VARIABLES
from karpenter_construct._upstream.controller_placement import (
    default_topology_spread,
    node_affinity,
    tolerations,
    topology_spread,
)
from karpenter_construct._upstream.feature_gates import feature_gates
from karpenter_construct._upstream.vocabulary import written_kinds
from karpenter_construct._upstream.webhooks import (
    CONVERSION_WEBHOOK,
    crd_chart_values,
    webhook_default_values,
    webhook_port,
)
from karpenter_construct.releases import KarpenterVersion, between
from tests.contract import upstream
from tests.contract.values_history import RELEASES, history, variables

NODE_SELECTOR_TERMS = "requiredDuringSchedulingIgnoredDuringExecution"

MINIMAL = ChartInputs(cluster_name="demo", region="eu-west-1", service_account_name="karpenter")
EVERYTHING = ChartInputs(
    cluster_name="demo",
    region="eu-west-1",
    service_account_name="karpenter",
    service_account_annotations={"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/controller"},
    cluster_endpoint="https://api.example",
    interruption_queue="queue",
    default_instance_profile="profile",
    isolated_vpc=True,
    replicas=1,
    node_affinity_expressions=(
        {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["critical"]},
    ),
    tolerations=({"key": "critical-addons", "operator": "Exists"},),
    topology_spread="ScheduleAnyway",
    share_hosts=True,
    image_repository="registry.example/controller",
    dns_policy="Default",
    log_level="error",
)

FREE_FORM = ("serviceAccount.annotations", "affinity.podAntiAffinity")
"""Maps of the chart whose keys are the user's, or Kubernetes'."""

UNLISTED = {("settings.aws.defaultInstanceProfile", between("0.32", "0.33"))}
"""Keys that templates read though the values do not list them (0.32, templates/configmap.yaml)."""

DROPPED_AFTER_THE_CANDIDATE = {"podSecurityContext.fsGroup", "controller.securityContext"}
"""Keys that 0.30.0-rc.0 has and 0.30.0 has not: a candidate counts as its release here."""


def leaves(values, above=""):
    for key, value in values.items():
        path = f"{above}{key}"
        if isinstance(value, dict) and value and path not in FREE_FORM:
            yield from leaves(value, f"{path}.")
        else:
            yield path, value


def at(values, path):
    for key in path.split("."):
        values = values[key]
    return values


def fits(ours, theirs):
    return theirs is None or isinstance(theirs, type(ours)) or {type(ours), type(theirs)} == {int, float}


@pytest.mark.parametrize("inputs", [MINIMAL, EVERYTHING], ids=["minimal", "everything"])
@pytest.mark.parametrize("tag", upstream.TAGS)
def test_every_value_we_write_is_one_of_the_chart_with_its_type(tag, inputs):
    version = upstream.version(tag)
    unlisted = {key for key, window in UNLISTED if version in window}
    written = dict(leaves(chart_values(version, inputs)))
    theirs = upstream.values(tag)
    wrong = {
        key: (value, at(theirs, key))
        for key, value in written.items()
        if key not in unlisted and not fits(value, at(theirs, key))
    }
    assert wrong == {}


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_nothing_we_write_is_unknown(tag):
    version = upstream.version(tag)
    assert unknown_value_cautions(version, chart_values(version, EVERYTHING)) == ()


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_all_gates_of_the_chart_and_no_other_with_its_defaults(tag):
    version = upstream.version(tag)
    theirs = upstream.values(tag)["settings"]["featureGates"]
    assert feature_gates(version) == theirs
    assert chart_values(version, MINIMAL)["settings"]["featureGates"] == theirs


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_the_charts_own_placement_is_what_we_extend(tag):
    version, theirs = upstream.version(tag), upstream.values(tag)
    assert node_affinity(version, ()) == theirs["affinity"]["nodeAffinity"]
    assert tolerations(()) == theirs["tolerations"]
    assert topology_spread(default_topology_spread(version)) == theirs["topologySpreadConstraints"]
    assert theirs["affinity"]["podAntiAffinity"][NODE_SELECTOR_TERMS] == [
        {"topologyKey": "kubernetes.io/hostname"}
    ]
    assert theirs["replicas"] == MINIMAL.replicas


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_ports(tag):
    version, theirs = upstream.version(tag), upstream.values(tag)
    assert metrics_port(version) == theirs["controller"]["metrics"]["port"]
    webhook = theirs.get("webhook")
    served = webhook is not None and webhook.get("enabled", True)
    assert webhook_port(version, {}) == (webhook["port"] if served else None)


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_the_table_of_keys_has_every_key_of_the_chart(tag):
    version = upstream.version(tag)
    known = [key for key, window in CHART_KEYS if version in window]
    theirs = {key for key, _ in leaves(upstream.values(tag))}
    candidate = tag == "v0.30.0-rc.0"
    uncovered = {key for key in theirs if not any(key == own or key.startswith(f"{own}.") for own in known)}
    assert uncovered == (DROPPED_AFTER_THE_CANDIDATE if candidate else set()) | (
        {"settings.aws"} if version in between("0.32", "0.33") else set()
    )


def has(theirs, key):
    return any(other == key or other.startswith(f"{key}.") for other in theirs)


READ_BY_0_32 = {
    *("controller.errorOutputPaths", "controller.logLevel", "controller.outputPaths", "logEncoding"),
    "webhook.logLevel",
}
"""Keys of 0.31 that templates of 0.32 still read, beside settings.aws."""

ALWAYS_READ = {"settings.aws.reservedENIs"}
"""Keys that no values list but the controller reads (0.30 and 0.31, pkg/apis/settings/settings.go)."""


def keys_that_no_chart_has(release):
    version = KarpenterVersion.parse(release)
    theirs = history("karpenter")[release]
    ours = {key for key, window in CHART_KEYS if version in window}
    missing = {key for key in ours if not has(theirs, key)}
    # The history leaves out what it cannot compare: the image, and the hook's.
    missing -= {key for key in missing if ".image" in key}
    allowed = set(ALWAYS_READ)
    if version in between("0.32", "0.33"):
        allowed |= READ_BY_0_32 | {key for key in ours if key.startswith("settings.aws.")}
    if release == "1.8.0":
        allowed.add("settings.featureGates.staticCapacity")
    return missing - allowed


def test_the_table_of_keys_has_no_key_that_a_release_lacks():
    assert {release: keys for release in RELEASES if (keys := keys_that_no_chart_has(release))} == {}


def test_the_table_of_variables_has_what_the_chart_of_each_release_sets():
    ours = {
        row.name: {text for text in RELEASES if KarpenterVersion.parse(text) in row.window}
        for row in CHART_VARIABLES
    }
    assert ours == variables()


def test_a_webhook_that_converts_is_on_in_every_release():
    for release in RELEASES:
        version = KarpenterVersion.parse(release)
        default = history("karpenter")[release].get("webhook.enabled")
        ours = webhook_default_values(version)
        if version in CONVERSION_WEBHOOK:
            assert ours == ({} if default is True else {"webhook": {"enabled": True}}), release
        else:
            assert ours == {}, release
            always = "webhook.logLevel" in history("karpenter")[release]
            assert webhook_port(version, {}) == (8443 if default is True or always else None), release


def test_the_crd_chart_gets_exactly_the_webhook_values_that_it_has():
    theirs = {
        release: {key for key in history("karpenter-crd").get(release, {}) if key.startswith("webhook.")}
        for release in RELEASES
    }
    written = {
        release: crd_chart_values(KarpenterVersion.parse(release), namespace="elsewhere")
        for release in RELEASES
    }
    assert {release: {key for key, _ in leaves(values)} for release, values in written.items()} == theirs


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_crds_convert_exactly_where_we_say_so(tag):
    crds = upstream.crds(tag).values()
    converting = {crd["metadata"]["name"] for crd in crds if crd["spec"].get("conversion")}
    expected = {"nodepools.karpenter.sh", "nodeclaims.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"}
    assert converting == (expected if upstream.version(tag) in CONVERSION_WEBHOOK else set())


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_kinds_that_are_written_are_served_and_stored(tag):
    crds = upstream.crds(tag)
    for written in written_kinds(upstream.version(tag)):
        crd = crds[written.kind]["spec"]
        group, _, name = written.api_version.partition("/")
        assert (crd["group"], written.kind) == (group, crd["names"]["kind"])
        assert name in [version["name"] for version in crd["versions"] if version["served"]]
