"""Requirements, the same words in every generation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..requirements import Requirement
from .manifest import plain, some


def requirements(items: Iterable[Requirement]) -> list[dict[str, Any]]:
    """The entries of ``requirements``; operators without values have no ``values``."""
    return [
        {"key": item.key, "operator": item.operator, **some(values=item.values, minValues=item.min_values)}
        if isinstance(item, Requirement)
        else plain(item)
        for item in items
    ]
