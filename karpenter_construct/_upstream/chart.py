"""The chart of each release: its version string, and the values it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from .._tokens import is_unresolved
from ..errors import Problem, SettingsError
from ..releases import ALWAYS, KarpenterVersion, Window, between, since, until
from .chart_keys import BOTH_SPELLINGS, RENAMED, unknown_value_cautions
from .chart_variables import dropped_values, variable_problems
from .controller_placement import (
    default_topology_spread,
    node_affinity,
    preferred_host_spread,
    tolerations,
    topology_spread,
)
from .feature_gates import feature_gates
from .given_placement import placement_cautions, placement_problems
from .helm_values import merge_values, merged, plain_values
from .value_paths import get, put, take
from .webhooks import crd_chart_values, webhook_default_values

__all__ = [
    "CHART_REPOSITORY",
    "CRD_CHART_REPOSITORY",
    "ChartInputs",
    "chart_values",
    "chart_version",
    "crd_chart_values",
    "default_values",
    "feature_gates",
    "in_new_spelling",
    "metrics_port",
    "placement_cautions",
    "plain_values",
    "required_values",
    "unknown_value_cautions",
]

CHART_REPOSITORY = "oci://public.ecr.aws/karpenter/karpenter"
CRD_CHART_REPOSITORY = "oci://public.ecr.aws/karpenter/karpenter-crd"

_CHART_REPLICAS = 2

# hack/release/common.sh: the line decides, not the date; late patches of 0.34 still carry the v.
_VERSION_PREFIX = until("0.35")

_METRICS_PORT = ((until("1.0"), 8000), (since("1.0"), 8080))


def chart_version(version: KarpenterVersion) -> str:
    """The version of both charts as their registry has it: ``v0.34.13``, but ``0.35.0``."""
    return f"v{version}" if version in _VERSION_PREFIX else str(version)


def metrics_port(version: KarpenterVersion) -> int:
    """The port on which the controller serves metrics, unless ``controller.metrics.port`` says otherwise."""
    return next(port for window, port in _METRICS_PORT if version in window)


class ChartInputs(NamedTuple):
    """What the chart is told. Strings may be CDK tokens.

    Attributes:
        cluster_name: The EKS cluster.
        region: The region of the cluster, for ``AWS_REGION``.
        service_account_name: The service account that the chart makes.
        service_account_annotations: Its annotations, such as the role for IRSA.
        cluster_endpoint: The API server; ``None`` lets the controller ask EKS.
        interruption_queue: The name of the queue; ``None`` turns interruption handling off.
        default_instance_profile: The name of the profile for nodes of an AWSNodeTemplate; read up to 0.32.
        isolated_vpc: Whether VPC endpoints are the only way from the VPC to AWS.
        replicas: How many controllers run.
        node_affinity_expressions: Match expressions that the controller's nodes must meet too.
        tolerations: Tolerations of the controller besides ``CriticalAddonsOnly``.
        topology_spread: ``DoNotSchedule`` or ``ScheduleAnyway`` over zones; ``None`` is the release's own.
        share_hosts: Whether two controllers may run on one node where there is no other.
        feature_gates: Gates that differ from the release's default, by chart key.
        image_repository: Where the controller's image is; ``None`` is upstream's registry.
        dns_policy: ``Default`` to start before the cluster's DNS does; ``None`` is the release's own.
        log_level: ``debug``, ``info`` or ``error``; ``None`` is the release's own.
    """

    cluster_name: str
    region: str
    service_account_name: str
    service_account_annotations: Mapping[str, str] = MappingProxyType({})
    cluster_endpoint: str | None = None
    interruption_queue: str | None = None
    default_instance_profile: str | None = None
    isolated_vpc: bool = False
    replicas: int = _CHART_REPLICAS
    node_affinity_expressions: tuple[Mapping[str, object], ...] = ()
    tolerations: tuple[Mapping[str, object], ...] = ()
    topology_spread: str | None = None
    share_hosts: bool = False
    feature_gates: Mapping[str, bool] = MappingProxyType({})
    image_repository: str | None = None
    dns_policy: str | None = None
    log_level: str | None = None


class _Value(NamedTuple):
    """One chart value: where it goes in which releases, and what it is; ``None`` is not written."""

    key: str
    window: Window
    of: Callable[[ChartInputs], object]
    argument: str = ""
    """For a required value, the argument of `Karpenter` that changes it."""


_REQUIRED = (
    _Value("settings.aws.clusterName", until("0.32"), lambda inputs: inputs.cluster_name, "cluster"),
    _Value("settings.clusterName", since("0.32"), lambda inputs: inputs.cluster_name, "cluster"),
    _Value(
        "settings.aws.interruptionQueueName",
        until("0.32"),
        lambda inputs: inputs.interruption_queue,
        "interruption_queue",
    ),
    _Value(
        "settings.interruptionQueue",
        since("0.32"),
        lambda inputs: inputs.interruption_queue,
        "interruption_queue",
    ),
    _Value(
        "settings.aws.defaultInstanceProfile",
        until("0.33"),
        lambda inputs: inputs.default_instance_profile,
        "node_instance_profile",
    ),
    _Value("settings.aws.isolatedVPC", until("0.32"), lambda inputs: inputs.isolated_vpc, "isolated_vpc"),
    _Value("settings.isolatedVPC", since("0.32"), lambda inputs: inputs.isolated_vpc, "isolated_vpc"),
    _Value("serviceAccount.create", ALWAYS, lambda _: True),
    _Value("serviceAccount.name", ALWAYS, lambda inputs: inputs.service_account_name, "service_account_name"),
    _Value(
        "serviceAccount.annotations",
        ALWAYS,
        lambda inputs: dict(inputs.service_account_annotations) or None,
        "controller_role",
    ),
    # Without it a controller that cannot reach the instance metadata, as on Fargate, panics at start.
    _Value("controller.env", ALWAYS, lambda inputs: [{"name": "AWS_REGION", "value": inputs.region}]),
)

_DEFAULTS = (
    _Value("settings.aws.clusterEndpoint", until("0.32"), lambda inputs: inputs.cluster_endpoint),
    _Value("settings.clusterEndpoint", since("0.32"), lambda inputs: inputs.cluster_endpoint),
    _Value(
        "replicas", ALWAYS, lambda inputs: inputs.replicas if inputs.replicas != _CHART_REPLICAS else None
    ),
    _Value(
        "affinity.podAntiAffinity",
        ALWAYS,
        lambda inputs: preferred_host_spread() if inputs.share_hosts else None,
    ),
    _Value(
        "tolerations", ALWAYS, lambda inputs: tolerations(inputs.tolerations) if inputs.tolerations else None
    ),
    _Value("dnsPolicy", ALWAYS, lambda inputs: inputs.dns_policy),
    _Value("controller.image.repository", ALWAYS, lambda inputs: inputs.image_repository),
    # Pushing an image to another registry may change its digest; the tag, which the chart knows, stays.
    _Value("controller.image.digest", ALWAYS, lambda inputs: "" if inputs.image_repository else None),
    _Value("logLevel", ALWAYS, lambda inputs: inputs.log_level),
    # 0.32 mounts a zap configuration, and takes its levels from there.
    _Value("logConfig.logLevel.global", between("0.32", "0.33"), lambda inputs: inputs.log_level),
    _Value("logConfig.logLevel.controller", between("0.32", "0.33"), lambda inputs: inputs.log_level),
)


def default_values(version: KarpenterVersion, inputs: ChartInputs) -> dict[str, object]:
    """The values that a user may replace; nothing that the chart does by itself is written, but the gates."""
    values = _written(_DEFAULTS, version, inputs)
    values.update(webhook_default_values(version))
    if inputs.node_affinity_expressions:
        put(values, "affinity.nodeAffinity", node_affinity(version, inputs.node_affinity_expressions))
    if inputs.topology_spread not in (None, default_topology_spread(version)):
        put(values, "topologySpreadConstraints", topology_spread(str(inputs.topology_spread)))
    put(values, "settings.featureGates", {**feature_gates(version), **inputs.feature_gates})
    return values


def required_values(version: KarpenterVersion, inputs: ChartInputs) -> dict[str, object]:
    """The values that have to be as the construct's resources are."""
    return _written(_REQUIRED, version, inputs)


