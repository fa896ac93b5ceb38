"""How each generation of Karpenter's API says what the node models mean.

The models speak the words of v1. A dialect turns them into manifests: plain data that JSON can hold, in the
field order of upstream's documentation. What a release cannot say has been refused by `_checks` before.
"""

from __future__ import annotations

from ..releases import ApiGeneration, KarpenterVersion
from .protocol import Dialect
from .v1 import V1
from .v1alpha5 import V1Alpha5
from .v1beta1 import V1Beta1

__all__ = ["Dialect", "dialect"]

_DIALECTS: dict[ApiGeneration, type[V1Alpha5 | V1Beta1 | V1]] = {
    ApiGeneration.V1ALPHA5: V1Alpha5,
    ApiGeneration.V1BETA1: V1Beta1,
    ApiGeneration.V1: V1,
}


def dialect(version: KarpenterVersion) -> Dialect:
    """The words that a release takes."""
    return _DIALECTS[version.generation](version)
