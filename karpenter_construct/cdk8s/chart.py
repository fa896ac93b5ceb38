"""A chart of node objects, and how it is put into a CDK stack."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, cast

import cdk8s
import jsii
from constructs import Construct, IConstruct, IValidation

from .._applying.adding_node_objects import AddsNodeObjects
from .._applying.applied_object import AppliedObject, Handles
from .._checks import check_fleet
from .._fields import Items, Text
from .._model import Model, Named
from .._node_objects.defaults import DEFAULT_NODE_CLASS, NodeDefaults, ebs_csi_taint
from .._node_objects.objects import NodeObjects, Rendered, class_of, key_of
from .._upstream.compatibility import check_supported
from .._upstream.feature_gates import feature_gate_problems
from .._upstream.feature_gates import feature_gates as gates_of
from ..discovery import DISCOVERY_TAG
from ..errors import Caution, Problem, SettingsError
from ..node_class import INSTANCE_PROFILE_NAME, ROLE_NAME, EC2NodeClass
from ..node_pool import NodePool
from ..releases import KarpenterVersion, since
from ..selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm
from .chart_object import ChartObject

_ROLE_IN_CLASS = since("0.32")
"""Before, AWSNodeTemplates know no role, and may leave the instance profile to the settings of the chart."""


class KarpenterWarning(UserWarning):
    """Something in a chart that works but probably should not stay so; its text ends with an id."""


class KarpenterChart(AddsNodeObjects, cdk8s.Chart):
    """Node classes, pools, overlays and buffers of one cluster, in the words of a Karpenter release.

    Has the methods of `Karpenter` that add node objects: ``add_node_class``, ``add_node_pool``, ``add_node_overlay``,
    ``add_capacity_buffer`` and ``add_manifests``, with the same defaults and checks. Objects keep their names, without
    the suffix that cdk8s gives to others.

    Attributes:
        version: The Karpenter release, such as ``1.14.1``.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        version: str,
        cluster_name: str,
        node_role: str | None = None,
        instance_profile: str | None = None,
        subnet_selector_terms: Sequence[SubnetSelectorTerm | Mapping[str, object]] | None = None,
        security_group_selector_terms: Sequence[SecurityGroupSelectorTerm | Mapping[str, object]]
        | None = None,
        kubernetes_version: str | None = None,
        feature_gates: Mapping[str, bool] | None = None,
        ebs_csi_startup_taint: bool = False,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Make an empty chart.

        Args:
            scope: A ``cdk8s.App``, or another chart.
            id: The construct id, of which cdk8s makes the name of the file.
            version: The Karpenter release on the cluster, such as ``1.14.1``; a leading ``v`` is accepted.
            cluster_name: The EKS cluster.
            node_role: The name of the nodes' IAM role. From 0.32 on, this or ``instance_profile`` is needed.
            instance_profile: The name of the nodes' instance profile, instead of a role.
            subnet_selector_terms: Where nodes go. Default: subnets with the tag ``karpenter.sh/discovery`` and the
                cluster's name as its value.
            security_group_selector_terms: What guards them. Default: security groups with the same tag.
            kubernetes_version: The cluster's Kubernetes, such as ``1.35``. Default: unknown, nothing is checked
                against it.
            feature_gates: Gates that are set otherwise than the release does by itself, by chart key. Default: none.
            ebs_csi_startup_taint: Whether new nodes take pods only once the EBS CSI driver runs there. Default:
                ``False``.
            labels: Labels of all objects. Default: none.

        Raises:
            UnsupportedVersionError: The release cannot be installed.
            SettingsError: Arguments that cannot work.
        """
        release, cautions = check_supported(version)
        # Validated, not constructed: terms may be mappings, of which the models' own types do not speak.
        given = _Given.model_validate(
            {
                "cluster_name": cluster_name,
                "node_role": node_role,
                "instance_profile": instance_profile,
                "subnet_selector_terms": subnet_selector_terms,
                "security_group_selector_terms": security_group_selector_terms,
            }
        )
        gates = dict(feature_gates or {})
        problems = [*given.problems(release), *feature_gate_problems(gates, release)]
        if problems:
            raise SettingsError(*problems)
        super().__init__(scope, id, labels=labels)
        self.version = str(release)
        taints = (ebs_csi_taint(),) if ebs_csi_startup_taint else ()
        defaults = given.defaults(kubernetes_version=kubernetes_version, startup_taints=taints)
        objects = NodeObjects(release, defaults, {**gates_of(release), **gates})
        self._applied: _ChartObjects = _ChartObjects(self, objects)
        self._applied.show(cautions)


class _Given(Model):
    """The arguments of a chart that say what node classes have in common."""

    cluster_name: Annotated[str, Text(shortest=1)]
    node_role: Annotated[str | None, ROLE_NAME] = None
    instance_profile: Annotated[str | None, INSTANCE_PROFILE_NAME] = None
    subnet_selector_terms: Annotated[Sequence[SubnetSelectorTerm] | None, Items(least=1)] = None
    security_group_selector_terms: Annotated[Sequence[SecurityGroupSelectorTerm] | None, Items(least=1)] = (
        None
    )

    @classmethod
    def root_path(cls, data: object) -> str:
        """Where messages begin."""
        del data
        return KarpenterChart.__name__

    def problems(self, version: KarpenterVersion) -> list[Problem]:
        """What is wrong with the identity of nodes."""
        if self.node_role is not None and self.instance_profile is not None:
            return [Problem("instance_profile", "cannot be beside node_role; give one of the two")]
        if version in _ROLE_IN_CLASS:
            missing = self.node_role is None and self.instance_profile is None
            message = "is missing; give the name of the nodes' IAM role, or an instance_profile"
            return [Problem("node_role", message)] if missing else []
        if self.node_role is None:
            return []
        message = f"{_ROLE_IN_CLASS.requirement(version)}; give an instance_profile"
        return [Problem("node_role", message)]

    def defaults(self, **others: Any) -> NodeDefaults:  # noqa: ANN401
        """What node classes leave to the chart."""
        tags = {DISCOVERY_TAG: self.cluster_name}
        return NodeDefaults(
            subnet_selector_terms=tuple(self.subnet_selector_terms or [SubnetSelectorTerm(tags=tags)]),
            security_group_selector_terms=tuple(
                self.security_group_selector_terms or [SecurityGroupSelectorTerm(tags=tags)]
            ),
            role=self.node_role,
            instance_profile=self.instance_profile,
            **others,
        )


class _ChartObjects:
    """Writes what `NodeObjects` renders into a chart."""

    def __init__(self, chart: KarpenterChart, objects: NodeObjects) -> None:
        self.objects = objects
        self.handles: Handles = {}
        self.rendered: dict[str, Rendered] = {}
        self._chart = chart
        self._shown: set[Caution] = set()
        chart.node.add_validation(_FleetCheck(self))

    def add(self, *models: Named) -> list[AppliedObject]:
        """Check models together, and write them."""
        given = {key_of(model) for model in models}
        written = [(key_of(one.model), self._write(one)) for one in self.objects.rendered(models)]
        return [handle for key, handle in written if key in given]

    def _write(self, rendered: Rendered) -> AppliedObject:
        model, manifest = rendered.model, rendered.manifest
        written = cdk8s.ApiObject(
            self._chart,
            rendered.id,
            api_version=manifest["apiVersion"],
            kind=manifest["kind"],
            metadata=cdk8s.ApiObjectMetadata(**manifest["metadata"]),
        )
        written.add_json_patch(cdk8s.JsonPatch.add("/spec", manifest["spec"]))
        if isinstance(model, NodePool):
            written.add_dependency(self.handles[EC2NodeClass.collection, class_of(model)].resource)
        applied = AppliedObject(model.name, manifest["kind"], written)
        self.handles[key_of(model)] = applied
        self.rendered[written.node.path] = rendered
        self.objects.keep(model, written.node.path)
        return applied

    def show(self, cautions: Iterable[Caution], infos: Iterable[str] = ()) -> None:
        """Warn once, as Python does; cdk8s has nothing for it, and validates more than once."""
        del infos
        for caution in cautions:
            if caution not in self._shown:
                self._shown.add(caution)
                warnings.warn(f"{caution.message} [{caution.id}]", KarpenterWarning, stacklevel=4)

    def problems(self) -> list[Problem]:
        """What all objects together get wrong; warns of what should not stay so."""
        gates = {key: on for key, on in self.objects.feature_gates.items() if isinstance(on, bool)}
        problems, cautions = check_fleet(
            self.objects.node_pools.values(),
            self.objects.node_classes.values(),
            self.objects.version,
            default_node_class=DEFAULT_NODE_CLASS,
            feature_gates=gates,
        )
        self.show(cautions)
        return problems


@jsii.implements(IValidation)
class _FleetCheck:
    """Looks at all node objects together when the app writes its files."""

    def __init__(self, objects: _ChartObjects) -> None:
        self._objects = objects

    def validate(self) -> list[str]:
        return [str(problem) for problem in self._objects.problems()]


def apply_chart(scope: Construct, chart: cdk8s.Chart, *, to: Any) -> tuple[Construct, ...]:  # noqa: ANN401
    """Apply a chart in a CDK stack, each object in a custom resource of its own.

    ``cluster.add_cdk8s_chart`` puts all objects into one resource, and CDK prunes no custom kinds from it: a pool that
    is dropped from the chart would stay in the cluster for ever.

    Args:
        scope: Where to build the resources; their ids are made of kind, namespace and name.
        chart: A `KarpenterChart`, or any other chart. What is added to it later is not applied.
        to: A `Karpenter`, whose chart comes first and which then checks the node objects with its own; or an EKS
            cluster.

    Returns:
        The resources. Those of objects that depend on others wait for these.

    Raises:
        SettingsError: The chart does not validate, or cannot be applied there; every mistake, a line each.
    """
    # Imported here, as everything else in this module does without CDK.
    from .in_stack import apply_objects  # noqa: PLC0415

    objects = _in_order(chart)
    if isinstance(chart, KarpenterChart):
        return apply_objects(scope, to, objects, rendered=chart._applied.rendered, version=chart.version)
    return apply_objects(scope, to, objects)


def _in_order(chart: cdk8s.Chart) -> list[ChartObject]:
    """The objects of a chart, each after those that it depends on."""
    found = chart.node.find_all()
    problems = [Problem(one.node.path, text) for one in found for text in one.node.validate()]
    if problems:
        raise SettingsError(*problems)
    objects = {one.node.path: one for one in found if cdk8s.ApiObject.is_api_object(one)}
    before = {path: _before(one, objects) for path, one in objects.items()}
    ordered = {path: None for one in objects for path in _chain(one, before, ())}
    return [
        ChartObject(path, cast("cdk8s.ApiObject", objects[path]).to_json(), before[path]) for path in ordered
    ]


def _before(one: IConstruct, objects: Mapping[str, IConstruct]) -> tuple[str, ...]:
    paths = [inner.node.path for needed in one.node.dependencies for inner in needed.node.find_all()]
    return tuple(path for path in paths if path in objects)


def _chain(path: str, before: Mapping[str, tuple[str, ...]], seen: tuple[str, ...]) -> Iterator[str]:
    if path in seen:
        raise SettingsError(
            Problem(path, "depends on itself, by way of others; take one of the dependencies out")
        )
    for earlier in before[path]:
        yield from _chain(earlier, before, (*seen, path))
    yield path
