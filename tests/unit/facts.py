"""Clusters and roles as plain data, each fact of which a test may change."""

from __future__ import annotations

from typing import Any

from karpenter_construct._decisions.cluster_facts import AuthenticationMode, ClusterFacts
from karpenter_construct._decisions.given_facts import RoleFacts

ACCOUNT = "111122223333"
TOKEN = "${Token[TOKEN.42]}"  # noqa: S105 - CDK's word
LIST_TOKEN = "#{Token[TOKEN.43]}"  # noqa: S105 - CDK's word
NUMBER_TOKEN = -1.8881545897087626e289

_OWNED: dict[str, Any] = {
    "path": "App/Cluster",
    "module": "aws_eks",
    "name": TOKEN,
    "literal_name": "prod",
    "region": "eu-west-1",
    "account": ACCOUNT,
    "owned": True,
    "same_stack": True,
    "authentication_mode": AuthenticationMode.API_AND_CONFIG_MAP,
    "kubernetes_version": None,
    "has_oidc_provider": True,
    "has_kubectl": True,
    "cdk_version": "2.275.0",
    "private_subnet_count": 2,
    "private_zones": lambda: ("eu-west-1a", "eu-west-1b"),
}
_IMPORTED: dict[str, Any] = {
    **_OWNED,
    "name": "prod",
    "owned": False,
    "authentication_mode": None,
    "has_oidc_provider": False,
}


def owned(**changes: Any) -> ClusterFacts:
    """A cluster of the app, in the stack of its Karpenter."""
    return ClusterFacts(**{**_OWNED, **changes})


def imported(**changes: Any) -> ClusterFacts:
    """A cluster that the app imports, without OIDC provider."""
    return ClusterFacts(**{**_IMPORTED, **changes})


def role(argument: str = "node_role", **changes: Any) -> RoleFacts:
    """A role of the account, in the stack of the Karpenter."""
    arn = changes.pop("arn", None)
    name = changes.pop("name", arn.rpartition("/")[2] if arn else "nodes")
    arn = arn or f"arn:aws:iam::{ACCOUNT}:role/{name}"
    return RoleFacts(argument=argument, path="App/Nodes", arn=arn, name=name, **changes)
