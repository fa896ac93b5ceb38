"""Builds one noun in an app of its own, and reads its template: intrinsics, and what is hard-coded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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


def document(value: dict[str, Any], **variables: str) -> Any:
    """The JSON document that a ``Fn::Sub`` deploys; every variable must be given, and used."""
    text = value["Fn::Sub"]
    declared: dict[str, Any] = {}
    if isinstance(text, list):
        text, declared = text
    assert set(declared) == set(variables)
    assert all(f"${{{name}}}" in text for name in declared)
    for name, known in {**PSEUDO, **variables}.items():
        text = text.replace(f"${{{name}}}", known)
    assert not re.search(r"\$\{[^!]", text), text
    return json.loads(text.replace("${!", "${"))


def hard_coded(found: Resources) -> set[str]:
    """Partitions and service names in the template that hold in some partitions only."""
    text = json.dumps(found)
    arns = set(re.findall(r"arn:aws[a-z-]*:", text))
    return arns | set(re.findall(r"[a-z0-9.-]+\.amazonaws\.com(?:\.cn)?", text)) - SAME_EVERYWHERE
