"""Karpenter on Amazon EKS as an AWS CDK construct: every release, every kind of cluster, checked at synth."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._applying.applied_object import AppliedObject
    from ._decisions.identity import IdentityType
    from ._decisions.node_access import NodeAccess
    from .block_devices import BlockDevice, BlockDeviceMapping, VolumeType
    from .capacity_buffer import CapacityBuffer, PodTemplateRef, ScalableRef
    from .controller_capacity import ControllerCapacity
    from .discovery import Discovery
    from .errors import Caution, Problem, SettingsError, UnsupportedVersionError
    from .kubelet import Kubelet
    from .node_class import (
        AMIFamily,
        ConnectionTracking,
        CPUOptions,
        EC2NodeClass,
        InstanceStorePolicy,
        InterfaceType,
    )
    from .node_class import (
        MetadataOptions,
        MetadataState,
        MetadataTokens,
        NestedVirtualization,
        NetworkInterface,
    )
    from .node_overlay import NodeOverlay
    from .node_pool import (
        Budget,
        ConsolidationPolicy,
        Disruption,
        DisruptionReason,
        NodePool,
        Taint,
        TaintEffect,
    )
    from .requirements import *
    from .selector_terms import AMISelectorTerm, CapacityReservationSelectorTerm, InstanceMatchCriteria
    from .selector_terms import PlacementGroupSelector, SecurityGroupSelectorTerm, SubnetSelectorTerm
    from .karpenter import Karpenter
    from .node_constructs import (
        KarpenterCapacityBuffer,
        KarpenterNodeClass,
        KarpenterNodeOverlay,
        KarpenterNodePool,
    )

# fmt: off
__all__ = [
    "ARCH",
    "CAPACITY_RESERVATION_ID",
    "CAPACITY_RESERVATION_INTERRUPTIBLE",
    "CAPACITY_RESERVATION_TYPE",
    "CAPACITY_TYPE",
    "EC2_NODE_CLASS",
    "INSTANCE_ACCELERATOR_COUNT",
    "INSTANCE_ACCELERATOR_MANUFACTURER",
    "INSTANCE_ACCELERATOR_NAME",
    "INSTANCE_CAPABILITY_FLEX",
    "INSTANCE_CATEGORY",
    "INSTANCE_CPU",
    "INSTANCE_CPU_MANUFACTURER",
    "INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ",
    "INSTANCE_EBS_BANDWIDTH",
    "INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED",
    "INSTANCE_FAMILY",
    "INSTANCE_GENERATION",
    "INSTANCE_GPU_COUNT",
    "INSTANCE_GPU_MANUFACTURER",
    "INSTANCE_GPU_MEMORY",
    "INSTANCE_GPU_NAME",
    "INSTANCE_HYPERVISOR",
    "INSTANCE_LOCAL_NVME",
    "INSTANCE_MEMORY",
    "INSTANCE_NETWORK_BANDWIDTH",
    "INSTANCE_SIZE",
    "INSTANCE_TENANCY",
    "INSTANCE_TYPE",
    "NODE_POOL",
    "OS",
    "PLACEMENT_GROUP_ID",
    "PLACEMENT_GROUP_PARTITION",
    "REGION",
    "WINDOWS_BUILD",
    "ZONE",
    "ZONE_ID",
    "AMIFamily",
    "AMISelectorTerm",
    "AppliedObject",
    "BlockDevice",
    "BlockDeviceMapping",
    "Budget",
    "CPUOptions",
    "CapacityBuffer",
    "CapacityReservationSelectorTerm",
    "CapacityType",
    "Caution",
    "ConnectionTracking",
    "ConsolidationPolicy",
    "ControllerCapacity",
    "Discovery",
    "Disruption",
    "DisruptionReason",
    "DoesNotExist",
    "EC2NodeClass",
    "Exists",
    "Gt",
    "Gte",
    "IdentityType",
    "In",
    "InstanceMatchCriteria",
    "InstanceStorePolicy",
    "InterfaceType",
    "Karpenter",
    "KarpenterCapacityBuffer",
    "KarpenterNodeClass",
    "KarpenterNodeOverlay",
    "KarpenterNodePool",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "MetadataState",
    "MetadataTokens",
    "NestedVirtualization",
    "NetworkInterface",
    "NodeAccess",
    "NodeOverlay",
    "NodePool",
    "NotIn",
    "Operator",
    "PlacementGroupSelector",
    "PodTemplateRef",
    "Problem",
    "Requirement",
    "ScalableRef",
    "SecurityGroupSelectorTerm",
    "SettingsError",
    "SubnetSelectorTerm",
    "Taint",
    "TaintEffect",
    "UnsupportedVersionError",
    "VolumeType",
]
# fmt: on

# Imported when a name is asked for: `karpenter-construct releases` needs no model, and no command needs
# the CDK.
_HOMES = {
    "._applying.applied_object": ["AppliedObject"],
    "._decisions.identity": ["IdentityType"],
    "._decisions.node_access": ["NodeAccess"],
    ".block_devices": ["BlockDevice", "BlockDeviceMapping", "VolumeType"],
    ".capacity_buffer": ["CapacityBuffer", "PodTemplateRef", "ScalableRef"],
    ".controller_capacity": ["ControllerCapacity"],
    ".discovery": ["Discovery"],
    ".errors": ["Caution", "Problem", "SettingsError", "UnsupportedVersionError"],
    ".karpenter": ["Karpenter"],
    ".kubelet": ["Kubelet"],
    ".node_class": [
        "AMIFamily",
        "CPUOptions",
        "ConnectionTracking",
        "EC2NodeClass",
        "InstanceStorePolicy",
        "InterfaceType",
        "MetadataOptions",
        "MetadataState",
        "MetadataTokens",
        "NestedVirtualization",
        "NetworkInterface",
    ],
    ".node_constructs": [
        "KarpenterCapacityBuffer",
        "KarpenterNodeClass",
        "KarpenterNodeOverlay",
        "KarpenterNodePool",
    ],
    ".node_overlay": ["NodeOverlay"],
    ".node_pool": [
        "Budget",
        "ConsolidationPolicy",
        "Disruption",
        "DisruptionReason",
        "NodePool",
        "Taint",
        "TaintEffect",
    ],
    ".requirements": [
        "ARCH",
        "CAPACITY_RESERVATION_ID",
        "CAPACITY_RESERVATION_INTERRUPTIBLE",
        "CAPACITY_RESERVATION_TYPE",
        "CAPACITY_TYPE",
        "EC2_NODE_CLASS",
        "INSTANCE_ACCELERATOR_COUNT",
        "INSTANCE_ACCELERATOR_MANUFACTURER",
        "INSTANCE_ACCELERATOR_NAME",
        "INSTANCE_CAPABILITY_FLEX",
        "INSTANCE_CATEGORY",
        "INSTANCE_CPU",
        "INSTANCE_CPU_MANUFACTURER",
        "INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ",
        "INSTANCE_EBS_BANDWIDTH",
        "INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED",
        "INSTANCE_FAMILY",
        "INSTANCE_GENERATION",
        "INSTANCE_GPU_COUNT",
        "INSTANCE_GPU_MANUFACTURER",
        "INSTANCE_GPU_MEMORY",
        "INSTANCE_GPU_NAME",
        "INSTANCE_HYPERVISOR",
        "INSTANCE_LOCAL_NVME",
        "INSTANCE_MEMORY",
        "INSTANCE_NETWORK_BANDWIDTH",
        "INSTANCE_SIZE",
        "INSTANCE_TENANCY",
        "INSTANCE_TYPE",
        "NODE_POOL",
        "OS",
        "PLACEMENT_GROUP_ID",
        "PLACEMENT_GROUP_PARTITION",
        "REGION",
        "WINDOWS_BUILD",
        "ZONE",
        "ZONE_ID",
        "CapacityType",
        "DoesNotExist",
        "Exists",
        "Gt",
        "Gte",
        "In",
        "Lt",
        "Lte",
        "NotIn",
        "Operator",
        "Requirement",
    ],
    ".selector_terms": [
        "AMISelectorTerm",
        "CapacityReservationSelectorTerm",
        "InstanceMatchCriteria",
        "PlacementGroupSelector",
        "SecurityGroupSelectorTerm",
        "SubnetSelectorTerm",
    ],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for, once."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOME[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]
