"""Whether there is anything for node classes to find."""

from __future__ import annotations

from ..cluster_facts import ClusterFacts
from ..discovery import Discovery
from ..errors import Problem


def discovery_problems(discovery: Discovery, facts: ClusterFacts) -> list[Problem]:
    """What the cluster does not tell, and nobody passed."""
    problems = []
    if discovery.subnets is None and not facts.private_subnet_ids:
        why = (
            "the VPC of {path} is unknown"
            if facts.private_subnet_ids is None
            else "{path} has no private subnets"
        )
        problems.append(
            Problem(
                "discovery.subnets",
                why.format(path=facts.path) + "; pass the nodes' subnets: "
                "discovery=Discovery.by_tag(subnets=[…]), or `vpc` to from_cluster_attributes()",
            )
        )
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
