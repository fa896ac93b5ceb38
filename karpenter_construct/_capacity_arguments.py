"""How `ControllerCapacity` reads its arguments, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol

from ._fields import FrozenMap, shown
from ._tokens import is_list_token, is_unresolved
from .discovery import HasSubnetId
from .errors import Problem

DEFAULT_NODES = 2
"""One for each of the chart's two replicas."""

EKS_EFFECTS = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
"""The effects of taints in the words of the EKS API, which has its own."""

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


def read_taints(given: object, problems: list[Problem]) -> tuple[NodeTaint, ...]:
    """The taints, given as objects or as ``key=value:Effect``; one may stand without a list."""
    found = []
    for index, taint in enumerate(_listed("taints", (given,) if isinstance(given, str) else given, problems)):
        read = _taint(taint)
        if read is None:
            message = f"is no taint, got {shown(taint)}; write it as in 'CriticalAddonsOnly=true:NoSchedule'"
            problems.append(Problem(f"controller_capacity.taints[{index}]", message))
        else:
            found.append(read)
    return tuple(found)


def _listed(name: str, given: object, problems: list[Problem]) -> tuple[Any, ...]:
    if isinstance(given, (list, tuple)):
        return tuple(given)
    problems.append(
        Problem(f"controller_capacity.{name}", f"is no list, got {shown(given)}; put it in a list")
    )
    return ()


def _taint(taint: object) -> NodeTaint | None:
    if not isinstance(taint, str):
        parts = [getattr(taint, part, None) for part in ("key", "value", "effect")]
        return NodeTaint(*(str(part or "") for part in parts)) if parts[0] and parts[2] else None
    match = _TAINT.fullmatch(taint)
    return None if match is None else NodeTaint(match["key"], match["value"] or "", match["effect"])


def resource_of(nodegroup: object) -> Any:  # noqa: ANN401 - a CfnNodegroup of two modules, or anything
    """The L1 of a node group that the app makes; what is none of CDK's, and what is imported, as it is."""
    return getattr(getattr(nodegroup, "node", None), "default_child", None) or nodegroup


def nodegroup_taints(nodegroups: Sequence[object]) -> tuple[NodeTaint, ...]:
    """The taints of the node groups that the app makes; of others nothing is known."""
    effects = {eks: kubernetes for kubernetes, eks in EKS_EFFECTS.items()}
    listed = (getattr(resource_of(group), "taints", None) for group in nodegroups)
    taints = [taint for each in listed if isinstance(each, list) for taint in each]
    known = (taint for taint in taints if getattr(taint, "effect", None) in effects and taint.key)
    return tuple(
        dict.fromkeys(NodeTaint(taint.key, taint.value or "", effects[taint.effect]) for taint in known)
    )


def desired_nodes(nodegroups: Sequence[object]) -> int | None:
    """How many nodes the groups have together, ``None`` where the app does not say so of each."""
    scaling = [getattr(resource_of(group), "scaling_config", None) for group in nodegroups]
    sizes: list[Any] = [getattr(each, "desired_size", None) for each in scaling]
    return None if not sizes or None in sizes or is_unresolved(sizes) else int(sum(sizes))


def read_labels(given: object, problems: list[Problem]) -> FrozenMap[str]:
    """The labels."""
    if not isinstance(given, Mapping):
        message = f"is no map of labels, got {shown(given)}; write a dict, as in {{'team': 'platform'}}"
        problems.append(Problem("controller_capacity.labels", message))
        return FrozenMap()
    for key, value in given.items():
        for text in (key, value):
            if not isinstance(text, str):
                message = f"is no string, got {shown(text)}; write {str(text).lower()!r}"
                problems.append(Problem(f"controller_capacity.labels[{key!r}]", message))
    return FrozenMap(given)


