"""Runs the command line in this process."""

from __future__ import annotations

import contextlib
import io
from typing import NamedTuple

from karpenter_construct.cli import main


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    output: str
    errors: str


def run(*arguments: str) -> Ended:
    """The exit code and what was written, also where argparse ends the process."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return Ended(code, output.getvalue(), errors.getvalue())
