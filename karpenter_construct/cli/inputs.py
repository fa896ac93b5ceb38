"""The files of a command, and the problems, notes and cautions about them as text and as JSON."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .._reading.manifests import NodeManifests
from .._reading.places import Note, PlacedProblem
from .._reading.sources import NamedText, UnreadableFile, decode, read_file
from .._reading.yaml_tree import MAX_CHARACTERS
from ..errors import Caution, Problem, SettingsError
from .answer import Refusal

_STANDARD_INPUT = "-"
_CAUTION = re.compile(r"`([^`]+)`: (.*)", re.DOTALL)


def read_files(names: Sequence[str]) -> tuple[list[NamedText], list[Problem]]:
    """The texts of files, and what keeps some from being texts.

    Raises:
        Refusal: A file cannot be opened.
    """
    texts: list[NamedText] = []
    problems: list[Problem] = []
    # A file that is named twice, in whatever way, is read once.
    for name in _each_once(names):
        text, found = _read_file(name)
        texts.extend(text)
        problems.extend(found)
    return texts, problems


def _each_once(names: Sequence[str]) -> Iterable[str]:
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(name if name == _STANDARD_INPUT else os.path.realpath(name), name)
    return first.values()


def _read_file(name: str) -> tuple[list[NamedText], tuple[Problem, ...]]:
    try:
        return [_standard_input() if name == _STANDARD_INPUT else read_file(Path(name))], ()
    except UnreadableFile as error:
        raise Refusal(str(error)) from None
    except SettingsError as error:
        return [], error.problems


def _standard_input() -> NamedText:
    if sys.stdin is None:
        raise Refusal("standard input cannot be read: it is closed")
    try:
        content = sys.stdin.buffer.read(4 * MAX_CHARACTERS + 1)
    except OSError as error:
        raise Refusal(f"standard input cannot be read: {error.strerror}") from None
    return decode("<stdin>", content)


def sorted_problems(problems: Iterable[Problem], files: Sequence[str]) -> list[Problem]:
    """Problems in the order of the files and their lines, each once."""
    order = {name: index for index, name in enumerate(files)}

    def key(problem: Problem) -> tuple[int, int]:
        if not isinstance(problem, PlacedProblem):
            return len(order), 0
        return order.get(problem.location.source, -1), problem.location.line or 0

    return sorted(dict.fromkeys(problems), key=key)


def problem_line(problem: Problem) -> str:
    """``file:line: path: message``."""
    path = f"{problem.path}: " if problem.path else ""
    if isinstance(problem, PlacedProblem):
        return f"{problem.location}: {path}{problem.message}"
    return f"{path}{problem.message}"


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem as JSON has it."""
    where = problem.location if isinstance(problem, PlacedProblem) else None
    return {
        "file": where.source if where else None,
        "line": where.line if where else None,
        "document": where.document or None if where else None,
        "path": problem.path,
        "message": problem.message,
    }


def note_json(note: Note) -> dict[str, Any]:
    """A note as JSON has it."""
    return problem_json(PlacedProblem(note.path, note.message, note.location))


def placed_caution(caution: Caution, read: NodeManifests) -> Problem:
    """A caution with its line, where it is about an object of a file."""
    found = _CAUTION.fullmatch(caution.message)
    return read.placed(Problem(found[1], found[2])) if found else Problem("", caution.message)


def warning_line(caution: Caution, read: NodeManifests) -> str:
    """``file:line: warning: path: message``."""
    problem = placed_caution(caution, read)
    path = f"{problem.path}: " if problem.path else ""
    if isinstance(problem, PlacedProblem):
        return f"{problem.location}: warning: {path}{problem.message}"
    return f"warning: {path}{problem.message}"


def warning_json(caution: Caution, read: NodeManifests) -> dict[str, Any]:
    """A caution as JSON has it."""
    return {"id": caution.id, **problem_json(placed_caution(caution, read))}
