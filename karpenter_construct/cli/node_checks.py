"""What a release says to the objects of files: problems and cautions, by the checks of the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
from ..node_pool import NodePool
from ..releases import KarpenterVersion


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
        found = [*self._each()] or self._fleet()[0]
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
        """What works but should not stay so."""
        kubernetes = kubernetes_caution(self.version, self.kubernetes_version)
        missing = [
            Caution(
                "karpenter-construct:otherNodeClass",
                f"`{pool.path}.node_class`: the node class {pool.node_class!r} is in none of the files, so "
                "the two are not checked together",
            )
            for pool in self.read.node_pools
            if pool not in self.whole_pools
        ]
        return [*([kubernetes] if kubernetes else []), *missing, *self._fleet()[1]]

    @property
    def classes(self) -> dict[str, EC2NodeClass]:
        """The classes by name."""
        return {node_class.name: node_class for node_class in self.read.node_classes}

    @property
    def whole_pools(self) -> list[NodePool]:
        """The pools whose class was read too."""
        classes = self.classes
        return [pool for pool in self.read.node_pools if pool.node_class in classes]

    def _fleet(self) -> tuple[list[Problem], list[Caution]]:
        return check_fleet(self.whole_pools, self.read.node_classes, self.version)
