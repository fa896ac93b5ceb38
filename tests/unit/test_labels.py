"""The tables of label keys and instance families."""

from __future__ import annotations

import re

import pytest

from karpenter_construct import requirements
from karpenter_construct._upstream.instance_types import (
    CATEGORIES,
    CATEGORY,
    FAMILIES,
    FAMILY,
    NEWEST_GENERATION,
    SIZE,
    SIZES,
    TYPE,
    type_names,
)
from karpenter_construct._upstream.labels import WELL_KNOWN


def public_keys() -> list[str]:
    return [
        value
        for name, value in vars(requirements).items()
        if name[0] != "_" and name.isupper() and isinstance(value, str)
    ]


def test_every_public_key_is_well_known_but_the_pools_own():
    assert [key for key in public_keys() if key not in WELL_KNOWN] == ["karpenter.sh/nodepool"]


def test_every_well_known_key_is_public_but_old_spellings():
    assert sorted(set(WELL_KNOWN) - set(public_keys())) == [
        "beta.kubernetes.io/arch",
        "beta.kubernetes.io/instance-type",
        "beta.kubernetes.io/os",
        "failure-domain.beta.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "karpenter.k8s.aws/instance-pods",
    ]


@pytest.mark.parametrize(
    ("name", "category", "generation", "arch"),
    [
        ("m7i-flex", "m", 7, "amd64"),
        ("c7gn", "c", 7, "arm64"),
        ("im4gn", "im", 4, "arm64"),
        ("g5", "g", 5, "amd64"),
        ("g5g", "g", 5, "arm64"),
        ("a1", "a", 1, "arm64"),
        ("u-6tb1", "u", 1, "amd64"),
        ("u7i-12tb", "u", 7, "amd64"),
        ("p6-b200", "p", 6, "amd64"),
        ("p6e-gb200", "p", 6, "arm64"),
        ("gr6f", "gr", 6, "amd64"),
    ],
)
def test_a_familys_name_tells(name, category, generation, arch):
    family = FAMILIES[name]
    assert (family.category, family.generation, family.arch) == (category, generation, arch)


def test_families_have_their_sizes():
    assert FAMILIES["t3"].sizes == {"nano", "micro", "small", "medium", "large", "xlarge", "2xlarge"}
    assert FAMILIES["p4d"].sizes == {"24xlarge"}


def test_the_categories_are_those_of_upstreams_documentation():
    assert " ".join(sorted(CATEGORIES)) == "a c d dl f g gr h hpc i im inf is m p r t trn u vt x z"


def test_the_newest_generation_and_the_largest_size():
    assert NEWEST_GENERATION == 9
    assert {"nano", "480xlarge", "metal-96xl"} <= SIZES


@pytest.mark.parametrize(
    ("looks", "known"),
    [(CATEGORY, CATEGORIES), (FAMILY, FAMILIES), (SIZE, SIZES), (TYPE, type_names())],
    ids=["categories", "families", "sizes", "types"],
)
def test_what_is_known_looks_as_what_may_come(looks, known):
    assert [name for name in known if re.fullmatch(looks, name) is None] == []


@pytest.mark.parametrize(
    "name", ["mac1", "mac2", "mac2-m1ultra", "mac2-m2pro", "mac-m4", "mac-m4pro", "mac-m4max"]
)
def test_the_macs_look_like_families(name):
    assert re.fullmatch(FAMILY, name)
    assert re.fullmatch(TYPE, f"{name}.metal")


@pytest.mark.parametrize("name", ["m", "mac", "mac-m", "mac-pro", "m-7i", "M7i", "m7i.large"])
def test_what_looks_like_no_family(name):
    assert re.fullmatch(FAMILY, name) is None


def test_the_types_of_a_family():
    assert type_names("p4d") == ("p4d.24xlarge",)
    assert len(type_names("m99")) == len(type_names()) > 1000


@pytest.mark.parametrize(
    ("name", "may_grow"),
    [
        *(
            ("m9g", True),
            ("m8i", True),
            ("m7i", False),
            ("t8i", True),
            ("t3", False),
            ("p5", True),
            ("p4d", False),
        ),
        *(("trn1", True), ("g6", True), ("g5", False), ("u7i-6tb", True), ("u-6tb1", False)),
    ],
)
def test_sizes_may_come_to_the_newest_two_generations_of_a_category(name, may_grow):
    assert FAMILIES[name].may_grow is may_grow


def test_capacity_types_have_the_releases_of_their_values():
    values = WELL_KNOWN[requirements.CAPACITY_TYPE].values
    assert {member.value: member.window for member in requirements.CapacityType} == values
    assert values["reserved"].bounds == (("1.3.0", None),)
