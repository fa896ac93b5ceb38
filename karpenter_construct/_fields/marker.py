"""What all markers share."""

from __future__ import annotations

import types
from functools import cached_property
from typing import Any, ClassVar, Union, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from .._tokens import is_placeholder


def _without_none(source: object) -> tuple[object, bool]:
    if get_origin(source) not in {Union, types.UnionType}:
        return source, False
    kept = tuple(part for part in get_args(source) if part is not type(None))
    return (kept[0] if len(kept) == 1 else Union[kept]), len(kept) < len(get_args(source))  # noqa: UP007


class Marker:
    """What all markers share: optional fields, and the two hooks that pydantic calls.

    Those with fields are ``@dataclass(eq=False)``: each is itself alone, and ``Annotated`` wants a hash.
    """

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

    entry: ClassVar[str] = "{'team': 'a'}"
    """A mapping with such a value, in words that Python and YAML share."""

    def check(self, value: object) -> object:
        """``value``, normalised; raises through `refuse`."""
        raise NotImplementedError

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema, which knows nothing of placeholders."""
        raise NotImplementedError

    def takes(self, placeholder: object) -> bool:
        """Whether a placeholder, or an object that CDK resolves, is of the right form."""
        del placeholder
        return True

    def _check_unless_token(self, value: object) -> object:
        return value if is_placeholder(value) and self.takes(value) else self.check(value)

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
