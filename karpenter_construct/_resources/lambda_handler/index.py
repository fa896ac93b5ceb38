"""Lambda's entry: gives each request to the handler of its resource type, and always answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import discovery_tags, node_drain, spot_service_linked_role, upgrade_guard
from .cloudformation import RefusedError, Request, answer, logger

HANDLERS: Mapping[str, Callable[[Request], str | None]] = {
    discovery_tags.RESOURCE_TYPE: discovery_tags.handle,
    node_drain.RESOURCE_TYPE: node_drain.handle,
    spot_service_linked_role.RESOURCE_TYPE: spot_service_linked_role.handle,
    upgrade_guard.RESOURCE_TYPE: upgrade_guard.handle,
}
"""Every custom resource of this function; a new one is a module and a line here. What a handler returns, if anything,
is the resource's physical id from now on."""


def handler(event: Mapping[str, Any], _context: object = None) -> None:
    """Serve one request of CloudFormation.

    Args:
        event: CloudFormation's request. Never logged whole: it holds the signed address of the answer.
    """
    logger.info(
        "%s %s %s", event.get("RequestType"), event.get("ResourceType"), event.get("LogicalResourceId")
    )
    failure, physical_id = _outcome(event)
    answer(event, failure, physical_id=physical_id)


def _outcome(event: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Do what is asked for: why it could not be done, or ``None``, and the physical id where the handler says it."""
    try:
        request = Request.of(event)
        return None, HANDLERS[request.resource_type](request)
    except RefusedError as error:
        logger.warning("%s", error)
        return str(error), None
    except Exception as error:
        # Whatever it was, CloudFormation must hear of it, or it waits for an hour.
        logger.exception("Failed")
        return f"{type(error).__name__}: {error}", None
