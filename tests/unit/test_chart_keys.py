"""Values that the release's chart does not read are pointed out."""

import pytest

from karpenter_construct._upstream.chart_keys import CHART_KEYS, unknown_value_cautions
from karpenter_construct.releases import ALWAYS, KarpenterVersion


def messages(version, user):
    cautions = unknown_value_cautions(KarpenterVersion.parse(version), user)
    assert {caution.id for caution in cautions} <= {"karpenter-construct:unknownHelmValue"}
    return [caution.message for caution in cautions]


@pytest.mark.parametrize(
    ("version", "user", "message"),
    [
        (
            "1.14.1",
            {"setings": {"clusterName": "x"}},
            "`helm_values.setings`: the chart of Karpenter 1.14.1 has no such value and ignores it; did you "
            "mean "
            "`settings`?",
        ),
        (
            "1.14.1",
            {"ingress": {"enabled": True}},
            "`helm_values.ingress`: the chart of Karpenter 1.14.1 has no such value and ignores it.",
        ),
        (
            "1.14.1",
            {"replica": 1},
            "`helm_values.replica`: the chart of Karpenter 1.14.1 has no such value and ignores it; did you "
            "mean "
            "`replicas`?",
        ),
        (
            "1.14.1",
            {"settings": {"preferencesPolicy": "Ignore"}},
            "`helm_values.settings.preferencesPolicy`: the chart of Karpenter 1.14.1 has no such value and "
            "ignores "
            "it; did you mean `settings.preferencePolicy`?",
        ),
        (
            "0.31.5",
            {"settings": {"clusterName": "x"}},
            "`helm_values.settings.clusterName`: needs Karpenter 0.32.0 or later, version is 0.31.5, whose "
            "chart "
            "ignores it; write `settings.aws.clusterName`.",
        ),
        (
            "0.33.0",
            {"settings": {"aws": {"interruptionQueueName": "x"}}},
            "`helm_values.settings.aws.interruptionQueueName`: was removed in Karpenter 0.33.0, version is "
            "0.33.0, "
            "whose chart ignores it; write `settings.interruptionQueue`.",
        ),
        (
            "0.33.0",
            {"settings": {"aws": {"tags": {"a": "b"}}}},
            "`helm_values.settings.aws.tags`: was removed in Karpenter 0.33.0, version is 0.33.0, whose "
            "chart "
            "ignores it.",
        ),
        (
            "1.14.1",
            {"settings": {"aws": {}}},
            "`helm_values.settings.aws`: was removed in Karpenter 0.33.0, version is 1.14.1, whose chart "
            "ignores it.",
        ),
        (
            "1.1.0",
            {"webhook": {"enabled": False}},
            "`helm_values.webhook.enabled`: was removed in Karpenter 1.1.0, version is 1.1.0, whose chart "
            "ignores it.",
        ),
        (
            "1.11.3",
            {"settings": {"enableZonalShift": True}},
            "`helm_values.settings.enableZonalShift`: needs Karpenter 1.12.0 or later, version is 1.11.3, "
            "whose "
            "chart ignores it.",
        ),
        (
            "1.6.1",
            {"settings": {"disableDryRun": True}},
            "`helm_values.settings.disableDryRun`: needs Karpenter 1.6.2 or later, version is 1.6.1, whose "
            "chart "
            "ignores it.",
        ),
        (
            "1.14.1",
            {"settings.clusterName": "x"},
            "`helm_values['settings.clusterName']`: Helm splits no keys at dots, and the chart ignores this one; write "
            "{'settings': {'clusterName': …}}.",
        ),
        (
            "1.14.1",
            {"settings": {"featureGates.nodeRepair": True}},
            "`helm_values.settings['featureGates.nodeRepair']`: Helm splits no keys at dots, and the chart ignores "
            "this one; write {'settings': {'featureGates': {'nodeRepair': …}}}.",
        ),
        (
            "0.31.5",
            {"settings": {"featureGates": {"drift": True}}},
            "`helm_values.settings.featureGates.drift`: needs Karpenter 0.32.0 or later, version is 0.31.5, "
            "whose "
            "chart ignores it; write `settings.featureGates.driftEnabled`.",
        ),
    ],
)
def test_a_value_that_the_chart_ignores(version, user, message):
    assert messages(version, user) == [message]


@pytest.mark.parametrize(
    ("version", "user"),
    [
        ("1.14.1", {"podAnnotations": {"any.example/thing": "x"}}),
        ("1.14.1", {"global": {"anything": 1}}),
        ("1.14.1", {"nodeSelector": {"kubernetes.io/arch": "arm64"}, "podLabels": {"a.b": "c"}}),
        ("1.14.1", {"settings": {}}),
        ("1.14.1", {"controller": {"resources": {"requests": {"cpu": 1}}}}),
        ("1.14.1", {"affinity": {"podAffinity": {}}}),
        ("0.31.5", {"settings": {"aws": {"tags": {"a": "b"}, "reservedENIs": "1"}}}),
        ("0.32.10", {"settings": {"aws": {"clusterName": "x"}, "clusterName": "x"}, "logEncoding": "json"}),
        ("0.32.10", {"settings": {"featureGates": {"driftEnabled": True}}}),
        ("1.0.14", {"webhook": {"enabled": False}}),
        ("1.12.0", {"settings": {"enableZonalShift": True}}),
        ("1.6.2", {"settings": {"disableDryRun": True}}),
    ],
)
def test_a_value_that_the_chart_reads(version, user):
    assert messages(version, user) == []


