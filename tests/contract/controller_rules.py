"""What a release's own Go code refuses beyond its CRDs, by kind and API version.

Before 1.0 that is the validating webhooks, which this library always installs; from 1.0 on it is the
validation that makes a node pool never become ready. Read in karpenter-core 0.30.0
(``provisioner_validation.go``, ``labels.go``), karpenter 0.32.10 (``awsnodetemplate_validation.go``,
``provider_validation.go``, ``ec2nodeclass_validation.go``), karpenter 0.37 (``nodepool_validation.go``,
``nodeclaim_validation.go``) and 1.14.0 (``nodeclaim_validation.go``); messages are shortened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from karpenter_construct.releases import KarpenterVersion, since
from tests.contract.kubernetes_words import is_label_value, is_qualified_name, is_schedule, quantity

Mistakes = Iterator[tuple[str, str]]
Spec = dict[str, Any]

_DNS_1035_LABEL = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SIGNALS = {
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
}
_RESERVABLE = {"cpu", "memory", "ephemeral-storage", "pid"}
_VOLUME_TYPES = {"standard", "io1", "io2", "gp2", "sc1", "st1", "gp3"}


def violations(version: KarpenterVersion, manifest: dict[str, Any]) -> Mistakes:
    """The path and the reason of everything that the release's Go code refuses."""
    key = f"{manifest['kind']}.{manifest['apiVersion'].rpartition('/')[2]}"
    webhook = _WEBHOOKS.get(key)
    if webhook is not None:
        name = manifest["metadata"]["name"]
        if len(name) > 63 or not _DNS_1035_LABEL.fullmatch(name):
            yield "metadata.name", f"not a DNS 1035 label: {name!r}"
        yield from webhook(manifest.get("spec", {}))
    if key == "NodePool.v1":
        yield from _ready_node_pool(manifest["spec"])
        yield from _known_capacity_types(version, manifest["spec"]["template"]["spec"]["requirements"])


def with_webhook_defaults(requirements: list[Spec]) -> list[Spec]:
    """A Provisioner's requirements as they are stored (karpenter 0.30, ``Provisioner.SetDefaults``)."""
    keys = {_NORMALIZED.get(each["key"], each["key"]) for each in requirements}
    added = [
        {"key": key, "operator": "In", "values": [value]}
        for key, value in (
            ("kubernetes.io/os", "linux"),
            ("kubernetes.io/arch", "amd64"),
            ("karpenter.sh/capacity-type", "on-demand"),
        )
        if key not in keys
    ]
    nouns = ("instance-family", "instance-category", "instance-generation")
    if keys.isdisjoint(
        {"node.kubernetes.io/instance-type", *(f"karpenter.k8s.aws/{noun}" for noun in nouns)}
    ):
        added += [
            {"key": "karpenter.k8s.aws/instance-category", "operator": "In", "values": ["c", "m", "r"]},
            {"key": "karpenter.k8s.aws/instance-generation", "operator": "Gt", "values": ["2"]},
        ]
    return [*requirements, *added]


def _provisioner(spec: Spec) -> Mistakes:
    if ("provider" in spec) == ("providerRef" in spec):
        yield "spec", "expected exactly one of provider, providerRef"
    for ttl in ("ttlSecondsUntilExpired", "ttlSecondsAfterEmpty"):
        if spec.get(ttl, 0) < 0:
            yield f"spec.{ttl}", "cannot be negative"
    if spec.get("consolidation", {}).get("enabled") and "ttlSecondsAfterEmpty" in spec:
        yield "spec", "expected exactly one, got both: spec.consolidation.enabled, spec.ttlSecondsAfterEmpty"
    yield from _labels(spec.get("labels", {}), "spec.labels")
    for key in spec.get("labels", {}):
        if key == "karpenter.sh/provisioner-name" or _restricted_in_alpha(key):
            yield "spec.labels", f"label {key} is restricted"
    yield from _taints(spec, "spec")
    yield from _requirements(spec.get("requirements", ()), "spec.requirements")
    for index, requirement in enumerate(spec.get("requirements", ())):
        key = requirement["key"]
        if key == "karpenter.sh/provisioner-name" or _restricted_in_alpha(_NORMALIZED.get(key, key)):
            yield f"spec.requirements[{index}]", f"label {key} is restricted"
        if requirement["operator"] not in {"In", "NotIn", "Gt", "Lt", "Exists", "DoesNotExist"}:
            yield f"spec.requirements[{index}]", f"unsupported operator {requirement['operator']}"
    yield from _kubelet(spec.get("kubeletConfiguration", {}), "spec.kubeletConfiguration")