def chart_values(
    version: KarpenterVersion,
    inputs: ChartInputs,
    user_values: Mapping[str, object] | None = None,
    *,
    approved: bool = False,
) -> dict[str, object]:
    """Everything that is handed to the chart: our defaults, the user's values, what must be set.

    Args:
        version: The Karpenter release.
        inputs: What the chart is told.
        user_values: ``helm_values`` as the user wrote them.
        approved: See `merge_values`.

    Raises:
        SettingsError: See `merge_values`; or a feature gate that is neither on nor off.
    """
    user, problems = plain_values({} if user_values is None else user_values)
    if problems:
        raise SettingsError(*problems)
    user = in_new_spelling(version, user)
    values = merge_values(
        default_values(version, inputs),
        user,
        required_values(version, inputs),
        arguments={row.key: row.argument for row in _REQUIRED if row.argument},
        approved=approved,
        further=() if approved else _further_problems(version, inputs, user),
    )
    problems = _gate_problems(version, values)
    if problems:
        raise SettingsError(*problems)
    return _with_variables_for_dropped(version, values)


def _further_problems(
    version: KarpenterVersion, inputs: ChartInputs, user: Mapping[str, object]
) -> list[Problem]:
    """What the user's values contradict that is written by the chart, or is a default of ours."""
    return [
        *variable_problems(
            version, user, merged(default_values(version, inputs), user, required_values(version, inputs))
        ),
        *placement_problems(
            user,
            expressions=inputs.node_affinity_expressions,
            needed_tolerations=inputs.tolerations,
        ),
    ]


def _written(rows: tuple[_Value, ...], version: KarpenterVersion, inputs: ChartInputs) -> dict[str, object]:
    values: dict[str, object] = {}
    for row in rows:
        value = row.of(inputs) if version in row.window else None
        if value is not None:
            put(values, row.key, value)
    return values


def in_new_spelling(version: KarpenterVersion, user: dict[str, object]) -> dict[str, object]:
    """The user's values spelled as ours are, where the chart reads two spellings and prefers the old."""
    if version not in BOTH_SPELLINGS:
        return user
    for old, new in RENAMED:
        value = take(user, old)
        if value is not None and (value or get(user, new) is None):
            put(user, new, value)
    return user


def _gate_problems(version: KarpenterVersion, values: Mapping[str, object]) -> list[Problem]:
    """Gates of the release that are not written, or neither on nor off: the controller would panic."""
    gates = {key: get(values, f"settings.featureGates.{key}") for key in feature_gates(version)}
    return [
        Problem(
            f"helm_values.settings.featureGates.{key}",
            f"is neither on nor off, got {value!r}; write True or False",
        )
        for key, value in gates.items()
        if not isinstance(value, bool) and not is_unresolved(value)
    ]


def _with_variables_for_dropped(version: KarpenterVersion, values: dict[str, object]) -> dict[str, object]:
    dropped = [
        {"name": row.variable, "value": str(value).lower()} for row, value in dropped_values(version, values)
    ]
    # The falsy value stays too: without it the chart would render its default beside our variable.
    return merge_values({"controller": {"env": dropped}}, values, {}) if dropped else values
