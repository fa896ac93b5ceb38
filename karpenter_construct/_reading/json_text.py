"""JSON as YAML: the one is nearly a part of the other."""

from __future__ import annotations

import re

# What YAML has no such pair for: JSON writes characters beyond 16 bits as two escapes.
_PAIR = re.compile(
    r"(?<!\\)(?P<before>(?:\\\\)*)"
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
)


def as_yaml(text: str) -> str:
    """``text``, or what YAML reads as JSON would where it is JSON; lines stay what they are."""
    return _PAIR.sub(_joined, text) if text.lstrip()[:1] in {"{", "["} else text


def _joined(found: re.Match[str]) -> str:
    high, low = int(found["high"], 16), int(found["low"], 16)
    return f"{found['before']}\\U{0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00:08x}"
