"""The cluster: what it is, and everything that is applied to it.

The only code that asks a cluster what it is. It asks by class or interface name, so that nothing is imported
which the user has not imported, and nothing is built to find out: a constructor that fails leaves half-built
children in the construct tree.
"""

from __future__ import annotations

import importlib

from constructs import Construct

from .._fields import shown
from ..errors import Problem, SettingsError
from .adapter import ClusterAdapter, OidcProvider

__all__ = ["ClusterAdapter", "OidcProvider", "adapt"]

# jsii's name of a class or interface; module and class of the adapter; whether the app owns the cluster.
# What from_cluster_attributes() returns is of no class that jsii knows, only of the interface.
# `aws_eks_v2` is imported only for its own clusters, as CDK before 2.240 lacks it.
_KINDS = (
    ("aws-cdk-lib.aws_eks.Cluster", "classic", "ClassicCluster", True),
    ("aws-cdk-lib.aws_eks_v2.Cluster", "v2", "V2Cluster", True),
    ("aws-cdk-lib.aws_eks.ICluster", "classic", "ClassicCluster", False),
    ("aws-cdk-lib.aws_eks_v2.ICluster", "v2", "V2Cluster", False),
)


def adapt(cluster: object, scope: Construct) -> ClusterAdapter:
    """Find out what kind of cluster this is. Builds nothing.

    Args:
        cluster: An ``aws_eks.Cluster`` or ``aws_eks_v2.Cluster``, a subclass of either, or what
            ``from_cluster_attributes()`` of either returns.
        scope: The construct that Karpenter is built under; it tells whether the cluster is in the same stack.

    Raises:
        SettingsError: ``cluster`` is something else.
    """
    names = _jsii_names(cluster)
    for name, module, adapter_class, owned in _KINDS:
        if name in names:
            adapter = getattr(importlib.import_module(f".{module}", __name__), adapter_class)
            return adapter(cluster, scope, owned=owned)  # type: ignore[no-any-return]
    raise SettingsError(
        Problem(
            "cluster",
            f"is no EKS cluster, got {shown(cluster)}; pass an aws_eks.Cluster, an aws_eks_v2.Cluster, "
            "or what from_cluster_attributes() of either returns",
        )
    )


def _jsii_names(value: object) -> set[str]:
    """The jsii classes and interfaces that an object is known to be of."""
    classes = {getattr(cls, "__jsii_type__", None) for cls in type(value).__mro__}
    interfaces = getattr(getattr(value, "__jsii_ref__", None), "interfaces", None) or ()
    return {name for name in (*classes, *interfaces) if name is not None}
