"""What about a cluster makes Karpenter work badly, or not at all."""

from __future__ import annotations

from packaging.version import Version

from .._upstream.compatibility import kubernetes_caution
from ..errors import Caution, Problem
from ..releases import KarpenterVersion
from .cluster_facts import ClusterFacts

# The kubectl layers from v33 on carry Helm 4, which refuses the `--repo oci://` that aws-cdk-lib before 2.244 passes.
_FIRST_HELM_4_LAYER = 33
_FIRST_CDK_FOR_HELM_4 = Version("2.244.0")
# kubectl is supported within one minor of the API server (Kubernetes version skew policy).
_KUBECTL_SKEW = 1


def kubectl_problems(facts: ClusterFacts) -> list[Problem]:
    """Why charts and manifests cannot be applied to the cluster."""
    if not facts.has_kubectl:
        return [Problem("cluster", f"{facts.kubectl_missing}, or use install_chart=False")]
    layer = facts.kubectl_layer_minor
    if layer is None or layer < _FIRST_HELM_4_LAYER or Version(facts.cdk_version) >= _FIRST_CDK_FOR_HELM_4:
        return []
    return [
        Problem(
            "cluster",
            f"the kubectl layer v{layer} of {facts.path} carries Helm 4, which installs charts from an OCI registry "
            f"only with aws-cdk-lib {_FIRST_CDK_FOR_HELM_4} or later, got {facts.cdk_version}; upgrade aws-cdk-lib, "
            f"or use the kubectl layer v{_FIRST_HELM_4_LAYER - 1}",
        )
    ]


def cluster_cautions(facts: ClusterFacts, version: KarpenterVersion) -> list[Caution]:
    """Everything about the cluster that the user should look at."""
    cautions = [kubernetes_caution(version, facts.kubernetes_version), _skew(facts), _auto_mode(facts)]
    return [caution for caution in cautions if caution is not None]


def _skew(facts: ClusterFacts) -> Caution | None:
    if facts.kubectl_layer_minor is None or facts.kubernetes_version is None:
        return None
    cluster_minor = int(facts.kubernetes_version.partition(".")[2])
    if abs(facts.kubectl_layer_minor - cluster_minor) <= _KUBECTL_SKEW:
        return None
    return Caution(
        "karpenter-construct:kubectlSkew",
        f"{facts.path} has the kubectl layer v{facts.kubectl_layer_minor} and Kubernetes {facts.kubernetes_version}: "
        f"kubectl supports one minor of difference; use KubectlV{cluster_minor}Layer.",
    )


def _auto_mode(facts: ClusterFacts) -> Caution | None:
    if not facts.auto_mode:
        return None
    return Caution(
        "karpenter-construct:autoMode",
        f"{facts.path} runs EKS Auto Mode, which has a Karpenter of its own: both would scale for the same pods, and "
        "the karpenter-crd chart fails on the CRDs that Auto Mode owns; create the cluster with default_capacity_type="
        "DefaultCapacityType.NODEGROUP and default_capacity=0.",
    )
