"""Node objects that the user has as YAML, read and checked for one Karpenter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .._model import Named
from .._reading.changes import fit
from .._reading.manifests import NodeManifests, read_as_far_as_possible
from .._reading.places import Note, PlacedProblem
from ..errors import Problem, SettingsError
from .objects import NodeObjects

Manifests = str | Path | Mapping[str, object] | Iterable[Mapping[str, object]]
"""A path, a text of YAML or JSON, an object, or several objects."""


@dataclass(frozen=True)
class GivenManifests:
    """What was read.

    Attributes:
        models: The node objects, in v1's words.
        changed: What the release takes otherwise than the one the manifests were written for.
        converted: What reading wrote out, renamed or left out.
    """

    models: tuple[Named, ...]
    changed: tuple[Note, ...]
    converted: tuple[Note, ...]


def read_for(objects: NodeObjects, given: Iterable[Manifests]) -> GivenManifests:
    """Read manifests of any generation for one Karpenter.

    Args:
        objects: What the Karpenter has so far; its release, its defaults, its node classes.
        given: The manifests.

    Raises:
        SettingsError: Every mistake of all manifests at once, with its line; or there is no object at all.
    """
    read, problems = read_as_far_as_possible(*given)
    fitted = fit(read, objects.version)
    models = _models(fitted)
    # A class that could not be read is not missing.
    found = objects.problems(objects.completed(models), whole=not problems)
    problems = tuple(sorted([*problems, *map(fitted.placed, found)], key=_Places()))
    if not problems and not models:
        problems = (Problem("manifests", "hold no node object; check that the file is the right one"),)
    if problems:
        raise SettingsError(*problems)
    return GivenManifests(
        models,
        changed=tuple(note for note in fitted.notes if note not in read.notes),
        converted=tuple(note for note in fitted.notes if note in read.notes),
    )


def _models(read: NodeManifests) -> tuple[Named, ...]:
    return (*read.node_classes, *read.node_pools, *read.node_overlays, *read.capacity_buffers)


class _Places:
    """Sorts problems by source, in the order of their first problem, and line; those without a line come last."""

    def __init__(self) -> None:
        self._sources: dict[str, int] = {}

    def __call__(self, problem: Problem) -> tuple[bool, int, int]:
        if not isinstance(problem, PlacedProblem):
            return True, 0, 0
        source = self._sources.setdefault(problem.location.source, len(self._sources))
        return False, source, problem.location.line or 0
