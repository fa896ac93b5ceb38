"""The rules of checks that begin or end with an API generation, on both sides."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_fleet, check_node_class, check_node_pool
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import In


def pool(version: str, **fields: object) -> list[str]:
    model = NodePool(**{"name": "p", **fields})
    return [str(each) for each in check_node_pool(model, KarpenterVersion.parse(version), path="p")]


def bare_class(version: str) -> list[str]:
    """What a class lacks that says no more than where nodes go, and what guards them."""
    model = EC2NodeClass(
        name="c", subnet_selector_terms=[{"id": "subnet-1"}], security_group_selector_terms=[{"id": "sg-1"}]
    )
    release = KarpenterVersion.parse(version)
    return [str(each) for each in check_node_class(model, release, path="c", complete=True)]


ROLE = "`c`: must specify exactly one of ['role', 'instanceProfile']; give the name of the nodes' role"
FAMILY = "`c`: amiFamily is required; give ami, as in 'al2023@latest'"
TERMS = "`c`: amiSelectorTerms is required; give ami, as in 'al2023@latest'"


@pytest.mark.parametrize(
    ("version", "missing"),
    [
        ("0.31.5", []),
        ("0.32.0", [ROLE, FAMILY]),
        ("0.37.8", [ROLE, FAMILY]),
        ("1.0.0", [ROLE, TERMS]),
    ],
)
def test_what_a_class_must_say(version, missing):
    assert bare_class(version) == missing


@pytest.mark.parametrize("version", ["0.32.0", "0.37.8"])
def test_fails_on_equal_thresholds_from_0_32_on(version):
    kubelet = {"image_gc_high_threshold_percent": 50, "image_gc_low_threshold_percent": 50}
    assert pool("0.31.5", kubelet=kubelet) == []
    assert pool(version, kubelet=kubelet) == [
        "`p.kubelet.image_gc_high_threshold_percent`: imageGCHighThresholdPercent must be greater than "
        "imageGCLowThresholdPercent, got 50; raise it, or lower image_gc_low_threshold_percent"
    ]


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (
            "0.37.8",
            "must be a DNS-1035 label before Karpenter 1.0.0, got {name!r}; use at most 63 lower case letters, digits "
            "and '-', with a letter first",
        ),
        (
            "1.0.0",
            "must be at most 63 characters, as it becomes the value of a label on every node, got {name!r}; shorten it",
        ),
    ],
)
def test_fails_once_on_a_name_that_is_too_long(version, says):
    name = "x" * 64
    assert pool(version, name=name) == [f"`p.name`: {says.format(name=name)}"]


@pytest.mark.parametrize("version", ["0.32.0", "0.32.10"])
def test_fails_on_more_than_thirty_requirements_from_0_32_on(version):
    requirements = [In(f"example.com/l{index}", "x") for index in range(31)]
    assert pool("0.31.5", requirements=requirements) == []
    assert pool(version, requirements=requirements) == [
        "`p.requirements`: must have at most 30 items, has 31; more needs Karpenter 0.33.6 or later, version is "
        f"{version}"
    ]


def cautions(version: str, node_class: EC2NodeClass, **fields: object) -> list[str]:
    model = NodePool(**{"name": "p", **fields})
    _, found = check_fleet([model], [node_class], KarpenterVersion.parse(version))
    return [caution.message for caution in found]


@pytest.mark.parametrize(
    ("version", "fix"),
    [
        ("0.35.0", "select images by id or name to choose when"),
        ("0.37.8", "select images by id or name to choose when"),
        ("1.0.0", "pin it, as in 'al2023@v20260810'"),
    ],
)
def test_images_are_pinned_from_1_0_on(version, fix):
    assert cautions(version, EC2NodeClass(name="default", ami="al2023@latest")) == [
        "`node_classes['default'].ami`: 'al2023@latest' replaces all nodes whenever AWS publishes an image; "
        f"{fix}"
    ]


def test_expiry_waits_for_protected_nodes_from_1_0_on():
    pinned = EC2NodeClass(name="default", ami_family="AL2023", ami_selector_terms=[{"id": "ami-1"}])
    protected = {"karpenter.sh/do-not-disrupt": "true"}
    assert cautions("0.37.8", pinned, annotations=protected) == []
    assert cautions("1.0.0", pinned, annotations=protected) == [
        "`node_pools['p'].annotations['karpenter.sh/do-not-disrupt']`: keeps nodes for as long as their pods run; "
        "give termination_grace_period to bound it"
    ]


AMI, SUBNET = "ami_selector_terms", "subnet_selector_terms"
GROUP, RESERVATION = "security_group_selector_terms", "capacity_reservation_selector_terms"
TAGS = {"tags": {"a": "b"}}
NONE = "expected at least one, got none, "


@pytest.mark.parametrize(
    ("version", "terms", "term", "says"),
    [
        (
            "1.2.8",
            SUBNET,
            {"id": "subnet-1", **TAGS},
            "with a combination of other fields in subnetSelectorTerms",
        ),
        (
            "1.3.0",
            SUBNET,
            {"id": "subnet-1", **TAGS},
            "with a combination of other fields in a subnet selector term",
        ),
        (
            "1.2.8",
            GROUP,
            {"id": "sg-1", **TAGS},
            "with a combination of other fields in securityGroupSelectorTerms",
        ),
        (
            "1.3.0",
            GROUP,
            {"id": "sg-1", **TAGS},
            "with a combination of other fields in a security group selector term",
        ),
        (
            "1.7.6",
            RESERVATION,
            {"id": "cr-1", **TAGS},
            "along with tags in a capacity reservation selector term",
        ),
        (
            "1.8.1",
            RESERVATION,
            {"id": "cr-1", **TAGS},
            "along with other fields in a capacity reservation selector term",
        ),
        ("1.7.6", RESERVATION, {}, f"{NONE}['tags', 'id'];"),
        ("1.8.1", RESERVATION, {}, f"{NONE}['tags', 'id', 'instanceMatchCriteria'];"),
        ("0.37.8", AMI, {}, f"{NONE}['tags', 'id', 'name'];"),
        ("1.0.0", AMI, {}, f"{NONE}['tags', 'id', 'name', 'alias'];"),
        ("1.3.8", AMI, {}, f"{NONE}['tags', 'id', 'name', 'alias'];"),
        ("1.4.0", AMI, {}, f"{NONE}['tags', 'id', 'name', 'alias', 'ssmParameter'];"),
    ],
)
def test_fails_in_the_words_of_the_releases_crds(version, terms, term, says):
    model = EC2NodeClass(**{"name": "c", "ami_family": "AL2", terms: [term]})
    problems = check_node_class(model, KarpenterVersion.parse(version), path="c")
    assert [says in str(each) for each in problems if each.path == f"c.{terms}[0]"] == [True]


@pytest.mark.parametrize(
    ("version", "operators"),
    [("1.8.8", "'Gt' or 'Lt'"), ("1.9.0", "'Gt', 'Lt', 'Gte', or 'Lte'")],
)
def test_fails_on_two_numbers_with_the_operators_of_the_release(version, operators):
    requirement = {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gt", "values": ["1", "2"]}
    assert pool(version, requirements=[requirement]) == [
        f"`p.requirements[0].values`: requirements operator {operators} must have a single positive integer "
        "value, got ('1', '2'); give one whole number"
    ]


@pytest.mark.parametrize("version", ["0.32.0", "0.33.0"])
def test_fails_on_more_than_a_hundred_requirements_and_labels_from_0_32_on(version):
    labels = {f"example.com/l{index}": "x" for index in range(100)}
    assert pool("0.31.5", labels=labels, requirements=[In("example.com/r", "x")]) == []
    assert pool(version, labels=labels, requirements=[In("example.com/r", "x")]) == [
        "`p.requirements`: requirements and labels must be at most 100 together, there are 1 and 100; drop some"
    ]
