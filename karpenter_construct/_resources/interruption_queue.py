"""The queue of events that tell the controller of nodes about to go, and the rules that fill it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import aws_cdk as cdk
from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from constructs import Construct

from .._upstream.interruption_events import (
    QUEUE_RETENTION_SECONDS,
    RULES,
    TARGET_ID,
    InterruptionEvent,
    queue_policy_statements,
)

if TYPE_CHECKING:
    from aws_cdk import aws_events as events
    from aws_cdk import aws_kms as kms
    from aws_cdk import aws_sqs as sqs

# The same in every partition.
_EVENTBRIDGE = "events.amazonaws.com"


class InterruptionQueue(NamedTuple):
    """The queue, made here or given.

    Attributes:
        queue: The queue.
        arn: Its ARN.
        dependencies: What the controller needs before it starts, and until it has stopped.
        controller_statements: What the controller may do beside using the queue: decrypt with its key.
        missing_queue_statements: What the policy of a queue that the app does not own must say besides.
        missing_key_statements: What the policy of a key that the app does not own must say besides.
    """

    queue: sqs.IQueue
    arn: str
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
    arn = used.queue_arn
    key = encryption_key if queue is None else queue.encryption_master_key
    missing = [
        statement
        for statement in queue_policy_statements(arn, {"Fn::Sub": RULES})
        if not used.add_to_resource_policy(iam.PolicyStatement.from_json(statement)).statement_added
    ]
    rules = [_rule(scope, event, arn) for event in events_of_release]
    return InterruptionQueue(
        queue=used,
        arn=arn,
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
    if key is not None and isinstance(key, cdk.aws_kms.Alias):
        # The queue has the alias by its name, which does not tell CloudFormation to make it first.
        queue.node.add_dependency(key)
    return cast("sqs.IQueue", queue)


def _rule(scope: Construct, event: InterruptionEvent, queue_arn: str) -> events.CfnRule:
    return cdk.aws_events.CfnRule(
        scope,
        event.rule_id,
        event_pattern=event.pattern,
        targets=[cdk.aws_events.CfnRule.TargetProperty(arn=queue_arn, id=TARGET_ID)],
    )


def _decrypt_statement(key: kms.IKey) -> iam.PolicyStatement:
    """What lets the controller decrypt, in words of the key: IAM takes an alias in ``Resource`` for no key.

    The key of an alias that is not made here is known by the alias only (KMS developer guide, controlling access
    by aliases).
    """
    known = key.alias_target_key if isinstance(key, cdk.aws_kms.Alias) else key
    arn = known.key_arn
    place, is_alias, name = arn.partition(":alias/")
    return iam.PolicyStatement(
        actions=["kms:Decrypt"],
        resources=[f"{place}:key/*" if is_alias else arn],
        conditions={"ForAnyValue:StringEquals": {"kms:ResourceAliases": f"alias/{name}"}}
        if is_alias
        else None,
    )


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
