"""What a command has to say, as plain text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """The end of a command.

    Attributes:
        code: The exit code.
        output: For standard output.
        errors: For standard error.
    """

    code: int = 0
    output: str = ""
    errors: str = ""


class Refusal(Exception):  # noqa: N818  # it is the user's error, or the machine's
    """Why a command could not be run; its exit code is 2."""


def lines(*texts: object) -> str:
    """One line for each text, empty for none."""
    return "".join(f"{text}\n" for text in texts)
