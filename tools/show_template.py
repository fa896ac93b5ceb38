"""Prints what a synthesised CDK app would make: a table of resources for each stack, then its node objects.

Usage: ``python tools/show_template.py [cdk.out]``
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

Resource = dict[str, Any]

# Node classes before pools, as they would be applied.
NODE_KINDS = ("AWSNodeTemplate", "EC2NodeClass", "Provisioner", "NodePool", "NodeOverlay", "CapacityBuffer")
KUBERNETES_OBJECT = "Custom::AWSCDK-EKS-KubernetesResource"


def stacks(assembly: Path) -> Iterator[tuple[str, Path]]:
    """Construct path and template file of every stack, those inside stages included."""
    manifest = json.loads((assembly / "manifest.json").read_text(encoding="utf-8"))
    for artifact in manifest["artifacts"].values():
        if artifact["type"] == "aws:cloudformation:stack":
            path = artifact["displayName"].partition(" (")[0]
            yield path, assembly / artifact["properties"]["templateFile"]
        elif artifact["type"] == "cdk:cloud-assembly":
            yield from stacks(assembly / artifact["properties"]["directoryName"])


def resources(template: Path) -> Iterator[Resource]:
    """The resources of a template and of the stacks nested in it."""
    for resource in json.loads(template.read_text(encoding="utf-8")).get("Resources", {}).values():
        yield resource
        if resource["Type"] == "AWS::CloudFormation::Stack":
            yield from resources(template.parent / resource["Metadata"]["aws:asset:path"])


def construct(resource: Resource, stack: str) -> str:
    """The construct directly below the stack that made the resource."""
    path = resource.get("Metadata", {}).get("aws:cdk:path", "")
    return path.removeprefix(f"{stack}/").partition("/")[0].removesuffix(".NestedStack") or "-"


def table(rows: list[tuple[str, str, str]]) -> str:
    """Rows as text, the last column to the right."""
    first, second, third = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = [f"{a:<{first}}  {b:<{second}}  {c:>{third}}" for a, b, c in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def resource_table(found: list[Resource], stack: str) -> str:
    """How many resources of each type each construct makes, in the template's order."""
    counts = Counter((construct(resource, stack), resource["Type"]) for resource in found)
    order = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in counts))}
    ordered = sorted(counts.items(), key=lambda item: order[item[0][0]])
    rows = [(name, kind, str(count)) for (name, kind), count in ordered]
    return table([("Construct", "CloudFormation type", "Count"), *rows, ("", "total", str(len(found)))])


def text(value: object) -> str:
    """A template value as text, what only the deployment knows as ``${Name}`` or ``${Name.Attribute}``."""
    if not isinstance(value, dict):
        return str(value)
    ((function, argument),) = value.items()
    if function == "Fn::Join":
        return str(argument[0]).join(map(text, argument[1]))
    parts = argument if isinstance(argument, list) else [argument]
    return f"${{{'.'.join(map(text, parts))}}}"


def node_objects(found: list[Resource]) -> list[dict[str, Any]]:
    """The Karpenter objects that the resources would apply, node classes first."""
    applied = (r["Properties"]["Manifest"] for r in found if r["Type"] == KUBERNETES_OBJECT)
    objects = [body for manifest in applied for body in json.loads(text(manifest))]
    return sorted(
        (body for body in objects if body.get("kind") in NODE_KINDS),
        key=lambda body: NODE_KINDS.index(body["kind"]),
    )


def main() -> None:
    """Print every stack of the assembly named on the command line."""
    assembly = Path(sys.argv[1] if len(sys.argv) > 1 else "cdk.out")
    for stack, template in stacks(assembly):
        found = list(resources(template))
        print(f"\nStack {stack}\n\n{resource_table(found, stack)}")
        for body in node_objects(found):
            print(f"---\n{yaml.safe_dump(body, sort_keys=False)}", end="")


if __name__ == "__main__":
    main()
