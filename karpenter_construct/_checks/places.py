"""Pools that ask for a place where no node of the cluster can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from .._tokens import is_unresolved
from .._upstream.labels import normalised
from ..errors import Problem
from ..node_pool import NodePool
from ..requirements import REGION, ZONE, Requirement
from .placeholders import known_items
from .satisfiable import Allowed, allowed_by_key


def unknown_zones(
    pools: Iterable[NodePool], region: str, zones_for: Callable[[NodePool], Sequence[str]]
) -> Iterator[Problem]:
    """A problem for each zone that a requirement asks for and that cannot be; see `unknown_places`."""
    for pool in pools:
        zones = zones_for(pool)
        for index, requirement in enumerate(known_items(pool.requirements, Requirement)):
            if normalised(requirement.key) != ZONE or requirement.operator != "In":
                continue
            for place, zone in enumerate(requirement.values):
                message = None if is_unresolved(zone) else zone_message(zone, region, zones)
                if message:
                    yield Problem(f"{pool.path}.requirements[{index}].values[{place}]", message)


def unknown_places(
    pools: Iterable[NodePool], region: str, zones_for: Callable[[NodePool], Sequence[str]]
) -> Iterator[Problem]:
    """A problem for each label of a zone that cannot be, and for each pool that excludes the region.

    Args:
        pools: The pools; each says nothing wrong by itself.
        region: The cluster's, empty where it is unknown.
        zones_for: Gives the zones of the subnets that a pool's nodes may use, none where they are unknown.
    """
    for pool in pools:
        for key, zone in pool.labels.items():
            message = zone_message(zone, region, zones_for(pool)) if normalised(key) == ZONE else None
            if message and not is_unresolved(zone):
                yield Problem(f"{pool.path}.labels[{key!r}]", message)
        regions = allowed_by_key(pool.requirements, pool.labels).get(REGION, Allowed())
        if region and not regions.takes(region):
            yield Problem(
                f"{pool.path}.requirements",
                f"exclude the region {region!r}, where the cluster is; change or drop what they and the labels say "
                f"about {REGION!r}",
            )


def zone_message(zone: str, region: str, zones: Sequence[str]) -> str | None:
    """Why no node can be in a zone, ``None`` where one may be."""
    if region and not zone.startswith(region):
        return f"is no zone of the region {region!r}, got {zone!r}; write one as in '{region}a'"
    if zones and zone not in zones:
        listed = ", ".join(map(repr, zones))
        return f"no subnet for nodes is in this zone, got {zone!r}; use one of {listed}"
    return None
