"""IAM documents with ``${Name}`` placeholders, as CloudFormation takes them.

A document is an object, its strings with ``Fn::Sub`` where they need it. But CloudFormation cannot put a
generated name into a *key*, such as ``aws:RequestTag/kubernetes.io/cluster/<name>``: where one does, the whole
document is one ``Fn::Sub`` string, as in upstream's own template, and no Lambda-backed ``CfnJson`` is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .._tokens import is_unresolved

_VARIABLE = re.compile(r"\$\{([^!}][^}]*)\}")


def statements(*items: Mapping[str, Any]) -> dict[str, Any]:
    """A document of these statements."""
    return {"Version": "2012-10-17", "Statement": list(items)}


def sub_document(document: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """The document with its placeholders filled in: an object, or an ``Fn::Sub`` that deploys as a JSON string.

    Args:
        document: JSON-able; ``${Name}`` stands for a value, ``${AWS::Region}`` and the like for CloudFormation's
            own. A token of CDK's becomes a variable; any other ``${…}``, such as IAM's ``${aws:username}``, stays.
        values: What the names stand for. A value that is known is written into the document, one that only the
            deployment knows becomes a variable of an ``Fn::Sub``.
    """
    if any(_Text(key, values).needs_sub for key in _keys(document)):
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
        return _Text(text, values, in_json=True).sub
    filled: dict[str, Any] = _filled(document, values)
    return filled


def _keys(item: object) -> Iterator[str]:
    if isinstance(item, Mapping):
        for key, value in item.items():
            yield key
            yield from _keys(value)
    elif isinstance(item, (list, tuple)):
        for value in item:
            yield from _keys(value)


def _filled(item: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401
    if isinstance(item, Mapping):
        return {_Text(key, values).plain: _filled(value, values) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return [_filled(value, values) for value in item]
    return _Text(item, values).value if isinstance(item, str) else item


class _Text:
    """A text with placeholders, ready for ``Fn::Sub``.

    Attributes:
        template: The text as ``Fn::Sub`` takes it.
        variables: What its names stand for, where the deployment fills them in.
        needs_sub: Whether the deployment has anything to fill in.
    """

    def __init__(self, text: str, values: Mapping[str, str], *, in_json: bool = False) -> None:
        self._text = text
        self._values = values
        self._in_json = in_json
        self.variables: dict[str, str] = {}
        self.needs_sub = False
        self.template = _VARIABLE.sub(self._write, text)

    @property
    def plain(self) -> str:
        """The text where the deployment has nothing to fill in."""
        return _VARIABLE.sub(lambda match: self._values.get(match[1], match[0]), self._text)

    @property
    def sub(self) -> dict[str, Any]:
        """The text as an ``Fn::Sub``."""
        return {"Fn::Sub": [self.template, self.variables] if self.variables else self.template}

    @property
    def value(self) -> object:
        """The text as the value of a property: itself, a token, or an ``Fn::Sub``."""
        if not self.needs_sub:
            return self.plain
        whole = _VARIABLE.fullmatch(self._text)
        if whole and self.variables:
            return next(iter(self.variables.values()))
        return self.sub

    def _write(self, match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith("AWS::"):
            self.needs_sub = True
            return match[0]
        if is_unresolved(match[0]):
            return self._variable(f"Value{len(self.variables)}", match[0])
        if name not in self._values:
            return f"${{!{name}}}"
        value = self._values[name]
        if is_unresolved(value):
            return self._variable(name, value)
        # Safe from Fn::Sub should it hold a "${" itself.
        return (json.dumps(value)[1:-1] if self._in_json else value).replace("${", "${!")

    def _variable(self, name: str, value: str) -> str:
        self.needs_sub = True
        name = next((known for known, other in self.variables.items() if other == value), name)
        self.variables[name] = value
        return f"${{{name}}}"
