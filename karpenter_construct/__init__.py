"""Karpenter on Amazon EKS as an AWS CDK construct: every release, every kind of cluster, checked at synth."""

from importlib import import_module
from typing import TYPE_CHECKING

from . import requirements
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
from .node_class import MetadataOptions, MetadataState, MetadataTokens, NestedVirtualization, NetworkInterface
from .node_overlay import NodeOverlay
from .node_pool import Budget, ConsolidationPolicy, Disruption, DisruptionReason, NodePool, Taint, TaintEffect
from .requirements import *
from .selector_terms import AMISelectorTerm, CapacityReservationSelectorTerm, InstanceMatchCriteria
from .selector_terms import PlacementGroupSelector, SecurityGroupSelectorTerm, SubnetSelectorTerm

if TYPE_CHECKING:
    from .karpenter import Karpenter
    from .node_constructs import (
        KarpenterCapacityBuffer,
        KarpenterNodeClass,
        KarpenterNodeOverlay,
        KarpenterNodePool,
    )

# fmt: off
__all__ = [
    "AMIFamily",
    "AMISelectorTerm",
    "BlockDevice",
    "BlockDeviceMapping",
    "Budget",
    "CPUOptions",
    "CapacityBuffer",
    "CapacityReservationSelectorTerm",
    "Caution",
    "ConnectionTracking",
    "ConsolidationPolicy",
    "ControllerCapacity",
    "Discovery",
    "Disruption",
    "DisruptionReason",
    "EC2NodeClass",
    "IdentityType",
    "InstanceMatchCriteria",
    "InstanceStorePolicy",
    "InterfaceType",
    "Karpenter",
    "KarpenterCapacityBuffer",
    "KarpenterNodeClass",
    "KarpenterNodeOverlay",
    "KarpenterNodePool",
    "Kubelet",
    "MetadataOptions",
    "MetadataState",
    "MetadataTokens",
    "NestedVirtualization",
    "NetworkInterface",
    "NodeAccess",
    "NodeOverlay",
    "NodePool",
    "PlacementGroupSelector",
    "PodTemplateRef",
    "Problem",
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
__all__ += requirements.__all__


_CONSTRUCTS = {
    "Karpenter": ".karpenter",
    "KarpenterCapacityBuffer": ".node_constructs",
    "KarpenterNodeClass": ".node_constructs",
    "KarpenterNodeOverlay": ".node_constructs",
    "KarpenterNodePool": ".node_constructs",
}


def __getattr__(name: str) -> object:
    """Import constructs, and CDK with them, only when they are asked for: the command line needs the models alone."""
    if name not in _CONSTRUCTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_CONSTRUCTS[name], __name__), name)
