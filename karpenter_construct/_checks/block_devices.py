"""The EBS volumes of a node class."""

from __future__ import annotations

from collections.abc import Container, Iterator

from .._tokens import is_unresolved
from ..block_devices import BlockDevice, BlockDeviceMapping
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..releases import KarpenterVersion, since, until
from .rule import Rule, broken

# The device of the root volume (provider-aws pkg/providers/amifamily, DefaultBlockDeviceMappings).
_ROOT_DEVICES = {
    "AL2": "/dev/xvda",
    "AL2023": "/dev/xvda",
    "Bottlerocket": "/dev/xvda",
    "Ubuntu": "/dev/sda1",
    "Windows2019": "/dev/sda1",
    "Windows2022": "/dev/sda1",
    "Windows2025": "/dev/sda1",
}

_MAPPING_RULES: tuple[Rule[BlockDeviceMapping], ...] = (
    Rule(
        lambda mapping: not mapping.device_name or mapping.ebs is None,
        "deviceName and ebs must be defined before Karpenter 1.0.0",
        "give both",
        window=until("1.0"),
    ),
    Rule(
        lambda mapping: not mapping.device_name,
        "names no device, without which EC2 makes no volume",
        "give device_name, as in '/dev/xvda'",
        window=since("1.0"),
    ),
)

_WITH_IOPS = {"gp3": 3000, "io1": 100, "io2": 100}
"""The volume types whose I/O operations can be chosen, each with the least (EC2 API, ``EbsBlockDevice``)."""
_LEAST_THROUGHPUT = 125


def _is_below(value: int | None, least: int) -> bool:
    return value is not None and not is_unresolved(value) and value < least


def _cannot_have(volume_type: str | None, types: Container[str]) -> bool:
    """Whether volumes of a type that is known are none of these."""
    return volume_type is not None and not is_unresolved(volume_type) and volume_type not in types


_VOLUME_RULES: tuple[Rule[BlockDevice], ...] = (
    Rule(
        lambda ebs: ebs.snapshot_id is None and ebs.volume_size is None,
        "snapshotID or volumeSize must be defined",
        "give volume_size, as in '20Gi'",
    ),
    Rule(
        lambda ebs: ebs.volume_initialization_rate is not None and not ebs.snapshot_id,
        "snapshotID must be set when volumeInitializationRate is set",
        "give snapshot_id, or leave the rate out",
        field="volume_initialization_rate",
        window=since("1.5"),
    ),
    Rule(
        lambda ebs: ebs.iops is not None and _cannot_have(ebs.volume_type, _WITH_IOPS),
        "is for gp3, io1 and io2 alone",
        "leave it out, or write volume_type 'gp3'",
        field="iops",
    ),
    Rule(
        lambda ebs: ebs.iops is None and ebs.volume_type in {"io1", "io2"},
        "needs iops",
        "give iops, or write 'gp3'",
        field="volume_type",
    ),
    Rule(
        lambda ebs: _is_below(ebs.iops, _WITH_IOPS.get(ebs.volume_type or "", 0)),
        "must be at least 3000 for gp3, and 100 for io1 and io2",
        "raise it, or leave it out for gp3",
        field="iops",
    ),
    Rule(
        lambda ebs: ebs.throughput is not None and _cannot_have(ebs.volume_type, {"gp3"}),
        "is for gp3 alone",
        "leave it out, or write volume_type 'gp3'",
        field="throughput",
    ),
    Rule(
        lambda ebs: ebs.volume_type == "gp3" and _is_below(ebs.throughput, _LEAST_THROUGHPUT),
        "must be at least 125",
        "raise it, or leave it out",
        field="throughput",
    ),
)


def block_device_problems(
    node_class: EC2NodeClass, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    """What is wrong with the volumes of a node class."""
    mappings = node_class.block_device_mappings
    if not mappings or is_unresolved(mappings):
        return
    here = f"{path}.block_device_mappings"
    roots = [mapping for mapping in mappings if mapping.root_volume is True]
    if len(roots) > 1:
        yield Problem(
            here, f"must have only one blockDeviceMappings with rootVolume, has {len(roots)}; keep one"
        )
    for index, mapping in enumerate(mappings):
        yield from broken(_MAPPING_RULES, mapping, f"{here}[{index}]", version)
        if mapping.ebs is not None:
            yield from broken(_VOLUME_RULES, mapping.ebs, f"{here}[{index}].ebs", version)
    yield from _device_problems(node_class, here)


def _device_problems(node_class: EC2NodeClass, path: str) -> Iterator[Problem]:
    # Images chosen by id, name or tags may have any root device.
    family = node_class.family if node_class.alias or node_class.ami_selector_terms is None else None
    root = _ROOT_DEVICES.get(family or "")
    seen: dict[str, int] = {}
    for index, mapping in enumerate(node_class.block_device_mappings or ()):
        name = mapping.device_name
        if name is None or is_unresolved(name):
            continue
        here = f"{path}[{index}].device_name"
        if seen.setdefault(name, index) != index:
            yield Problem(here, f"is mapped twice, got {name!r}; map each device once")
        if root is not None and name != root and name in _ROOT_DEVICES.values():
            yield Problem(here, f"is not the root device of {family}, got {name!r}; write {root!r}")
