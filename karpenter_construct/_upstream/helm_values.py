"""Chart values in three layers: our defaults, over them the user's, over them what the construct must set.

Maps are merged key by key and lists replaced, as Helm does; only lists whose entries have names
(`NAMED_LISTS`) are merged entry by entry. ``None`` from the user takes a default of ours away and leaves
the key to the chart: CDK cannot hand Helm a null.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from .._tokens import is_unresolved
from ..errors import Problem, SettingsError
from .value_paths import get

NAMED_LISTS: dict[tuple[str, ...], str] = {("controller", "env"): "name"}
"""Lists of which each entry has a name, with the key that holds it."""

TO_BE_MADE = "<"
"""Begins what stands for a value that is not there yet, such as the name of a queue; messages leave it out."""

_LARGEST_EXACT_INTEGER = 2**53

Keys = tuple[str, ...]


def merge_values(
    defaults: Mapping[str, object],
    user: Mapping[str, object],
    required: Mapping[str, object],
    *,
    arguments: Mapping[str, str] | None = None,
    approved: bool = False,
    further: Iterable[Problem] = (),
    path: str = "helm_values",
) -> dict[str, object]:
    """Put the user's values over the defaults, and what the construct must set over both.

    Args:
        defaults: Our own values, which the user may replace.
        user: The user's values: dicts, lists, tuples, enums, strings, numbers, booleans and CDK tokens.
        required: What the construct must set.
        arguments: For a required key (dotted), or a map of them, the argument of `Karpenter` that changes it.
        approved: Whether the user's values were compared with the required ones already, when more of these was
            known than tokens.
        further: What is known to be wrong with the user's values besides.
        path: How messages call the user's values.

    Returns:
        A new tree of dicts, lists and scalars.

    Raises:
        SettingsError: A value that JSON cannot hold, or that contradicts a required one; every one of them.
    """
    values, problems = plain_values(user, path=path)
    problems = problems or [
        *_shape_problems(values, path),
        *(() if approved else _contradictions(values, required, (), arguments or {}, path)),
        *further,
    ]
    if problems:
        raise SettingsError(*problems)
    return merged(defaults, values, required)


def merged(*layers: Mapping[str, object]) -> dict[str, object]:
    """The layers, each over those before it."""
    values: dict[str, object] = {}
    for layer in layers:
        values = _merge(values, layer, ())
    return values


def plain_values(
    user: Mapping[str, object], *, path: str = "helm_values"
) -> tuple[dict[str, object], list[Problem]]:
    """The user's values as dicts, lists and scalars, and what in them cannot become JSON."""
    problems: list[Problem] = []
    if not isinstance(user, Mapping):
        return {}, [Problem(path, f"is no map of chart values, got {user!r}; write a dict")]
    return _plain_map(user, path, problems), problems


def _plain_map(values: Mapping[str, object], path: str, problems: list[Problem]) -> dict[str, object]:
    plain: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(key, str):
            plain[str(key)] = _plain(value, _child(path, key), problems)
        else:
            problems.append(Problem(path, f"has a key that is no string, got {key!r}; write {str(key)!r}"))
    return plain


def _plain(value: object, path: str, problems: list[Problem]) -> object:
    if isinstance(value, Enum):
        return _plain(value.value, path, problems)
    if isinstance(value, Mapping):
        return _plain_map(value, path, problems)
    if isinstance(value, (list, tuple)):
        return [_plain_item(item, f"{path}[{index}]", problems) for index, item in enumerate(value)]
    trouble = _trouble(value)
    if trouble is not None:
        problems.append(Problem(path, trouble))
    return value


def _plain_item(item: object, path: str, problems: list[Problem]) -> object:
    if item is None:
        problems.append(Problem(path, "is None, which CDK drops from a list; leave it out"))
    return _plain(item, path, problems)


def _trouble(value: object) -> str | None:
    """Why a scalar cannot be a chart value."""
    if value is None or isinstance(value, (str, bool)) or is_unresolved(value):
        return None
    if isinstance(value, int):
        if abs(value) <= _LARGEST_EXACT_INTEGER:
            return None
        return f"is beyond 2**53, where JSON numbers lose digits, got {value!r}; write it as a string"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"is no JSON number, got {value!r}; write a finite number"
    if isinstance(value, (set, frozenset)):
        return f"is a set, which has no order, got {value!r}; write a list"
    return f"is no JSON value, got {value!r}; write a string, a number, a boolean, a list or a dict"


