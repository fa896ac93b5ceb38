"""How a class finds AMIs, subnets and security groups: a list of terms, before 0.32 one map.

What a map cannot say has been refused before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._model import Model
from .._upstream.selector_maps import one_map
from ..node_class import EC2NodeClass
from ..selector_terms import AMISelectorTerm, SecurityGroupSelectorTerm, SubnetSelectorTerm, map_entries
from .manifest import plain


def ami_terms(node_class: EC2NodeClass) -> list[dict[str, Any]]:
    """The terms that are no alias; without any, Karpenter takes the newest AMI of the family."""
    terms: list[dict[str, Any]] = [] if node_class.alias else plain(node_class.ami_selector_terms or ())
    return terms


def selector(terms: Sequence[SubnetSelectorTerm | SecurityGroupSelectorTerm] | None) -> dict[str, str]:
    """The map for subnets or security groups (karpenter v0.30 docs, ``concepts/node-templates.md``)."""
    return one_map([map_entries(term) for term in terms or () if isinstance(term, Model)]) or {}


def ami_selector(node_class: EC2NodeClass) -> dict[str, str]:
    """The map for AMIs, empty for the newest AMI of the family (same page)."""
    terms = () if node_class.alias else node_class.ami_selector_terms or ()
    return one_map([map_entries(term) for term in terms if isinstance(term, AMISelectorTerm)]) or {}
