"""The examples of the documentation end as they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.unit.command import run

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["command-line.md", "migrate-from-yaml.md"]
FILES = re.compile(r"`([\w.-]+)`:\n\n```yaml\n(.*?)```", re.DOTALL)
SESSIONS = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands(page):
    """Every command of a page, with what it is said to write."""
    for session in SESSIONS.findall(page):
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def written(command):
    """What a command writes to the terminal."""
    program, *arguments = shlex.split(command)
    if program == "cat":
        return Path(arguments[0]).read_text(encoding="utf-8")
    assert program == "karpenter-construct"
    target = None
    if ">" in arguments:
        arguments, (_, target) = arguments[:-2], arguments[-2:]
    ended = run(*arguments)
    if target is None:
        return ended.errors + ended.output
    Path(target).write_text(ended.output, encoding="utf-8")
    return ended.errors


@pytest.mark.parametrize("name", PAGES)
def test_examples_end_as_they_say(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / name).read_text(encoding="utf-8")
    for file, content in FILES.findall(page):
        Path(file).write_text(content, encoding="utf-8")
    found = list(commands(page))
    assert len(found) >= 2
    for command, output in found:
        assert written(command) == output, command


def test_every_command_is_described():
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    for command in ("check", "convert", "policy", "values", "releases"):
        assert f"\n## {command}\n" in page
