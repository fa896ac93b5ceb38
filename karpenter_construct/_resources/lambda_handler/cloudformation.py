"""What CloudFormation asks of a custom resource, and how it is answered."""

from __future__ import annotations

import json
import logging
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from botocore.exceptions import ClientError

logger = logging.getLogger("karpenter_construct")
logger.setLevel(logging.INFO)

# CloudFormation takes 4,096 bytes for the whole answer, and a character may take six of them as JSON.
_LONGEST_REASON = 400
_ANSWER_WAITS_S = (1.0, 2.0, 4.0, 8.0, 0.0)
_ANSWER_TIMEOUT_S = 10
# A role's new policy may take this long to hold everywhere (IAM is eventually consistent).
_IAM_SETTLES_IN_S = 60
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"})


T = TypeVar("T")


class RequestType(str, Enum):
    """What has happened to the resource in the template."""

    CREATE = "Create"
    UPDATE = "Update"
    DELETE = "Delete"


@dataclass(frozen=True)
class Request:
    """One request for one resource.

    Attributes:
        type: Create, update or delete.
        resource_type: The type in the template, ``Custom::…``.
        properties: The properties in the template.
        old_properties: Those before an update, of a template that may have failed; empty otherwise.
        physical_id: What the resource was last called; empty before it is made.
    """

    type: RequestType
    resource_type: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    old_properties: Mapping[str, Any] = field(default_factory=dict)
    physical_id: str = ""

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Request:
        """The request in a Lambda event."""
        return cls(
            type=RequestType(event["RequestType"]),
            resource_type=event["ResourceType"],
            properties=event.get("ResourceProperties", {}),
            old_properties=event.get("OldResourceProperties", {}),
            physical_id=event.get("PhysicalResourceId", ""),
        )


class UnansweredError(Exception):
    """CloudFormation was not told."""


class RefusedError(Exception):
    """What was asked for would do harm; the text tells the user what to do instead."""


def error_code(error: ClientError) -> str:
    """AWS' name for the error."""
    return str(error.response.get("Error", {}).get("Code", ""))


def is_denied(error: ClientError) -> bool:
    """Whether IAM does not allow the call."""
    return error_code(error) in _DENIED


def once_allowed(call: Callable[[], T], *, pause: Callable[[float], None] = time.sleep) -> T:
    """Make the call; while IAM denies it, wait for the role's new policy to take effect.

    Args:
        call: The call.
        pause: Waits for some seconds.

    Returns:
        What the call returns.

    Raises:
        ClientError: The call fails otherwise, or is still denied after a minute.
    """
    waited, wait = 0.0, 2.0
    while True:
        try:
            return call()
        except ClientError as error:
            if not is_denied(error) or waited >= _IAM_SETTLES_IN_S:
                raise
        pause(wait)
        waited, wait = waited + wait, min(wait * 2, 15.0)


def answer(
    event: Mapping[str, Any],
    failure: str | None,
    *,
    physical_id: str | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Tell CloudFormation how it went, without which it would wait for the resource's time-out.

    The physical id does not change by itself: were it another, CloudFormation would take the update for a
    replacement and delete the old resource after it, which undoes what the update did.

    Args:
        event: The Lambda event. It holds the signed address to answer to, which must not be logged.
        failure: Why it failed, ``None`` where it succeeded.
        physical_id: What to call the resource from now on. Default: what it is called.
        pause: Waits for some seconds.
    """
    body = {
        "Status": "SUCCESS" if failure is None else "FAILED",
        "Reason": (failure or "")[:_LONGEST_REASON],
        "PhysicalResourceId": physical_id or event.get("PhysicalResourceId") or event["LogicalResourceId"],
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
    }
    data = json.dumps(body).encode()
    request = urllib.request.Request(  # noqa: S310 - the address is CloudFormation's own
        event["ResponseURL"],
        data=data,
        method="PUT",
        # The address is signed for an empty content type.
        headers={"Content-Type": "", "Content-Length": str(len(data))},
    )
    for wait in _ANSWER_WAITS_S:
        if _sent(request):
            return
        pause(wait)
    # Lambda repeats a failed invocation, which costs nothing: every handler is idempotent.
    raise UnansweredError("CloudFormation did not take the answer")


def _sent(request: urllib.request.Request) -> bool:
    try:
        with urllib.request.urlopen(request, timeout=_ANSWER_TIMEOUT_S):  # noqa: S310
            return True
    except OSError as error:
        logger.warning("The answer did not arrive: %s", type(error).__name__)
        return False
