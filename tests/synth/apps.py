"""Runs the apps of the repository as ``cdk synth`` does, with the context of cdk.json, but in this process."""

from __future__ import annotations

import functools
import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aws_cdk
import pytest

ROOT = Path(__file__).parents[2]
CONTEXT = {
    **json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"],
    # Nobody looks at copies of Lambda code.
    "aws:cdk:disable-asset-staging": True,
}

Templates = dict[str, dict[str, Any]]


@functools.cache
def run(file: str) -> Mapping[str, Any]:
    """The global variables of an app after it ran; a file of this repository, by its path in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        # CDK's Node.js process does not see what Python sets in the environment.
        patch.setattr(aws_cdk, "App", functools.partial(aws_cdk.App, context=CONTEXT))
        return runpy.run_path(str(ROOT / file), run_name="__main__")


@functools.cache
def assembly(file: str) -> Path:
    """The folder that an app synthesises into."""
    return Path(run(file)["app"].synth().directory)


@functools.cache
def templates(file: str) -> Templates:
    """The templates that an app synthesises, by the id of the stack; those of nested stacks are left out."""
    folder = assembly(file)
    found = {
        path.name.removesuffix(".template.json"): path for path in sorted(folder.glob("*.template.json"))
    }
    return {
        stack: json.loads(path.read_text(encoding="utf-8"))
        for stack, path in found.items()
        if not stack.endswith(".nested")
    }
