"""Whether a YAML text has comments, which no model keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARK = re.compile(r"(?:^|(?<=[ \t\n]))#")


def first_comment(text: str, scalars: Iterable[tuple[int, int]]) -> int | None:
    """The line of the first comment, from 1; ``None`` where there is none.

    Args:
        text: The YAML.
        scalars: Where each scalar begins and ends, in order: a ``#`` in one is no comment.
    """
    spans = iter(scalars)
    span = next(spans, None)
    for found in _MARK.finditer(text):
        while span is not None and span[1] <= found.start():
            span = next(spans, None)
        if span is None or found.start() < span[0]:
            return text.count("\n", 0, found.start()) + 1
    return None
