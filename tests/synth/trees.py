"""What comes into a construct tree while something is tried, and what goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from constructs import IConstruct


class Tree:
    """The constructs of an app, as they are now.

    They are compared by identity. Paths are asked for only where something differs, since each is a trip to CDK's
    process of its own, and a tree has a hundred.
    """

    def __init__(self, scope: IConstruct) -> None:
        self._root = scope.node.root.node
        self._before = self._constructs()

    def _constructs(self) -> dict[str, IConstruct]:
        # jsii makes a new Python object for what CDK made itself; the reference in it is the same each time.
        return {construct.__jsii_ref__.ref: construct for construct in self._root.find_all()}  # type: ignore[attr-defined]

    def changes(self) -> list[str]:
        """The paths of what came since, with ``+`` in front, and of what went, with ``-``."""
        before, after = self._before, self._constructs()
        came = [f"+{after[each].node.path}" for each in after if each not in before]
        return came + [f"-{before[each].node.path}" for each in before if each not in after]


@contextmanager
def unchanged(scope: IConstruct, *shared: Any) -> Iterator[None]:
    """Whatever happens meanwhile, the app of ``scope`` has the same constructs afterwards.

    Args:
        scope: Any construct of the app.
        shared: Functions with a cache that several tests get the app from; where a test fails, the next makes it anew.
    """
    tree = Tree(scope)
    try:
        yield
        assert tree.changes() == []
    except BaseException:
        for function in shared:
            function.cache_clear()
        raise
