"""How Karpenter finds the subnets and the security groups for its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ._fields import shown
from ._tokens import is_list_token, is_unresolved
from .errors import Problem, SettingsError

DISCOVERY_TAG = "karpenter.sh/discovery"
"""The tag key of upstream's getting-started guide; its value is the cluster's name."""


class HasSubnetId(Protocol):
    """An ``aws_ec2.ISubnet``."""

    @property
    def subnet_id(self) -> str:
        """The id, such as ``subnet-0123``."""


class HasSecurityGroupId(Protocol):
    """An ``aws_ec2.ISecurityGroup``."""

    @property
    def security_group_id(self) -> str:
        """The id, such as ``sg-0123``."""


class HasOwnIds(Protocol):
    """A cluster that may be asked for what the user did not pass."""

    @property
    def private_subnet_ids(self) -> tuple[str, ...]:
        """The ids of the private subnets of its VPC."""

    @property
    def cluster_security_group_id(self) -> str | None:
        """The id of its security group."""


@dataclass(frozen=True)
class Discovery:
    """Which subnets and security groups the nodes get, and how node classes select them.

    Build one with `by_tag` or `by_id`.

    Attributes:
        tags: Whether the subnets and groups are tagged ``karpenter.sh/discovery=<cluster name>`` and selected by
            that tag. Otherwise they are selected by their ids, and nothing is tagged.
        subnets: The subnets; ``None`` means the private subnets with egress of the cluster's VPC.
        security_groups: The security groups; ``None`` means the cluster security group.
    """

    tags: bool = True
    subnets: tuple[HasSubnetId | str, ...] | None = None
    security_groups: tuple[HasSecurityGroupId | str, ...] | None = None

    @classmethod
    def by_tag(
        cls,
        *,
        subnets: Sequence[HasSubnetId | str] | None = None,
        security_groups: Sequence[HasSecurityGroupId | str] | None = None,
    ) -> Discovery:
        """Tag the subnets and security groups, and select them by the tag.

        Args:
            subnets: Subnets or subnet ids. Default: the private subnets with egress of the cluster's VPC.
            security_groups: Security groups or their ids. Default: the cluster security group.

        Raises:
            SettingsError: A list is empty, or holds something else.
        """
        return cls._of(subnets, security_groups, tags=True)

    @classmethod
    def by_id(
        cls,
        *,
        subnets: Sequence[HasSubnetId | str] | None = None,
        security_groups: Sequence[HasSecurityGroupId | str] | None = None,
    ) -> Discovery:
        """Select the subnets and security groups by their ids; nothing is tagged.

        Args:
            subnets: Subnets or subnet ids. Default: the private subnets with egress of the cluster's VPC.
            security_groups: Security groups or their ids. Default: the cluster security group.

        Raises:
            SettingsError: A list is empty, or holds something else.
        """
        return cls._of(subnets, security_groups, tags=False)

    @classmethod
    def _of(cls, subnets: object, security_groups: object, *, tags: bool) -> Discovery:
        problems: list[Problem] = []
        found = cls(
            tags,
            read_subnets("discovery.subnets", subnets, problems),
            _read("discovery.security_groups", security_groups, _SECURITY_GROUPS, problems),
        )
        problems += _unknown_lengths(subnets=found.subnets, security_groups=found.security_groups)
        if not tags and not problems:
            problems += _without_id("discovery.subnets", found.subnet_ids(), _SUBNETS)
            problems += _without_id("discovery.security_groups", found.security_group_ids(), _SECURITY_GROUPS)
        if problems:
            raise SettingsError(*problems)
        return found

    def subnet_ids(self) -> tuple[str, ...] | None:
        """The ids of the given subnets, ``None`` where none were given."""
        if self.subnets is None:
            return None
        return tuple(subnet if isinstance(subnet, str) else subnet.subnet_id for subnet in self.subnets)

    def security_group_ids(self) -> tuple[str, ...] | None:
        """The ids of the given security groups, ``None`` where none were given."""
        if self.security_groups is None:
            return None
        return tuple(g if isinstance(g, str) else g.security_group_id for g in self.security_groups)

    def refuse_unusable_ids(self, cluster: HasOwnIds) -> None:
        """Refuse a cluster whose own ids cannot be selected by, where they are to be.

        Raises:
            SettingsError: An id of the cluster's is none of a subnet, or of a security group; every one.
        """
        if self.tags:
            return
        problems: list[Problem] = []
        if self.subnets is None:
            problems += _unusable("discovery.subnets", cluster.private_subnet_ids, _SUBNETS)
        if self.security_groups is None:
            group = cluster.cluster_security_group_id
            problems += _unusable("discovery.security_groups", [group or ""], _SECURITY_GROUPS)
        if problems:
            raise SettingsError(*problems)


def _unusable(path: str, ids: Iterable[str], kind: _Kind) -> Iterator[Problem]:
    """Ids of the cluster's own that are none."""
    for found in ids:
        if not _is_id(found, kind):
            yield Problem(
                path,
                f"are those of the cluster, got {found!r}, which is no id of a {kind.what}; pass them, as in "
                f"{kind.example}",
            )


