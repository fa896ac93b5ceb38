"""The schemas of upstream's CRDs, by release tag."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.contract import upstream

Schema = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Served:
    """What a release serves of a kind. Releases that differ in descriptions alone share one."""

    scope: str
    schema: Schema


@cache
def served(tag: str, kind: str, api_version: str) -> Served | None:
    """The scope and the schema of a kind in a version, ``None`` where the release does not serve it."""
    crd = upstream.crds(tag).get(kind, {"spec": {"group": "", "versions": []}})["spec"]
    group, _, name = api_version.rpartition("/")
    for version in crd["versions"]:
        if group == crd["group"] and name == version["name"] and version["served"]:
            return _shared(crd["scope"], json.dumps(_undescribed(version["schema"]["openAPIV3Schema"])))
    return None


@cache
def _shared(scope: str, schema: str) -> Served:
    return Served(scope, json.loads(schema))


def _undescribed(schema: Any) -> Any:
    """A schema without what its fields mean; a field that is called description has a schema, and stays."""
    if isinstance(schema, list):
        return [_undescribed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: each if key == "default" else _undescribed(each)
        for key, each in schema.items()
        if key != "description" or not isinstance(each, str)
    }


def spec_schema(tag: str, kind: str, version: str) -> Schema:
    """The schema of ``spec`` of one kind in one version, such as ``v1beta1``."""
    versions = upstream.crds(tag)[kind]["spec"]["versions"]
    found = next(each for each in versions if each["name"] == version)
    return found["schema"]["openAPIV3Schema"]["properties"]["spec"]


def schemas(schema: Schema) -> Iterator[Schema]:
    """A schema and all schemas below it."""
    yield schema
    children = [*schema.get("properties", {}).values(), *schema.get("allOf", ()), *schema.get("anyOf", ())]
    children += [
        schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)
    ]
    for child in children:
        yield from schemas(child)
