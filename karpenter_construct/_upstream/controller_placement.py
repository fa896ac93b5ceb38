"""Where the chart lets the controller's pods run, by release, and how to say it otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..releases import KarpenterVersion, since, until

# charts/karpenter/values.yaml, affinity: the controller stays off the nodes it manages, of two kinds in 0.32.
_LABELS_OF_OWN_NODES = (
    (until("0.33"), "karpenter.sh/provisioner-name"),
    (since("0.32"), "karpenter.sh/nodepool"),
)

# charts/karpenter/values.yaml, topologySpreadConstraints.
_ZONE_SPREAD = ((until("1.0"), "ScheduleAnyway"), (since("1.0"), "DoNotSchedule"))

_CHARTS_TOLERATION = {"key": "CriticalAddonsOnly", "operator": "Exists"}

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def default_topology_spread(version: KarpenterVersion) -> str:
    """What the chart does with a pod that would crowd a zone: ``DoNotSchedule`` or ``ScheduleAnyway``."""
    return next(rule for window, rule in _ZONE_SPREAD if version in window)


def node_affinity(
    version: KarpenterVersion, expressions: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    """The node affinity that keeps the chart's own condition and adds ``expressions``, all in one term.

    Terms are alternatives: in one of its own, either condition would be enough to run on a node.
    """
    own = own_conditions(version)
    return {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [*own, *map(dict, expressions)]}]}}


def labels_of_own_nodes(version: KarpenterVersion) -> tuple[str, ...]:
    """The labels by which the chart knows the nodes that Karpenter manages."""
    return tuple(label for window, label in _LABELS_OF_OWN_NODES if version in window)


def own_conditions(version: KarpenterVersion) -> tuple[dict[str, object], ...]:
    """The match expressions of the chart's own node affinity."""
    return tuple({"key": label, "operator": "DoesNotExist"} for label in labels_of_own_nodes(version))


def preferred_host_spread() -> dict[str, object]:
    """The pod anti-affinity that lets two controllers share a node where there is no other.

    The chart's required term has to be emptied: Helm merges maps, so leaving it out would keep it.
    """
    term = {"topologyKey": "kubernetes.io/hostname"}
    return {REQUIRED: [], _PREFERRED: [{"weight": 100, "podAffinityTerm": term}]}


def topology_spread(rule: str) -> list[dict[str, object]]:
    """The chart's spread over zones with another ``whenUnsatisfiable``."""
    return [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": rule}]


def tolerations(additional: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """The chart's toleration of critical add-ons' nodes, and ``additional`` ones; Helm replaces lists."""
    return [dict(_CHARTS_TOLERATION), *map(dict, additional)]
