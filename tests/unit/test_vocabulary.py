"""What each release calls its kinds, labels and annotations."""

import pytest

from karpenter_construct._upstream.vocabulary import do_not_disrupt_annotation, node_pool_label, written_kinds
from karpenter_construct.releases import KarpenterVersion


def release(text):
    return KarpenterVersion.parse(text)


@pytest.mark.parametrize(
    ("version", "annotation", "label"),
    [
        ("0.30.0-rc.0", "karpenter.sh/do-not-evict", "karpenter.sh/provisioner-name"),
        ("0.31.5", "karpenter.sh/do-not-evict", "karpenter.sh/provisioner-name"),
        ("0.32.0", "karpenter.sh/do-not-disrupt", "karpenter.sh/nodepool"),
        ("1.14.1", "karpenter.sh/do-not-disrupt", "karpenter.sh/nodepool"),
    ],
)
def test_words_for_workloads(version, annotation, label):
    assert (do_not_disrupt_annotation(release(version)), node_pool_label(release(version))) == (
        annotation,
        label,
    )


ALPHA = ["karpenter.sh/v1alpha5 Provisioner", "karpenter.k8s.aws/v1alpha1 AWSNodeTemplate"]
BETA = ["karpenter.sh/v1beta1 NodePool", "karpenter.k8s.aws/v1beta1 EC2NodeClass"]
V1 = ["karpenter.sh/v1 NodePool", "karpenter.k8s.aws/v1 EC2NodeClass"]
OVERLAY = "karpenter.sh/v1alpha1 NodeOverlay"
BUFFER = "autoscaling.x-k8s.io/v1beta1 CapacityBuffer"


@pytest.mark.parametrize(
    ("version", "kinds"),
    [
        ("0.31.5", ALPHA),
        ("0.32.0", BETA),
        ("0.37.8", BETA),
        ("1.0.0", V1),
        ("1.6.8", V1),
        ("1.7.0", [*V1, OVERLAY]),
        ("1.13.1", [*V1, OVERLAY]),
        ("1.14.0", [*V1, OVERLAY, BUFFER]),
    ],
)
def test_kinds_that_are_written(version, kinds):
    assert [f"{kind.api_version} {kind.kind}" for kind in written_kinds(release(version))] == kinds
