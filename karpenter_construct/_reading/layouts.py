"""How the objects of each generation are laid out: which field of theirs is which of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .._model import Named
from ..releases import KarpenterVersion
from .places import Path, dotted


@dataclass(frozen=True)
class Layout:
    """How one kind of object is laid out. Paths have dots and begin below ``spec``.

    Attributes:
        api_version: Its ``apiVersion``.
        kind: Its ``kind``.
        model: What it becomes.
        fields: For each path of fields in the object, the field (or path of fields) of the model.
        apart: The paths of fields that the generation's own code reads.
        required: The paths of fields that must be there where the one that holds them is.
        newest: The last release of the generation, where parts of the model are newer than that.
        elsewhere: Where fields belong that another object or version has here.
    """

    api_version: str
    kind: str
    model: type[Named]
    fields: Mapping[str, str]
    apart: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    newest: KarpenterVersion | None = None
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """All known paths."""
        return (*self.apart, *self.fields)

    @cached_property
    def tree(self) -> dict[str, Any]:
        """All known paths as nested keys, down to the model's field; ``""`` for one that is read apart."""
        tree: dict[str, Any] = {}
        # What lies below a whole field comes first and gives way to it: `Draft` takes it out of the field.
        for path, target in {**dict.fromkeys(self.apart, ""), **self.fields}.items():
            *parents, last = path.split(".")
            here = tree
            for step in parents:
                here = here.setdefault(step, {})
            here[last] = target
        return tree

    @cached_property
    def sources(self) -> dict[Path, Path]:
        """For each field of the model its path in the object."""
        return {dotted(target): dotted(path) for path, target in self.fields.items()}
