"""Where the user's chart values let the controller run, beside where it has to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .._tokens import is_unresolved
from ..errors import Problem
from ..releases import KarpenterVersion
from .controller_placement import REQUIRED, labels_of_own_nodes, own_conditions, tolerations
from .eks_node_groups import OWN_NODES

_NODEGROUP = "eks.amazonaws.com/nodegroup"
_TERMS = ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
_TO_BE_MADE = "<"

Expression = Mapping[str, object]


def placement_problems(
    version: KarpenterVersion,
    user: Mapping[str, object],
    *,
    expressions: Sequence[Expression],
    needed_tolerations: Sequence[Mapping[str, object]],
    path: str = "helm_values",
) -> Iterator[Problem]:
    """What keeps the controller off its capacity, or puts it on nodes that it manages.

    Args:
        version: The Karpenter release.
        user: The user's values, plain.
        expressions: What the labels of the capacity's nodes say; a value in angle brackets has yet to be made.
        needed_tolerations: What the taints of the capacity's nodes ask for.
        path: How messages call the user's values.
    """
    yield from _toleration_problems(user, needed_tolerations, path)
    yield from _affinity_problems(version, user, expressions, path)
    yield from _selector_problems(user, expressions, path)


def _toleration_problems(
    user: Mapping[str, object], needed: Sequence[Mapping[str, object]], path: str
) -> Iterator[Problem]:
    if "tolerations" not in user:
        return
    given = user["tolerations"]
    # Without a list of ours or the user's, the chart has one.
    listed = tolerations(()) if given is None else given
    if not isinstance(listed, list):
        return
    for taint in needed:
        if taint["effect"] == "PreferNoSchedule" or any(_tolerates(each, taint) for each in listed):
            continue
        text = f"{taint['key']}={taint['value']}" if "value" in taint else taint["key"]
        yield Problem(
            f"{path}.tolerations",
            f"do not tolerate the taint {text}:{taint['effect']} of the controller's nodes, got {given!r}; add "
            f"{dict(taint)!r}",
        )


def _tolerates(given: object, needed: Mapping[str, object]) -> bool:
    """Whether a toleration takes the taint that another was made for (Kubernetes ``ToleratesTaint``)."""
    if not isinstance(given, Mapping):
        return is_unresolved(given)
    parts = {name: given.get(name) or "" for name in ("key", "operator", "value", "effect")}
    if is_unresolved((*parts.values(), *needed.values())):
        return True
    if parts["effect"] not in ("", needed["effect"]) or parts["key"] not in ("", needed["key"]):
        return False
    if parts["operator"] == "Exists":
        return True
    return parts["key"] == needed["key"] and parts["value"] == needed.get("value", "")


def _affinity_problems(
    version: KarpenterVersion, user: Mapping[str, object], expressions: Sequence[Expression], path: str
) -> Iterator[Problem]:
    found: object = user
    for key in _TERMS:
        if not isinstance(found, Mapping) or key not in found:
            return
        found, path = found[key], f"{path}.{key}"
        if found is None:
            # The chart's own term is all there is.
            yield from _missing(version, list(own_conditions(version)), expressions, path, None)
            return
    if isinstance(found, list):
        for index, term in enumerate(found):
            if isinstance(term, Mapping):
                listed = term.get("matchExpressions") or []
                yield from _missing(version, listed, expressions, f"{path}[{index}]", term)


def _missing(
    version: KarpenterVersion, listed: object, expressions: Sequence[Expression], path: str, got: object
) -> Iterator[Problem]:
    """The conditions that a term of the user's, which replaces ours, has dropped."""
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        return
    instead = "leave it out" if got is None else "add it to its matchExpressions"
    for label in labels_of_own_nodes(version):
        if not any(_keeps_off(each, label) for each in listed):
            yield Problem(
                path,
                f"drops {label} DoesNotExist, which keeps the controller off the nodes that it manages, got "
                f"{got!r}; {instead}",
            )
    for needed in _to_be_said(expressions):
        if not any(_is_within(each, needed) for each in listed):
            what_to_do = f"{instead}, or change `controller_capacity`"
            if _is_to_be_made(needed) and got is not None:
                what_to_do = "give the group labels, and name them in its matchExpressions"
            yield Problem(
                path,
                f"drops {needed['key']} In {needed['values']!r}, which keeps the controller on its capacity, got "
                f"{got!r}; {what_to_do}",
            )


def _to_be_said(expressions: Sequence[Expression]) -> list[Expression]:
    """Without the name of a group that has yet to be made, where its labels can stand for it."""
    known = [each for each in expressions if not _is_to_be_made(each)]
    return known or list(expressions)


def _is_to_be_made(expression: Expression) -> bool:
    values = expression["values"]
    return isinstance(values, list) and any(str(value).startswith(_TO_BE_MADE) for value in values)


def _keeps_off(given: Expression, label: str) -> bool:
    key, operator = given.get("key"), given.get("operator")
    if is_unresolved((key, operator)):
        return True
    # Nodes of a managed node group are none of Karpenter's.
    return (key, operator) == (label, "DoesNotExist") or (key == _NODEGROUP and operator in ("In", "Exists"))


def _is_within(given: Expression, needed: Expression) -> bool:
    """Whether an expression allows no more than another."""
    key, operator, values = (given.get(name) for name in ("key", "operator", "values"))
    if is_unresolved((key, operator)) or (key == needed["key"] and is_unresolved((values, needed["values"]))):
        return True
    allowed = needed["values"]
    return (
        (key, operator) == (needed["key"], "In")
        and isinstance(values, list)
        and isinstance(allowed, list)
        and all(value in allowed for value in values)
    )


def _selector_problems(
    user: Mapping[str, object], expressions: Sequence[Expression], path: str
) -> Iterator[Problem]:
    selector = user.get("nodeSelector")
    for key, value in selector.items() if isinstance(selector, Mapping) else ():
        if value is None or is_unresolved((key, value)):
            continue
        needed = next((each["values"] for each in expressions if each["key"] == key), None)
        if key in OWN_NODES:
            message = "selects nodes that the controller manages, and it stays off them"
        elif key == "kubernetes.io/os" and value != "linux":
            message = "selects nodes of another system, and the image of the controller is for Linux"
        elif isinstance(needed, list) and not is_unresolved(needed) and value not in needed:
            message = (
                f"selects other nodes than `controller_capacity`, which have {' or '.join(map(repr, needed))}"
            )
        else:
            continue
        yield Problem(f"{path}.nodeSelector[{key!r}]", f"{message}, got {value!r}; leave it out")
