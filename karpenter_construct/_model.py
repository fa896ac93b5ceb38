"""What all node models share: frozen, strict, two spellings of a field, mistakes in this library's words."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, NoReturn, get_args

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails
from typing_extensions import Self

from ._fields import Marker, Text, shown, suggestion
from .errors import Problem, SettingsError
from .releases import ALWAYS, Window

# Kubernetes' words for a DNS-1123 subdomain, which every object's name is.
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
OBJECT_NAME = Text(
    "a name that Kubernetes takes",
    pattern=rf"{_LABEL}(\.{_LABEL})*",
    fix="use lower case letters, digits, '-' and '.', with a letter or digit at both ends of each part",
    longest=253,
    example="'default'",
    literal="the ids of constructs are made of names",
)
ObjectName = Annotated[str, OBJECT_NAME]

# The CRDs' spellings that Python's rule (capitals start a word) would not give.
_ACRONYMS = {
    "associate_public_ip_address": "associatePublicIPAddress",
    "cluster_dns": "clusterDNS",
    "cpu_cfs_quota": "cpuCFSQuota",
    "http_protocol_ipv6": "httpProtocolIPv6",
    "image_gc_high_threshold_percent": "imageGCHighThresholdPercent",
    "image_gc_low_threshold_percent": "imageGCLowThresholdPercent",
    "kms_key_id": "kmsKeyID",
    "owner_id": "ownerID",
    "snapshot_id": "snapshotID",
}


def crd_name(name: str) -> str:
    """The CRD's spelling of a field: ``consolidate_after`` is ``consolidateAfter``."""
    first, *others = name.split("_")
    return _ACRONYMS.get(name) or first + "".join(part.capitalize() for part in others)


# Neither here nor where models are is `from __future__ import annotations`: pydantic would parse each text anew.
class Model(BaseModel):
    """A part of a node object, in the words of Karpenter's v1 API.

    Fields have Python's spelling (``consolidate_after``); the CRD's (``consolidateAfter``) is accepted too.
    Dicts and lists are accepted where models and tuples stand.

    Raises:
        SettingsError: One problem for each mistake, all at once.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=crd_name,
        populate_by_name=True,
        loc_by_alias=False,
        defer_build=True,
    )

    window: ClassVar[Window] = ALWAYS
    """The releases that know this kind of object at all."""

    sample: ClassVar[str] = ""
    """What a message about another value proposes, in words that Python and YAML share."""

    def __init__(self, **data: Any) -> None:  # noqa: ANN401
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise _settings_error(type(self), data, error) from None

    # pydantic must not come back here for nested dicts: it would take our error for a validator's.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def model_validate(cls, obj: object, **options: Any) -> Self:  # noqa: ANN401
        """Make the model from a mapping in either spelling; raises as the constructor does."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise _settings_error(cls, obj, error) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:  # noqa: ANN401
        """Make the model from JSON in either spelling; raises as the constructor does."""
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise _settings_error(cls, None, error) from None

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields changed; unlike pydantic's own, the changes are checked."""
        del deep  # nothing in a frozen model can be shared by mistake
        names = {str(field.alias): name for name, field in type(self).model_fields.items()}
        changes = {names.get(key, key): value for key, value in (update or {}).items()}
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | changes)

    @classmethod
    def root_path(cls, data: object) -> str:
        """Where messages about a model that stands on its own begin."""
        del data
        return cls.__name__

    def given(self) -> Iterator[tuple[str, object]]:
        """The fields that say something: they were given, and differ from the default."""
        for name, field in type(self).model_fields.items():
            if name in self.model_fields_set and (value := getattr(self, name)) != field.default:
                yield name, value

    def __repr_args__(self) -> Iterator[tuple[str | None, object]]:
        yield from self.given()

    def __str__(self) -> str:
        return repr(self)

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse_change(name, f"model_copy(update={{{name!r}: {shown(value)}}})")

    def __delattr__(self, name: str) -> None:
        self._refuse_change(name, f"model_copy(update={{{name!r}: ...}})")

    def _refuse_change(self, name: str, instead: str) -> NoReturn:
        path = f"{self.root_path(self.__dict__)}.{name}"
        raise SettingsError(Problem(path, f"cannot be changed, the object is frozen; use {instead}"))

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        found = handler(schema)
        target = handler.resolve_ref_schema(found)
        docs = field_docs(cls)
        for name, prop in target.get("properties", {}).items():
            text = docs.get(name) or docs.get(_python_name(cls, name), "")
            prop.setdefault("description", text)
            # Leaving a field out is how to say nothing; the CRDs take no null.
            if prop.get("default", ...) is None:
                del prop["default"]
            prop.pop("title", None)
        return found


