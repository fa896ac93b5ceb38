"""The queue of interruption events that the user brings, and the key of a queue: whether messages get through."""

from __future__ import annotations

from collections.abc import Iterator

from .._tokens import is_unresolved
from ..errors import Problem
from .cluster_facts import ClusterFacts
from .given_facts import GivenFacts, QueueFacts
from .places import partition_problems, place_of, resource_of, stack_place


def queue_problems(given: GivenFacts, facts: ClusterFacts) -> Iterator[Problem]:
    """What cannot work."""
    queue = given.interruption_queue
    if queue is not None:
        yield from _queue_problems(queue, facts)
    if queue is not None and queue.key_arn is not None:
        yield from _key_problems(
            "interruption_queue",
            "is encrypted with",
            queue.key_arn,
            facts,
            "use a key of your own, or QueueEncryption.SQS_MANAGED",
        )
    if given.encryption_key_arn is not None:
        yield from _key_problems(
            "encryption_key",
            "is",
            given.encryption_key_arn,
            facts,
            "use a key of your own, or leave this out for a key of SQS",
        )


def _queue_problems(queue: QueueFacts, facts: ClusterFacts) -> Iterator[Problem]:
    """The controller asks SQS for the queue by its name, so it finds none of another account or region."""
    place = place_of(queue.arn)
    if place.differs(stack_place(facts)):
        yield Problem(
            "interruption_queue",
            f"is in {place}, got {queue.arn!r}, and Karpenter finds a queue only where it runs; "
            "use a queue of the stack's own account and region",
        )
    else:
        yield from partition_problems("interruption_queue", queue.arn, facts)
    if queue.fifo:
        yield Problem(
            "interruption_queue",
            f"is a FIFO queue, got {queue.path}, which takes messages of a group only, and the rules that fill it "
            "have none; use a standard queue",
        )


def _key_problems(argument: str, verb: str, arn: str, facts: ClusterFacts, own_key: str) -> Iterator[Problem]:
    """A key that SQS does not take, or with which EventBridge cannot encrypt."""
    region, name = place_of(arn).region, resource_of(arn)
    if name.startswith("alias/aws/"):
        yield Problem(
            argument, f"{verb} a key that AWS manages, got {name!r}, which EventBridge may not use; {own_key}"
        )
    elif not is_unresolved(name) and not name.startswith(("key/", "alias/")):
        yield Problem(
            argument, f"{verb} neither a key nor an alias, got {name!r}; write an alias as in 'alias/{name}'"
        )
    elif region and region != facts.region and not is_unresolved((region, facts.region)):
        yield Problem(
            argument,
            f"{verb} a key of {region}, got {arn!r}, and SQS takes keys of its own region only; use a key of "
            f"{facts.region}",
        )
    else:
        yield from partition_problems(argument, arn, facts)
