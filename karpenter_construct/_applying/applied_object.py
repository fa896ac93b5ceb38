"""The handle of a Kubernetes object that was added to a stack or a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from .._fields import shown
from .._model import Named
from .._node_objects.objects import Key
from ..errors import Problem, SettingsError
from ..node_class import EC2NodeClass
from ..node_pool import NodePool

if TYPE_CHECKING:
    from constructs import Construct, Node


@dataclass(frozen=True)
class AppliedObject:
    """A Kubernetes object that was added.

    Attributes:
        name: The object's name.
        kind: Its kind, as the release has it: ``NodePool``, but ``Provisioner`` before 0.32.
        resource: The construct that applies it; in a chart of cdk8s, the ``ApiObject``.
    """

    name: str
    kind: str
    resource: Construct = field(repr=False)

    @property
    def node(self) -> Node:
        """The construct's place in the tree: other constructs wait for the object by ``node.add_dependency``."""
        return self.resource.node


class HasAppliedObject(Protocol):
    """A construct of one object, such as a `KarpenterNodePool`."""

    applied_object: AppliedObject


Handles = dict[Key, AppliedObject]
"""The handles of one Karpenter."""


def name_of(given: object, model: type[Named], known: Mapping[Key, AppliedObject], path: str) -> object:
    """The name of an object for which a handle may stand.

    Args:
        given: A handle, a construct that has one, or anything else, which is returned as it is.
        model: The kind of object.
        known: The handles of one Karpenter.
        path: Where messages begin.

    Raises:
        SettingsError: The handle is another Karpenter's, or of another kind; or a model stands for a handle.
    """
    if isinstance(given, Named):
        message = f"takes what was added, got {shown(given)}; pass what the method that adds it returns, or its name"
        raise SettingsError(Problem(path, message))
    handle = getattr(given, "applied_object", given)
    if not isinstance(handle, AppliedObject):
        return given
    if known.get((model.collection, handle.name)) is handle:
        return handle.name
    if any(handle is one for one in known.values()):
        message = (
            f"takes another kind of object, got the {handle.kind} {handle.name!r}; pass a {_WORDS[model]}"
        )
    else:
        message = f"is the {handle.kind} {handle.node.path} of another Karpenter; pass a {_WORDS[model]} of this one"
    raise SettingsError(Problem(path, message))


_WORDS: dict[type[Named], str] = {EC2NodeClass: "node class", NodePool: "node pool"}
