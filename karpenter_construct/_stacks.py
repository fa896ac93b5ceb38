"""Which stack waits for which, so that none is made to wait for one that waits for it."""

from __future__ import annotations

from aws_cdk import Stack, Stage
from constructs import IConstruct

from ._tokens import is_unresolved
from .errors import Problem


def outer_stack(construct: IConstruct) -> Stack:
    """The stack that is deployed with the construct; a nested stack is part of its parent."""
    stack = Stack.of(construct)
    while stack.nested_stack_parent is not None:
        stack = stack.nested_stack_parent
    return stack


class StackOrder:
    """The stacks that one Karpenter makes wait for each other.

    CDK finds a circle of stacks only at synth, and then names resources that the user has never heard of.
    """

    def __init__(self) -> None:
        self._paths: dict[IConstruct, str] = {}
        self._stacks: dict[str, Stack] = {}
        self._before: dict[str, set[str]] = {}

    def add(self, construct: IConstruct, *before: IConstruct) -> None:
        """Note that the stack of ``construct`` waits for the stacks of ``before``."""
        own = self._known(construct)
        others = {self._known(other) for other in before} - {own}
        self._before.setdefault(own, set()).update(others)

    def circle(self, construct: IConstruct, *before: IConstruct) -> str | None:
        """The path of a stack among those of ``before`` that waits for the stack of ``construct``, if one does."""
        own = self._known(construct)
        for other in before:
            path = self._known(other)
            if path != own and own in self._all_before(path):
                return path
        return None

    def _known(self, construct: IConstruct) -> str:
        if construct not in self._paths:
            stack = outer_stack(construct)
            self._paths[construct] = stack.node.path
            self._stacks[stack.node.path] = stack
        return self._paths[construct]

    def _all_before(self, path: str) -> set[str]:
        found: set[str] = set()
        waiting = [path]
        while waiting:
            here = waiting.pop()
            declared = {self._known(stack) for stack in self._stacks[here].dependencies}
            new = (self._before.get(here, set()) | declared) - found
            found |= new
            waiting.extend(new)
        return found


def elsewhere_problems(construct: IConstruct, karpenter: IConstruct, path: str) -> list[Problem]:
    """Why nothing that belongs to a Karpenter can be built in the stack of ``construct``."""
    own, other = Stage.of(construct), Stage.of(karpenter)
    own_path, other_path = (stage.node.path if stage is not None else "" for stage in (own, other))
    if own_path != other_path:
        return [
            Problem(
                path,
                f"is in the stage {own_path!r}, its Karpenter in {other_path!r}, and stacks of two stages cannot wait "
                "for each other; use the Karpenter of the same stage",
            )
        ]
    places = [(stack.account, stack.region) for stack in (outer_stack(construct), outer_stack(karpenter))]
    if any(a != b and not is_unresolved((a, b)) for a, b in zip(*places, strict=True)):
        here, there = ("/".join(place) for place in places)
        return [
            Problem(
                path,
                f"is in a stack of {here}, its Karpenter in one of {there}; use a stack of the same account and region",
            )
        ]
    return []