class Named(Model):
    """A node object of its own: it has a name, and messages about it begin with the name."""

    collection: ClassVar[str]
    """What the paths of messages call the objects of this kind, such as ``node_pools``."""

    name: ObjectName
    """The object's name, by which others refer to it. Default: required."""

    @classmethod
    def root_path(cls, data: object) -> str:
        """``node_pools['batch']`` where the name is known, else the class."""
        name = data.get("name") if isinstance(data, Mapping) else None
        return f"{cls.collection}[{shown(name)}]" if isinstance(name, str) else cls.__name__

    @property
    def path(self) -> str:
        """Where messages about this object begin."""
        return self.root_path(self.__dict__)


def _python_name(model: type[Model], alias: str) -> str:
    return next((name for name, field in model.model_fields.items() if field.alias == alias), alias)


@cache
def field_docs(model: type[Model]) -> dict[str, str]:
    """The docstrings below the fields of a model, by field. Reads the source, so only schemas ask for it."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if issubclass(owner, Model) and owner is not Model:
            found |= _module_docs(owner.__module__).get(owner.__name__, {})
    return found


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_documented(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement, following in zip(node.body, node.body[1:], strict=False):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            yield statement.target.id, " ".join(inspect.cleandoc(str(following.value.value)).split())


def _settings_error(model: type[Model], data: object, error: ValidationError) -> SettingsError:
    return SettingsError(*(_problem(model, data, details) for details in error.errors(include_url=False)))


def _problem(model: type[Model], data: object, details: ErrorDetails) -> Problem:
    steps, owner = _walk(model, details["loc"], details["type"])
    return Problem(model.root_path(data) + "".join(steps), _message(owner, details))


def _walk(model: type[Model], loc: tuple[int | str, ...], kind: str) -> tuple[list[str], type[Model] | None]:
    """The steps of a path, and the model that the last of them is a field of."""
    steps: list[str] = []
    here: type[Model] | None = model
    owner: type[Model] | None = model
    for part in loc:
        if part == "[key]":
            continue
        owner = here if isinstance(part, str) else owner
        is_field = here is not None and (part in here.model_fields or kind == "extra_forbidden")
        plain = is_field and isinstance(part, str) and part.isidentifier()
        steps.append(f".{part}" if plain else f"[{shown(part)}]")
        here = nested_model(here, part) if here is not None and isinstance(part, str) else here
    return steps, owner


@cache
def nested_model(model: type[Model], name: str) -> type[Model] | None:
    """The model that a field holds, itself or as the items of a list."""
    known = model.model_fields.get(name)
    return next(_models_in(known.annotation), None) if known else None


def _models_in(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def field_window(field: FieldInfo) -> Window:
    """The releases that know a field."""
    return next((item for item in field.metadata if isinstance(item, Window)), ALWAYS)


def _message(owner: type[Model] | None, details: ErrorDetails) -> str:
    kind, value = details["type"], details["input"]
    name = details["loc"][-1] if details["loc"] else ""
    if kind == "value_error":
        return str(details["ctx"]["error"])
    if kind == "missing":
        return "is required" + _proposal(owner, name)
    if kind == "extra_forbidden":
        return _unknown(owner, str(name))
    if kind == "model_type":
        name = details["ctx"]["class_name"]
        article = "an" if name[0] in "AE" else "a"
        fix = _sample(owner, details["loc"])
        return f"must be {article} {name} or a mapping of its fields, got {shown(value)}" + fix
    if kind == "json_invalid":
        return f"is not JSON, got {shown(value)}"
    return f"cannot be read, got {shown(value)}"


def _sample(owner: type[Model] | None, loc: tuple[int | str, ...]) -> str:
    """The clause that proposes a right value for a field, or an item of one, that is no model."""
    field = next((part for part in reversed(loc) if isinstance(part, str)), "")
    model = nested_model(owner, field) if owner else None
    return f"; write one as in {model.sample}" if model and model.sample else ""


def _proposal(owner: type[Model] | None, name: int | str) -> str:
    known = owner.model_fields.get(str(name)) if owner else None
    markers = [item for item in known.metadata if isinstance(item, Marker)] if known else []
    return next((f"; write for example {marker.example}" for marker in markers if marker.example), "")


def _unknown(owner: type[Model] | None, name: str) -> str:
    if owner is None:
        return "is not known"
    fields = list(owner.model_fields)
    if name in fields or name in {crd_name(known) for known in fields}:
        return f"is given twice, as {name!r} and in its other spelling; give one"
    hint = suggestion(name, fields) or f"its fields are {', '.join(fields)}"
    return f"is not a field of {owner.__name__}; {hint}"
