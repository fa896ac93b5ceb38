"""When nodes may go: what the neutral model means, and its durations in seconds."""

from __future__ import annotations

import re

from .._tokens import is_unresolved
from ..node_pool import Disruption, NodePool

NEVER = "Never"

_SECONDS = {"s": 1, "m": 60, "h": 3600}


def disruption(pool: NodePool) -> Disruption:
    """What the pool says; where it says nothing, the default of v1, whatever the release."""
    return pool.disruption or Disruption(
        consolidation_policy="WhenEmptyOrUnderutilized", consolidate_after="0s"
    )


def seconds(duration: str) -> int | str:
    """The seconds of a duration such as ``1h30m``; a placeholder is given back as it is."""
    if is_unresolved(duration):
        return duration
    return sum(int(amount) * _SECONDS[unit] for amount, unit in re.findall(r"([0-9]+)([smh])", duration))
