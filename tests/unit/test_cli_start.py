"""How the command line starts: without what it does not need, and so at once."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import contextlib, io, sys
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    from karpenter_construct.cli import main
    code = main(sys.argv[1:])
print(code, "pydantic" in sys.modules)
"""
RELEASES = "releases"
POLICY = "policy --version 1.14.1 --cluster-name prod"
VALUES = "values --version 1.14.1 --cluster-name prod --region eu-west-1"
CHECK = "check tests/unit/manifests/v1.yaml --version 1.14.1"


def ran(arguments: str) -> tuple[str, float]:
    """What a fresh process prints, and the seconds of processor that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", PROGRAM, *arguments.split()]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("arguments", "models"), [(RELEASES, False), (POLICY, False), (VALUES, False), (CHECK, True)]
)
def test_models_are_imported_where_files_are_read(arguments, models):
    assert ran(arguments)[0] == f"0 {models}\n"


@pytest.mark.parametrize("arguments", [RELEASES, POLICY, VALUES])
def test_takes_less_than_300_milliseconds(arguments):
    # The least of three: another process on the machine makes any one of them slower.
    assert min(ran(arguments)[1] for _ in range(3)) < 0.3
