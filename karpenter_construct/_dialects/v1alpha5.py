"""The v1alpha5 API, Karpenter 0.30 and 0.31: Provisioner and AWSNodeTemplate.

Its defaults are not those of the neutral models, so the manifests leave none of them open:

* A Provisioner neither consolidates nor expires nodes unless told to.
* Its webhook narrows one that says nothing of the operating system, the architecture, the capacity type or
  the instance type to linux, amd64, on-demand and the categories c, m and r. A neutral pool that says nothing
  allows any, and so says ``Exists`` here: true of every instance, and enough to keep the webhook away. What is
  just what the webhook would add is left to it.
* The metadata service's hop limit is 2, and metadata options that name one field leave EC2's defaults (tokens
  optional) for all others: all four are written, or none where they are the release's own.

The node role cannot be said: nodes have the instance profile of the template, or of the chart's settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass, MetadataOptions
from ..node_overlay import NodeOverlay
from ..node_pool import Disruption, NodePool
from ..releases import KarpenterVersion
from ..requirements import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_TYPE,
    OS,
    Exists,
    In,
    Requirement,
)
from .disruption import NEVER, disruption, seconds
from .manifest import Manifest, manifest, plain, refuse, some, written
from .requirements import requirements
from .selectors import ami_selector, selector

_DEFAULTED = (
    (OS,),
    (ARCH,),
    (CAPACITY_TYPE,),
    (INSTANCE_TYPE, INSTANCE_FAMILY, INSTANCE_CATEGORY, INSTANCE_GENERATION),
)
"""The labels that the webhook constrains unless one of their row is required (v0.30.0, ``SetDefaults``)."""

_ADDED = (In(OS, "linux"), In(ARCH, "amd64"), In(CAPACITY_TYPE, "on-demand"))
"""What it then adds for the first three rows."""

_OWN_METADATA_OPTIONS = MetadataOptions(http_put_response_hop_limit=2)
"""The metadata options of a template that has none (v0.30.0, ``pkg/providers/amifamily``)."""


@dataclass(frozen=True)
class V1Alpha5:
    """The words of Karpenter 0.30 and 0.31."""

    version: KarpenterVersion

    def node_pool(self, pool: NodePool, node_class: EC2NodeClass) -> Manifest:
        """A Provisioner; the kubelet's settings are here, the pool's own or those of its class."""
        spec = {
            "providerRef": {"name": node_class.name},
            **some(taints=pool.taints, startupTaints=pool.startup_taints),
            **some(labels=pool.labels, annotations=pool.annotations),
            "requirements": requirements(_requirements(pool)),
            **some(kubeletConfiguration=pool.kubelet or node_class.kubelet),
            **some(limits=some(resources=pool.limits)),
            **_consolidation(disruption(pool)),
            **_expiry(pool.expire_after),
            **some(weight=pool.weight),
        }
        return manifest("karpenter.sh/v1alpha5", "Provisioner", pool.name, spec)

    def node_class(self, node_class: EC2NodeClass) -> Manifest:
        """An AWSNodeTemplate; selector terms become one map each, an AMI alias its family."""
        spec = {
            **some(subnetSelector=selector(node_class.subnet_selector_terms)),
            **some(securityGroupSelector=selector(node_class.security_group_selector_terms)),
            **written(node_class, "instance_profile"),
            **some(amiFamily=node_class.family),
            **some(amiSelector=ami_selector(node_class)),
            **written(node_class, "user_data", "tags"),
            **_metadata_options(node_class.metadata_options or MetadataOptions()),
            **written(node_class, "block_device_mappings", "detailed_monitoring", "context"),
        }
        return manifest("karpenter.k8s.aws/v1alpha1", "AWSNodeTemplate", node_class.name, spec)

    def node_overlay(self, overlay: NodeOverlay) -> Manifest:
        """There are no node overlays yet."""
        refuse(overlay, self.version)

    def capacity_buffer(self, buffer: CapacityBuffer) -> Manifest:
        """There are no capacity buffers yet."""
        refuse(buffer, self.version)


def _requirements(pool: NodePool) -> list[Requirement]:
    # Whoever gives a placeholder for the whole list gets it whole, and what keeps the webhook away besides.
    keys = [item.key for item in pool.requirements if isinstance(item, Requirement)]
    said = [item for item in pool.requirements if item not in _ADDED or keys.count(item.key) > 1]
    return said + [Exists(row[0]) for row in _DEFAULTED if not {*keys} & {*row}]


def _metadata_options(wanted: MetadataOptions) -> dict[str, Any]:
    return {} if wanted == _OWN_METADATA_OPTIONS else {"metadataOptions": plain(wanted)}


def _consolidation(wanted: Disruption) -> dict[str, Any]:
    if wanted.consolidate_after == NEVER:
        return {}
    if wanted.consolidation_policy == "WhenEmpty":
        return {"ttlSecondsAfterEmpty": seconds(wanted.consolidate_after)}
    return {"consolidation": {"enabled": True}}


def _expiry(expire_after: str) -> dict[str, Any]:
    return {} if expire_after == NEVER else {"ttlSecondsUntilExpired": seconds(expire_after)}
