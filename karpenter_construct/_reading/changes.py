"""What reading alone cannot do: fit the models to one release, and say what means something else there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..kubelet import Kubelet
from ..node_class import EC2NodeClass
from ..node_pool import NodePool
from ..releases import KarpenterVersion, Window, since, until
from . import v1, v1alpha5, v1beta1
from .manifests import NodeManifests
from .places import Note, Origin, Path

KUBELET_IN_CLASSES = since("1.0")
"""The releases whose node classes have the kubelet settings; before, the pools have them."""

_BEFORE_V1 = (v1alpha5.PROVISIONER.api_version, v1beta1.NODE_POOL.api_version)
_DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
_OLD_ANNOTATIONS = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")


@dataclass(frozen=True)
class Change:
    """Something that a pool says and that another release takes otherwise.

    Attributes:
        api_versions: Where it was said.
        window: The releases that take it otherwise.
        path: The field of the model.
        applies: Whether a pool says it.
        message: What to know.
        once: Whether one note stands for all pools.
    """

    api_versions: tuple[str, ...]
    window: Window
    path: Path
    applies: Callable[[NodePool], bool]
    message: str
    once: bool = False

    def found(self, read: NodeManifests) -> list[NodePool]:
        """The pools that say it."""
        found = [
            pool
            for pool in read.node_pools
            if read.origin(pool).api_version in self.api_versions and self.applies(pool)
        ]
        return found[:1] if self.once else found


def _expires(pool: NodePool) -> bool:
    return pool.expire_after != "Never" and pool.termination_grace_period is None


def _always(_: NodePool) -> bool:
    return True


def _has_default_budget(pool: NodePool) -> bool:
    return pool.disruption is None or pool.disruption.budgets is None


def _has_old_annotation(pool: NodePool) -> bool:
    return any(key in pool.annotations for key in _OLD_ANNOTATIONS)


CHANGES: tuple[Change, ...] = (
    # Upgrade guide, "Upgrading to 0.33.0+".
    Change(
        (v1alpha5.PROVISIONER.api_version,),
        since("0.33"),
        (),
        _always,
        "nodes that no longer match their pool or class are replaced (drift), which releases before 0.33 "
        "did only with the feature gate driftEnabled",
        once=True,
    ),
    # The CRDs' default of ``disruption.budgets``, since 0.34.
    Change(
        (v1alpha5.PROVISIONER.api_version,),
        since("0.34"),
        (),
        _always,
        "from Karpenter 0.34 on a tenth of a pool's nodes is disrupted at once at most, unless budgets say otherwise",
        once=True,
    ),
    # v1 migration guide, "Expiration is now forceful".
    Change(
        _BEFORE_V1,
        since("1.0"),
        ("expire_after",),
        _expires,
        "a node that expires is drained at once from Karpenter 1.0 on, whatever budgets say; "
        "terminationGracePeriod limits how long that takes",
    ),
    # v1 migration guide, "Deprecated annotations, labels, and tags removed".
    Change(
        _BEFORE_V1,
        since("1.0"),
        ("annotations",),
        _has_old_annotation,
        "Karpenter 1.0 and later know karpenter.sh/do-not-disrupt, not do-not-evict and do-not-consolidate",
    ),
    *(
        # The other way round: what v1 says.
        Change((v1.NODE_POOL.api_version,), window, path, applies, message, once=True)
        for window, path, applies, message in (
            (
                until("0.33"),
                (),
                _always,
                "nodes that no longer match their pool or class are replaced (drift) before Karpenter 0.33 only with "
                "the feature gate driftEnabled",
            ),
            (
                until("0.34"),
                ("disruption",),
                _has_default_budget,
                "nothing limits how many nodes are disrupted at once before Karpenter 0.34; v1 lets a tenth of them go",
            ),
            (
                until("1.0"),
                ("expire_after",),
                lambda pool: pool.expire_after != "Never",
                "a node that expires goes before Karpenter 1.0 only when its pods may be moved, not at once",
            ),
            (
                until("0.32"),
                ("annotations",),
                lambda pool: _DO_NOT_DISRUPT in pool.annotations,
                "Karpenter before 0.32 knows do-not-evict and do-not-consolidate, not karpenter.sh/do-not-disrupt",
            ),
        )
    ),
)


def fit(read: NodeManifests, version: KarpenterVersion) -> NodeManifests:
    """What was read, as ``version`` can say it, with notes on what means something else there."""
    fitted = _with_kubelet_in_classes(read) if version in KUBELET_IN_CLASSES else read
    kept = (note for note in fitted.notes if version in note.window)
    return replace(fitted, notes=(*kept, *_changes(fitted, version)))


def _changes(read: NodeManifests, version: KarpenterVersion) -> Iterator[Note]:
    for change in CHANGES:
        for model in change.found(read) if version in change.window else ():
            source, path = read.origin(model).locate(change.path)
            yield source.note(path, change.message)


@dataclass(frozen=True)
class _Variant:
    """A node class with the kubelet settings of some of its pools."""

    node_class: EC2NodeClass
    pools: tuple[NodePool, ...]


def _with_kubelet_in_classes(read: NodeManifests) -> NodeManifests:
    """The pools' kubelet settings in their classes, with one class for each of several that differ.

    The settings of a class's first pool keep its name; each other gets a copy named ``<class>-<pool>``. A
    pool whose class is in none of the files keeps its settings.
    """
    if all(pool.kubelet is None for pool in read.node_pools):
        return read
    classes: list[EC2NodeClass] = []
    pools = {pool.name: pool for pool in read.node_pools}
    origins, notes = dict(read.origins), list(read.notes)
    taken = {node_class.name for node_class in read.node_classes}
    for node_class in read.node_classes:
        for index, variant in enumerate(_variants(node_class, read.node_pools)):
            renamed = variant.node_class if index == 0 else _renamed(variant, taken)
            classes.append(renamed)
            origins[renamed.path] = _origin(read, node_class, variant)
            pools |= {pool.name: _without_kubelet(pool, renamed.name) for pool in variant.pools}
            notes.extend(_notes(read, variant, renamed))
    return replace(
        read,
        node_classes=tuple(classes),
        node_pools=tuple(pools.values()),
        notes=tuple(notes),
        origins=origins,
    )


def _variants(node_class: EC2NodeClass, pools: tuple[NodePool, ...]) -> list[_Variant]:
    grouped: dict[Kubelet | None, list[NodePool]] = {}
    for pool in pools:
        if pool.node_class == node_class.name:
            grouped.setdefault(pool.kubelet or node_class.kubelet, []).append(pool)
    if not grouped:
        return [_Variant(node_class, ())]
    return [
        _Variant(node_class.model_copy(update={"kubelet": kubelet}) if kubelet else node_class, tuple(group))
        for kubelet, group in grouped.items()
    ]


def _renamed(variant: _Variant, taken: set[str]) -> EC2NodeClass:
    name = f"{variant.node_class.name}-{variant.pools[0].name}"
    while name in taken:
        name += "-kubelet"
    taken.add(name)
    return variant.node_class.model_copy(update={"name": name})


def _without_kubelet(pool: NodePool, node_class: str) -> NodePool:
    if pool.kubelet is None and pool.node_class == node_class:
        return pool
    return pool.model_copy(update={"kubelet": None, "node_class": node_class})


def _origin(read: NodeManifests, node_class: EC2NodeClass, variant: _Variant) -> Origin:
    origin = read.origin(node_class)
    first = next((pool for pool in variant.pools if pool.kubelet is not None), None)
    if first is None:
        return origin
    moved: Mapping[Path, tuple[Origin, Path]] = {("kubelet",): (read.origin(first), ("kubelet",))}
    return replace(origin, moved=moved)


def _notes(read: NodeManifests, variant: _Variant, renamed: EC2NodeClass) -> Iterator[Note]:
    if renamed.name != variant.node_class.name:
        source, path = read.origin(variant.pools[0]).locate(("node_class",))
        names = ", ".join(pool.name for pool in variant.pools)
        yield source.note(
            path,
            f"is now {renamed.name} for {names}: kubelet settings belong to the class, and pools of "
            f"{variant.node_class.name} differ in theirs",
        )
    for pool in variant.pools:
        if pool.kubelet is not None:
            source, path = read.origin(pool).locate(("kubelet",))
            yield source.note(path, f"moves to the node class {renamed.name}")
