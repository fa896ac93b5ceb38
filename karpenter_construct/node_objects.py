"""The node classes and pools of one Karpenter: completed, checked and rendered for its release; plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ._checks import check_node_class, check_node_pool
from ._checks.satisfiable import Allowed, allowed_by_key
from ._dialects import dialect
from ._upstream.compatibility import default_ami_alias
from .errors import Problem, SettingsError
from .node_class import EC2NodeClass
from .node_pool import NodePool, Taint
from .releases import KarpenterVersion
from .requirements import ARCH, CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION, OS, Gt, In
from .selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm

DEFAULT_NODE_CLASS = "default"

EBS_CSI_STARTUP_TAINT = Taint(key="ebs.csi.aws.com/agent-not-ready", effect="NoExecute")
"""Kept on a new node until the EBS CSI driver runs there, which removes it (aws-ebs-csi-driver,
``install.md``)."""

DEFAULT_REQUIREMENTS = (
    In(OS, "linux"),
    In(ARCH, "amd64"),
    In(CAPACITY_TYPE, "on-demand"),
    In(INSTANCE_CATEGORY, "c", "m", "r"),
    Gt(INSTANCE_GENERATION, 2),
)
"""What a pool may launch that says nothing about it: upstream's getting-started pool."""

Manifest = dict[str, Any]

M = TypeVar("M", EC2NodeClass, NodePool)


def as_model(model: type[M], given: M | str, fields: Mapping[str, object]) -> M:
    """A ready model as it is, or one made of a name and the other fields.

    Raises:
        SettingsError: The fields are wrong, or are given beside a ready model.
    """
    if isinstance(given, model):
        if fields:
            names = ", ".join(fields)
            raise SettingsError(
                Problem(
                    given.path,
                    f"is complete, got {names} besides; use model_copy(update={{...}}) to change it",
                )
            )
        return given
    return model(**{"name": given, **fields})


@dataclass(frozen=True)
class NodeDefaults:
    """What a node class takes from its Karpenter where it says nothing itself.

    Attributes:
        role: The name of the node role of classes that name none; ``None`` where they get an instance profile.
        instance_profile: The name of the instance profile of classes that name none. ``None`` too where the release
            takes that from the chart's settings.
        isolated_vpc: Whether Karpenter cannot reach IAM to make instance profiles.
        known_roles: The names of all roles that Karpenter may pass to nodes; empty where that is not known.
        subnet_selector_terms: Where nodes go.
        security_group_selector_terms: What guards them.
        kubernetes_version: Such as ``1.35``; ``None`` where it is unknown.
        startup_taints: Taints that every pool gets besides its own.
    """

    subnet_selector_terms: tuple[SubnetSelectorTerm, ...]
    security_group_selector_terms: tuple[SecurityGroupSelectorTerm, ...]
    role: str | None = None
    instance_profile: str | None = None
    isolated_vpc: bool = False
    known_roles: tuple[str, ...] = ()
    kubernetes_version: str | None = None
    startup_taints: tuple[Taint, ...] = ()

    def complete(self, node_class: EC2NodeClass, version: KarpenterVersion) -> EC2NodeClass:
        """``node_class`` with everything filled in that it leaves to its Karpenter."""
        missing: dict[str, object] = {}
        if not node_class.subnet_selector_terms:
            missing["subnet_selector_terms"] = self.subnet_selector_terms
        if not node_class.security_group_selector_terms:
            missing["security_group_selector_terms"] = self.security_group_selector_terms
        if node_class.role is None and node_class.instance_profile is None:
            identity = {"role": self.role, "instance_profile": self.instance_profile}
            missing |= {key: value for key, value in identity.items() if value is not None}
        if node_class.ami is None and not node_class.ami_selector_terms and node_class.ami_family is None:
            missing["ami"] = default_ami_alias(version)
        return node_class.model_copy(update=missing) if missing else node_class


