"""Karpenter on every kind of cluster, in releases of the three generations of its API."""

from __future__ import annotations

import importlib
from typing import Any

from aws_cdk import Stack

from karpenter_construct import Discovery, Karpenter

from . import clusters

GENERATIONS = {"0.31.5": "1.27", "0.37.8": "1.29", "1.14.1": "1.33"}
"""A release of each generation, and a Kubernetes that it is made for."""


WITHOUT_QUEUE = {"interruption_handling": False}
"""For tests of something else: the queue and its rules are a quarter of what the constructor makes."""

WITHOUT_CHARTS = {
    "install_chart": False,
    "discovery": Discovery.by_id(subnets=["subnet-1"], security_groups=["sg-1"]),
}
"""For tests of something else: charts, and tags with their custom resource, are another quarter."""

ROLES_ALONE = {**WITHOUT_QUEUE, **WITHOUT_CHARTS}
"""For tests of roles, and of what is added later."""


def cluster(kind: str, scope: Stack, release: str = "1.14.1", **changes: Any) -> Any:
    """A cluster of a kind in ``clusters.BUILDERS``, with a Kubernetes that the release is made for.

    ``other_`` in front puts it into a stack of its own.
    """
    elsewhere, _, name = kind.rpartition("other_")
    build = clusters.BUILDERS[name]
    if not name.startswith("imported"):
        module = importlib.import_module(f"aws_cdk.aws_eks{'_v2' if name.startswith('v2') else ''}")
        changes = {"version": module.KubernetesVersion.of(GENERATIONS[release]), **changes}
    if kind.startswith("other_"):
        return clusters.other_stack(scope, build, **changes)
    assert not elsewhere
    return build(scope, **changes)


def karpenter(kind: str, scope: Stack, release: str = "1.14.1", **arguments: Any) -> Karpenter:
    """Karpenter with its defaults, but for ``arguments``, on a cluster of a kind."""
    return Karpenter(scope, "Karpenter", cluster=cluster(kind, scope, release), version=release, **arguments)
