"""The node classes, pools, overlays and buffers of one Karpenter: completed, checked and rendered; plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from .._checks import check_capacity_buffer, check_node_class, check_node_overlay, check_node_pool
from .._checks.gates import gate_problems
from .._checks.satisfiable import Allowed, allowed_by_key
from .._dialects import dialect
from .._dialects.manifest import Manifest
from .._fields import shown
from .._model import Named
from ..capacity_buffer import CapacityBuffer
from ..errors import Caution, Problem, SettingsError
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from ..releases import KarpenterVersion
from ..requirements import CAPACITY_TYPE
from .defaults import DEFAULT_NODE_CLASS, NodeDefaults

ORDER: tuple[type[Named], ...] = (EC2NodeClass, NodePool, NodeOverlay, CapacityBuffer)
"""The kinds of node objects, those that others refer to first."""

Key = tuple[str, ...]
"""What tells one object from all others of a cluster: its collection, namespace where it has one, and name."""

M = TypeVar("M", EC2NodeClass, NodePool, NodeOverlay, CapacityBuffer)
T = TypeVar("T", bound=Named)


def as_model(model: type[M], given: M | str | None, fields: Mapping[str, object]) -> M:
    """A ready model as it is, or one made of a name, which may be missing, and the other fields.

    Raises:
        SettingsError: The fields are wrong, or are given beside a ready model.
    """
    if isinstance(given, model):
        if fields:
            names = ", ".join(fields)
            raise SettingsError(
                Problem(
                    given.path,
                    f"is complete, got {names} besides; use model_copy(update={{...}}) to change it",
                )
            )
        return given
    if isinstance(given, Named):
        message = f"is no {model.__name__}, got {shown(given)}; add it with the method for its own kind"
        raise SettingsError(Problem(given.path, message))
    if given is not None and "name" in fields:
        message = f"is given twice, as {shown(given)} and as {shown(fields['name'])}; give one"
        raise SettingsError(Problem(f"{model.__name__}.name", message))
    given_fields: dict[str, Any] = {**({} if given is None else {"name": given}), **fields}
    return model(**given_fields)


def key_of(model: Named) -> Key:
    """What tells an object from all others of a cluster."""
    namespace = (model.namespace,) if isinstance(model, CapacityBuffer) else ()
    return (model.collection, *namespace, model.name)


class Rendered(NamedTuple):
    """A model that is right, completed, with its manifest."""

    model: Named
    manifest: Manifest

    @property
    def id(self) -> str:
        """The id of the construct that applies it."""
        # With the kind: a Provisioner that becomes a NodePool is another object, and the old one must go.
        return "-".join((self.manifest["kind"], *key_of(self.model)[1:]))


@dataclass
class NodeObjects:
    """Every node object of one Karpenter.

    Attributes:
        version: The release whose words the manifests use.
        defaults: What node objects leave to their Karpenter.
        feature_gates: The gates by chart key; a gate that is missing, or a token, may be on.
        node_classes: The classes so far, completed, by name.
        node_pools: The pools so far, completed, by name.
        places: Where each object so far was added, for messages.
    """

    version: KarpenterVersion
    defaults: NodeDefaults
    feature_gates: Mapping[str, object] = field(default_factory=dict)
    node_classes: dict[str, EC2NodeClass] = field(default_factory=dict)
    node_pools: dict[str, NodePool] = field(default_factory=dict)
    places: dict[Key, object] = field(default_factory=dict)

    def keep(self, model: Named, place: object) -> None:
        """Keep what was rendered.

        Args:
            model: The model, as `rendered` completed it.
            place: Where it was added; messages have it as text.
        """
        if isinstance(model, EC2NodeClass):
            self.node_classes[model.name] = model
        if isinstance(model, NodePool):
            self.node_pools[model.name] = model
        self.places[key_of(model)] = place

    def completed(self, models: Iterable[Named]) -> list[Named]:
        """The models with all that they leave to their Karpenter, in an order in which they can be applied.

        Pools that name no class bring the class ``default`` along where there is none.
        """
        completed = [self._complete(model) for model in models]
        pools = (model for model in completed if isinstance(model, NodePool))
        classes = {**self.node_classes, **_by_name(EC2NodeClass, completed)}
        if DEFAULT_NODE_CLASS not in classes and any(pool.node_class is None for pool in pools):
            completed.insert(0, self._complete(EC2NodeClass(name=DEFAULT_NODE_CLASS)))
        return sorted(completed, key=lambda model: ORDER.index(type(model)))

    def _complete(self, model: Named) -> Named:
        if isinstance(model, EC2NodeClass):
            return self.defaults.complete(model, self.version)
        return self.defaults.with_startup_taints(model) if isinstance(model, NodePool) else model

    def rendered(self, models: Iterable[Named]) -> list[Rendered]:
        """Check models, all together, and give their manifests. Nothing is kept.

        Raises:
            SettingsError: The release would refuse one, a name is taken, or a class is missing; every mistake.
        """
        completed = self.completed(models)
        problems = self.problems(completed)
        if problems:
            raise SettingsError(*problems)
        classes = {**self.node_classes, **_by_name(EC2NodeClass, completed)}
        return [Rendered(model, self._manifest(model, classes)) for model in completed]

    def _manifest(self, model: Named, classes: Mapping[str, EC2NodeClass]) -> Manifest:
        words = dialect(self.version)
        if isinstance(model, EC2NodeClass):
            return words.node_class(model)
        if isinstance(model, NodePool):
            return words.node_pool(model, classes[class_of(model)])
        if isinstance(model, NodeOverlay):
            return words.node_overlay(model)
        assert isinstance(model, CapacityBuffer)  # noqa: S101 - `ORDER` has no more
        return words.capacity_buffer(model)

    def problems(self, models: Iterable[Named], *, whole: bool = True) -> list[Problem]:
        """What is wrong with models that `completed` gave.

        Args:
            models: The models.
            whole: Whether a class that is neither among them nor kept is missing; otherwise it may be known elsewhere.
        """
        given = list(models)
        classes = {**self.node_classes, **_by_name(EC2NodeClass, given)}
        problems: list[Problem] = []
        for model in given:
            problems += self._taken(model)
            problems += self._own_problems(model, classes)
            problems += gate_problems(model, self.version, self.feature_gates)
            if whole and isinstance(model, NodePool) and class_of(model) not in classes:
                problems.append(_no_such_class(model, classes))
        return problems

    def _own_problems(self, model: Named, classes: Mapping[str, EC2NodeClass]) -> list[Problem]:
        version, path = self.version, model.path
        if isinstance(model, EC2NodeClass):
            kubernetes_version = self.defaults.kubernetes_version
            return [
                *check_node_class(model, version, path=path, kubernetes_version=kubernetes_version),
                *self.defaults.role_problems(model),
            ]
        if isinstance(model, NodePool):
            return check_node_pool(model, version, path=path, node_class=classes.get(class_of(model)))
        if isinstance(model, NodeOverlay):
            return check_node_overlay(model, version, path=path)
        assert isinstance(model, CapacityBuffer)  # noqa: S101 - `ORDER` has no more
        return check_capacity_buffer(model, version, path=path)

    def _taken(self, model: Named) -> list[Problem]:
        place = self.places.get(key_of(model))
        if place is None:
            return []
        return [Problem(model.path, f"is there already, as {place}; give each its own name")]

    def cautions(self, models: Iterable[Named]) -> list[Caution]:
        """What to warn of that is about single objects."""
        return [
            caution
            for model in models
            if isinstance(model, EC2NodeClass)
            for caution in self.defaults.instance_profile_cautions(model)
        ]

    def role_of(self, node_class: EC2NodeClass) -> str | None:
        """The name of the role of a class's nodes; that of the Karpenter where an instance profile stands for it."""
        return node_class.role or next(iter(self.defaults.known_roles), None)


def class_of(pool: NodePool) -> str:
    """The name of the class that a pool uses."""
    return pool.node_class or DEFAULT_NODE_CLASS


def may_be_spot(pool: NodePool) -> bool:
    """Whether the pool may launch spot instances."""
    return allowed_by_key(pool.requirements, pool.labels).get(CAPACITY_TYPE, Allowed()).takes("spot")


def _by_name(kind: type[T], models: Iterable[Named]) -> dict[str, T]:
    return {model.name: model for model in models if isinstance(model, kind)}


def _no_such_class(pool: NodePool, known: Mapping[str, object]) -> Problem:
    names = ", ".join(repr(name) for name in known) or "none"
    return Problem(
        f"{pool.path}.node_class",
        f"there is no such node class, got {class_of(pool)!r}, known so far are {names}; add the class before its "
        "pools",
    )
