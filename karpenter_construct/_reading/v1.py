"""NodePool and EC2NodeClass in v1, NodeOverlay, CapacityBuffer: the models speak these words."""

from __future__ import annotations

import json

from .._fields import digits, shown
from .._model import Named, crd_name
from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from .class_reference import GROUP, check_reference
from .drafts import Draft
from .layouts import Layout
from .metadata import take_metadata
from .places import Source

KUBELET_ANNOTATION = "compatibility.karpenter.sh/v1beta1-kubelet-conversion"
"""Where 1.0's webhook keeps a v1beta1 NodePool's kubelet settings (karpenter, ``nodepool_conversion.go``)."""


def _same_words(model: type[Named], *without: str) -> dict[str, str]:
    """The fields of a model whose ``spec`` is laid out as the model is."""
    return {crd_name(name): name for name in model.model_fields if name not in without}


NODE_POOL = Layout(
    "karpenter.sh/v1",
    "NodePool",
    NodePool,
    fields={
        "template.metadata.labels": "labels",
        "template.metadata.annotations": "annotations",
        "template.spec.nodeClassRef.name": "node_class",
        "template.spec.requirements": "requirements",
        "template.spec.taints": "taints",
        "template.spec.startupTaints": "startup_taints",
        "template.spec.expireAfter": "expire_after",
        "template.spec.terminationGracePeriod": "termination_grace_period",
        "disruption": "disruption",
        "limits": "limits",
        "weight": "weight",
        "replicas": "replicas",
    },
    apart=("template.spec.nodeClassRef.group", "template.spec.nodeClassRef.kind"),
    required=(
        "template",
        "template.spec",
        "template.spec.requirements",
        "template.spec.nodeClassRef",
        "template.spec.nodeClassRef.group",
        "template.spec.nodeClassRef.kind",
        "template.spec.nodeClassRef.name",
    ),
    elsewhere={"kubelet": "the EC2NodeClass"},
)
NODE_CLASS = Layout(f"{GROUP}/v1", "EC2NodeClass", EC2NodeClass, _same_words(EC2NodeClass, "name", "ami"))
NODE_OVERLAY = Layout(
    "karpenter.sh/v1alpha1",
    "NodeOverlay",
    NodeOverlay,
    _same_words(NodeOverlay, "name"),
    required=("requirements",),
)
CAPACITY_BUFFER = Layout(
    "autoscaling.x-k8s.io/v1beta1",
    "CapacityBuffer",
    CapacityBuffer,
    _same_words(CapacityBuffer, "name", "namespace"),
)


def read_node_pool(source: Source) -> list[Draft]:
    """A NodePool."""
    draft = Draft(source, NODE_POOL)
    take_metadata(draft, annotations=(KUBELET_ANNOTATION,))
    draft.values.setdefault("limits", None)
    check_reference(draft, "template.spec.nodeClassRef.group", GROUP)
    check_reference(draft, "template.spec.nodeClassRef.kind", "EC2NodeClass")
    _take_converted_kubelet(draft)
    return [draft]


def read_node_class(source: Source) -> list[Draft]:
    """An EC2NodeClass."""
    draft = Draft(source, NODE_CLASS)
    take_metadata(draft)
    # The models' short form of an alias, which messages may speak of.
    draft.came_from("ami", "amiSelectorTerms")
    refuse_numbers(draft)
    return [draft]


def read_node_overlay(source: Source) -> list[Draft]:
    """A NodeOverlay."""
    draft = Draft(source, NODE_OVERLAY)
    take_metadata(draft)
    return [draft]


def read_capacity_buffer(source: Source) -> list[Draft]:
    """A CapacityBuffer."""
    draft = Draft(source, CAPACITY_BUFFER)
    take_metadata(draft, namespaced=True)
    return [draft]


def refuse_numbers(draft: Draft) -> None:
    """Reserved resources are strings in v1; the models take numbers too, for v1beta1's sake."""
    for field_name in ("kubeReserved", "systemReserved"):
        node = draft.source.at((*draft.base, "kubelet", field_name))
        for key, child in node.value.items() if node is not None and isinstance(node.value, dict) else ():
            text = digits(child.value)
            if text is not None:
                fix = f"write {child.written or text!r}"
                draft.problem(("kubelet", field_name, key), f"must be a string, got {text}; {fix}")


def _take_converted_kubelet(draft: Draft) -> None:
    path = ("metadata", "annotations", KUBELET_ANNOTATION)
    node = draft.source.at(path)
    if node is None:
        return
    settings = _json_object(node.plain())
    if settings is None:
        draft.problems.append(draft.source.problem(path, f"must be a JSON object, got {shown(node.plain())}"))
        return
    draft.values["kubelet"] = settings
    draft.sources[("kubelet",)] = path
    draft.rebuilt.add(("kubelet",))
    draft.notes.append(
        draft.source.note(path, "holds kubelet settings, which become the pool's or its class's")
    )


def _json_object(text: object) -> dict[str, object] | None:
    if not isinstance(text, str):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
