"""The v1beta1 API, Karpenter 0.32 to 0.37: NodePool and EC2NodeClass.

Where its defaults differ from those of the neutral models, they are written out: the metadata service's hop
limit is 2 if nobody says otherwise. Consolidation that is off is said as ``WhenEmpty`` with ``Never``:
``WhenUnderutilized`` with ``Never`` means the same, but the conversion to v1 would turn consolidation on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass, MetadataOptions
from ..node_overlay import NodeOverlay
from ..node_pool import Disruption, NodePool
from ..releases import KarpenterVersion
from .disruption import NEVER, disruption, seconds
from .manifest import Manifest, manifest, plain, refuse, some, written
from .requirements import requirements
from .selectors import ami_terms

API_VERSION = "karpenter.k8s.aws/v1beta1"

# The order of upstream's documentation, v0.37 concepts/nodeclasses.md.
_SELECTORS = ("subnet_selector_terms", "security_group_selector_terms")
_IDENTITY = ("role", "instance_profile", "user_data", "tags")
_MACHINE = (
    "block_device_mappings",
    "instance_store_policy",
    "detailed_monitoring",
    "associate_public_ip_address",
    "context",
)


@dataclass(frozen=True)
class V1Beta1:
    """The words of Karpenter 0.32 to 0.37."""

    version: KarpenterVersion

    def node_pool(self, pool: NodePool, node_class: EC2NodeClass) -> Manifest:
        """A NodePool; the kubelet's settings are here, the pool's own or those of its class."""
        spec = {
            "template": {
                **some(metadata=some(labels=pool.labels, annotations=pool.annotations)),
                "spec": {
                    "nodeClassRef": {
                        "apiVersion": API_VERSION,
                        "kind": "EC2NodeClass",
                        "name": node_class.name,
                    },
                    **some(taints=pool.taints, startupTaints=pool.startup_taints),
                    "requirements": requirements(pool.requirements),
                    **some(kubelet=pool.kubelet or node_class.kubelet),
                },
            },
            "disruption": {**_consolidation(disruption(pool)), "expireAfter": pool.expire_after}
            | written(disruption(pool), "budgets"),
            **some(limits=pool.limits, weight=pool.weight),
        }
        return manifest("karpenter.sh/v1beta1", "NodePool", pool.name, spec)

    def node_class(self, node_class: EC2NodeClass) -> Manifest:
        """An EC2NodeClass; an AMI alias is said as its family."""
        spec = {
            **some(amiFamily=node_class.family),
            **written(node_class, *_SELECTORS),
            **some(amiSelectorTerms=ami_terms(node_class)),
            **written(node_class, *_IDENTITY),
            "metadataOptions": plain(node_class.metadata_options or MetadataOptions()),
            **written(node_class, *_MACHINE),
        }
        return manifest(API_VERSION, "EC2NodeClass", node_class.name, spec)

    def node_overlay(self, overlay: NodeOverlay) -> Manifest:
        """There are no node overlays yet."""
        refuse(overlay, self.version)

    def capacity_buffer(self, buffer: CapacityBuffer) -> Manifest:
        """There are no capacity buffers yet."""
        refuse(buffer, self.version)


def _consolidation(wanted: Disruption) -> dict[str, Any]:
    if wanted.consolidate_after == NEVER or wanted.consolidation_policy == "WhenEmpty":
        return {"consolidationPolicy": "WhenEmpty", "consolidateAfter": wanted.consolidate_after}
    if seconds(wanted.consolidate_after) == 0:
        return {"consolidationPolicy": "WhenUnderutilized"}
    # A placeholder: the API server accepts it if it turns out to be 'Never'.
    return {"consolidationPolicy": "WhenUnderutilized", "consolidateAfter": wanted.consolidate_after}
