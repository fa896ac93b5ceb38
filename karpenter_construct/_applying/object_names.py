"""Which Kubernetes objects a manifest is of, and what is wrong with how it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .._fields import shown
from .._names import label_problems, subdomain_problems
from .._tokens import is_unresolved
from ..errors import Problem

_DEFAULT_NAMESPACE = "default"

# The groups whose objects all have DNS subdomains as names (kubernetes ``pkg/apis/*/validation``; custom resources:
# apiextensions ``customresource/validator.go``). The objects of RBAC, of certificates and of other API servers may not.
_SUBDOMAIN_GROUPS = frozenset(
    (
        "",
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apps",
        "autoscaling",
        "autoscaling.x-k8s.io",
        "batch",
        "coordination.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "karpenter.k8s.aws",
        "karpenter.sh",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "scheduling.k8s.io",
        "storage.k8s.io",
    )
)
_OTHERWISE_NAMED = (("", "Event"), ("networking.k8s.io", "IPAddress"))
_LABEL_NAMED = (("", "Namespace"), ("", "Service"))
# What no name may be or have, as it is a part of a path (apimachinery ``IsValidPathSegmentName``).
_NO_PATH_SEGMENT = re.compile(r"|\.|\.\.|.*[/%].*", re.DOTALL)

_EXAMPLES = {"apiVersion": "apps/v1", "kind": "ConfigMap", "name": "settings"}


class ObjectKey(NamedTuple):
    """What tells an object from all others of a cluster; its group may serve it in several versions."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        where = "" if self.namespace == _DEFAULT_NAMESPACE else f" of the namespace {self.namespace!r}"
        return f"the {self.kind} {self.name!r}{where}"


def object_keys(body: Mapping[str, Any]) -> tuple[ObjectKey, ...]:
    """The objects of a manifest, of which a list may have several; those that the deployment names are left out."""
    keys = (_key(each) for _, each in _objects(body, ""))
    return tuple(key for key in keys if key is not None)


def _key(body: Mapping[str, Any]) -> ObjectKey | None:
    metadata = body.get("metadata")
    if not isinstance(metadata, Mapping):
        return None
    parts = (
        body.get("apiVersion"),
        body.get("kind"),
        metadata.get("namespace") or _DEFAULT_NAMESPACE,
        metadata.get("name"),
    )
    if not all(isinstance(part, str) and part and not is_unresolved(part) for part in parts):
        return None
    version, kind, namespace, name = map(str, parts)
    return ObjectKey(version.rpartition("/")[0], kind, namespace, name)


def name_problems(body: Mapping[str, Any], path: str) -> list[Problem]:
    """What is missing of what names an object, and names that Kubernetes is sure to refuse.

    Args:
        body: The object.
        path: Where messages begin.
    """
    return [problem for place, each in _objects(body, path) for problem in _problems(each, place)]


def _objects(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    items, kind = body.get("items"), body.get("kind")
    if not (isinstance(kind, str) and kind.endswith("List") and isinstance(items, (list, tuple))):
        yield path, body
        return
    # Items of a ConfigMapList need not say that they are ConfigMaps (apimachinery ``unstructured``, decodeToList).
    item_kind = kind.removesuffix("List")
    default = {"apiVersion": body.get("apiVersion"), "kind": item_kind} if item_kind else {}
    for index, item in enumerate(items):
        if isinstance(item, Mapping):
            yield from _objects({**default, **item}, f"{path}.items[{index}]")


def _problems(body: Mapping[str, Any], path: str) -> Iterator[Problem]:
    for key in ("apiVersion", "kind"):
        yield from _text_problems(f"{path}.{key}", body.get(key), _EXAMPLES[key])
    metadata = body.get("metadata") or {}
    if is_unresolved(metadata):
        return
    if not isinstance(metadata, Mapping):
        yield Problem(f"{path}.metadata", f"is no map, got {shown(metadata)}; write {{'name': …}}")
        return
    missing = list(_text_problems(f"{path}.metadata.name", metadata.get("name"), _EXAMPLES["name"]))
    yield from missing or _refused_name(body, metadata["name"], f"{path}.metadata.name")
    namespace = metadata.get("namespace")
    if namespace is not None:
        yield from label_problems(f"{path}.metadata.namespace", namespace)


def _text_problems(path: str, value: object, example: str) -> Iterator[Problem]:
    if value is None or value == "":
        yield Problem(path, f"is missing; write one as in {example!r}")
    elif not isinstance(value, str) and not is_unresolved(value):
        yield Problem(path, f"is no string, got {shown(value)}; write one as in {example!r}")


def _refused_name(body: Mapping[str, Any], name: object, path: str) -> list[Problem]:
    kind, version = body.get("kind"), body.get("apiVersion")
    if is_unresolved((name, kind, version)) or not (isinstance(kind, str) and isinstance(version, str)):
        return []
    is_of = (version.rpartition("/")[0], kind)
    if is_of in _LABEL_NAMED:
        return label_problems(path, str(name))
    if is_of[0] in _SUBDOMAIN_GROUPS and is_of not in _OTHERWISE_NAMED:
        return subdomain_problems(path, str(name))
    if _NO_PATH_SEGMENT.fullmatch(str(name)):
        return [Problem(path, f"is no name that Kubernetes accepts, got {name!r}; use neither '/' nor '%'")]
    return []
