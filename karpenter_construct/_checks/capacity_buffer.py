"""Capacity buffers: what the release cannot say, and what its CRD refuses."""

from __future__ import annotations

from ..capacity_buffer import CapacityBuffer
from ..errors import Problem
from ..releases import KarpenterVersion
from .rule import Rule, broken
from .windows import unknown_to_release

_RULES: tuple[Rule[CapacityBuffer], ...] = (
    Rule(
        lambda b: b.pod_template_ref is not None and b.scalable_ref is not None,
        "You must define either PodTemplateRef or ScalableRef, but not both",
        "leave one of the two out",
    ),
    Rule(
        lambda b: b.pod_template_ref is None and b.scalable_ref is None,
        "You must define either PodTemplateRef or ScalableRef, got neither",
        "give one of the two",
    ),
    Rule(
        lambda b: b.pod_template_ref is not None and b.replicas is None and b.limits is None,
        "If podTemplateRef is set, replicas or limits must also be set",
        "give replicas",
    ),
    Rule(
        lambda b: b.percentage is not None and b.scalable_ref is None,
        "is a share of the replicas of scalable_ref, which is missing",
        "give scalable_ref, or replicas instead",
        field="percentage",
    ),
)


def check_capacity_buffer(buffer: CapacityBuffer, version: KarpenterVersion, *, path: str) -> list[Problem]:
    """Everything that this release would refuse, or that has no effect.

    Args:
        buffer: The capacity buffer.
        version: The release that it is for.
        path: Where messages begin, such as ``capacity_buffers['spare']``.
    """
    return [*unknown_to_release(buffer, path, version), *broken(_RULES, buffer, path, version)]
