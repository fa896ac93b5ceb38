"""The handle of a Kubernetes object that was added to a stack or a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from constructs import Construct, Node

from .errors import Problem, SettingsError
from .node_class import EC2NodeClass
from .node_objects import Key


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
    resource: Construct

    @property
    def node(self) -> Node:
        """The construct's place in the tree: other constructs wait for the object by ``node.add_dependency``."""
        return self.resource.node


Handles = dict[Key, AppliedObject]
"""The handles of one Karpenter."""


def class_name(given: object, known: Mapping[Key, AppliedObject], path: str) -> object:
    """The name of a node class for which a handle may stand.

    Args:
        given: A handle, a construct that has one, or anything else, which is returned as it is.
        known: The handles of one Karpenter.
        path: Where messages begin.

    Raises:
        SettingsError: The handle is another Karpenter's, or not of a node class.
    """
    handle = getattr(given, "applied_object", given)
    if not isinstance(handle, AppliedObject):
        return given
    if known.get((EC2NodeClass.collection, handle.name)) is handle:
        return handle.name
    if any(handle is one for one in known.values()):
        message = f"is no node class, got the {handle.kind} {handle.name!r}; pass a node class or its name"
    else:
        message = f"is the {handle.kind} {handle.node.path} of another Karpenter; add a class to this one"
    raise SettingsError(Problem(path, message))
