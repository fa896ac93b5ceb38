"""What the fields of the node models take: markers for ``Annotated``, each with its own words for a mistake.

pydantic's own constraints would speak pydantic's words and refuse CDK's placeholders, so a field says
``Annotated[str, Text(...)]``, ``Annotated[int, Number(1, 100)]`` and so on. A marker checks, normalises
(lists become tuples, dicts become `FrozenMap`) and writes the field's JSON schema. ``X | None`` is taken
as it stands.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from reprlib import Repr
from typing import Any, Generic, NoReturn, TypeVar, Union, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from ._tokens import is_unresolved
from .releases import ALWAYS, Window

V = TypeVar("V")

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 100
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 4


def shown(value: object) -> str:
    """``value`` as a message shows it: its ``repr``, cut where it is long."""
    return _SHORT.repr(value)


def refuse(expected: str, value: object, fix: str = "") -> NoReturn:
    """Raise what `_model` turns into a problem at the field's path."""
    raise ValueError(f"{expected}, got {shown(value)}" + (f"; {fix}" if fix else ""))


class FrozenMap(dict[str, V], Generic[V]):
    """A dict that nobody can change, so that a model that holds one is frozen and can be hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[FrozenMap[V]], tuple[dict[str, V]]]:
        return type(self), (dict(self),)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        return core_schema.dict_schema()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping belongs to a frozen model; use model_copy(update={...})")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Words(str, Enum):
    """The values of a field, each with the releases that know it.

    A member is ``NAME = "Value"``, or ``NAME = "Value", since("1.9")``.
    """

    window: Window

    def __new__(cls, value: str, window: Window = ALWAYS) -> Words:
        """Make the member; its value is the string alone."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.window = window
        return member

    def __str__(self) -> str:
        return str(self.value)


def _without_none(source: object) -> tuple[object, bool]:
    if get_origin(source) not in {Union, types.UnionType}:
        return source, False
    kept = tuple(part for part in get_args(source) if part is not type(None))
    return (kept[0] if len(kept) == 1 else Union[kept]), len(kept) < len(get_args(source))  # noqa: UP007


