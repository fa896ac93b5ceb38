"""The environment variables that the chart of each release sets by itself, and the values that say them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .._tokens import is_unresolved
from ..errors import Problem
from ..releases import ALWAYS, KarpenterVersion, Window, between, since, until
from .value_paths import get


class _Variable(NamedTuple):
    """A variable that the chart sets.

    Attributes:
        name: Its name.
        window: The releases whose chart sets it.
        key: The chart value that says it.
        argument: The argument of `Karpenter` that says it.
        if_given: Whether the chart sets it only where that value, empty or false by itself, is something else.
    """

    name: str
    window: Window
    key: str = ""
    argument: str = ""
    if_given: bool = False


_SETTINGS = since("0.32")
_WITH_WEBHOOK = between("0.32", "1.1")

# charts/karpenter/templates/deployment.yaml of every tag.
CHART_VARIABLES = (
    _Variable("AMI_REFRESH_INTERVAL", since("1.13"), "settings.amiRefreshInterval"),
    _Variable("ASSUME_ROLE_ARN", between("0.32", "1.0"), "settings.assumeRoleARN", if_given=True),
    _Variable("ASSUME_ROLE_DURATION", between("0.32", "1.0"), "settings.assumeRoleDuration"),
    _Variable("BATCH_IDLE_DURATION", _SETTINGS, "settings.batchIdleDuration"),
    _Variable("BATCH_MAX_DURATION", _SETTINGS, "settings.batchMaxDuration"),
    _Variable("CLUSTER_CA_BUNDLE", _SETTINGS, "settings.clusterCABundle", if_given=True),
    _Variable("CLUSTER_ENDPOINT", _SETTINGS, "settings.clusterEndpoint", if_given=True),
    _Variable("CLUSTER_NAME", _SETTINGS, "settings.clusterName", "cluster"),
    _Variable("CPU_REQUESTS", since("1.7"), "controller.resources"),
    _Variable(
        "DISABLE_CLUSTER_STATE_OBSERVABILITY",
        since("1.8"),
        "settings.disableClusterStateObservability",
        if_given=True,
    ),
    _Variable("DISABLE_DRY_RUN", since("1.6.2"), "settings.disableDryRun", if_given=True),
    _Variable("DISABLE_WEBHOOK", _WITH_WEBHOOK, "webhook.enabled"),
    _Variable("EKS_CONTROL_PLANE", since("1.1"), "settings.eksControlPlane", if_given=True),
    _Variable("ENABLE_ZONAL_SHIFT", since("1.12"), "settings.enableZonalShift", if_given=True),
    _Variable("FEATURE_GATES", _SETTINGS, "settings.featureGates", "feature_gates"),
    _Variable("HEALTH_PROBE_PORT", ALWAYS, "controller.healthProbe.port"),
    _Variable("IGNORE_DRA_REQUESTS", since("1.8"), "settings.ignoreDRARequests"),
    _Variable(
        "INTERRUPTION_QUEUE", _SETTINGS, "settings.interruptionQueue", "interruption_queue", if_given=True
    ),
    _Variable("ISOLATED_VPC", _SETTINGS, "settings.isolatedVPC", "isolated_vpc", if_given=True),
    _Variable("KARPENTER_SERVICE", ALWAYS),
    _Variable("KUBERNETES_MIN_VERSION", ALWAYS),
    _Variable("LOG_ERROR_OUTPUT_PATHS", since("1.0.4"), "logErrorOutputPaths"),
    _Variable("LOG_LEVEL", _SETTINGS, "logLevel"),
    _Variable("LOG_OUTPUT_PATHS", since("1.0.4"), "logOutputPaths"),
    _Variable("MEMORY_LIMIT", ALWAYS, "controller.resources"),
    _Variable("METRICS_PORT", ALWAYS, "controller.metrics.port"),
    _Variable("MIN_VALUES_POLICY", since("1.6"), "settings.minValuesPolicy"),
    _Variable("PREFERENCE_POLICY", since("1.4"), "settings.preferencePolicy"),
    _Variable("RESERVED_ENIS", _SETTINGS, "settings.reservedENIs"),
    _Variable("SUBNET_REFRESH_INTERVAL", since("1.13"), "settings.subnetRefreshInterval"),
    _Variable("SYSTEM_NAMESPACE", ALWAYS, "", "namespace"),
    _Variable("VM_MEMORY_OVERHEAD_PERCENT", _SETTINGS, "settings.vmMemoryOverheadPercent"),
    _Variable("WEBHOOK_METRICS_PORT", _WITH_WEBHOOK, "webhook.metrics.port"),
    _Variable("WEBHOOK_PORT", until("1.1"), "webhook.port"),
)


class DroppedWhenFalsy(NamedTuple):
    """A value that the chart's ``with`` leaves out where it is 0 or false, though the default is another."""

    key: str
    variable: str
    window: Window


DROPPED_WHEN_FALSY = (
    DroppedWhenFalsy("settings.vmMemoryOverheadPercent", "VM_MEMORY_OVERHEAD_PERCENT", since("0.32")),
    DroppedWhenFalsy("settings.ignoreDRARequests", "IGNORE_DRA_REQUESTS", since("1.8")),
)


def dropped_values(
    version: KarpenterVersion, values: Mapping[str, object]
) -> Iterator[tuple[DroppedWhenFalsy, object]]:
    """The values that the chart leaves out."""
    for row in DROPPED_WHEN_FALSY:
        value = get(values, row.key) if version in row.window else None
        if value is not None and not is_unresolved(value) and value in (0, False):
            yield row, value


def variable_problems(
    version: KarpenterVersion,
    user: Mapping[str, object],
    merged: Mapping[str, object],
    *,
    path: str = "helm_values",
) -> Iterator[Problem]:
    """Variables of the user's that the chart sets too: a container with two of one name is refused, or has either.

    Args:
        version: The Karpenter release.
        user: The user's values.
        merged: What the chart is handed, the user's values and ours.
        path: How messages call them.
    """
    entries = get(user, "controller.env")
    known = {
        row.name: row
        for row in CHART_VARIABLES
        if version in row.window and (not row.if_given or get(merged, row.key))
    }
    dropped = {row.variable for row, _ in dropped_values(version, user)}
    for entry in entries if isinstance(entries, list) else ():
        name = entry.get("name") if isinstance(entry, Mapping) else None
        row = known.get(name) if isinstance(name, str) and name not in dropped else None
        if row is not None:
            message = f"is set by the chart itself, got {entry!r}; {_instead(row)}"
            yield Problem(f"{path}.controller.env[{name!r}]", message)


def _instead(row: _Variable) -> str:
    if row.argument:
        return f"leave it out, or use the argument `{row.argument}`"
    return f"write the value `{row.key}`" if row.key else "leave it out"
