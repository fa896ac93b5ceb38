"""Node objects that together use every field, cut down to what a release knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from karpenter_construct._model import Model, field_window, nested_model
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import ALWAYS, KarpenterVersion, Window, since, until

Fields = dict[str, Any]

_KUBELET: Fields = {
    "cluster_dns": ["10.0.0.10"],
    "max_pods": 20,
    "pods_per_core": 2,
    "kube_reserved": {"cpu": "100m", "memory": "100Mi", "ephemeral-storage": "1Gi", "pid": "100"},
    "system_reserved": {"cpu": "100m"},
    "eviction_hard": {"memory.available": "5%", "nodefs.available": "100Mi"},
    "eviction_soft": {"memory.available": "10.5%"},
    "eviction_soft_grace_period": {"memory.available": "1m30s"},
    "eviction_max_pod_grace_period": 60,
    "image_gc_high_threshold_percent": 85,
    "image_gc_low_threshold_percent": 80,
    "cpu_cfs_quota": False,
}
_TAINT: Fields = {
    "key": "example.com/a",
    "value": "b",
    "effect": "NoSchedule",
    "time_added": "2026-01-31T12:00:00Z",
}
_CAPACITY_TYPE: Fields = {
    "key": "karpenter.sh/capacity-type",
    "operator": "In",
    "values": ["spot", "on-demand"],
}
_CPU: Fields = {"key": "karpenter.k8s.aws/instance-cpu", "values": ["4"]}

_POOLS: tuple[tuple[Window, Fields], ...] = (
    (
        ALWAYS,
        {
            "requirements": [
                {**_CAPACITY_TYPE, "min_values": 2},
                {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["arm64"]},
                {"key": "topology.kubernetes.io/zone", "operator": "Exists"},
                {"key": "karpenter.k8s.aws/instance-gpu-count", "operator": "DoesNotExist"},
                {**_CPU, "operator": "Gt"},
                {**_CPU, "operator": "Lt", "values": ["33"]},
            ],
            "labels": {"example.com/team": "a"},
            "annotations": {"example.com/owner": "Anyone at all!"},
            "taints": [_TAINT],
            "startup_taints": [{**_TAINT, "effect": "NoExecute"}],
            "expire_after": "72h30m15s",
            "termination_grace_period": "1h",
            "disruption": {
                "consolidation_policy": "WhenEmptyOrUnderutilized",
                "consolidate_after": "0s",
                "budgets": [
                    {"nodes": "10%"},
                    {
                        "nodes": "0",
                        "reasons": ["Underutilized", "Empty", "Drifted"],
                        "schedule": "0 9 * * mon-fri",
                        "duration": "8h30m",
                    },
                ],
            },
            "limits": {"cpu": 100, "memory": "1Ti"},
            "weight": 100,
        },
    ),
    (until("1.0"), {"kubelet": _KUBELET}),
    (ALWAYS, {"disruption": {"consolidation_policy": "WhenEmpty", "consolidate_after": "30s"}}),
    (ALWAYS, {"disruption": {"consolidate_after": "Never"}, "expire_after": "Never", "limits": None}),
    (since("1.0"), {"disruption": {"consolidate_after": "30s", "budgets": []}}),
    (since("1.8"), {"replicas": 3, "limits": {"nodes": 5}}),
    (
        since("1.9"),
        {"requirements": [{**_CPU, "operator": "Gte"}, {**_CPU, "operator": "Lte", "values": ["8"]}]},
    ),
    (since("1.14"), {"disruption": {"consolidation_policy": "Balanced", "consolidate_after": "1m"}}),
)

_FOUND: Fields = {
    "subnet_selector_terms": [{"tags": {"karpenter.sh/discovery": "demo", "tier": "*"}}],
    "security_group_selector_terms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
}
_BY_ID: Fields = {
    "subnet_selector_terms": [{"id": "subnet-1"}, {"id": "subnet-2"}],
    "security_group_selector_terms": [{"id": "sg-1"}, {"id": "sg-2"}],
}
_VOLUME: Fields = {
    "volume_size": "20Gi",
    "snapshot_id": "snap-1",
    "volume_type": "gp3",
    "iops": 3000,
    "throughput": 125,
    "volume_initialization_rate": 200,
    "encrypted": True,
    "kms_key_id": "alias/a",
    "delete_on_termination": True,
}
_CLASSES: tuple[tuple[Window, Fields], ...] = (
    (
        ALWAYS,
        {
            **_FOUND,
            "ami": "al2@latest",
            "role": "nodes",
            "associate_public_ip_address": True,
            "ip_prefix_count": 1,
            "network_interfaces": [
                {"network_card_index": 0, "device_index": 0, "interface_type": "interface"},
                {"network_card_index": 1, "device_index": 1, "interface_type": "efa-only"},
            ],
            "connection_tracking": {
                "tcp_established_timeout": 60,
                "udp_stream_timeout": 60,
                "udp_timeout": 30,
            },
            "capacity_reservation_selector_terms": [
                {"id": "cr-1"},
                {"owner_id": "123456789012", "tags": {"a": "b"}, "instance_match_criteria": "targeted"},
            ],
            "placement_group_selector": {"id": "pg-1"},
            "user_data": "#!/bin/sh",
            "block_device_mappings": [{"device_name": "/dev/xvda", "ebs": _VOLUME, "root_volume": True}],
            "instance_store_policy": "RAID0",
            "metadata_options": {"http_put_response_hop_limit": 2, "http_tokens": "optional"},
            "detailed_monitoring": True,
            "cpu_options": {"nested_virtualization": "enabled"},
            "kubelet": _KUBELET,
            "tags": {"team": "a", "Name": "b"},
            "context": "c-1",
        },
    ),
    (
        ALWAYS,
        {
            **_BY_ID,
            "instance_profile": "nodes",
            "ami_family": "Custom",
            "ami_selector_terms": [{"name": "mine-*", "owner": "self"}],
        },
    ),
    (
        ALWAYS,
        {
            **_FOUND,
            "instance_profile": "nodes",
            "ami_family": "Bottlerocket",
            "ami_selector_terms": [{"id": "ami-1"}, {"id": "ami-2"}],
        },
    ),
    (until("1.0"), {**_FOUND, "instance_profile": "nodes", "ami_family": "Ubuntu"}),
    (
        since("0.32"),
        {
            "subnet_selector_terms": [{"id": "subnet-1"}, {"tags": {"a": "b"}}],
            "security_group_selector_terms": [{"name": "nodes"}, {"id": "sg-1"}, {"tags": {"a": "b"}}],
            "role": "nodes",
            "ami_family": "Windows2022",
            "ami_selector_terms": [{"tags": {"a": "b"}}, {"name": "mine"}, {"id": "ami-1"}],
        },
    ),
    (since("0.35"), {**_FOUND, "role": "nodes", "ami": "al2023@latest"}),
    (
        since("1.0"),
        {
            **_FOUND,
            "role": "nodes",
            "ami_family": "Custom",
            "ami_selector_terms": [{"alias": "al2023@v20260810"}],
        },
    ),
    (
        since("1.4"),
        {
            **_FOUND,
            "role": "nodes",
            "ami_family": "AL2023",
            "ami_selector_terms": [{"ssm_parameter": "/mine"}, {"ssm_parameter": "/other"}],
        },
    ),
    (since("1.9"), {**_FOUND, "role": "nodes", "ami": "windows2025@latest"}),
    (
        since("1.11"),
        {**_FOUND, "role": "nodes", "ami": "al2023@latest", "placement_group_selector": {"name": "a"}},
    ),
)

_OVERLAYS: tuple[Fields, ...] = (
    {"requirements": [_CAPACITY_TYPE, {**_CPU, "operator": "Gt"}], "price": "0.25", "weight": 10_000},
    {"price_adjustment": "-15%", "capacity": {"smarter-devices/fuse": 1, "example.com/memory": "1Gi"}},
)

_BUFFERS: tuple[Fields, ...] = (
    {"pod_template_ref": {"name": "chunk"}, "replicas": 2, "limits": {"cpu": 10, "memory": "1Ti"}},
    {"scalable_ref": {"api_group": "apps", "kind": "Deployment", "name": "web"}, "percentage": 20},
)


def node_pools(version: KarpenterVersion) -> list[NodePool]:
    """Pools that together use every field and value that the release knows."""
    return [
        NodePool(**_known(NodePool, {"name": f"pool-{index}", **fields}, version))
        for index, (window, fields) in enumerate(_POOLS)
        if version in window
    ]


def node_classes(version: KarpenterVersion) -> list[EC2NodeClass]:
    """Classes that together use every field and value that the release knows."""
    return [
        EC2NodeClass(**_known(EC2NodeClass, {"name": f"class-{index}", **fields}, version))
        for index, (window, fields) in enumerate(_CLASSES)
        if version in window
    ]


def node_overlays(version: KarpenterVersion) -> list[NodeOverlay]:
    """Overlays that together use every field, none where the release has no overlays."""
    known = _OVERLAYS if version in NodeOverlay.window else ()
    return [
        NodeOverlay(**_known(NodeOverlay, {"name": f"overlay-{index}", **fields}, version))
        for index, fields in enumerate(known)
    ]


def capacity_buffers(version: KarpenterVersion) -> list[CapacityBuffer]:
    """Buffers that together use every field, none where the release has no buffers."""
    known = _BUFFERS if version in CapacityBuffer.window else ()
    return [CapacityBuffer(name=f"buffer-{index}", **fields) for index, fields in enumerate(known)]


def _known(model: type[Model], fields: Mapping[str, Any], version: KarpenterVersion) -> Fields:
    """The fields that the release knows, on all levels."""
    return {
        name: _known_inside(nested_model(model, name), value, version)
        for name, value in fields.items()
        if version in field_window(model.model_fields[name])
    }


def _known_inside(model: type[Model] | None, value: object, version: KarpenterVersion) -> object:
    if model is not None and isinstance(value, list):
        return [_known_inside(model, item, version) for item in value]
    return _known(model, value, version) if model is not None and isinstance(value, dict) else value


def fields_with_windows(model: type[Model]) -> Iterator[tuple[str, Window]]:
    """The fields that not all releases know, in the CRD's spelling, on all levels below a model."""
    for name, field in model.model_fields.items():
        inner = nested_model(model, name)
        if field_window(field) != ALWAYS:
            yield str(field.alias), field_window(field)
        if inner is not None:
            yield from fields_with_windows(inner)
