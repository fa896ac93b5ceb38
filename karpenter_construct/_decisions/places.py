"""Where things are: Karpenter, its cluster, its queue and its roles belong to one account and region."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._tokens import is_dummy, is_unresolved
from ..errors import Problem
from .cluster_facts import ClusterFacts

_ARN_PARTS = 6
"""``arn:partition:service:region:account:resource``."""


class Place(NamedTuple):
    """An account and a region; each a token, or empty, where it is not known."""

    account: str
    region: str

    def __str__(self) -> str:
        return f"{self.region} of account {self.account}"

    def differs(self, other: Place) -> bool:
        """Whether the two are surely not the same."""
        return any(
            bool(one) and bool(two) and one != two and not is_unresolved((one, two))
            for one, two in zip(self, other, strict=True)
        )


def place_of(arn: str) -> Place:
    """Where an ARN says that its resource is; roles are in no region."""
    if is_dummy(arn):
        # CDK puts an account of its own beside the name that it does not know yet.
        return Place("", "")
    parts = arn.split(":", _ARN_PARTS - 1)
    return Place(account=parts[4], region=parts[3]) if len(parts) == _ARN_PARTS else Place("", "")


def resource_of(arn: str) -> str:
    """What an ARN names within its place, such as ``role/team/nodes``; all of a text that is no ARN."""
    return arn.split(":", _ARN_PARTS - 1)[-1]


_PARTITIONS = {
    "cn-": "aws-cn",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "eu-isoe-": "aws-iso-e",
    "us-isof-": "aws-iso-f",
    "eusc-": "aws-eusc",
}
"""By the beginning of the region (botocore ``partitions.json``)."""
_REGION_OF_AWS = r"[a-z]{2}-[a-z]+-\d+"


def partition_of(region: str) -> str | None:
    """The partition of a region; ``None`` for a token, and for regions that look like none of today's."""
    for start, partition in _PARTITIONS.items():
        if region.startswith(start):
            return partition
    return "aws" if re.fullmatch(_REGION_OF_AWS, region) else None


def partition_problems(argument: str, arn: str, facts: ClusterFacts) -> list[Problem]:
    """An ARN of another partition than the stack's."""
    here, there = partition_of(facts.region), arn.partition(":")[2].partition(":")[0]
    if here is None or not there or is_unresolved(there) or there == here:
        return []
    return [
        Problem(
            argument,
            f"is of the partition {there}, got {arn!r}, but {facts.region} is of {here}; use one of that partition",
        )
    ]


def stack_place(facts: ClusterFacts) -> Place:
    """Where the stack of Karpenter is."""
    return Place(account=facts.account, region=facts.region)


def cluster_place_problems(facts: ClusterFacts) -> list[Problem]:
    """A cluster to which nothing can be applied from the stack of Karpenter."""
    here, there = stack_place(facts), Place(*facts.cluster_place)
    if not here.differs(there):
        return []
    return [
        Problem(
            "cluster",
            f"{facts.path} is in {there}, the stack of Karpenter in {here}; define Karpenter in a stack of the "
            "cluster's account and region",
        )
    ]
