"""Manifests as plain data, and the parts of models that go into them unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from .._model import Model, Named, crd_name
from ..errors import Problem, SettingsError
from ..releases import KarpenterVersion

Manifest = dict[str, Any]


def manifest(api_version: str, kind: str, name: str, spec: Mapping[str, object]) -> Manifest:
    """A manifest of an object without a namespace."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": dict(spec)}


def plain(value: object) -> Any:  # noqa: ANN401 - JSON-able data of any shape
    """``value`` as dicts, lists and scalars; fields of models that are ``None`` are left out."""
    if isinstance(value, Model):
        return written(value, *type(value).model_fields)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def written(model: Model, *fields: str) -> dict[str, Any]:
    """The named fields of a model in the CRD's spelling and the given order, without those that are ``None``.

    Empty lists and maps are kept: no budgets at all, say, is not what saying nothing means.
    """
    values = ((field, getattr(model, field)) for field in fields)
    return {crd_name(field): plain(value) for field, value in values if value is not None}


def some(**parts: object) -> dict[str, Any]:
    """The parts that say something, neither ``None`` nor empty, in the given order."""
    said = ((name, plain(part)) for name, part in parts.items())
    return {name: part for name, part in said if part not in (None, {}, [])}


def refuse(obj: Named, version: KarpenterVersion) -> NoReturn:
    """Say which release knows this kind of object."""
    raise SettingsError(Problem(obj.path, type(obj).window.requirement(version)))
