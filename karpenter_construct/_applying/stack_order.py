"""Which stack waits for which, so that none is made to wait for one that waits for it."""

from __future__ import annotations

from aws_cdk import Stack, Stage
from constructs import IConstruct

from .._tokens import is_unresolved


class StackOrder:
    """The stacks that one Karpenter makes wait for each other.

    CDK finds a circle of stacks only at synth, and then names resources that the user has never heard of. Stacks are
    looked at only where something is built in another place than the Karpenter, and answers about a construct are kept:
    a team's stack is asked about for each of its pools.
    """

    def __init__(self, karpenter: IConstruct) -> None:
        self._karpenter = karpenter
        self._scopes: dict[IConstruct, IConstruct] = {}
        self._added: list[tuple[IConstruct, tuple[IConstruct, ...]]] = []
        self._paths: dict[IConstruct, str] = {}
        self._stacks: dict[str, Stack] = {}
        self._before: dict[str, set[str]] = {}
        self._elsewhere: dict[str, str | None] = {}

    def add(self, construct: IConstruct, *before: IConstruct) -> None:
        """Note that the stack of ``construct`` waits for the stacks of ``before``."""
        self._added.append((construct, before))

    def put(self, construct: IConstruct, scope: IConstruct) -> None:
        """Note that ``construct`` is in the stack of ``scope``."""
        self._scopes[construct] = self._scope(scope)

    def circle(self, construct: IConstruct, before: IConstruct) -> str | None:
        """The path of the stack of ``before`` where that waits for the stack of ``construct``; else ``None``."""
        if self.together(construct, before):
            return None
        path = self._known(before)
        return path if self._known(construct) in self._all_before(path) else None

    def together(self, one: IConstruct, other: IConstruct) -> bool:
        """Whether two constructs are in one stack."""
        return self._scope(one) is self._scope(other) or self._known(one) == self._known(other)

    def elsewhere(self, construct: IConstruct) -> str | None:
        """Why nothing of this Karpenter can be built in the stack of ``construct``; ``None`` where it can."""
        if self._scope(construct) is self._karpenter:
            return None
        path = self._known(construct)
        if path not in self._elsewhere:
            self._elsewhere[path] = self._why_elsewhere(self._stacks[path])
        return self._elsewhere[path]

    def _why_elsewhere(self, stack: Stack) -> str | None:
        home = self._stacks[self._known(self._karpenter)]
        here, there = _stage(stack), _stage(home)
        if here != there:
            return (
                f"is in the stage {here!r}, its Karpenter in {there!r}, and stacks of two stages cannot wait for each "
                "other; use the Karpenter of the same stage"
            )
        places = ((stack.account, stack.region), (home.account, home.region))
        if any(own != other and not is_unresolved((own, other)) for own, other in zip(*places, strict=True)):
            here, there = ("/".join(part for part in place if not is_unresolved(part)) for place in places)
            return f"is in a stack of {here}, its Karpenter in one of {there}; use a stack of the same place"
        return None

    def _scope(self, construct: IConstruct) -> IConstruct:
        """A construct in the same stack: the scope that the construct was put in, or the construct itself."""
        return self._scopes.get(construct, construct)

    def _known(self, construct: IConstruct) -> str:
        scope = self._scope(construct)
        if scope not in self._paths:
            stack = _outer_stack(scope)
            self._paths[scope] = path = stack.node.path
            self._stacks[path] = stack
        return self._paths[scope]

    def _all_before(self, path: str) -> set[str]:
        for construct, before in self._added:
            own = self._known(construct)
            self._before.setdefault(own, set()).update({self._known(other) for other in before} - {own})
        self._added.clear()
        found: set[str] = set()
        waiting = [path]
        while waiting:
            here = waiting.pop()
            # The user may have added dependencies since.
            declared = {self._known(stack) for stack in self._stacks[here].dependencies}
            new = (self._before.get(here, set()) | declared) - found
            found |= new
            waiting.extend(new)
        return found


def _outer_stack(construct: IConstruct) -> Stack:
    """The stack that is deployed with the construct; a nested stack is part of its parent."""
    stack = Stack.of(construct)
    while stack.nested_stack_parent is not None:
        stack = stack.nested_stack_parent
    return stack


def _stage(stack: Stack) -> str:
    stage = Stage.of(stack)
    return "" if stage is None else stage.node.path
