"""The manifests of every release are valid for its CRDs, use all of them, and go no further."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from karpenter_construct._checks import (
    check_capacity_buffer,
    check_node_class,
    check_node_overlay,
    check_node_pool,
)
from karpenter_construct._dialects import dialect
from karpenter_construct.node_class import EC2NodeClass
from tests.contract import crd_oracle, crd_schemas, full_models, upstream

Manifest = dict[str, Any]

each_tag = pytest.mark.parametrize("tag", upstream.TAGS)


def manifests(tag: str) -> Iterator[Manifest]:
    """Manifests that use every field that the release of the tag knows."""
    version = upstream.version(tag)
    words, node_class = dialect(version), EC2NodeClass(name="default")
    yield from (words.node_pool(pool, node_class) for pool in full_models.node_pools(version))
    yield from (words.node_class(each) for each in full_models.node_classes(version))
    yield from (words.node_overlay(overlay) for overlay in full_models.node_overlays(version))
    yield from (words.capacity_buffer(buffer) for buffer in full_models.capacity_buffers(version))


@each_tag
def test_the_full_models_pass_our_own_checks(tag):
    version = upstream.version(tag)
    problems = [
        *(check_node_pool(pool, version, path=pool.path) for pool in full_models.node_pools(version)),
        *(
            check_node_class(each, version, path=each.path, complete=True)
            for each in full_models.node_classes(version)
        ),
        *(check_node_overlay(each, version, path=each.path) for each in full_models.node_overlays(version)),
        *(
            check_capacity_buffer(each, version, path=each.path)
            for each in full_models.capacity_buffers(version)
        ),
    ]
    assert [str(problem) for found in problems for problem in found] == []


@each_tag
def test_every_manifest_is_valid(tag):
    refused = {
        f"{manifest['kind']} {manifest['metadata']['name']}": violations
        for manifest in manifests(tag)
        if (violations := crd_oracle.violations(tag, manifest))
    }
    assert refused == {}


UNSAID = {
    "Provisioner": {
        # The class is a node template, always.
        "spec.provider",
        "spec.providerRef.apiVersion",
        "spec.providerRef.kind",
        # Kubernetes 1.24 and later has containerd alone.
        "spec.kubeletConfiguration.containerRuntime",
    },
    "AWSNodeTemplate": {
        # The type of the inline provider that node templates come from.
        "spec.apiVersion",
        "spec.kind",
        # There is no such thing from v1beta1 on.
        "spec.launchTemplate",
    },
    # The API has the field, and refuses any value.
    "NodePool karpenter.sh/v1beta1": {"spec.template.spec.resources.requests"},
}
"""The fields of the CRDs that no manifest uses, each with the reason."""


@each_tag
def test_the_manifests_use_every_field_of_the_crds(tag):
    said: dict[str, set[str]] = {}
    for manifest in manifests(tag):
        key = f"{manifest['kind']} {manifest['apiVersion']}"
        said.setdefault(key, set()).update(_said({"spec": manifest["spec"]}, ""))
    unsaid = {key: sorted(_fields(tag, key) - paths - _unsaid(key)) for key, paths in said.items()}
    assert unsaid == {key: [] for key in said}


def _unsaid(key: str) -> set[str]:
    return UNSAID.get(key) or UNSAID.get(key.partition(" ")[0]) or set()


def _said(value: object, path: str) -> Iterator[str]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _said(item, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for item in value:
            yield from _said(item, path)


def _fields(tag: str, key: str) -> set[str]:
    kind, _, api_version = key.partition(" ")
    return set(_leaves(crd_schemas.spec_schema(tag, kind, api_version.partition("/")[2]), "spec"))


def _leaves(schema: crd_schemas.Schema, path: str) -> Iterator[str]:
    if "items" in schema:
        yield from _leaves(schema["items"], path)
    elif schema.get("properties"):
        for name, child in schema["properties"].items():
            yield from _leaves(child, f"{path}.{name}")
    else:
        yield path
