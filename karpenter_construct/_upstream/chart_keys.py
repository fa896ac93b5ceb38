"""The values that the chart of each release reads, and what to say about those that it does not.

Helm takes any value and drops those that no template reads, in silence: no release of the chart has a schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..errors import Caution
from ..releases import ALWAYS, KarpenterVersion, Window, between, since, until
from .feature_gates import FEATURE_GATES

_LOG_KEYS_OF_0_31 = until("0.33")
_ZAP = between("0.32", "1.0")
_OLD_SETTINGS = until("0.33")
_NEW_SETTINGS = since("0.32")

# charts/karpenter/values.yaml of every tag; what lies below a path is free-form, or Kubernetes checks it.
# 0.32 reads the keys of 0.31 besides, though its values do not list them (`or .aws.X .X` in its templates).
CHART_KEYS: tuple[tuple[str, Window], ...] = (
    ("additionalAnnotations", ALWAYS),
    ("additionalClusterRoleRules", ALWAYS),
    ("additionalLabels", ALWAYS),
    ("affinity", ALWAYS),
    ("controller.containerName", since("1.1.1")),
    ("controller.env", ALWAYS),
    ("controller.envFrom", ALWAYS),
    ("controller.errorOutputPaths", _LOG_KEYS_OF_0_31),
    ("controller.extraVolumeMounts", ALWAYS),
    ("controller.healthProbe.port", ALWAYS),
    ("controller.image.digest", ALWAYS),
    ("controller.image.repository", ALWAYS),
    ("controller.image.tag", ALWAYS),
    ("controller.logEncoding", until("0.32")),
    ("controller.logLevel", _LOG_KEYS_OF_0_31),
    ("controller.metrics.port", ALWAYS),
    ("controller.outputPaths", _LOG_KEYS_OF_0_31),
    ("controller.resources", ALWAYS),
    ("controller.securityContext", since("1.5")),
    ("controller.sidecarContainer", ALWAYS),
    ("controller.sidecarVolumeMounts", ALWAYS),
    ("dnsConfig", ALWAYS),
    ("dnsPolicy", ALWAYS),
    ("extraVolumes", ALWAYS),
    ("fullnameOverride", ALWAYS),
    ("hostNetwork", ALWAYS),
    ("imagePullPolicy", ALWAYS),
    ("imagePullSecrets", ALWAYS),
    ("initContainers", since("1.4")),
    ("logConfig.enabled", _ZAP),
    ("logConfig.errorOutputPaths", _ZAP),
    ("logConfig.logEncoding", _ZAP),
    ("logConfig.logLevel.controller", _ZAP),
    ("logConfig.logLevel.global", _ZAP),
    ("logConfig.logLevel.webhook", _ZAP),
    ("logConfig.outputPaths", _ZAP),
    ("logEncoding", _LOG_KEYS_OF_0_31),
    ("logErrorOutputPaths", since("1.0")),
    ("logLevel", ALWAYS),
    ("logOutputPaths", since("1.0")),
    ("nameOverride", ALWAYS),
    ("nodeSelector", ALWAYS),
    ("podAnnotations", ALWAYS),
    ("podDisruptionBudget.maxUnavailable", ALWAYS),
    ("podDisruptionBudget.name", ALWAYS),
    ("podLabels", ALWAYS),
    ("podSecurityContext", since("0.34")),
    (
        "postInstallHook.image",
        between("0.33.6", "0.33.7")
        | between("0.34.7", "0.34.8")
        | between("0.35.6", "0.35.7")
        | between("0.36.3", "0.36.4")
        | between("0.37.1", "0.37.2")
        | between("1.0", "1.0.1"),
    ),
    ("priorityClassName", ALWAYS),
    ("replicas", ALWAYS),
    ("revisionHistoryLimit", ALWAYS),
    ("schedulerName", since("1.1.1")),
    ("service.annotations", since("1.1")),
    ("serviceAccount.annotations", ALWAYS),
    ("serviceAccount.create", ALWAYS),
    ("serviceAccount.name", ALWAYS),
    ("serviceMonitor.additionalLabels", ALWAYS),
    ("serviceMonitor.enabled", ALWAYS),
    ("serviceMonitor.endpointConfig", ALWAYS),
    ("serviceMonitor.metricRelabelings", since("1.5")),
    ("serviceMonitor.relabelings", since("1.5")),
    ("serviceMonitor.sampleLimit", since("1.9")),
    ("settings.amiRefreshInterval", since("1.13")),
    ("settings.assumeRoleARN", between("0.32", "1.0")),
    ("settings.assumeRoleDuration", between("0.32", "1.0")),
    ("settings.aws.assumeRoleARN", _OLD_SETTINGS),
    ("settings.aws.assumeRoleDuration", _OLD_SETTINGS),
    ("settings.aws.clusterCABundle", _OLD_SETTINGS),
    ("settings.aws.clusterEndpoint", _OLD_SETTINGS),
    ("settings.aws.clusterName", _OLD_SETTINGS),
    ("settings.aws.defaultInstanceProfile", _OLD_SETTINGS),
    ("settings.aws.enableENILimitedPodDensity", _OLD_SETTINGS),
    ("settings.aws.enablePodENI", _OLD_SETTINGS),
    ("settings.aws.interruptionQueueName", _OLD_SETTINGS),
    ("settings.aws.isolatedVPC", _OLD_SETTINGS),
    ("settings.aws.reservedENIs", _OLD_SETTINGS),
    ("settings.aws.tags", _OLD_SETTINGS),
    ("settings.aws.vmMemoryOverheadPercent", _OLD_SETTINGS),
    ("settings.batchIdleDuration", ALWAYS),
    ("settings.batchMaxDuration", ALWAYS),
    ("settings.clusterCABundle", _NEW_SETTINGS),
    ("settings.clusterEndpoint", _NEW_SETTINGS),
    ("settings.clusterName", _NEW_SETTINGS),
    ("settings.disableClusterStateObservability", since("1.8")),
    ("settings.disableDryRun", since("1.6.2")),
    ("settings.eksControlPlane", since("1.1")),
    ("settings.enableZonalShift", since("1.12")),
    *((f"settings.featureGates.{gate.key}", gate.window) for gate in FEATURE_GATES),
    ("settings.ignoreDRARequests", since("1.8")),
    ("settings.interruptionQueue", _NEW_SETTINGS),
    ("settings.isolatedVPC", _NEW_SETTINGS),
    ("settings.minValuesPolicy", since("1.6")),
    ("settings.preferencePolicy", since("1.4")),
    ("settings.reservedENIs", _NEW_SETTINGS),
    ("settings.subnetRefreshInterval", since("1.13")),
    ("settings.vmMemoryOverheadPercent", _NEW_SETTINGS),
    ("strategy", ALWAYS),
    ("terminationGracePeriodSeconds", ALWAYS),
    ("tolerations", ALWAYS),
    ("topologySpreadConstraints", ALWAYS),
    ("webhook.enabled", between("0.32", "1.1")),
    ("webhook.logLevel", _LOG_KEYS_OF_0_31),
    ("webhook.metrics.port", between("0.32", "1.1")),
    ("webhook.port", until("1.1")),
)

RENAMED: tuple[tuple[str, str], ...] = (
    ("settings.aws.assumeRoleARN", "settings.assumeRoleARN"),
    ("settings.aws.assumeRoleDuration", "settings.assumeRoleDuration"),
    ("settings.aws.clusterCABundle", "settings.clusterCABundle"),
    ("settings.aws.clusterEndpoint", "settings.clusterEndpoint"),
    ("settings.aws.clusterName", "settings.clusterName"),
    ("settings.aws.interruptionQueueName", "settings.interruptionQueue"),
    ("settings.aws.isolatedVPC", "settings.isolatedVPC"),
    ("settings.aws.reservedENIs", "settings.reservedENIs"),
    ("settings.aws.vmMemoryOverheadPercent", "settings.vmMemoryOverheadPercent"),
    ("settings.featureGates.driftEnabled", "settings.featureGates.drift"),
)
"""Keys of 0.30 and 0.31 with the key that means the same since 0.32."""

BOTH_SPELLINGS = between("0.32", "0.33")
"""The chart reads both names of a renamed key, and the old one wins where it is set."""

# Values that Helm itself hands to every chart.
_HELMS_OWN = ("global",)


def unknown_value_cautions(
    version: KarpenterVersion, user_values: Mapping[str, object], *, path: str = "helm_values"
) -> tuple[Caution, ...]:
    """A warning for each of the user's values that the release's chart does not read.

    Args:
        version: The Karpenter release.
        user_values: The values as the user wrote them.
        path: How messages call them.
    """
    known = {key for key, window in CHART_KEYS if version in window}
    if version in BOTH_SPELLINGS:
        known.update(old for old, _ in RENAMED)
    return tuple(
        Caution(
            "karpenter-construct:unknownHelmValue",
            f"`{path}{_place(key, name)}`: {_dotted(key) if '.' in name else _about(key, version, known)}",
        )
        for key, name in _unread(user_values, known, "")
    )


def _place(key: str, name: str) -> str:
    return f".{key}" if "." not in name else f"{f'.{key}'.removesuffix(f'.{name}')}[{name!r}]"


def _dotted(key: str) -> str:
    nested = "…"
    for part in reversed(key.split(".")):
        nested = f"{{{part!r}: {nested}}}"
    return f"Helm splits no keys at dots, and the chart ignores this one; write {nested}."


def _unread(values: Mapping[str, object], known: set[str], above: str) -> Iterator[tuple[str, str]]:
    """The keys that the chart does not read, and the last name of each."""
    for name, value in values.items():
        key = f"{above}{name}"
        if "." in str(name):
            yield key, str(name)
            continue
        if key in known or key in _HELMS_OWN:
            continue
        inner = any(other.startswith(f"{key}.") for other, _ in CHART_KEYS)
        if inner and isinstance(value, Mapping) and value:
            yield from _unread(value, known, f"{key}.")
        elif not any(other.startswith(f"{key}.") for other in known):
            yield key, str(name)


def _about(key: str, version: KarpenterVersion, known: set[str]) -> str:
    windows = [window for other, window in CHART_KEYS if other == key or other.startswith(f"{key}.")]
    if not windows:
        # Imported late: only a mistake needs it.
        from difflib import get_close_matches  # noqa: PLC0415

        close = get_close_matches(key, _siblings(key, known), n=1)
        hint = f"; did you mean `{close[0]}`?" if close else "."
        return f"the chart of Karpenter {version} has no such value and ignores it{hint}"
    successors = [new for pair in RENAMED for new in pair if key in pair and new != key and new in known]
    hint = f"; write `{successors[0]}`" if successors else ""
    return f"{windows[0].requirement(version)}, whose chart ignores it{hint}."


def _siblings(key: str, known: set[str]) -> list[str]:
    """The keys that the release has in the same map as ``key``."""
    above, _, _ = key.rpartition(".")
    depth = key.count(".") + 1
    return sorted({".".join(other.split(".")[:depth]) for other in known if other.startswith(above)})
