"""Node pools and classes side by side: what does not fit together, and what works but should not stay so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .._fields import suggestion
from .._tokens import is_unresolved
from .._upstream.instance_types import FAMILIES
from ..errors import Caution, Problem
from ..node_class import EC2NodeClass
from ..node_pool import NodePool, Taint
from ..releases import KarpenterVersion, since
from ..requirements import (
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_TYPE,
    OS,
)
from ..selector_terms import SubnetSelectorTerm
from .overlap import overlapping
from .placeholders import known_items
from .places import unknown_places, unknown_zones
from .satisfiable import Allowed, allowed_by_key


@dataclass(frozen=True)
class Fleet:
    """All node pools and classes of one Karpenter, and what is known around them.

    Attributes:
        pools: The pools; each says nothing wrong by itself.
        node_classes: The classes; each says nothing wrong by itself.
        version: The release that they are for.
        default_node_class: The class of a pool that names none.
        region: The region, empty where it is unknown.
        zones: The zones of the subnets that nodes may use, empty where they are unknown.
        zones_of_terms: The selector terms of these subnets; classes with others may have other zones. ``None`` where
            all classes have the same.
        interruption_handling: Whether Karpenter hears of spot interruptions.
        feature_gates: The gates by chart key, empty where they are unknown.
    """

    pools: tuple[NodePool, ...]
    node_classes: tuple[EC2NodeClass, ...]
    version: KarpenterVersion
    default_node_class: str = "default"
    region: str = ""
    zones: tuple[str, ...] = ()
    interruption_handling: bool = True
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    zones_of_terms: tuple[SubnetSelectorTerm, ...] | None = None

    @cached_property
    def classes_by_name(self) -> dict[str, EC2NodeClass]:
        """The classes by name."""
        return {node_class.name: node_class for node_class in self.node_classes}

    def class_name(self, pool: NodePool) -> str:
        """The name of the class that a pool uses."""
        return pool.node_class or self.default_node_class

    def zones_for(self, pool: NodePool) -> tuple[str, ...]:
        """The zones of the subnets of a pool's nodes, empty where they are unknown."""
        node_class = self.classes_by_name.get(self.class_name(pool))
        terms = None if node_class is None else node_class.subnet_selector_terms
        return self.zones if self.zones_of_terms is None or terms in (None, self.zones_of_terms) else ()

    @cached_property
    def pairs(self) -> tuple[tuple[NodePool, EC2NodeClass, dict[str, Allowed]], ...]:
        """Each pool with its class, where it exists, and what its requirements leave of each label."""
        return tuple(
            (pool, self.classes_by_name[name], allowed_by_key(pool.requirements, pool.labels))
            for pool in self.pools
            if (name := self.class_name(pool)) in self.classes_by_name
        )


def check_fleet(
    pools: Iterable[NodePool],
    node_classes: Iterable[EC2NodeClass],
    version: KarpenterVersion,
    *,
    default_node_class: str = "default",
    region: str = "",
    zones: Iterable[str] = (),
    interruption_handling: bool = True,
    feature_gates: Mapping[str, bool] | None = None,
    zones_of_terms: tuple[SubnetSelectorTerm, ...] | None = None,
) -> tuple[list[Problem], list[Caution]]:
    """What does not fit together, and what to warn of; see `Fleet` for the arguments."""
    fleet = Fleet(
        tuple(pools),
        tuple(node_classes),
        version,
        default_node_class,
        "" if is_unresolved(region) else region,
        () if is_unresolved(known := tuple(zones)) else known,
        interruption_handling,
        feature_gates or {},
        zones_of_terms,
    )
    return (
        [problem for check in _PROBLEMS for problem in check(fleet)],
        [caution for check in _CAUTIONS for caution in check(fleet)],
    )


