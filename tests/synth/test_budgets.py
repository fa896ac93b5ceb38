"""What Karpenter adds to a template, on the benchmark's cluster with one class and pools: counts, not times."""

from __future__ import annotations

import functools
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aws_cdk
import pytest
from aws_cdk import aws_ec2, aws_eks
from jsii._kernel.providers.process import _NodeProcess

from karpenter_construct import Karpenter

from .apps import ROOT

layers = pytest.importorskip(
    "aws_cdk.lambda_layer_kubectl_v36", reason="the benchmark's layer is not installed"
)
pytestmark = pytest.mark.xdist_group("budgets")

WEIGH = runpy.run_path(str(ROOT / "bench" / "template.py"))["weigh"]
# Not as a program: that would measure and print.
SUBJECTS = runpy.run_path(str(ROOT / "bench" / "measured_app.py"), run_name="bench")["SUBJECTS"]


@functools.cache
def weight(subject: str, pools: int) -> Any:
    """The weight of the benchmark's template."""
    app = aws_cdk.App(context={"aws:cdk:disable-asset-staging": True})
    stack = aws_cdk.Stack(app, "Bench")
    cluster = aws_eks.Cluster(
        stack,
        "Cluster",
        vpc=aws_ec2.Vpc(stack, "Vpc", max_azs=2),
        version=aws_eks.KubernetesVersion.V1_36,
        kubectl_layer=layers.KubectlV36Layer(stack, "Kubectl"),
    )
    SUBJECTS[subject](stack, cluster, pools)
    return WEIGH(Path(app.synth().directory, "Bench.template.json"))


def added(what: str, pools: int = 1) -> int:
    return getattr(weight("ours", pools), what) - getattr(weight("baseline", 0), what)


@pytest.mark.parametrize(("what", "most"), [("resources", 28), ("lambda_calls", 7), ("size", 28_000)])
def test_karpenter_with_one_class_and_pool_adds_at_most(what: str, most: int):
    assert added(what) <= most


@pytest.mark.parametrize(("what", "most"), [("resources", 9), ("lambda_calls", 9), ("size", 9 * 1_400)])
def test_nine_further_pools_add_at_most(what: str, most: int):
    assert added(what, 10) - added(what, 1) <= most


def test_few_custom_resources_are_made_one_after_the_other():
    """The cluster, the charts, the class, the pool."""
    assert weight("ours", 1).lambda_chain == 5


def trips(build: Callable[[], object]) -> int:
    """How many calls into the Node.js process it takes."""
    with patch.object(_NodeProcess, "send", autospec=True, side_effect=_NodeProcess.send) as send:
        build()
    return send.call_count


def test_the_constructor_and_each_pool_take_few_trips_to_the_process_of_cdk():
    stack = aws_cdk.Stack()
    cluster = aws_eks.Cluster(
        stack,
        "Cluster",
        vpc=aws_ec2.Vpc(stack, "Vpc", max_azs=2),
        version=aws_eks.KubernetesVersion.V1_36,
        kubectl_layer=layers.KubectlV36Layer(stack, "Kubectl"),
    )
    made: list[Karpenter] = []
    assert trips(lambda: made.append(Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1"))) <= 121
    (karpenter,) = made
    karpenter.add_node_class("default", ami="al2023@v20260810")
    for number in range(3):
        assert trips(lambda: karpenter.add_node_pool(f"pool-{number}")) == 3  # noqa: B023
