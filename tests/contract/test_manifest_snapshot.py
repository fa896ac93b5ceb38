"""One pool and one class in the words of every release, as a file to read."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import yaml

from karpenter_construct._checks import check_node_class, check_node_pool
from karpenter_construct._dialects import dialect
from karpenter_construct.block_devices import BlockDevice, BlockDeviceMapping
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool, Taint
from karpenter_construct.requirements import CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION, Gt, In
from tests.contract import crd_oracle, upstream

POOL = NodePool(
    name="batch",
    node_class="batch",
    requirements=[In(CAPACITY_TYPE, "spot"), In(INSTANCE_CATEGORY, "c", "m"), Gt(INSTANCE_GENERATION, 5)],
    labels={"team": "data"},
    taints=[Taint(key="dedicated", value="batch", effect="NoSchedule")],
    limits={"cpu": 200, "memory": "800Gi"},
    weight=10,
)
CLASS = EC2NodeClass(
    name="batch",
    ami="al2@latest",
    instance_profile="batch-nodes",
    subnet_selector_terms=[{"tags": {"karpenter.sh/discovery": "demo"}}],
    security_group_selector_terms=[{"id": "sg-0123456789abcdef0"}, {"id": "sg-0123456789abcdef1"}],
    block_device_mappings=[
        BlockDeviceMapping(device_name="/dev/xvda", ebs=BlockDevice(volume_size="50Gi", volume_type="gp3"))
    ],
    kubelet=Kubelet(max_pods=110),
    tags={"team": "data"},
)


def _manifests(tag: str) -> list[dict[str, Any]]:
    words = dialect(upstream.version(tag))
    return [words.node_pool(POOL, CLASS), words.node_class(CLASS)]


def test_snapshot_of_one_pool_and_class_in_every_release(snapshot):
    parts = []
    for manifests, tags in groupby(upstream.TAGS, key=_manifests):
        heading = f"# {', '.join(tags)}\n"
        parts += [heading + yaml.safe_dump(each, sort_keys=False) for each in manifests]
    snapshot.text("manifests.yaml", "---\n".join(parts))


def test_every_release_accepts_it():
    for tag in upstream.TAGS:
        version = upstream.version(tag)
        assert check_node_pool(POOL, version, path="pool", node_class=CLASS) == []
        assert check_node_class(CLASS, version, path="class", complete=True) == []
        assert [crd_oracle.violations(tag, manifest) for manifest in _manifests(tag)] == [[], []]
