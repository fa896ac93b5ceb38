"""How the command line starts: without what it does not need, and so at once."""

from __future__ import annotations

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
print(code, *sorted({"aws_cdk", "constructs", "jsii", "boto3", "pydantic"} & set(sys.modules)))
"""
RELEASES = "releases"
POLICY = "policy --version 1.14.1 --cluster-name prod"
VALUES = "values --version 1.14.1 --cluster-name prod --region eu-west-1"
CHECK = "check tests/unit/manifests/v1.yaml --version 1.14.1"
CONVERT = "convert tests/unit/manifests/v1.yaml --to 1.14.1"


def ran(arguments: str) -> str:
    """What a fresh process prints."""
    command = [sys.executable, "-c", PROGRAM, *arguments.split()]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("arguments", [RELEASES, POLICY, VALUES])
def test_neither_models_nor_the_cdk_are_imported(arguments):
    assert ran(arguments) == "0\n"


@pytest.mark.parametrize("arguments", [CHECK, CONVERT])
def test_only_models_are_imported_where_files_are_read(arguments):
    assert ran(arguments) == "0 pydantic\n"
