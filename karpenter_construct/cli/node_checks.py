"""What a release says to the objects of files: problems and cautions, by the checks of the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .._checks import (
    check_capacity_buffer,
    check_fleet,
    check_node_class,
    check_node_overlay,
    check_node_pool,
)
from .._reading.manifests import NodeManifests
from .._upstream.compatibility import kubernetes_caution
from ..errors import Caution, Problem
from ..node_class import EC2NodeClass
from ..releases import KarpenterVersion

_NOTHING = Caution("karpenter-construct:noNodeObject", "there is no node object in what was given")


@dataclass(frozen=True)
class NodeChecks:
    """Checks of what was read, for one release.

    Attributes:
        read: The objects.
        version: The release.
        kubernetes_version: The cluster's Kubernetes, such as ``1.35``, where it is known.
        complete: Whether the classes must have everything, as nobody fills in the rest.
    """

    read: NodeManifests
    version: KarpenterVersion
    kubernetes_version: str | None
    complete: bool = True

    def problems(self) -> list[Problem]:
        """What the release refuses, with lines."""
        # Objects that are wrong by themselves say little about others.
        found = [*self._each()] or self._fleet[0]
        return [self.read.placed(problem) for problem in found]

    def _each(self) -> Iterator[Problem]:
        read, version = self.read, self.version
        for node_class in read.node_classes:
            yield from check_node_class(
                node_class,
                version,
                path=node_class.path,
                kubernetes_version=self.kubernetes_version,
                complete=self.complete,
            )
        for pool in read.node_pools:
            used = self.classes.get(pool.node_class or "")
            yield from check_node_pool(pool, version, path=pool.path, node_class=used)
        for overlay in read.node_overlays:
            yield from check_node_overlay(overlay, version, path=overlay.path)
        for buffer in read.capacity_buffers:
            yield from check_capacity_buffer(buffer, version, path=buffer.path)

    def cautions(self) -> list[Caution]:
        """What works but should not stay so, of objects without problems."""
        kubernetes = kubernetes_caution(self.version, self.kubernetes_version)
        missing = [
            Caution(
                "karpenter-construct:otherNodeClass",
                f"`{pool.path}.node_class`: the node class {pool.node_class!r} is in none of the files, so "
                "the two are not checked together",
            )
            for pool in self.read.node_pools
            if pool.node_class not in self.classes
        ]
        empty = [] if self.read.origins else [_NOTHING]
        return [*([kubernetes] if kubernetes else []), *empty, *missing, *self._fleet_cautions()]

    def _fleet_cautions(self) -> list[Caution]:
        # Files with classes alone have their pools elsewhere.
        silent = "" if self.read.node_pools else "karpenter-construct:unusedNodeClass"
        return [caution for caution in self._fleet[1] if caution.id != silent]

    @cached_property
    def classes(self) -> dict[str, EC2NodeClass]:
        """The classes by name."""
        return {node_class.name: node_class for node_class in self.read.node_classes}

    @cached_property
    def _fleet(self) -> tuple[list[Problem], list[Caution]]:
        whole = [pool for pool in self.read.node_pools if pool.node_class in self.classes]
        return check_fleet(whole, self.read.node_classes, self.version)
