"""Markers for single values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from .._tokens import is_dummy, is_placeholder, is_token
from .marker import Scalar
from .wording import AS_STRING, digits, refuse, suggestion, text_of
from .words import Words


@dataclass(eq=False)
class Text(Scalar):
    """A string.

    Attributes:
        words: What it must be, after "must be".
        pattern: The regular expression that the whole string matches.
        fix: What to do about one that does not.
        shortest: The least number of characters.
        longest: The greatest number of characters.
        example: A right value, as Python.
        convert_numbers: Whether a number is taken as its digits, as the CRDs of early releases do.
        literal: Why it has to be known at synth, empty where it need not.
        number_tokens: Whether a number that only the deployment knows is taken, to be made a string of.
    """

    words: str = "a string"
    pattern: str | None = None
    fix: str = ""
    shortest: int = 0
    longest: int | None = None
    example: str = ""
    convert_numbers: bool = False
    literal: str = ""
    number_tokens: bool = False

    @cached_property
    def _matches(self) -> Callable[[str], object]:
        return re.compile(self.pattern, re.ASCII).fullmatch if self.pattern else lambda _: True

    def takes(self, placeholder: object) -> bool:
        if isinstance(placeholder, float):
            return self.number_tokens
        return isinstance(placeholder, str) and (is_dummy(placeholder) or not self.literal)

    def check(self, value: object) -> str:
        if self.literal and is_token(value):
            refuse("must be known at synth", value, f"write it out, {self.literal}")
        if self.convert_numbers and not is_placeholder(value) and not isinstance(value, bool):
            value = digits(value) or value
        if not isinstance(value, str):
            refuse("must be a string", value, self._as_text(value))
        value = text_of(value)
        if len(value) < self.shortest:
            refuse("must not be empty", value, self.fix)
        if self.longest is not None and len(value) > self.longest:
            refuse(f"must be at most {self.longest} characters, has {len(value)}", value, self.fix)
        if not self._matches(value):
            refuse(f"must be {self.words}", value, self.fix)
        return value

    def _as_text(self, value: object) -> str:
        if is_placeholder(value):
            return AS_STRING
        text = digits(value)
        return self.fix if text is None or not self._matches(text) else f"write {text!r}"

    def json_schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "string"}
        if self.pattern:
            found["pattern"] = f"^(?:{self.pattern})$"
        if self.shortest:
            found["minLength"] = self.shortest
        if self.longest is not None:
            found["maxLength"] = self.longest
        return found


_SECONDS = {"h": 3600, "m": 60, "s": 1}
# Karpenter reads them into Go's time.Duration, 64 bits of nanoseconds.
_LONGEST_HOURS = (2**63 - 1) // 10**9 // 3600


class Duration(Text):
    """A string with a duration of hours, minutes and seconds, if its pattern finds one; none that Go cannot hold."""

    def check(self, value: object) -> str:
        text = super().check(value)
        seconds = sum(int(amount) * _SECONDS[unit] for amount, unit in re.findall(r"([0-9]+)([hms])", text))
        if seconds > _LONGEST_HOURS * 3600:
            refuse(f"must be at most {_LONGEST_HOURS}h, the longest that Karpenter can read", text)
        return text


@dataclass(eq=False)
class Number(Scalar):
    """A whole number between two bounds, both inclusive; without bounds, what the CRDs' int32 holds."""

    least: int = -(2**31)
    most: int = 2**31 - 1
    example: str = ""

    def check(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            digits = isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value)
            refuse("must be a whole number", value, f"write {value}" if digits else "")
        if not self.least <= value <= self.most:
            refuse(f"must be between {self.least} and {self.most}", value)
        return int(value)

    def json_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class Flag(Scalar):
    """``True`` or ``False``, nothing that merely looks like it."""

    example = "True"

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            refuse("must be True or False", value)
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(eq=False)
class Choice(Scalar):
    """One of the values of an enum, as its member or as its string; kept as the string."""

    enum: type[Words]

    @cached_property
    def _values(self) -> tuple[str, ...]:
        return tuple(str(member) for member in self.enum)

    def takes(self, placeholder: object) -> bool:
        return isinstance(placeholder, str)

    def check(self, value: object) -> str:
        if not isinstance(value, str) or text_of(value) not in self._values:
            names = ", ".join(map(repr, self._values))
            fix = AS_STRING if is_placeholder(value) else suggestion(value, self._values)
            refuse(f"must be one of {names}", value, fix)
        return text_of(value)

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self._values)}


_NUMBER = r"(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
QUANTITY = _NUMBER + r"(([KMGTPE]i)|[numkMGTPE]|([eE]" + _NUMBER + r"))?"

_LARGEST_EXACT_INTEGER = 2**53


class Quantity(Scalar):
    """A Kubernetes quantity: a whole number, or a string such as ``"500m"`` or ``"16Gi"``."""

    entry: ClassVar[str] = "{'cpu': 1000}"
    example = "'16Gi'"

    def check(self, value: object) -> int | str:
        text = None if isinstance(value, bool) else digits(value)
        if isinstance(value, int) and text is not None:
            # Beyond this, CDK's numbers have gaps; Kubernetes takes the digits as text too.
            return int(value) if abs(value) <= _LARGEST_EXACT_INTEGER else text
        if not isinstance(value, str) or not re.fullmatch(QUANTITY, value, re.ASCII):
            is_float = text is not None and re.fullmatch(QUANTITY, text, re.ASCII)
            fix = f"write {text!r}" if is_float else "write one as in 200, '500m' or '16Gi'"
            refuse("must be a Kubernetes quantity", value, fix)
        return text_of(value)

    def json_schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": f"^{QUANTITY}$"}]}
