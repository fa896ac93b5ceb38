"""The names that this package exports; each is imported when it is asked for."""

from ._applying.applied_object import AppliedObject as AppliedObject
from ._decisions.identity import IdentityType as IdentityType
from ._decisions.node_access import NodeAccess as NodeAccess
from .block_devices import (
    BlockDevice as BlockDevice,
    BlockDeviceMapping as BlockDeviceMapping,
    VolumeType as VolumeType,
)
from .capacity_buffer import (
    CapacityBuffer as CapacityBuffer,
    PodTemplateRef as PodTemplateRef,
    ScalableRef as ScalableRef,
)
from .controller_capacity import ControllerCapacity as ControllerCapacity
from .discovery import Discovery as Discovery
from .errors import (
    Caution as Caution,
    Problem as Problem,
    SettingsError as SettingsError,
    UnsupportedVersionError as UnsupportedVersionError,
)
from .karpenter import Karpenter as Karpenter
from .kubelet import Kubelet as Kubelet
from .node_class import (
    AMIFamily as AMIFamily,
    ConnectionTracking as ConnectionTracking,
    CPUOptions as CPUOptions,
    EC2NodeClass as EC2NodeClass,
    InstanceStorePolicy as InstanceStorePolicy,
    InterfaceType as InterfaceType,
    MetadataOptions as MetadataOptions,
    MetadataState as MetadataState,
    MetadataTokens as MetadataTokens,
    NestedVirtualization as NestedVirtualization,
    NetworkInterface as NetworkInterface,
)
from .node_constructs import (
    KarpenterCapacityBuffer as KarpenterCapacityBuffer,
    KarpenterNodeClass as KarpenterNodeClass,
    KarpenterNodeOverlay as KarpenterNodeOverlay,
    KarpenterNodePool as KarpenterNodePool,
)
from .node_overlay import NodeOverlay as NodeOverlay
from .node_pool import (
    Budget as Budget,
    ConsolidationPolicy as ConsolidationPolicy,
    Disruption as Disruption,
    DisruptionReason as DisruptionReason,
    NodePool as NodePool,
    Taint as Taint,
    TaintEffect as TaintEffect,
)
from .requirements import (
    ARCH as ARCH,
    CAPACITY_RESERVATION_ID as CAPACITY_RESERVATION_ID,
    CAPACITY_RESERVATION_INTERRUPTIBLE as CAPACITY_RESERVATION_INTERRUPTIBLE,
    CAPACITY_RESERVATION_TYPE as CAPACITY_RESERVATION_TYPE,
    CAPACITY_TYPE as CAPACITY_TYPE,
    EC2_NODE_CLASS as EC2_NODE_CLASS,
    INSTANCE_ACCELERATOR_COUNT as INSTANCE_ACCELERATOR_COUNT,
    INSTANCE_ACCELERATOR_MANUFACTURER as INSTANCE_ACCELERATOR_MANUFACTURER,
    INSTANCE_ACCELERATOR_NAME as INSTANCE_ACCELERATOR_NAME,
    INSTANCE_CAPABILITY_FLEX as INSTANCE_CAPABILITY_FLEX,
    INSTANCE_CATEGORY as INSTANCE_CATEGORY,
    INSTANCE_CPU as INSTANCE_CPU,
    INSTANCE_CPU_MANUFACTURER as INSTANCE_CPU_MANUFACTURER,
    INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ as INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ,
    INSTANCE_EBS_BANDWIDTH as INSTANCE_EBS_BANDWIDTH,
    INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED as INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED,
    INSTANCE_FAMILY as INSTANCE_FAMILY,
    INSTANCE_GENERATION as INSTANCE_GENERATION,
    INSTANCE_GPU_COUNT as INSTANCE_GPU_COUNT,
    INSTANCE_GPU_MANUFACTURER as INSTANCE_GPU_MANUFACTURER,
    INSTANCE_GPU_MEMORY as INSTANCE_GPU_MEMORY,
    INSTANCE_GPU_NAME as INSTANCE_GPU_NAME,
    INSTANCE_HYPERVISOR as INSTANCE_HYPERVISOR,
    INSTANCE_LOCAL_NVME as INSTANCE_LOCAL_NVME,
    INSTANCE_MEMORY as INSTANCE_MEMORY,
    INSTANCE_NETWORK_BANDWIDTH as INSTANCE_NETWORK_BANDWIDTH,
    INSTANCE_SIZE as INSTANCE_SIZE,
    INSTANCE_TENANCY as INSTANCE_TENANCY,
    INSTANCE_TYPE as INSTANCE_TYPE,
    NODE_POOL as NODE_POOL,
    OS as OS,
    PLACEMENT_GROUP_ID as PLACEMENT_GROUP_ID,
    PLACEMENT_GROUP_PARTITION as PLACEMENT_GROUP_PARTITION,
    REGION as REGION,
    WINDOWS_BUILD as WINDOWS_BUILD,
    ZONE as ZONE,
    ZONE_ID as ZONE_ID,
    CapacityType as CapacityType,
    DoesNotExist as DoesNotExist,
    Exists as Exists,
    Gt as Gt,
    Gte as Gte,
    In as In,
    Lt as Lt,
    Lte as Lte,
    NotIn as NotIn,
    Operator as Operator,
    Requirement as Requirement,
)
from .selector_terms import (
    AMISelectorTerm as AMISelectorTerm,
    CapacityReservationSelectorTerm as CapacityReservationSelectorTerm,
    InstanceMatchCriteria as InstanceMatchCriteria,
    PlacementGroupSelector as PlacementGroupSelector,
    SecurityGroupSelectorTerm as SecurityGroupSelectorTerm,
    SubnetSelectorTerm as SubnetSelectorTerm,
)
