"""How the controller gets its credentials: what is decided, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._decisions.identity import IdentityType, decide_identity
from karpenter_construct.errors import Problem
from karpenter_construct.releases import KarpenterVersion

from .facts import imported, owned

IRSA, POD_IDENTITY = IdentityType.IRSA, IdentityType.POD_IDENTITY
NO_PROVIDER = (
    "`identity_type`: IRSA needs the OIDC provider of the imported cluster App/Cluster; pass "
    "`open_id_connect_provider` to from_cluster_attributes(), or use Pod Identity: pass "
    "`pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed"
)
NO_AGENT = (
    "`identity_type`: POD_IDENTITY needs the Pod Identity agent on the cluster; pass "
    "`pod_identity_agent_installed=True` where the add-on eks-pod-identity-agent is installed, or use "
    "IdentityType.IRSA"
)
ON_FARGATE = (
    "`identity_type`: POD_IDENTITY does not work on Fargate, where the controller runs; use IdentityType.IRSA"
)


def decided(asked: Any = None, facts=None, version: str = "1.14.1", **changes: Any):
    problems: list[Problem] = []
    arguments = {"on_fargate": False, "agent_installed": None, "role_given": False, **changes}
    identity = decide_identity(
        asked,
        facts=facts or owned(),
        version=KarpenterVersion.parse(version),
        problems=problems,
        **arguments,
    )
    return identity, [str(problem) for problem in problems]


WITH_PROVIDER = imported(has_oidc_provider=True)

DEFAULTS = [
    (owned(), {}, POD_IDENTITY),
    (owned(), {"version": "0.34.0"}, POD_IDENTITY),
    (owned(), {"version": "0.33.12"}, IRSA),
    (owned(), {"version": "0.30.0"}, IRSA),
    (owned(), {"on_fargate": True}, IRSA),
    (owned(), {"agent_installed": True}, POD_IDENTITY),
    (owned(), {"agent_installed": False}, IRSA),
    (WITH_PROVIDER, {}, IRSA),
    (WITH_PROVIDER, {"agent_installed": True}, POD_IDENTITY),
    (WITH_PROVIDER, {"agent_installed": True, "version": "0.33.12"}, IRSA),
    (WITH_PROVIDER, {"agent_installed": True, "on_fargate": True}, IRSA),
    (imported(), {"agent_installed": True}, POD_IDENTITY),
    (imported(), {"role_given": True}, IRSA),
]


@pytest.mark.parametrize(("facts", "given", "identity"), DEFAULTS)
def test_default(facts, given, identity):
    assert decided(facts=facts, **given) == (identity, [])


@pytest.mark.parametrize("asked", [IRSA, "IRSA"])
def test_irsa_is_taken_where_there_is_a_provider(asked):
    assert decided(asked) == (IRSA, [])
    assert decided(asked, WITH_PROVIDER) == (IRSA, [])


@pytest.mark.parametrize("asked", [POD_IDENTITY, "POD_IDENTITY"])
@pytest.mark.parametrize("version", ["0.32.2", "0.33.0", "1.14.1"])
def test_pod_identity_is_taken_where_the_release_knows_it(asked, version):
    assert decided(asked, version=version) == (POD_IDENTITY, [])


@pytest.mark.parametrize("asked", [None, IRSA])
def test_fails_irsa_without_provider(asked):
    assert decided(asked, imported()) == (IRSA, [NO_PROVIDER])


def test_a_given_role_trusts_the_provider_already():
    assert decided(IRSA, imported(), role_given=True) == (IRSA, [])


@pytest.mark.parametrize("version", ["0.30.0", "0.32.1"])
def test_fails_pod_identity_of_a_release_that_lacks_it(version):
    assert decided(POD_IDENTITY, version=version) == (
        POD_IDENTITY,
        [
            f"`identity_type`: POD_IDENTITY needs Karpenter 0.32.2 or later, version is {version}; use "
            "IdentityType.IRSA"
        ],
    )


def test_fails_pod_identity_on_fargate():
    assert decided(POD_IDENTITY, on_fargate=True) == (POD_IDENTITY, [ON_FARGATE])


def test_fails_pod_identity_without_agent():
    assert decided(POD_IDENTITY, imported()) == (POD_IDENTITY, [NO_AGENT])
    assert decided(POD_IDENTITY, agent_installed=False) == (POD_IDENTITY, [NO_AGENT])


def test_fails_pod_identity_with_every_reason():
    assert decided(POD_IDENTITY, imported(), "0.32.1", on_fargate=True) == (
        POD_IDENTITY,
        [
            "`identity_type`: POD_IDENTITY needs Karpenter 0.32.2 or later, version is 0.32.1; use IdentityType.IRSA",
            ON_FARGATE,
            NO_AGENT,
        ],
    )


@pytest.mark.parametrize("asked", ["irsa", "", 5, ["IRSA"]])
def test_fails_on_anything_else(asked):
    assert decided(asked) == (
        IRSA,
        [f"`identity_type`: is unknown, got {asked!r}; use IdentityType.IRSA or POD_IDENTITY"],
    )
