"""Provisioner (karpenter.sh/v1alpha5) and AWSNodeTemplate (karpenter.k8s.aws/v1alpha1), until 0.32."""

from __future__ import annotations

from ..node_class import EC2NodeClass
from ..node_pool import NodePool
from ..releases import KarpenterVersion, since
from ..requirements import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_TYPE,
    OS,
)
from .class_reference import GROUP, check_reference
from .drafts import Draft
from .instance_metadata import write_hop_limit
from .kubelet_settings import drop_empty_kubelet
from .layouts import Layout
from .metadata import take_metadata
from .node_images import use_alias
from .places import Source
from .selector_maps import ami_terms, security_group_terms, subnet_terms
from .volumes import whole_gibibytes

WRITTEN_OUT = since("0.32")
"""The releases for which v1alpha5's defaults have to be written out."""

_NEWEST = KarpenterVersion.parse("0.31.5")

PROVISIONER = Layout(
    "karpenter.sh/v1alpha5",
    "Provisioner",
    NodePool,
    fields={
        "annotations": "annotations",
        "labels": "labels",
        "requirements": "requirements",
        "taints": "taints",
        "startupTaints": "startup_taints",
        "kubeletConfiguration": "kubelet",
        "limits.resources": "limits",
        "weight": "weight",
        "providerRef.name": "node_class",
    },
    apart=(
        "kubeletConfiguration.containerRuntime",
        "provider",
        "providerRef.kind",
        "providerRef.apiVersion",
        "consolidation.enabled",
        "ttlSecondsAfterEmpty",
        "ttlSecondsUntilExpired",
    ),
    required=("providerRef.name",),
    newest=_NEWEST,
)

_LEGACY_FIELDS = {
    "instanceProfile": "instance_profile",
    "tags": "tags",
    "blockDeviceMappings": "block_device_mappings",
    "metadataOptions": "metadata_options",
    "context": "context",
}
_LEGACY_APART = (
    "apiVersion",
    "kind",
    "amiFamily",
    "subnetSelector",
    "securityGroupSelector",
    "launchTemplate",
)
NODE_TEMPLATE = Layout(
    f"{GROUP}/v1alpha1",
    "AWSNodeTemplate",
    EC2NodeClass,
    fields={**_LEGACY_FIELDS, "userData": "user_data", "detailedMonitoring": "detailed_monitoring"},
    apart=(*_LEGACY_APART, "amiSelector"),
    required=("subnetSelector",),
    newest=_NEWEST,
    elsewhere={"kubelet": "the Provisioner's kubeletConfiguration"},
)
PROVIDER = Layout(
    "karpenter.sh/v1alpha5",
    "Provisioner",
    EC2NodeClass,
    fields=_LEGACY_FIELDS,
    apart=_LEGACY_APART,
    required=("subnetSelector",),
    newest=_NEWEST,
    elsewhere={"kubelet": "the Provisioner's kubeletConfiguration"},
)

# Karpenter takes the old names of these labels for the new ones (karpenter, ``labels.go``, NormalizedLabels).
_OLD_NAMES = {
    "beta.kubernetes.io/arch": ARCH,
    "beta.kubernetes.io/os": OS,
    "beta.kubernetes.io/instance-type": INSTANCE_TYPE,
}
_INSTANCE_KEYS = frozenset({INSTANCE_TYPE, INSTANCE_FAMILY, INSTANCE_CATEGORY, INSTANCE_GENERATION})

# karpenter-provider-aws v0.30.0, pkg/apis/v1alpha5/provisioner.go, SetDefaults; each with the keys that
# make it superfluous.
_DEFAULT_REQUIREMENTS = (
    (frozenset({OS}), {"key": OS, "operator": "In", "values": ["linux"]}),
    (frozenset({ARCH}), {"key": ARCH, "operator": "In", "values": ["amd64"]}),
    (frozenset({CAPACITY_TYPE}), {"key": CAPACITY_TYPE, "operator": "In", "values": ["on-demand"]}),
    (_INSTANCE_KEYS, {"key": INSTANCE_CATEGORY, "operator": "In", "values": ["c", "m", "r"]}),
    (_INSTANCE_KEYS, {"key": INSTANCE_GENERATION, "operator": "Gt", "values": ["2"]}),
)


def read_provisioner(source: Source) -> list[Draft]:
    """A Provisioner, and the node class that it has inside where it has one."""
    draft = Draft(source, PROVISIONER)
    take_metadata(draft)
    draft.values.setdefault("limits", None)
    drop_empty_kubelet(draft)
    _add_default_requirements(draft)
    _take_disruption(draft)
    _take_expiry(draft)
    _check_container_runtime(draft)
    check_reference(draft, "providerRef.kind", NODE_TEMPLATE.kind)
    check_reference(draft, "providerRef.apiVersion", NODE_TEMPLATE.api_version)
    return [*_inline_class(draft), draft]


