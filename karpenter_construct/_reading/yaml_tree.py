"""Turns YAML into trees whose nodes know their lines, within limits that no input can pass.

Works on the parser's events, one at a time: nothing here recurses, so that no nesting overflows a stack, and
an alias is counted for all that it stands for, so that no bomb goes off.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import yaml

from .json_text import as_yaml
from .unreadable import OddKey, UnreadableYaml, syntax_error, template_or
from .yaml_comments import first_comment
from .yaml_scalars import Scalar, resolve

MAX_CHARACTERS = 4 * 1024 * 1024
MAX_DOCUMENTS = 10_000
MAX_DEPTH = 64
MAX_COST = 4_000_000
"""The most that all documents may weigh: `NODE_COST` for each node, and one for each character."""
NODE_COST = 32

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_PRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CORE = "tag:yaml.org,2002:"


@dataclass(eq=False)
class Node:
    """A value with the line it stands on, ``None`` where it came from no text.

    Attributes:
        value: A scalar, or a dict or list of nodes.
        line: The line it starts on, from 1.
        written: A scalar as the text has it.
        key_lines: The line of each key of a dict.
        cost: What it weighs with all below it, see `MAX_COST`.
    """

    value: Scalar | dict[str, Node] | list[Node]
    line: int | None = None
    written: str = ""
    key_lines: dict[str, int] = field(default_factory=dict)
    cost: int = NODE_COST

    def plain(self) -> object:
        """The value without its lines."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return self.value


@dataclass
class Documents:
    """What one text holds.

    Attributes:
        roots: The document at each place, ``None`` for an empty one.
        problems: Line and message of what is wrong but does not keep the rest from being read.
        comment: The line of the first comment.
    """

    roots: list[Node | None] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)
    comment: int | None = None


