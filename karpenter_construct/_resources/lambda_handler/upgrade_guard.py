"""Refuses an upgrade, or a way back, that would break the cluster, before anything of it is done.

Properties: ``Release``, the one to install; ``Namespace``, where; ``Refused``, a list of spans of releases that it must
not follow, each with ``Since``, ``Until`` where it has an end, and ``Why``, the reason with the way round.

The physical id names the release that is installed, and its namespace. A refused update leaves it as it was: whatever
comes next, a rollback to the old template or another attempt, starts from what is really there, and not from what was
refused, which the old properties name then. An update that goes through changes it. CloudFormation takes that for a
replacement: it deletes the old id at the end, or the new one if something else fails and it rolls back (AWS, best
practices of custom resources); neither does anything here, so no rollback is ever refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from .cloudformation import RefusedError, Request, RequestType

RESOURCE_TYPE = "Custom::KarpenterUpgradeGuard"
_PREFIX = "karpenter-"


def handle(request: Request) -> str | None:
    """Refuse an update from a release that the new one must not follow, or to another namespace.

    Returns:
        The physical id, which names what is installed from now on.
    """
    if request.type is RequestType.DELETE:
        return None
    if request.type is RequestType.UPDATE:
        release, _, namespace = request.physical_id.removeprefix(_PREFIX).partition("@")
        _refuse_forbidden(release, request)
        _refuse_move(namespace, request)
    return f"{_PREFIX}{request.properties['Release']}@{request.properties['Namespace']}"


def _refuse_forbidden(installed: str, request: Request) -> None:
    for span in request.properties.get("Refused", ()):
        if _is_within(_numbers(installed), span):
            # Word for word what `check_upgrade` says.
            step = f"from {installed} to {request.properties['Release']}"
            raise RefusedError(f"`version`: cannot go {step} in one step: {span['Why']}")


def _refuse_move(installed: str, request: Request) -> None:
    namespace = request.properties["Namespace"]
    if namespace != installed:
        raise RefusedError(
            f"`namespace`: cannot go from {installed} to {namespace}: a Helm release cannot move, and a second one "
            f"would want the cluster roles of the first; write namespace={installed!r}"
        )


def _is_within(numbers: tuple[int, ...], span: Mapping[str, str]) -> bool:
    """Whether a release lies in a half-open span; its bounds are data of the library's own comparison."""
    end = span.get("Until")
    return _numbers(span["Since"]) <= numbers and (end is None or numbers < _numbers(end))


def _numbers(release: str) -> tuple[int, ...]:
    """The three numbers of a release; a release candidate has those of its release."""
    return tuple(int(number) for number in release.partition("-")[0].split("."))
