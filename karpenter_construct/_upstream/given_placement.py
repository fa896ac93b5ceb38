"""Where the user's chart values let the controller run, beside where it has to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .._tokens import is_unresolved
from ..errors import Caution, Problem
from ..releases import KarpenterVersion
from .controller_placement import REQUIRED, labels_of_own_nodes, own_conditions, tolerations
from .eks_node_groups import OWN_NODES
from .helm_values import is_to_be_made

# The label of node groups made for a controller; Karpenter refuses it in a pool, as all of its domain.
_CONTROLLER = "karpenter.sh/controller"
_NONE_OF_KARPENTERS = (_CONTROLLER,)
# What EKS and eksctl say of the nodes of their groups.
_DOMAINS_OF_OTHERS = ("eks.amazonaws.com/", "alpha.eksctl.io/")
_EACH_OF_KARPENTERS = ("karpenter.sh/capacity-type", "karpenter.sh/initialized", "karpenter.sh/registered")
_TERMS = ("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")

Expression = Mapping[str, object]


def placement_problems(
    user: Mapping[str, object],
    *,
    expressions: Sequence[Expression],
    needed_tolerations: Sequence[Mapping[str, object]],
    path: str = "helm_values",
) -> Iterator[Problem]:
    """What keeps the controller off its capacity, or puts it on nodes that it manages.

    Args:
        user: The user's values, plain.
        expressions: What the labels of the capacity's nodes say; a value in angle brackets has yet to be made.
        needed_tolerations: What the taints of the capacity's nodes ask for.
        path: How messages call the user's values.
    """
    yield from _shape_problems(user, path)
    yield from _toleration_problems(user, needed_tolerations, path)
    yield from _affinity_problems(user, expressions, path)
    yield from _selector_problems(user, expressions, path)


_SHAPES: tuple[tuple[str, type, str], ...] = (
    ("affinity", Mapping, "map"),
    ("nodeSelector", Mapping, "map"),
    ("tolerations", list, "list"),
)


def _shape_problems(user: Mapping[str, object], path: str) -> Iterator[Problem]:
    """Values that the chart would write into the pod as they are, and Kubernetes refuse."""
    for key, shape, word in _SHAPES:
        given = user.get(key)
        if given is not None and not isinstance(given, shape) and not is_unresolved(given):
            yield Problem(f"{path}.{key}", f"is no {word}, got {given!r}; write it as in a pod's spec")


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
    user: Mapping[str, object], expressions: Sequence[Expression], path: str
) -> Iterator[Problem]:
    selected = _selected(user)
    for place, term in _terms(user, path):
        listed = _expressions(term)
        if listed is not None:
            yield from _missing([*listed, *selected], expressions, place, term)


def _terms(user: Mapping[str, object], path: str) -> Iterator[tuple[str, Mapping[str, object] | None]]:
    """The terms of the user's, which replace ours, and the place of each; ``None`` leaves the chart's own."""
    found: object = user
    for key in _TERMS:
        if not isinstance(found, Mapping) or key not in found:
            return
        found, path = found[key], f"{path}.{key}"
        if found is None:
            yield path, None
            return
    for index, term in enumerate(found if isinstance(found, list) else ()):
        if isinstance(term, Mapping):
            yield f"{path}[{index}]", term


def _expressions(term: Mapping[str, object] | None) -> list[Expression] | None:
    """The expressions of a term; ``None`` where only the deployment, or Kubernetes, can tell."""
    listed = (term or {}).get("matchExpressions") or []
    known = isinstance(listed, list) and all(isinstance(each, Mapping) for each in listed)
    return listed if known else None  # type: ignore[return-value]


def _selected(user: Mapping[str, object]) -> list[Expression]:
    """What the user's node selector says besides: Kubernetes asks for both."""
    selector = user.get("nodeSelector")
    items = selector.items() if isinstance(selector, Mapping) else ()
    return [{"key": key, "operator": "In", "values": [value]} for key, value in items if value is not None]


def _missing(
    listed: Sequence[Expression], expressions: Sequence[Expression], path: str, term: object
) -> Iterator[Problem]:
    """What a term of the user's no longer says of the capacity."""
    instead = "leave it out" if term is None else "add it to its matchExpressions"
    for needed in _to_be_said(expressions):
        if any(_is_within(each, needed) for each in listed):
            continue
        what_to_do = f"{instead}, or change `controller_capacity`"
        said = f"In {needed['values']!r}"
        if is_to_be_made(needed["values"]):
            said = "In the name of the node group made here"
            if term is not None:
                what_to_do = "give the group labels, and name them in its matchExpressions"
        yield Problem(
            path,
            f"drops {needed['key']} {said}, which keeps the controller on its capacity, got {term!r}; {what_to_do}",
        )


def _to_be_said(expressions: Sequence[Expression]) -> list[Expression]:
    """Without the name of a group that has yet to be made, where its labels can stand for it."""
    known = [each for each in expressions if not is_to_be_made(each["values"])]
    return known or list(expressions)


def placement_cautions(
    version: KarpenterVersion,
    user: Mapping[str, object],
    *,
    labels: Iterable[str],
    path: str = "helm_values",
) -> Iterator[Caution]:
    """A warning for each term that lets the controller run on nodes that it manages.

    Args:
        version: The Karpenter release.
        user: The user's values, plain.
        labels: The labels of the capacity's nodes.
        path: How messages call the user's values.
    """
    ours = (*_NONE_OF_KARPENTERS, *labels)
    theirs = (*_EACH_OF_KARPENTERS, *labels_of_own_nodes(version))
    selected = _selected(user)
    for place, term in _terms(user, path):
        listed = _expressions(term)
        # Without expressions a term matches no node, or those that it names.
        if listed and not any(_keeps_off(each, ours, theirs) for each in (*listed, *selected)):
            yield Caution(
                "karpenter-construct:controllerOnOwnNodes",
                f"`{place}`: lets the controller run on nodes that it manages, and it may take its own node away; add "
                f"{own_conditions(version)[-1]!r} to its matchExpressions.",
            )


def _keeps_off(given: Expression, ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether no node of Karpenter's meets an expression, as far as can be told."""
    key, operator = given.get("key"), given.get("operator")
    if is_unresolved((key, operator)):
        return True
    if operator == "DoesNotExist":
        return key in theirs
    return operator in ("In", "Exists") and (key in ours or str(key).startswith(_DOMAINS_OF_OTHERS))


def _is_within(given: Expression, needed: Expression) -> bool:
    """Whether an expression allows no more than another."""
    key, operator, values = (given.get(name) for name in ("key", "operator", "values"))
    if is_unresolved((key, operator)) or (key == needed["key"] and is_unresolved((values, needed["values"]))):
        return True
    if key == needed["key"] == _CONTROLLER and operator == "Exists":
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
            have = " or ".join(map(repr, needed))
            message = "selects other nodes than `controller_capacity`" + (
                "" if is_to_be_made(needed) else f", which have {have}"
            )
        else:
            continue
        yield Problem(f"{path}.nodeSelector[{key!r}]", f"{message}, got {value!r}; leave it out")
