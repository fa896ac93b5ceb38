"""What CloudFormation makes before a resource, and deletes after it: all that it refers to or depends on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from aws_cdk import Stack
from aws_cdk.assertions import Template

_SUB_REFERENCE = re.compile(r"\$\{([A-Za-z0-9]+)[.}]")


class Dependencies:
    """The resources of some stacks, and what each waits for.

    A resource is named by its logical id without ``Karpenter`` in front and without CDK's hash, one of another
    stack has that stack's name and a slash in front.
    """

    def __init__(self, home: Stack, *others: Stack) -> None:
        self._templates = {
            stack.stack_name: Template.from_stack(stack).to_json() for stack in (home, *others)
        }
        self._home = home.stack_name

    def of(self, name: str) -> set[str]:
        """Everything that the resource of that name waits for, near and far."""
        [start] = [each for each in self._all() if self._name(each) == name]
        found: set[tuple[str, str]] = set()
        waiting = [start]
        while waiting:
            new = set(self._next(waiting.pop())) - found
            found |= new
            waiting.extend(new)
        return {self._name(each) for each in found}

    @property
    def names(self) -> set[str]:
        """The names of all resources."""
        return {self._name(each) for each in self._all()}

    def _all(self) -> Iterator[tuple[str, str]]:
        for stack, template in self._templates.items():
            yield from ((stack, logical_id) for logical_id in template["Resources"])

    def _name(self, resource: tuple[str, str]) -> str:
        stack, logical_id = resource
        short = re.sub(r"^Karpenter|[0-9A-F]{8}$", "", logical_id)
        return short if stack == self._home else f"{stack}/{short}"

    def _next(self, resource: tuple[str, str]) -> Iterator[tuple[str, str]]:
        stack, logical_id = resource
        for reference in _references(self._templates[stack]["Resources"][logical_id]):
            exporter, exported, _ = reference.partition(":Exports")
            if exported:
                # A stack goes as a whole after those that import from it.
                yield from ((exporter, each) for each in self._templates[exporter]["Resources"])
            elif reference in self._templates[stack]["Resources"]:
                yield stack, reference


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in {"Ref", "DependsOn", "Fn::ImportValue"}:
                yield from [item] if isinstance(item, str) else item
            elif key == "Fn::GetAtt":
                yield item[0]
            elif key == "Fn::Sub":
                yield from _SUB_REFERENCE.findall(item if isinstance(item, str) else item[0])
            yield from _references(item)
