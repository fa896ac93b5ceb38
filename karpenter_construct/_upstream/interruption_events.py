"""What tells Karpenter that EC2 is about to take a node: the events and the queue they go to, by release.

Source: the rules, ``KarpenterInterruptionQueue`` and its policy in upstream's getting-started template
(aws/karpenter-provider-aws, ``getting-started-with-karpenter/cloudformation.yaml``) at every release tag.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..releases import ALWAYS, KarpenterVersion, Window, since

QUEUE_RETENTION_SECONDS = 300
"""How long a message waits for the controller; a spot instance lives two minutes after its warning."""

QUEUE_NAME_MAX_LENGTH = 80
"""SQS's limit; EKS cluster names may have 100 characters, so a queue cannot always take its name."""

TARGET_ID = "KarpenterInterruptionQueueTarget"
"""The id of the queue as the target of each rule."""


class InterruptionEvent(NamedTuple):
    """One EventBridge rule.

    Attributes:
        rule_id: Upstream's logical id.
        source: The service that sends the event.
        detail_type: What it says. The controller itself looks at the details.
        window: The releases that listen to it.
    """

    rule_id: str
    source: str
    detail_type: str
    window: Window = ALWAYS

    @property
    def pattern(self) -> dict[str, list[str]]:
        """The event pattern of the rule."""
        return {"source": [self.source], "detail-type": [self.detail_type]}


_EVENTS = (
    InterruptionEvent("ScheduledChangeRule", "aws.health", "AWS Health Event"),
    InterruptionEvent("SpotInterruptionRule", "aws.ec2", "EC2 Spot Instance Interruption Warning"),
    InterruptionEvent("RebalanceRule", "aws.ec2", "EC2 Instance Rebalance Recommendation"),
    InterruptionEvent("InstanceStateChangeRule", "aws.ec2", "EC2 Instance State-change Notification"),
    InterruptionEvent(
        "CapacityReservationInterruptionRule",
        "aws.ec2",
        "EC2 Capacity Reservation Instance Interruption Warning",
        since("1.10"),
    ),
)


def interruption_events(version: KarpenterVersion) -> tuple[InterruptionEvent, ...]:
    """The events that the release listens to, in upstream's order."""
    return tuple(event for event in _EVENTS if version in event.window)


RULES = "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*"
"""The rules of this account and region, as CloudFormation's ``Fn::Sub`` takes it.

A pattern, so that the policy of a queue in another stack does not depend on the rules.
"""


def queue_policy_statements(queue_arn: str, rules: object = RULES) -> tuple[dict[str, Any], ...]:
    """The queue's policy: EventBridge may send for the rules, and nobody may do anything without TLS.

    It holds for every release, and EventBridge has the same name in every partition. Upstream lets EventBridge
    send for anybody's rule, and SQS itself, which sends nothing; but whoever can write to the queue can have
    nodes drained. EventBridge says for which rule it sends, whatever the source of the event (EventBridge user
    guide, resource-based policies, Amazon SQS).

    Args:
        queue_arn: The queue's ARN, or a placeholder for it.
        rules: The ARN pattern of the rules, or what stands for it.
    """
    return (
        {
            "Effect": "Allow",
            "Principal": {"Service": "events.amazonaws.com"},
            "Action": "sqs:SendMessage",
            "Resource": queue_arn,
            "Condition": {"ArnLike": {"aws:SourceArn": rules}},
        },
        {
            "Sid": "DenyHTTP",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "sqs:*",
            "Resource": queue_arn,
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    )
