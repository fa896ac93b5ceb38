"""The interruption queue, its policy and the event rules are upstream's, for every release."""

import pytest

from karpenter_construct._upstream.interruption_events import (
    QUEUE_RETENTION_SECONDS,
    TARGET_ID,
    interruption_events,
    queue_policy_statements,
)
from tests.contract import upstream
from tests.contract.deviations import agreed
from tests.statements import facts

QUEUE = "${KarpenterInterruptionQueue.Arn}"


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_rules_are_upstreams(tag):
    ours = {
        event.rule_id: {"EventPattern": event.pattern, "Targets": [{"Id": TARGET_ID, "Arn": QUEUE}]}
        for event in interruption_events(upstream.version(tag))
    }
    assert ours == upstream.iam(tag)["eventRules"]


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_queue_keeps_messages_as_long_as_upstreams(tag):
    assert upstream.iam(tag)["interruptionQueue"]["MessageRetentionPeriod"] == QUEUE_RETENTION_SECONDS


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_queue_policy_is_upstreams(tag):
    theirs = upstream.iam(tag)["interruptionQueuePolicy"]["PolicyDocument"]["Statement"]
    assert facts(queue_policy_statements(QUEUE)) == agreed("queue policy", tag, facts(theirs))