def read_node_template(source: Source) -> list[Draft]:
    """An AWSNodeTemplate."""
    draft = Draft(source, NODE_TEMPLATE)
    take_metadata(draft)
    _complete_class(draft)
    return [draft]


def _add_default_requirements(draft: Draft) -> None:
    """Write out what the webhook would have added."""
    given = draft.values.get("requirements", [])
    if not isinstance(given, list):
        return
    keys = {_key(item) for item in given}
    added = [requirement for superfluous, requirement in _DEFAULT_REQUIREMENTS if not superfluous & keys]
    if added:
        draft.values["requirements"] = [*given, *added]
        words = ", ".join(f"{item['key']} {item['operator']} {item['values']}" for item in added)
        message = f"are completed as Karpenter's webhook did before 0.33: {words}"
        draft.note("requirements", message, WRITTEN_OUT)


def _key(requirement: object) -> str:
    key = requirement.get("key") if isinstance(requirement, dict) else None
    return _OLD_NAMES.get(key, key) if isinstance(key, str) else ""


def _take_disruption(draft: Draft) -> None:
    consolidates, empty = draft.flag("consolidation.enabled"), draft.seconds("ttlSecondsAfterEmpty")
    if consolidates and empty is not None:
        draft.problem(
            "ttlSecondsAfterEmpty",
            "cannot be combined with consolidation.enabled: Karpenter's webhook refuses both; leave out one",
        )
    if consolidates:
        _set_disruption(draft, "WhenEmptyOrUnderutilized", "0s", "consolidation.enabled")
    elif empty is not None:
        _set_disruption(draft, "WhenEmpty", empty, "ttlSecondsAfterEmpty")
    elif "ttlSecondsAfterEmpty" not in draft.apart:
        _set_disruption(draft, "WhenEmpty", "Never", "consolidation.enabled")
        draft.note(
            "consolidation.enabled",
            "is not set, so nodes are never consolidated: written as WhenEmpty with consolidateAfter Never",
            WRITTEN_OUT,
        )


def _set_disruption(draft: Draft, policy: str, after: str, source: str) -> None:
    draft.set("disruption.consolidation_policy", policy, source=source)
    draft.set("disruption.consolidate_after", after, source=source)


def _take_expiry(draft: Draft) -> None:
    path = "ttlSecondsUntilExpired"
    expiry = draft.seconds(path)
    draft.set("expire_after", expiry or "Never", source=path)
    if path not in draft.apart:
        draft.note(path, "is not set, so nodes never expire: written as expireAfter Never", WRITTEN_OUT)


def _check_container_runtime(draft: Draft) -> None:
    path = "kubeletConfiguration.containerRuntime"
    runtime = draft.text(path)
    if runtime == "containerd":
        draft.note(path, "is left out: no later release has another than containerd")
    elif runtime is not None:
        draft.problem(path, f"cannot be carried over, got {runtime!r}: every later release uses containerd")


def _inline_class(draft: Draft) -> list[Draft]:
    """The node class in ``spec.provider``, which gets the Provisioner's name."""
    provider, reference = draft.apart.get("provider"), draft.source.at(("spec", "providerRef"))
    has_reference = reference is not None and reference.value is not None
    if provider is None or has_reference:
        if provider is None and not has_reference:
            draft.problem("providerRef", "is required, or provider")
        elif provider is not None:
            draft.problem("provider", "cannot be combined with providerRef; leave out one")
        return []
    inline = Draft(draft.source, PROVIDER, base=("spec", "provider"))
    inline.values["name"] = draft.values["name"]
    inline.sources[("name",)] = ("metadata", "name")
    _complete_class(inline)
    draft.set("node_class", draft.values["name"], source="provider")
    inline.note((), f"becomes a node class of its own, {draft.values['name']}")
    return [inline]


def _complete_class(draft: Draft) -> None:
    if "launchTemplate" in draft.apart:
        draft.problem(
            "launchTemplate",
            "cannot be carried over: no later release takes a launch template; write what it says as fields",
        )
    ami_terms(draft, "amiSelector")
    subnet_terms(draft, "subnetSelector")
    security_group_terms(draft, "securityGroupSelector")
    _take_family(draft)
    whole_gibibytes(draft)
    _take_metadata_options(draft)


def _take_family(draft: Draft) -> None:
    family = draft.text("amiFamily")
    use_alias(draft, family or "AL2")
    if "amiFamily" not in draft.apart:
        draft.note("amiFamily", "is not set, so nodes run AL2: written out", WRITTEN_OUT)


def _take_metadata_options(draft: Draft) -> None:
    """Options in part leave the rest to EC2 here; without any, Karpenter's defaults hold."""
    options = draft.values.get("metadata_options")
    if isinstance(options, dict) and options and "httpTokens" not in options:
        draft.note(
            "metadataOptions.httpTokens",
            "is not set beside other options, so EC2 decided; written as required, Karpenter's default since",
        )
    write_hop_limit(draft, partly_by_ec2=True)
