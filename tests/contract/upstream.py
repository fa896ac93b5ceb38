"""Upstream's own files, by release tag: what the contract tests compare this library with.

They are looked for in ``$KARPENTER_UPSTREAM``, by default ``../shared/upstream`` beside the repository:

* ``iam/<tag>.json``: policies, node role, queue and rules of that tag's getting-started template;
* ``values/<tag>.yaml``: the chart's default values;
* ``crds/<tag>/*.yaml``: the CRDs that the chart ships;
* ``history/*.txt``: which patch release brought which field and value.

Where the directory is absent the tests are skipped, with ``KARPENTER_REQUIRE_UPSTREAM=1`` they fail.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from karpenter_construct.releases import KarpenterVersion, until

TAGS = (
    "v0.30.0-rc.0",
    "v0.30.0",
    "v0.31.5",
    "v0.32.10",
    "v0.33.12",
    "v0.34.13",
    "v0.35.12",
    "v0.36.9",
    "v0.37.8",
    "v1.0.14",
    "v1.1.10",
    "v1.2.8",
    "v1.3.8",
    "v1.4.4",
    "v1.5.8",
    "v1.6.8",
    "v1.7.6",
    "v1.8.8",
    "v1.9.2",
    "v1.10.2",
    "v1.11.3",
    "v1.12.2",
    "v1.13.1",
    "v1.14.1",
)

IN_HISTORY = until("1.15")
"""The releases that ``history/*.txt`` tell of; newer ones are compared with the files of their tags alone."""

_BESIDE_THE_REPOSITORY = Path(__file__).parents[2].parent / "shared" / "upstream"


@cache
def version(tag: str) -> KarpenterVersion:
    """The release of a tag."""
    return KarpenterVersion.parse(tag)


def root() -> Path:
    """The directory of upstream's files; skips (or fails) the running test where there is none."""
    directory = Path(os.environ.get("KARPENTER_UPSTREAM") or _BESIDE_THE_REPOSITORY)
    if not (directory / "iam").is_dir():
        message = f"no upstream files in {directory}; set KARPENTER_UPSTREAM to run the contract tests"
        if os.environ.get("KARPENTER_REQUIRE_UPSTREAM") == "1":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    return directory


@cache
def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def _yaml(path: Path) -> dict[str, Any]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - both loaders are safe


def iam(tag: str) -> dict[str, Any]:
    """Policies, node role, queue and rules of the tag's getting-started template."""
    return _json(root() / "iam" / f"{tag}.json")


def values(tag: str) -> dict[str, Any]:
    """The default values of the tag's chart."""
    return _yaml(root() / "values" / f"{tag}.yaml")


def crds(tag: str) -> dict[str, dict[str, Any]]:
    """The CRDs that the tag's chart ships, by kind."""
    files = sorted((root() / "crds" / tag).glob("*.yaml"))
    return {crd["spec"]["names"]["kind"]: crd for crd in map(_yaml, files)}
