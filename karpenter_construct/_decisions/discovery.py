"""Whether there is anything for node classes to find."""

from __future__ import annotations

from ..cluster_facts import ClusterFacts
from ..discovery import Discovery
from ..errors import Problem


def discovery_problems(discovery: Discovery, facts: ClusterFacts) -> list[Problem]:
    """What the cluster does not tell, and nobody passed."""
    problems = []
    if discovery.subnets is None and facts.private_subnet_count is None:
        problems.append(
            Problem(
                "discovery.subnets",
                f"the VPC of {facts.path} is unknown; pass the nodes' subnets: "
                "discovery=Discovery.by_tag(subnets=[…]), or `vpc` to from_cluster_attributes()",
            )
        )
    elif discovery.subnets is None and facts.private_subnet_count == 0:
        problems.append(
            Problem(
                "discovery.subnets",
                f"the VPC of {facts.path} has no private subnets with egress; pass the nodes' subnets: "
                "discovery=Discovery.by_tag(subnets=[…])",
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
