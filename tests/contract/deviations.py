"""Every place where this library differs from upstream's files on purpose, with the reason.

The contract tests take upstream's facts of a tag, put these rows in place with `agreed`, and compare the
result with what the library makes. A row whose upstream side is no longer what the tag says fails the test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karpenter_construct.releases import ALWAYS, Window, between, until

from . import upstream

ABSENT = "absent"
"""The value of a place that a side does not have."""


@dataclass(frozen=True)
class Deviation:
    """One place of one area, for the tags in ``window``; `ABSENT` where a side has nothing there."""

    area: str
    place: str
    window: Window
    upstream: Any
    ours: Any
    reason: str

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(tag for tag in upstream.TAGS if upstream.version(tag) in self.window)


_CLUSTER = "arn:${AWS::Partition}:eks:${AWS::Region}:${AWS::AccountId}:cluster/${ClusterName}"
_READS_BEFORE_1_1 = (
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeImages",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeInstances",
    "ec2:DescribeLaunchTemplates",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSpotPriceHistory",
    "ec2:DescribeSubnets",
)

DEVIATIONS = (
    Deviation(
        "controller policy",
        "AllowPassingInstanceRole.Resource",
        until("0.36"),
        upstream=("arn:${AWS::Partition}:iam::${AWS::AccountId}:role/KarpenterNodeRole-${ClusterName}",),
        ours=("${KarpenterNodeRole.Arn}",),
        reason="the node role has no fixed name here; upstream passes the role's own ARN too since 0.36",
    ),
    Deviation(
        "controller policy",
        "AllowPassingInstanceRole.Condition.StringEquals.iam:PassedToService",
        until("1.1"),
        upstream=("ec2.amazonaws.com",),
        ours=("ec2.amazonaws.com", "ec2.amazonaws.com.cn"),
        reason="EC2's name in China; upstream added it in 1.1, and to 1.0's documentation",
    ),
    Deviation(
        "controller policy",
        "AllowRegionalReadActions.Action",
        until("1.1"),
        upstream=_READS_BEFORE_1_1,
        ours=tuple(action for action in _READS_BEFORE_1_1 if action != "ec2:DescribeAvailabilityZones"),
        reason="no release from 0.30 on calls it; upstream dropped it in 1.1, and from 1.0's documentation",
    ),
    Deviation(
        "controller policy",
        "AllowZonalShiftStatusReadOnly.Resource",
        between("1.12", "1.13"),
        upstream=(_CLUSTER,),
        ours=("*",),
        reason="a cluster is no resource of this action, so upstream's statement grants nothing; it was"
        " corrected in 1.13, and in 1.12's documentation",
    ),
    Deviation(
        "controller policy",
        "AllowZonalShiftStatusReadOnly.Condition.StringEquals.arc-zonal-shift:ResourceIdentifier",
        between("1.12", "1.13"),
        upstream=ABSENT,
        ours=(_CLUSTER,),
        reason="the other half of the correction: which cluster's zonal shifts may be read",
    ),
    Deviation(
        "queue policy",
        "statement 0.Principal",
        ALWAYS,
        upstream=("Service: events.amazonaws.com", "Service: sqs.amazonaws.com"),
        ours=("Service: events.amazonaws.com",),
        reason="SQS itself sends nothing to queues",
    ),
    Deviation(
        "queue policy",
        "statement 0.Condition.ArnLike.aws:SourceArn",
        ALWAYS,
        upstream=ABSENT,
        ours=("arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*",),
        reason="whoever can write to the queue can have nodes drained: only rules of the account and region may",
    ),
    *(
        Deviation(
            "queue policy",
            place,
            until("1.0"),
            upstream=ABSENT,
            ours=value,
            reason="messages over TLS only, as upstream since 1.0; every release's SDK uses HTTPS",
        )
        for place, value in (
            ("DenyHTTP.Effect", "Deny"),
            ("DenyHTTP.Principal", ("*",)),
            ("DenyHTTP.Action", ("sqs:*",)),
            ("DenyHTTP.Resource", ("${KarpenterInterruptionQueue.Arn}",)),
            ("DenyHTTP.Condition.Bool.aws:SecureTransport", ("false",)),
        )
    ),
)


def agreed(area: str, tag: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Upstream's facts of an area, by place, with our deviations in place.

    Fails where a deviation no longer applies: upstream says something else there, or says what we say.
    """
    result = dict(facts)
    for deviation in DEVIATIONS:
        if deviation.area == area and tag in deviation.tags:
            found = facts.get(deviation.place, ABSENT)
            assert found == deviation.upstream, (
                f"{area} of {tag}: {deviation.place} is now {found!r} upstream"
            )
            result[deviation.place] = deviation.ours
    return {place: value for place, value in result.items() if value != ABSENT}
