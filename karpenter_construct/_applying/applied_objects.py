"""Node objects and other manifests on the cluster, in an order that creates and deletes well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from aws_cdk import Annotations, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct, IDependable

from .._checks import check_fleet
from .._cluster import ClusterAdapter
from .._cluster.construct_ids import taken
from .._cluster.description import is_same
from .._cluster.node_admission import NodeAdmission
from .._cluster.plain import plain
from .._decisions.settings import KarpenterSettings
from .._model import Named
from .._node_objects.defaults import DEFAULT_NODE_CLASS
from .._node_objects.objects import NodeObjects, Rendered, class_of, key_of, may_be_spot
from .._upstream.flow_schemas import flow_schemas
from ..errors import Caution, Problem, SettingsError
from ..node_class import EC2NodeClass
from ..node_pool import NodePool
from .applied_object import AppliedObject, Handles
from .known_objects import KnownObjects
from .number_tokens import as_texts
from .stack_order import StackOrder

_AWS_AUTH: Mapping[str, Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "aws-auth", "namespace": "kube-system"},
}


class AppliedObjects:
    """Applies what `NodeObjects` renders, one custom resource for each object.

    A pool waits for its class, and a class for the chart, or for all that the controller needs where its chart comes
    from elsewhere. CloudFormation deletes the other way round: pools, then classes, whose finalizer waits until their
    nodes are gone, then the chart. Where the release has no such finalizer, a custom resource waits between the two.

    Attributes:
        scope: The `Karpenter` construct.
        objects: The models.
        handles: What was applied.
        stacks: Which stacks wait for which.
    """

    def __init__(
        self,
        scope: Construct,
        adapter: ClusterAdapter,
        settings: KarpenterSettings,
        objects: NodeObjects,
        *,
        after: IDependable,
        drain: Construct | None,
        admission: NodeAdmission,
        node_roles: Iterable[iam.IRole],
        spot_role: Callable[[], tuple[Construct, ...]],
        let_read: Callable[[EC2NodeClass, Construct], None],
    ) -> None:
        self.scope = scope
        self.objects = objects
        self.handles: Handles = {}
        self.stacks = StackOrder(scope)
        self._ids: set[str] = set()
        self._known = KnownObjects(self._own_objects)
        self._adapter = adapter
        self._settings = settings
        self._after = after
        self._drain = drain
        self._admission = admission
        self._spot_role = spot_role
        self._let_read = let_read
        self.stacks.add(scope, *(role for role in node_roles if isinstance(role, iam.Role)))
        if adapter.owned:
            self.stacks.add(scope, adapter.cluster)

    def add(self, *models: Named) -> list[AppliedObject]:
        """Apply node objects, together with the class ``default`` where a pool needs it and there is none.

        Returns:
            The handles of the given models, in an order in which none refers to a later one.

        Raises:
            SettingsError: The release would refuse one, a name is taken, or a class is missing; every mistake.
        """
        given = {key_of(model) for model in models}
        applied = [(key_of(one.model), self.apply(one)) for one in self.rendered(models)]
        return [handle for key, handle in applied if key in given]

    def rendered(self, models: Iterable[Named], scope: Construct | None = None) -> list[Rendered]:
        """Check models, all together, and give their manifests; nothing is built, and nothing kept.

        Args:
            models: The models.
            scope: What they are to be built under. Default: the `Karpenter` construct.

        Raises:
            SettingsError: See `add`.
        """
        given = list(models)
        for model in given:
            self._refuse_without_kubectl(model.path)
        rendered = self.objects.rendered(given)
        problems = [
            problem for model in given for problem in self._order_problems(model, scope or self.scope)
        ]
        problems += [each for one in rendered for each in self._known.taken(one.manifest, one.model.path)]
        if scope is None and not problems:
            problems += [taken(self.scope, one.id, one.model.path) for one in rendered if one.id in self._ids]
        if problems:
            raise SettingsError(*problems)
        for one in rendered:
            plain(one.manifest, one.model.path)
        return rendered

    def _order_problems(self, model: Named, scope: Construct) -> list[Problem]:
        """Why the stack of ``scope`` cannot wait for what an object needs."""
        elsewhere = self.stacks.elsewhere(scope)
        if elsewhere is not None:
            return [Problem(model.path, elsewhere)]
        circle = self.stacks.circle(scope, self.scope)
        if circle is not None:
            message = f"cannot be in a stack that the stack {circle!r} of its Karpenter waits for; use another stack"
            return [Problem(model.path, message)]
        used = (
            self.handles.get((EC2NodeClass.collection, class_of(model)))
            if isinstance(model, NodePool)
            else None
        )
        # A circle with the stack of Karpenter has been looked for.
        if used is None or self.stacks.together(self.scope, used.resource):
            return []
        if (circle := self.stacks.circle(scope, used.resource)) is None:
            return []
        return [
            Problem(
                f"{model.path}.node_class",
                f"is in the stack {circle!r}, which waits for the stack of this pool; define both in one stack, or the "
                "class in that of Karpenter",
            )
        ]

    def apply(
        self,
        rendered: Rendered,
        scope: Construct | None = None,
        id: str | None = None,  # noqa: A002
    ) -> AppliedObject:
        """Apply what `rendered` gave.

        Args:
            rendered: The object.
            scope: Where to build it. Default: the `Karpenter` construct.
            id: The construct id. Default: made of the object's kind and name.
        """
        model, manifest = rendered.model, as_texts(rendered.model, rendered.manifest)
        scope = self.scope if scope is None else scope
        after = self._before(model)
        resource = self._build(scope, rendered.id if id is None else id, manifest, model.path)
        resource.node.add_dependency(*(after or (self._after,)))
        self.stacks.put(resource, scope)
        self.stacks.add(scope, self.scope, *after)
        if isinstance(model, EC2NodeClass):
            self._drain_before(resource, scope)
            self._let_read(model, resource)
        applied = AppliedObject(model.name, manifest["kind"], resource)
        self.handles[key_of(model)] = applied
        self.objects.keep(model, _Place(resource))
        if isinstance(model, EC2NodeClass) and model.is_windows:
            self._admission.admit_windows(self.objects.role_of(model))
        self.show(self.objects.cautions([model]))
        return applied

    def show(self, cautions: Iterable[Caution], infos: Iterable[str] = ()) -> None:
        """Show what the user should look at, and what was done by the way, at the `Karpenter` construct."""
        show(self.scope, cautions, infos)

    def _before(self, model: Named) -> tuple[Construct, ...]:
        """What an object waits for; nothing of its own, where it waits for the chart."""
        if not isinstance(model, NodePool):
            return ()
        used = self.handles[EC2NodeClass.collection, class_of(model)].resource
        return (used, *self._drains, *(self._spot_role() if may_be_spot(model) else ()))

    @property
    def _drains(self) -> tuple[Construct, ...]:
        return () if self._drain is None else (self._drain,)

    def _drain_before(self, node_class: Construct, scope: Construct) -> None:
        """Have the class deleted after its nodes, unless its stack goes before this one anyway."""
        for drain in self._drains:
            if is_same(Stack.of(scope), Stack.of(self.scope)):
                drain.node.add_dependency(node_class)

    def manifest(
        self,
        id: str,  # noqa: A002
        body: Mapping[str, Any],
        *,
        scope: Construct | None = None,
        after: Iterable[Construct] = (),
    ) -> Construct:
        """Apply any one object, after the chart.

        Args:
            id: The construct id.
            body: The object.
            scope: Where to build it. Default: the `Karpenter` construct.
            after: What it waits for besides the chart.

        Raises:
            SettingsError: The id is taken, the object has no name or is there already, or ``body`` cannot be written
                as JSON.
        """
        path = f"manifests[{id!r}]"
        self._refuse_without_kubectl(path)
        body = plain(body, path)
        self.refuse_known((path, body))
        scope = self.scope if scope is None else scope
        applied = self._build(scope, id, body, path)
        # It may be a pool.
        applied.node.add_dependency(self._after, *self._drains, *after)
        return applied

    def refuse_known(self, *manifests: tuple[str, Mapping[str, Any]]) -> None:
        """Refuse objects of which the cluster has one already from here, and names that are none.

        Args:
            manifests: Each with the path where messages begin.

        Raises:
            SettingsError: Every such object.
        """
        problems = self._known.problems(*((path, plain(body, path)) for path, body in manifests))
        if problems:
            raise SettingsError(*problems)

    def _own_objects(self) -> Iterator[tuple[Mapping[str, Any], object]]:
        """What the `Karpenter` has applied by itself."""
        settings = self._settings
        if settings.install_chart:
            for schema in flow_schemas(
                settings.version,
                namespace=settings.namespace,
                service_account_name=settings.service_account_name,
                kubernetes_version=self._adapter.facts.kubernetes_version,
            ):
                yield schema, _Place(self.scope)
        if settings.node_access.aws_auth:
            yield _AWS_AUTH, f"aws_auth of {self._adapter.path}"

    def _build(self, scope: Construct, id: str, body: Mapping[str, Any], path: str) -> Construct:  # noqa: A002
        built = self._adapter.manifest(scope, id, body, path=path)
        if scope is self.scope:
            self._ids.add(id)
        self._known.keep(body, _Place(built))
        return built

    def problems_and_cautions(self) -> tuple[list[Problem], list[Caution]]:
        """What all objects together get wrong, and what to warn of, once no more are added."""
        return check_fleet(
            self.objects.node_pools.values(),
            self.objects.node_classes.values(),
            self._settings.version,
            default_node_class=DEFAULT_NODE_CLASS,
            region=Stack.of(self.scope).region,
            zones=self._adapter.zones() if self._settings.discovery.subnets is None else (),
            zones_of_terms=self.objects.defaults.subnet_selector_terms,
            interruption_handling=self._settings.interruption_handling,
            feature_gates={key: on for key, on in self.objects.feature_gates.items() if isinstance(on, bool)},
        )

    def _refuse_without_kubectl(self, path: str) -> None:
        if not self._adapter.facts.has_kubectl:
            missing = self._adapter.facts.kubectl_missing
            raise SettingsError(Problem(path, f"{missing}, or apply the object from elsewhere"))


def show(scope: Construct, cautions: Iterable[Caution], infos: Iterable[str] = ()) -> None:
    """Show cautions as CDK warnings, which users acknowledge by id, and the rest as information."""
    for caution in cautions:
        Annotations.of(scope).add_warning_v2(caution.id, caution.message)
    for info in infos:
        Annotations.of(scope).add_info(info)


class _Place:
    """Where an object was added, as text for messages: most objects never need it."""

    def __init__(self, construct: Construct) -> None:
        self._construct = construct

    def __str__(self) -> str:
        return self._construct.node.path
