"""What a release cannot say: fields and values that it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .._fields import Choice, Words
from .._model import Model, field_window
from ..errors import Problem
from ..releases import ALWAYS, KarpenterVersion, Window


@dataclass(frozen=True)
class _Field:
    """What the walk needs to know about one field of a model."""

    name: str
    window: Window
    words: type[Words] | None
    default: object


@cache
def _fields(model: type[Model]) -> tuple[_Field, ...]:
    return tuple(
        _Field(name, field_window(known), _words(known.metadata, known.annotation), known.default)
        for name, known in model.model_fields.items()
    )


def _words(metadata: list[object], annotation: object) -> type[Words] | None:
    inner = [marker for part in getattr(annotation, "__args__", ()) for marker in _markers(part)]
    return next((marker.enum for marker in [*metadata, *inner] if isinstance(marker, Choice)), None)


def _markers(annotation: object) -> list[object]:
    """The markers of the items of a list, wherever the annotation keeps them."""
    found = list(getattr(annotation, "__metadata__", ()))
    for part in getattr(annotation, "__args__", ()):
        found += _markers(part)
    return found


def unknown_to_release(model: Model, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """A problem for every field and value that was given and that the release does not know.

    What was left at its default is not looked at: it is what saying nothing means.
    """
    if version not in type(model).window:
        yield Problem(path, type(model).window.requirement(version))
        return
    for field in _fields(type(model)):
        value = getattr(model, field.name)
        if field.name not in model.model_fields_set or value == field.default:
            continue
        here = f"{path}.{field.name}"
        if version not in field.window:
            yield Problem(here, field.window.requirement(version))
        else:
            yield from _inside(value, field.words, here, version)


def _inside(
    value: object, words: type[Words] | None, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    if isinstance(value, Model):
        yield from unknown_to_release(value, path, version)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _inside(item, words, f"{path}[{index}]", version)
    elif words is not None and isinstance(value, str):
        window = windows_of(words).get(value, ALWAYS)
        if version not in window:
            yield Problem(path, f"{value!r} {window.requirement(version)}")


@cache
def windows_of(words: type[Words]) -> dict[str, Window]:
    """The releases that know each value of an enum."""
    return {str(member): member.window for member in words}
