"""Which gates a release has, and how each is by default."""

import pytest

from karpenter_construct._upstream.feature_gates import feature_gate_problems, feature_gates, gate_window
from karpenter_construct.releases import KarpenterVersion, since


def release(text):
    return KarpenterVersion.parse(text)


SPOT = {"spotToSpotConsolidation": False}
REPAIR = {**SPOT, "nodeRepair": False}
RESERVED_OFF = {**REPAIR, "reservedCapacity": False}
RESERVED_ON = {**REPAIR, "reservedCapacity": True}
OVERLAY = {**RESERVED_ON, "nodeOverlay": False}
STATIC = {**OVERLAY, "staticCapacity": False}
BUFFER = {**STATIC, "capacityBuffer": False}


@pytest.mark.parametrize(
    ("version", "gates"),
    [
        ("0.30.0-rc.0", {"driftEnabled": False}),
        ("0.31.5", {"driftEnabled": False}),
        ("0.32.0", {"drift": False}),
        ("0.32.10", {"drift": False}),
        ("0.33.0", {"drift": True}),
        ("0.33.12", {"drift": True}),
        ("0.34.0", {"drift": True, **SPOT}),
        ("0.37.8", {"drift": True, **SPOT}),
        ("1.0.0", SPOT),
        ("1.0.14", SPOT),
        ("1.1.0", REPAIR),
        ("1.2.8", REPAIR),
        ("1.3.0", RESERVED_OFF),
        ("1.5.8", RESERVED_OFF),
        ("1.6.0", RESERVED_ON),
        ("1.6.8", RESERVED_ON),
        ("1.7.0", OVERLAY),
        ("1.7.6", OVERLAY),
        ("1.8.1", STATIC),
        ("1.13.1", STATIC),
        ("1.14.0", BUFFER),
    ],
)
def test_gates_of_a_release(version, gates):
    assert feature_gates(release(version)) == gates


@pytest.mark.parametrize(
    ("gates", "message"),
    [
        (
            {"nodeOverlays": True},
            "`feature_gates['nodeOverlays']`: is no feature gate of Karpenter 1.6.8; use one of "
            "spotToSpotConsolidation, nodeRepair, reservedCapacity",
        ),
        (
            {"nodeOverlay": True},
            "`feature_gates['nodeOverlay']`: needs Karpenter 1.7.0 or later, version is 1.6.8; leave it out",
        ),
        (
            {"drift": True},
            "`feature_gates['drift']`: was removed in Karpenter 1.0.0, version is 1.6.8; leave it out",
        ),
        (
            {"nodeRepair": "yes"},
            "`feature_gates['nodeRepair']`: is neither on nor off, got 'yes'; write True or False",
        ),
    ],
)
def test_fails_a_gate_that_cannot_be_set(gates, message):
    assert [str(problem) for problem in feature_gate_problems(gates, release("1.6.8"))] == [message]


@pytest.mark.parametrize(
    ("key", "version", "message"),
    [
        ("drift", "0.31.5", "needs Karpenter 0.32.0 or later, version is 0.31.5; write 'driftEnabled'"),
        ("driftEnabled", "0.32.0", "was removed in Karpenter 0.32.0, version is 0.32.0; write 'drift'"),
        ("driftEnabled", "1.0.0", "was removed in Karpenter 0.32.0, version is 1.0.0; leave it out"),
    ],
)
def test_fails_a_gate_by_the_name_that_other_releases_have_for_it(key, version, message):
    problems = feature_gate_problems({key: True}, release(version))
    assert [str(problem) for problem in problems] == [f"`feature_gates['{key}']`: {message}"]


def test_gates_that_can_be_set():
    assert feature_gate_problems({"nodeRepair": True, "reservedCapacity": False}, release("1.6.8")) == []


def test_window_of_a_gate():
    assert gate_window("capacityBuffer") == since("1.14")
    assert gate_window("nothing") is None
