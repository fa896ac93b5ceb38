"""How `ControllerCapacity` reads its arguments, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ._fields import FrozenMap, digits, shown
from ._names import is_label_key, is_label_value
from ._tokens import is_dummy, is_list_token, is_token, is_unresolved
from ._upstream.eks_node_groups import LONGEST_KEY, MOST_TAINTS, OWN_NODES, refused_label
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

_TAINT = r"(?P<key>[^=:\s]+)(=(?P<value>[^:\s]*))?:(?P<effect>NoSchedule|PreferNoSchedule|NoExecute)"
_NODEGROUP_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]*"


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


def read_taints(given: object, problems: list[Problem], *, of_eks: bool = False) -> tuple[NodeTaint, ...]:
    """The taints, given as objects or as ``key=value:Effect``; one may stand without a list.

    Args:
        given: The taints.
        problems: Where to put what is wrong.
        of_eks: Whether EKS is to put them on a node group.
    """
    found: list[NodeTaint] = []
    listed = listed_argument("taints", (given,) if isinstance(given, str) else given, problems)
    for index, taint in enumerate(listed):
        read = None if is_token(taint) and not isinstance(taint, str) else _taint(taint)
        if read is None:
            message = _unreadable_message(taint)
        else:
            message = _taint_message(read, found, taint, of_eks=of_eks)
            found.append(read)
        if message is not None:
            problems.append(Problem(f"controller_capacity.taints[{index}]", message))
    if of_eks and len(found) > MOST_TAINTS:
        message = f"are too many, EKS takes at most {MOST_TAINTS}, got {len(found)}; leave some out"
        problems.append(Problem("controller_capacity.taints", message))
    return tuple(found)


def _unreadable_message(given: object) -> str | None:
    """Why something is no taint; nothing of a dummy, as the next synth knows what it stands for."""
    if is_dummy(given):
        return None
    if is_token(given):
        return f"must be known at synth where it is text, got {shown(given)}; write Taint(key=…, value=token, effect=…)"
    return f"is no taint, got {shown(given)}; write it as in 'CriticalAddonsOnly=true:NoSchedule'"


def _taint_message(
    taint: NodeTaint, before: Sequence[NodeTaint], given: object, *, of_eks: bool
) -> str | None:
    """What Kubernetes, or EKS, would refuse in a taint."""
    if is_unresolved(tuple(taint)):
        return None
    if not (is_label_key(taint.key) and is_label_value(taint.value)) or taint.effect not in EKS_EFFECTS:
        return _unreadable_message(given)
    if of_eks and len(taint.key) > LONGEST_KEY:
        return f"has a key that is too long for EKS, got {taint.key!r}; use at most {LONGEST_KEY} characters"
    if any((each.key, each.effect) == (taint.key, taint.effect) for each in before):
        return f"repeats the key and the effect of another, got {shown(given)}; leave one out"
    return None


def listed_argument(name: str, given: object, problems: list[Problem]) -> tuple[Any, ...]:
    """The items of an argument that is a list."""
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
    match = re.fullmatch(_TAINT, taint)
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
    sizes: list[Any] = [_first_size(each) for each in scaling]
    return None if not sizes or None in sizes or is_unresolved(sizes) else int(sum(sizes))


def _first_size(scaling: object) -> Any:  # noqa: ANN401 - a number or a token
    desired = getattr(scaling, "desired_size", None)
    return getattr(scaling, "min_size", None) if desired is None else desired


def read_labels(given: object, problems: list[Problem], *, of_eks: bool = False) -> FrozenMap[str]:
    """The labels.

    Args:
        given: The labels.
        problems: Where to put what is wrong.
        of_eks: Whether EKS is to put them on a node group.
    """
    if not isinstance(given, Mapping):
        message = f"is no map of labels, got {shown(given)}; write a dict, as in {{'team': 'platform'}}"
        problems.append(Problem("controller_capacity.labels", message))
        return FrozenMap()
    for key, value in given.items():
        problems += (
            Problem(f"controller_capacity.labels[{key!r}]", message)
            for message in _label_messages(key, value, of_eks=of_eks)
        )
    return FrozenMap(given)


def _label_messages(key: object, value: object, *, of_eks: bool) -> Iterator[str]:
    for text in (key, value):
        if not isinstance(text, str):
            meant = digits(text)
            yield f"is no string, got {shown(text)}; " + (
                f"write {meant!r}" if meant else "write one, as in 'true'"
            )
    if isinstance(key, str) and not is_unresolved(key):
        yield from _label_key_messages(key, of_eks=of_eks)
    if not isinstance(value, str) or is_unresolved(value):
        return
    if not is_label_value(value):
        yield (
            f"is no value of a label, got {shown(value)}; use at most 63 letters, digits, '-', '_' and '.', with a "
            "letter or digit at both ends"
        )
    elif of_eks and not value:
        yield "is empty, which EKS does not take, got ''; write 'true'"


def _label_key_messages(key: str, *, of_eks: bool) -> Iterator[str]:
    if not is_label_key(key):
        yield f"is no key of a label, got {shown(key)}; write one as in 'team' or 'example.com/team'"
        return
    if key in OWN_NODES:
        refusal = "is a label of the nodes that Karpenter manages, which its controller stays off"
        yield f"{refusal}, got {key!r}; use a key of your own domain"
    elif of_eks:
        refused = refused_label(key)
        if refused is not None:
            yield f"{refused}, got {key!r}; use a key of your own domain"
        if len(key) > LONGEST_KEY:
            yield f"is too long for EKS, has {len(key)} characters; use at most {LONGEST_KEY}"


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
        elif not is_unresolved(group) and not re.fullmatch(_NODEGROUP_NAME, group):
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
    desired_is_given = desired_size is not None and not is_unresolved(desired_size)
    if desired_size is None:
        desired_size = min_size or _no_more_than(max_size)
    sizes = Sizes(
        desired_size if min_size is None else min_size,
        desired_size if max_size is None else max_size,
        desired_size,
    )
    if len(problems) == before:
        problems += _order_problems(sizes, desired_is_given=desired_is_given)
    return sizes


def _no_more_than(max_size: int | None) -> int:
    return DEFAULT_NODES if max_size is None or is_unresolved(max_size) else min(DEFAULT_NODES, max_size)


def _order_problems(sizes: Sizes, *, desired_is_given: bool) -> list[Problem]:
    least, most, desired = sizes
    if _above(least, most) and not desired_is_given:
        return [
            Problem(
                "controller_capacity.min_size",
                f"must not be more than max_size {most}, got {least}; set the three so that min_size <= desired_size "
                "<= max_size",
            )
        ]
    if not _above(least, desired) and not _above(desired, most):
        return []
    if is_unresolved((least, most)):
        wrong = (
            f"be less than min_size {least}" if _above(least, desired) else f"be more than max_size {most}"
        )
        said = f"must not {wrong}"
    else:
        said = f"must lie between min_size {least} and max_size {most}"
    what_to_do = "set the three so that min_size <= desired_size <= max_size"
    return [Problem("controller_capacity.desired_size", f"{said}, got {desired!r}; {what_to_do}")]


def _above(one: int, other: int) -> bool:
    """Whether a number is greater than another, as far as both are known."""
    return not is_unresolved((one, other)) and one > other


def _size(name: str, size: int | None, least: int, problems: list[Problem]) -> int | None:
    if size is None or is_unresolved(size):
        return size
    if isinstance(size, int) and not isinstance(size, bool) and size >= least:
        return size
    message = f"must be a whole number of at least {least}, got {shown(size)}; use {DEFAULT_NODES}"
    problems.append(Problem(f"controller_capacity.{name}", message))
    return None
