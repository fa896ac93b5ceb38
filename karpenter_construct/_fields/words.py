"""The values of a field that takes only some words."""

from __future__ import annotations

from enum import Enum

from ..releases import ALWAYS, Window


class Words(str, Enum):
    """The values of a field, each with the releases that know it.

    A member is ``NAME = "Value"``, or ``NAME = "Value", since("1.9")``.
    """

    window: Window

    def __new__(cls, value: str, window: Window = ALWAYS) -> Words:
        """Make the member; its value is the string alone."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.window = window
        return member

    def __str__(self) -> str:
        return str(self.value)
