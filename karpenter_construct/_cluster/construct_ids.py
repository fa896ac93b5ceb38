"""Construct ids that are taken, said in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from constructs import Construct

from ..errors import Problem, SettingsError

_TAKEN = "already a Construct with name"
"""How ``Node.addChild()`` of constructs says it, in every version."""


@contextmanager
def refuse_taken_id(scope: Construct, id: str, path: str) -> Iterator[None]:  # noqa: A002
    """Say what to do where the construct that the block builds finds its id taken.

    To ask before would cost a trip to the Node.js process for each construct.

    Args:
        scope: The scope of the construct.
        id: Its id.
        path: The argument that the id comes from.

    Raises:
        SettingsError: The scope has a child of that id.
    """
    try:
        yield
    except RuntimeError as error:
        if _TAKEN not in str(error):
            raise
        raise SettingsError(taken(scope, id, path)) from None


def taken(scope: Construct, id: str, path: str) -> Problem:  # noqa: A002
    """That the scope has a child of that id."""
    return Problem(path, f"the construct id {id!r} is taken in {scope.node.path}; choose another name")
