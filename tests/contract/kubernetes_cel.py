"""CEL rules of CRDs, evaluated as the API server does: the language plus Kubernetes' own string functions.

`common-expression-language` is a hundred times faster than `cel-python`, which stands in on Python 3.10;
a test holds the two to the same answers. Both answer `find` and `split` with the functions below.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache, lru_cache
from typing import Any


class RuleError(Exception):
    """A rule that cannot be evaluated on a value; the API server refuses the object then."""


@cache
def go_regex(pattern: str) -> re.Pattern[str]:
    """Go's RE2 dialect in Python's: ASCII classes, and ``$`` only at the very end of the text."""
    end_only = re.sub(r"(\\.)|\$", lambda found: found[1] or r"\Z", pattern)
    return re.compile(end_only, re.ASCII)


def _find(text: str, pattern: str) -> str:
    found = go_regex(pattern).search(text)
    return found[0] if found else ""


def _split(text: str, separator: str) -> list[str]:
    return text.split(separator)


class RustEngine:
    """The engine of `common-expression-language`."""

    def __init__(self) -> None:
        import cel  # noqa: PLC0415 - absent on Python 3.10

        self._compile = cache(cel.compile)

    def evaluate(self, rule: str, value: Any) -> Any:
        """The rule's answer for ``self = value``."""
        names = {"self": value, "find": _find, "split": _split}
        try:
            return self._compile(rule).execute(names)
        except Exception as error:
            raise RuleError(str(error)) from error


class PythonEngine:
    """The engine of `cel-python`."""

    def __init__(self) -> None:
        import celpy  # noqa: PLC0415 - only one of the engines is needed

        self._to_cel = celpy.json_to_cel
        self._errors = celpy.CELEvalError
        environment = celpy.Environment()
        text, items = celpy.celtypes.StringType, celpy.celtypes.ListType
        functions = {
            "find": lambda value, pattern: text(_find(str(value), str(pattern))),
            "split": lambda value, separator: items(map(text, _split(str(value), str(separator)))),
        }
        self._compile = cache(
            lambda rule: environment.program(environment.compile(rule), functions=functions)
        )

    def evaluate(self, rule: str, value: Any) -> Any:
        """The rule's answer for ``self = value``."""
        try:
            return self._compile(rule).evaluate({"self": self._to_cel(value)})
        except self._errors as error:
            raise RuleError(str(error.args[0])) from error


@cache
def _engine() -> RustEngine | PythonEngine:
    return RustEngine() if sys.version_info >= (3, 11) else PythonEngine()


# A use of one field, and any other use, such as a method; a rule with none of the second sees only the first.
_FIELD = re.compile(r"\bself\.(\w+)\b(?!\s*\()")
_OTHER = re.compile(r"\bself\b(?!\.\w+\b(?!\s*\())")


@cache
def _fields(rule: str) -> frozenset[str] | None:
    """The fields that a rule asks for, ``None`` where it may look at all."""
    return None if _OTHER.search(rule) else frozenset(_FIELD.findall(rule))


_as_json = json.JSONEncoder(sort_keys=True).encode


@lru_cache(maxsize=100_000)
def _failure(rule: str, value_json: str) -> str | None:
    try:
        return None if _engine().evaluate(rule, json.loads(value_json)) else ""
    except RuleError:
        # The engines' own words differ.
        return " (cannot be evaluated)"


def failures(rules: list[dict[str, str]], value: Any) -> list[str]:
    """The messages of those ``x-kubernetes-validations`` that a new object breaks.

    Transition rules are left out: an object that is created has no ``oldSelf``.
    """
    if not rules:
        return []
    found, whole = [], _as_json(value)
    for rule in rules:
        if "oldSelf" in rule["rule"]:
            continue
        fields = _fields(rule["rule"]) if isinstance(value, dict) else None
        seen = whole if fields is None else _as_json({key: value[key] for key in fields & value.keys()})
        failure = _failure(rule["rule"], seen)
        if failure is not None:
            found.append(rule.get("message", f"failed rule: {rule['rule']}") + failure)
    return found
