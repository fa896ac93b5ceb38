"""How releases before 0.32 select: one map for a list of terms, with commas between alternatives.

The entries of a map must all hold, the parts of one value are alternatives. So a list of terms can be said
as a map where it is everything that a choice of values for each key gives: ids alone, one term, or terms
that differ in one tag.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from .._tokens import is_unresolved
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..releases import KarpenterVersion, until
from ..selector_terms import AMISelectorTerm, SecurityGroupSelectorTerm, SubnetSelectorTerm

T = TypeVar("T")
Selector = dict[str, str]

_HAS_MAPS = until("0.32")
_IDS = "aws-ids"
_AMI_IDS = "aws::ids"
_AMI_OWNERS = "aws::owners"
_AMI_NAME = "aws::name"
# The keys that are no tags (karpenter v0.30 docs, concepts/node-templates.md).
_SPECIAL = frozenset({_IDS, _AMI_IDS, _AMI_OWNERS, _AMI_NAME})

_NO_MAP = "cannot be said as one selector, which is all that Karpenter has before 0.32"
_FIX = "give ids alone, or terms that differ in one tag"


def subnet_selector(terms: Iterable[SubnetSelectorTerm] | None) -> Selector | None:
    """The ``subnetSelector`` of an AWSNodeTemplate; ``None`` where no map means what the terms mean."""
    return _one_map([_entries(term.tags, {_IDS: term.id}) for term in _known(terms)], lambda _: True)


def security_group_selector(terms: Iterable[SecurityGroupSelectorTerm] | None) -> Selector | None:
    """The ``securityGroupSelector`` of an AWSNodeTemplate; there is no word for a group's name."""
    terms = _known(terms)
    if any(term.name is not None for term in terms):
        return None
    return _one_map([_entries(term.tags, {_IDS: term.id}) for term in terms], lambda _: True)


def ami_selector(terms: Iterable[AMISelectorTerm] | None) -> Selector | None:
    """The ``amiSelector`` of an AWSNodeTemplate; commas are read in ids and owners only."""
    entries = [
        _entries(term.tags, {_AMI_IDS: term.id, _AMI_NAME: term.name, _AMI_OWNERS: term.owner})
        for term in _known(terms)
    ]
    return _one_map(entries, lambda key: key in {_AMI_IDS, _AMI_OWNERS})


def selector_map_problems(
    node_class: EC2NodeClass, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    """A problem for each list of terms that the release, which has maps, cannot say."""
    if version not in _HAS_MAPS:
        return
    subnets, groups = node_class.subnet_selector_terms, node_class.security_group_selector_terms
    amis = [term for term in node_class.ami_selector_terms or () if term.alias is None]
    for field, terms, said, fix in (
        ("subnet_selector_terms", subnets, subnet_selector(subnets), _FIX),
        ("security_group_selector_terms", groups, security_group_selector(groups), _FIX),
        ("ami_selector_terms", amis, ami_selector(amis), "give ids alone, or one term"),
    ):
        if terms and said is None and not is_unresolved(terms):
            yield Problem(f"{path}.{field}", f"{_NO_MAP}, version is {version}; {fix}")


def _known(terms: Iterable[T] | None) -> tuple[T, ...]:
    """The terms, none where a placeholder stands for the whole list."""
    found = tuple(terms or ())
    return () if is_unresolved(found) else found


def _entries(tags: object, special: dict[str, str | None]) -> Selector | None:
    found = dict(tags) if isinstance(tags, dict) else {}
    if _SPECIAL & found.keys():
        return None
    return found | {key: value for key, value in special.items() if value is not None}


def _one_map(terms: Sequence[Selector | None], splits: Callable[[str], bool]) -> Selector | None:
    known = [term for term in terms if term]
    if not known or len(known) < len(terms) or any(term.keys() != known[0].keys() for term in known):
        return None
    values = {key: list(dict.fromkeys(term[key] for term in known)) for key in known[0]}
    distinct = {tuple(sorted(term.items())) for term in known}
    has_ids = any(key in {_IDS, _AMI_IDS} for key in values)
    if math.prod(map(len, values.values())) != len(distinct) or (has_ids and len(values) > 1):
        return None
    if any(len(several) > 1 and not splits(key) for key, several in values.items()):
        return None
    if not all(map(_is_one_word, chain.from_iterable(values.values()))):
        return None
    return {key: ",".join(several) for key, several in values.items()}


def _is_one_word(value: str) -> bool:
    """Whether the controller reads ``value`` as it stands: it splits at commas and strips blanks."""
    return is_unresolved(value) or ("," not in value and value == value.strip())
