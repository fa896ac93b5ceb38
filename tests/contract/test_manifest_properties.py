"""Whatever our checks accept for a release, that release accepts too.

The strategies draw from values on both sides of the rules. What the checks refuse proves nothing here; a test
of its own sees to it that enough is accepted, and enough refused.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karpenter_construct._dialects import dialect
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from tests.contract import accepted, controller_rules, crd_oracle, model_strategies, upstream

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "80"))
TAGS_WITH_OVERLAYS = [tag for tag in upstream.TAGS if upstream.version(tag) in NodeOverlay.window]

KINDS = {
    "node pools": (model_strategies.node_pools, NodePool, upstream.TAGS),
    "node classes": (model_strategies.node_classes, EC2NodeClass, upstream.TAGS),
    "node overlays": (model_strategies.node_overlays, NodeOverlay, TAGS_WITH_OVERLAYS),
    "capacity buffers": (model_strategies.capacity_buffers, CapacityBuffer, ["v1.14.1"]),
}


def _examples(count: int) -> settings:
    return settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_checks_accept_the_release_accepts(kind):
    strategy, model, tags = KINDS[kind]
    by_tag = {tag: strategy(upstream.version(tag)) for tag in tags}
    seen: Counter[bool] = Counter()

    @_examples(EXAMPLES)
    @given(data=st.data(), tag=st.sampled_from(tags))
    def accepted_by_both(data: st.DataObject, tag: str) -> None:
        manifest = accepted.manifest(upstream.version(tag), accepted.built(model, data.draw(by_tag[tag])))
        seen[manifest is not None] += 1
        assert manifest is None or crd_oracle.violations(tag, manifest) == []

    accepted_by_both()
    assert seen[True] > EXAMPLES // 4
    assert seen[False] > 0


@_examples(EXAMPLES // 3)
@given(data=st.data())
def test_the_webhook_of_a_provisioner_does_not_narrow_what_the_pool_says(data):
    version = upstream.version("v0.31.5")
    wanted = data.draw(st.lists(model_strategies.requirements(version), max_size=3))
    pool = accepted.built(NodePool, {"requirements": wanted})
    if pool is None:
        return
    said = dialect(version).node_pool(pool, accepted.CLASS)["spec"]["requirements"]
    meant = [(each.key, str(each.operator), tuple(each.values)) for each in pool.requirements]
    stored = [
        (each["key"], each["operator"], tuple(each.get("values", ())))
        for each in controller_rules.with_webhook_defaults(said)
    ]
    assert set(meant) <= set(stored)
    assert {operator for key, operator, values in set(stored) - set(meant)} <= {"Exists"}
