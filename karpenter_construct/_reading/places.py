"""Where in a file something stands, and problems and notes that say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .._model import crd_name
from ..errors import Problem
from ..releases import ALWAYS, Window
from .yaml_tree import Node

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value: ``("spec", "taints", 0, "key")``."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[([0-9]+)\]|\['((?:[^'\\]|\\.)*)'\]|\[\"([^\"]*)\"\]", re.ASCII)
_ROOT = re.compile(r"[A-Za-z_]\w*(\['(?:[^'\\]|\\.)*'\]|\[\"[^\"]*\"\])?", re.ASCII)


def path_text(path: Path) -> str:
    """A path as messages show it: ``spec.taints[0].key``."""
    text = "".join(_step_text(step) for step in path)
    return text.removeprefix(".")


def _step_text(step: str | int) -> str:
    return f".{step}" if isinstance(step, str) and _WORD.fullmatch(step) else f"[{step!r}]"


def dotted(text: str) -> Path:
    """The path of field names that ``text`` writes with dots."""
    return tuple(text.split(".")) if text else ()


@dataclass(frozen=True)
class Location:
    """A line of a file, or an object that came from none.

    Attributes:
        source: The file, ``<text>`` or ``<stdin>`` for a text without one, ``objects[2]`` for an object.
        document: The number of the YAML document, from 1; 0 where there is none.
        line: The line, from 1; ``None`` where there is none.
    """

    source: str
    document: int = 0
    line: int | None = None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}:{self.line}"


@dataclass(frozen=True)
class PlacedProblem(Problem):
    """A problem of a file; the path is in the file's words, empty where it is about the file as a whole."""

    location: Location = Location("")

    def __str__(self) -> str:
        document = f" (document {self.location.document})" if self.location.document else ""
        path = f"`{self.path}`: " if self.path else ""
        return f"{self.location}{document}: {path}{self.message}"


@dataclass(frozen=True)
class Note:
    """Something that reading did which the file does not say, or that means something else from now on.

    Attributes:
        location: The line.
        path: The path, in the file's own words.
        message: What to know.
        window: The releases for which it matters.
    """

    location: Location
    path: str
    message: str
    window: Window = ALWAYS

    def __str__(self) -> str:
        return (
            f"{self.location}: {self.path}: {self.message}"
            if self.path
            else f"{self.location}: {self.message}"
        )


@dataclass(frozen=True)
class Source:
    """One object of a file, with its lines.

    Attributes:
        name: What `Location.source` says.
        document: The number of the YAML document, from 1; 0 where there is none.
        base: The path of the object within the document: empty, or ``("items", 3)`` in a List.
        node: The object.
    """

    name: str
    document: int
    base: Path
    node: Node = field(repr=False, compare=False)

    def location(self, path: Path = ()) -> Location:
        """Where the value at ``path`` stands, or what of the path there is."""
        line, node = self.node.line, self.node
        for step in path:
            value = node.value
            if isinstance(value, dict) and isinstance(step, str) and step in value:
                line, node = node.key_lines.get(step), value[step]
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                node = value[step]
                line = node.line
            else:
                break
        return Location(self.name, self.document, line)

    def at(self, path: Path) -> Node | None:
        """The value at ``path``, ``None`` where there is none."""
        node: Node | None = self.node
        for step in path:
            value = node.value if node is not None else None
            if isinstance(value, dict) and isinstance(step, str):
                node = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                node = value[step]
            else:
                return None
        return node

    def problem(self, path: Path, message: str) -> PlacedProblem:
        """A problem of the value at ``path``."""
        return PlacedProblem(path_text(self.base + path), message, self.location(path))

    def note(self, path: Path, message: str, window: Window = ALWAYS) -> Note:
        """A note about the value at ``path``."""
        return Note(self.location(path), path_text(self.base + path), message, window)


@dataclass(frozen=True)
class Origin:
    """Where a model came from.

    Attributes:
        source: The object.
        api_version: Its ``apiVersion``.
        kind: Its ``kind``.
        fields: The path in the object of each field (or path of fields) of the model, by the model's names.
        rebuilt: The fields of the model that were worked out, so that their parts are not in the object.
        moved: The fields that came from another object: that object's origin, and the field there.
    """

    source: Source
    api_version: str
    kind: str
    fields: Mapping[Path, Path] = field(default_factory=dict, repr=False)
    rebuilt: frozenset[Path] = frozenset()
    moved: Mapping[Path, tuple[Origin, Path]] = field(default_factory=dict, repr=False)

    def locate(self, path: Path) -> tuple[Source, Path]:
        """The object and the path in it that a path of the model came from."""
        for end in range(len(path), 0, -1):
            head, rest = path[:end], path[end:]
            if head in self.moved:
                origin, field_path = self.moved[head]
                return origin.locate(field_path + rest)
            if head in self.fields:
                return self.source, self.fields[head] + (() if head in self.rebuilt else _crd_path(rest))
        return self.source, ("spec",)


class Key(str):
    """A step that is the key of a map, not the name of a field."""

    __slots__ = ()


def _crd_path(path: Path) -> Path:
    return tuple(
        crd_name(step) if isinstance(step, str) and not isinstance(step, Key) else step for step in path
    )


def model_path(text: str) -> tuple[str, Path]:
    """The root and the steps of a model's path: ``node_pools['a']`` and ``("taints", 0, "key")``."""
    root = _ROOT.match(text)
    start = root.end() if root is not None else 0
    return text[:start], tuple(_steps(text, start))


def _steps(text: str, start: int) -> Iterator[str | int]:
    while (found := _STEP.match(text, start)) is not None:
        name, index, key, quoted = found.groups()
        if name is not None:
            yield name
        elif index is not None:
            yield int(index)
        else:
            yield Key(key if key is not None else quoted)
        start = found.end()
