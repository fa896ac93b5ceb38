"""How the nodes that Karpenter launches are let into the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from .._fields import shown
from ..errors import Problem
from .cluster_facts import AuthenticationMode, ClusterFacts
from .given_facts import RoleFacts

_CONFIG_MAP_MODES = (None, AuthenticationMode.CONFIG_MAP, AuthenticationMode.API_AND_CONFIG_MAP)
_API_MODES = (None, AuthenticationMode.API, AuthenticationMode.API_AND_CONFIG_MAP)


class NodeAccess(str, Enum):
    """What lets a node role into the cluster."""

    AWS_AUTH = "AWS_AUTH"
    """A mapping in the ConfigMap aws-auth, written by the cluster's own construct."""
    ACCESS_ENTRY = "ACCESS_ENTRY"
    """An EKS access entry."""
    BOTH = "BOTH"
    """Both, while a cluster moves from the one to the other."""
    NONE = "NONE"
    """Nothing: the role already has access."""

    @property
    def aws_auth(self) -> bool:
        """Whether the role is mapped in aws-auth."""
        return self in (NodeAccess.AWS_AUTH, NodeAccess.BOTH)

    @property
    def access_entry(self) -> bool:
        """Whether the role gets an access entry."""
        return self in (NodeAccess.ACCESS_ENTRY, NodeAccess.BOTH)


def decide_node_access(
    asked: NodeAccess | str | None,
    *,
    facts: ClusterFacts,
    roles: Sequence[RoleFacts],
    problems: list[Problem],
) -> NodeAccess:
    """The way that the cluster's authentication mode takes; what was asked for where it can work.

    Args:
        asked: What the user asked for.
        facts: The cluster.
        roles: The given node roles; none where one is made.
        problems: What cannot work is added here.
    """
    if asked is not None and asked not in tuple(NodeAccess):
        names = ", ".join(choice.value for choice in NodeAccess)
        problems.append(Problem("node_access", f"is unknown, got {shown(asked)}; use one of {names}"))
        return NodeAccess.NONE
    access = NodeAccess(asked) if asked is not None else _by_mode(facts)
    if access.aws_auth:
        problems.extend(_aws_auth_problems(facts, roles))
    if access.access_entry and _mode(facts) not in _API_MODES:
        problems.append(
            Problem(
                "node_access",
                f"an access entry needs a cluster that takes them, {facts.path} is in mode CONFIG_MAP; create the "
                "cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP, or use NodeAccess.AWS_AUTH",
            )
        )
    return access


def aws_auth_arn(role_arn: str) -> str:
    """What aws-auth calls a role: aws-iam-authenticator compares ARNs without the path of the role.

    Args:
        role_arn: The role's ARN. One that only the deployment knows stays as it is.
    """
    before, kind, path_and_name = role_arn.partition(":role/")
    return f"{before}{kind}{path_and_name.rpartition('/')[2]}" if kind else role_arn


def path_problem(role: str, path: str) -> Problem:
    """A role that is in aws-auth with a path.

    Args:
        role: The construct path of the role.
        path: The path in its ARN, which it got too late to be left out there.
    """
    return Problem(
        "node_access",
        f"aws-auth knows roles without their path, and {role} got one after it was mapped, got {path!r}; set no path "
        "on it, or create the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP",
    )


def _by_mode(facts: ClusterFacts) -> NodeAccess:
    if facts.owned and _mode(facts) is AuthenticationMode.CONFIG_MAP:
        return NodeAccess.AWS_AUTH
    return NodeAccess.ACCESS_ENTRY


def _mode(facts: ClusterFacts) -> AuthenticationMode | None:
    """The mode; an owned cluster that names none gets CONFIG_MAP from the EKS API."""
    if facts.owned and facts.authentication_mode is None:
        return AuthenticationMode.CONFIG_MAP
    return facts.authentication_mode


def _aws_auth_problems(facts: ClusterFacts, roles: Sequence[RoleFacts]) -> Iterator[Problem]:
    refusals = _aws_auth_refusals(facts)
    yield from (Problem("node_access", why) for why in refusals)
    if refusals:
        return
    for role in roles:
        if not role.same_stack:
            yield Problem(
                role.argument,
                f"aws-auth cannot map a role of another stack, got {role.path}; define the role in the stack of "
                "the cluster, or create the cluster with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP",
            )


def _aws_auth_refusals(facts: ClusterFacts) -> list[str]:
    if not facts.owned:
        return [
            f"aws-auth of the imported cluster {facts.path} cannot be written from here; use NodeAccess.ACCESS_ENTRY, "
            "or map the role yourself and use NodeAccess.NONE"
        ]
    if _mode(facts) not in _CONFIG_MAP_MODES:
        return [f"{facts.path} is in mode API and does not read aws-auth; use NodeAccess.ACCESS_ENTRY"]
    if not facts.same_stack:
        return [
            f"aws-auth belongs to the stack of {facts.path} and cannot map a role of another stack; create the cluster "
            "with authentication_mode=AuthenticationMode.API_AND_CONFIG_MAP so that access entries work, define "
            "Karpenter in the cluster's stack, or map the role there and use NodeAccess.NONE"
        ]
    return []
