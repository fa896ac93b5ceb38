"""IAM documents as one ``Fn::Sub`` string.

CloudFormation cannot put a generated name into the *key* of a condition, such as
``aws:RequestTag/kubernetes.io/cluster/<name>``. Upstream's own template therefore writes its documents as
strings, and so does this: no Lambda-backed ``CfnJson`` is needed, and a document takes fewer bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from aws_cdk import Fn

from .._tokens import is_unresolved

_VARIABLE = re.compile(r"\$\{([^!}][^}]*)\}")


def sub_document(document: Mapping[str, Any], values: Mapping[str, str]) -> str:
    """The document as a token that deploys as a JSON string.

    Args:
        document: JSON-able; ``${Name}`` stands for a value, ``${AWS::Region}`` and the like for
            CloudFormation's own. A token of CDK's becomes a variable; any other ``${…}``, such as IAM's
            ``${aws:username}``, stays.
        values: What the names stand for. A value that is known is written into the document, one that only
            the deployment knows becomes a variable of the ``Fn::Sub``.
    """
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    variables = _Variables(values)
    return Fn.sub(_VARIABLE.sub(variables.write, text), variables.used or None)


class _Variables:
    """Writes the ``${…}`` of one document, and remembers which of them the deployment must fill in."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values
        self.used: dict[str, str] = {}

    def write(self, match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith("AWS::"):
            return match[0]
        if is_unresolved(match[0]):
            return self._variable(f"Value{len(self.used)}", match[0])
        if name not in self.values:
            return f"${{!{name}}}"
        value = self.values[name]
        if is_unresolved(value):
            return self._variable(name, value)
        # Inside a JSON string, and safe from Fn::Sub should it hold a "${" itself.
        return json.dumps(value)[1:-1].replace("${", "${!")

    def _variable(self, name: str, value: str) -> str:
        name = next((known for known, other in self.used.items() if other == value), name)
        self.used[name] = value
        return f"${{{name}}}"


def statements(*items: Mapping[str, Any]) -> dict[str, Any]:
    """A document of these statements."""
    return {"Version": "2012-10-17", "Statement": list(items)}