@dataclass
class NodeObjects:
    """Every node class and pool of one Karpenter.

    Attributes:
        version: The release whose words the manifests use.
        defaults: What node classes leave to their Karpenter.
        node_classes: The classes so far, completed, by name.
        node_pools: The pools so far, by name.
    """

    version: KarpenterVersion
    defaults: NodeDefaults
    node_classes: dict[str, EC2NodeClass] = field(default_factory=dict)
    node_pools: dict[str, NodePool] = field(default_factory=dict)

    def add_node_class(self, node_class: EC2NodeClass) -> Manifest:
        """Keep a node class and give its manifest.

        Raises:
            SettingsError: The release would refuse it, or its name is taken.
        """
        completed = self.defaults.complete(node_class, self.version)
        problems = [
            *_taken(node_class.path, node_class.name, self.node_classes),
            *check_node_class(
                completed,
                self.version,
                path=node_class.path,
                kubernetes_version=self.defaults.kubernetes_version,
            ),
            *self._role_problems(completed),
        ]
        if problems:
            raise SettingsError(*problems)
        self.node_classes[node_class.name] = completed
        return dialect(self.version).node_class(completed)

    def add_node_pool(self, pool: NodePool) -> Manifest:
        """Keep a node pool, whose class must be there already, and give its manifest.

        Raises:
            SettingsError: The release would refuse it, its name is taken, or its class is missing.
        """
        pool = self._with_startup_taints(pool)
        class_name = pool.node_class or DEFAULT_NODE_CLASS
        node_class = self.node_classes.get(class_name)
        if node_class is None:
            raise SettingsError(_no_such_class(pool, class_name, self.node_classes))
        problems = [
            *_taken(pool.path, pool.name, self.node_pools),
            *check_node_pool(pool, self.version, path=pool.path, node_class=node_class),
        ]
        if problems:
            raise SettingsError(*problems)
        self.node_pools[pool.name] = pool
        return dialect(self.version).node_pool(pool, node_class)

    def _with_startup_taints(self, pool: NodePool) -> NodePool:
        added = tuple(taint for taint in self.defaults.startup_taints if taint not in pool.startup_taints)
        return pool.model_copy(update={"startup_taints": (*pool.startup_taints, *added)}) if added else pool

    def role_of(self, class_name: str) -> str | None:
        """The name of the role of a class's nodes; that of the Karpenter where an instance profile stands for it."""
        return self.node_classes[class_name].role or next(iter(self.defaults.known_roles), None)

    def _role_problems(self, node_class: EC2NodeClass) -> list[Problem]:
        known = self.defaults.known_roles
        if node_class.role is None:
            return []
        if self.defaults.isolated_vpc:
            return [
                Problem(
                    f"{node_class.path}.role",
                    f"needs IAM, which has no endpoint in an isolated VPC, got {node_class.role!r}; leave it out for "
                    "the instance profile that is made, or name another in instance_profile",
                )
            ]
        if not known or node_class.role in known:
            return []
        return [
            Problem(
                f"{node_class.path}.role",
                f"is none of the node roles of this Karpenter, which may pass no other, got {node_class.role!r}; pass "
                "the role in `node_role` too",
            )
        ]


def may_be_spot(pool: NodePool) -> bool:
    """Whether the pool may launch spot instances."""
    return allowed_by_key(pool.requirements, pool.labels).get(CAPACITY_TYPE, Allowed()).takes("spot")


def _taken(path: str, name: str, known: Mapping[str, object]) -> list[Problem]:
    return [Problem(path, "is there already; give each its own name")] if name in known else []


def _no_such_class(pool: NodePool, name: str, known: Mapping[str, object]) -> Problem:
    names = ", ".join(repr(known_name) for known_name in known) or "none"
    return Problem(
        f"{pool.path}.node_class",
        f"there is no such node class, got {name!r}, known so far are {names}; add the class before its pools",
    )
