"""Manifests of what our models and checks accept for a release."""

from __future__ import annotations

from functools import cache
from typing import Any

from karpenter_construct._checks import (
    check_capacity_buffer,
    check_node_class,
    check_node_overlay,
    check_node_pool,
)
from karpenter_construct._dialects import dialect
from karpenter_construct._model import Named
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion

CLASS = EC2NodeClass(name="default")
_dialect = cache(dialect)


def built(model: type[Named], fields: dict[str, Any]) -> Named | None:
    """The object with these arguments; ``None`` where the model refuses them."""
    try:
        return model(**{"name": "a", **fields})
    except SettingsError:
        return None


def manifest(version: KarpenterVersion, obj: Named | None) -> dict[str, Any] | None:
    """The manifest of an object; ``None`` where there is none, or the checks refuse it."""
    words = _dialect(version)
    if isinstance(obj, NodePool) and not check_node_pool(obj, version, path=obj.path, node_class=CLASS):
        return words.node_pool(obj, CLASS)
    if isinstance(obj, EC2NodeClass) and not check_node_class(obj, version, path=obj.path, complete=True):
        return words.node_class(obj)
    if isinstance(obj, NodeOverlay) and not check_node_overlay(obj, version, path=obj.path):
        return words.node_overlay(obj)
    if isinstance(obj, CapacityBuffer) and not check_capacity_buffer(obj, version, path=obj.path):
        return words.capacity_buffer(obj)
    return None
