"""Node pools that can take the same pods and that no weight tells apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ..node_pool import NodePool, Taint
from .placeholders import known_items
from .satisfiable import Allowed, allowed_by_key

_Shape = tuple[NodePool, Mapping[str, Allowed]]


def overlapping(pools: Iterable[NodePool]) -> Iterator[tuple[str, ...]]:
    """The names of pools of one weight whose requirements do not exclude each other, one tuple a weight.

    Pools with different taints do not count: their pods differ. Nor do static pools, which pods do not scale.
    """
    groups: dict[object, list[_Shape]] = defaultdict(list)
    for pool in pools:
        if pool.replicas is None:
            taints = frozenset(
                (taint.key, taint.value, taint.effect) for taint in known_items(pool.taints, Taint)
            )
            shape = (pool, allowed_by_key(pool.requirements, pool.labels))
            groups[pool.weight or 0, taints].append(shape)
    for shapes in groups.values():
        names = _overlapping_names(shapes)
        if names:
            yield tuple(pool.name for pool, _ in shapes if pool.name in names)


def _overlapping_names(shapes: Sequence[_Shape]) -> set[str]:
    found: set[str] = set()
    for bucket in _buckets(shapes):
        for (pool, allowed), (other, others) in combinations(bucket, 2):
            known = pool.name in found and other.name in found
            if not known and not _exclude(allowed, others):
                found |= {pool.name, other.name}
    return found


def _exclude(allowed: Mapping[str, Allowed], others: Mapping[str, Allowed]) -> bool:
    return any((left & others[key]).is_empty for key, left in allowed.items() if key in others)


def _buckets(shapes: Sequence[_Shape]) -> Iterable[Sequence[_Shape]]:
    """Shapes that may overlap: those that share a value of the label that tells most of them apart."""
    best: Mapping[str, Sequence[_Shape]] = {"": shapes}
    for key in set.intersection(*(set(allowed) for _, allowed in shapes)):
        buckets: dict[str, list[_Shape]] = defaultdict(list)
        if all(allowed[key].values is not None for _, allowed in shapes):
            for shape in shapes:
                for value in shape[1][key].values or ():
                    buckets[value].append(shape)
            best = max(best, buckets, key=len)
    return best.values()
