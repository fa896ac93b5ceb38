"""Builds one noun in an app of its own, and reads its template: intrinsics, and what is hard-coded."""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Callable, Mapping
from typing import Any

from aws_cdk import Environment, Stack, assertions
from constructs import Construct

from .clusters import ACCOUNT, stack

CHINA = Environment(account=ACCOUNT, region="cn-north-1")
GOVCLOUD = Environment(account=ACCOUNT, region="us-gov-west-1")
PSEUDO = {
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::AccountId": ACCOUNT,
    "AWS::URLSuffix": "amazonaws.com",
}
SAME_EVERYWHERE = {
    "events.amazonaws.com",
    "eks-fargate-pods.amazonaws.com",
    "lambda.amazonaws.com",
    "pods.eks.amazonaws.com",
    "spot.amazonaws.com",
    "sts.amazonaws.com",
}
"""The service names that are the same in every partition."""

Resources = dict[str, dict[str, Any]]


def resources(build: Callable[[Construct], object], *, env: Environment | None = None) -> Resources:
    """The resources that ``build`` makes in a scope called Karpenter, by logical id without CDK's hash."""
    home = stack(env=env)
    build(Construct(home, "Karpenter"))
    return of_stack(home)


def of_stack(home: Stack) -> Resources:
    """The resources of a stack; ids, in references too, lose ``Karpenter`` in front and CDK's hash."""
    found = assertions.Template.from_stack(home).to_json().get("Resources", {})
    text = json.dumps(found)
    for logical_id in found:
        text = text.replace(f'"{logical_id}"', f'"{_short(logical_id)}"')
    shortened: Resources = json.loads(text)
    assert len(shortened) == len(found), "two logical ids differ in their hash only"
    return shortened


def _short(logical_id: str) -> str:
    return re.sub(r"^Karpenter|[0-9A-F]{8}$", "", logical_id)


def kinds(found: Resources) -> dict[str, str]:
    """The type of each resource."""
    return {logical_id: body["Type"] for logical_id, body in found.items()}


def document(value: Any, known: Mapping[str, str] | None = None) -> Any:
    """The IAM document that is deployed, whether the template has an object or a string for it.

    Args:
        value: The property.
        known: What references stand for: ``Cluster`` or ``Provider.Arn``.
    """
    deployed = resolved(value, PSEUDO if known is None else ChainMap(known, PSEUDO))
    return json.loads(deployed) if isinstance(deployed, str) else deployed


def resolved(value: Any, known: Mapping[str, str]) -> Any:
    """The value with its intrinsic functions worked out."""
    if isinstance(value, list):
        return [resolved(item, known) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (function := _FUNCTIONS.get(next(iter(value)))):
        return function(next(iter(value.values())), known)
    return {key: resolved(item, known) for key, item in value.items()}


def _sub(argument: Any, known: Mapping[str, str]) -> str:
    text, variables = argument if isinstance(argument, list) else (argument, {})
    assert all(f"${{{name}}}" in text for name in variables), "a variable that is not used"
    names = ChainMap(resolved(variables, known), known)
    return re.sub(r"\$\{([^!}]+)\}", lambda match: names[match[1]], text).replace("${!", "${")


def _select(argument: Any, known: Mapping[str, str]) -> Any:
    return resolved(argument[1], known)[int(argument[0])]


def _split(argument: Any, known: Mapping[str, str]) -> list[str]:
    return resolved(argument[1], known).split(argument[0])


_FUNCTIONS: dict[str, Callable[[Any, Mapping[str, str]], Any]] = {
    "Ref": lambda name, known: known[name],
    "Fn::GetAtt": lambda path, known: known[".".join(path)],
    "Fn::ImportValue": lambda name, known: known[name],
    "Fn::Join": lambda argument, known: argument[0].join(resolved(argument[1], known)),
    "Fn::Select": _select,
    "Fn::Split": _split,
    "Fn::Sub": _sub,
}


def hard_coded(found: Resources) -> set[str]:
    """Partitions and service names in the template that hold in some partitions only."""
    text = json.dumps(found)
    arns = set(re.findall(r"arn:aws[a-z-]*:", text))
    return arns | set(re.findall(r"[a-z0-9.-]+\.amazonaws\.com(?:\.cn)?", text)) - SAME_EVERYWHERE