def read_instance_types(given: object, problems: list[Problem]) -> tuple[str, ...]:
    """The names of the instance types, of which there is at least one, all of one architecture."""
    path = "controller_capacity.instance_types"
    types = _listed("instance_types", given, problems)
    names = tuple(each if isinstance(each, str) else _type_name(each) for each in types)
    problems += (
        Problem(f"{path}[{index}]", f"is no instance type, got {shown(each)}; write one as in 'm5.large'")
        for index, each in enumerate(types)
        if not names[index]
    )
    if given in ([], ()):
        problems.append(
            Problem(path, f"must list at least one instance type, got {given!r}; use ['m5.large']")
        )
    if len({_GRAVITON.match(name) is None for name in names if name and not is_unresolved(name)}) > 1:
        message = (
            f"mix arm64 and x86_64, for which one node group has no AMI, got {list(names)!r}; keep the types of one "
            "architecture"
        )
        problems.append(Problem(path, message))
    return names


def _type_name(instance_type: object) -> str:
    to_string = getattr(instance_type, "to_string", None)
    return str(to_string()) if callable(to_string) else ""


def read_ami_type(asked: object, instance_types: Sequence[str], problems: list[Problem]) -> str:
    """EKS' name of the AMI type: the one asked for, else Amazon Linux 2023 for the architecture."""
    if asked is None:
        arm = any(_GRAVITON.match(instance_type) for instance_type in instance_types)
        return "AL2023_ARM_64_STANDARD" if arm else "AL2023_x86_64_STANDARD"
    if not isinstance(asked, (str, Enum)):
        message = f"is no AMI type, got {shown(asked)}; write EKS' name of one, as in 'BOTTLEROCKET_ARM_64'"
        problems.append(Problem("controller_capacity.ami_type", message))
    # The Python value of a member of CDK's NodegroupAmiType is its name, in which EKS' "x86" is upper case.
    return str(asked.value if isinstance(asked, Enum) else asked).replace("X86_64", "x86_64")


def zone_count(subnets: tuple[HasSubnetId | str, ...] | None) -> int | None:
    """One where there is one subnet; more may still share a zone, which is ``None`` for unknown."""
    if subnets is None or len(subnets) != 1:
        return None
    return None if is_list_token(subnets[0]) else 1


def nodegroup_problems(nodegroups: Sequence[object]) -> list[Problem]:
    """What is no node group, and names that EKS would not have given one."""
    problems = []
    for index, group in enumerate(nodegroups):
        path = f"controller_capacity.nodegroups[{index}]"
        if not isinstance(group, str):
            if not hasattr(group, "nodegroup_name"):
                message = f"is no node group, got {shown(group)}; pass a node group, or its name"
                problems.append(Problem(path, message))
        elif not is_unresolved(group) and not _NODEGROUP_NAME.fullmatch(group):
            message = f"is no name of a node group, got {group!r}; pass the name alone, without the cluster's"
            problems.append(Problem(path, message))
    return problems


class Sizes(NamedTuple):
    """How many nodes a group has."""

    min_size: int
    max_size: int
    desired_size: int


def read_sizes(
    min_size: int | None, max_size: int | None, desired_size: int | None, problems: list[Problem]
) -> Sizes:
    """The sizes given; each of the others as another one lets it be."""
    before = len(problems)
    min_size = _size("min_size", min_size, 0, problems)
    desired_size = _size("desired_size", desired_size, 1, problems)
    max_size = _size("max_size", max_size, 1, problems)
    if desired_size is None:
        desired_size = min_size or DEFAULT_NODES
    sizes = Sizes(
        desired_size if min_size is None else min_size,
        desired_size if max_size is None else max_size,
        desired_size,
    )
    if len(problems) == before and not is_unresolved(tuple(sizes)):
        problems += _order_problems(sizes)
    return sizes


def _order_problems(sizes: Sizes) -> list[Problem]:
    least, most, desired = sizes
    if least <= desired <= most:
        return []
    return [
        Problem(
            "controller_capacity.desired_size",
            f"must lie between min_size {least} and max_size {most}, got {desired!r}; set the three so that "
            "min_size <= desired_size <= max_size",
        )
    ]


def _size(name: str, size: int | None, least: int, problems: list[Problem]) -> int | None:
    if size is None or is_unresolved(size):
        return size
    if isinstance(size, int) and not isinstance(size, bool) and size >= least:
        return size
    message = f"must be a whole number of at least {least}, got {shown(size)}; use {DEFAULT_NODES}"
    problems.append(Problem(f"controller_capacity.{name}", message))
    return None
