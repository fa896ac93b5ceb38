"""Which events reach the interruption queue, and who may use it."""

import pytest

from karpenter_construct._upstream.interruption_events import (
    QUEUE_NAME_MAX_LENGTH,
    QUEUE_RETENTION_SECONDS,
    interruption_events,
    queue_policy_statements,
)
from karpenter_construct.releases import KarpenterVersion

FOUR = [
    ("ScheduledChangeRule", "aws.health", "AWS Health Event"),
    ("SpotInterruptionRule", "aws.ec2", "EC2 Spot Instance Interruption Warning"),
    ("RebalanceRule", "aws.ec2", "EC2 Instance Rebalance Recommendation"),
    ("InstanceStateChangeRule", "aws.ec2", "EC2 Instance State-change Notification"),
]
FIFTH = (
    "CapacityReservationInterruptionRule",
    "aws.ec2",
    "EC2 Capacity Reservation Instance Interruption Warning",
)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.30.0-rc.0", FOUR),
        ("0.30.0", FOUR),
        ("1.9.2", FOUR),
        ("1.10.0", [*FOUR, FIFTH]),
        ("1.14.1", [*FOUR, FIFTH]),
    ],
)
def test_events_of_a_release(version, expected):
    events = interruption_events(KarpenterVersion.parse(version))
    assert [(event.rule_id, event.source, event.detail_type) for event in events] == expected


def test_an_event_is_an_event_bridge_pattern():
    first = interruption_events(KarpenterVersion.parse("1.14.1"))[0]
    assert first.pattern == {"source": ["aws.health"], "detail-type": ["AWS Health Event"]}


@pytest.mark.parametrize(
    ("given", "rules"),
    [
        ([], "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*"),
        (["${Rules}"], "${Rules}"),
    ],
    ids=["rules of the account", "given rules"],
)
def test_event_bridge_may_send_for_the_rules_and_nobody_goes_without_tls(given, rules):
    assert queue_policy_statements("${Queue.Arn}", *given) == (
        {
            "Effect": "Allow",
            "Principal": {"Service": "events.amazonaws.com"},
            "Action": "sqs:SendMessage",
            "Resource": "${Queue.Arn}",
            "Condition": {"ArnLike": {"aws:SourceArn": rules}},
        },
        {
            "Sid": "DenyHTTP",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "sqs:*",
            "Resource": "${Queue.Arn}",
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    )


def test_numbers_of_the_queue():
    assert (QUEUE_RETENTION_SECONDS, QUEUE_NAME_MAX_LENGTH) == (300, 80)
