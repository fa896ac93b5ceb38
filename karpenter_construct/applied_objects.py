"""Node classes, pools and other manifests on the cluster, in an order that creates and deletes well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jsii
from aws_cdk import Annotations, Stack
from constructs import Construct, IValidation, Node

from ._checks import check_fleet
from ._cluster import ClusterAdapter
from ._cluster.node_admission import NodeAdmission
from .errors import Caution, Problem, SettingsError
from .node_class import EC2NodeClass
from .node_objects import DEFAULT_NODE_CLASS, NodeObjects, may_be_spot
from .node_pool import NodePool
from .settings import KarpenterSettings


@dataclass(frozen=True)
class AppliedObject:
    """A Kubernetes object that the stack applies.

    Attributes:
        name: The object's name.
        kind: Its kind, as the release has it: ``NodePool``, but ``Provisioner`` before 0.32.
        resource: The construct that applies it.
    """

    name: str
    kind: str
    resource: Construct

    @property
    def node(self) -> Node:
        """The construct's place in the tree: other constructs wait for the object by ``node.add_dependency``."""
        return self.resource.node


class AppliedObjects:
    """Applies what `NodeObjects` renders, one custom resource for each object.

    A pool waits for its class, and a class for the chart. CloudFormation deletes the other way round: pools, then
    classes, whose finalizer waits until their nodes are gone, then the chart.
    """

    def __init__(
        self,
        scope: Construct,
        adapter: ClusterAdapter,
        settings: KarpenterSettings,
        objects: NodeObjects,
        *,
        chart: Construct | None,
        admission: NodeAdmission,
        spot_role: Callable[[], tuple[Construct, ...]],
    ) -> None:
        self._scope = scope
        self._adapter = adapter
        self._settings = settings
        self._objects = objects
        self._after_chart = () if chart is None else (chart,)
        self._admission = admission
        self._spot_role = spot_role
        self._classes: dict[str, AppliedObject] = {}
        scope.node.add_validation(_FleetCheck(self))

    def node_class(self, node_class: EC2NodeClass) -> AppliedObject:
        """Apply a node class.

        Raises:
            SettingsError: The release would refuse it, or its name is taken.
        """
        self._refuse_without_kubectl(node_class.path)
        applied = self._apply(self._objects.add_node_class(node_class), self._after_chart, node_class.path)
        self._classes[node_class.name] = applied
        if node_class.is_windows:
            self._admission.admit_windows(self._objects.role_of(node_class.name))
        return applied

    def node_pool(self, pool: NodePool) -> AppliedObject:
        """Apply a node pool; one that names no class gets the class ``default``, made where there is none.

        Raises:
            SettingsError: The release would refuse it, its name is taken, or its class is missing.
        """
        self._refuse_without_kubectl(pool.path)
        if pool.node_class is None and DEFAULT_NODE_CLASS not in self._classes:
            self.node_class(EC2NodeClass(name=DEFAULT_NODE_CLASS))
        manifest = self._objects.add_node_pool(pool)
        used = self._classes[pool.node_class or DEFAULT_NODE_CLASS].resource
        return self._apply(manifest, (used, *(self._spot_role() if may_be_spot(pool) else ())), pool.path)

    def manifest(self, id: str, body: Mapping[str, Any]) -> Construct:  # noqa: A002
        """Apply any one object, after the chart.

        Raises:
            SettingsError: ``body`` is no object, or cannot be written as JSON.
        """
        path = f"manifests[{id!r}]"
        self._refuse_without_kubectl(path)
        applied = self._adapter.manifest(self._scope, id, body, path=path)
        applied.node.add_dependency(*self._after_chart)
        return applied

    def problems_and_cautions(self) -> tuple[list[Problem], list[Caution]]:
        """What all objects together get wrong, and what to warn of."""
        return check_fleet(
            self._objects.node_pools.values(),
            self._objects.node_classes.values(),
            self._settings.version,
            default_node_class=DEFAULT_NODE_CLASS,
            region=Stack.of(self._scope).region,
            zones=self._adapter.zones() if self._settings.discovery.subnets is None else (),
            interruption_handling=self._settings.interruption_handling,
            feature_gates=self._settings.feature_gates,
        )

    def _apply(self, manifest: Mapping[str, Any], after: Iterable[Construct], path: str) -> AppliedObject:
        kind, name = manifest["kind"], manifest["metadata"]["name"]
        # The kind is part of the id: a Provisioner that becomes a NodePool is another object, and the old one must go.
        resource = self._adapter.manifest(self._scope, f"{kind}-{name}", manifest, path=path)
        if after:
            resource.node.add_dependency(*after)
        return AppliedObject(name, kind, resource)

    def _refuse_without_kubectl(self, path: str) -> None:
        if not self._adapter.facts.has_kubectl:
            raise SettingsError(Problem(path, self._adapter.facts.kubectl_missing))


def show(scope: Construct, cautions: Iterable[Caution]) -> None:
    """Show cautions as CDK warnings, which users acknowledge by id."""
    for caution in cautions:
        Annotations.of(scope).add_warning_v2(caution.id, caution.message)


@jsii.implements(IValidation)
class _FleetCheck:
    """Looks at all node objects together at synth, when no more are added."""

    def __init__(self, applied: AppliedObjects) -> None:
        self._applied = applied

    def validate(self) -> list[str]:
        problems, cautions = self._applied.problems_and_cautions()
        show(self._applied._scope, cautions)
        return [str(problem) for problem in problems]
