"""What the controller's pods stand on, as far as the stack of Karpenter makes it: nodes, network, DNS.

CloudFormation knows nothing of it. It would delete a node group while the controller on it still drains nodes, and
the class of these nodes would wait for a controller that has gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import jsii
from aws_cdk import Stack
from constructs import Construct, Dependable, IConstruct, IDependable

from .survey import Survey, Tree

NETWORK_ADDONS = ("vpc-cni", "kube-proxy")
DNS_ADDON = "coredns"


def looked_up(tree: Tree, scope: Construct, select: Callable[[Survey], Sequence[Construct]]) -> IDependable:
    """What ``select`` finds at synth in the stack of ``scope``, outside ``scope``, to depend on."""
    lookup = _Lookup(tree, scope, select)
    Dependable.implement(lookup, lookup)
    return lookup


@jsii.implements(IDependable)
class _Lookup(Dependable):
    """Looks when CDK wants to know, so that the order of an app's statements does not matter."""

    def __init__(self, tree: Tree, scope: Construct, select: Callable[[Survey], Sequence[Construct]]) -> None:
        super().__init__()
        self._tree = tree
        self._scope = scope
        self._select = select

    @property
    def dependency_roots(self) -> list[IConstruct]:
        found = self._select(self._tree.survey(without=self._scope))
        # Which of two stacks goes first is settled: that of the cluster is the last.
        stacks = set(_own_and_outer(Stack.of(self._scope)))
        return [construct for construct in found if Stack.of(construct).node.path in stacks]


def _own_and_outer(stack: Stack) -> Iterator[str]:
    yield stack.node.path
    if stack.nested_stack_parent is not None:
        yield from _own_and_outer(stack.nested_stack_parent)