def read_subnets(path: str, subnets: object, problems: list[Problem]) -> tuple[HasSubnetId | str, ...] | None:
    """Given subnets as a tuple; ``None`` where none were given."""
    return _read(path, subnets, _SUBNETS, problems)


class _Kind(NamedTuple):
    """What a list holds: objects with an id, or ids."""

    what: str
    attribute: str
    id: str
    example: str
    example_id: str


# The ids as the terms of node classes take them.
_SUBNETS = _Kind(
    "subnet",
    "subnet_id",
    "subnet-[0-9a-z]+",
    "vpc.private_subnets or ['subnet-…']",
    "subnet-0abcdef1234567890",
)
_SECURITY_GROUPS = _Kind(
    "security group", "security_group_id", "sg-[0-9a-z]+", "['sg-…']", "sg-0abcdef1234567890"
)


def _read(path: str, given: object, kind: _Kind, problems: list[Problem]) -> tuple[Any, ...] | None:
    if given is None:
        return None
    if not isinstance(given, (list, tuple)):
        problems.append(Problem(path, f"is no list, got {shown(given)}; write {kind.example}"))
        return ()
    if not given:
        fix = "leave the argument out to take the cluster's own"
        problems.append(Problem(path, f"must list at least one, got {given!r}; {fix}"))
    problems += (
        Problem(
            f"{path}[{index}]",
            f"is no {kind.what} and no id of one, got {shown(item)}; write {kind.example}",
        )
        for index, item in enumerate(given)
        if not _fits(item, kind)
    )
    return tuple(given)


def _fits(item: object, kind: _Kind) -> bool:
    if isinstance(item, str):
        return _is_id(item, kind)
    return hasattr(type(item), kind.attribute) or hasattr(item, kind.attribute)


def _is_id(text: str, kind: _Kind) -> bool:
    return is_unresolved(text) or re.fullmatch(kind.id, text) is not None


def _without_id(path: str, ids: tuple[str, ...] | None, kind: _Kind) -> Iterator[Problem]:
    """Objects that have another id than EC2 gives."""
    for index, found in enumerate(ids or ()):
        if not _is_id(found, kind):
            yield Problem(
                f"{path}[{index}]",
                f"is a {kind.what} whose id is none of EC2's, got {found!r}; give it one as in {kind.example_id!r}",
            )


def _unknown_lengths(**lists: tuple[object, ...] | None) -> Iterator[Problem]:
    """Each subnet and group is tagged, or selected, by itself."""
    for name, items in lists.items():
        for item in items or ():
            if is_list_token(item):
                yield Problem(
                    f"discovery.{name}",
                    f"has a length that only the deployment knows, got {item!r}; list its items one by one, as in "
                    "[Fn.select(0, ids), Fn.select(1, ids)]",
                )
