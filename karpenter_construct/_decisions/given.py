"""What the user brings: whether it can be used from here, and whether it has any effect."""

from __future__ import annotations

from collections.abc import Iterator

from .._tokens import is_unresolved
from ..errors import Problem
from .cluster_facts import ClusterFacts
from .given_facts import GivenFacts
from .given_queue import queue_problems
from .given_roles import role_problems
from .given_statements import statement_problems


def given_problems(
    given: GivenFacts, facts: ClusterFacts, *, interruption_handling: bool = True
) -> list[Problem]:
    """What cannot work.

    Args:
        given: What the user brings.
        facts: The cluster.
        interruption_handling: Whether there is a queue of interruption events at all.
    """
    return [
        *role_problems(given, facts),
        *statement_problems(given.controller_statements),
        *queue_problems(given, facts),
        *_instance_profile_problems(given),
        *_without_effect(given),
        *(() if interruption_handling else _without_handling(given)),
    ]


def _instance_profile_problems(given: GivenFacts) -> Iterator[Problem]:
    name, role_arn = given.node_instance_profile, given.instance_profile_role_arn
    if name is not None and not is_unresolved(name) and (name.startswith("arn:") or "/" in name):
        yield Problem(
            "node_instance_profile", f"must be a name, got {name!r}; write what follows the last '/'"
        )
    if role_arn is not None and role_arn not in [role.arn for role in given.node_roles]:
        yield Problem(
            "node_instance_profile",
            f"has a role that is none of `node_role`, got {role_arn!r}; pass that role in `node_role`",
        )


def _without_effect(given: GivenFacts) -> Iterator[Problem]:
    """Arguments about something that is not there, or that is brought along already."""
    if given.controller_role is None and given.controller_role_has_permissions:
        yield _pointless("controller_role_has_permissions", "is about a role of yours", "controller_role")
    if not given.node_roles and given.node_instance_profile is not None:
        yield _pointless("node_instance_profile", "needs the role that is in it", "node_role")
    if given.node_roles and given.node_role_policies:
        yield _unused("node_role_policies", "node_role", "attach them to that role")
    if given.node_roles and not given.cni_policy_on_node_role:
        yield _unused("cni_policy_on_node_role", "node_role", "leave the CNI policy off that role")
    if given.interruption_queue is not None and given.encryption_key_arn is not None:
        yield _unused("encryption_key", "interruption_queue", "encrypt that queue with it")


def _without_handling(given: GivenFacts) -> Iterator[Problem]:
    used = {
        "interruption_queue": given.interruption_queue is not None,
        "encryption_key": given.encryption_key_arn is not None,
    }
    for argument, is_given in used.items():
        if is_given:
            yield Problem(
                argument, "has no effect without interruption handling; turn that on, or leave this out"
            )


def _pointless(path: str, why: str, argument: str) -> Problem:
    return Problem(path, f"{why}, but `{argument}` is not given; pass `{argument}` too")


def _unused(path: str, argument: str, instead: str) -> Problem:
    return Problem(path, f"has no effect beside `{argument}`; {instead}, and leave this out")
