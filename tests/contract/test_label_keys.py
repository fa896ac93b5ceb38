"""The label keys that a release takes are those that its CRDs let through, in requirements and in labels."""

from __future__ import annotations

import re
from typing import Any

import pytest

from karpenter_construct._checks import check_node_overlay, check_node_pool
from karpenter_construct._upstream.labels import WELL_KNOWN
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.requirements import Exists
from tests.contract import kubernetes_cel, upstream

TAGS = upstream.TAGS[upstream.TAGS.index("v0.32.10") :]
KEYS = (
    *WELL_KNOWN,
    *("karpenter.sh/nodepool", "karpenter.sh/a", "a.karpenter.sh/a", "kubernetes.io/hostname"),
    *(
        "karpenter.k8s.aws/a",
        "a.karpenter.k8s.aws/b",
        "kubernetes.io/a",
        "a.kubernetes.io/b",
        "akubernetes.io/b",
    ),
    *("node.kubernetes.io/a", "a.node.kubernetes.io/b", "node-restriction.kubernetes.io/a", "k8s.io/a"),
    *("a.k8s.io/b", "kops.k8s.io/a", "a.kops.k8s.io/b", "example.com/a", "a"),
)
# The CRDs take it as anybody's label; Karpenter knows it only later.
KNOWN_LATER = "topology.k8s.aws/zone-id"


def _spec(tag: str, kind: str) -> dict[str, Any]:
    crd = upstream.crds(tag)[kind]
    wanted = "v1beta1" if upstream.version(tag).generation.value == "v1beta1" else "v1"
    versions = {version["name"]: version for version in crd["spec"]["versions"]}
    version = versions.get(wanted) or next(iter(versions.values()))
    return version["schema"]["openAPIV3Schema"]["properties"]["spec"]


def _rules(schema: Any) -> str:
    """All CEL rules in a schema, one a line."""
    if isinstance(schema, list):
        return "\n".join(map(_rules, schema))
    if not isinstance(schema, dict):
        return ""
    own = [rule["rule"] for rule in schema.get("x-kubernetes-validations", ()) if "rule" in rule]
    return "\n".join([*own, *map(_rules, schema.values())])


def _passes(schema: dict[str, Any], value: object) -> bool:
    return not list(kubernetes_cel.failures(schema["x-kubernetes-validations"], value))


@pytest.mark.parametrize("tag", TAGS)
def test_every_key_that_the_crds_name_is_known(tag):
    named = set(re.findall(r'"([a-z0-9.-]+/[a-z0-9-]+)"', _rules(_spec(tag, "NodePool"))))
    assert len(named) > 20
    # Named only because nobody may require them.
    assert named - set(WELL_KNOWN) == {"kubernetes.io/hostname", "karpenter.sh/nodepool"}


@pytest.mark.parametrize("tag", TAGS)
def test_requirements_and_labels_of_a_pool(tag):
    template = _spec(tag, "NodePool")["properties"]["template"]["properties"]
    keys = template["spec"]["properties"]["requirements"]["items"]["properties"]["key"]
    labels = template["metadata"]["properties"]["labels"]
    version = upstream.version(tag)
    for key in KEYS:
        required = check_node_pool(NodePool(name="p", requirements=[Exists(key)]), version, path="p")
        labelled = check_node_pool(NodePool(name="p", labels={key: "1"}), version, path="p")
        wrong_key = [problem for problem in labelled if "whole numbers" not in problem.message]
        wrong_key = [problem for problem in wrong_key if "has no such value" not in problem.message]
        if key != KNOWN_LATER:
            assert (key, not required) == (key, _passes(keys, key))
            assert (key, not wrong_key) == (key, _passes(labels, {key: "1"}))


@pytest.mark.parametrize("tag", [tag for tag in TAGS if upstream.version(tag) in NodeOverlay.window])
def test_requirements_of_an_overlay(tag):
    keys = _spec(tag, "NodeOverlay")["properties"]["requirements"]["items"]["properties"]["key"]
    for key in KEYS:
        overlay = NodeOverlay(name="o", requirements=[Exists(key)])
        problems = check_node_overlay(overlay, upstream.version(tag), path="o")
        assert (key, not problems) == (key, _passes(keys, key))
