"""Values that the release's chart does not read are pointed out."""

import pytest

from karpenter_construct._upstream.chart_keys import unknown_value_cautions
from karpenter_construct.releases import KarpenterVersion


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
