"""How `ControllerCapacity` reads its arguments, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from ._tokens import is_list_token, is_unresolved
from .discovery import HasSubnetId
from .errors import Problem

DEFAULT_NODES = 2
"""One for each of the chart's two replicas."""

_TAINT = re.compile(
    r"(?P<key>[^=:\s]+)(=(?P<value>[^:\s]*))?:(?P<effect>NoSchedule|PreferNoSchedule|NoExecute)"
)
_NODEGROUP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
# Instance type names: family letters, generation digits, then attributes that begin with "g" for Graviton.
_GRAVITON = re.compile(r"a1\.|[a-z]+[0-9]+g")


class TaintLike(Protocol):
    """A `Taint`."""

    @property
    def key(self) -> str:
        """The key."""

    @property
    def value(self) -> str | None:
        """The value, ``None`` for none."""

    @property
    def effect(self) -> str:
        """``NoSchedule``, ``PreferNoSchedule`` or ``NoExecute``."""


class NodeTaint(NamedTuple):
    """A taint of the nodes that the controller runs on, in Kubernetes' words; no value is the empty one."""

    key: str
    value: str
    effect: str

    def toleration(self) -> dict[str, str]:
        """The toleration, as in a pod's spec, that takes exactly this taint."""
        if not self.value:
            return {"key": self.key, "operator": "Exists", "effect": self.effect}
        return {"key": self.key, "operator": "Equal", "value": self.value, "effect": self.effect}


def read_taints(taints: Sequence[str | TaintLike], problems: list[Problem]) -> tuple[NodeTaint, ...]:
    """The taints, given as objects or as ``key=value:Effect``."""
    found = []
    for index, taint in enumerate((taints,) if isinstance(taints, str) else taints):
        read = _taint(taint)
        if read is None:
            problems.append(
                Problem(
                    f"controller_capacity.taints[{index}]",
                    f"is no taint, got {taint!r}; write it as in 'CriticalAddonsOnly=true:NoSchedule'",
                )
            )
        else:
            found.append(read)
    return tuple(found)


def _taint(taint: str | TaintLike) -> NodeTaint | None:
    if not isinstance(taint, str):
        parts = [getattr(taint, part, None) for part in ("key", "value", "effect")]
        return NodeTaint(*(str(part or "") for part in parts)) if parts[0] and parts[2] else None
    match = _TAINT.fullmatch(taint)
    return None if match is None else NodeTaint(match["key"], match["value"] or "", match["effect"])


def read_ami_type(asked: str | Enum | None, instance_types: Sequence[str]) -> str:
    """EKS' name of the AMI type: the one asked for, else Amazon Linux 2023 for the architecture."""
    if asked is None:
        arm = any(_GRAVITON.match(instance_type) for instance_type in instance_types)
        return "AL2023_ARM_64_STANDARD" if arm else "AL2023_x86_64_STANDARD"
    # The Python value of a member of CDK's NodegroupAmiType is its name, in which EKS' "x86" is upper case.
    return str(asked.value if isinstance(asked, Enum) else asked).replace("X86_64", "x86_64")


def zone_count(subnets: tuple[HasSubnetId | str, ...] | None) -> int | None:
    """One where there is one subnet; more may still share a zone, which is ``None`` for unknown."""
    if subnets is None or len(subnets) != 1:
        return None
    return None if is_list_token(subnets[0]) else 1


def nodegroup_name_problems(nodegroups: Sequence[object]) -> list[Problem]:
    """Names that EKS would not have given a node group."""
    return [
        Problem(
            f"controller_capacity.nodegroups[{index}]",
            f"is no name of a node group, got {group!r}; pass the name alone, without the cluster's",
        )
        for index, group in enumerate(nodegroups)
        if isinstance(group, str) and not is_unresolved(group) and not _NODEGROUP_NAME.fullmatch(group)
    ]


def instance_type_problems(asked: object, types: Sequence[str]) -> list[Problem]:
    """No instance types, or types that no single AMI fits."""
    path = "controller_capacity.instance_types"
    if isinstance(asked, str) or not types:
        return [Problem(path, f"must list at least one instance type, got {asked!r}; use ['m5.large']")]
    known = [instance_type for instance_type in types if not is_unresolved(instance_type)]
    if len({_GRAVITON.match(instance_type) is None for instance_type in known}) < 2:  # noqa: PLR2004
        return []
    return [
        Problem(
            path,
            f"mix arm64 and x86_64, for which one node group has no AMI, got {list(types)!r}; keep the types "
            "of one architecture",
        )
    ]


def size_problems(*, min_size: int, desired_size: int, max_size: int) -> list[Problem]:
    """Sizes that are none, or do not fit together."""
    sizes = {"min_size": (min_size, 0), "desired_size": (desired_size, 1), "max_size": (max_size, 1)}
    problems = [
        Problem(
            f"controller_capacity.{name}",
            f"must be a whole number of at least {least}, got {size!r}; use {DEFAULT_NODES}",
        )
        for name, (size, least) in sizes.items()
        if not _is_size(size, least)
    ]
    if problems or is_unresolved([min_size, desired_size, max_size]) or min_size <= desired_size <= max_size:
        return problems
    return [
        Problem(
            "controller_capacity.desired_size",
            f"must lie between min_size {min_size} and max_size {max_size}, got {desired_size!r}; set the "
            "three so that min_size <= desired_size <= max_size",
        )
    ]


def _is_size(size: object, least: int) -> bool:
    if is_unresolved(size):
        return True
    return isinstance(size, int) and not isinstance(size, bool) and size >= least
