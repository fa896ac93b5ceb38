"""AMIs: an alias names an AMI family and a version of its image; before 1.0 only the family can be said."""

from __future__ import annotations

from ..node_class import AMIFamily, EC2NodeClass
from ..selector_terms import AMISelectorTerm

# karpenter-provider-aws v1.14.1, pkg/apis/v1 AMISelectorTerm.alias: the family in lower case.
_FAMILY_BY_ALIAS = {
    str(family).lower(): str(family)
    for family in AMIFamily
    if family not in {AMIFamily.CUSTOM, AMIFamily.UBUNTU}
}
_ALIAS_BY_FAMILY = {family: alias for alias, family in _FAMILY_BY_ALIAS.items()}


def alias(node_class: EC2NodeClass) -> str | None:
    """The alias that the class names, as its ``ami`` or as its one selector term."""
    if node_class.ami is not None:
        return node_class.ami
    terms = node_class.ami_selector_terms or ()
    return next((term.alias for term in terms if isinstance(term, AMISelectorTerm) and term.alias), None)


def family(node_class: EC2NodeClass) -> str | None:
    """The AMI family of the class: the one it names, or its alias's; ``None`` where neither can be read."""
    if node_class.ami_family is not None:
        return node_class.ami_family
    return _FAMILY_BY_ALIAS.get((alias(node_class) or "").partition("@")[0])


def terms_without_alias(node_class: EC2NodeClass) -> tuple[AMISelectorTerm, ...]:
    """The selector terms of the class where they are no alias; without any, it is the family's newest AMI."""
    return () if alias(node_class) else tuple(node_class.ami_selector_terms or ())


def terms_with_alias(node_class: EC2NodeClass) -> tuple[AMISelectorTerm, ...]:
    """The selector terms of the class as v1 has them; a family alone becomes the alias of its newest AMI."""
    if node_class.ami is not None:
        return (AMISelectorTerm(alias=node_class.ami),)
    if node_class.ami_selector_terms:
        return tuple(node_class.ami_selector_terms)
    newest = _ALIAS_BY_FAMILY.get(node_class.ami_family or "")
    return (AMISelectorTerm(alias=f"{newest}@latest"),) if newest else ()
