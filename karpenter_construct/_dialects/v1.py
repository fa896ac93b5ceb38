"""The v1 API, Karpenter 1.0 and later: NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer.

What a neutral pool leaves open is written out although it is the API's default: the manifest says what
happens, and does not change its meaning where a later release changes a default.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from ..releases import KarpenterVersion
from .disruption import disruption
from .manifest import Manifest, manifest, plain, refuse, some, written
from .requirements import requirements

GROUP = "karpenter.k8s.aws"

# The order of upstream's documentation, concepts/nodeclasses.md, then of the CRD.
_BEFORE_AMI = ("ami_family", "subnet_selector_terms", "security_group_selector_terms")
_AFTER_AMI = (
    "capacity_reservation_selector_terms",
    "placement_group_selector",
    "role",
    "instance_profile",
    "user_data",
    "tags",
    "kubelet",
    "metadata_options",
    "block_device_mappings",
    "instance_store_policy",
    "detailed_monitoring",
    "associate_public_ip_address",
    "ip_prefix_count",
    "network_interfaces",
    "connection_tracking",
    "cpu_options",
    "context",
)


@dataclass(frozen=True)
class V1:
    """The words of Karpenter 1.0 and later."""

    version: KarpenterVersion

    def node_pool(self, pool: NodePool, node_class: EC2NodeClass) -> Manifest:
        """A NodePool; the kubelet's settings are in the class."""
        spec = {
            **written(pool, "replicas"),
            "template": {
                **some(metadata=some(labels=pool.labels, annotations=pool.annotations)),
                "spec": self._template(pool, node_class),
            },
            "disruption": plain(disruption(pool)),
            **some(limits=pool.limits, weight=pool.weight),
        }
        return manifest("karpenter.sh/v1", "NodePool", pool.name, spec)

    def _template(self, pool: NodePool, node_class: EC2NodeClass) -> Manifest:
        return {
            "nodeClassRef": {"group": GROUP, "kind": "EC2NodeClass", "name": node_class.name},
            **some(taints=pool.taints, startupTaints=pool.startup_taints),
            **written(pool, "expire_after", "termination_grace_period"),
            "requirements": requirements(pool.requirements),
        }

    def node_class(self, node_class: EC2NodeClass) -> Manifest:
        """An EC2NodeClass."""
        spec = {
            **written(node_class, *_BEFORE_AMI),
            **some(amiSelectorTerms=_ami_terms(node_class)),
            **written(node_class, *_AFTER_AMI),
        }
        return manifest(f"{GROUP}/v1", "EC2NodeClass", node_class.name, spec)

    def node_overlay(self, overlay: NodeOverlay) -> Manifest:
        """A NodeOverlay, still alpha in all releases that have it."""
        if self.version not in NodeOverlay.window:
            refuse(overlay, self.version)
        spec = {
            "requirements": requirements(overlay.requirements),
            **written(overlay, "price", "price_adjustment", "capacity", "weight"),
        }
        return manifest("karpenter.sh/v1alpha1", "NodeOverlay", overlay.name, spec)

    def capacity_buffer(self, buffer: CapacityBuffer) -> Manifest:
        """A CapacityBuffer, in its namespace."""
        if self.version not in CapacityBuffer.window:
            refuse(buffer, self.version)
        what = (
            "pod_template_ref",
            "scalable_ref",
            "replicas",
            "percentage",
            "limits",
            "provisioning_strategy",
        )
        found = manifest(
            "autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", buffer.name, written(buffer, *what)
        )
        return {**found, "metadata": {"name": buffer.name, "namespace": buffer.namespace}}


def _ami_terms(node_class: EC2NodeClass) -> object:
    return [{"alias": node_class.alias}] if node_class.alias else node_class.ami_selector_terms
