"""The words of messages: the models speak Python, files speak YAML and the CRDs' spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from .._model import Model, crd_name, nested_model
from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool

_PYTHON = re.compile(
    r"(?<![A-Za-z])(?:'(?:[^'\\]|\\.)*'|\"[^\"]*\")"  # what was given, or is proposed, stays
    r"|(?P<value>(?<=got )(?:None|True|False)\b|(?<=must be )True or False)"
    r"|(?P<model>must be an? \w+ or a mapping of its fields)"
    r"|(?P<alias>\bgive ami\b)"
    r"|(?P<field>\b[a-z]+(?:_[a-z0-9]+)+\b)"
)


def in_yaml(message: str) -> str:
    """A message about a model, as one about the object that it was read from."""
    return _PYTHON.sub(_word, message)


def _word(found: re.Match[str]) -> str:
    word = found[0]
    if found["value"]:
        return "null" if word == "None" else word.lower()
    if found["model"]:
        return "must be a mapping"
    if found["alias"]:
        return "give an alias"
    return crd_name(word) if found["field"] and word in _field_names() else word


@cache
def _field_names() -> frozenset[str]:
    kinds = (NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer)
    return frozenset(name for kind in kinds for name in _names(kind))


def _names(model: type[Model]) -> Iterator[str]:
    for name in model.model_fields:
        yield name
        inner = nested_model(model, name)
        yield from _names(inner) if inner else ()