def _missing_classes(fleet: Fleet) -> Iterator[Problem]:
    names = tuple(fleet.classes_by_name)
    for pool in fleet.pools:
        name = fleet.class_name(pool)
        if name not in names and not is_unresolved(name):
            hint = suggestion(name, names) or "add it, or name another"
            yield Problem(f"{pool.path}.node_class", f"there is no such node class, got {name!r}; {hint}")


def _places(fleet: Fleet) -> Iterator[Problem]:
    yield from unknown_zones(fleet.pools, fleet.region, fleet.zones_for)
    yield from unknown_places(fleet.pools, fleet.region, fleet.zones_for)


def _operating_systems(fleet: Fleet) -> Iterator[Problem]:
    for pool, node_class, allowed in fleet.pairs:
        if OS not in allowed or node_class.family is None or is_unresolved(node_class.family):
            continue
        system = "windows" if node_class.is_windows else "linux"
        if not allowed[OS].takes(system):
            yield Problem(
                f"{pool.path}.requirements",
                f"exclude the operating system {system!r}, which node class {node_class.name!r} boots with "
                f"{node_class.family}; require In(OS, {system!r}), or use another class",
            )


def _no_limits(fleet: Fleet) -> Iterator[Caution]:
    for pool in fleet.pools:
        if not pool.limits and pool.replicas is None:
            yield Caution(
                "karpenter-construct:noLimits",
                f"`{pool.path}.limits`: there is no limit to what the pool may launch; give one, as in "
                "{'cpu': 1000}",
            )


# How the versions of each family look; those of Windows cannot be pinned.
_PINNED = {
    "al2": "al2@v20240807",
    "al2023": "al2023@v20260810",
    "bottlerocket": "bottlerocket@v1.20.3",
}


def _drifts(fleet: Fleet) -> bool:
    """Whether nodes that differ from their class are replaced: by a gate before 1.0, by default since 0.33."""
    gates = [on for gate, on in fleet.feature_gates.items() if gate in {"driftEnabled", "drift"}]
    return any(gates) if gates else fleet.version in since("0.33")


def _latest_images(fleet: Fleet) -> Iterator[Caution]:
    what = (
        "replaces all nodes whenever AWS publishes an image"
        if _drifts(fleet)
        else "gives each new node the image that AWS has published last"
    )
    for node_class in fleet.node_classes:
        alias = node_class.alias
        if alias is None or not alias.endswith("@latest"):
            continue
        pinned = _PINNED.get(alias.partition("@")[0]) if fleet.version in since("1.0") else None
        fix = f"pin it, as in {pinned!r}" if pinned else "select images by id or name to choose when"
        yield Caution(
            "karpenter-construct:amiLatest",
            f"`{node_class.path}.ami`: {alias!r} {what}; {fix}",
        )


def _unused_classes(fleet: Fleet) -> Iterator[Caution]:
    used = {fleet.class_name(pool) for pool in fleet.pools}
    for node_class in fleet.node_classes:
        if node_class.name not in used:
            yield Caution(
                "karpenter-construct:unusedNodeClass",
                f"`{node_class.path}`: no node pool uses it; name it in a pool, or drop it",
            )


_MOST_NAMES = 5


def _overlapping_pools(fleet: Fleet) -> Iterator[Caution]:
    for names in overlapping(fleet.pools):
        listed = ", ".join(map(repr, names[:_MOST_NAMES]))
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield Caution(
            "karpenter-construct:overlappingNodePools",
            f"`node_pools[{names[1]!r}]`: {listed}{more} have the same weight and fit the same pods, so that "
            "either may be taken; give them different weights, or requirements that exclude each other",
        )


# What pods and nodes carry to be left alone; only from 1.0 does expiry start a drain that it then blocks.
_DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
_FORCEFUL_EXPIRY = since("1.0")


