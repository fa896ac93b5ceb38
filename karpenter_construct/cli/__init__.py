"""The command line ``karpenter-construct``: what this library knows, without AWS and without the CDK."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TextIO

from .answer import Answer, Refusal

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: The arguments; ``None`` for those of the process.

    Returns:
        0 where all is well, 1 where the input has mistakes, 2 where the command could not be run.
    """
    from .arguments import parse  # noqa: PLC0415  # nothing but `main` is imported before it's called

    arguments = parse(argv)
    try:
        answer: Answer = arguments.run(arguments)
    except Refusal as refusal:
        answer = Answer(2, errors=f"karpenter-construct {arguments.command}: {refusal}\n")
    _write(sys.stderr, answer.errors)
    _write(sys.stdout, answer.output)
    return answer.code


def _write(stream: TextIO, text: str) -> None:
    """Writes what a command says; a reader that has gone away (``| head``) is no mistake."""
    if isinstance(stream, TextIOWrapper):
        # YAML and JSON are UTF-8, whatever the locale; file names may be no Unicode at all.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # Python flushes once more at exit, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
