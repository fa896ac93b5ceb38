"""NodePool and EC2NodeClass in v1beta1 (0.32 to 1.0)."""

from __future__ import annotations

from .._fields import shown, suggestion
from ..node_class import EC2NodeClass
from ..node_pool import NodePool
from ..releases import KarpenterVersion, since
from .class_reference import GROUP, check_reference
from .drafts import Draft
from .instance_metadata import write_hop_limit
from .kubelet_settings import drop_empty_kubelet
from .layouts import Layout
from .metadata import take_metadata
from .node_images import use_alias
from .places import Source
from .volumes import whole_gibibytes

_NEWEST = KarpenterVersion.parse("0.37.8")

NODE_POOL = Layout(
    "karpenter.sh/v1beta1",
    "NodePool",
    NodePool,
    fields={
        "template.metadata.labels": "labels",
        "template.metadata.annotations": "annotations",
        "template.spec.nodeClassRef.name": "node_class",
        "template.spec.requirements": "requirements",
        "template.spec.taints": "taints",
        "template.spec.startupTaints": "startup_taints",
        "template.spec.kubelet": "kubelet",
        "disruption.expireAfter": "expire_after",
        "disruption.budgets": "disruption.budgets",
        "limits": "limits",
        "weight": "weight",
    },
    apart=(
        "template.spec.nodeClassRef.apiVersion",
        "template.spec.nodeClassRef.kind",
        "template.spec.resources",
        "disruption.consolidationPolicy",
        "disruption.consolidateAfter",
    ),
    required=(
        "template",
        "template.spec",
        "template.spec.requirements",
        "template.spec.nodeClassRef",
        "template.spec.nodeClassRef.name",
    ),
    newest=_NEWEST,
)
NODE_CLASS = Layout(
    f"{GROUP}/v1beta1",
    "EC2NodeClass",
    EC2NodeClass,
    fields={
        "amiSelectorTerms": "ami_selector_terms",
        "subnetSelectorTerms": "subnet_selector_terms",
        "securityGroupSelectorTerms": "security_group_selector_terms",
        "role": "role",
        "instanceProfile": "instance_profile",
        "associatePublicIPAddress": "associate_public_ip_address",
        "userData": "user_data",
        "blockDeviceMappings": "block_device_mappings",
        "instanceStorePolicy": "instance_store_policy",
        "metadataOptions": "metadata_options",
        "detailedMonitoring": "detailed_monitoring",
        "tags": "tags",
        "context": "context",
    },
    apart=("amiFamily",),
    required=("amiFamily",),
    newest=_NEWEST,
    elsewhere={"kubelet": "the NodePool"},
)

_EMPTY, _UNDERUTILIZED = "WhenEmpty", "WhenUnderutilized"


def read_node_pool(source: Source) -> list[Draft]:
    """A NodePool."""
    draft = Draft(source, NODE_POOL)
    take_metadata(draft)
    draft.values.setdefault("limits", None)
    drop_empty_kubelet(draft)
    check_reference(draft, "template.spec.nodeClassRef.kind", "EC2NodeClass")
    check_reference(draft, "template.spec.nodeClassRef.apiVersion", f"{GROUP}/v1beta1", f"{GROUP}/v1")
    if draft.apart.get("template.spec.resources"):
        draft.problem("template.spec.resources", "cannot be carried over: no release uses it; leave it out")
    _take_disruption(draft)
    return [draft]


def read_node_class(source: Source) -> list[Draft]:
    """An EC2NodeClass."""
    draft = Draft(source, NODE_CLASS)
    take_metadata(draft)
    family = draft.text("amiFamily")
    if family is not None:
        use_alias(draft, family)
    _refuse_aliases(draft)
    whole_gibibytes(draft)
    write_hop_limit(draft)
    return [draft]


def _take_disruption(draft: Draft) -> None:
    """v1 has one more word and one more rule: consolidateAfter is required, and allowed with every policy."""
    policy, after = draft.text("disruption.consolidationPolicy"), draft.text("disruption.consolidateAfter")
    if policy is None and after is None and "disruption" not in draft.values:
        return
    if policy in {None, _UNDERUTILIZED}:
        _take_underutilized(draft, after)
        return
    if policy != _EMPTY:
        hint = suggestion(policy, (_EMPTY, _UNDERUTILIZED))
        draft.problem(
            "disruption.consolidationPolicy",
            f"must be {_EMPTY!r} or {_UNDERUTILIZED!r}, got {shown(policy)}" + (f"; {hint}" if hint else ""),
        )
        return
    draft.set("disruption.consolidation_policy", policy, source="disruption.consolidationPolicy")
    if after is None and "disruption.consolidateAfter" not in draft.apart:
        draft.problem("disruption.consolidateAfter", "is required with consolidationPolicy WhenEmpty")
    draft.set("disruption.consolidate_after", after or "0s", source="disruption.consolidateAfter")


def _take_underutilized(draft: Draft, after: str | None) -> None:
    path = "disruption.consolidateAfter"
    if after not in {None, "Never"}:
        draft.problem(
            path,
            f"cannot be combined with consolidationPolicy WhenUnderutilized, got {after!r}; leave it out",
        )
    if after == "Never":
        message = (
            "is kept as Never, no consolidation; the conversion in Karpenter 1.0 itself would turn it on"
        )
        draft.note(path, message, since("1.0"))
    source = "disruption.consolidationPolicy"
    draft.set("disruption.consolidation_policy", "WhenEmptyOrUnderutilized", source=source)
    draft.set("disruption.consolidate_after", after or "0s", source=path)


def _refuse_aliases(draft: Draft) -> None:
    terms = draft.values.get("ami_selector_terms")
    for index, term in enumerate(terms if isinstance(terms, list) else []):
        if isinstance(term, dict) and "alias" in term:
            draft.problem(("amiSelectorTerms", index, "alias"), "is no field in v1beta1; use amiFamily")
