"""The objects that one Karpenter has on its cluster, each of which may have one owner only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from ..errors import Problem
from .object_names import ObjectKey, name_problems, object_keys


class KnownObjects:
    """Which objects are applied, and where.

    Two resources of one object are one too many: the deletion of either deletes the object of both.

    Args:
        own: Gives the objects that the construct applies for itself, and what to call each.
    """

    def __init__(self, own: Callable[[], Iterable[tuple[Mapping[str, Any], object]]]) -> None:
        self._places: dict[ObjectKey, object] = {}
        self._own = own

    def keep(self, body: Mapping[str, Any], place: object) -> None:
        """Keep what was applied.

        Args:
            body: The manifest.
            place: Where it was applied; messages have it as text.
        """
        self._places.update(dict.fromkeys(object_keys(body), place))

    def problems(self, *manifests: tuple[str, Mapping[str, Any]]) -> list[Problem]:
        """What is wrong with how manifests name their objects, and with objects that are there already.

        Args:
            manifests: Each with the path where messages begin.
        """
        problems: list[Problem] = []
        here: dict[ObjectKey, object] = {}
        for path, body in manifests:
            problems += name_problems(body, path)
            for key in object_keys(body):
                place = self._place(key) or here.get(key)
                if place is not None:
                    problems.append(Problem(path, f"is {key}, which {_there_already(place)}"))
                here[key] = path
        return problems

    def taken(self, body: Mapping[str, Any], path: str) -> list[Problem]:
        """Why a node object cannot be applied: another manifest has applied it."""
        places = (self._place(key) for key in object_keys(body))
        return [Problem(path, _there_already(place)) for place in places if place]

    def _place(self, key: ObjectKey) -> object:
        return self._places.get(key) or self._own_places.get(key)

    @cached_property
    def _own_places(self) -> dict[ObjectKey, object]:
        return {key: place for body, place in self._own() for key in object_keys(body)}


def _there_already(place: object) -> str:
    return f"is there already, as {place}; give each its own name"
