"""Whether there is anything for node classes to find."""

from __future__ import annotations

from ..discovery import Discovery
from ..errors import Problem
from .cluster_facts import ClusterFacts

_HOW = "pass the nodes' subnets: discovery=Discovery.by_tag(subnets=[…])"


def discovery_problems(discovery: Discovery, facts: ClusterFacts) -> list[Problem]:
    """What the cluster does not tell, and nobody passed."""
    problems = []
    if discovery.subnets is None and not facts.private_subnet_count:
        problems.append(Problem("discovery.subnets", _no_subnets(facts)))
    if discovery.security_groups is None and not facts.has_security_group:
        problems.append(
            Problem(
                "discovery.security_groups",
                f"the cluster security group of {facts.path} is unknown; pass it: "
                "discovery=Discovery.by_tag(security_groups=['sg-…']), or `cluster_security_group_id` to "
                "from_cluster_attributes()",
            )
        )
    return problems


def _no_subnets(facts: ClusterFacts) -> str:
    if facts.private_subnet_count is None:
        return f"the VPC of {facts.path} is unknown; {_HOW}, or `vpc` to from_cluster_attributes()"
    return f"the VPC of {facts.path} has no private subnets with egress; {_HOW}"