def _shape_problems(values: Mapping[str, object], path: str) -> Iterator[Problem]:
    """What is wrong with lists that are merged by name: a token cannot take our entries either."""
    for keys, name in NAMED_LISTS.items():
        entries, where = get(values, ".".join(keys)), _dotted(path, keys)
        if entries is not None and not isinstance(entries, list):
            yield Problem(where, f"is no list, got {entries!r}; write [{{'{name}': …}}, …]")
            continue
        for index, entry in enumerate(entries or ()):
            if not isinstance(entry, Mapping) or not isinstance(entry.get(name), str):
                yield Problem(f"{where}[{index}]", f"has no {name}, got {entry!r}; write {{'{name}': …}}")


def _contradictions(
    user: Mapping[str, object],
    required: Mapping[str, object],
    at: Keys,
    arguments: Mapping[str, str],
    path: str,
) -> Iterator[Problem]:
    for key, needed in required.items():
        if key not in user:
            continue
        keys, given = (*at, key), user[key]
        if keys in NAMED_LISTS and isinstance(needed, list):
            # What is no list is told by its shape; None takes nothing away that is put over it.
            entries = given if isinstance(given, list) else []
            yield from _entry_contradictions(entries, needed, NAMED_LISTS[keys], _dotted(path, keys))
        elif isinstance(needed, Mapping) and isinstance(given, Mapping):
            yield from _contradictions(given, needed, keys, arguments, path)
        elif isinstance(needed, Mapping):
            yield Problem(_dotted(path, keys), f"is no map, got {given!r}; write a dict, or leave it out")
        elif not _agree(given, needed):
            yield Problem(_dotted(path, keys), _must_be(needed, given, _argument(keys, arguments)))


def _argument(keys: Keys, arguments: Mapping[str, str]) -> str | None:
    """The argument for a key, or for the map that the key is in."""
    above = (".".join(keys[:length]) for length in range(len(keys), 0, -1))
    return next((arguments[key] for key in above if key in arguments), None)


def _entry_contradictions(
    given: list[object], needed: list[object], name: str, where: str
) -> Iterator[Problem]:
    entries = _by_name(given, name)
    for key, entry in _by_name(needed, name).items():
        if key in entries and not _agree(entries[key], entry):
            yield Problem(f"{where}[{key!r}]", _must_be(entry, entries[key], None))


def _agree(given: object, needed: object) -> bool:
    """Whether the user gave what is needed, or may have: of a token only the deployment can tell."""
    if isinstance(given, Mapping) and isinstance(needed, Mapping):
        return given.keys() == needed.keys() and all(_agree(given[key], needed[key]) for key in needed)
    if is_unresolved(given) or (is_unresolved(needed) and isinstance(given, str) and given):
        return True
    return given == needed and isinstance(given, bool) == isinstance(needed, bool)


def _must_be(needed: object, given: object, argument: str | None) -> str:
    way_out = f"leave it out, or use the argument `{argument}`" if argument else "leave it out"
    parts = list(needed.values()) if isinstance(needed, Mapping) else needed
    value = "" if is_unresolved(parts) or is_to_be_made(parts) else f" to {needed!r}"
    return f"is set{value} by the construct, got {given!r}; {way_out}"


def is_to_be_made(value: object) -> bool:
    """Whether ``value`` is, or lists, what stands for a value that is not there yet."""
    if isinstance(value, list):
        return any(map(is_to_be_made, value))
    return isinstance(value, str) and value.startswith(TO_BE_MADE)


def _merge(lower: Mapping[str, object], upper: Mapping[str, object], at: Keys) -> dict[str, object]:
    merged = {key: _copy(value) for key, value in lower.items()}
    for key, value in upper.items():
        below, keys = merged.get(key), (*at, key)
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, Mapping):
            merged[key] = _merge(below if isinstance(below, Mapping) else {}, value, keys)
        elif keys in NAMED_LISTS and isinstance(value, list) and isinstance(below, list):
            name = NAMED_LISTS[keys]
            merged[key] = list({**_by_name(below, name), **_by_name(value, name)}.values())
        else:
            merged[key] = _copy(value)
    return merged


def _copy(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _copy(inner) for key, inner in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


def _by_name(entries: list[object], name: str) -> dict[object, object]:
    named = (entry for entry in entries if isinstance(entry, Mapping) and isinstance(entry.get(name), str))
    return {entry[name]: entry for entry in named}


def _dotted(path: str, keys: Keys) -> str:
    for key in keys:
        path = _child(path, key)
    return path


def _child(path: str, key: str) -> str:
    return f"{path}.{key}" if re.fullmatch(r"\w+", key) else f"{path}[{key!r}]"