class Marker:
    """What all markers share: optional fields, and the two hooks that pydantic calls."""

    example: str = ""
    """What a message about a missing value proposes, as Python."""

    def core(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The validator for a value that is not ``None``."""
        raise NotImplementedError

    def json(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The JSON schema for a value that is not ``None``."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        inner, optional = _without_none(source)
        schema = self.core(inner, handler)
        return core_schema.nullable_schema(schema) if optional else schema

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self.json(schema["schema"] if schema["type"] == "nullable" else schema, handler)


class Scalar(Marker):
    """A marker for a single value, which a placeholder of CDK may stand for."""

    def check(self, value: object) -> object:
        """``value``, normalised; raises through `refuse`."""
        raise NotImplementedError

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema, which knows nothing of placeholders."""
        raise NotImplementedError

    def _check_unless_token(self, value: object) -> object:
        return value if is_unresolved(value) else self.check(value)

    @cached_property
    def validator(self) -> CoreSchema:
        """The validator, for pydantic."""
        return core_schema.no_info_plain_validator_function(self._check_unless_token)

    def core(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        return self.validator

    def json(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        del schema, handler
        return self.json_schema()


@dataclass(frozen=True)
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
    """

    words: str = "a string"
    pattern: str | None = None
    fix: str = ""
    shortest: int = 0
    longest: int | None = None
    example: str = ""
    convert_numbers: bool = False

    @cached_property
    def _matches(self) -> Callable[[str], object]:
        return re.compile(self.pattern, re.ASCII).fullmatch if self.pattern else lambda _: True

    def check(self, value: object) -> str:
        if self.convert_numbers and isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            refuse("must be a string", value, self._as_text(value))
        value = str(value)
        if len(value) < self.shortest:
            refuse("must not be empty", value, self.fix)
        if self.longest is not None and len(value) > self.longest:
            refuse(f"must be at most {self.longest} characters, has {len(value)}", value, self.fix)
        if not self._matches(value):
            refuse(f"must be {self.words}", value, self.fix)
        return value

    def _as_text(self, value: object) -> str:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return f"write {text!r}" if isinstance(value, (int, float)) and self._matches(text) else self.fix

    def json_schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "string"}
        if self.pattern:
            found["pattern"] = f"^(?:{self.pattern})$"
        if self.shortest:
            found["minLength"] = self.shortest
        if self.longest is not None:
            found["maxLength"] = self.longest
        return found


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Flag(Scalar):
    """``True`` or ``False``, nothing that merely looks like it."""

    example: str = "True"

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            refuse("must be True or False", value)
        return value

    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class Choice(Scalar):
    """One of the values of an enum, as its member or as its string; kept as the string."""

    enum: type[Words]

    @cached_property
    def _values(self) -> tuple[str, ...]:
        return tuple(str(member) for member in self.enum)

    def check(self, value: object) -> str:
        if not isinstance(value, str) or str(value) not in self._values:
            names = ", ".join(map(repr, self._values))
            refuse(f"must be one of {names}", value, suggestion(value, self._values))
        return str(value)

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self._values)}


_LONGEST_GUESS = 100


def suggestion(word: object, known: tuple[str, ...] | list[str]) -> str:
    """The clause that proposes the nearest of the known words, empty where none is near."""
    if not isinstance(word, str) or len(word) > _LONGEST_GUESS:
        return ""
    # Imported late: only a mistake needs it.
    import difflib  # noqa: PLC0415

    lowered = {item.lower(): item for item in known}
    near = difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.5)
    return f"did you mean {lowered[near[0]]!r}?" if near else ""


_NUMBER = r"(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
QUANTITY = _NUMBER + r"(([KMGTPE]i)|[numkMGTPE]|([eE]" + _NUMBER + r"))?"


@dataclass(frozen=True)
class Quantity(Scalar):
    """A Kubernetes quantity: a whole number, or a string such as ``"500m"`` or ``"16Gi"``."""

    example: str = "'16Gi'"

    def check(self, value: object) -> int | str:
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value)
        if isinstance(value, str) and _QUANTITY.fullmatch(value):
            return str(value)
        fix = (
            f"write {shown(str(value))}"
            if isinstance(value, float)
            else "write one as in 200, '500m' or '16Gi'"
        )
        refuse("must be a Kubernetes quantity", value, fix)

    def json_schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": f"^{QUANTITY}$"}]}


_QUANTITY = re.compile(QUANTITY, re.ASCII)


@dataclass(frozen=True)
class Items(Marker):
    """A list, kept as a tuple. Sets are refused: their order would change from one synth to the next."""

    least: int = 0
    most: int | None = None
    example: str = ""

    def _check_size(self, value: object) -> object:
        if not isinstance(value, (list, tuple)):
            refuse("must be a list", value)
        if self.most is not None and len(value) > self.most:
            raise ValueError(f"must have at most {self.most} items, has {len(value)}")
        if len(value) < self.least:
            raise ValueError(f"must have at least {self.least} item, has {len(value)}")
        return value

    def core(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        # GenericAlias, as mypy takes tuple[item, ...] for a type to check.
        items = handler.generate_schema(types.GenericAlias(tuple, (*get_args(source), ...)))
        return core_schema.no_info_wrap_validator_function(self._check, items)

    def _check(self, value: object, items: core_schema.ValidatorFunctionWrapHandler) -> object:
        # CDK writes a whole list that it does not know yet as one placeholder in a list.
        if isinstance(value, (list, tuple)) and len(value) == 1 and is_unresolved(value[0]):
            return tuple(value)
        return items(self._check_size(value))

    def json(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = dict(handler(schema))
        if self.least:
            found["minItems"] = self.least
        if self.most is not None:
            found["maxItems"] = self.most
        return found


@dataclass(frozen=True)
class Map(Marker):
    """A mapping of strings, kept as a `FrozenMap`."""

    values: Scalar = field(default_factory=Text)
    keys: Scalar = field(default_factory=Text)
    most: int | None = None
    example: str = ""

    def core(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        del source, handler
        entries = core_schema.dict_schema(self.keys.validator, self.values.validator)
        return core_schema.no_info_wrap_validator_function(self._check, entries)

    def _check(self, value: object, entries: core_schema.ValidatorFunctionWrapHandler) -> FrozenMap[Any]:
        if not isinstance(value, Mapping):
            refuse("must be a mapping", value)
        if self.most is not None and len(value) > self.most:
            raise ValueError(f"must have at most {self.most} entries, has {len(value)}")
        return FrozenMap(entries(dict(value)))

    def json(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        del schema, handler
        found: dict[str, Any] = {
            "type": "object",
            "additionalProperties": self.values.json_schema(),
        }
        if self.most is not None:
            found["maxProperties"] = self.most
        return found
