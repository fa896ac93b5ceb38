"""Node objects as constructs of their own: in a team's stack, on the Karpenter of another."""

from __future__ import annotations

from typing import Any, Generic

from constructs import Construct

from ._applying.adding_node_objects import pool_model
from ._applying.applied_object import AppliedObject
from ._applying.applied_objects import AppliedObjects
from ._cluster.construct_ids import refuse_taken_id
from ._fields import shown
from ._node_objects.objects import M, as_model
from .capacity_buffer import CapacityBuffer
from .errors import Problem, SettingsError
from .karpenter import Karpenter
from .node_class import EC2NodeClass
from .node_overlay import NodeOverlay
from .node_pool import NodePool


class _NodeConstruct(Construct, Generic[M]):
    """One node object in a stack of its own, which waits for the stack of its Karpenter.

    Attributes:
        applied_object: The handle, as the methods of `Karpenter` return it.
    """

    _model: type[M]

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        karpenter: Karpenter,
        name: str | None = None,
        model: M | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Apply the object, with the same defaults and checks as `Karpenter` adds one of its kind.

        Args:
            scope: The construct to build it under, in any stack of Karpenter's stage, account and region.
            id: The construct id.
            karpenter: The Karpenter that it is for.
            name: The object's name. Default: that of ``model``.
            model: A ready model, instead of name and fields.
            fields: The other fields of the model; ``node_class`` of a pool may be a handle or a `KarpenterNodeClass`.

        Raises:
            SettingsError: Fields that the release would refuse, a name that is taken, a stack that cannot wait for that
                of Karpenter; every one of them, a line each.
        """
        applied = _applied_of(karpenter)
        # All that can fail comes first: a construct that fails halfway would stay in the tree.
        *before, own = applied.rendered([self._made(applied, *_given(model, name, fields))], scope)
        with refuse_taken_id(scope, id, "id"):
            super().__init__(scope, id)
        applied.stacks.put(self, scope)
        for rendered in before:
            applied.apply(rendered)
        self.applied_object: AppliedObject = applied.apply(own, self, "Resource")

    def _made(self, applied: AppliedObjects, given: M | str | None, fields: dict[str, Any]) -> M:
        del applied  # only pools name others
        return as_model(self._model, given, fields)

    @property
    def name(self) -> str:
        """The name of the Kubernetes object."""
        return self.applied_object.name

    @property
    def kind(self) -> str:
        """Its kind, as the release has it: ``NodePool``, but ``Provisioner`` before 0.32."""
        return self.applied_object.kind


class KarpenterNodeClass(_NodeConstruct[EC2NodeClass]):
    """A node class in a stack of its own, to pass as ``node_class`` of pools in any stack: `EC2NodeClass`."""

    _model = EC2NodeClass


class KarpenterNodePool(_NodeConstruct[NodePool]):
    """A node pool in a stack of its own, with the defaults of `Karpenter.add_node_pool`: `NodePool`."""

    _model = NodePool

    def _made(
        self, applied: AppliedObjects, given: NodePool | str | None, fields: dict[str, Any]
    ) -> NodePool:
        return pool_model(applied, given, fields)


class KarpenterNodeOverlay(_NodeConstruct[NodeOverlay]):
    """A node overlay in a stack of its own: `NodeOverlay`. Needs Karpenter 1.7 and the gate ``nodeOverlay``."""

    _model = NodeOverlay


class KarpenterCapacityBuffer(_NodeConstruct[CapacityBuffer]):
    """A capacity buffer in a stack of its own: `CapacityBuffer`. Needs Karpenter 1.14, the gate ``capacityBuffer``."""

    _model = CapacityBuffer


def _given(
    model: M | None, name: str | None, fields: dict[str, Any]
) -> tuple[M | str | None, dict[str, Any]]:
    """A ready model or a name, and the fields besides."""
    if model is None:
        return name, fields
    return model, fields if name is None else {"name": name, **fields}


def _applied_of(karpenter: Karpenter) -> AppliedObjects:
    if not isinstance(karpenter, Karpenter):
        raise SettingsError(
            Problem("karpenter", f"is no Karpenter, got {shown(karpenter)}; pass the construct")
        )
    return karpenter._applied
