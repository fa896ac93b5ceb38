"""Numbers that only the deployment knows, where Kubernetes takes texts."""

from __future__ import annotations

from typing import Any

from aws_cdk import Token

from .._dialects.manifest import Manifest
from .._model import Named


def as_texts(model: Named, manifest: Manifest) -> Manifest:
    """``manifest`` of ``model`` with such numbers among the values of requirements made tokens of strings."""
    listed = getattr(model, "requirements", ())
    values = [value for requirement in listed for value in getattr(requirement, "values", ())]
    return _texts(manifest) if any(isinstance(value, float) for value in values) else manifest


def _texts(value: Any, key: str = "") -> Any:  # noqa: ANN401 - JSON-able data of any shape
    if isinstance(value, dict):
        return {name: _texts(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_texts(item, key) for item in value]
    return Token.as_string(value) if key == "values" and isinstance(value, float) else value
