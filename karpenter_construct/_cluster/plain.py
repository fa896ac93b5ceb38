"""Kubernetes objects and chart values as jsii can carry them.

jsii drops a null in a list, rounds integers beyond a JavaScript number and knows no tuples, enums or other
objects of Python. What cannot cross is refused here, where its path is known.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from .._tokens import is_unresolved
from ..errors import Problem, SettingsError

_AS_IT_IS = (str, bool, type(None))
_LARGEST_INTEGER = 2**53
"""Above this, JavaScript's numbers have gaps (``Number.MAX_SAFE_INTEGER`` + 1)."""


def plain(value: object, path: str) -> Any:  # noqa: ANN401
    """``value`` as dicts, lists, strings, numbers, booleans, ``None``, and CDK's own objects.

    Args:
        value: What is to be written into a manifest or chart values.
        path: The argument that it came in, to begin the path of each problem with.

    Raises:
        SettingsError: Something inside has no JSON form; every such place, a line each.
    """
    problems: list[Problem] = []
    result = _plain(value, path, problems)
    if problems:
        raise SettingsError(*problems)
    return result


def has_null(value: object) -> bool:
    """Whether ``value``, as `plain` returns it, has a ``None`` inside."""
    if isinstance(value, dict):
        return any(item is None or has_null(item) for item in value.values())
    return isinstance(value, list) and any(has_null(item) for item in value)


def _plain(value: object, path: str, problems: list[Problem]) -> object:
    # Nearly all are of these, and no subclass: an enum's member may be a string too.
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, Enum):
        return _plain(value.value, path, problems)
    if isinstance(value, Mapping):
        return _plain_mapping(value, path, problems)
    if isinstance(value, (list, tuple)):
        return _plain_list(value, path, problems)
    problem = _scalar_problem(value)
    if problem:
        problems.append(Problem(path, problem))
    return value


def _plain_mapping(value: Mapping[Any, object], path: str, problems: list[Problem]) -> dict[str, object]:
    problems.extend(
        Problem(path, f"has a key that is no string, got {key!r}; write {str(key)!r}")
        for key in value
        if not isinstance(key, str)
    )
    return {key: _plain(item, f"{path}.{key}", problems) for key, item in value.items()}


def _plain_list(value: list[object] | tuple[object, ...], path: str, problems: list[Problem]) -> list[object]:
    problems.extend(
        Problem(f"{path}[{index}]", "is null, which CDK drops from a list; leave it out")
        for index, item in enumerate(value)
        if item is None
    )
    return [_plain(item, f"{path}[{index}]", problems) for index, item in enumerate(value)]


def _scalar_problem(value: object) -> str | None:
    if value is None or isinstance(value, (str, bool)) or is_unresolved(value):
        return None
    if isinstance(value, int):
        if abs(value) <= _LARGEST_INTEGER:
            return None
        return f"is an integer that CDK would round, got {value}; write it as a string"
    if isinstance(value, float):
        if math.isfinite(value):
            return None
        return f"is no JSON number, got {value}; write a finite number"
    return (
        f"has no JSON form, got an object of class {type(value).__qualname__}; "
        "use dicts, lists, strings, numbers and booleans"
    )
