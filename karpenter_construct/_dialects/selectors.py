"""How a class finds AMIs, subnets and security groups: a list of terms, before 0.32 one map.

The entries of a map must all hold; within ids and owners commas separate alternatives. What a map cannot say
(a security group's name, several terms with tags) has been refused before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._model import Model
from ..node_class import EC2NodeClass
from ..selector_terms import AMISelectorTerm, SecurityGroupSelectorTerm, SubnetSelectorTerm
from .manifest import plain, some


def ami_terms(node_class: EC2NodeClass) -> list[dict[str, Any]]:
    """The terms that are no alias; without any, Karpenter takes the newest AMI of the family."""
    terms: list[dict[str, Any]] = [] if node_class.alias else plain(node_class.ami_selector_terms or ())
    return terms


def selector(terms: Sequence[SubnetSelectorTerm | SecurityGroupSelectorTerm] | None) -> dict[str, Any]:
    """The map for subnets or security groups (karpenter v0.30 docs, ``concepts/node-templates.md``)."""
    known = [term for term in terms or () if isinstance(term, Model)]
    ids = [term.id for term in known if term.id is not None]
    if ids:
        return {"aws-ids": ",".join(ids)}
    return next((dict(term.tags) for term in known if term.tags), {})


def ami_selector(node_class: EC2NodeClass) -> dict[str, Any]:
    """The map for AMIs, empty for the newest AMI of the family (same page)."""
    terms = () if node_class.alias else node_class.ami_selector_terms or ()
    known = [term for term in terms if isinstance(term, AMISelectorTerm)]
    ids = [term.id for term in known if term.id is not None]
    if ids:
        return {"aws::ids": ",".join(ids)}
    return next(
        (
            some(**{"aws::name": term.name or None, "aws::owners": term.owner or None})
            | dict(term.tags or {})
            for term in known
        ),
        {},
    )
