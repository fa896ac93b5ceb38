"""Placeholders of CDK: how they are recognised, and that models and checks take them."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_fleet, check_node_overlay, check_node_pool
from karpenter_construct._dialects import dialect
from karpenter_construct._tokens import is_dummy, is_unresolved
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool, Taint
from karpenter_construct.releases import KarpenterVersion

TEXT, LIST, NUMBER = "${Token[Name.1]}", ["#{Token[Names.2]}"], -1.8881545897087626e289


class Resolvable:
    """What CDK's IResolvable looks like; none of it may be read."""

    @property
    def creation_stack(self):
        raise AssertionError

    def resolve(self, context):
        raise AssertionError(context)


class Proxy:
    """jsii's InterfaceDynamicProxy: an object for several interfaces."""

    def __init__(self, *delegates):
        self._delegates = list(delegates)

    def __getattr__(self, name):
        raise AttributeError(name) if name.startswith("__") else AssertionError(name)


class Resolver:
    """Has a method of the name, as a path and a stack have."""

    def resolve(self):
        raise AssertionError


@pytest.mark.parametrize(
    "value",
    [
        *(TEXT, f"a-{TEXT}", LIST, NUMBER, ["a", TEXT], (NUMBER,)),
        *(Resolvable(), Proxy(object(), Resolvable()), [Resolvable()]),
    ],
)
def test_is_unresolved(value):
    assert is_unresolved(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "${AWS::Region}",
        "Token[x]",
        0,
        -1e10,
        -(10**400),
        float("-inf"),
        float("nan"),
        None,
        True,
        [],
        ["a"],
        {},
        Resolver(),
        Proxy(object()),
        object(),
        str,
    ],
)
def test_is_resolved(value):
    assert not is_unresolved(value)


@pytest.mark.parametrize(
    "value",
    [
        *("dummy1a", "dummy1b", "dummy1c", "vpc-12345", "s-12345", "s-67890", "p-12345", "p-67890"),
        *("rtb-12345s", "rtb-67890s", "rtb-12345p", "rtb-57890p", "sg-12345678", "ami-1234", "DUMMY"),
        "1234abcd-12ab-34cd-56ef-1234567890ab",
        "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
        "arn:aws:iam::123456789012:role/DUMMY_ARN",
        "dummy-value-for-/images/nodes",
        "al2023@dummy-value-for-/images/nodes",
    ],
)
def test_what_cdk_answers_before_a_lookup_is_unresolved(value):
    assert is_dummy(value)
    assert is_unresolved(value)


@pytest.mark.parametrize(
    "value",
    [
        *("dummy1d", "dummy1", "dummy1ab", "vpc-123456", "xs-12345", "subnet-12345", "p-123456", "rtb-12345"),
        *("sg-123456789", "ami-12345", "A DUMMY", "DUMMY-1", "dummy-value", TEXT, NUMBER, None),
    ],
)
def test_what_only_looks_like_it_is_no_dummy(value):
    assert not is_dummy(value)


POOLS = [
    {"requirements": LIST},
    {"taints": LIST, "startup_taints": LIST},
    {"disruption": {"consolidate_after": TEXT, "budgets": LIST}},
    {"weight": Resolvable(), "limits": {"cpu": Resolvable()}, "expire_after": TEXT},
    {"requirements": [{"key": TEXT, "operator": TEXT, "values": LIST}], "labels": {TEXT: TEXT}},
]


@pytest.mark.parametrize("fields", POOLS)
@pytest.mark.parametrize("release", ["0.31.5", "0.37.8", "1.14.1"])
def test_checks_pass_what_only_the_deployment_knows(fields, release):
    pool, version = NodePool(name="a", **fields), KarpenterVersion.parse(release)
    budgets = [f"`a.disruption.budgets`: needs Karpenter 0.34.0 or later, version is {release}"]
    found = [str(problem) for problem in check_node_pool(pool, version, path="a")]
    assert found == (budgets if "disruption" in fields and release == "0.31.5" else [])
    assert check_fleet([pool, NodePool(name="b")], [EC2NodeClass(name="default")], version)[0] == []
    assert dialect(version).node_pool(pool, EC2NodeClass(name="default"))["metadata"] == {"name": "a"}


def test_checks_pass_an_overlay_that_only_the_deployment_knows():
    overlay = NodeOverlay(name="a", requirements=LIST, price=TEXT, capacity={"a/b": NUMBER})
    assert check_node_overlay(overlay, KarpenterVersion.parse("1.14.1"), path="a") == []


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (
            lambda: NodePool(name="a", labels={"a": NUMBER}),
            "`node_pools['a'].labels['a']`: must be a string, got -1.8881545897087626e+289; write Token.as_string(...)",
        ),
        (
            lambda: EC2NodeClass(name="a", kubelet={"kube_reserved": {"cpu": NUMBER}}),
            "`node_classes['a'].kubelet.kube_reserved['cpu']`: must be a string, got -1.8881545897087626e+289; write "
            "Token.as_string(...)",
        ),
        (
            lambda: NodePool(name=NUMBER),
            "`NodePool.name`: must be known at synth, got -1.8881545897087626e+289; write it out, the ids of "
            "constructs are made of names",
        ),
        (
            lambda: EC2NodeClass(name=f"{TEXT}-a"),
            "`node_classes['${Token[Name.1]}-a'].name`: must be known at synth, got '${Token[Name.1]}-a'; write it "
            "out, the ids of constructs are made of names",
        ),
        (
            lambda: NodePool(name="a", node_class=TEXT),
            "`node_pools['a'].node_class`: must be known at synth, got '${Token[Name.1]}'; write it out, the ids of "
            "constructs are made of names",
        ),
        (
            lambda: CapacityBuffer(name="a", namespace=TEXT),
            "`capacity_buffers['${Token[Name.1]}/a'].namespace`: must be known at synth, got '${Token[Name.1]}'; write "
            "it out, the ids of constructs are made of names",
        ),
        (
            lambda: Taint(key="a", effect=Proxy(Resolvable())),
            "`Taint.effect`: must be one of 'NoSchedule', 'PreferNoSchedule', 'NoExecute', got "
            "an object of class tests.unit.test_placeholders.Proxy; write Token.as_string(...)",
        ),
        (
            lambda: EC2NodeClass(name="a", role=Resolvable()),
            "`node_classes['a'].role`: must be a string, got an object of class "
            "tests.unit.test_placeholders.Resolvable; write Token.as_string(...)",
        ),
    ],
)
def test_fails_for_placeholders_of_the_wrong_form(make, line):
    with pytest.raises(SettingsError) as raised:
        make()
    assert str(raised.value) == line
