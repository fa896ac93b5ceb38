"""Requirements and labels: keys by release, operators and their values, and what can never match."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_node_overlay, check_node_pool
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import (
    ARCH,
    CAPACITY_RESERVATION_ID,
    CAPACITY_RESERVATION_INTERRUPTIBLE,
    CAPACITY_RESERVATION_TYPE,
    CAPACITY_TYPE,
    EC2_NODE_CLASS,
    INSTANCE_CAPABILITY_FLEX,
    INSTANCE_CATEGORY,
    INSTANCE_CPU,
    INSTANCE_CPU_MANUFACTURER,
    INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ,
    INSTANCE_EBS_BANDWIDTH,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_HYPERVISOR,
    INSTANCE_SIZE,
    INSTANCE_TENANCY,
    INSTANCE_TYPE,
    NODE_POOL,
    OS,
    PLACEMENT_GROUP_ID,
    PLACEMENT_GROUP_PARTITION,
    ZONE,
    ZONE_ID,
    DoesNotExist,
    Exists,
    Gt,
    Gte,
    In,
    Lt,
    Lte,
    NotIn,
    Requirement,
)

TOKEN = "${Token[Zone.7]}"  # noqa: S105 - a placeholder of CDK


def lines(*requirements: Requirement, version: str = "1.14.1", labels=()) -> list[str]:
    """What the checks say about a pool ``p`` with these requirements and labels."""
    pool = NodePool(name="p", requirements=requirements, labels=dict(labels))
    return [str(problem) for problem in check_node_pool(pool, KarpenterVersion.parse(version), path="p")]


@pytest.mark.parametrize(
    ("requirement", "line"),
    [
        pytest.param(
            In(CAPACITY_TYPE),
            "`p.requirements[0].values`: requirements with operator 'In' must have a value defined, got (); "
            "give at least one value",
            id="In without values",
        ),
        pytest.param(
            NotIn(CAPACITY_TYPE),
            "`p.requirements[0].values`: requirements with operator 'NotIn' must have a value defined, got "
            "(); give at least one value, or leave the requirement out",
            id="NotIn without values",
        ),
        pytest.param(
            Requirement(key=ZONE, operator="Exists", values=["a"]),
            "`p.requirements[0].values`: operators 'Exists' and 'DoesNotExist' take no values, got ('a',); "
            "use 'In' or 'NotIn', or leave the values out",
            id="Exists with a value",
        ),
        pytest.param(
            Requirement(key=INSTANCE_GENERATION, operator="Gt", values=["1", "2"]),
            "`p.requirements[0].values`: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a "
            "single positive integer value, got ('1', '2'); give one whole number",
            id="Gt with two values",
        ),
        pytest.param(
            Lt(INSTANCE_GENERATION, "five"),
            "`p.requirements[0].values`: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a "
            "single positive integer value, got ('five',); give one whole number",
            id="Lt with a word",
        ),
        pytest.param(
            Requirement(key=INSTANCE_GENERATION, operator="Gte"),
            "`p.requirements[0].values`: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a "
            "single positive integer value, got (); give one whole number",
            id="Gte without a value",
        ),
        pytest.param(
            In(INSTANCE_FAMILY, "m5", "m6i", min_values=3),
            "`p.requirements[0].min_values`: requirements with 'minValues' must have at least that many "
            "values specified in the 'values' field, got 3; give more values, or a smaller min_values",
            id="more minimum values than values",
        ),
        pytest.param(
            Gt(ZONE, 5),
            "`p.requirements[0].key`: the values of this label are no numbers, so that none can match, got "
            "'topology.kubernetes.io/zone'; use 'In' or 'NotIn'",
            id="a comparison of what is no number",
        ),
        pytest.param(
            In(CAPACITY_TYPE, "on-demand", "Spot"),
            "`p.requirements[0].values[1]`: 'karpenter.sh/capacity-type' has no such value, got 'Spot'; did "
            "you mean 'spot'?",
            id="a misspelt capacity type",
        ),
        pytest.param(
            In(INSTANCE_CATEGORY, "m5"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-category' has no such value, got "
            "'m5'; did you mean 'm'?",
            id="a family for a category",
        ),
        pytest.param(
            In(INSTANCE_CATEGORY, "compute"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-category' has no such value, got "
            "'compute'; write one as in 'c', 'm' or 'r'",
            id="a word for a category",
        ),
        pytest.param(
            In(INSTANCE_FAMILY, "m5.large"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-family' has no such value, got the "
            "instance type 'm5.large'; require 'node.kubernetes.io/instance-type', or write 'm5'",
            id="a type for a family",
        ),
        pytest.param(
            NotIn(INSTANCE_FAMILY, "m"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-family' has no such value, got 'm'; "
            "did you mean 'm5'?",
            id="a category for a family",
        ),
        pytest.param(
            In(INSTANCE_TYPE, "m5"),
            "`p.requirements[0].values[0]`: 'node.kubernetes.io/instance-type' has no such value, got the "
            "instance family 'm5'; require 'karpenter.k8s.aws/instance-family', or write 'm5.large'",
            id="a family for a type",
        ),
        pytest.param(
            In(INSTANCE_TYPE, "m5.large", "m5.lrage"),
            "`p.requirements[0].values[1]`: 'node.kubernetes.io/instance-type' has no such value, got "
            "'m5.lrage'; did you mean 'm5.large'?",
            id="a misspelt type",
        ),
        pytest.param(
            In("beta.kubernetes.io/instance-type", "m99.lrage"),
            "`p.requirements[0].values[0]`: 'node.kubernetes.io/instance-type' has no such value, got "
            "'m99.lrage'; did you mean 'm9g.large'?",
            id="a misspelt type of a family that is not known",
        ),
        pytest.param(
            In(INSTANCE_SIZE, "0xlarge"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-size' has no such value, got "
            "'0xlarge'; did you mean '10xlarge'?",
            id="a size of nothing",
        ),
        pytest.param(
            NotIn(INSTANCE_SIZE, "2xlrage"),
            "`p.requirements[0].values[0]`: 'karpenter.k8s.aws/instance-size' has no such value, got "
            "'2xlrage'; did you mean '2xlarge'?",
            id="a misspelt size",
        ),
        pytest.param(
            In(ARCH, "x86_64"),
            "`p.requirements[0].values[0]`: 'kubernetes.io/arch' has no such value, got 'x86_64'; use one of "
            "'amd64', 'arm64'",
            id="an architecture by its other name",
        ),
        pytest.param(
            In(INSTANCE_CPU, "four"),
            "`p.requirements[0].values[0]`: values of 'karpenter.k8s.aws/instance-cpu' are whole numbers, "
            "got 'four'",
            id="a word for a number",
        ),
    ],
)
def test_fails_on_a_requirement_that_is_wrong_by_itself(requirement, line):
    assert lines(requirement) == [line]


@pytest.mark.parametrize(
    "requirement",
    [
        In(CAPACITY_TYPE, "spot", "on-demand"),
        In(INSTANCE_FAMILY, "m5", "m6i", min_values=2),
        In(INSTANCE_HYPERVISOR, ""),
        In("example.com/team", "anything-at.all_1"),
        NotIn(INSTANCE_SIZE, "nano", "micro"),
        In(INSTANCE_SIZE, "72xlarge", "metal-72xl", "metal"),
        In(INSTANCE_CATEGORY, "y", "abc"),
        NotIn(INSTANCE_CATEGORY, "y"),
        In(INSTANCE_FAMILY, "m99", "y1abc", "p7-b400", "u9i-64tb"),
        In(INSTANCE_TYPE, "m99.72xlarge", "y1.metal-72xl"),
        In(INSTANCE_TYPE, "m9g.72xlarge"),
        In("karpenter.k8s.aws/instance-gpu-name", "b400"),
        In("karpenter.k8s.aws/instance-gpu-manufacturer", "intel"),
        Exists("example.com/team", min_values=5),
        DoesNotExist("example.com/team"),
        Gt(INSTANCE_GENERATION, 0),
        Gte(INSTANCE_CPU, "4"),
        Lte("example.com/size", 7),
        In(ZONE, TOKEN),
        In(CAPACITY_TYPE, TOKEN),
        In(TOKEN, "x"),
        Gt(INSTANCE_CPU, TOKEN),
        In("node.kubernetes.io/windows-build", "10.0.26100"),
    ],
    ids=repr,
)
def test_passes(requirement):
    assert lines(requirement) == []


# A key, and the first release that takes it among the requirements of a pool.
SINCE = [
    (INSTANCE_CPU_MANUFACTURER, "0.35.12", "0.36.0"),
    (INSTANCE_EBS_BANDWIDTH, "0.36.9", "0.37.0"),
    (ZONE_ID, "0.36.9", "0.37.0"),
    (INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ, "1.0.14", "1.1.0"),
    (EC2_NODE_CLASS, "1.0.14", "1.1.0"),
    (CAPACITY_RESERVATION_ID, "1.2.8", "1.3.0"),
    (CAPACITY_RESERVATION_TYPE, "1.5.8", "1.6.0"),
    (INSTANCE_CAPABILITY_FLEX, "1.6.8", "1.7.0"),
    (INSTANCE_TENANCY, "1.8.8", "1.9.0"),
    (CAPACITY_RESERVATION_INTERRUPTIBLE, "1.9.2", "1.10.0"),
    (PLACEMENT_GROUP_ID, "1.10.2", "1.11.0"),
    (PLACEMENT_GROUP_PARTITION, "1.10.2", "1.11.0"),
]


@pytest.mark.parametrize(("key", "last", "first"), SINCE)
def test_fails_on_a_key_before_the_release_that_knows_it(key, last, first):
    said = f"{key!r} needs Karpenter {first} or later, version is {last}"
    assert lines(Exists(key), version=last) == [f"`p.requirements[0].key`: {said}"]
    assert lines(Exists(key), version=first) == []


@pytest.mark.parametrize(("key", "last", "first"), SINCE)
def test_fails_on_a_label_before_the_release_that_knows_it(key, last, first):
    said = f"{key!r} needs Karpenter {first} or later, version is {last}"
    value = {INSTANCE_CAPABILITY_FLEX: "true", CAPACITY_RESERVATION_INTERRUPTIBLE: "true"}.get(key, "1")
    value = {INSTANCE_TENANCY: "default", CAPACITY_RESERVATION_TYPE: "default"}.get(key, value)
    assert lines(labels={key: value}, version=last) == [f"`p.labels[{key!r}]`: {said}"]
    assert lines(labels={key: value}, version=first) == []


def test_fails_on_reserved_capacity_before_1_3():
    assert lines(In(CAPACITY_TYPE, "reserved"), version="1.2.8") == [
        "`p.requirements[0].values[0]`: 'reserved' needs Karpenter 1.3.0 or later, version is 1.2.8"
    ]
    assert lines(In(CAPACITY_TYPE, "reserved"), version="1.3.0") == []


def test_pods_of_an_instance_are_no_key_any_more():
    key = "karpenter.k8s.aws/instance-pods"
    assert lines(Gt(key, 20), version="0.31.5") == []
    assert lines(Gt(key, 20), version="0.32.0") == [
        f"`p.requirements[0].key`: {key!r} was removed in Karpenter 0.32.0, version is 0.32.0"
    ]


@pytest.mark.parametrize("version", ["0.30.0", "0.37.8", "1.14.1"])
@pytest.mark.parametrize(
    ("key", "said"),
    [
        (
            NODE_POOL,
            'label "karpenter.sh/nodepool" is restricted; leave it out, Karpenter sets it',
        ),
        (
            "kubernetes.io/hostname",
            'label "kubernetes.io/hostname" is restricted; leave it out, every node has its own',
        ),
        (
            "karpenter.sh/provisioner-name",
            "label domain \"karpenter.sh\" is restricted, got 'karpenter.sh/provisioner-name'; use a key of "
            "your own domain",
        ),
        (
            "karpenter.sh/capacitytype",
            "label domain \"karpenter.sh\" is restricted, got 'karpenter.sh/capacitytype'; did you mean "
            "'karpenter.sh/capacity-type'?",
        ),
        (
            "karpenter.k8s.aws/instance-catgory",
            "label domain \"karpenter.k8s.aws\" is restricted, got 'karpenter.k8s.aws/instance-catgory'; did "
            "you mean 'karpenter.k8s.aws/instance-category'?",
        ),
    ],
)
def test_fails_on_a_restricted_key_in_every_release(key, said, version):
    assert lines(Exists(key), version=version) == [f"`p.requirements[0].key`: {said}"]
    assert lines(labels={key: "x"}, version=version) == [f"`p.labels[{key!r}]`: {said}"]


@pytest.mark.parametrize(
    ("key", "domain"),
    [
        ("example.kubernetes.io/x", "kubernetes.io"),
        ("mykubernetes.io/x", "kubernetes.io"),
        ("foo.k8s.io/x", "k8s.io"),
    ],
)
def test_fails_on_a_key_of_kubernetes_own_domains_before_1_9(key, domain):
    said = (
        f'label domain "{domain}" is restricted, got {key!r}; such a key needs Karpenter 1.9.0 or later, '
        "version is 1.8.8"
    )
    assert lines(Exists(key), version="1.8.8") == [f"`p.requirements[0].key`: {said}"]
    assert lines(labels={key: "x"}, version="1.8.8") == [f"`p.labels[{key!r}]`: {said}"]
    assert lines(Exists(key), version="1.9.0") == []
    assert lines(labels={key: "x"}, version="1.9.0") == []


@pytest.mark.parametrize("version", ["0.30.0", "0.32.0", "0.37.8", "1.8.8", "1.14.1"])
@pytest.mark.parametrize(
    "key",
    [
        "node.kubernetes.io/role",
        "node-restriction.kubernetes.io/team",
        "kops.k8s.io/instancegroup",
        "example.com/team",
        "team",
    ],
)
def test_free_keys_pass_in_every_release(key, version):
    assert lines(Exists(key), version=version) == []
    assert lines(labels={key: "x"}, version=version) == []


@pytest.mark.parametrize("key", ["a.node.kubernetes.io/x", "a.kops.k8s.io/x"])
def test_fails_below_free_domains_before_0_32_2(key):
    assert lines(Exists(key), version="0.32.2") == []
    assert len(lines(Exists(key), version="0.32.1")) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("beta.kubernetes.io/arch", "amd64"),
        ("beta.kubernetes.io/os", "linux"),
        ("beta.kubernetes.io/instance-type", "m5.large"),
        ("failure-domain.beta.kubernetes.io/zone", "eu-west-1a"),
        ("failure-domain.beta.kubernetes.io/region", "eu-west-1"),
    ],
)
def test_old_spellings_are_requirements_but_no_labels_before_0_32(key, value):
    assert lines(Exists(key), version="0.31.5") == []
    assert lines(labels={key: value}, version="0.31.5") == [
        f"`p.labels[{key!r}]`: {key!r} needs Karpenter 0.32.0 or later, version is 0.31.5"
    ]
    assert lines(labels={key: value}, version="0.32.0") == []


@pytest.mark.parametrize(
    ("requirements", "labels", "said"),
    [
        pytest.param(
            (In(CAPACITY_TYPE, "spot"), NotIn(CAPACITY_TYPE, "spot")),
            {},
            "no value of 'karpenter.sh/capacity-type' satisfies In('karpenter.sh/capacity-type', 'spot') and "
            "NotIn('karpenter.sh/capacity-type', 'spot'); change or drop one",
            id="In and NotIn",
        ),
        pytest.param(
            (In("team", "a", "b"), In("team", "c")),
            {},
            "no value of 'team' satisfies In('team', 'a', 'b') and In('team', 'c'); change or drop one",
            id="two disjoint lists",
        ),
        pytest.param(
            (Gt(INSTANCE_CPU, 8), Lt(INSTANCE_CPU, 9)),
            {},
            "no value of 'karpenter.k8s.aws/instance-cpu' satisfies Gt('karpenter.k8s.aws/instance-cpu', "
            "'8') and Lt('karpenter.k8s.aws/instance-cpu', '9'); change or drop one",
            id="no number between",
        ),
        pytest.param(
            (Gte(INSTANCE_CPU, 8), Lte(INSTANCE_CPU, 7)),
            {},
            "no value of 'karpenter.k8s.aws/instance-cpu' satisfies Gte('karpenter.k8s.aws/instance-cpu', "
            "'8') and Lte('karpenter.k8s.aws/instance-cpu', '7'); change or drop one",
            id="crossed bounds",
        ),
        pytest.param(
            (In(INSTANCE_CPU, 2, 4), Gt(INSTANCE_CPU, 4)),
            {},
            "no value of 'karpenter.k8s.aws/instance-cpu' satisfies In('karpenter.k8s.aws/instance-cpu', "
            "'2', '4') and Gt('karpenter.k8s.aws/instance-cpu', '4'); change or drop one",
            id="a list below its bound",
        ),
        pytest.param(
            (Exists("team"), DoesNotExist("team")),
            {},
            "no value of 'team' satisfies Exists('team') and DoesNotExist('team'); change or drop one",
            id="there and missing",
        ),
        pytest.param(
            (In("team", "a"), DoesNotExist("team")),
            {},
            "no value of 'team' satisfies In('team', 'a') and DoesNotExist('team'); change or drop one",
            id="a value and missing",
        ),
        pytest.param(
            (NotIn(ARCH, "amd64", "arm64"),),
            {},
            "no value of 'kubernetes.io/arch' satisfies NotIn('kubernetes.io/arch', 'amd64', 'arm64'); "
            "change or drop one",
            id="all values there are excluded",
        ),
        pytest.param(
            (In("beta.kubernetes.io/arch", "amd64"), In(ARCH, "arm64")),
            {},
            "no value of 'kubernetes.io/arch' satisfies In('beta.kubernetes.io/arch', 'amd64') and "
            "In('kubernetes.io/arch', 'arm64'); change or drop one",
            id="two spellings of one key",
        ),
        pytest.param(
            (In("team", "a"),),
            {"team": "b"},
            "no value of 'team' satisfies In('team', 'a') and the label 'b'; change or drop one",
            id="a label against a requirement",
        ),
        pytest.param(
            (In(INSTANCE_FAMILY, "t3"), In(INSTANCE_SIZE, "48xlarge")),
            {},
            "no instance family of 't3' has size '48xlarge'; change one of the two",
            id="a family without that size",
        ),
        pytest.param(
            (In(INSTANCE_FAMILY, "m5", "c5"), In(ARCH, "arm64")),
            {},
            "no instance family of 'c5', 'm5' has architecture 'arm64'; change one of the two",
            id="families without that architecture",
        ),
        pytest.param(
            (In(INSTANCE_FAMILY, "m5"), In(INSTANCE_CATEGORY, "c", "r")),
            {},
            "no instance family of 'm5' has category 'c' or 'r'; change one of the two",
            id="a family of another category",
        ),
        pytest.param(
            (In(INSTANCE_FAMILY, "m5"), Gt(INSTANCE_GENERATION, 5)),
            {},
            "no instance family of 'm5' has generation from 6; change one of the two",
            id="a family of an older generation",
        ),
        pytest.param(
            (In(INSTANCE_FAMILY, "m5"), DoesNotExist(ARCH)),
            {},
            "no instance family of 'm5' has architecture none; change one of the two",
            id="a family without a label that every instance has",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m7g.large", "c7g.large"), In(ARCH, "amd64")),
            {},
            "no instance type of 'c7g.large', 'm7g.large' has architecture 'amd64'; change one of the two",
            id="types of another architecture",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m7g.large"), In(INSTANCE_SIZE, "xlarge", "2xlarge")),
            {},
            "no instance type of 'm7g.large' has size '2xlarge' or 'xlarge'; change one of the two",
            id="a type of another size",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m7g.large"), NotIn(INSTANCE_FAMILY, "m7g")),
            {},
            "no instance type of 'm7g.large' has family other than 'm7g'; change one of the two",
            id="a type of an excluded family",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m7g.48xlarge"),),
            {},
            "no instance type of 'm7g.48xlarge' exists; did you mean 'm7g.8xlarge'?",
            id="a size that the family of the type does not have",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m7g.48xlarge", "t3.48xlarge"),),
            {},
            "no instance type of 'm7g.48xlarge', 't3.48xlarge' exists; name another",
            id="sizes that the families of the types do not have",
        ),
        pytest.param(
            (In(INSTANCE_TYPE, "m9g.72xlarge"), In(INSTANCE_SIZE, "large")),
            {},
            "no instance type of 'm9g.72xlarge' has size 'large'; change one of the two",
            id="a type that may be new, of another size",
        ),
    ],
)
def test_fails_on_requirements_that_can_never_match(requirements, labels, said):
    assert lines(*requirements, labels=labels) == [f"`p.requirements`: {said}"]


@pytest.mark.parametrize(
    "requirements",
    [
        (In(CAPACITY_TYPE, "spot", "on-demand"), NotIn(CAPACITY_TYPE, "spot")),
        (Gt(INSTANCE_CPU, 8), Lt(INSTANCE_CPU, 10)),
        (Gte(INSTANCE_CPU, 8), Lte(INSTANCE_CPU, 8)),
        (In(INSTANCE_CPU, 2, 8), Gt(INSTANCE_CPU, 4)),
        (NotIn("team", "a"), DoesNotExist("team")),
        (NotIn(ARCH, "amd64"),),
        (In("team", TOKEN), In("team", "b")),
        (NotIn("team", TOKEN), In("team", "b")),
        (In(INSTANCE_FAMILY, "t3"), In(INSTANCE_SIZE, "48xlarge", "small")),
        (In(INSTANCE_FAMILY, "m9g"), In(INSTANCE_SIZE, "72xlarge")),
        (In(INSTANCE_TYPE, "m9g.72xlarge"), In(INSTANCE_SIZE, "72xlarge"), In(ARCH, "arm64")),
        (In(INSTANCE_FAMILY, "m5", "m6g"), In(ARCH, "arm64")),
        (In(INSTANCE_FAMILY, "m99"), In(INSTANCE_SIZE, "48xlarge"), In(ARCH, "arm64")),
        (In(INSTANCE_FAMILY, "m5", "m99"), Gt(INSTANCE_GENERATION, 50)),
        (In(INSTANCE_TYPE, "m7g.large", "m7i.large"), In(ARCH, "amd64")),
        (In(INSTANCE_TYPE, "m7g.large", "m7g.48xlarge"), In(ARCH, "arm64")),
        (In(INSTANCE_TYPE, "m7g.large", "m99.large"), In(ARCH, "amd64")),
        (In(INSTANCE_TYPE, "m7g.large", TOKEN), In(ARCH, "amd64")),
        (In(INSTANCE_CATEGORY, "t"), Gt(INSTANCE_GENERATION, 50)),
        (In(OS, "linux"), In(ARCH, "amd64")),
    ],
    ids=repr,
)
def test_requirements_that_something_can_match_pass(requirements):
    assert lines(*requirements) == []


def test_before_1_9_the_crds_know_two_comparisons():
    assert lines(Gt(INSTANCE_CPU, "four"), version="1.8.8") == [
        "`p.requirements[0].values`: requirements operator 'Gt' or 'Lt' must have a single positive integer "
        "value, got ('four',); give one whole number"
    ]


def test_a_contradiction_is_not_said_where_a_value_is_wrong_already():
    assert lines(In(CAPACITY_TYPE, "spott")) == [
        "`p.requirements[0].values[0]`: 'karpenter.sh/capacity-type' has no such value, got 'spott'; did you "
        "mean 'spot'?"
    ]


def overlay_lines(*requirements: Requirement, version: str = "1.14.1") -> list[str]:
    overlay = NodeOverlay(name="o", requirements=requirements)
    return [
        str(problem) for problem in check_node_overlay(overlay, KarpenterVersion.parse(version), path="o")
    ]


def test_an_overlay_may_require_the_node_pool():
    assert overlay_lines(In(NODE_POOL, "batch")) == []


@pytest.mark.parametrize(
    "key",
    [
        CAPACITY_RESERVATION_ID,
        CAPACITY_RESERVATION_TYPE,
        CAPACITY_RESERVATION_INTERRUPTIBLE,
        INSTANCE_TENANCY,
        PLACEMENT_GROUP_ID,
        PLACEMENT_GROUP_PARTITION,
    ],
)
def test_fails_on_a_key_that_an_overlay_cannot_require(key):
    assert overlay_lines(Exists(key)) == [
        '`o.requirements[0].key`: label domain "karpenter.k8s.aws" is restricted in node overlays, '
        f"got {key!r}; leave it out"
    ]


def test_fails_on_a_minimum_of_values_in_an_overlay():
    assert overlay_lines(In(INSTANCE_CATEGORY, "c", min_values=1)) == [
        "`o.requirements[0].min_values`: a node overlay has no such field; leave it out"
    ]


def test_fails_on_an_overlays_key_of_kubernetes_before_1_9():
    assert overlay_lines(Exists("a.kubernetes.io/x"), version="1.9.0") == []
    assert len(overlay_lines(Exists("a.kubernetes.io/x"), version="1.8.8")) == 1