_NORMALIZED = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
}
_AWS_LABELS = (
    "karpenter.k8s.aws/instance-accelerator-count",
    "karpenter.k8s.aws/instance-accelerator-manufacturer",
    "karpenter.k8s.aws/instance-accelerator-name",
    "karpenter.k8s.aws/instance-category",
    "karpenter.k8s.aws/instance-cpu",
    "karpenter.k8s.aws/instance-encryption-in-transit-supported",
    "karpenter.k8s.aws/instance-family",
    "karpenter.k8s.aws/instance-generation",
    "karpenter.k8s.aws/instance-gpu-count",
    "karpenter.k8s.aws/instance-gpu-manufacturer",
    "karpenter.k8s.aws/instance-gpu-memory",
    "karpenter.k8s.aws/instance-gpu-name",
    "karpenter.k8s.aws/instance-hypervisor",
    "karpenter.k8s.aws/instance-local-nvme",
    "karpenter.k8s.aws/instance-memory",
    "karpenter.k8s.aws/instance-network-bandwidth",
    "karpenter.k8s.aws/instance-pods",
    "karpenter.k8s.aws/instance-size",
)
_ALPHA_LABELS = {
    *_AWS_LABELS,
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
    "node.kubernetes.io/instance-type",
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "karpenter.sh/capacity-type",
    "node.kubernetes.io/windows-build",
}


def _restricted_in_alpha(key: str) -> bool:
    domain = key.partition("/")[0] if "/" in key else ""
    if key in _ALPHA_LABELS or domain in {
        "kops.k8s.io",
        "node.kubernetes.io",
        "node-restriction.kubernetes.io",
    }:
        return False
    return domain.endswith(("kubernetes.io", "k8s.io", "karpenter.sh", "karpenter.k8s.aws"))


def _node_template(spec: Spec) -> Mistakes:
    if "launchTemplate" in spec:
        for other in sorted(
            spec.keys() & {"securityGroupSelector", "metadataOptions", "amiFamily", "instanceProfile"}
        ):
            yield "spec", f"expected exactly one, got both: launchTemplate, {other}"
    if "subnetSelector" not in spec:
        yield "spec.subnetSelector", "missing field"
    if "securityGroupSelector" not in spec and "launchTemplate" not in spec:
        yield "spec.securityGroupSelector", "missing field"
    yield from _selector(spec, "subnetSelector", "subnet-[0-9a-z]+")
    yield from _selector(spec, "securityGroupSelector", "sg-[0-9a-z]+")
    yield from _selector(spec, "amiSelector", "ami-[0-9a-z]+")
    family = spec.get("amiFamily", "AL2")
    if family not in {"Bottlerocket", "AL2", "Ubuntu", "Windows2019", "Windows2022", "Custom"}:
        yield "spec.amiFamily", f"{family} is not supported"
    if family == "Custom" and "amiSelector" not in spec:
        yield "spec.amiSelector", "missing field"
    yield from _metadata_options(spec.get("metadataOptions", {}))
    yield from _block_devices(spec)
    yield from _tags(spec, {"karpenter.sh/provisioner-name", "karpenter.sh/managed-by"})


def _selector(spec: Spec, field: str, id_pattern: str) -> Mistakes:
    selector = spec.get(field, {})
    if "" in selector or "" in selector.values():
        yield f"spec.{field}", "empty key or value"
    for key in sorted(selector.keys() & {"aws-ids", "aws::ids"}):
        if len(selector) > 1:
            yield f"spec.{field}", f'"{key}" filter is mutually exclusive'
        for resource in selector[key].split(","):
            if not re.search(id_pattern, resource):
                yield f"spec.{field}", f"{resource!r} must match {id_pattern}"


