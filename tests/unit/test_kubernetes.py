"""Kubernetes versions and ranges of them."""

import pytest

from karpenter_construct._upstream.kubernetes import KubernetesVersion, minors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.35", KubernetesVersion(1, 35)),
        ("v1.35", KubernetesVersion(1, 35)),
        ("1.9.11", KubernetesVersion(1, 9)),
        ("1.35.2-eks-abc", KubernetesVersion(1, 35)),
        ("1", None),
        ("latest", None),
        ("${Token[Version.1]}", None),
    ],
)
def test_reading(text, expected):
    assert KubernetesVersion.parse(text) == expected


def test_a_range_holds_both_its_ends():
    supported = minors(25, 30)
    inside = [minor for minor in range(1, 40) if KubernetesVersion(1, minor) in supported]
    assert inside == [25, 26, 27, 28, 29, 30]
    assert str(supported) == "1.25 to 1.30"
