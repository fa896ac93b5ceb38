"""Lists that only the deployment knows: one placeholder stands for all items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def known_items(items: Iterable[T] | None, kind: type[T]) -> tuple[T, ...]:
    """The items of a list, none where a placeholder stands for them."""
    return tuple(item for item in items or () if isinstance(item, kind))