def _metadata_options(options: Spec) -> Mistakes:
    choices = {
        "httpEndpoint": {"enabled", "disabled"},
        "httpProtocolIPv6": {"enabled", "disabled"},
        "httpTokens": {"required", "optional"},
    }
    for field, values in choices.items():
        if field in options and options[field] not in values:
            yield f"spec.metadataOptions.{field}", f"{options[field]} is not supported"
    if not 1 <= options.get("httpPutResponseHopLimit", 1) <= 64:
        yield "spec.metadataOptions.httpPutResponseHopLimit", "must be 1 to 64"


def _block_devices(spec: Spec) -> Mistakes:
    for index, mapping in enumerate(spec.get("blockDeviceMappings", ())):
        path = f"spec.blockDeviceMappings[{index}]"
        for field in ("deviceName", "ebs"):
            if field not in mapping:
                yield f"{path}.{field}", "missing field"
        volume = mapping.get("ebs", {"snapshotID": ""})
        if volume.get("volumeType", "gp3") not in _VOLUME_TYPES:
            yield f"{path}.ebs.volumeType", f"{volume['volumeType']} is not supported"
        size = quantity(volume["volumeSize"]) if "volumeSize" in volume else None
        if "volumeSize" not in volume and "snapshotID" not in volume:
            yield f"{path}.ebs.volumeSize", "missing field"
        if "volumeSize" in volume and not (size and 10**9 <= size <= 64 * 10**12):
            yield f"{path}.ebs.volumeSize", f"must be 1G to 64T, got {volume['volumeSize']!r}"


def _tags(spec: Spec, restricted: set[str]) -> Mistakes:
    for key in spec.get("tags", {}):
        if key in restricted | {""} or re.match(r"kubernetes\.io/cluster/[0-9A-Za-z][A-Za-z0-9\-_]*$", key):
            yield "spec.tags", f"restricted tag {key!r}"


def _node_pool_webhook(spec: Spec) -> Mistakes:
    yield from _ready_node_pool(spec)
    yield from _kubelet(spec["template"]["spec"].get("kubelet", {}), "spec.template.spec.kubelet")


def _node_class_webhook(spec: Spec) -> Mistakes:
    for field, words in {
        "subnetSelectorTerms": ("tags", "id"),
        "securityGroupSelectorTerms": ("tags", "id", "name"),
        "amiSelectorTerms": ("tags", "id", "name"),
    }.items():
        exclusive = {"id"} if field == "amiSelectorTerms" else {"id", "name"}
        for index, term in enumerate(spec.get(field, ())):
            path = f"spec.{field}[{index}]"
            said = {word for word in term if term[word]}
            if not said & set(words):
                yield path, f"expect at least one, got none, {list(words)}"
            if said & exclusive and len(said) > 1:
                yield path, f"{sorted(said & exclusive)} is mutually exclusive"
    yield from _metadata_options(spec.get("metadataOptions", {}))
    yield from _block_devices(spec)
    if spec["amiFamily"] == "Custom" and not spec.get("amiSelectorTerms"):
        yield "spec.amiSelectorTerms", "missing field"
    yield from _tags(spec, {"karpenter.sh/nodepool", "karpenter.sh/managed-by"})


def _ready_node_pool(spec: Spec) -> Mistakes:
    template = spec["template"]
    yield from _labels(template.get("metadata", {}).get("labels", {}), "spec.template.metadata.labels")
    yield from _taints(template["spec"], "spec.template.spec")
    yield from _requirements(template["spec"]["requirements"], "spec.template.spec.requirements")
    for index, budget in enumerate(spec.get("disruption", {}).get("budgets", ())):
        if "schedule" in budget and not is_schedule(budget["schedule"]):
            yield f"spec.disruption.budgets[{index}].schedule", f"invalid crontab {budget['schedule']!r}"


