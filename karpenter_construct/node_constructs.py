"""Node objects as constructs of their own: in a team's stack, on the Karpenter of another."""

from __future__ import annotations

from typing import Any

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


class _NodeConstruct(Construct):
    """One node object in a stack of its own, which waits for the stack of its Karpenter.

    Attributes:
        applied_object: The handle, as the methods of `Karpenter` return it.
    """

    def __init__(self, scope: Construct, id: str, applied: AppliedObjects, model: M) -> None:  # noqa: A002
        # All that can fail comes first: a construct that fails halfway would stay in the tree.
        *before, own = applied.rendered([model], scope)
        with refuse_taken_id(scope, id, "id"):
            super().__init__(scope, id)
        applied.stacks.put(self, scope)
        for rendered in before:
            applied.apply(rendered)
        self.applied_object: AppliedObject = applied.apply(own, self, "Resource")

    @property
    def name(self) -> str:
        """The name of the Kubernetes object."""
        return self.applied_object.name

    @property
    def kind(self) -> str:
        """Its kind, as the release has it: ``NodePool``, but ``Provisioner`` before 0.32."""
        return self.applied_object.kind


class KarpenterNodeClass(_NodeConstruct):
    """A node class in a stack of its own: what `Karpenter.add_node_class` adds to that of the Karpenter."""

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        karpenter: Karpenter,
        name: str | None = None,
        model: EC2NodeClass | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Apply a node class; pass it as ``node_class`` of pools in any stack.

        Args:
            scope: The construct to build it under, in any stack of Karpenter's stage, account and region.
            id: The construct id.
            karpenter: The Karpenter whose nodes these are.
            name: The object's name. Default: that of ``model``.
            model: A ready model, instead of name and fields.
            fields: The other fields of `EC2NodeClass`.

        Raises:
            SettingsError: Fields that the release would refuse, a name that is taken, a stack that cannot wait for that
                of Karpenter; every one of them, a line each.
        """
        super().__init__(
            scope, id, _applied_of(karpenter), as_model(EC2NodeClass, *_given(model, name, fields))
        )


class KarpenterNodePool(_NodeConstruct):
    """A node pool in a stack of its own: what `Karpenter.add_node_pool` adds to that of the Karpenter."""

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        karpenter: Karpenter,
        name: str | None = None,
        model: NodePool | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Apply a node pool, with the same defaults as `Karpenter.add_node_pool`.

        Args:
            scope: The construct to build it under, in any stack of Karpenter's stage, account and region.
            id: The construct id.
            karpenter: The Karpenter whose nodes these are.
            name: The object's name. Default: that of ``model``.
            model: A ready model, instead of name and fields.
            fields: The other fields of `NodePool`; ``node_class`` may be a handle or a `KarpenterNodeClass`.

        Raises:
            SettingsError: See `KarpenterNodeClass`.
        """
        applied = _applied_of(karpenter)
        super().__init__(scope, id, applied, pool_model(applied.handles, *_given(model, name, fields)))


class KarpenterNodeOverlay(_NodeConstruct):
    """A node overlay in a stack of its own: what `Karpenter.add_node_overlay` adds to that of the Karpenter."""

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        karpenter: Karpenter,
        name: str | None = None,
        model: NodeOverlay | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Apply a node overlay. Needs Karpenter 1.7, and the feature gate ``nodeOverlay``.

        Args:
            scope: The construct to build it under, in any stack of Karpenter's stage, account and region.
            id: The construct id.
            karpenter: The Karpenter that is to believe it.
            name: The object's name. Default: that of ``model``.
            model: A ready model, instead of name and fields.
            fields: The other fields of `NodeOverlay`.

        Raises:
            SettingsError: See `KarpenterNodeClass`.
        """
        super().__init__(
            scope, id, _applied_of(karpenter), as_model(NodeOverlay, *_given(model, name, fields))
        )


class KarpenterCapacityBuffer(_NodeConstruct):
    """A capacity buffer in a stack of its own: what `Karpenter.add_capacity_buffer` adds to that of the Karpenter."""

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        karpenter: Karpenter,
        name: str | None = None,
        model: CapacityBuffer | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Apply a capacity buffer. Needs Karpenter 1.14, and the feature gate ``capacityBuffer``.

        Args:
            scope: The construct to build it under, in any stack of Karpenter's stage, account and region.
            id: The construct id.
            karpenter: The Karpenter that keeps the room free.
            name: The object's name. Default: that of ``model``.
            model: A ready model, instead of name and fields.
            fields: The other fields of `CapacityBuffer`.

        Raises:
            SettingsError: See `KarpenterNodeClass`.
        """
        super().__init__(
            scope, id, _applied_of(karpenter), as_model(CapacityBuffer, *_given(model, name, fields))
        )


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
