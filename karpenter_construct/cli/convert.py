"""``convert``: node objects of any generation, written for one release."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .._dialects import dialect
from .._reading import v1
from .._reading.changes import KUBELET_IN_CLASSES, fit
from .._reading.manifests import NodeManifests, read_as_far_as_possible
from .._reading.places import Note
from .._upstream.compatibility import check_supported
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..releases import KarpenterVersion, since
from .answer import Answer, lines
from .inputs import (
    note_json,
    problem_json,
    problem_line,
    read_files,
    sorted_problems,
    warning_json,
    warning_line,
)
from .node_checks import NodeChecks
from .yaml_text import yaml_documents

_NEEDS_IDENTITY = since("0.32")


def run(arguments: Namespace) -> Answer:
    """Convert the files."""
    version, cautions = check_supported(arguments.release)
    texts, problems = read_files(arguments.files)
    read, found = read_as_far_as_possible(*texts)
    read = fit(_with_identity(read, arguments, version), version)
    missing = _identity_problems(read, version)
    checks = NodeChecks(_as_if_complete(read) if missing else read, version, arguments.kubernetes_version)
    names = [text.name for text in texts]
    problems = sorted_problems([*problems, *found, *missing, *checks.problems()], names)
    if problems:
        return _refused(problems, arguments)
    manifests = _manifests(read, version)
    notes = _notes(read, version, names)
    cautions = (*cautions, *checks.cautions())
    if arguments.json:
        answer = {
            "manifests": manifests,
            "notes": [note_json(note) for note in notes],
            "warnings": [warning_json(caution, read) for caution in cautions],
        }
        return Answer(0, json.dumps(answer, indent=2) + "\n")
    said = dict.fromkeys([*map(_note_line, notes), *(warning_line(caution, read) for caution in cautions)])
    return Answer(0, yaml_documents(manifests), lines(*said))


def _notes(read: NodeManifests, version: KarpenterVersion, files: Sequence[str]) -> list[Note]:
    """All notes, in the order of the files and their lines."""
    lost = [Note(read.comment, "", "comments are not carried over")] if read.comment else []
    order = {name: index for index, name in enumerate(files)}

    def place(note: Note) -> tuple[int, int]:
        return order[note.location.source], note.location.line or 0

    return sorted([*lost, *read.notes, *_lost_kubelets(read, version)], key=place)


def _lost_kubelets(read: NodeManifests, version: KarpenterVersion) -> Iterator[Note]:
    """Before 1.0 the pools have the kubelet settings of their class: either alone loses them."""
    if version in KUBELET_IN_CLASSES:
        return
    used = {pool.node_class for pool in read.node_pools}
    known = {node_class.name for node_class in read.node_classes}
    for node_class in read.node_classes:
        if node_class.kubelet is not None and node_class.name not in used:
            source, path = read.origin(node_class).locate(("kubelet",))
            yield source.note(
                path,
                "is left out: settings of the pools before Karpenter 1.0, and no pool of the class is in the files; "
                "convert them together",
            )
    for pool in read.node_pools:
        origin = read.origin(pool)
        if pool.node_class not in known and origin.api_version == v1.NODE_POOL.api_version:
            source, path = origin.locate(("node_class",))
            yield source.note(
                path,
                "may have kubelet settings, which pools have before Karpenter 1.0, and is in none of the files; "
                "convert them together",
            )


def _note_line(note: Note) -> str:
    path = f"{note.path}: " if note.path else ""
    return f"{note.location}: note: {path}{note.message}"


def _refused(problems: Sequence[Problem], arguments: Namespace) -> Answer:
    if arguments.json:
        answer = {"problems": [problem_json(problem) for problem in problems]}
        return Answer(1, json.dumps(answer, indent=2) + "\n")
    return Answer(1, errors=lines(*(problem_line(problem) for problem in problems)))


def _with_identity(read: NodeManifests, arguments: Namespace, version: KarpenterVersion) -> NodeManifests:
    """The classes that name no role and no instance profile with those of the arguments."""
    given = {"role": arguments.node_role, "instance_profile": arguments.instance_profile}
    update = {name: value for name, value in given.items() if value is not None}
    if version not in _NEEDS_IDENTITY:
        update.pop("role", None)
    classes = tuple(
        node_class if _has_identity(node_class) or not update else node_class.model_copy(update=update)
        for node_class in read.node_classes
    )
    return replace(read, node_classes=classes)


def _has_identity(node_class: EC2NodeClass) -> bool:
    return node_class.role is not None or node_class.instance_profile is not None


def _as_if_complete(read: NodeManifests) -> NodeManifests:
    """With some role wherever none is named, so that the checks say what else is missing."""
    classes = tuple(
        node_class if _has_identity(node_class) else node_class.model_copy(update={"role": "some"})
        for node_class in read.node_classes
    )
    return replace(read, node_classes=classes)


def _identity_problems(read: NodeManifests, version: KarpenterVersion) -> list[Problem]:
    if version not in _NEEDS_IDENTITY:
        return []
    return [
        read.placed(
            Problem(
                node_class.path, "names neither a role nor an instance profile; give one with --node-role"
            )
        )
        for node_class in read.node_classes
        if not _has_identity(node_class)
    ]


def _manifests(read: NodeManifests, version: KarpenterVersion) -> list[dict[str, Any]]:
    words = dialect(version)
    classes = {node_class.name: node_class for node_class in read.node_classes}
    return [
        *(words.node_class(node_class) for node_class in read.node_classes),
        # A class from elsewhere matters here by its name only.
        *(
            words.node_pool(pool, classes.get(name) or EC2NodeClass(name=name))
            for pool in read.node_pools
            for name in [pool.node_class or ""]
        ),
        *(words.node_overlay(overlay) for overlay in read.node_overlays),
        *(words.capacity_buffer(buffer) for buffer in read.capacity_buffers),
    ]
