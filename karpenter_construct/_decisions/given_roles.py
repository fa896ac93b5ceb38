"""The roles and the managed policies that the user brings: whether they are such, from here, and each for itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._tokens import is_dummy, is_unresolved
from ..errors import Caution, Problem
from .cluster_facts import ClusterFacts
from .given_facts import GivenFacts, RoleFacts
from .places import partition_problems, place_of, resource_of, stack_place


def role_problems(given: GivenFacts, facts: ClusterFacts) -> Iterator[Problem]:
    """What cannot work."""
    for role in (*((given.controller_role,) if given.controller_role else ()), *given.node_roles):
        yield from _role_problems(role, facts)
    yield from _roles_twice(given)
    for argument, arn in given.managed_policies.items():
        yield from _policy_problems(argument, arn, facts)


def _role_problems(role: RoleFacts, facts: ClusterFacts) -> Iterator[Problem]:
    _, _, name = role.arn.partition(":role/")
    if name.startswith("arn:"):
        yield Problem(
            role.argument, f"has an ARN for a name, got {name!r}; import it with iam.Role.from_role_arn()"
        )
        return
    if _is_other(role.arn, "role"):
        yield Problem(role.argument, f"is no role, got {role.arn!r}; pass a role")
        return
    yield from partition_problems(role.argument, role.arn, facts)
    place = place_of(role.arn)
    if place.differs(stack_place(facts)):
        yield Problem(
            role.argument,
            f"is a role of account {place.account}, got {role.arn!r}, but the stack is of account {facts.account}; use "
            "a role of that account",
        )


def _is_other(arn: str, kind: str) -> bool:
    """Whether an ARN is surely of another kind of resource of IAM, or of another service."""
    if not arn.startswith("arn:"):
        return False
    service, found = arn.split(":")[2], resource_of(arn).partition("/")[0]
    return not is_unresolved((service, found)) and (service, found) != ("iam", kind)


def _policy_problems(argument: str, arn: str, facts: ClusterFacts) -> Iterator[Problem]:
    if _is_other(arn, "policy"):
        yield Problem(argument, f"is no managed policy, got {arn!r}; pass a managed policy")
        return
    yield from partition_problems(argument, arn, facts)
    place = place_of(arn)
    if place.account != _OF_AWS and place.differs(stack_place(facts)):
        yield Problem(
            argument,
            f"is a policy of account {place.account}, got {arn!r}, but the stack is of account {facts.account}; use "
            "a policy of that account",
        )


_OF_AWS = "aws"
"""What stands for the account in the ARN of a policy that AWS manages."""


def _roles_twice(given: GivenFacts) -> Iterator[Problem]:
    known: dict[str, str] = {}
    for role in given.node_roles:
        first = next((known[key] for key in _keys(role) if key in known), None)
        if first is not None:
            yield Problem(
                role.argument, f"is the role of `{first}` too, got {role.path}; pass each role once"
            )
        known |= dict.fromkeys(_keys(role), role.argument)


def shared_role_cautions(given: GivenFacts) -> Iterator[Caution]:
    """That the controller has the role of nodes, which AWS allows."""
    controller = given.controller_role
    keys = set(_keys(controller))
    shared = next((role.argument for role in given.node_roles if keys.intersection(_keys(role))), None)
    if controller is not None and shared is not None:
        yield Caution(
            "karpenter-construct:sharedRole",
            f"`{controller.argument}`: is the role of `{shared}` too, got {controller.path}, and every pod on a node "
            "can do what the controller may; use two roles",
        )


def _keys(role: RoleFacts | None) -> Iterable[str]:
    """By what a role is known again: its ARN, and its name, of which an account has one whatever the path."""
    if role is None or is_dummy(role.arn):
        return ()
    return (role.arn,) if is_unresolved(role.name) else (role.arn, role.name)


def trust_caution(path: str, trust_policy: object) -> Caution | None:
    """That EC2 instances cannot take a node role of the app; a warning, as overrides of its template are not seen.

    Args:
        path: The construct path of the role.
        trust_policy: Its trust policy as it stands in the template, with intrinsic functions.
    """
    if _may_trust_ec2(trust_policy):
        return None
    return Caution(
        "karpenter-construct:nodeRoleTrust",
        f"`node_role`: cannot be taken by EC2 instances, got {path}, which trusts others only; create it with "
        "assumed_by=iam.ServicePrincipal('ec2.amazonaws.com')",
    )


def _may_trust_ec2(document: object) -> bool:
    found = document.get("Statement") if isinstance(document, Mapping) else None
    statements = found if isinstance(found, list) else [found]
    return any(_may_be_for_ec2(statement) for statement in statements)


def _may_be_for_ec2(statement: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether a statement names EC2, or somebody of whom that cannot be told."""
    principal = statement.get("Principal") if isinstance(statement, Mapping) else None
    if not isinstance(principal, Mapping) or not principal.keys() <= _PRINCIPALS:
        return True
    services = principal.get("Service", ())
    return any(
        not isinstance(service, str) or service.startswith("ec2.")
        for service in (services if isinstance(services, list) else [services] if services else ())
    )


_PRINCIPALS = {"AWS", "CanonicalUser", "Federated", "Service"}
