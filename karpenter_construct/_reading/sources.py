"""What is given to be read, as trees of nodes: a file, a text, or objects that something else has parsed."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from pathlib import PurePath

from .._fields import shown
from ..errors import SettingsError
from .places import Location, Path, PlacedProblem, path_text
from .unreadable import UnreadableYaml
from .yaml_tree import (
    MAX_CHARACTERS,
    MAX_COST,
    MAX_DEPTH,
    NODE_COST,
    Documents,
    Node,
    read_documents,
)

TEXT = "<text>"
_MOST_PROBLEMS = 100

Given = str | FilePath | Mapping[str, object] | Iterable[Mapping[str, object]]
"""A path, a text, an object, or several objects."""


@dataclass(frozen=True)
class NamedText:
    """A text with the name that messages call it."""

    name: str
    text: str


class UnreadableFile(SettingsError):  # noqa: N818  # no public error
    """A file that is not there, or cannot be opened."""


@dataclass(frozen=True)
class Document:
    """The root of one document.

    Attributes:
        source: As `Location.source`.
        number: The number of the document in its text, from 1; 0 where it comes from no text.
        root: What it holds.
    """

    source: str
    number: int
    root: Node


def read_file(path: FilePath) -> NamedText:
    """The text of a file.

    Raises:
        UnreadableFile: There is none, or it may not be read.
        SettingsError: It is no UTF-8, or too large.
    """
    # As the file system has it, whatever the locale makes of it; what is no Unicode becomes an escape.
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        with path.open("rb") as file:
            content = file.read(4 * MAX_CHARACTERS + 1)
    except FileNotFoundError:
        raise UnreadableFile(_file_problem(name, "there is no such file")) from None
    except IsADirectoryError:
        raise UnreadableFile(_file_problem(name, "is a directory; name its files")) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UnreadableFile(_file_problem(name, f"cannot be read: {why}")) from None
    return decode(name, content)


def decode(name: str, content: bytes) -> NamedText:
    """The text of a file's bytes.

    Raises:
        SettingsError: They are no UTF-8, or too many.
    """
    if len(content) > 4 * MAX_CHARACTERS:
        raise SettingsError(_file_problem(name, f"has more than {4 * MAX_CHARACTERS} bytes; split it"))
    try:
        return NamedText(name, content.removeprefix(codecs.BOM_UTF8).decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8, has the byte 0x{content[error.start]:02X}; save it as UTF-8"
        raise SettingsError(PlacedProblem("", message, Location(name, 0, line))) from None


def _file_problem(name: str, message: str) -> PlacedProblem:
    return PlacedProblem("", message, Location(name))


def documents(given: Given | NamedText) -> tuple[list[Document], list[PlacedProblem], Location | None]:
    """The documents of whatever was given, what is wrong with them, and where the first comment is.

    Raises:
        SettingsError: Nothing can be read of it.
    """
    if isinstance(given, FilePath):
        return documents(read_file(given))
    if isinstance(given, str):
        return documents(NamedText(TEXT, given) if _is_text(given) else read_file(FilePath(given)))
    if isinstance(given, NamedText):
        return _parsed(given)
    objects = [given] if isinstance(given, Mapping) else given
    return _converted(objects)


def _is_text(given: str) -> bool:
    """Whether a string is YAML or JSON, and no path: it has a second line, or a mapping on its only one."""
    return "\n" in given or ": " in given or given.lstrip()[:1] in {"{", "["} or not given.strip()


def _parsed(text: NamedText) -> tuple[list[Document], list[PlacedProblem], Location | None]:
    try:
        found = read_documents(text.text)
    except UnreadableYaml as error:
        raise SettingsError(PlacedProblem("", error.message, Location(text.name, 0, error.line))) from None
    problems = [
        PlacedProblem("", message, Location(text.name, 0, line))
        for line, message in found.problems[:_MOST_PROBLEMS]
    ]
    comment = None if found.comment is None else Location(text.name, 0, found.comment)
    return list(_numbered(text.name, found)), problems, comment


def _numbered(name: str, found: Documents) -> Iterator[Document]:
    for number, root in enumerate(found.roots, 1):
        if root is not None and root.value is not None:
            yield Document(name, number, root)


def _converted(objects: object) -> tuple[list[Document], list[PlacedProblem], Location | None]:
    if not isinstance(objects, Iterable) or isinstance(objects, (bytes, bytearray)):
        fix = "; decode it" if isinstance(objects, (bytes, bytearray)) else ""
        message = f"must be a path, a text, or mappings, got {shown(objects)}{fix}"
        raise SettingsError(PlacedProblem("", message, Location("manifests")))
    found: list[Document] = []
    converter = _Converter()
    for index, given in enumerate(objects):
        name = f"objects[{index}]"
        if isinstance(given, (str, PurePath)):
            message = (
                f"must be a mapping, got {shown(given)}; pass each path or text as an argument of its own"
            )
            raise SettingsError(PlacedProblem("", message, Location(name)))
        found.append(Document(name, 0, converter.node(given, name, ())))
    return found, converter.problems, None


class _Converter:
    """Turns dicts and lists into nodes."""

    def __init__(self) -> None:
        self.problems: list[PlacedProblem] = []
        self._cost = 0

    def node(self, value: object, name: str, path: Path) -> Node:
        self._cost += NODE_COST + (len(value) if isinstance(value, str) else 0)
        if len(path) > MAX_DEPTH or self._cost > MAX_COST:
            raise SettingsError(PlacedProblem("", "is larger or deeper than any node object", Location(name)))
        if isinstance(value, Mapping):
            return Node({str(key): self.node(item, name, (*path, str(key))) for key, item in value.items()})
        if isinstance(value, (list, tuple)):
            return Node([self.node(item, name, (*path, index)) for index, item in enumerate(value)])
        if value is None or isinstance(value, (str, bool, int, float)):
            return Node(value)
        message = f"must be a string, a number, a boolean, a list or a mapping, got {shown(value)}"
        self.problems.append(PlacedProblem(path_text(path), message, Location(name)))
        return Node(None)
