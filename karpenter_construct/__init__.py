"""Karpenter on Amazon EKS as an AWS CDK construct: every release, every kind of cluster, checked at synth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .block_devices import *
from .capacity_buffer import *
from .controller_capacity import *
from .discovery import *
from .errors import *
from .kubelet import *
from .node_class import *
from .node_overlay import *
from .node_pool import *
from .requirements import *
from .selector_terms import *
from .settings import *

if TYPE_CHECKING:
    from .karpenter import Karpenter as Karpenter


def __getattr__(name: str) -> object:
    """Import the construct when it is asked for: the command line works on the models alone, without CDK."""
    if name != "Karpenter":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .karpenter import Karpenter  # noqa: PLC0415

    return Karpenter
