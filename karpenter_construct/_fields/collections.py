"""Markers for lists and mappings, which become what nobody can change."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NoReturn, TypeVar, get_args

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from .._tokens import is_unresolved
from .marker import Marker, Scalar
from .scalars import Text
from .wording import refuse, shown

V = TypeVar("V")


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


@dataclass(eq=False)
class Items(Marker):
    """A list, kept as a tuple. Sets are refused: their order would change from one synth to the next."""

    least: int = 0
    most: int | None = None
    example: str = ""

    def _check_size(self, value: object) -> object:
        if not isinstance(value, (list, tuple)):
            refuse("must be a list", value, _as_list(value))
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
        token = _token(value)
        return items(self._check_size(value)) if token is None else token

    def json(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = dict(handler(schema))
        if self.least:
            found["minItems"] = self.least
        if self.most is not None:
            found["maxItems"] = self.most
        return found


def _as_list(value: object) -> str:
    if isinstance(value, (set, frozenset)):
        return "a set has no order; write a list"
    if isinstance(value, Iterator):
        return "write list(...)"
    # Numbers and the like are no items of any list.
    return "" if value is None or isinstance(value, (int, float)) else f"write [{shown(value)}]"


def _token(value: object) -> tuple[str] | None:
    """A list that only the deployment knows, which CDK writes as one placeholder in a list."""
    if not isinstance(value, (list, tuple)) or len(value) != 1:
        return None
    (only,) = value
    return (only,) if isinstance(only, str) and is_unresolved(only) else None


@dataclass(eq=False)
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
            refuse("must be a mapping", value, f"write one as in {self.example or self.values.entry}")
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
