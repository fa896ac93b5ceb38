"""The images of a node class: aliases, their families, and which of them a release and Kubernetes have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._fields import suggestion
from .._tokens import is_unresolved
from .._upstream.kubernetes import FIRST_WITHOUT_AL2, KubernetesVersion
from ..errors import Problem
from ..node_class import ALIAS_FAMILIES, AMIFamily, EC2NodeClass
from ..releases import KarpenterVersion, since
from .rule import Rule, broken
from .windows import windows_of

_ALIASES = since("1.0")

_DATE = r"v20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
# What stands in the names of the SSM parameters that the controller reads (provider-aws pkg/providers/amifamily); of
# Bottlerocket's version it drops the "v".
_VERSIONS = {
    "al2": (_DATE, "v20240807"),
    "al2023": (_DATE, "v20260810"),
    "bottlerocket": (r"v?[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-f]{7,8})?", "v1.20.3"),
}

_RULES: tuple[Rule[EC2NodeClass], ...] = (
    Rule(
        lambda c: c.ami is not None and c.ami_selector_terms is not None,
        "is short for one term of ami_selector_terms",
        "give one of the two",
        field="ami",
    ),
    Rule(
        lambda c: (
            any(term.alias for term in c.ami_selector_terms or ()) and len(c.ami_selector_terms or ()) > 1
        ),
        "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms",
        "keep the alias alone, or drop it",
        field="ami_selector_terms",
    ),
    Rule(
        lambda c: c.ami_family is None and c.ami_selector_terms and c.alias is None,
        "must specify amiFamily if amiSelectorTerms does not contain an alias",
        "give ami_family, as in 'AL2023'",
    ),
    Rule(
        lambda c: c.ami_family == "Custom" and c.ami is None and not c.ami_selector_terms,
        "amiSelectorTerms is required when amiFamily == 'Custom'",
        "say which AMI in ami_selector_terms",
    ),
)


def image_problems(
    node_class: EC2NodeClass, path: str, version: KarpenterVersion, kubernetes_version: str | None
) -> Iterator[Problem]:
    """What is wrong with how a node class names its images."""
    if is_unresolved(node_class.ami_selector_terms):
        return
    yield from broken(_RULES, node_class, path, version)
    alias = node_class.alias
    if alias is None or is_unresolved(alias):
        return
    here = f"{path}.{_alias_field(node_class)}"
    messages = [
        _family_message(alias, version),
        _version_message(alias, version),
        _kubernetes_message(alias, kubernetes_version),
    ]
    yield from (Problem(here, message) for message in messages if message)
    yield from _conflict(node_class, alias, path, version)


def _alias_field(node_class: EC2NodeClass) -> str:
    if node_class.ami is not None:
        return "ami"
    for index, term in enumerate(node_class.ami_selector_terms or ()):
        if term.alias is not None:
            return f"ami_selector_terms[{index}].alias"
    return "ami_family"


def _family_message(alias: str, version: KarpenterVersion) -> str | None:
    word = alias.partition("@")[0]
    windows = windows_of(AMIFamily)
    if word in ALIAS_FAMILIES:
        window = windows[ALIAS_FAMILIES[word]]
        return None if version in window else f"{word!r} {window.requirement(version)}"
    words = tuple(name for name, family in ALIAS_FAMILIES.items() if version in windows[family])
    listed = ", ".join(map(repr, words))
    hint = suggestion(word, words) or "select other AMIs by id, name or tags"
    return f"family is not supported, must be one of the following: {listed}, got {alias!r}; {hint}"


def _version_message(alias: str, version: KarpenterVersion) -> str | None:
    word, _, image = alias.partition("@")
    if image == "latest":
        return None
    if word.startswith("windows"):
        return f"windows families may only specify version 'latest', got {alias!r}; write '{word}@latest'"
    if word in _VERSIONS and not _names_image(word, image):
        return f"names no image that there can be, got {alias!r}; write {_repaired(word, image)!r}"
    if version not in _ALIASES:
        requirement = _ALIASES.requirement(version)
        return f"a pinned image {requirement}, got {alias!r}; write '{word}@latest', or select AMIs by id"
    return None


def _names_image(word: str, image: str) -> bool:
    return image == "latest" or re.fullmatch(_VERSIONS[word][0], image) is not None


def _repaired(word: str, image: str) -> str:
    """The alias that may have been meant, else one that there is."""
    first = image.partition("@")[0].strip().lower()
    found = (each for each in (first, f"v{first}") if _names_image(word, each))
    return f"{word}@{next(found, _VERSIONS[word][1])}"


def _kubernetes_message(alias: str, kubernetes_version: str | None) -> str | None:
    known = KubernetesVersion.parse(kubernetes_version) if kubernetes_version else None
    if alias.partition("@")[0] != "al2" or known is None or known < FIRST_WITHOUT_AL2:
        return None
    return f"AL2 ends before Kubernetes {FIRST_WITHOUT_AL2}, the cluster has {known}; write 'al2023@latest'"


def _conflict(
    node_class: EC2NodeClass, alias: str, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    of_alias, given = ALIAS_FAMILIES.get(alias.partition("@")[0]), node_class.ami_family
    if given is None or of_alias is None or given == of_alias or is_unresolved(given):
        return
    if version in _ALIASES and given == "Custom":
        return
    article = "an" if of_alias.startswith("A") else "a"
    choices = f"'{of_alias}' or 'Custom'" if version in _ALIASES else f"'{of_alias}'"
    yield Problem(
        f"{path}.ami_family",
        f"if set, amiFamily must be {choices} when using {article} {of_alias} alias, got {given!r}; "
        "leave it out",
    )
