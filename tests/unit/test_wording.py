"""What a message proposes instead of a word that is not known."""

from __future__ import annotations

import pytest

from karpenter_construct._fields import suggestion


@pytest.mark.parametrize(
    ("word", "known", "clause"),
    [
        ("replica", ["template", "replicas"], "did you mean 'replicas'?"),
        ("userdata", ["metadata_options", "user_data"], "did you mean 'user_data'?"),
        ("clusterDns", ["clusterDNS", "maxPods"], "did you mean 'clusterDNS'?"),
        ("on_demand", ["spot", "on-demand"], "did you mean 'on-demand'?"),
        (
            "subnetSelector",
            ["kubelet", "subnet_selector_terms"],
            "did you mean 'subnet_selector_terms'?",
        ),
        ("kubeletConfiguration", ["disruption", "kubelet"], "did you mean 'kubelet'?"),
        ("memory", ["nodefs.available", "memory.available"], "did you mean 'memory.available'?"),
    ],
)
def test_proposes_what_is_near(word, known, clause):
    assert suggestion(word, known) == clause


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("replicas", ["template", "disruption", "limits", "weight"]),
        ("nope", ["name", "node_class"]),
        ("instanceTypes", ["taints", "startup_taints"]),
        ("consolidation", ["annotations", "disruption"]),
        ("Whenever", ["WhenEmpty", "WhenUnderutilized"]),
        ("in", ["instance_profile"]),
        ("x" * 101, ["x" * 100]),
        (5, ["5"]),
        ("", ["a"]),
    ],
)
def test_proposes_nothing_that_is_far(word, known):
    assert suggestion(word, known) == ""
