"""What a node pool may add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .._fields import shown, suggestion
from .._tokens import is_unresolved
from ..errors import Problem

# The resources without a domain that nodes have, and the number of nodes of a static pool; those of devices have one.
_RESOURCES = ("cpu", "memory", "ephemeral-storage", "pods", "nodes")
# What is near to none of them, or to a wrong one.
_MEANT = {"gpu": "nvidia.com/gpu", "gpus": "nvidia.com/gpu", "ram": "memory", "storage": "ephemeral-storage"}
_PREFIXES = ("hugepages-", "attachable-volumes-")


def limit_problems(limits: Mapping[str, int | str] | None, path: str) -> Iterator[Problem]:
    """Limits that no node counts towards, or that are below nothing."""
    for key, value in (limits or {}).items():
        here = f"{path}[{shown(key)}]"
        if not _is_resource(key) and not is_unresolved(key):
            hint = f"did you mean {_MEANT[key]!r}?" if key in _MEANT else suggestion(key, _RESOURCES)
            fix = hint or "use 'cpu', 'memory' or the name of a device's resource, as in 'nvidia.com/gpu'"
            yield Problem(here, f"is no resource of a node, so that it limits nothing; {fix}")
        if not is_unresolved(value) and str(value).startswith("-"):
            yield Problem(here, f"must not be negative, got {value!r}; write 0 to launch nothing")


def _is_resource(key: str) -> bool:
    return "/" in key or key in _RESOURCES or key.startswith(_PREFIXES)
