"""What is read of an object's ``metadata``: its name. The rest is left out, with a note."""

from __future__ import annotations

from .._fields import shown
from .drafts import Draft
from .places import Path
from .yaml_tree import Node

_BY_THE_SERVER = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generation",
    "managedFields",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
)
_ANNOTATIONS_BY_MACHINES = (
    "kubectl.kubernetes.io/last-applied-configuration",
    "karpenter.sh/provisioner-hash",
    "karpenter.sh/nodepool-hash",
    "karpenter.sh/nodepool-hash-version",
    "karpenter.sh/stored-version-migrated",
    "karpenter.k8s.aws/nodetemplate-hash",
    "karpenter.k8s.aws/ec2nodeclass-hash",
    "karpenter.k8s.aws/ec2nodeclass-hash-version",
    "compatibility.karpenter.sh/v1beta1-nodeclass-reference",
)
_KEPT = ("name", "namespace", "labels", "annotations")


def take_metadata(draft: Draft, *, namespaced: bool = False, annotations: tuple[str, ...] = ()) -> None:
    """Give a draft its name, and say what of the metadata is not carried over.

    Args:
        draft: The object.
        namespaced: Whether the model has a namespace.
        annotations: The annotations that the generation's own code reads.
    """
    node = draft.source.at(("metadata",))
    if node is None or not isinstance(node.value, dict):
        message = "is required"
        if node is not None and node.value is not None:
            message = f"must be a mapping, got {shown(node.plain())}"
        draft.problems.append(draft.source.problem(("metadata",), message))
        draft.values["name"] = "unknown"
        return
    _take(draft, node, "name", required=True)
    if namespaced:
        _take(draft, node, "namespace")
    elif "namespace" in node.value:
        _note(draft, ("metadata", "namespace"), "is left out: objects of this kind belong to no namespace")
    _note_server_fields(draft, node)
    _refuse_unknown(draft, node)
    _note_loss(draft, node, "labels", ())
    _note_loss(draft, node, "annotations", (*_ANNOTATIONS_BY_MACHINES, *annotations))


def _take(draft: Draft, node: Node, name: str, *, required: bool = False) -> None:
    entries = node.value if isinstance(node.value, dict) else {}
    path = ("metadata", name)
    draft.sources[(name,)] = path
    if name in entries and entries[name].value is not None:
        draft.values[name] = entries[name].plain()
    elif required:
        draft.problems.append(draft.source.problem(path, "is required"))
        draft.values[name] = "unknown"


def _note(draft: Draft, path: Path, message: str) -> None:
    draft.notes.append(draft.source.note(path, message))


def _note_server_fields(draft: Draft, node: Node) -> None:
    entries = node.value if isinstance(node.value, dict) else {}
    found = [name for name in entries if name in _BY_THE_SERVER]
    if found:
        _note(draft, ("metadata", found[0]), f"what the API server writes is left out: {', '.join(found)}")


def _refuse_unknown(draft: Draft, node: Node) -> None:
    entries = node.value if isinstance(node.value, dict) else {}
    for name in entries:
        if name not in (*_BY_THE_SERVER, *_KEPT):
            hint = "give the object a name" if name == "generateName" else "leave it out"
            draft.problems.append(draft.source.problem(("metadata", name), f"cannot be carried over; {hint}"))


def _note_loss(draft: Draft, node: Node, name: str, silent: tuple[str, ...]) -> None:
    entries = node.value if isinstance(node.value, dict) else {}
    holder = entries.get(name)
    if holder is None or holder.value is None:
        return
    if not isinstance(holder.value, dict):
        problem = draft.source.problem(("metadata", name), f"must be a mapping, got {shown(holder.plain())}")
        draft.problems.append(problem)
        return
    lost = [key for key in holder.value if key not in silent]
    if lost:
        _note(draft, ("metadata", name), f"are the object's own and are left out: {', '.join(lost)}")
