"""Which Karpenter has which cluster: two on one cluster would fight over its nodes.

Written down as metadata of the app's root, which is part of no stack and appears in no template. The Python
object of a construct is not kept alive by its tree, so there is nothing to find by class later.
"""

from __future__ import annotations

from collections.abc import Collection

from constructs import Node

_METADATA = "karpenter-construct:cluster"


def claimant(root: Node, keys: Collection[str]) -> str | None:
    """The path of the construct that claimed a cluster known by any of ``keys``."""
    for entry in root.metadata:
        if entry.type == _METADATA and not set(keys).isdisjoint(entry.data["keys"]):
            return str(entry.data["path"])
    return None


def claim(root: Node, keys: Collection[str], path: str) -> None:
    """Note that the construct at ``path`` has the cluster known by ``keys``."""
    root.add_metadata(_METADATA, {"keys": list(keys), "path": path})
