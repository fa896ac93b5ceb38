"""What each release calls the things that a user's own workloads and manifests name."""

from __future__ import annotations

from typing import NamedTuple

from ..releases import KarpenterVersion, Window, between, since, until

_DO_NOT_DISRUPT = (
    (until("0.32"), "karpenter.sh/do-not-evict"),
    (since("0.32"), "karpenter.sh/do-not-disrupt"),
)

_NODE_POOL_LABELS = (
    (until("0.32"), "karpenter.sh/provisioner-name"),
    (since("0.32"), "karpenter.sh/nodepool"),
)


def do_not_disrupt_annotation(version: KarpenterVersion) -> str:
    """The annotation by which a pod, where it is ``"true"``, keeps its node."""
    return next(annotation for window, annotation in _DO_NOT_DISRUPT if version in window)


def node_pool_label(version: KarpenterVersion) -> str:
    """The label that says which pool a node belongs to."""
    return next(label for window, label in _NODE_POOL_LABELS if version in window)


class WrittenKind(NamedTuple):
    """A kind of object that a user's node pools and classes are written as."""

    kind: str
    api_version: str
    window: Window


_KINDS = (
    WrittenKind("Provisioner", "karpenter.sh/v1alpha5", until("0.32")),
    WrittenKind("AWSNodeTemplate", "karpenter.k8s.aws/v1alpha1", until("0.32")),
    WrittenKind("NodePool", "karpenter.sh/v1beta1", between("0.32", "1.0")),
    WrittenKind("EC2NodeClass", "karpenter.k8s.aws/v1beta1", between("0.32", "1.0")),
    WrittenKind("NodePool", "karpenter.sh/v1", since("1.0")),
    WrittenKind("EC2NodeClass", "karpenter.k8s.aws/v1", since("1.0")),
    WrittenKind("NodeOverlay", "karpenter.sh/v1alpha1", since("1.7")),
    WrittenKind("CapacityBuffer", "autoscaling.x-k8s.io/v1beta1", since("1.14")),
)


def written_kinds(version: KarpenterVersion) -> tuple[WrittenKind, ...]:
    """The kinds that are written for the release."""
    return tuple(kind for kind in _KINDS if version in kind.window)