def read_documents(text: str) -> Documents:
    """All documents of a YAML (or JSON) text.

    Raises:
        UnreadableYaml: It is no YAML, or passes a limit.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnreadableYaml(1, f"has {len(text)} characters, more than {MAX_CHARACTERS}; split it")
    odd = _NOT_PRINTABLE.search(text)
    if odd is not None:
        raise UnreadableYaml(
            _line(text, odd.start()), f"has the character U+{ord(odd[0]):04X}, which YAML forbids"
        )
    text = as_yaml(text)
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_PARSER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        raise syntax_error(text, error) from None
    except OddKey as error:
        raise template_or(error, text) from None
    builder.documents.comment = first_comment(text, builder.scalars)
    return builder.documents


def _line(text: str, index: int) -> int:
    return text.count("\n", 0, index) + 1


@dataclass
class _Open:
    """A dict or list of which not every child has come."""

    node: Node
    anchor: str | None
    key: str | None = None
    key_line: int = 0
    merging: bool = False
    merged: list[Node] = field(default_factory=list)


class _Builder:
    def __init__(self) -> None:
        self.documents = Documents()
        self._open: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._cost = 0
        self.scalars: list[tuple[int, int]] = []

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self.scalars.append((_index(event.start_mark), _index(event.end_mark)))
            self._place(self._scalar(event), event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._begin(event)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._end(event)
        elif isinstance(event, yaml.AliasEvent):
            self._place(self._aliased(event), event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._start_document(event)

    def _start_document(self, event: yaml.Event) -> None:
        self._anchors = {}
        self.documents.roots.append(None)
        if len(self.documents.roots) > MAX_DOCUMENTS:
            raise UnreadableYaml(_at(event), f"has more than {MAX_DOCUMENTS} documents; split it")

    def _begin(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        if len(self._open) == MAX_DEPTH:
            raise UnreadableYaml(_at(event), f"is nested more than {MAX_DEPTH} levels deep")
        mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in {None, "!", _CORE + ("map" if mapping else "seq")}:
            self._complain(event, f"has the tag {event.tag}, which Kubernetes does not know; leave it out")
        node = Node({} if mapping else [], _at(event))
        self._open.append(_Open(node, event.anchor))

    def _end(self, event: yaml.Event) -> None:
        done = self._open.pop()
        for other in done.merged:
            _merge(done.node, other)
        if done.anchor is not None:
            self._anchors[done.anchor] = done.node
        self._place(done.node, event)

    def _scalar(self, event: yaml.ScalarEvent) -> Node:
        node = Node(self._value(event), _at(event), event.value, cost=NODE_COST + len(event.value))
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _value(self, event: yaml.ScalarEvent) -> Scalar:
        if event.tag in {"!", _CORE + "str"} or (event.tag is None and not event.implicit[0]):
            return str(event.value)
        value = resolve(event.value)
        if isinstance(value, float) and not math.isfinite(value):
            self._complain(event, f"has the number {event.value}, which JSON cannot hold")
        if event.tag is not None and event.tag.removeprefix(_CORE) not in _TAGS[type(value)]:
            self._complain(
                event, f"has the tag {event.tag}, which does not fit {event.value!r}; leave it out"
            )
        return value

    def _aliased(self, event: yaml.AliasEvent) -> Node:
        node = self._anchors.get(str(event.anchor))
        if node is not None:
            return node
        if any(item.anchor == event.anchor for item in self._open):
            raise UnreadableYaml(_at(event), f"has the alias *{event.anchor} inside what it stands for")
        raise UnreadableYaml(
            _at(event), f"has the alias *{event.anchor}, but no anchor &{event.anchor} above it"
        )

    def _place(self, child: Node, event: yaml.Event) -> None:
        """Puts a finished node where it belongs: the document, a list, or a key or value of a dict."""
        if not self._open:
            self.documents.roots[-1] = child
            self._cost += child.cost
            self._limit(self._cost, event)
            return
        parent = self._open[-1]
        parent.node.cost += child.cost
        self._limit(self._cost + parent.node.cost, event)
        if isinstance(parent.node.value, list):
            parent.node.value.append(child)
        elif parent.key is None and not parent.merging:
            self._take_key(parent, child, event)
        elif parent.merging:
            self._take_merge(parent, child, event)
        else:
            self._take_value(parent, child)

    def _limit(self, cost: int, event: yaml.Event) -> None:
        if cost > MAX_COST:
            raise UnreadableYaml(
                _at(event), "holds more than any set of node objects does, counting aliases; split it"
            )

    def _take_key(self, parent: _Open, child: Node, event: yaml.Event) -> None:
        parent.merging = child.written == "<<" and isinstance(event, yaml.ScalarEvent) and event.implicit[0]
        if parent.merging:
            return
        key = _key(child)
        if key is None:
            raise OddKey(_at(event), "has a key that is no word, which JSON lacks; write a word")
        if key != child.written:
            message = f"has the key {child.written}, which YAML reads as {key}; write {child.written!r}"
            self._complain(event, message)
        parent.key, parent.key_line = key, _at(event)

    def _take_value(self, parent: _Open, child: Node) -> None:
        key, parent.key = str(parent.key), None
        entries = parent.node.value
        assert isinstance(entries, dict)  # noqa: S101  # only dicts have keys
        if key in entries:
            first = parent.node.key_lines[key]
            self.documents.problems.append(
                (parent.key_line, f"has the key {key!r} twice, first on line {first}")
            )
            return
        entries[key] = child
        parent.node.key_lines[key] = parent.key_line

    def _take_merge(self, parent: _Open, child: Node, event: yaml.Event) -> None:
        parent.merging = False
        several = child.value if isinstance(child.value, list) else [child]
        if not all(isinstance(item.value, dict) for item in several):
            raise UnreadableYaml(_at(event), "merges with << what is no mapping")
        parent.merged.extend(several)

    def _complain(self, event: yaml.Event, message: str) -> None:
        self.documents.problems.append((_at(event), message))


_TAGS: dict[type, tuple[str, ...]] = {
    bool: ("bool",),
    int: ("int", "float"),
    float: ("float",),
    type(None): ("null",),
    str: (),
}


def _at(event: yaml.Event) -> int:
    return int(getattr(event.start_mark, "line", 0)) + 1


def _index(mark: object) -> int:
    return int(getattr(mark, "index", 0))


def _key(node: Node) -> str | None:
    """A key as JSON has it: always a string."""
    if isinstance(node.value, bool):
        return str(node.value).lower()
    if isinstance(node.value, (str, int, float)):
        return str(node.value)
    return None


def _merge(node: Node, other: Node) -> None:
    """Adds what ``other`` has and ``node`` has not."""
    if isinstance(node.value, dict) and isinstance(other.value, dict):
        node.value.update({key: child for key, child in other.value.items() if key not in node.value})
        node.key_lines.update(
            {key: line for key, line in other.key_lines.items() if key not in node.key_lines}
        )
