"""What a release cannot say: fields and values that it does not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .._fields import Choice, Words
from .._model import Model, field_window, nested_model
from ..errors import Problem
from ..releases import KarpenterVersion, Window


class _Field(NamedTuple):
    """What a release has to say about one field of a model.

    Attributes:
        name: The field.
        default: Its default, which is not looked at: it is what saying nothing means.
        lacks: What to say where the release does not know the field.
        unknown: What to say about each value that the release does not know.
    """

    name: str
    default: object
    lacks: str | None
    unknown: Mapping[str, str]


@cache
def _fields(model: type[Model], version: KarpenterVersion) -> tuple[_Field, ...]:
    """The fields of which some use may be unknown to the release."""
    found = []
    for name, known in model.model_fields.items():
        window = field_window(known)
        lacks = None if version in window else window.requirement(version)
        unknown = _unknown_values([*known.metadata, *_markers(known.annotation)], version)
        if lacks or unknown or nested_model(model, name):
            found.append(_Field(name, known.default, lacks, unknown))
    return tuple(found)


def _markers(annotation: object) -> list[object]:
    """The markers of the items of a list, wherever the annotation keeps them."""
    found = list(getattr(annotation, "__metadata__", ()))
    for part in getattr(annotation, "__args__", ()):
        found += _markers(part)
    return found


def _unknown_values(markers: list[object], version: KarpenterVersion) -> dict[str, str]:
    words = [marker.enum for marker in markers if isinstance(marker, Choice)]
    return {
        value: f"{value!r} {window.requirement(version)}"
        for enum in words
        for value, window in windows_of(enum).items()
        if version not in window
    }


@cache
def windows_of(words: type[Words]) -> dict[str, Window]:
    """The releases that know each value of an enum."""
    return {str(member): member.window for member in words}


def unknown_to_release(model: Model, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """A problem for every field and value that was given and that the release does not know."""
    if version not in type(model).window:
        yield Problem(path, type(model).window.requirement(version))
        return
    yield from _inside_model(model, path, version)


def _inside_model(model: Model, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    for field in _fields(type(model), version):
        value = getattr(model, field.name)
        if value is None or field.name not in model.model_fields_set or value == field.default:
            continue
        if field.lacks:
            yield Problem(f"{path}.{field.name}", field.lacks)
        else:
            yield from _inside(value, field.unknown, f"{path}.{field.name}", version)


def _inside(
    value: object, unknown: Mapping[str, str], path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    if isinstance(value, Model):
        yield from _inside_model(value, path, version)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _inside(item, unknown, f"{path}[{index}]", version)
    elif isinstance(value, str) and value in unknown:
        yield Problem(path, unknown[value])
