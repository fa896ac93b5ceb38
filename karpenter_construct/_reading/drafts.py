"""An object of a file on its way to a model.

A table says which field goes where; the rest is code of the object's generation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from .._fields import shown, suggestion
from .._model import Model, Named, crd_name, field_window, nested_model
from ..errors import Problem, SettingsError
from ..releases import ALWAYS, KarpenterVersion, Window
from .layouts import Layout
from .places import Note, Origin, Path, PlacedProblem, Source, dotted, model_path, path_text
from .yaml_tree import Node
from .yaml_words import in_yaml

_MOST_UNKNOWN = 20
"""Of how many unknown fields of one object a message is written."""

T = TypeVar("T", bound=Named)


@dataclass
class Draft:
    """One object, taken apart.

    Attributes:
        source: The object.
        layout: Its layout.
        base: The path in the object that the layout's paths start from.
        values: What the model will be made of.
        apart: What `Layout.apart` names and the object has, by path.
        sources: As `Origin.fields`.
        rebuilt: As `Origin.rebuilt`.
        problems: What is wrong so far.
        notes: What is to be said so far.
    """

    source: Source
    layout: Layout
    base: Path = ("spec",)
    values: dict[str, Any] = field(default_factory=dict)
    apart: dict[str, object] = field(default_factory=dict)
    sources: dict[Path, Path] = field(default_factory=dict)
    rebuilt: set[Path] = field(default_factory=set)
    problems: list[PlacedProblem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sources.update({target: self.base + path for target, path in self.layout.sources.items()})
        node = self.source.at(self.base)
        if node is not None:
            self._walk(node, self.layout.tree, ())
        self._check_required()

    def _walk(self, node: Node, tree: Mapping[str, Any], path: Path) -> None:
        if node.value is None:
            return
        if not isinstance(node.value, dict):
            self.problem(path, f"must be a mapping, got {shown(node.plain())}")
            return
        self._refuse_unknown(node.value, tuple(tree), path, self.layout.model)
        for key, child in node.value.items():
            if key not in tree or child.value is None:
                continue
            if isinstance(tree[key], str):
                self._take((*path, key), child, tree[key])
            else:
                self._walk(child, tree[key], (*path, key))

    def _take(self, path: Path, node: Node, target: str) -> None:
        name = path_text(path)
        value = node.plain()
        for inner in self.layout.apart:
            if isinstance(value, dict) and inner.startswith(f"{name}.") and inner[len(name) + 1 :] in value:
                self.apart[inner] = value.pop(inner[len(name) + 1 :])
        if not target:
            self.apart[name] = value
            return
        owner, last = self._owner(target)
        inner_model = nested_model(owner, last) if owner is not None else None
        if inner_model is not None:
            value = self._known(inner_model, value, path)
        self.set(target, value)

    def _owner(self, target: str) -> tuple[type[Model] | None, str]:
        """The model that has the field at the end of a path of fields."""
        *parents, last = target.split(".")
        owner: type[Model] | None = self.layout.model
        for step in parents:
            owner = nested_model(owner, step) if owner is not None else None
        return owner, last

    def _known(self, model: type[Model], value: object, path: Path) -> object:
        """``value`` without the fields that the object's API does not know, each of which is a problem."""
        if isinstance(value, list):
            return [self._known(model, item, (*path, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        names = _names(model, self.layout.newest)
        self._refuse_unknown(value, tuple(names), path, model)
        return {
            key: self._known(inner, item, (*path, key))
            if (inner := nested_model(model, names[key]))
            else item
            for key, item in value.items()
            if key in names and item is not None
        }

    def _refuse_unknown(
        self, value: Mapping[str, object], known: tuple[str, ...], path: Path, model: type[Model]
    ) -> None:
        unknown = [key for key in value if key not in known]
        if not unknown:
            return
        later = _names(model, None).keys() - _names(model, self.layout.newest).keys()
        for key in unknown[:_MOST_UNKNOWN]:
            hint = "only later versions of the API have it" if key in later else self._hint(key, known)
            self.problem(
                (*path, key), f"is no field of {self.layout.kind} in {self.layout.api_version}; {hint}"
            )
        if len(unknown) > _MOST_UNKNOWN:
            self.problem(path, f"has {len(unknown) - _MOST_UNKNOWN} more unknown fields")

    def _hint(self, key: str, known: tuple[str, ...]) -> str:
        """Where a field belongs that is unknown where it stands, or what may have been meant."""
        elsewhere = [path for path in self.layout.paths if path.rpartition(".")[2] == key]
        place = (
            path_text((*self.base, *dotted(elsewhere[0]))) if elsewhere else self.layout.elsewhere.get(key)
        )
        if place is not None:
            return f"it belongs to {place}"
        return suggestion(key, known) or f"its fields are {', '.join(known)}"

    def _check_required(self) -> None:
        for name in self.layout.required:
            *parents, last = dotted(name)
            holder = self.source.at((*self.base, *parents))
            found = self.source.at((*self.base, *parents, last))
            if (
                holder is not None
                and isinstance(holder.value, dict)
                and (found is None or found.value is None)
            ):
                self.problem(dotted(name), "is required")

    def set(self, target: str, value: object, *, source: str | None = None) -> None:
        """Give a field of the model a value.

        Args:
            target: The field, or the path of fields with dots.
            value: As the model takes it.
            source: The path of the value it was worked out from, where it is no copy of one.
        """
        *parents, last = target.split(".")
        here = self.values
        for step in parents:
            here = here.setdefault(step, {})
        here[last] = value
        if source is not None:
            self.came_from(target, source)

    def came_from(self, target: str, source: str) -> None:
        """A field of the model is worked out from the value at ``source``, whether it is there or not."""
        self.sources[dotted(target)] = self.base + dotted(source)
        self.rebuilt.add(dotted(target))

    def problem(self, path: Path | str, message: str) -> None:
        """Something is wrong at a path of the layout."""
        steps = dotted(path) if isinstance(path, str) else path
        self.problems.append(self.source.problem(self.base + steps, message))

    def note(self, path: Path | str, message: str, window: Window = ALWAYS) -> None:
        """Something is to be said about a path of the layout, where the release is one of ``window``."""
        steps = dotted(path) if isinstance(path, str) else path
        self.notes.append(self.source.note(self.base + steps, message, window))

    def text(self, path: str) -> str | None:
        """The string that was read apart at ``path``; ``None`` where there is none, or something else."""
        value = self.apart.get(path)
        if value is None or isinstance(value, str):
            return value
        self.problem(path, self._no_string(self.base + dotted(path), shown(value)))
        return None

    def flag(self, path: str) -> bool | None:
        """The boolean that was read apart at ``path``; ``None`` where there is none, or something else."""
        value = self.apart.get(path)
        if value is None or isinstance(value, bool):
            return value
        self.problem(path, f"must be true or false, got {shown(value)}")
        return None

    def seconds(self, path: str) -> str | None:
        """The seconds that were read apart at ``path``, as a duration; ``None`` where there are none."""
        value = self.apart.get(path)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return f"{value}s"
        self.problem(path, f"must be a whole number of seconds, 0 or more, got {shown(value)}")
        return None

    def texts(self, path: str) -> dict[str, str]:
        """The map of strings that was read apart at ``path``, without what is no string."""
        value = self.apart.get(path)
        if not isinstance(value, dict):
            if value is not None:
                self.problem(path, f"must be a mapping, got {shown(value)}")
            return {}
        for key, item in value.items():
            if not isinstance(item, str):
                steps = (*dotted(path), key)
                self.problem(steps, self._no_string(self.base + steps, shown(item)))
        return {key: item for key, item in value.items() if isinstance(item, str)}

    def _no_string(self, path: Path, value: str) -> str:
        node = self.source.at(path)
        if node is not None and node.written and isinstance(node.value, (bool, int, float)):
            read = _json(node.value)
            got = read if read == node.written else f"{node.written}, which YAML reads as {read}"
            return f"must be a string, got {got}; write {node.written!r}"
        return f"must be a string, got {value}"

    @property
    def origin(self) -> Origin:
        """Where the model came from."""
        return Origin(
            self.source,
            self.layout.api_version,
            self.layout.kind,
            dict(self.sources),
            frozenset(self.rebuilt),
        )

    def build(self) -> Named | None:
        """The model, or ``None`` where problems keep it from being made; the problems then say why."""
        before = len(self.problems)
        try:
            model = self.layout.model.model_validate(self.values)
        except SettingsError as error:
            self.problems.extend(self._placed(error.problems))
            return None
        return model if before == 0 else None

    def _placed(self, problems: tuple[Problem, ...]) -> Iterator[PlacedProblem]:
        origin = self.origin
        for problem in problems:
            source, path = origin.locate(model_path(problem.path)[1])
            node = source.at(path)
            if problem.message.startswith("must be a string, got") and node is not None and node.written:
                yield source.problem(path, self._no_string(path, _json(node.value)))
            else:
                yield source.problem(path, in_yaml(problem.message))


@cache
def _names(model: type[Model], newest: KarpenterVersion | None) -> Mapping[str, str]:
    """The fields that a model has up to a release, by the CRD's spelling; all where there is no last release."""
    return {
        crd_name(name): name
        for name, known in model.model_fields.items()
        if newest is None or newest in field_window(known)
    }


def _json(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
