"""The methods that add node objects, to a `Karpenter` as to a chart of cdk8s."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .._model import Named
from .._node_objects.defaults import with_requirements
from .._node_objects.objects import NodeObjects, as_model, class_of
from ..capacity_buffer import CapacityBuffer
from ..errors import Caution
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from .applied_object import AppliedObject, Handles, name_of

if TYPE_CHECKING:
    from .._node_objects.given_manifests import Manifests


class Applies(Protocol):
    """What applies node objects, or writes them."""

    objects: NodeObjects
    handles: Handles

    def add(self, *models: Named) -> list[AppliedObject]:
        """Check models together and apply them; the handles of the given ones, those that others refer to first."""

    def show(self, cautions: Iterable[Caution], infos: Iterable[str] = ()) -> None:
        """Show what the user should look at, and what was done by the way."""


class AddsNodeObjects:
    """What adds node objects."""

    _applied: Applies

    def add_node_class(self, node_class: EC2NodeClass | str, /, **fields: Any) -> AppliedObject:  # noqa: ANN401
        """Add a node class: how nodes are launched in EC2.

        Args:
            node_class: A ready `EC2NodeClass`, or the name of one.
            fields: With a name, the other fields of `EC2NodeClass`.

        Returns:
            A handle to pass as ``node_class`` of node pools.

        Raises:
            SettingsError: Fields that the release would refuse; every one of them, a line each.
        """
        return self._applied.add(as_model(EC2NodeClass, node_class, fields))[0]

    def add_node_pool(self, pool: NodePool | str, /, **fields: Any) -> AppliedObject:  # noqa: ANN401
        """Add a node pool: which nodes may be launched, and when they may be replaced.

        A pool without ``requirements``, ready or not, takes on-demand Linux amd64 instances of the categories c, m and
        r from the third generation on; with ``requirements=[]``, any that Karpenter knows. What its labels
        say, such as ``kubernetes.io/arch: arm64``, goes before; and so does a class of Windows that was added first.
        A pool without ``node_class`` gets the class ``default``, made where there is none.

        Args:
            pool: A ready `NodePool`, or the name of one.
            fields: With a name, the other fields of `NodePool`; ``node_class`` may be a handle.

        Raises:
            SettingsError: Fields that the release would refuse; every one of them, a line each.
        """
        return self._applied.add(pool_model(self._applied, pool, fields))[0]

    def add_node_overlay(self, overlay: NodeOverlay | str, /, **fields: Any) -> AppliedObject:  # noqa: ANN401
        """Add a node overlay: another price, or extended resources, of instance types. Needs Karpenter 1.7.

        Args:
            overlay: A ready `NodeOverlay`, or the name of one.
            fields: With a name, the other fields of `NodeOverlay`.

        Raises:
            SettingsError: Fields that the release would refuse, or the feature gate ``nodeOverlay`` is off.
        """
        return self._applied.add(as_model(NodeOverlay, overlay, fields))[0]

    def add_capacity_buffer(self, buffer: CapacityBuffer | str, /, **fields: Any) -> AppliedObject:  # noqa: ANN401
        """Add a capacity buffer: room kept free for pods to come. Needs Karpenter 1.14.

        Args:
            buffer: A ready `CapacityBuffer`, or the name of one.
            fields: With a name, the other fields of `CapacityBuffer`. Its namespace must be there.

        Raises:
            SettingsError: Fields that the release would refuse, or the feature gate ``capacityBuffer`` is off.
        """
        return self._applied.add(as_model(CapacityBuffer, buffer, fields))[0]

    def add_manifests(self, *manifests: Manifests) -> tuple[AppliedObject, ...]:
        """Add the node objects of YAML files, of any generation of Karpenter's API, in the words of the release.

        What the objects leave out is filled in as with the other methods; what now means something else is a warning.

        Args:
            manifests: Paths (a `pathlib.Path`, or a string of one line, from the current directory), texts of YAML
                or JSON, or objects.

        Returns:
            The handles: of node classes, then pools, overlays and buffers, each in the order of the files.

        Raises:
            SettingsError: Every mistake of all files at once, with its line.
        """
        # Readers and YAML's parser are a quarter of the import's time.
        from .._node_objects.given_manifests import read_for  # noqa: PLC0415

        given = read_for(self._applied.objects, manifests)
        handles = self._applied.add(*given.models)
        self._applied.show(
            [Caution("karpenter-construct:changedMeaning", str(note)) for note in given.changed],
            [str(note) for note in given.converted],
        )
        return tuple(handles)


def pool_model(applied: Applies, pool: NodePool | str | None, fields: Mapping[str, object]) -> NodePool:
    """A pool of a ready model, or of a name and fields of which ``node_class`` may be a handle, with requirements.

    Raises:
        SettingsError: The fields are wrong, or the handle is of none that was applied.
    """
    fields = dict(fields)
    if "node_class" in fields:
        path = f"{NodePool.root_path({'name': getattr(pool, 'name', pool)})}.node_class"
        fields["node_class"] = name_of(fields["node_class"], EC2NodeClass, applied.handles, path)
    model = as_model(NodePool, pool, fields)
    return with_requirements(model, applied.objects.node_classes.get(class_of(model)))
