"""What a stack applies to its cluster, as plain data."""

from __future__ import annotations

import json
from typing import Any

from aws_cdk import Stack
from aws_cdk.assertions import Match, Template

from karpenter_construct import SettingsError

MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


def resources(stack: Stack) -> dict[str, dict[str, Any]]:
    """The resources of a stack."""
    found: dict[str, dict[str, Any]] = Template.from_stack(stack).to_json().get("Resources", {})
    return found


def manifests(stack: Stack) -> dict[str, dict[str, Any]]:
    """The Kubernetes objects of a stack, by logical id; a reference in one is ``<Id>`` or ``<Id.Attribute>``."""
    return _manifests(resources(stack))


def _manifests(found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {
        logical_id: body
        for logical_id, resource in found.items()
        if resource["Type"] == MANIFEST
        for body in json.loads(_text(resource["Properties"]["Manifest"]))
    }


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "".join(part if isinstance(part, str) else _reference(part) for part in value["Fn::Join"][1])


def _reference(part: dict[str, Any]) -> str:
    ((function, argument),) = part.items()
    return f"<{argument if function in {'Ref', 'Fn::ImportValue'} else '.'.join(argument)}>"


def applied(stack: Stack) -> list[str]:
    """The objects of a stack, each as ``Kind name`` or ``Kind namespace/name``, sorted."""
    return sorted(
        " ".join((body["kind"], "/".join(filter(None, (meta.get("namespace"), meta["name"])))))
        for body in manifests(stack).values()
        for meta in [body["metadata"]]
    )


def waits_for(stack: Stack, kind: str, name: str) -> list[str]:
    """The logical ids, without CDK's hash, that the resource of an object names in ``DependsOn``."""
    found = resources(stack)
    ids = [
        logical_id
        for logical_id, body in _manifests(found).items()
        if (body["kind"], body["metadata"]["name"]) == (kind, name)
    ]
    assert len(ids) == 1, f"{len(ids)} objects {kind} {name}"
    return [depended[:-8] for depended in found[ids[0]].get("DependsOn", [])]


def warnings(stack: Stack) -> list[str]:
    """The warnings on a stack and below, each with its id at the end."""
    from aws_cdk.assertions import Annotations  # noqa: PLC0415

    found = Annotations.from_stack(stack).find_warning("*", Match.any_value())
    return sorted(entry.entry.data for entry in found)


def lines(error: SettingsError) -> list[str]:
    """One line for each problem."""
    return [str(problem) for problem in error.problems]
