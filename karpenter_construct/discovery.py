"""How Karpenter finds the subnets and the security groups for its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from .errors import Problem, SettingsError

T = TypeVar("T")

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
            SettingsError: A list is empty.
        """
        return cls(True, _some("subnets", subnets), _some("security_groups", security_groups))

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
            SettingsError: A list is empty.
        """
        return cls(False, _some("subnets", subnets), _some("security_groups", security_groups))

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


def _some(name: str, items: Sequence[T] | None) -> tuple[T, ...] | None:
    if items is None:
        return None
    if isinstance(items, str) or not items:
        raise SettingsError(
            Problem(
                f"discovery.{name}",
                f"must list at least one, got {items!r}; leave the argument out to take the cluster's own",
            )
        )
    return tuple(items)
