"""Capacity buffers: room that Karpenter keeps free for pods to come."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from ._fields import Map, Number, Quantity, Text
from ._model import Model, Named, ObjectName
from .releases import Window, since

_DEFAULT_NAMESPACE = "default"


class PodTemplateRef(Model):
    """A PodTemplate of the buffer's namespace."""

    sample: ClassVar[str] = "{'name': 'chunk'}"

    name: Annotated[str, Text(shortest=1, example="'chunk'")]
    """Its name. Default: required."""


class ScalableRef(Model):
    """Something that scales, such as a Deployment, in the buffer's namespace."""

    sample: ClassVar[str] = "{'kind': 'Deployment', 'name': 'web'}"

    api_group: Annotated[str | None, Text()] = None
    """Its API group, such as ``apps``. Default: the core group."""
    kind: Annotated[str, Text(shortest=1, example="'Deployment'")]
    """Its kind. Default: required."""
    name: Annotated[str, Text(shortest=1, example="'web'")]
    """Its name. Default: required."""


class CapacityBuffer(Named):
    """Room for a number of pods, kept free by nodes launched ahead. Needs the feature gate CapacityBuffer."""

    collection: ClassVar[str] = "capacity_buffers"
    window: ClassVar[Window] = since("1.14")

    namespace: ObjectName = _DEFAULT_NAMESPACE
    """The namespace of the buffer, and of what it refers to. Default: ``default``."""
    pod_template_ref: PodTemplateRef | None = None
    """The shape of one chunk, as a PodTemplate. Default: that of ``scalable_ref``."""
    scalable_ref: ScalableRef | None = None
    """The shape of one chunk, as that of the pods of a Deployment or the like. Default: that of
    ``pod_template_ref``."""
    replicas: Annotated[int | None, Number(0)] = None
    """The number of chunks. Default: from ``percentage``, or as many as ``limits`` let."""
    percentage: Annotated[int | None, Number(0)] = None
    """The number of chunks as a share of the replicas of ``scalable_ref``, rounded up. Default: none."""
    limits: Annotated[Mapping[str, int | str] | None, Map(values=Quantity())] = None
    """The most that all chunks may request, by resource. Default: no limit."""
    provisioning_strategy: Annotated[str, Text()] = "buffer.x-k8s.io/active-capacity"
    """How the room is kept. Default: ``buffer.x-k8s.io/active-capacity``, by nodes that run."""

    @classmethod
    def root_path(cls, data: object) -> str:
        """``capacity_buffers['spare']``, or ``capacity_buffers['team-a/spare']`` in another namespace than default."""
        name, namespace = (
            data.get(key) if isinstance(data, Mapping) else None for key in ("name", "namespace")
        )
        known = isinstance(name, str) and isinstance(namespace, str) and namespace != _DEFAULT_NAMESPACE
        return super().root_path({"name": f"{namespace}/{name}"} if known else data)
