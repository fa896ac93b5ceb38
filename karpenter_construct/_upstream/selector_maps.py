"""Selectors before v1beta1: one map, whose entries must all hold, with commas between alternatives.

A list of terms, of which any may hold, is one map where it has every combination of some values
(karpenter-provider-aws v0.31.5, ``pkg/providers/subnet``, ``securitygroup``, ``amifamily``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

ANY = "*"
"""Any value, where it stands alone."""


def one_map(terms: Sequence[Mapping[str, str]]) -> dict[str, str] | None:
    """The map that selects what the terms select together; ``None`` where none does.

    Args:
        terms: The entries of each term.
    """
    keys = list(terms[0]) if terms else []
    if any(term.keys() != set(keys) for term in terms):
        return None
    values = [list(dict.fromkeys(term[key] for term in terms)) for key in keys]
    if any(ANY in each and len(each) > 1 for each in values):
        return None
    combinations = {tuple(term[key] for key in keys) for term in terms}
    if terms and len(combinations) != prod(map(len, values)):
        return None
    return {key: ",".join(each) for key, each in zip(keys, values, strict=True)}
