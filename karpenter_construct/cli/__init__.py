"""The command line ``karpenter-construct``: what this library knows, without AWS and without the CDK."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from .answer import Answer, Refusal

__all__ = ["main"]

_INTERRUPTED = 128 + 2
"""What a shell says of a command that a SIGINT ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments; ``None`` for those of the process.

    Returns:
        0 where all is well, 1 where the input has mistakes, 2 where the command could not be run, 130 where it was
        interrupted.
    """
    from .arguments import parse  # noqa: PLC0415  # nothing but `main` is imported before it's called

    arguments = parse(argv)
    try:
        answer: Answer = arguments.run(arguments)
        _write(sys.stderr, answer.errors)
        _write(sys.stdout, answer.output)
    except Refusal as refusal:
        with suppress(Refusal):
            _write(sys.stderr, f"karpenter-construct {arguments.command}: {refusal}\n")
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED
    return answer.code


def _write(stream: TextIO | None, text: str) -> None:
    """Writes what a command says; a reader that has gone away (``| head``) is no mistake.

    Raises:
        Refusal: There is no room for it.
    """
    if stream is None:  # closed by whoever started the process
        return
    if isinstance(stream, TextIOWrapper):
        # YAML and JSON are UTF-8, whatever the locale.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # Python flushes once more at exit, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise Refusal(f"the answer cannot be written: {error.strerror}") from None
