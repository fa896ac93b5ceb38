"""What a release cannot say is refused by our checks, and unknown to that release's CRDs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from karpenter_construct._checks import check_node_class, check_node_pool
from karpenter_construct._dialects import dialect
from karpenter_construct.block_devices import VolumeType
from karpenter_construct.node_class import (
    AMIFamily,
    EC2NodeClass,
    InstanceStorePolicy,
    InterfaceType,
    MetadataState,
    MetadataTokens,
    NestedVirtualization,
)
from karpenter_construct.node_pool import ConsolidationPolicy, DisruptionReason, NodePool, TaintEffect
from karpenter_construct.releases import Window, since, until
from karpenter_construct.requirements import Operator
from karpenter_construct.selector_terms import InstanceMatchCriteria
from tests.contract import crd_oracle, crd_schemas, full_models, upstream

POOL: dict[str, Any] = {"name": "a"}
CLASS: dict[str, Any] = {
    "name": "a",
    "instance_profile": "nodes",
    "subnet_selector_terms": [{"tags": {"a": "b"}}],
    "security_group_selector_terms": [{"tags": {"a": "b"}}],
}
AL2: dict[str, Any] = {**CLASS, "ami": "al2@latest"}


@dataclass(frozen=True)
class TooMuch:
    """Something that only the releases of a window can say.

    Attributes:
        word: The field or the value, as the CRDs spell it.
        window: The releases that know it.
        model: The pool or class that says it.
        path: Where our problem points to.
        said: What our problem begins with, where it is about a value.
        is_value: Whether the word is a value of a field that is known.
    """

    word: str
    window: Window
    model: NodePool | EC2NodeClass
    path: str
    said: str = ""
    is_value: bool = False


def pool(word: str, window: Window, path: str, fields: dict[str, Any], **options: Any) -> TooMuch:
    return TooMuch(word, window, NodePool(**POOL, **fields), f"node_pools['a'].{path}", **options)


def node_class(word: str, window: Window, path: str, fields: dict[str, Any], **options: Any) -> TooMuch:
    base = CLASS if "ami" in fields or "ami_family" in fields else AL2
    return TooMuch(word, window, EC2NodeClass(**{**base, **fields}), f"node_classes['a'].{path}", **options)


def _disruption(**fields: object) -> dict[str, Any]:
    return {"disruption": {"consolidate_after": "0s", **fields}}


def _requirement(**fields: object) -> dict[str, Any]:
    return {"requirements": [{"key": "karpenter.k8s.aws/instance-cpu", **fields}]}


def _volume(**fields: object) -> dict[str, Any]:
    volume = {"volume_size": "20Gi", "snapshot_id": "snap-1", **fields}
    return {"block_device_mappings": [{"device_name": "/dev/xvda", "ebs": volume}]}


TOO_MUCH = (
    pool("budgets", since("0.34"), "disruption.budgets", _disruption(budgets=[{"nodes": "5"}])),
    pool(
        "minValues",
        since("0.35"),
        "requirements[0].min_values",
        _requirement(operator="Exists", min_values=2),
    ),
    pool(
        "reasons",
        since("1.0"),
        "disruption.budgets[0].reasons",
        _disruption(budgets=[{"reasons": ["Empty"]}]),
    ),
    pool(
        "terminationGracePeriod", since("1.0"), "termination_grace_period", {"termination_grace_period": "1h"}
    ),
    pool("replicas", since("1.8"), "replicas", {"replicas": 1}),
    pool(
        "Gte",
        since("1.9"),
        "requirements[0].operator",
        _requirement(operator="Gte", values=["4"]),
        said="'Gte' ",
        is_value=True,
    ),
    pool(
        "Lte",
        since("1.9"),
        "requirements[0].operator",
        _requirement(operator="Lte", values=["4"]),
        said="'Lte' ",
        is_value=True,
    ),
    pool(
        "Balanced",
        since("1.14"),
        "disruption.consolidation_policy",
        _disruption(consolidation_policy="Balanced"),
        said="'Balanced' ",
        is_value=True,
    ),
    node_class("role", since("0.32"), "role", {"instance_profile": None, "role": "nodes"}),
    node_class(
        "rootVolume",
        since("0.32"),
        "block_device_mappings[0].root_volume",
        {
            "block_device_mappings": [
                {"device_name": "/dev/xvda", "ebs": {"volume_size": "1Gi"}, "root_volume": True}
            ]
        },
    ),
    node_class(
        "instanceStorePolicy", since("0.34"), "instance_store_policy", {"instance_store_policy": "RAID0"}
    ),
    node_class(
        "associatePublicIPAddress",
        since("0.35"),
        "associate_public_ip_address",
        {"associate_public_ip_address": True},
    ),
    node_class("AL2023", since("0.35"), "ami", {"ami": "al2023@latest"}, said="'al2023' ", is_value=True),
    node_class(
        "AL2023", since("0.35"), "ami_family", {"ami_family": "AL2023"}, said="'AL2023' ", is_value=True
    ),
    node_class(
        "Ubuntu", until("1.0"), "ami_family", {"ami_family": "Ubuntu"}, said="'Ubuntu' ", is_value=True
    ),
    node_class(
        "capacityReservationSelectorTerms",
        since("1.3"),
        "capacity_reservation_selector_terms",
        {"capacity_reservation_selector_terms": [{"id": "cr-1"}]},
    ),
    node_class(
        "ssmParameter",
        since("1.4"),
        "ami_selector_terms[0].ssm_parameter",
        {"ami_family": "AL2", "ami_selector_terms": [{"ssm_parameter": "/a"}]},
    ),
    node_class(
        "volumeInitializationRate",
        since("1.5"),
        "block_device_mappings[0].ebs.volume_initialization_rate",
        _volume(volume_initialization_rate=100),
    ),
    node_class(
        "instanceMatchCriteria",
        since("1.8"),
        "capacity_reservation_selector_terms[0].instance_match_criteria",
        {"capacity_reservation_selector_terms": [{"instance_match_criteria": "open"}]},
    ),
    node_class("ipPrefixCount", since("1.8"), "ip_prefix_count", {"ip_prefix_count": 1}),
    node_class(
        "Windows2025",
        since("1.9"),
        "ami",
        {"ami": "windows2025@latest"},
        said="'windows2025' ",
        is_value=True,
    ),
    node_class(
        "placementGroupSelector",
        since("1.11"),
        "placement_group_selector",
        {"placement_group_selector": {"id": "pg-1"}},
    ),
    node_class(
        "networkInterfaces",
        since("1.11"),
        "network_interfaces",
        {"network_interfaces": [{"network_card_index": 0, "device_index": 0, "interface_type": "interface"}]},
    ),
    node_class(
        "connectionTracking",
        since("1.13"),
        "connection_tracking",
        {"connection_tracking": {"udp_timeout": 30}},
    ),
    node_class(
        "cpuOptions", since("1.13"), "cpu_options", {"cpu_options": {"nested_virtualization": "enabled"}}
    ),
)

each_word = pytest.mark.parametrize("too_much", TOO_MUCH, ids=lambda each: f"{each.word} in {each.path}")


def _outer_windows(too_much: TooMuch) -> list[Window]:
    """The windows of the fields that the word is inside of; a problem is about the outermost unknown one."""
    steps = {"reasons": [since("0.34")], "instanceMatchCriteria": [since("1.3")]}
    return steps.get(too_much.word, [])


@each_word
def test_fails_where_a_release_cannot_say_it(too_much):
    for tag in upstream.TAGS:
        version = upstream.version(tag)
        check = check_node_pool if isinstance(too_much.model, NodePool) else check_node_class
        problems = [str(each) for each in check(too_much.model, version, path=too_much.model.path)]
        if version in too_much.window:
            assert problems == [], tag
        elif all(version in outer for outer in _outer_windows(too_much)):
            requirement = too_much.window.requirement(version)
            assert f"`{too_much.path}`: {too_much.said}{requirement}" in problems, tag
        else:
            assert problems, tag


@each_word
def test_the_crds_know_it_in_these_releases_and_in_no_other(too_much):
    for tag in upstream.TAGS:
        version = upstream.version(tag)
        violations = crd_oracle.violations(tag, _manifest(too_much, tag))
        known = too_much.word in _words(too_much, tag)
        assert known == (version in too_much.window), tag
        if known:
            assert violations == [], tag
        elif _is_said(too_much, tag):
            assert violations != [], tag


def _manifest(too_much: TooMuch, tag: str) -> dict[str, Any]:
    words = dialect(upstream.version(tag))
    if isinstance(too_much.model, NodePool):
        return words.node_pool(too_much.model, EC2NodeClass(name="a"))
    return words.node_class(too_much.model)


def _is_said(too_much: TooMuch, tag: str) -> bool:
    """Whether the release's dialect writes the word at all; some generations have no place for it."""
    return f'"{too_much.word}"' in json.dumps(_manifest(too_much, tag))


