"""Selector terms: each by itself, as the CRDs see only lists in which every term is wrong; then the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .._fields import shown
from .._model import Model, crd_name
from .._tokens import is_unresolved
from .._upstream.selector_maps import one_map
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..releases import ALWAYS, KarpenterVersion, Window, since, until
from ..selector_terms import AMISelectorTerm, map_entries


class _Kind(NamedTuple):
    """What holds for the terms of one list.

    Attributes:
        field: The list, by the name of the node class's field.
        alone: What the CRDs say of a field that is not alone as it must be, release by release.
        any_of: The fields of which a term needs one, each with the releases that have it.
        exclusive: The fields that stand alone, each with those that may not be beside it.
    """

    field: str
    alone: tuple[tuple[Window, str], ...]
    any_of: dict[str, Window]
    exclusive: dict[str, tuple[str, ...]]


_KINDS = (
    _Kind(
        "ami_selector_terms",
        ((ALWAYS, "with a combination of other fields in amiSelectorTerms"),),
        {"tags": ALWAYS, "id": ALWAYS, "name": ALWAYS, "alias": since("1.0"), "ssm_parameter": since("1.4")},
        {"id": ("alias", "tags", "name", "owner"), "alias": ("id", "tags", "name", "owner", "ssm_parameter")},
    ),
    _Kind(
        "subnet_selector_terms",
        (
            (until("1.3"), "with a combination of other fields in subnetSelectorTerms"),
            (since("1.3"), "with a combination of other fields in a subnet selector term"),
        ),
        {"tags": ALWAYS, "id": ALWAYS},
        {"id": ("tags",)},
    ),
    _Kind(
        "security_group_selector_terms",
        (
            (until("1.3"), "with a combination of other fields in securityGroupSelectorTerms"),
            (since("1.3"), "with a combination of other fields in a security group selector term"),
        ),
        {"tags": ALWAYS, "id": ALWAYS, "name": ALWAYS},
        {"id": ("tags", "name"), "name": ("tags", "id")},
    ),
    _Kind(
        "capacity_reservation_selector_terms",
        (
            (until("1.8"), "along with tags in a capacity reservation selector term"),
            (since("1.8"), "along with other fields in a capacity reservation selector term"),
        ),
        {"tags": ALWAYS, "id": ALWAYS, "instance_match_criteria": since("1.8")},
        {"id": ("tags", "owner_id", "instance_match_criteria")},
    ),
)

_AS_TERMS = since("0.32")
# Before 0.33 a comma in the value of a tag separates alternatives.
_COMMAS = since("0.33")
# The keys of a selector that are no tags (v0.30 docs, concepts/node-templates.md).
_NO_TAGS = frozenset({"aws-ids", "aws::ids", "aws::name", "aws::owners"})
_OWNER_BESIDE_TAGS = until("0.32") | since("0.32.2")


def selector_problems(node_class: EC2NodeClass, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """What is wrong with the selector terms of a node class."""
    for kind in _KINDS:
        terms = getattr(node_class, kind.field)
        here = f"{path}.{kind.field}"
        if terms is None or is_unresolved(terms):
            continue
        if not terms:
            yield Problem(
                here, f"{crd_name(kind.field)} cannot be empty; give at least one term, or leave it out"
            )
        for index, term in enumerate(terms):
            yield from _term_problems(kind, term, f"{here}[{index}]", version)
        yield from _map_problems(kind, terms, here, version)


def _term_problems(kind: _Kind, term: Model, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    given = {name for name in type(term).model_fields if getattr(term, name) is not None}
    names = [name for name, window in kind.any_of.items() if version in window]
    if not any(getattr(term, name) for name in kind.any_of):
        listed = ", ".join(repr(crd_name(name)) for name in names)
        yield Problem(path, f"expected at least one, got none, [{listed}]; give one of them")
    for name, others in kind.exclusive.items():
        if name in given and given & set(others):
            yield _not_alone(kind, name, term, path, version)
            break
    if isinstance(term, AMISelectorTerm) and {"owner", "tags"} <= given and version not in _OWNER_BESIDE_TAGS:
        yield Problem(
            path, "'owner' cannot be set with 'tags'; select by name, or use Karpenter 0.32.2 or later"
        )
    yield from _tag_problems(getattr(term, "tags", None) or {}, f"{path}.tags", version)


def _not_alone(kind: _Kind, name: str, term: Model, path: str, version: KarpenterVersion) -> Problem:
    beside = next(words for window, words in kind.alone if version in window)
    return Problem(
        path,
        f"{name!r} is mutually exclusive, cannot be set {beside}, got {shown(term)}; "
        "give terms of their own to the others",
    )


def _tag_problems(tags: dict[str, str], path: str, version: KarpenterVersion) -> Iterator[Problem]:
    for key, value in tags.items():
        if not key or not value:
            yield Problem(
                f"{path}[{key!r}]",
                f"empty tag keys or values aren't supported, got {value!r}; write '*' for any value",
            )
        elif "," in value and version not in _COMMAS and not is_unresolved(value):
            yield Problem(
                f"{path}[{key!r}]", f"a comma within a value {_COMMAS.requirement(version)}, got {value!r}"
            )


def _map_problems(
    kind: _Kind, terms: Sequence[Model], path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    """Before 0.32 a selector is one map."""
    if version in _AS_TERMS:
        return
    if one_map([map_entries(term) for term in terms]) is None:
        yield Problem(
            path,
            f"a list of such terms {_AS_TERMS.requirement(version)}; give one term, terms of an id each, or every "
            "combination of some values",
        )
    for index, term in enumerate(terms):
        for key in sorted(_NO_TAGS.intersection(getattr(term, "tags", None) or ())):
            yield Problem(
                f"{path}[{index}].tags[{key!r}]",
                f"is read as ids, names or owners, a tag {_AS_TERMS.requirement(version)}; select by another tag",
            )
    if kind.field == "security_group_selector_terms":
        for index, term in enumerate(terms):
            if getattr(term, "name", None) is not None:
                yield Problem(f"{path}[{index}].name", _AS_TERMS.requirement(version))
