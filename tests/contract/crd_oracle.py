"""What an API server with one release's CRDs says about a manifest that is created.

The order is the server's: unknown fields, defaults, the structural schema, list types, then the CEL rules;
the release's own validation in Go (`controller_rules`) comes last. All violations are reported.

Not modelled: anything about updates, quotas of CEL cost, and fields of ``metadata`` beyond names and labels.
"""

from __future__ import annotations

import copy
import json
import re
from calendar import monthrange
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tests.contract import controller_rules, crd_schemas, kubernetes_cel, kubernetes_words, upstream
from tests.contract.crd_schemas import Schema, Served


class Violation(NamedTuple):
    """One reason to refuse a manifest; ``str()`` is ``path: message``."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


KEYWORDS = frozenset(
    {
        *("additionalProperties", "allOf", "anyOf", "default", "description", "enum", "format", "items"),
        *(
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
        ),
        *("nullable", "pattern", "properties", "required", "type"),
        *("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"),
        *("x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type"),
    }
)
"""Every schema keyword that the oracle understands; a test fails where a CRD uses another."""

_KEEPS_ALL = "x-kubernetes-preserve-unknown-fields"
_KEPT: Schema = {_KEEPS_ALL: True}
"""What a preserving object holds beyond its properties is kept as it is, however deep."""
_METADATA = {"name", "generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences"}
_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
_WHOLE = 2**63
_INTEGER_RANGES = {"int32": 2**31, "int64": _WHOLE}
# strfmt.IsDateTime of go-openapi: a date of the calendar, a time of the day, an offset of any size.
_DATE_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII | re.I
)


def violations(tag: str, manifest: dict[str, Any]) -> list[str]:
    """Every reason for which the release of ``tag`` refuses ``manifest``; empty where it accepts."""
    return [str(violation) for violation in violations_of(tag, manifest)]


def violations_of(tag: str, manifest: dict[str, Any]) -> list[Violation]:
    """As `violations`, with path and message apart."""
    text = json.dumps(manifest, allow_nan=False)
    assert json.loads(text) == manifest, "tuples, or keys that are no strings, which no server is ever given"
    kind, api_version = manifest.get("kind", ""), manifest.get("apiVersion", "")
    served = crd_schemas.served(tag, kind, api_version)
    if served is None:
        return [Violation("kind", f'no matches for kind "{kind}" in version "{api_version}"')]
    by_schema, stored = _created(served, text)
    if stored is None:
        return list(by_schema)
    by_controller = controller_rules.violations(upstream.version(tag), stored)
    return list(dict.fromkeys((*by_schema, *(Violation(_shown(path), said) for path, said in by_controller))))


@lru_cache(maxsize=2_000)
def _created(served: Served, manifest_json: str) -> tuple[tuple[Violation, ...], Any]:
    """What the CRD says, and the object with its defaults, ``None`` where nothing looks at it any more.

    From one release to the next most objects and schemas stay as they are.
    """
    manifest, creation = json.loads(manifest_json), _Creation()
    creation.check_metadata(manifest.get("metadata", {}), served.scope)
    value = creation.decode(served.schema, manifest, "")
    creation.check(served.schema, value, "")
    return tuple(dict.fromkeys(creation.found)), None if creation.blocking else value


def _shown(path: str) -> str:
    return path.lstrip(".") or "<root>"


class _Creation:
    """The checks of one object; ``blocking`` counts the mistakes that keep CEL from running above them."""

    def __init__(self) -> None:
        self.found: list[Violation] = []
        self.blocking = 0

    def add(self, path: str, message: str, *, blocking: bool = False) -> None:
        self.found.append(Violation(_shown(path), message))
        self.blocking += blocking

    def check_metadata(self, metadata: dict[str, Any], scope: str) -> None:
        for key in metadata.keys() - _METADATA:
            self.add("metadata", f'unknown field "{key}"')
        name = metadata.get("name")
        if not isinstance(name, str) or not kubernetes_words.is_subdomain(name):
            self.add("metadata.name", f"must be a lowercase RFC 1123 subdomain, got {name!r}")
        if ("namespace" in metadata) != (scope == "Namespaced"):
            self.add("metadata.namespace", f"the kind's scope is {scope}")
        for key, value in metadata.get("labels", {}).items():
            if not kubernetes_words.is_qualified_name(key) or not kubernetes_words.is_label_value(value):
                self.add("metadata.labels", f"no label: {key}={value}")

    def decode(self, schema: Schema, value: Any, path: str) -> Any:
        """A copy without unknown fields, which are violations, and with the defaults filled in."""
        if isinstance(value, list):
            items = schema.get("items", _KEPT if schema.get(_KEEPS_ALL) else {})
            return [self.decode(items, item, f"{path}[{index}]") for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        known = self._known_fields(schema, value, path)
        for key, child in schema.get("properties", {}).items():
            if "default" in child and key not in known:
                known[key] = copy.deepcopy(child["default"])
        return {
            key: self.decode(_child_schema(schema, key), item, f"{path}.{key}")
            if path or key != "metadata"
            else item
            for key, item in known.items()
        }

    def _known_fields(self, schema: Schema, value: dict[str, Any], path: str) -> dict[str, Any]:
        keeps_all = schema.get(_KEEPS_ALL) or schema.get("additionalProperties")
        unknown = set() if keeps_all else value.keys() - schema.get("properties", {}).keys()
        for key in unknown:
            field = f"{path}.{key}".lstrip(".")
            self.add(field, f'strict decoding error: unknown field "{field}"')
        # A null where none is allowed counts as absent.
        return {
            key: item
            for key, item in value.items()
            if key not in unknown and (item is not None or _takes_null(_child_schema(schema, key)))
        }

    def check(self, schema: Schema, value: Any, path: str) -> None:
        blocking_before = self.blocking
        if not _has_type(schema, value):
            return self.add(path, f"must be of type {_type_name(schema)}, got {value!r}", blocking=True)
        for message in _value_mistakes(schema, value):
            self.add(path, message)
        for part in schema.get("allOf", ()):
            self.check(part, value, path)
        if isinstance(value, list):
            self._check_array(schema, value, path)
        elif isinstance(value, dict):
            self._check_object(schema, value, path)
        rules = schema.get("x-kubernetes-validations")
        if rules and self.blocking == blocking_before:
            for message in kubernetes_cel.failures(rules, value):
                self.add(path, message)
        return None

    def _check_array(self, schema: Schema, value: list[Any], path: str) -> None:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            self.add(path, f"must have {_bounds(schema, 'Items')} items, has {len(value)}", blocking=True)
        for index, item in enumerate(value):
            self.check(schema.get("items", {}), item, f"{path}[{index}]")
        keys = schema.get("x-kubernetes-list-map-keys")
        unique = schema.get("x-kubernetes-list-type") in {"set", "map"}
        identities = (
            [json.dumps([item.get(key) for key in keys] if keys else item) for item in value]
            if unique
            else []
        )
        for index, identity in enumerate(identities):
            if identity in identities[:index]:
                self.add(f"{path}[{index}]", f"duplicate value: {identity}")

    def _check_object(self, schema: Schema, value: dict[str, Any], path: str) -> None:
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            self.add(
                path, f"must have {_bounds(schema, 'Properties')} properties, has {len(value)}", blocking=True
            )
        for key in schema.get("required", ()):
            if key not in value:
                self.add(f"{path}.{key}", "Required value", blocking=True)
        for key, item in value.items():
            self.check(_child_schema(schema, key), item, f"{path}.{key}")


def _child_schema(schema: Schema, key: str) -> Schema:
    known = schema.get("properties", {})
    if key in known:
        return known[key]
    additional = schema.get("additionalProperties")
    return additional if isinstance(additional, dict) else _KEPT


def _takes_null(schema: Schema) -> bool:
    return bool(schema.get("nullable")) or (
        "type" not in schema and not schema.get("x-kubernetes-int-or-string")
    )


def _has_type(schema: Schema, value: Any) -> bool:
    if schema.get("x-kubernetes-int-or-string"):
        return isinstance(value, str) or (isinstance(value, int) and _is_whole(value))
    name = schema.get("type")
    if value is None:
        return name is None or bool(schema.get("nullable"))
    if name in {"integer", "number"}:
        return _is_whole(value) if name == "integer" else _is_number(value)
    return name is None or isinstance(value, _TYPES[name])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    # A whole number beyond 64 bits arrives as a fraction.
    return _is_number(value) and value == int(value) and -_WHOLE <= value < _WHOLE


def _type_name(schema: Schema) -> str:
    return "integer,string" if schema.get("x-kubernetes-int-or-string") else schema["type"]


def _bounds(schema: Schema, noun: str) -> str:
    return f"{schema.get('min' + noun, 0)} to {schema.get('max' + noun, 'any number of')}"


def _value_mistakes(schema: Schema, value: Any) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"unsupported value {value!r}: supported values: {', '.join(map(str, schema['enum']))}"
    if isinstance(value, str):
        yield from _text_mistakes(schema, value)
    elif _is_number(value):
        yield from _number_mistakes(schema, value)


def _text_mistakes(schema: Schema, value: str) -> Iterator[str]:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        yield f"must have {_bounds(schema, 'Length')} characters, has {len(value)}"
    if "pattern" in schema and not kubernetes_cel.go_regex(schema["pattern"]).search(value):
        yield f"should match '{schema['pattern']}', got {value!r}"
    if schema.get("format") == "date-time" and not _is_date_time(value):
        yield f"must be of type date-time, got {value!r}"


def _is_date_time(value: str) -> bool:
    found = _DATE_TIME.fullmatch(value)
    if found is None:
        return False
    year, month, day = map(int, found[1].split("-"))
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 4, month)[1]


def _number_mistakes(schema: Schema, value: float) -> Iterator[str]:
    if value < schema.get("minimum", value):
        yield f"should be greater than or equal to {schema['minimum']}, got {value!r}"
    if value > schema.get("maximum", value):
        yield f"should be less than or equal to {schema['maximum']}, got {value!r}"
    limit = _INTEGER_RANGES.get(schema.get("format", ""))
    if limit and not -limit <= value < limit:
        yield f"must be of type {schema['format']}, got {value!r}"
