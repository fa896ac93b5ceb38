"""How the controller gets its AWS credentials."""

from __future__ import annotations

from enum import Enum

from .._upstream.compatibility import POD_IDENTITY, POD_IDENTITY_BY_DEFAULT
from ..errors import Problem
from ..releases import KarpenterVersion
from .cluster_facts import ClusterFacts

_IMPORT_PROVIDER = "pass `open_id_connect_provider` to from_cluster_attributes()"
_DECLARE_AGENT = (
    "pass `pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed"
)


class IdentityType(str, Enum):
    """How the controller's service account becomes its IAM role."""

    IRSA = "IRSA"
    """IAM roles for service accounts: a web identity, through the cluster's OIDC provider."""
    POD_IDENTITY = "POD_IDENTITY"
    """EKS Pod Identity: an association, served by the add-on eks-pod-identity-agent on each node."""


def decide_identity(
    asked: IdentityType | str | None,
    *,
    facts: ClusterFacts,
    version: KarpenterVersion,
    on_fargate: bool,
    agent_installed: bool | None,
    role_given: bool,
    problems: list[Problem],
) -> IdentityType:
    """Pod Identity where it is sure to work, else IRSA; what was asked for where it can work."""
    has_agent = facts.owned if agent_installed is None else agent_installed
    if asked is None:
        works = version in POD_IDENTITY_BY_DEFAULT and has_agent and not on_fargate
        asked = IdentityType.POD_IDENTITY if works else IdentityType.IRSA
    elif asked not in tuple(IdentityType):
        problems.append(
            Problem("identity_type", f"is unknown, got {asked!r}; use IdentityType.IRSA or POD_IDENTITY")
        )
        return IdentityType.IRSA
    identity = IdentityType(asked)
    refusals = (
        _irsa_refusals(facts, role_given=role_given)
        if identity is IdentityType.IRSA
        else _pod_identity_refusals(version, on_fargate=on_fargate, has_agent=has_agent)
    )
    problems.extend(Problem("identity_type", refusal) for refusal in refusals)
    return identity


def _irsa_refusals(facts: ClusterFacts, *, role_given: bool) -> list[str]:
    # A given role has its trust policy already, with the provider's ARN and issuer in it.
    if facts.has_oidc_provider or role_given:
        return []
    return [
        f"IRSA needs the OIDC provider of the imported cluster {facts.path}; {_IMPORT_PROVIDER}, or use Pod Identity: "
        f"{_DECLARE_AGENT}"
    ]


def _pod_identity_refusals(version: KarpenterVersion, *, on_fargate: bool, has_agent: bool) -> list[str]:
    refusals = []
    if version not in POD_IDENTITY:
        refusals.append(f"POD_IDENTITY {POD_IDENTITY.requirement(version)}; use IdentityType.IRSA")
    if on_fargate:
        refusals.append(
            "POD_IDENTITY does not work on Fargate, where the controller runs; use IdentityType.IRSA"
        )
    if not has_agent:
        refusals.append(
            f"POD_IDENTITY needs the Pod Identity agent on the cluster; {_DECLARE_AGENT}, or use IdentityType.IRSA"
        )
    return refusals
