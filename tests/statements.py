"""IAM statements as facts by place, to compare policies whatever their order and grouping."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def facts(statements: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """``<sid>.Action``, ``<sid>.Condition.<operator>.<key>``, …: each with its values sorted."""
    result: dict[str, Any] = {}
    for number, statement in enumerate(statements):
        sid = statement.get("Sid", f"statement {number}")
        assert f"{sid}.Effect" not in result, f"{sid} stands twice"
        result[f"{sid}.Effect"] = statement["Effect"]
        for element in ("Action", "Resource"):
            result[f"{sid}.{element}"] = _values(statement[element])
        if "Principal" in statement:
            result[f"{sid}.Principal"] = _principal(statement["Principal"])
        for operator, keys in statement.get("Condition", {}).items():
            for key, value in keys.items():
                result[f"{sid}.Condition.{operator}.{key}"] = _values(value)
        rest = set(statement) - {"Sid", "Effect", "Action", "Resource", "Principal", "Condition"}
        assert not rest, f"{sid} has {rest}"
    return result


def _values(value: object) -> tuple[str, ...]:
    """A list, or what may stand for a list of one; YAML's ``false`` is IAM's ``"false"``."""
    values = value if isinstance(value, list) else [value]
    return tuple(sorted(str(item).lower() if isinstance(item, bool) else str(item) for item in values))


def _principal(principal: object) -> tuple[str, ...]:
    if isinstance(principal, dict):
        return tuple(f"{kind}: {value}" for kind, values in principal.items() for value in _values(values))
    return _values(principal)


def lines(statements: Iterable[dict[str, Any]]) -> set[str]:
    """The facts as text, one value a line: ``<sid>.Action ec2:CreateTags``."""
    return {
        f"{place} {value}"
        for place, values in facts(statements).items()
        for value in (values if isinstance(values, tuple) else (values,))
    }
