"""The recipes run, and apply what they say."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import cdk8s
import pytest
import yaml
from aws_cdk import Stack
from aws_cdk.assertions import Template

from karpenter_construct import Karpenter
from tests.synth import clusters
from tests.synth.node_manifests import applied, warnings

TEXT = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text(encoding="utf-8")
RECIPES = dict(
    re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
)

DEFAULT_CLASS = "EC2NodeClass default"

APPLIED = {
    "One pool per team": [DEFAULT_CLASS, "NodePool search", "NodePool shop"],
    "In the team's own stack": [],
    "Spot with on-demand fallback": [DEFAULT_CLASS, "NodePool on-demand", "NodePool spot"],
    "GPU": ["EC2NodeClass gpu", "NodePool gpu"],
    "arm64 and amd64": [DEFAULT_CLASS, "NodePool any-arch"],
    "Windows": ["EC2NodeClass windows", "NodePool windows"],
    "Capacity reservations": ["EC2NodeClass reserved", "NodePool reserved"],
    "A static pool": [DEFAULT_CLASS, "NodePool always"],
    "No disruption in working hours": [DEFAULT_CLASS, "NodePool calm"],
    "Room for pods to come": ["CapacityBuffer shop/web", DEFAULT_CLASS, "NodePool default"],
    "Prices of your own": [DEFAULT_CLASS, "NodeOverlay savings-plan", "NodePool default"],
    "Pods without requests": ["LimitRange shop/default-requests"],
    "See it scale": ["Deployment default/inflate", DEFAULT_CLASS, "NodePool default"],
    "A VPC without a way out": [DEFAULT_CLASS, "NodePool default"],
    "YAML for Argo CD or Flux": [],
    "A chart in a CDK stack": ["EC2NodeClass general", "NodePool general"],
}
"""The objects in the stack that is ``self``."""

WARNS_OF_LATEST_IMAGE = {title for title, objects in APPLIED.items() if DEFAULT_CLASS in objects} | {
    "Windows"
}


@cache
def run(title: str) -> dict[str, object]:
    """The names that a recipe knows and makes, which nobody changes."""
    stack = clusters.stack()
    names: dict[str, object] = {"self": stack, "cluster": clusters.imported_classic(stack)}
    if "Karpenter(" not in RECIPES[title]:
        names["karpenter"] = Karpenter(stack, "Karpenter", cluster=names["cluster"], version="1.14.1")
    exec(RECIPES[title], names)  # noqa: S102 - it is our own
    return names


def test_every_recipe_is_known():
    assert sorted(RECIPES) == sorted(APPLIED)


@pytest.mark.parametrize("title", APPLIED)
def test_recipe_applies_what_it_says_and_is_warned_of_nothing_but_the_image(title):
    stack = run(title)["self"]
    assert isinstance(stack, Stack)
    assert applied(stack) == APPLIED[title]
    acknowledgeable = {line.rpartition("[ack: ")[2].rstrip("]") for line in warnings(stack)}
    assert acknowledgeable == ({"karpenter-construct:amiLatest"} if title in WARNS_OF_LATEST_IMAGE else set())


def test_the_teams_own_stack_has_its_class_and_its_pool():
    stack = run("In the team's own stack")["self"]
    assert isinstance(stack, Stack)
    team = stack.node.root.node.find_child("Search")
    assert isinstance(team, Stack)
    assert applied(team) == ["EC2NodeClass search", "NodePool search"]


def test_the_chart_for_argo_cd_has_its_class_and_its_pools():
    app = run("YAML for Argo CD or Flux")["app"]
    assert isinstance(app, cdk8s.App)
    bodies = list(yaml.safe_load_all(app.synth_yaml()))
    assert [f"{body['kind']} {body['metadata']['name']}" for body in bodies] == [
        "EC2NodeClass general",
        "NodePool general",
        "NodePool by-hand",
    ]


def test_every_heading_is_listed_and_every_link_leads_to_one():
    headings = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    anchors = [re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert re.findall(r"\]\(#([^)]+)\)", TEXT) == anchors


def test_a_windows_recipe_lets_windows_nodes_in():
    stack = run("Windows")["self"]
    assert isinstance(stack, Stack)
    Template.from_stack(stack).has_resource_properties("AWS::EKS::AccessEntry", {"Type": "EC2_WINDOWS"})
