"""Reads node objects of any generation of Karpenter's API into models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from .._fields import shown
from .._model import Named
from ..capacity_buffer import CapacityBuffer
from ..errors import Problem, SettingsError
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from . import v1, v1alpha5, v1beta1
from .drafts import Draft
from .layouts import Layout
from .places import Location, Note, Origin, Path, PlacedProblem, Source, model_path
from .sources import Document, Given, NamedText, documents
from .yaml_tree import Node
from .yaml_words import in_yaml

MOST_PROBLEMS = 100
"""How many problems are reported; what follows is not read."""
MOST_NODES = 20_000
"""The most values of one object; no CRD of Karpenter's lets one have more."""

Reader = Callable[[Source], list[Draft]]

_READERS: tuple[tuple[Layout, Reader], ...] = (
    (v1alpha5.PROVISIONER, v1alpha5.read_provisioner),
    (v1alpha5.NODE_TEMPLATE, v1alpha5.read_node_template),
    (v1beta1.NODE_POOL, v1beta1.read_node_pool),
    (v1beta1.NODE_CLASS, v1beta1.read_node_class),
    (v1.NODE_POOL, v1.read_node_pool),
    (v1.NODE_CLASS, v1.read_node_class),
    (v1.NODE_OVERLAY, v1.read_node_overlay),
    (v1.CAPACITY_BUFFER, v1.read_capacity_buffer),
)
_READER_OF: dict[tuple[str | None, str | None], Reader] = {
    (layout.api_version, layout.kind): reader for layout, reader in _READERS
}
_KINDS = frozenset(layout.kind for layout, _ in _READERS)
_MADE_BY_KARPENTER = ("Machine", "NodeClaim")
_TOP = ("apiVersion", "kind", "metadata", "spec", "status")

T = TypeVar("T", bound=Named)


@dataclass(frozen=True)
class NodeManifests:
    """What was read.

    Attributes:
        node_classes: The node classes, in the order of the files.
        node_pools: The node pools.
        node_overlays: The node overlays.
        capacity_buffers: The capacity buffers.
        notes: What reading did that the files do not say, and what was left out.
        comment: Where the first comment is; none is kept.
        origins: Where each model came from, by `Named.path`.
    """

    node_classes: tuple[EC2NodeClass, ...] = ()
    node_pools: tuple[NodePool, ...] = ()
    node_overlays: tuple[NodeOverlay, ...] = ()
    capacity_buffers: tuple[CapacityBuffer, ...] = ()
    notes: tuple[Note, ...] = ()
    comment: Location | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict, repr=False)

    def origin(self, model: Named) -> Origin:
        """Where a model came from."""
        return self.origins[model.path]

    def placed(self, problem: Problem) -> Problem:
        """``problem`` with its line and in the words of its file, where it is about a model of one."""
        root, path = model_path(problem.path)
        origin = self.origins.get(root)
        if origin is None or isinstance(problem, PlacedProblem):
            return problem
        source, found = origin.locate(path)
        return source.problem(found, in_yaml(problem.message))


def read_manifests(*given: Given | NamedText) -> NodeManifests:
    """Read node objects of any generation.

    Args:
        given: Paths (a `pathlib.Path`, or a string of one line), YAML or JSON texts of one or more documents,
            or objects that something else has parsed. ``List`` kinds are taken apart.

    Returns:
        The models, in v1's words, with the defaults of their own generation written out where v1's differ.

    Raises:
        SettingsError: One `PlacedProblem` for each mistake, of all files at once.
    """
    read, problems = read_as_far_as_possible(*given)
    if problems:
        raise SettingsError(*problems)
    return read


def read_as_far_as_possible(*given: Given | NamedText) -> tuple[NodeManifests, tuple[Problem, ...]]:
    """As `read_manifests`, but gives the objects that are right beside what is wrong with the others."""
    collector = _Collector()
    for one in given:
        collector.read(one)
    return collector.result(), tuple(collector.problems[:MOST_PROBLEMS])


