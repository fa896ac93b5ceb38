"""The instance families of EC2, their sizes, and what a family's name says.

From the enumeration InstanceType of the EC2 API as botocore 1.44.8 has it, without the Macs and the first
cluster types, which cannot be nodes. A family that is not here is newer; nothing is claimed about it. Nor is a
size or category that is not here wrong, if it looks like one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SIZES_BY_FAMILIES = (
    (
        "c8a c8g c8gb c8gd c8gn m8a m8g m8gb m8gd m8gn m9g m9gd r8a r8g r8gb r8gd r8gn x8g",
        "medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-24xl "
        "metal-48xl",
    ),
    (
        "c8i c8ib c8id c8in m8i m8ib m8id m8idb m8idn m8in r8i r8ib r8id r8idb r8idn r8in",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge 96xlarge "
        "metal-48xl metal-96xl",
    ),
    (
        "c6g c6gd c7g c7gd c7gn m6g m6gd m7g m7gd r6g r6gd r7g r7gd x2gd",
        "medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal",
    ),
    (
        "c6i c6id c6in i4i m6i m6id m6idn m6in r6i r6id r6idn r6in",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge metal",
    ),
    (
        "m5 m5d m5dn m5n r5 r5b r5d r5dn r5n",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal",
    ),
    (
        "c5a c5ad m5a m5ad r5a r5ad",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge",
    ),
    (
        "hpc6a p5e p5en p6-b200 p6-b300 trn2u",
        "48xlarge",
    ),
    (
        "c7i i7i i8g m7i r7i",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-24xl metal-48xl",
    ),
    (
        "c7i-flex c8i-flex m7i-flex m8i-flex r8i-flex",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge",
    ),
    (
        "dl1 dl2q p3dn p4d p4de",
        "24xlarge",
    ),
    (
        "u7i-12tb u7ib-12tb u7in-16tb u7in-24tb u7in-32tb",
        "224xlarge",
    ),
    (
        "c9g c9gd r9g r9gd",
        "medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-48xl",
    ),
    (
        "gr6f",
        "4xlarge",
    ),
    (
        "t2 t3 t3a t4g",
        "nano micro small medium large xlarge 2xlarge",
    ),
    (
        "u-12tb1 u-18tb1 u-24tb1 u-9tb1",
        "112xlarge metal",
    ),
    (
        "c3 c4 r3",
        "large xlarge 2xlarge 4xlarge 8xlarge",
    ),
    (
        "c6a m6a r6a",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal",
    ),
    (
        "c7a m7a r7a",
        "medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl",
    ),
    (
        "d2 d3 i2",
        "xlarge 2xlarge 4xlarge 8xlarge",
    ),
    (
        "g5 g6 g6e",
        "xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge",
    ),
    (
        "i4g im4gn r4",
        "large xlarge 2xlarge 4xlarge 8xlarge 16xlarge",
    ),
    (
        "c5 c5d",
        "large xlarge 2xlarge 4xlarge 9xlarge 12xlarge 18xlarge 24xlarge metal",
    ),
    (
        "c8ine m8ine",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge",
    ),
    (
        "g3 hpc7g",
        "4xlarge 8xlarge 16xlarge",
    ),
    (
        "g7 g7e",
        "2xlarge 4xlarge 8xlarge 12xlarge 24xlarge 48xlarge",
    ),
    (
        "hpc6id trn1n",
        "32xlarge",
    ),
    (
        "i7ie i8ge",
        "large xlarge 2xlarge 3xlarge 6xlarge 12xlarge 18xlarge 24xlarge 48xlarge metal-24xl metal-48xl",
    ),
    (
        "m5zn z1d",
        "large xlarge 2xlarge 3xlarge 6xlarge 12xlarge metal",
    ),
    (
        "u7i-6tb u7i-8tb",
        "112xlarge",
    ),
    (
        "a1",
        "medium large xlarge 2xlarge 4xlarge metal",
    ),
    (
        "c1",
        "medium xlarge",
    ),
    (
        "c5n",
        "large xlarge 2xlarge 4xlarge 9xlarge 18xlarge metal",
    ),
    (
        "c6gn",
        "medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge",
    ),
    (
        "d3en",
        "xlarge 2xlarge 4xlarge 6xlarge 8xlarge 12xlarge",
    ),
    (
        "f1",
        "2xlarge 4xlarge 16xlarge",
    ),
    (
        "f2",
        "6xlarge 12xlarge 48xlarge",
    ),
    (
        "g2",
        "2xlarge 8xlarge",
    ),
    (
        "g3s",
        "xlarge",
    ),
    (
        "g4ad",
        "xlarge 2xlarge 4xlarge 8xlarge 16xlarge",
    ),
    (
        "g4dn",
        "xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal",
    ),
    (
        "g5g",
        "xlarge 2xlarge 4xlarge 8xlarge 16xlarge metal",
    ),
    (
        "g6f",
        "large xlarge 2xlarge 4xlarge",
    ),
    (
        "gr6",
        "4xlarge 8xlarge",
    ),
    (
        "h1",
        "2xlarge 4xlarge 8xlarge 16xlarge",
    ),
    (
        "hpc7a",
        "12xlarge 24xlarge 48xlarge 96xlarge",
    ),
    (
        "hpc8a",
        "96xlarge",
    ),
    (
        "i3",
        "large xlarge 2xlarge 4xlarge 8xlarge 16xlarge metal",
    ),
    (
        "i3en",
        "large xlarge 2xlarge 3xlarge 6xlarge 12xlarge 24xlarge metal",
    ),
    (
        "inf1",
        "xlarge 2xlarge 6xlarge 24xlarge",
    ),
    (
        "inf2",
        "xlarge 8xlarge 24xlarge 48xlarge",
    ),
    (
        "is4gen",
        "medium large xlarge 2xlarge 4xlarge 8xlarge",
    ),
    (
        "m1",
        "small medium large xlarge",
    ),
    (
        "m2",
        "xlarge 2xlarge 4xlarge",
    ),
    (
        "m3",
        "medium large xlarge 2xlarge",
    ),
    (
        "m4",
        "large xlarge 2xlarge 4xlarge 10xlarge 16xlarge",
    ),
    (
        "m8azn",
        "medium large xlarge 3xlarge 6xlarge 12xlarge 24xlarge metal-12xl metal-24xl",
    ),
    (
        "p2",
        "xlarge 8xlarge 16xlarge",
    ),
    (
        "p3",
        "2xlarge 8xlarge 16xlarge",
    ),
    (
        "p5",
        "4xlarge 48xlarge",
    ),
    (
        "p6e-gb200",
        "36xlarge",
    ),
    (
        "r7iz",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 32xlarge metal-16xl metal-32xl",
    ),
    (
        "t1",
        "micro",
    ),
    (
        "t8i",
        "nano micro small medium",
    ),
    (
        "trn1",
        "2xlarge 32xlarge",
    ),
    (
        "trn2",
        "3xlarge 48xlarge",
    ),
    (
        "u-3tb1",
        "56xlarge",
    ),
    (
        "u-6tb1",
        "56xlarge 112xlarge metal",
    ),
    (
        "u7inh-32tb",
        "480xlarge",
    ),
    (
        "vt1",
        "3xlarge 6xlarge 24xlarge",
    ),
    (
        "x1",
        "16xlarge 32xlarge",
    ),
    (
        "x1e",
        "xlarge 2xlarge 4xlarge 8xlarge 16xlarge 32xlarge",
    ),
    (
        "x2idn",
        "16xlarge 24xlarge 32xlarge metal",
    ),
    (
        "x2iedn",
        "xlarge 2xlarge 4xlarge 8xlarge 16xlarge 24xlarge 32xlarge metal",
    ),
    (
        "x2iezn",
        "2xlarge 4xlarge 6xlarge 8xlarge 12xlarge metal",
    ),
    (
        "x8aedz",
        "large xlarge 3xlarge 6xlarge 12xlarge 24xlarge metal-12xl metal-24xl",
    ),
    (
        "x8i",
        "large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge 64xlarge "
        "96xlarge metal-48xl metal-96xl",
    ),
)

# Karpenter's instanceTypeScheme (pkg/providers/instancetype): category, memory of u types, generation, rest.
_SCHEME = re.compile(r"([a-z]+)(-[0-9]+tb)?([0-9]+)(.*)")


class InstanceFamily(NamedTuple):
    """A family of instance types.

    Attributes:
        name: What stands before the dot, such as ``m7i``.
        category: Its letters, such as ``m``.
        generation: Its number, such as 7.
        arch: ``amd64`` or ``arm64``.
        sizes: What may stand after the dot.
        may_grow: Whether EC2 may still add sizes: it does to the families of a category's newest two generations.
    """

    name: str
    category: str
    generation: int
    arch: str
    sizes: frozenset[str]
    may_grow: bool = False


def _family(name: str, sizes: frozenset[str]) -> InstanceFamily:
    found = _SCHEME.fullmatch(name)
    if found is None:
        raise ValueError(name)
    category, _, generation, rest = found.groups()
    # Graviton is a g after the generation, Grace a "gb" after the dash; a1 came before the rule.
    arm = name == "a1" or rest.startswith("g") or "-gb" in rest
    return InstanceFamily(name, category, int(generation), "arm64" if arm else "amd64", sizes)


def _all_families() -> dict[str, InstanceFamily]:
    families = [
        _family(name, frozenset(sizes.split()))
        for names, sizes in _SIZES_BY_FAMILIES
        for name in names.split()
    ]
    newest: dict[str, int] = {}
    for family in families:
        newest[family.category] = max(newest.get(family.category, 0), family.generation)
    return {
        family.name: family._replace(may_grow=family.generation >= newest[family.category] - 1)
        for family in families
    }


FAMILIES = _all_families()
CATEGORIES = frozenset(family.category for family in FAMILIES.values())
SIZES = frozenset(size for family in FAMILIES.values() for size in family.sizes)
NEWEST_GENERATION = max(family.generation for family in FAMILIES.values())

# What the names look like, of those that are not known here too.
CATEGORY = "[a-z]{1,3}"
SIZE = "nano|micro|small|medium|large|([1-9][0-9]*)?xlarge|metal(-[1-9][0-9]*xl)?"
# With the Macs, of which the newer ones have no generation: mac-m4.
FAMILY = "[a-z]+(-([0-9]+tb|[a-z]+))?[0-9]+[a-z0-9]*(-[a-z0-9]+)*"
TYPE = rf"{FAMILY}\.({SIZE})"


def type_names(family: str = "") -> tuple[str, ...]:
    """The instance types that are known here: all, or those of a family."""
    families = [FAMILIES[family]] if family in FAMILIES else FAMILIES.values()
    return tuple(f"{each.name}.{size}" for each in families for size in sorted(each.sizes))
