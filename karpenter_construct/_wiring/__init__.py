"""The steps of `Karpenter`: each hands the decided settings to the resources or to the cluster."""

from __future__ import annotations

from .aws import AwsSteps
from .cluster import ClusterSteps
from .neighbours import NeighbourSteps

__all__ = ["Step"]


class Step(AwsSteps, ClusterSteps, NeighbourSteps):
    """Every step, in AWS and on the cluster."""
