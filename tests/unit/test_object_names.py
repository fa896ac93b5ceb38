"""Which objects manifests are of, and names that Kubernetes is sure to refuse."""

from __future__ import annotations

from typing import Any

import pytest

from karpenter_construct._applying.known_objects import KnownObjects
from karpenter_construct._applying.object_names import name_problems, object_keys

from .facts import TOKEN


def manifest(version: Any = "v1", kind: Any = "ConfigMap", **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


def said(body: dict[str, Any]) -> list[str]:
    return [str(problem) for problem in name_problems(body, "m")]


def no_name(name: str, length: int = 253) -> str:
    listed = (
        "lower-case letters, digits, '-' and '.'" if length == 253 else "lower-case letters, digits and '-'"
    )
    return (
        f"is no name that Kubernetes accepts, got {name!r}; use at most {length} characters, only {listed}, a letter "
        "or digit first and last"
    )


# Which


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (manifest(name="x"), [("", "ConfigMap", "default", "x")]),
        (manifest(name="x", namespace="shop"), [("", "ConfigMap", "shop", "x")]),
        (
            manifest("karpenter.sh/v1beta1", "NodePool", name="x"),
            [("karpenter.sh", "NodePool", "default", "x")],
        ),
        (
            {"apiVersion": "v1", "kind": "List", "items": [manifest(name="x"), manifest(name="y")]},
            [("", "ConfigMap", "default", "x"), ("", "ConfigMap", "default", "y")],
        ),
        (manifest(name=TOKEN), []),
        (manifest(name="x", namespace=TOKEN), []),
        (manifest(TOKEN, name="x"), []),
        (manifest(), []),
        (manifest(name=5), []),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, []),
    ],
)
def test_the_objects_of_a_manifest(body, keys):
    assert list(object_keys(body)) == keys


# What is missing


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        (
            {},
            [
                "`m.apiVersion`: is missing; write one as in 'apps/v1'",
                "`m.kind`: is missing; write one as in 'ConfigMap'",
                "`m.metadata.name`: is missing; write one as in 'settings'",
            ],
        ),
        (manifest("", name="x"), ["`m.apiVersion`: is missing; write one as in 'apps/v1'"]),
        (manifest(1, name="x"), ["`m.apiVersion`: is no string, got 1; write one as in 'apps/v1'"]),
        (
            manifest(kind=["Pod"], name="x"),
            ["`m.kind`: is no string, got ['Pod']; write one as in 'ConfigMap'"],
        ),
        (manifest(name=5), ["`m.metadata.name`: is no string, got 5; write one as in 'settings'"]),
        (manifest(generateName="x-"), ["`m.metadata.name`: is missing; write one as in 'settings'"]),
        ({**manifest(), "metadata": ["x"]}, ["`m.metadata`: is no map, got ['x']; write {'name': …}"]),
        (
            {"apiVersion": "v1", "kind": "ConfigMapList", "items": [{"metadata": {"name": "x"}}, {}]},
            ["`m.items[1].metadata.name`: is missing; write one as in 'settings'"],
        ),
        (
            {"apiVersion": "v1", "kind": "List", "items": [manifest(name="x"), manifest()]},
            ["`m.items[1].metadata.name`: is missing; write one as in 'settings'"],
        ),
    ],
)
def test_fails_without_what_names_an_object(body, problems):
    assert said(body) == problems


@pytest.mark.parametrize(
    "body", [manifest(TOKEN, TOKEN, name=TOKEN, namespace=TOKEN), {**manifest(), "metadata": TOKEN}]
)
def test_tokens_may_be_anything(body):
    assert said(body) == []


# Names


@pytest.mark.parametrize(
    ("version", "kind", "name"),
    [
        ("v1", "ConfigMap", "x.y-z"),
        ("v1", "ConfigMap", "a" * 253),
        ("v1", "Namespace", "a" * 63),
        ("v1", "Event", "Pod.X"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole", "system:Node_Reader"),
        ("certificates.k8s.io/v1", "CertificateSigningRequest", "User_A"),
        ("networking.k8s.io/v1", "IPAddress", "2001:db8::1"),
        ("example.com/v1", "Thing", "Thing:One"),
        (TOKEN, "ConfigMap", "X"),
    ],
)
def test_names_that_kubernetes_takes_or_may_take(version, kind, name):
    assert said(manifest(version, kind, name=name)) == []


@pytest.mark.parametrize(
    ("version", "kind", "name"),
    [
        ("v1", "ConfigMap", "X"),
        ("v1", "ConfigMap", "x_y"),
        ("v1", "ConfigMap", "a" * 254),
        ("apps/v1", "Deployment", "web."),
        ("karpenter.sh/v1", "NodePool", "GPU"),
        ("networking.k8s.io/v1", "NetworkPolicy", "2001:db8::1"),
    ],
)
def test_fails_with_a_name_that_is_no_subdomain(version, kind, name):
    assert said(manifest(version, kind, name=name)) == [f"`m.metadata.name`: {no_name(name)}"]


@pytest.mark.parametrize("kind", ["Namespace", "Service"])
@pytest.mark.parametrize("name", ["x.y", "a" * 64])
def test_fails_with_a_name_that_is_no_label(kind, name):
    assert said(manifest("v1", kind, name=name)) == [f"`m.metadata.name`: {no_name(name, 63)}"]


@pytest.mark.parametrize("name", ["a/b", "50%", ".", ".."])
def test_fails_with_a_name_that_no_object_has(name):
    assert said(manifest("rbac.authorization.k8s.io/v1", "ClusterRole", name=name)) == [
        f"`m.metadata.name`: is no name that Kubernetes accepts, got {name!r}; use neither '/' nor '%'"
    ]


def test_fails_with_a_namespace_that_is_none():
    assert said(manifest(name="x", namespace="Shop")) == [f"`m.metadata.namespace`: {no_name('Shop', 63)}"]


# Twice


def test_fails_on_objects_that_are_there_and_on_one_that_is_twice_among_the_given():
    known = KnownObjects(lambda: [(manifest(name="own"), "App/Karpenter")])
    known.keep(manifest(name="x"), "App/X")
    given = [
        ("a", manifest(name="x")),
        ("b", manifest(name="own")),
        ("c", manifest(name="y")),
        ("d", manifest(name="y", namespace="default")),
        ("e", manifest(name="y", namespace="shop")),
    ]
    assert [str(problem) for problem in known.problems(*given)] == [
        "`a`: is the ConfigMap 'x', which is there already, as App/X; give each its own name",
        "`b`: is the ConfigMap 'own', which is there already, as App/Karpenter; give each its own name",
        "`d`: is the ConfigMap 'y', which is there already, as c; give each its own name",
    ]
