"""How each generation of Karpenter's API says what the node models mean.

The models speak the words of v1. A dialect turns them into manifests: plain data that JSON can hold, in the
field order of upstream's documentation. What a release cannot say has been refused by `_checks` before.
"""

from __future__ import annotations

from ..releases import ApiGeneration, KarpenterVersion
from .protocol import Dialect

__all__ = ["Dialect", "dialect"]


def dialect(version: KarpenterVersion) -> Dialect:
    """The words that a release takes."""
    # Of the three, an app needs one.
    if version.generation is ApiGeneration.V1ALPHA5:
        from .v1alpha5 import V1Alpha5  # noqa: PLC0415

        return V1Alpha5(version)
    if version.generation is ApiGeneration.V1BETA1:
        from .v1beta1 import V1Beta1  # noqa: PLC0415

        return V1Beta1(version)
    from .v1 import V1  # noqa: PLC0415

    return V1(version)
