"""Why a text is no YAML that can be read, in one sentence."""

from __future__ import annotations

import yaml


class UnreadableYaml(Exception):  # noqa: N818  # what it says is an error in the user's file
    """Why a text cannot be read any further."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class OddKey(UnreadableYaml):
    """A list, a mapping or nothing as a key, as in ``{{ .Values.name }}``."""


def syntax_error(text: str, error: yaml.MarkedYAMLError) -> UnreadableYaml:
    """What the parser says."""
    mark = error.problem_mark or error.context_mark
    lines = text.splitlines()
    # The end of the file counts as a line of its own to the parser.
    line = min(mark.line + 1, len(lines)) if mark is not None else 1
    if mark is not None and mark.line < len(lines) and lines[mark.line][mark.column :][:1] == "\t":
        return UnreadableYaml(line, "has a tab where YAML takes spaces only")
    why = f"{error.context}, {error.problem}" if error.context else str(error.problem)
    return template_or(UnreadableYaml(line, f"is not YAML: {why}"), text)


def template_or(error: UnreadableYaml, text: str) -> UnreadableYaml:
    """``error``, unless its line shows what the text is instead of YAML."""
    if any("{{" in line for line in text.splitlines()[error.line - 1 : error.line]):
        return UnreadableYaml(error.line, "is a template, has '{{'; render it first, as with helm template")
    return error