class _Collector:
    def __init__(self) -> None:
        self.models: dict[str, Named] = {}
        self.origins: dict[str, Origin] = {}
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self.comment: Location | None = None

    def read(self, given: Given | NamedText) -> None:
        before = len(self.problems)
        try:
            found, problems, comment = documents(given)
        except SettingsError as error:
            self.problems.extend(error.problems)
            return
        self.problems.extend(problems)
        self.comment = self.comment or comment
        for source in _objects(found):
            if len(self.problems) >= MOST_PROBLEMS:
                break
            self._take(source)
        self.problems[before:] = sorted(self.problems[before:], key=_line)

    def _take(self, source: Source) -> None:
        reader = self._reader(source)
        if reader is None:
            return
        for draft in reader(source):
            model = draft.build()
            self.problems.extend(draft.problems)
            self.notes.extend(draft.notes)
            if model is not None:
                self._keep(model, draft.origin)

    def _reader(self, source: Source) -> Reader | None:
        """The reader of an object; ``None`` where what it is keeps it from being read."""
        problems = list(_shape_problems(source))
        api_version, kind = _text_at(source, "apiVersion"), _text_at(source, "kind")
        reader = _READER_OF.get((api_version, kind))
        if reader is None and None not in {api_version, kind}:
            problems.append(_unknown_kind(source, api_version, kind))
        self.problems.extend(problems)
        if reader is not None and source.at(("status",)) is not None:
            self.notes.append(source.note(("status",), "is what Karpenter found, and is left out"))
        return None if problems else reader

    def _keep(self, model: Named, origin: Origin) -> None:
        first = self.origins.get(model.path)
        if first is None:
            self.models[model.path] = model
            self.origins[model.path] = origin
            return
        other = f"{first.kind} {model.name!r} at {first.source.location()}"
        message = f"is taken: {other} becomes the same object; give each its own name"
        self.problems.append(origin.source.problem(("metadata", "name"), message))

    def result(self) -> NodeManifests:
        return NodeManifests(
            node_classes=self._all(EC2NodeClass),
            node_pools=self._all(NodePool),
            node_overlays=self._all(NodeOverlay),
            capacity_buffers=self._all(CapacityBuffer),
            notes=tuple(self.notes),
            comment=self.comment,
            origins=self.origins,
        )

    def _all(self, kind: type[T]) -> tuple[T, ...]:
        return tuple(model for model in self.models.values() if isinstance(model, kind))


def _objects(found: Iterable[Document]) -> Iterator[Source]:
    """All objects, those in lists one by one."""
    for document in found:
        waiting: list[tuple[Path, Node]] = [((), document.root)]
        while waiting:
            base, node = waiting.pop(0)
            items = _list_items(node)
            if items is None:
                yield Source(document.source, document.number, base, node)
            else:
                waiting[:0] = [((*base, "items", index), item) for index, item in enumerate(items)]


def _list_items(node: Node) -> list[Node] | None:
    """The items of a ``List`` or, say, a ``NodePoolList``."""
    if not isinstance(node.value, dict):
        return None
    kind, items = node.value.get("kind"), node.value.get("items")
    is_list = kind is not None and isinstance(kind.value, str) and kind.value.endswith("List")
    return items.value if is_list and items is not None and isinstance(items.value, list) else None


def _shape_problems(source: Source) -> Iterator[Problem]:
    node = source.node
    if not isinstance(node.value, dict):
        yield source.problem(
            (), f"must be an object with apiVersion, kind, metadata and spec, got {shown(node.plain())}"
        )
        return
    if _count(node) > MOST_NODES:
        yield source.problem((), f"has more than {MOST_NODES} values, more than any node object")
        return
    for name in ("apiVersion", "kind"):
        if _text_at(source, name) is None:
            yield source.problem((name,), "is required, as a string")
    kind, spec = _text_at(source, "kind"), source.at(("spec",))
    # The API server drops a null.
    if kind in _KINDS and (spec is None or spec.value is None):
        yield source.problem(("spec",), "is required")
    # How an object of another API is laid out says nothing.
    for name in node.value if kind in {None, *_KINDS} else ():
        if name not in _TOP:
            yield source.problem((name,), f"is no field of an object; its fields are {', '.join(_TOP)}")


def _count(node: Node) -> int:
    """The number of values, no further than is of interest."""
    count, waiting = 0, [node]
    while waiting and count <= MOST_NODES:
        value = waiting.pop().value
        count += 1
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return count


def _line(problem: Problem) -> int:
    return (problem.location.line or 0) if isinstance(problem, PlacedProblem) else 0


def _text_at(source: Source, name: str) -> str | None:
    node = source.at((name,))
    return node.value if node is not None and isinstance(node.value, str) else None


def _unknown_kind(source: Source, api_version: str | None, kind: str | None) -> Problem:
    versions = [layout.api_version for layout, _ in _READERS if layout.kind == kind]
    if versions:
        return source.problem(
            ("apiVersion",), f"must be {' or '.join(versions)} for {kind}, got {api_version!r}"
        )
    if kind is not None and kind.endswith("List"):
        return source.problem(("items",), f"must be a list of objects, as in any {kind}")
    if kind in _MADE_BY_KARPENTER:
        return source.problem(("kind",), f"is made by Karpenter itself, got {kind!r}; leave it out")
    return source.problem(
        ("kind",), f"is no node object of Karpenter's, got {shown(kind)}; keep it in another file"
    )