def _protected_nodes(fleet: Fleet) -> Iterator[Caution]:
    for pool in fleet.pools:
        protected = pool.annotations.get(_DO_NOT_DISRUPT, "false") != "false"
        if protected and pool.termination_grace_period is None and fleet.version in _FORCEFUL_EXPIRY:
            yield Caution(
                "karpenter-construct:doNotDisruptWithoutGracePeriod",
                f"`{pool.path}.annotations[{_DO_NOT_DISRUPT!r}]`: keeps nodes for as long as their pods run; "
                "give termination_grace_period to bound it",
            )


def _windows_without_os(fleet: Fleet) -> Iterator[Caution]:
    for pool, node_class, allowed in fleet.pairs:
        if node_class.is_windows and OS not in allowed:
            yield Caution(
                "karpenter-construct:windowsWithoutOs",
                f"`{pool.path}.requirements`: node class {node_class.name!r} boots {node_class.family}, and "
                "Linux pods may be sent there; require In(OS, 'windows'), and taint the pool",
            )


def _deaf_spot_pools(fleet: Fleet) -> Iterator[Caution]:
    if fleet.interruption_handling:
        return
    for pool in fleet.pools:
        allowed = allowed_by_key(pool.requirements, pool.labels).get(CAPACITY_TYPE, Allowed())
        if allowed.values is not None and allowed.takes("spot"):
            yield Caution(
                "karpenter-construct:spotWithoutInterruptionHandling",
                f"`{pool.path}.requirements`: take spot instances, whose nodes end without notice while "
                "interruption handling is off; turn it on",
            )


_ACCELERATED = frozenset({"g", "gr", "p", "inf", "trn", "dl"})
_ACCELERATOR_KEYS = ("karpenter.k8s.aws/instance-gpu-", "karpenter.k8s.aws/instance-accelerator-")
_DEVICE_DOMAINS = ("nvidia.com/", "amd.com/", "aws.amazon.com/neuron", "habana.ai/")


def _accelerators_without_plugin(fleet: Fleet) -> Iterator[Caution]:
    for pool, node_class, allowed in fleet.pairs:
        taints = known_items((*pool.taints, *pool.startup_taints), Taint)
        keys = [taint.key for taint in taints] + list(pool.labels)
        hinted = any(key.startswith(_DEVICE_DOMAINS) for key in keys)
        # Bottlerocket's images for accelerators bring the plugin along.
        if _is_accelerated(allowed) and not hinted and node_class.family != "Bottlerocket":
            yield Caution(
                "karpenter-construct:acceleratorWithoutDevicePlugin",
                f"`{pool.path}.requirements`: ask for accelerators, which pods get only once a device plugin "
                "runs on the node; install one, and taint the pool, as in 'nvidia.com/gpu'",
            )


def _is_accelerated(allowed: Mapping[str, Allowed]) -> bool:
    if any(key.startswith(_ACCELERATOR_KEYS) and left.present for key, left in allowed.items()):
        return True
    categories = set(allowed.get(INSTANCE_CATEGORY, Allowed()).values or ())
    for key in (INSTANCE_FAMILY, INSTANCE_TYPE):
        for value in allowed.get(key, Allowed()).values or ():
            family = FAMILIES.get(value.partition(".")[0])
            categories.add(family.category if family else "")
    return bool(categories) and categories <= _ACCELERATED


def _reservations_off(fleet: Fleet) -> Iterator[Caution]:
    for node_class in fleet.node_classes:
        if (
            node_class.capacity_reservation_selector_terms
            and fleet.feature_gates.get("reservedCapacity") is False
        ):
            yield Caution(
                "karpenter-construct:reservedCapacityOff",
                f"`{node_class.path}.capacity_reservation_selector_terms`: does nothing while the feature gate "
                "'reservedCapacity' is off; turn it on",
            )


_PROBLEMS = (_missing_classes, _places, _operating_systems)

_CAUTIONS = (
    _latest_images,
    _unused_classes,
    _no_limits,
    _overlapping_pools,
    _protected_nodes,
    _windows_without_os,
    _deaf_spot_pools,
    _accelerators_without_plugin,
    _reservations_off,
)
