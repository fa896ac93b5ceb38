"""What about the cluster is refused, or warned of: kubectl and its Helm, Kubernetes, Auto Mode."""

from __future__ import annotations

import pytest

from karpenter_construct._decisions.cluster_cautions import cluster_cautions, kubectl_problems
from karpenter_construct.releases import KarpenterVersion

from .facts import imported, owned


def cautions(facts, version: str = "1.14.1") -> list[tuple[str, str]]:
    found = cluster_cautions(facts, KarpenterVersion.parse(version))
    return [(caution.id, caution.message) for caution in found]


def problems(facts) -> list[str]:
    return [str(problem) for problem in kubectl_problems(facts)]


def test_a_cluster_of_which_nothing_is_known_needs_no_word():
    assert cautions(imported()) == []
    assert problems(imported()) == []


# Helm 4


@pytest.mark.parametrize(
    ("layer", "cdk"),
    [(32, "2.148.0"), (32, "2.243.0"), (33, "2.244.0"), (37, "2.275.0"), (None, "2.148.0")],
)
def test_a_layer_and_a_cdk_that_go_together(layer, cdk):
    assert problems(owned(kubectl_layer_minor=layer, cdk_version=cdk)) == []


@pytest.mark.parametrize(("layer", "cdk"), [(33, "2.243.0"), (33, "2.179.0"), (37, "2.243.1")])
def test_fails_on_helm_4_with_a_cdk_that_calls_it_as_helm_3(layer, cdk):
    assert problems(owned(kubectl_layer_minor=layer, cdk_version=cdk)) == [
        f"`cluster`: the kubectl layer v{layer} of App/Cluster carries Helm 4, which installs charts from an OCI "
        f"registry only with aws-cdk-lib 2.244.0 or later, got {cdk}; upgrade aws-cdk-lib, or use the kubectl layer v32"
    ]


def test_fails_without_kubectl_in_the_words_of_the_cluster():
    assert problems(owned(has_kubectl=False, kubectl_missing="cannot; pass kubectl_layer")) == [
        "`cluster`: cannot; pass kubectl_layer, or use install_chart=False"
    ]


# kubectl's skew


@pytest.mark.parametrize(
    ("layer", "kubernetes"),
    [(32, "1.33"), (33, "1.33"), (34, "1.33"), (None, "1.33"), (20, None), (None, None)],
)
def test_kubectl_within_one_minor_needs_no_word(layer, kubernetes):
    assert cautions(owned(kubectl_layer_minor=layer, kubernetes_version=kubernetes)) == []


@pytest.mark.parametrize("layer", [31, 35])
def test_kubectl_two_minors_away(layer):
    assert cautions(owned(kubectl_layer_minor=layer, kubernetes_version="1.33")) == [
        (
            "karpenter-construct:kubectlSkew",
            f"App/Cluster has the kubectl layer v{layer} and Kubernetes 1.33: kubectl supports one minor of "
            "difference; use KubectlV33Layer.",
        )
    ]


# Kubernetes


@pytest.mark.parametrize(
    ("version", "kubernetes"),
    [("1.14.1", "1.26"), ("1.14.1", "1.36"), ("0.30.0", "1.23"), ("0.30.0", "1.27"), ("1.12.2", "1.35")],
)
def test_kubernetes_that_the_release_is_made_for(version, kubernetes):
    assert cautions(owned(kubernetes_version=kubernetes), version) == []


@pytest.mark.parametrize(
    ("version", "kubernetes", "message"),
    [
        (
            "1.14.1",
            "1.25",
            "Karpenter 1.14.1 is made for Kubernetes 1.26 to 1.36, the cluster has 1.25: use 0.30.0 to 1.4.4.",
        ),
        (
            "1.12.2",
            "1.36",
            "Karpenter 1.12.2 is made for Kubernetes 1.26 to 1.35, the cluster has 1.36: use 1.13.0 to 1.14.1.",
        ),
        (
            "0.30.0",
            "1.28",
            "Karpenter 0.30.0 is made for Kubernetes 1.23 to 1.27, the cluster has 1.28: use 0.31.0 to 1.14.1.",
        ),
        (
            "0.30.0",
            "1.22",
            "Karpenter 0.30.0 is made for Kubernetes 1.23 to 1.27, the cluster has 1.22: no release known here is "
            "made for that.",
        ),
    ],
)
def test_kubernetes_that_the_release_is_not_made_for(version, kubernetes, message):
    found = cautions(owned(kubernetes_version=kubernetes), version)
    assert found == [("karpenter-construct:kubernetesVersion", message)]


# Auto Mode


def test_auto_mode():
    assert cautions(owned(auto_mode=True)) == [
        (
            "karpenter-construct:autoMode",
            "App/Cluster runs EKS Auto Mode, which has a Karpenter of its own: both would scale for the same pods, "
            "and the karpenter-crd chart fails on the CRDs that Auto Mode owns; create the cluster with "
            "default_capacity_type=DefaultCapacityType.NODEGROUP and default_capacity=0.",
        )
    ]


def test_everything_at_once():
    facts = owned(auto_mode=True, kubectl_layer_minor=33, kubernetes_version="1.25")
    assert [caution_id for caution_id, _ in cautions(facts)] == [
        "karpenter-construct:kubernetesVersion",
        "karpenter-construct:kubectlSkew",
        "karpenter-construct:autoMode",
    ]