def _words(too_much: TooMuch, tag: str) -> set[str]:
    """Every field, or every value of an enum, of the CRD that the model is written as."""
    manifest = _manifest(too_much, tag)
    name = manifest["apiVersion"].partition("/")[2]
    # The Provisioner and the node template have no enums; the webhook's values are in the oracle.
    if too_much.is_value and name.startswith("v1alpha"):
        return {"Ubuntu"}
    parts = list(crd_schemas.schemas(crd_schemas.spec_schema(tag, manifest["kind"], name)))
    if too_much.is_value:
        return {value for part in parts for value in part.get("enum", ())}
    return {field for part in parts for field in part.get("properties", {})}


def test_every_field_with_a_window_is_tried():
    fields = {
        (name, window)
        for model in (NodePool, EC2NodeClass)
        for name, window in full_models.fields_with_windows(model)
    }
    tried = {(each.word, each.window) for each in TOO_MUCH if not each.is_value}
    # Two patches of 0.32 lack it; no tag here does.
    assert fields - tried == {("instanceProfile", until("0.32") | since("0.32.2"))}
    assert tried - fields == set()


ENUMS = (
    ("NodePool", ("operator",), Operator),
    ("NodePool", ("effect",), TaintEffect),
    ("NodePool", ("consolidationPolicy",), ConsolidationPolicy),
    ("NodePool", ("reasons",), DisruptionReason),
    ("EC2NodeClass", ("amiFamily",), AMIFamily),
    ("EC2NodeClass", ("volumeType",), VolumeType),
    ("EC2NodeClass", ("instanceStorePolicy",), InstanceStorePolicy),
    ("EC2NodeClass", ("httpEndpoint", "httpProtocolIPv6"), MetadataState),
    ("EC2NodeClass", ("httpTokens",), MetadataTokens),
    ("EC2NodeClass", ("interfaceType",), InterfaceType),
    ("EC2NodeClass", ("nestedVirtualization",), NestedVirtualization),
    ("EC2NodeClass", ("instanceMatchCriteria",), InstanceMatchCriteria),
)


@pytest.mark.parametrize(("kind", "fields", "words"), ENUMS, ids=lambda each: getattr(each, "__name__", None))
def test_the_values_of_every_enum_are_those_of_the_crds(kind, fields, words):
    tags = [tag for tag in upstream.TAGS if upstream.version(tag) in since("1.0")]
    for tag in tags:
        known = {str(word) for word in words if upstream.version(tag) in word.window}
        for field in fields:
            values = _enum(tag, kind, field)
            assert values in (known, set()), tag
    # The newest release has the field; an older one may not.
    assert _enum(tags[-1], kind, fields[0])


def _enum(tag: str, kind: str, field: str) -> set[str]:
    parts = crd_schemas.schemas(crd_schemas.spec_schema(tag, kind, "v1"))
    named = [part["properties"][field] for part in parts if field in part.get("properties", {})]
    return {value for each in named for value in each.get("items", each).get("enum", ())}
