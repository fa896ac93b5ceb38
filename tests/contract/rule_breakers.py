"""For each CEL rule of the CRDs, what breaks it: changes relative to the place of the rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

Data = dict[str, Any]
Steps = tuple[str | int, ...]
Changes = dict[Steps, Any]

GONE = object()
"""Stands for a value that is taken away."""


class Rule(NamedTuple):
    """One CEL rule: the field that it is on, with 0 for the items of a list, and its message."""

    place: Steps
    message: str


def rules(schema: Data, place: Steps = ()) -> Iterator[Rule]:
    """The rules of a schema and all below it, but for those about updates."""
    for rule in schema.get("x-kubernetes-validations", ()):
        if "oldSelf" not in rule["rule"]:
            yield Rule(place, rule["message"])
    for name, child in schema.get("properties", {}).items():
        yield from rules(child, (*place, name))
    if isinstance(schema.get("items"), dict):
        yield from rules(schema["items"], (*place, 0))


_LABELS = {
    'label domain "kubernetes.io"': "example.kubernetes.io/a",
    'label domain "k8s.io"': "example.k8s.io/a",
    'label domain "karpenter.sh"': "karpenter.sh/a",
    'label "karpenter.sh/nodepool"': "karpenter.sh/nodepool",
    'label "kubernetes.io/hostname"': "kubernetes.io/hostname",
    'label domain "karpenter.k8s.aws"': "karpenter.k8s.aws/a",
}
_FAMILIES = ("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025")
_DEVICE: Data = {"rootVolume": True, "ebs": {"volumeSize": "20Gi"}}
_IDS = {"ami": "ami-1", "subnet": "subnet-1", "securityGroup": "sg-1", "capacityReservation": "cr-1"}

# A part of the message, and what breaks the rule.
_CHANGES: tuple[tuple[str, Changes], ...] = (
    ("tag contains a restricted tag matching kubernetes.io/cluster/", {("kubernetes.io/cluster/demo",): "x"}),
    ("empty tag keys aren't supported", {("",): "x"}),
    ("empty tag keys or values", {("team",): ""}),
    ("valid keys for", {("no-such-key",): "1m"}),
    ("negative resource quantity", {("cpu",): "-1"}),
    ("imageGCHighThresholdPercent must be greater", {("imageGCHighThresholdPercent",): 80}),
    (
        "evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod",
        {("evictionSoft", "pid.available"): "5%"},
    ),
    (
        "evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft",
        {("evictionSoftGracePeriod", "pid.available"): "1m"},
    ),
    ("operator 'In' must have a value", {(0,): {"key": "team", "operator": "In", "values": []}}),
    ("operator 'NotIn' must have a value", {(0,): {"key": "team", "operator": "NotIn", "values": []}}),
    ("must have a single positive integer value", {(1, "values"): ["1", "2"]}),
    ("requirements with 'minValues'", {(0, "minValues"): 3}),
    ("'schedule' must be set with 'duration'", {(0, "duration"): GONE}),
    ("consolidateAfter cannot be combined", {("consolidationPolicy",): "WhenUnderutilized"}),
    ("consolidateAfter must be specified", {("consolidateAfter",): GONE}),
    ("supported on static NodePools", {("replicas",): 1}),
    ("may not be empty", {(): ""}),
    ("amiSelectorTerms is required", {("amiFamily",): "Custom", ("amiSelectorTerms",): []}),
    ("must specify exactly one of ['role', 'instanceProfile']", {("instanceProfile",): "nodes"}),
    ("must specify amiFamily", {("amiFamily",): GONE}),
    (
        "with a combination of other amiSelectorTerms",
        {(): [{"alias": "al2@latest"}, {"id": "ami-1"}]},
    ),
    ("'alias' is mutually exclusive", {(): [{"alias": "al2@latest", "name": "nodes"}]}),
    ("'alias' is improperly formatted", {(): "al2"}),
    ("family is not supported", {(): "ubuntu@latest"}),
    ("windows families may only specify", {(): "windows2022@v1"}),
    ("'name' is mutually exclusive", {(): [{"name": "nodes", "tags": {"a": "b"}}]}),
    ("expected at least one, got none, ['name', 'id']", {(): {}}),
    ("expected at least one, got none", {(0,): {}}),
    ("'name' and 'id' are mutually exclusive", {("id",): "pg-1"}),
    (
        "only one blockDeviceMappings",
        {(): [{"deviceName": "/dev/xvda", **_DEVICE}, {"deviceName": "/dev/xvdb", **_DEVICE}]},
    ),
    ("snapshotID or volumeSize must be defined", {(): {"volumeType": "gp3"}}),
    ("snapshotID must be set", {("snapshotID",): GONE}),
    ("instanceProfile cannot be empty", {(): ""}),
    ("role cannot be empty", {(): ""}),
    ("SelectorTerms cannot be empty", {(): []}),
    ("must include a primary interface", {(0, "deviceIndex"): 1}),
    ("must not have duplicate networkCardIndex", {(1, "networkCardIndex"): 0}),
    ("at least one of tcpEstablishedTimeout", {(): {}}),
    ("cannot set both 'price'", {("priceAdjustment",): "-10%"}),
    ("invalid resource restricted", {("cpu",): 1}),
    ("If podTemplateRef is set", {("replicas",): GONE, ("limits",): GONE}),
    ("either PodTemplateRef or ScalableRef", {("scalableRef",): {"kind": "Deployment", "name": "web"}}),
)


def breaking(rule: Rule) -> Changes:
    """The changes that break a rule, relative to what holds the rule's object."""
    found = {**_of_labels(rule), **_of_lists(rule), **_of_tags(rule), **_of_families(rule)}
    found = found or next((changes for words, changes in _CHANGES if words in rule.message), {})
    assert found, f"nothing is known to break {rule}"
    return {(*rule.place, *steps): value for steps, value in found.items()}


def _of_labels(rule: Rule) -> Changes:
    key = next((key for words, key in _LABELS.items() if words in rule.message), None)
    if key is None:
        return {}
    return {(key,): "x"} if rule.place[-1] == "labels" else {(): key}


def _of_tags(rule: Rule) -> Changes:
    tag = rule.message.rpartition("tag contains a restricted tag matching ")[2]
    return {(tag,): "x"} if tag != rule.message and not tag.endswith("/") else {}


def _of_families(rule: Rule) -> Changes:
    if not rule.message.startswith("if set, amiFamily"):
        return {}
    family = rule.message.split("'")[1]
    other = next(known for known in _FAMILIES if known != family)
    return {("amiSelectorTerms",): [{"alias": f"{family.lower()}@latest"}], ("amiFamily",): other}


def _of_lists(rule: Rule) -> Changes:
    """Rules of the CRDs about terms hold unless every term breaks them."""
    if "'id' is mutually exclusive" not in rule.message:
        return {}
    word = str(rule.place[-1]).removesuffix("SelectorTerms")
    return {(): [{"id": _IDS[word], "tags": {"a": "b"}}]}
