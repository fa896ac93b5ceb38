"""What an imported cluster was told about itself."""

from __future__ import annotations

from typing import Any

_UNKNOWN = "is not defined for this imported cluster"


def known(cluster: Any, attribute: str) -> Any:  # noqa: ANN401
    """An attribute of an imported cluster; ``None`` where ``from_cluster_attributes()`` was not given it.

    CDK keeps what it was given in a private field, and has a getter that raises where the field is empty:
    there is no way to ask first. This is the one place that asks by trying. The getters only read
    (``ImportedCluster`` in aws-cdk ``aws-eks/lib/cluster.ts``, the same in ``aws-eks-v2``): unlike a
    constructor that fails, one that raises leaves nothing in the construct tree. Any other error goes to the
    caller.
    """
    try:
        return getattr(cluster, attribute)
    except RuntimeError as error:
        if _UNKNOWN not in str(error):
            raise
        return None