def test_every_ignored_value_is_pointed_out():
    assert (
        len(messages("1.14.1", {"webhook": {"port": 1, "enabled": True}, "logConfig": {"enabled": True}}))
        == 3
    )


BREAK_POINTS = (
    ("0.31.5", "0.32.0", "controller.logEncoding"),
    (
        "0.32.0",
        "0.31.5",
        "logConfig.enabled logConfig.errorOutputPaths logConfig.logEncoding logConfig.outputPaths",
    ),
    (
        "0.32.0",
        "0.31.5",
        "logConfig.logLevel.controller logConfig.logLevel.global logConfig.logLevel.webhook",
    ),
    ("0.32.0", "0.31.5", "settings.assumeRoleARN settings.assumeRoleDuration settings.clusterCABundle"),
    ("0.32.0", "0.31.5", "settings.clusterEndpoint settings.clusterName settings.interruptionQueue"),
    ("0.32.0", "0.31.5", "settings.isolatedVPC settings.reservedENIs settings.vmMemoryOverheadPercent"),
    ("0.32.0", "0.31.5", "webhook.enabled webhook.metrics.port"),
    (
        "0.32.10",
        "0.33.0",
        "controller.errorOutputPaths controller.logLevel controller.outputPaths logEncoding",
    ),
    (
        "0.32.10",
        "0.33.0",
        "settings.aws.assumeRoleARN settings.aws.assumeRoleDuration settings.aws.clusterCABundle",
    ),
    ("0.32.10", "0.33.0", "settings.aws.clusterEndpoint settings.aws.clusterName settings.aws.isolatedVPC"),
    ("0.32.10", "0.33.0", "settings.aws.defaultInstanceProfile settings.aws.enableENILimitedPodDensity"),
    ("0.32.10", "0.33.0", "settings.aws.enablePodENI settings.aws.interruptionQueueName settings.aws.tags"),
    ("0.32.10", "0.33.0", "settings.aws.reservedENIs settings.aws.vmMemoryOverheadPercent webhook.logLevel"),
    ("0.34.0", "0.33.12", "podSecurityContext"),
    (
        "0.37.8",
        "1.0.0",
        "logConfig.enabled logConfig.errorOutputPaths logConfig.logEncoding logConfig.outputPaths",
    ),
    ("0.37.8", "1.0.0", "logConfig.logLevel.controller logConfig.logLevel.global logConfig.logLevel.webhook"),
    ("0.37.8", "1.0.0", "settings.assumeRoleARN settings.assumeRoleDuration"),
    ("1.0.0", "0.37.8", "logErrorOutputPaths logOutputPaths"),
    ("1.0.14", "1.1.0", "webhook.enabled webhook.metrics.port webhook.port"),
    ("1.1.0", "1.0.14", "service.annotations settings.eksControlPlane"),
    ("1.1.1", "1.1.0", "controller.containerName schedulerName"),
    ("1.4.0", "1.3.8", "initContainers settings.preferencePolicy"),
    (
        "1.5.0",
        "1.4.4",
        "controller.securityContext serviceMonitor.metricRelabelings serviceMonitor.relabelings",
    ),
    ("1.6.0", "1.5.8", "settings.minValuesPolicy"),
    ("1.6.2", "1.6.1", "settings.disableDryRun"),
    ("1.8.1", "1.7.6", "settings.disableClusterStateObservability settings.ignoreDRARequests"),
    ("1.9.0", "1.8.8", "serviceMonitor.sampleLimit"),
    ("1.12.0", "1.11.3", "settings.enableZonalShift"),
    ("1.13.0", "1.12.2", "settings.amiRefreshInterval settings.subnetRefreshInterval"),
    *(
        (first, beside, "postInstallHook.image")
        for first, *others in (
            ("0.33.6", "0.33.5", "0.33.7"),
            ("0.34.7", "0.34.6", "0.34.8"),
            ("0.35.6", "0.35.5", "0.35.7"),
            ("0.36.3", "0.36.2", "0.36.4"),
            ("0.37.1", "0.37.0", "0.37.2"),
            ("1.0.0", "0.37.8", "1.0.1"),
        )
        for beside in others
    ),
)
"""A release that reads the values, the one beside it that does not, and the values."""


@pytest.mark.parametrize(
    ("reads", "ignores", "key"),
    [(reads, ignores, key) for reads, ignores, keys in BREAK_POINTS for key in keys.split()],
)
def test_a_value_is_read_up_to_the_break_point_and_not_beyond(reads, ignores, key):
    user: object = "x"
    for name in reversed(key.split(".")):
        user = {name: user}
    assert messages(reads, user) == []
    assert len(messages(ignores, user)) == 1


def test_every_break_point_is_tried():
    tried = {key for _, _, keys in BREAK_POINTS for key in keys.split()}
    gates = "settings.featureGates."
    assert {key for key, window in CHART_KEYS if window != ALWAYS and not key.startswith(gates)} == tried
