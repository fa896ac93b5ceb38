"""The defaults of the models are those of the newest CRDs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import MetadataOptions
from karpenter_construct.node_pool import Budget, Disruption, NodePool
from tests.contract import upstream

NEWEST = "v1.14.1"

# The place of each default of the CRDs, and what the models have there.
DEFAULTS = {
    "NodePool.disruption.budgets[].nodes": Budget().nodes,
    "NodePool.disruption.consolidationPolicy": Disruption(consolidate_after="0s").consolidation_policy,
    "NodePool.template.spec.expireAfter": NodePool(name="a").expire_after,
    "EC2NodeClass.metadataOptions": MetadataOptions().model_dump(by_alias=True),
    "EC2NodeClass.metadataOptions.httpEndpoint": MetadataOptions().http_endpoint,
    "EC2NodeClass.metadataOptions.httpProtocolIPv6": MetadataOptions().http_protocol_ipv6,
    "EC2NodeClass.metadataOptions.httpPutResponseHopLimit": MetadataOptions().http_put_response_hop_limit,
    "EC2NodeClass.metadataOptions.httpTokens": MetadataOptions().http_tokens,
    "CapacityBuffer.provisioningStrategy": CapacityBuffer(name="a").provisioning_strategy,
}
# Where None in the model stands for the CRD's default: nothing is written, or what it is, by the dialect.
LEFT_TO_THE_API = {
    "NodePool.disruption": {"consolidateAfter": "0s"},
    "NodePool.disruption.budgets": [{"nodes": "10%"}],
}


def _defaults(schema: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    if "default" in schema:
        yield path, schema["default"]
    for name, child in schema.get("properties", {}).items():
        yield from _defaults(child, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from _defaults(schema["items"], f"{path}[]")


def test_every_default_of_the_newest_crds_is_ours():
    found: dict[str, Any] = {}
    for kind in ("NodePool", "EC2NodeClass", "NodeOverlay", "CapacityBuffer"):
        (version,) = upstream.crds(NEWEST)[kind]["spec"]["versions"]
        found |= dict(_defaults(version["schema"]["openAPIV3Schema"]["properties"]["spec"], kind))
    assert found == DEFAULTS | LEFT_TO_THE_API
