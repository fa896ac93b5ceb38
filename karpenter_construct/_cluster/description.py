"""What an EKS cluster is, as plain facts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import cached_property
from types import ModuleType
from typing import Any

from aws_cdk import Stack, aws_ec2
from constructs import Construct, IConstruct

from .._capacity_arguments import desired_nodes
from .._decisions.cluster_facts import AuthenticationMode, ClusterFacts, Neighbours
from .._tokens import is_unresolved
from ..discovery import DISCOVERY_TAG
from . import claims
from .known import known
from .kubectl_layer import cdk_version
from .survey import Survey, Tree

_KARPENTER_CHART = "karpenter"


class ClusterDescription(ABC):
    """One cluster, of whatever kind. To make a description and to read it builds nothing.

    Attributes:
        cluster: What the user passed.
        owned: Whether the app creates the cluster.
        path: Its construct path, for messages.
    """

    module: ModuleType
    """The CDK module that the cluster is of; constructs of the other module do not take it."""

    def __init__(self, cluster: Any, scope: Construct, *, owned: bool) -> None:  # noqa: ANN401
        self.cluster = cluster
        self.owned = owned
        self._scope = scope
        self._tree = Tree(scope)
        self._node: Any = self._tree.node_of(cluster)
        self.path: str = self._node.path

    @cached_property
    def facts(self) -> ClusterFacts:
        """What the settings need to know. Later additions to the app do not show."""
        missing = self._kubectl_missing()
        return ClusterFacts(
            path=self.path,
            module=self.module.__name__.rpartition(".")[2],
            name=self._name,
            literal_name=self._literal_name,
            region=self._place[1],
            account=self._place[0],
            cluster_place=self._cluster_place,
            owned=self.owned,
            same_stack=self.same_stack,
            authentication_mode=self._authentication_mode(),
            kubernetes_version=self._kubernetes_version() if self.owned else None,
            has_oidc_provider=self.owned or self._open_id_connect_provider is not None,
            has_kubectl=not missing,
            kubectl_missing=missing,
            kubectl_layer_minor=self._kubectl_layer_minor(),
            auto_mode=self._auto_mode(),
            fargate_only=isinstance(self.cluster, self.module.FargateCluster),
            ipv6=getattr(self.cluster.ip_family, "name", None) == "IP_V6",
            cdk_version=cdk_version(),
            other_karpenter=self._other_karpenter(),
            private_subnet_count=None if self.private_subnets is None else len(self.private_subnets),
            private_zones=self.zones,
            has_security_group=self.owned or self.cluster_security_group_id is not None,
            has_endpoint=self.owned or self.cluster_endpoint is not None,
        )

    @cached_property
    def stack(self) -> Stack:
        """The stack of Karpenter."""
        return self._scope if isinstance(self._scope, Stack) else Stack.of(self._scope)

    @cached_property
    def _place(self) -> tuple[str, str]:
        return _place(self.stack)

    @cached_property
    def _cluster_place(self) -> tuple[str, str]:
        return self._place if self.same_stack else _place(self.cluster_stack)

    @cached_property
    def same_stack(self) -> bool:
        """Whether that is the stack of the cluster too."""
        return is_same(self.stack, self.cluster_stack)

    @cached_property
    def cluster_stack(self) -> Stack:
        """The stack of the cluster."""
        return self.cluster.stack  # type: ignore[no-any-return]

    @cached_property
    def cluster_security_group_id(self) -> str | None:
        """The security group that EKS made; ``None`` where an imported cluster does not say."""
        return self._attribute("cluster_security_group_id")  # type: ignore[no-any-return]

    @cached_property
    def cluster_endpoint(self) -> str | None:
        """The address of the API server; ``None`` where an imported cluster does not say."""
        return self._attribute("cluster_endpoint")  # type: ignore[no-any-return]

    @cached_property
    def vpc(self) -> aws_ec2.IVpc | None:
        """The VPC of the cluster; ``None`` where an imported cluster does not say."""
        return self._attribute("vpc")  # type: ignore[no-any-return]

    @cached_property
    def private_subnets(self) -> tuple[aws_ec2.ISubnet, ...] | None:
        """The private subnets with egress of the VPC; ``None`` where the VPC is unknown."""
        return None if self.vpc is None else tuple(self.vpc.private_subnets)

    @cached_property
    def private_subnet_ids(self) -> tuple[str, ...]:
        """The ids of these subnets, often tokens."""
        return tuple(subnet.subnet_id for subnet in self.private_subnets or ())

    def zones(self) -> tuple[str, ...]:
        """The availability zones of the private subnets, names or tokens."""
        return tuple(dict.fromkeys(subnet.availability_zone for subnet in self.private_subnets or ()))

    def claim(self, claimant: Construct) -> None:
        """Note which construct has the cluster; other adapters see its path as ``other_karpenter``."""
        claims.claim(self._tree.root, self._claim_keys, claimant.node.path)

    @abstractmethod
    def _authentication_mode(self) -> AuthenticationMode | None: ...

    @abstractmethod
    def _kubernetes_version(self) -> str | None:
        """The version of an owned cluster, as `minor_version` gives it."""

    @abstractmethod
    def _kubectl_missing(self) -> str: ...

    @abstractmethod
    def _kubectl_layer_minor(self) -> int | None: ...

    @abstractmethod
    def _auto_mode(self) -> bool: ...

    @cached_property
    def _name(self) -> str:
        return self.cluster.cluster_name  # type: ignore[no-any-return]

    @cached_property
    def _literal_name(self) -> str | None:
        """The name that the user gave.

        ``cluster_name`` of an owned cluster is always a token. What the user gave is the physical name, a
        member of CDK's ``Resource`` for its subclasses; it is a token only where CloudFormation makes up the
        name.
        """
        name = self.cluster._physical_name if self.owned else self._name
        return None if is_unresolved(name) else name

    @cached_property
    def _survey(self) -> Survey:
        return self._tree.survey()

    def _attribute(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self.cluster, name) if self.owned else known(self.cluster, name)

    @cached_property
    def _open_id_connect_provider(self) -> Any:  # noqa: ANN401 - `None`, or of an interface
        # Not to be read of an owned cluster before it is needed: it is built then.
        return self._attribute("open_id_connect_provider")

    def neighbours(self, karpenter: Construct, *, with_room: bool = False) -> Neighbours:
        """What the app puts on the cluster besides ``karpenter``; all of it is there only at synth.

        Args:
            karpenter: The construct that is left out.
            with_room: Whether to count the nodes, which costs a few trips to the Node.js process.
        """
        found = self._tree.survey(without=karpenter)
        return Neighbours(
            charts=tuple(chart.name for chart in found.charts if chart.cluster_name in self._names),
            karpenter=self._karpenter_chart(found),
            tagged_security_groups={
                group.attr_group_id: group.node.path
                for group in found.security_groups
                if group.tags.tag_values().get(DISCOVERY_TAG) in self._names
            },
            node_groups={
                group.admitted_role_arn: group.resource.node.path
                for group in found.node_groups
                if group.admitted_role_arn is not None and group.cluster_name in self._names
            },
            room=self._room(found) if with_room else None,
        )

    def _room(self, found: Survey) -> int | None:
        """With how many nodes the app begins the cluster; ``None`` where it does not say."""
        profiles = [self._has(profile.cluster_name, found) for profile in found.fargate_profiles]
        groups = {group.resource: self._has(group.cluster_name, found) for group in found.node_groups}
        if found.may_hold_nodes or None in groups.values() or not all(has is False for has in profiles):
            return None
        own = [group for group, has in groups.items() if has]
        return desired_nodes(own) if own else 0

    def _has(self, cluster_name: str | None, found: Survey) -> bool | None:
        """Whether a cluster of that name is this one; ``None`` where it may be."""
        if cluster_name in self._names:
            return True
        if cluster_name is None or (is_unresolved(cluster_name) and cluster_name not in found.cluster_names):
            return None
        return False

    def _other_karpenter(self) -> str | None:
        return claims.claimant(self._tree.root, self._claim_keys) or self._karpenter_chart(self._survey)

    def _karpenter_chart(self, found: Survey) -> str | None:
        charts = (
            chart.path
            for chart in found.charts
            if chart.name == _KARPENTER_CHART and chart.cluster_name in self._names
        )
        return next(charts, None)

    @property
    def _names(self) -> tuple[str, ...]:
        """Every name that the app's constructs may have for the cluster."""
        return (self._name,) if self._literal_name is None else (self._name, self._literal_name)

    @cached_property
    def _claim_keys(self) -> tuple[str, ...]:
        """Every way in which another construct may know the same cluster."""
        keys = [f"path {self.path}"]
        if is_unresolved(self._name):
            keys.append(f"name {self._name}")
        if self._literal_name is not None:
            # A literal name tells a cluster only within its account and region.
            place = "/".join(self._cluster_place)
            if is_unresolved(place):
                place = _reference(self.cluster_stack)
            keys.append(f"name {place}/{self._literal_name}")
        return tuple(keys)


def _place(stack: Stack) -> tuple[str, str]:
    """Account and region of a stack, literals or tokens."""
    return stack.account, stack.region


def is_same(one: IConstruct, other: IConstruct) -> bool:
    """Whether two objects stand for one construct: jsii makes a new object each time for what CDK made."""
    return _reference(one) == _reference(other)


def _reference(construct: Any) -> str:  # noqa: ANN401
    return str(construct.__jsii_ref__.ref)


def minor_version(text: object) -> str | None:
    """A Kubernetes version such as ``1.33``; ``None`` for a token or anything else."""
    found = re.match(r"\d+\.\d+", text) if isinstance(text, str) else None
    return found[0] if found else None
