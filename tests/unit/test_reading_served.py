"""Which objects the API server of a release takes as they stand."""

from __future__ import annotations

import pytest

from karpenter_construct._reading.served import served
from karpenter_construct.releases import KarpenterVersion
from tests.unit.reading import read

OBJECTS = {
    "karpenter.sh/v1alpha5": "kind: Provisioner\nspec: {providerRef: {name: a}}",
    "karpenter.k8s.aws/v1alpha1": "kind: AWSNodeTemplate\nspec: {subnetSelector: {a: b}}",
    "karpenter.sh/v1beta1": (
        "kind: NodePool\nspec: {template: {spec: {nodeClassRef: {name: a}, requirements: []}}}"
    ),
    "karpenter.k8s.aws/v1beta1": "kind: EC2NodeClass\nspec: {amiFamily: AL2}",
    "karpenter.sh/v1": (
        "kind: NodePool\nspec: {template: {spec: {requirements: [], nodeClassRef: "
        "{group: karpenter.k8s.aws, kind: EC2NodeClass, name: a}}}}"
    ),
    "karpenter.k8s.aws/v1": "kind: EC2NodeClass\nspec: {}",
    "karpenter.sh/v1alpha1": "kind: NodeOverlay\nspec: {requirements: []}",
    "autoscaling.x-k8s.io/v1beta1": "kind: CapacityBuffer\nspec: {}",
}


def verdict(api_version, release):
    text = f"apiVersion: {api_version}\nmetadata: {{name: a}}\n{OBJECTS[api_version]}\n"
    kept, problems = served(read(text), KarpenterVersion.parse(release))
    models = (*kept.node_classes, *kept.node_pools, *kept.node_overlays, *kept.capacity_buffers)
    assert len(models) == (0 if problems else 1)
    return [str(problem).partition("`: ")[2] for problem in problems]


@pytest.mark.parametrize(
    ("api_version", "release"),
    [
        ("karpenter.sh/v1alpha5", "0.30.0"),
        ("karpenter.sh/v1alpha5", "0.32.10"),
        ("karpenter.k8s.aws/v1alpha1", "0.32.10"),
        ("karpenter.sh/v1beta1", "0.32.0"),
        ("karpenter.sh/v1beta1", "1.0.14"),
        ("karpenter.k8s.aws/v1beta1", "1.0.14"),
        ("karpenter.sh/v1", "0.33.6"),
        ("karpenter.sh/v1", "0.37.1"),
        ("karpenter.k8s.aws/v1", "1.0.0"),
        ("karpenter.sh/v1", "1.14.1"),
        ("karpenter.sh/v1alpha1", "1.7.0"),
        ("autoscaling.x-k8s.io/v1beta1", "1.14.0"),
    ],
)
def test_object_is_served(api_version, release):
    assert verdict(api_version, release) == []


@pytest.mark.parametrize(
    ("api_version", "release", "why"),
    [
        ("karpenter.sh/v1alpha5", "0.33.0", "was removed in Karpenter 0.33.0, version is 0.33.0"),
        ("karpenter.k8s.aws/v1alpha1", "0.33.0", "was removed in Karpenter 0.33.0, version is 0.33.0"),
        ("karpenter.sh/v1beta1", "0.31.5", "needs Karpenter 0.32.0 or later, version is 0.31.5"),
        ("karpenter.k8s.aws/v1beta1", "1.1.0", "was removed in Karpenter 1.1.0, version is 1.1.0"),
        ("karpenter.sh/v1", "0.33.5", "needs Karpenter 0.33.6 or later, version is 0.33.5"),
        ("karpenter.k8s.aws/v1", "0.37.0", "needs Karpenter 0.37.1 or later, version is 0.37.0"),
    ],
)
def test_fails_where_it_is_not_served(api_version, release, why):
    assert verdict(api_version, release) == [f"{api_version} {why}; convert the object"]


@pytest.mark.parametrize(
    ("api_version", "release", "why"),
    [
        ("karpenter.sh/v1alpha1", "1.6.8", "needs Karpenter 1.7.0 or later, version is 1.6.8"),
        ("autoscaling.x-k8s.io/v1beta1", "1.13.1", "needs Karpenter 1.14.0 or later, version is 1.13.1"),
    ],
)
def test_fails_where_nothing_like_it_is_served(api_version, release, why):
    assert verdict(api_version, release) == [f"{api_version} {why}; leave the object out"]
