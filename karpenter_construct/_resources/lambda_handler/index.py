"""Lambda's entry: gives each request to the handler of its resource type, and always answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import discovery_tags, node_drain, spot_service_linked_role
from .cloudformation import RefusedError, Request, answer, logger

HANDLERS: Mapping[str, Callable[[Request], None]] = {
    discovery_tags.RESOURCE_TYPE: discovery_tags.handle,
    node_drain.RESOURCE_TYPE: node_drain.handle,
    spot_service_linked_role.RESOURCE_TYPE: spot_service_linked_role.handle,
}
"""Every custom resource of this function; a new one is a module and a line here."""


def handler(event: Mapping[str, Any], _context: object = None) -> None:
    """Serve one request of CloudFormation.

    Args:
        event: CloudFormation's request. Never logged whole: it holds the signed address of the answer.
    """
    logger.info(
        "%s %s %s", event.get("RequestType"), event.get("ResourceType"), event.get("LogicalResourceId")
    )
    answer(event, _failure(event))


def _failure(event: Mapping[str, Any]) -> str | None:
    """Do what is asked for; why it could not be done, or ``None``."""
    try:
        request = Request.of(event)
        HANDLERS[request.resource_type](request)
    except RefusedError as error:
        logger.warning("%s", error)
        return str(error)
    except Exception as error:
        # Whatever it was, CloudFormation must hear of it, or it waits for an hour.
        logger.exception("Failed")
        return f"{type(error).__name__}: {error}"
    return None
