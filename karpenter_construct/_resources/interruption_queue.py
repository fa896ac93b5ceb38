"""The queue of events that tell the controller of nodes about to go, and the rules that fill it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import aws_cdk as cdk
from aws_cdk import Duration, Fn
from aws_cdk import aws_iam as iam
from constructs import Construct

from .._upstream.interruption_events import QUEUE_RETENTION_SECONDS, TARGET_ID, InterruptionEvent

if TYPE_CHECKING:
    from aws_cdk import aws_events as events
    from aws_cdk import aws_kms as kms
    from aws_cdk import aws_sqs as sqs

# The same in every partition.
_EVENTBRIDGE = "events.amazonaws.com"


@dataclass(frozen=True)
class InterruptionQueue:
    """The queue, made here or given.

    Attributes:
        queue: The queue.
        dependencies: What the controller needs before it starts, and until it has stopped.
        controller_statements: What the controller may do beside using the queue: decrypt with its key.
        missing_queue_statements: What the policy of a queue that the app does not own must say besides.
        missing_key_statements: What the policy of a key that the app does not own must say besides.
    """

    queue: sqs.IQueue
    dependencies: tuple[Construct, ...]
    controller_statements: tuple[iam.PolicyStatement, ...] = ()
    missing_queue_statements: tuple[dict[str, Any], ...] = ()
    missing_key_statements: tuple[dict[str, Any], ...] = ()


def interruption_queue(
    scope: Construct,
    *,
    events_of_release: Sequence[InterruptionEvent],
    queue: sqs.IQueue | None = None,
    encryption_key: kms.IKey | None = None,
) -> InterruptionQueue:
    """A queue and one rule for each event, with upstream's ids.

    Its name is left to CloudFormation: a queue's may have 80 characters, a cluster's 100.

    Args:
        scope: The `Karpenter` construct.
        events_of_release: The events that the Karpenter release listens to.
        queue: A queue to use instead of making one. Its policy is extended where the app owns it.
        encryption_key: The key of a queue made here. Default: a key of SQS. The policy of a key that the app
            owns is extended.
    """
    used = queue if queue is not None else _make_queue(scope, encryption_key)
    key = encryption_key if queue is None else queue.encryption_master_key
    missing = [
        statement
        for statement in (_send_statement(used.queue_arn), _tls_statement(used.queue_arn))
        if not used.add_to_resource_policy(iam.PolicyStatement.from_json(statement)).statement_added
    ]
    rules = [_rule(scope, event, used.queue_arn) for event in events_of_release]
    return InterruptionQueue(
        queue=used,
        dependencies=(cast("Construct", used), *rules),
        controller_statements=() if key is None else (_decrypt_statement(key),),
        missing_queue_statements=tuple(missing),
        missing_key_statements=() if key is None else _let_eventbridge_encrypt(key),
    )


def _make_queue(scope: Construct, key: kms.IKey | None) -> sqs.IQueue:
    encryption = cdk.aws_sqs.QueueEncryption
    queue = cdk.aws_sqs.Queue(
        scope,
        "InterruptionQueue",
        retention_period=Duration.seconds(QUEUE_RETENTION_SECONDS),
        encryption=encryption.SQS_MANAGED if key is None else encryption.KMS,
        encryption_master_key=key,
    )
    return cast("sqs.IQueue", queue)


def _rule(scope: Construct, event: InterruptionEvent, queue_arn: str) -> events.CfnRule:
    return cdk.aws_events.CfnRule(
        scope,
        event.rule_id,
        event_pattern=event.pattern,
        targets=[cdk.aws_events.CfnRule.TargetProperty(arn=queue_arn, id=TARGET_ID)],
    )


def _send_statement(queue_arn: str) -> dict[str, Any]:
    """EventBridge may send, for rules of this account and region.

    Upstream lets EventBridge send for anybody's rule, and SQS itself, which sends nothing. Whoever can write
    to the queue can have nodes drained, so the rule is part of it: EventBridge says which one it acts for,
    whatever the source of the event (EventBridge user guide, resource-based policies, SQS). The rules are
    named by a pattern so that a queue of another stack does not depend on this one.
    """
    return {
        "Effect": "Allow",
        "Principal": {"Service": _EVENTBRIDGE},
        "Action": "sqs:SendMessage",
        "Resource": queue_arn,
        "Condition": {
            "ArnLike": {
                "aws:SourceArn": Fn.sub(
                    "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*"
                )
            }
        },
    }


def _tls_statement(queue_arn: str) -> dict[str, Any]:
    """Nobody may do anything without TLS; upstream has it since 1.0, and every controller uses TLS."""
    return {
        "Sid": "DenyHTTP",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "sqs:*",
        "Resource": queue_arn,
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


def _decrypt_statement(key: kms.IKey) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=["kms:Decrypt"], resources=[key.key_arn])


def _let_eventbridge_encrypt(key: kms.IKey) -> tuple[dict[str, Any], ...]:
    """Extend the key's policy; the statement that it lacks where the app does not own the key.

    Without a condition on the rule, which SQS does not pass on to KMS for sure; the queue's policy has it.
    """
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": _EVENTBRIDGE},
        "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
        "Resource": "*",
    }
    added = key.add_to_resource_policy(iam.PolicyStatement.from_json(statement)).statement_added
    return () if added else (statement,)
