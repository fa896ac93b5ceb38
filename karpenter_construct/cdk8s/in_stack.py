"""The objects of a chart of cdk8s in a CDK stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from constructs import Construct

from .._cluster import ClusterAdapter, adapt
from .._node_objects.objects import Rendered, key_of
from ..errors import Problem, SettingsError
from ..karpenter import Karpenter
from .chart_object import ChartObject

_Build = Callable[[ChartObject, list[Construct]], Construct]


def apply_objects(
    scope: Construct,
    to: Any,  # noqa: ANN401 - a Karpenter, or a cluster of two modules
    objects: Iterable[ChartObject],
    *,
    rendered: Mapping[str, Rendered] | None = None,
    version: str | None = None,
) -> tuple[Construct, ...]:
    """Apply the objects of a chart, in an order in which each comes after those that it depends on.

    Args:
        scope: Where to build the resources.
        to: A `Karpenter`, or an EKS cluster.
        objects: The objects, in that order.
        rendered: The models of those that are node objects, by path.
        version: The Karpenter release that they are written for.

    Raises:
        SettingsError: They cannot be applied there.
    """
    objects = list(objects)
    problems = list(_id_problems(scope, objects))
    if problems:
        raise SettingsError(*problems)
    if isinstance(to, Karpenter):
        build = _on_karpenter(scope, to, objects, rendered or {}, version)
    else:
        build = _on_cluster(scope, adapt(to, scope))
    built: dict[str, Construct] = {}
    for one in objects:
        built[one.path] = build(one, [built[path] for path in one.before])
    return tuple(built.values())


def _id_problems(scope: Construct, objects: Iterable[ChartObject]) -> Iterator[Problem]:
    taken = {child.node.id for child in scope.node.children}
    for one in objects:
        if one.id in taken:
            yield Problem(
                one.path, f"the construct id {one.id!r} is taken in {scope.node.path}; use another scope"
            )
        taken.add(one.id)


def _on_cluster(scope: Construct, adapter: ClusterAdapter) -> _Build:
    if not adapter.facts.has_kubectl:
        raise SettingsError(Problem("to", adapter.facts.kubectl_missing))

    def build(one: ChartObject, before: list[Construct]) -> Construct:
        resource = adapter.manifest(scope, one.id, one.body, path=one.path)
        resource.node.add_dependency(*before)
        return resource

    return build


def _on_karpenter(
    scope: Construct,
    karpenter: Karpenter,
    objects: Iterable[ChartObject],
    rendered: Mapping[str, Rendered],
    version: str | None,
) -> _Build:
    """Node objects are checked together with those that the Karpenter has already."""
    applied = karpenter._applied
    elsewhere = applied.stacks.elsewhere(scope)
    problems = [] if elsewhere is None else [Problem("scope", elsewhere)]
    if version not in (None, karpenter.version):
        message = (
            f"is for Karpenter {version}, the one on the cluster is {karpenter.version}; make it for that"
        )
        problems.append(Problem("chart", message))
    if problems:
        raise SettingsError(*problems)
    completed = {
        key_of(one.model): one.model for one in applied.rendered([r.model for r in rendered.values()], scope)
    }

    applied.refuse_known(*((one.path, one.body) for one in objects if one.path not in rendered))

    def build(one: ChartObject, before: list[Construct]) -> Construct:
        if one.path not in rendered:
            return applied.manifest(one.id, one.body, scope=scope, after=before)
        model = completed[key_of(rendered[one.path].model)]
        resource = applied.apply(Rendered(model, dict(one.body)), scope, one.id).resource
        resource.node.add_dependency(*before)
        return resource

    return build
