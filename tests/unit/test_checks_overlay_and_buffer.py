"""Node overlays and capacity buffers."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_capacity_buffer, check_node_overlay
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.releases import KarpenterVersion

NEWEST = KarpenterVersion.parse("1.14.1")


def overlay_lines(**fields) -> list[str]:
    return [str(problem) for problem in check_node_overlay(NodeOverlay(name="o", **fields), NEWEST, path="o")]


def buffer_lines(**fields) -> list[str]:
    buffer = CapacityBuffer(name="b", **fields)
    return [str(problem) for problem in check_capacity_buffer(buffer, NEWEST, path="b")]


def test_fails_on_a_price_and_its_adjustment():
    assert overlay_lines(price="0.1", price_adjustment="-10%") == [
        "`o`: cannot set both 'price' and 'priceAdjustment'; leave one of the two out"
    ]


def test_fails_on_capacity_that_nodes_have_of_their_own():
    assert overlay_lines(capacity={"example.com/fuse": 1, "memory": "1Gi"}) == [
        "`o.capacity`: invalid resource restricted, got {'example.com/fuse': 1, 'memory': '1Gi'}; leave cpu, "
        "memory, ephemeral-storage and pods out, an overlay cannot change them"
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"price": "0.1"},
        {"price_adjustment": "-15%", "weight": 10_000},
        {"capacity": {"example.com/fuse": 1}},
    ],
)
def test_overlays_that_fit_pass(fields):
    assert overlay_lines(**fields) == []


TEMPLATE = {"pod_template_ref": {"name": "chunk"}}
SCALABLE = {"scalable_ref": {"api_group": "apps", "kind": "Deployment", "name": "web"}}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {**TEMPLATE, **SCALABLE, "replicas": 1},
            "`b`: You must define either PodTemplateRef or ScalableRef, but not both; leave one of the two "
            "out",
        ),
        (
            {"replicas": 1},
            "`b`: You must define either PodTemplateRef or ScalableRef, got neither; give one of the two",
        ),
        (TEMPLATE, "`b`: If podTemplateRef is set, replicas or limits must also be set; give replicas"),
        (
            {**TEMPLATE, "replicas": 1, "percentage": 5},
            "`b.percentage`: is a share of the replicas of scalable_ref, which is missing, got 5; give "
            "scalable_ref, or replicas instead",
        ),
    ],
)
def test_fails_on_buffers_that_do_not_fit(fields, line):
    assert buffer_lines(**fields) == [line]


@pytest.mark.parametrize(
    "fields",
    [
        {**TEMPLATE, "replicas": 0},
        {**TEMPLATE, "limits": {"cpu": 4}},
        SCALABLE,
        {**SCALABLE, "percentage": 20},
    ],
)
def test_buffers_that_fit_pass(fields):
    assert buffer_lines(**fields) == []
