"""What an unquoted word of YAML stands for: as Kubernetes reads it, not as PyYAML does.

kubectl and the API server turn YAML into JSON first (sigs.k8s.io/yaml, ``goyaml.v2/resolve.go``): ``no`` is
false, ``1e3`` is 1000, ``017`` is 15, ``08`` is 8, dates stay strings.
"""

from __future__ import annotations

import math
import re

Scalar = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_WHOLE = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
# Longer ones are outside every range of Kubernetes, and cost time to convert.
_LONGEST_NUMBER = 64
_INTEGERS = range(-(2**63), 2**64)
# encoding/json writes greater floats with an exponent, and what reads them back makes floats of them.
_LARGEST_PLAIN_FLOAT = 1e21


def resolve(text: str) -> Scalar:
    """The value of the unquoted scalar ``text``."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    digits = text if text[0] == "." else text.replace("_", "")
    found = _WHOLE.fullmatch(digits)
    if found is not None:
        number = _whole(found[2]) * (-1 if found[1] == "-" else 1)
        return number if number in _INTEGERS else float(number)
    if _FLOAT.fullmatch(digits) is None or math.isinf(float(digits)):
        return text
    return _plain(float(digits))


def _whole(digits: str) -> int:
    if digits[0] == "0" and digits[1:].isdigit():
        return int(digits, 8)
    return int(digits, 0)


def _plain(number: float) -> int | float:
    """``number`` as it comes out of JSON: whole floats are whole numbers there."""
    return int(number) if abs(number) < _LARGEST_PLAIN_FLOAT and number.is_integer() else number


def stays_text(text: str) -> bool:
    """Whether ``text`` may be written without quotes and still be read as a string."""
    return resolve(text) is text