def _known_capacity_types(version: KarpenterVersion, requirements: list[Spec]) -> Mistakes:
    known = {"on-demand", "spot"} | ({"reserved"} if version in since("1.3") else set())
    for index, requirement in enumerate(requirements):
        is_choice = (requirement["key"], requirement["operator"]) == ("karpenter.sh/capacity-type", "In")
        if is_choice and not known & set(requirement["values"]):
            yield f"spec.template.spec.requirements[{index}]", f"no valid values in {requirement['values']}"


def _labels(labels: dict[str, str], path: str) -> Mistakes:
    for key, value in labels.items():
        if not is_qualified_name(key):
            yield path, f"invalid key name {key!r}"
        if not is_label_value(value):
            yield path, f"invalid value {value!r} for {key}"


def _taints(spec: Spec, path: str) -> Mistakes:
    seen = set()
    for field in ("taints", "startupTaints"):
        for index, taint in enumerate(spec.get(field, ())):
            where = f"{path}.{field}[{index}]"
            if not is_qualified_name(taint["key"]):
                yield where, f"invalid key {taint['key']!r}"
            if taint.get("value") and not is_qualified_name(taint["value"]):
                yield where, f"invalid value {taint['value']!r}"
            if taint["effect"] not in {"NoSchedule", "PreferNoSchedule", "NoExecute", ""}:
                yield where, f"invalid effect {taint['effect']!r}"
            if (taint["key"], taint["effect"]) in seen:
                yield where, f"duplicate taint Key/Effect pair {taint['key']}={taint['effect']}"
            seen.add((taint["key"], taint["effect"]))


def _requirements(requirements: list[Spec], path: str) -> Mistakes:
    for index, requirement in enumerate(requirements):
        key, operator, values = requirement["key"], requirement["operator"], requirement.get("values", [])
        where = f"{path}[{index}]"
        if not is_qualified_name(key):
            yield where, f"key {key} is not a qualified name"
        for value in values:
            if not is_label_value(value):
                yield where, f"invalid value {value} for key {key}"
        if operator == "In" and not values:
            yield where, f"key {key} with operator In must have a value defined"
        is_whole = len(values) == 1 and re.fullmatch(r"\+?\d+", values[0])
        if operator in {"Gt", "Lt", "Gte", "Lte"} and not is_whole:
            yield where, f"key {key} with operator {operator} must have a single positive integer value"


def _kubelet(kubelet: Spec, path: str) -> Mistakes:
    for field in ("evictionHard", "evictionSoft", "evictionSoftGracePeriod"):
        for signal in sorted(kubelet.get(field, {}).keys() - _SIGNALS):
            yield f"{path}.{field}", f"invalid key {signal!r}"
    for field in ("evictionHard", "evictionSoft"):
        for signal, value in kubelet.get(field, {}).items():
            if not _is_threshold(value):
                yield f"{path}.{field}", f"invalid threshold {signal}={value}"
    yield from _reservations(kubelet, path)
    if kubelet.get("evictionSoft", {}).keys() != kubelet.get("evictionSoftGracePeriod", {}).keys():
        yield path, "evictionSoft and evictionSoftGracePeriod need the same keys"
    if kubelet.get("imageGCHighThresholdPercent", 100) < kubelet.get("imageGCLowThresholdPercent", 0):
        yield path, "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent"


def _reservations(kubelet: Spec, path: str) -> Mistakes:
    for field in ("kubeReserved", "systemReserved"):
        for resource, value in kubelet.get(field, {}).items():
            amount = quantity(value)
            if resource not in _RESERVABLE or amount is None or amount < 0:
                yield f"{path}.{field}", f"invalid reservation {resource}={value}"


def _is_threshold(text: str) -> bool:
    percent = re.fullmatch(r"(\d+(?:\.\d*)?)%", text)
    return Decimal(percent[1]) <= 100 if percent else quantity(text) is not None


_WEBHOOKS: dict[str, Callable[[Spec], Mistakes]] = {
    "Provisioner.v1alpha5": _provisioner,
    "AWSNodeTemplate.v1alpha1": _node_template,
    "NodePool.v1beta1": _node_pool_webhook,
    "EC2NodeClass.v1beta1": _node_class_webhook,
}
