"""What node classes and pools leave to their Karpenter: network, identity, image, taints."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .._tokens import is_unresolved
from .._upstream.compatibility import default_ami_alias
from .._upstream.labels import NORMALISED
from ..errors import Caution, Problem
from ..node_class import EC2NodeClass
from ..node_pool import NodePool, Taint
from ..releases import KarpenterVersion
from ..requirements import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_TYPE,
    OS,
    Gt,
    In,
    Requirement,
)
from ..selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm

DEFAULT_NODE_CLASS = "default"


def ebs_csi_taint() -> Taint:
    """Kept on a new node until the EBS CSI driver runs there, which removes it (aws-ebs-csi-driver, ``install.md``)."""
    return Taint(key="ebs.csi.aws.com/agent-not-ready", effect="NoExecute")


# Which defaults a label decides besides that of its own key.
_DECIDED = {
    key: frozenset((INSTANCE_CATEGORY, INSTANCE_GENERATION, ARCH))
    for key in (INSTANCE_TYPE, INSTANCE_FAMILY, INSTANCE_CATEGORY)
}


# Not a constant: pydantic would build validators at import.
@cache
def default_requirements(os: str = "linux") -> tuple[Requirement, ...]:
    """What a pool may launch that says nothing about it: upstream's getting-started pool."""
    return (
        In(OS, os),
        In(ARCH, "amd64"),
        In(CAPACITY_TYPE, "on-demand"),
        In(INSTANCE_CATEGORY, "c", "m", "r"),
        Gt(INSTANCE_GENERATION, 2),
    )


def with_requirements(pool: NodePool, node_class: EC2NodeClass | None = None) -> NodePool:
    """``pool`` with the default requirements if it was given none; an empty list is given, and means any instance.

    Labels of the pool are requirements too: what they decide has no default.

    Args:
        pool: The pool.
        node_class: Its class where that is known, of which the operating system is.
    """
    if "requirements" in pool.model_fields_set:
        return pool
    keys = {NORMALISED.get(key, key) for key in pool.labels}
    decided = keys.union(*(_DECIDED.get(key, ()) for key in keys))
    defaults = default_requirements(
        "windows" if node_class is not None and node_class.is_windows else "linux"
    )
    left = tuple(requirement for requirement in defaults if requirement.key not in decided)
    return pool.model_copy(update={"requirements": left})


class NodeDefaults(NamedTuple):
    """What node objects take from their Karpenter where they say nothing themselves.

    Attributes:
        role: The name of the node role of classes that name none; ``None`` where they get an instance profile.
        instance_profile: The name of the instance profile of classes that name none. ``None`` too where the release
            takes that from the chart's settings.
        isolated_vpc: Whether Karpenter cannot reach IAM to make instance profiles.
        known_roles: The names of all roles that Karpenter may pass to nodes; empty where that is not known.
        made_role: Whether the one role was made for this Karpenter, so that no instance profile from elsewhere has it.
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
    made_role: bool = False
    kubernetes_version: str | None = None
    startup_taints: tuple[Taint, ...] = ()

    def complete(self, node_class: EC2NodeClass, version: KarpenterVersion) -> EC2NodeClass:
        """``node_class`` with everything filled in that it leaves to its Karpenter."""
        missing: dict[str, object] = {}
        if node_class.subnet_selector_terms is None:
            missing["subnet_selector_terms"] = self.subnet_selector_terms
        if node_class.security_group_selector_terms is None:
            missing["security_group_selector_terms"] = self.security_group_selector_terms
        if node_class.role is None and node_class.instance_profile is None:
            identity = {"role": self.role, "instance_profile": self.instance_profile}
            missing |= {key: value for key, value in identity.items() if value is not None}
        if (node_class.ami, node_class.ami_selector_terms, node_class.ami_family) == (None, None, None):
            missing["ami"] = default_ami_alias(version)
        return node_class.model_copy(update=missing) if missing else node_class

    def with_startup_taints(self, pool: NodePool) -> NodePool:
        """``pool`` with the startup taints of every pool besides its own."""
        added = tuple(taint for taint in self.startup_taints if taint not in pool.startup_taints)
        return pool.model_copy(update={"startup_taints": (*pool.startup_taints, *added)}) if added else pool

    def role_problems(self, node_class: EC2NodeClass) -> list[Problem]:
        """Why Karpenter cannot give nodes the role of their class."""
        if node_class.role is None:
            return []
        path = f"{node_class.path}.role"
        if self.isolated_vpc:
            return [
                Problem(
                    path,
                    f"needs IAM, which has no endpoint in an isolated VPC, got {node_class.role!r}; leave it out for "
                    "the instance profile that is made, or name another in instance_profile",
                )
            ]
        if not self.known_roles or node_class.role in self.known_roles or is_unresolved(node_class.role):
            return []
        return [
            Problem(
                path,
                f"is none of the node roles of this Karpenter, which may pass no other, got {node_class.role!r}; pass "
                "the role in `node_role` too",
            )
        ]

    def instance_profile_cautions(self, node_class: EC2NodeClass) -> list[Caution]:
        """What to know of an instance profile whose role this Karpenter cannot have."""
        profile = node_class.instance_profile
        if not self.made_role or profile in (None, self.instance_profile) or is_unresolved(profile):
            return []
        return [
            Caution(
                "karpenter-construct:otherInstanceProfile",
                f"`{node_class.path}.instance_profile`: Karpenter may pass the role made here and no other, so "
                f"{profile!r} must have that role; pass the role that it has in `node_role`",
            )
        ]
