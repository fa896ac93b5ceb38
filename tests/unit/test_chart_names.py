"""The names that the chart gives its objects."""

import pytest

from karpenter_construct._upstream.chart_names import controller_name, controller_pod_labels


@pytest.mark.parametrize(
    ("release", "values", "name"),
    [
        ("karpenter", {}, "karpenter"),
        ("my-karpenter", {}, "my-karpenter"),
        ("scaler", {}, "scaler-karpenter"),
        ("scaler", {"nameOverride": "kpt"}, "scaler-kpt"),
        ("kpt-1", {"nameOverride": "kpt"}, "kpt-1"),
        ("karpenter", {"fullnameOverride": "other"}, "other"),
        ("r" * 62, {"fullnameOverride": ""}, "r" * 62),
        ("karpenter", {"fullnameOverride": "x" * 62 + "-y"}, "x" * 62),
    ],
)
def test_the_name_of_deployment_and_service(release, values, name):
    assert controller_name(release, values) == name


def test_the_labels_of_the_pods():
    assert controller_pod_labels("scaler", {}) == {
        "app.kubernetes.io/name": "karpenter",
        "app.kubernetes.io/instance": "scaler",
    }
    assert controller_pod_labels("scaler", {"nameOverride": "kpt"})["app.kubernetes.io/name"] == "kpt"
