"""Border by border, whatever our checks accept for a release, that release accepts too.

`test_manifest_properties` puts such values together; here each stands alone, so that nothing hides it.
"""

from __future__ import annotations

from functools import cache

import pytest

from karpenter_construct._model import Named
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from tests.contract import accepted, border_values, crd_oracle, upstream

BORDERS = {
    NodePool: border_values.node_pools,
    EC2NodeClass: border_values.node_classes,
    NodeOverlay: border_values.node_overlays,
    CapacityBuffer: border_values.capacity_buffers,
}


@cache
def objects(model: type[Named]) -> tuple[Named | None, ...]:
    """One object for each border value, ``None`` where the model itself refuses it.

    Where the border of one field is that of another too, there is the object once.
    """
    made = ((fields, accepted.built(model, fields)) for fields in BORDERS[model]())
    return tuple({repr(fields if obj is None else obj): obj for fields, obj in made}.values())


@pytest.mark.parametrize(
    ("model", "tag"),
    [(model, tag) for model in BORDERS for tag in upstream.TAGS if upstream.version(tag) in model.window],
)
def test_what_the_checks_accept_the_release_accepts(model, tag):
    version = upstream.version(tag)
    manifests = [(obj, accepted.manifest(version, obj)) for obj in objects(model)]
    refused = [
        (obj, violations)
        for obj, manifest in manifests
        if manifest and (violations := crd_oracle.violations(tag, manifest))
    ]
    assert refused == []
    share = sum(manifest is not None for _, manifest in manifests) / len(manifests)
    assert 0.1 < share < 0.9, "both sides of the borders are tried"
