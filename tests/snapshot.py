"""Templates and manifests kept on disk, so that a change of what users deploy shows in a diff."""

from __future__ import annotations

import difflib
import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "snapshots"

# The hash of a file that CDK uploads: its content has tests of its own, and CDK's own files change with CDK.
_ASSET_HASH = re.compile(r"\b[0-9a-f]{64}\b")


class Snapshot:
    """Compares templates, or any text, with files in ``tests/snapshots``, or writes the files.

    ``make snapshots`` writes them.
    """

    def __init__(self, *, update: bool, folder: Path = FOLDER) -> None:
        self.update = update
        self.folder = folder

    def __call__(self, name: str, template: dict[str, Any]) -> None:
        """Compare a template with ``<name>.json``."""
        self.text(f"{name}.json", json.dumps(template, indent=1, sort_keys=True) + "\n")

    def text(self, name: str, text: str) -> None:
        """Compare a text with the file ``name``."""
        path = self.folder / name
        actual = _ASSET_HASH.sub("<hash>", text)
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"there is no snapshot {path.name}; `make snapshots` writes it", pytrace=False)
        expected = path.read_text(encoding="utf-8")
        if actual != expected:
            lines = difflib.unified_diff(
                expected.splitlines(), actual.splitlines(), "snapshot", "now", lineterm=""
            )
            pytest.fail(
                f"{path.name} differs; if that is meant, `make snapshots` writes it anew\n"
                + "\n".join(lines),
                pytrace=False,
            )
