"""The node objects of one Karpenter: completed, checked together, rendered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from karpenter_construct._node_objects.defaults import NodeDefaults, ebs_csi_taint, with_requirements
from karpenter_construct._node_objects.objects import NodeObjects, as_model, key_of
from karpenter_construct.capacity_buffer import CapacityBuffer, ScalableRef
from karpenter_construct.errors import Caution, SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_FAMILY,
    INSTANCE_GENERATION,
    INSTANCE_TYPE,
    OS,
    Gt,
    In,
)
from karpenter_construct.selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm

DEFAULTS = NodeDefaults(
    subnet_selector_terms=(SubnetSelectorTerm(id="subnet-0a"),),
    security_group_selector_terms=(SecurityGroupSelectorTerm(id="sg-0a"),),
    role="nodes",
    known_roles=("nodes",),
)
GATES = ("nodeOverlay", "staticCapacity", "capacityBuffer")
SPARE = CapacityBuffer(name="spare", scalable_ref=ScalableRef(kind="Deployment", name="web"), replicas=1)


def objects(version: str = "1.14.1", *, on: bool = True, **changes) -> NodeObjects:
    gates = dict.fromkeys(GATES, on)
    return NodeObjects(KarpenterVersion.parse(version), DEFAULTS._replace(**changes), gates)


def ids(known: NodeObjects, *models) -> list[str]:
    return [one.id for one in known.rendered(models)]


def refused(known: NodeObjects, *models) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        known.rendered(models)
    return [str(problem) for problem in raised.value.problems]


def keep(known: NodeObjects, *models) -> None:
    for one in known.rendered(models):
        known.keep(one.model, f"Stack/{one.id}")


def test_what_others_refer_to_comes_first():
    overlay, pool, node_class = (
        NodeOverlay(name="o"),
        NodePool(name="p", node_class="c"),
        EC2NodeClass(name="c"),
    )
    assert ids(objects(), SPARE, overlay, pool, node_class) == [
        "EC2NodeClass-c",
        "NodePool-p",
        "NodeOverlay-o",
        "CapacityBuffer-default-spare",
    ]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.31.5", ["AWSNodeTemplate-c", "Provisioner-p"]),
        ("0.32.0", ["EC2NodeClass-c", "NodePool-p"]),
    ],
)
def test_ids_have_the_kind_of_the_release(version, expected):
    node_class = EC2NodeClass(name="c")
    assert ids(objects(version, role=None), NodePool(name="p", node_class="c"), node_class) == expected


def test_a_pool_without_requirements_gets_those_of_the_getting_started_guide():
    completed = with_requirements(NodePool(name="a", weight=5))
    assert completed == NodePool(
        name="a",
        weight=5,
        requirements=[
            In(OS, "linux"),
            In(ARCH, "amd64"),
            In(CAPACITY_TYPE, "on-demand"),
            In(INSTANCE_CATEGORY, "c", "m", "r"),
            Gt(INSTANCE_GENERATION, 2),
        ],
    )
    assert (
        with_requirements(completed.model_copy(update={"weight": 6})).requirements == completed.requirements
    )


@pytest.mark.parametrize(
    ("key", "value", "left"),
    [
        ("team", "a", [OS, ARCH, CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION]),
        (ARCH, "arm64", [OS, CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION]),
        ("beta.kubernetes.io/arch", "arm64", [OS, CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION]),
        (CAPACITY_TYPE, "spot", [OS, ARCH, INSTANCE_CATEGORY, INSTANCE_GENERATION]),
        (INSTANCE_GENERATION, "2", [OS, ARCH, CAPACITY_TYPE, INSTANCE_CATEGORY]),
        (INSTANCE_CATEGORY, "g", [OS, CAPACITY_TYPE]),
        (INSTANCE_FAMILY, "m7g", [OS, CAPACITY_TYPE]),
        (INSTANCE_TYPE, "t4g.nano", [OS, CAPACITY_TYPE]),
    ],
)
def test_what_a_label_decides_has_no_default(key, value, left):
    pool = with_requirements(NodePool(name="a", labels={key: value}))
    assert [requirement.key for requirement in pool.requirements] == left
    assert ids(objects(), pool) == ["EC2NodeClass-default", "NodePool-a"]


def test_a_requirement_that_a_label_contradicts_is_still_refused():
    pool = NodePool(name="a", labels={ARCH: "arm64"}, requirements=[In(ARCH, "amd64")])
    assert refused(objects(), pool) == [
        "`node_pools['a'].requirements`: no value of 'kubernetes.io/arch' satisfies In('kubernetes.io/arch', 'amd64') "
        "and the label 'arm64'; change or drop one"
    ]


@pytest.mark.parametrize(("ami", "system"), [("windows2022@latest", "windows"), ("al2023@latest", "linux")])
def test_the_default_operating_system_is_that_of_the_class(ami, system):
    pool = with_requirements(NodePool(name="a"), EC2NodeClass(name="c", ami=ami))
    assert pool.requirements[:2] == (In(OS, system), In(ARCH, "amd64"))


@pytest.mark.parametrize("requirements", [[], [In(CAPACITY_TYPE, "spot")]])
def test_requirements_that_were_given_stay_as_they_are(requirements):
    pool = NodePool(name="a", requirements=requirements)
    assert with_requirements(pool).requirements == tuple(requirements)
    assert with_requirements(pool.model_copy(update={"weight": 5})).requirements == tuple(requirements)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("subnet_selector_terms", "subnetSelectorTerms"),
        ("security_group_selector_terms", "securityGroupSelectorTerms"),
        ("ami_selector_terms", "amiSelectorTerms"),
    ],
)
def test_fails_for_a_list_of_terms_that_is_empty(field, said):
    assert refused(objects(), EC2NodeClass(name="c", **{field: []})) == [
        f"`node_classes['c'].{field}`: {said} cannot be empty; give at least one term, or leave it out"
    ]
    (rendered,) = objects().rendered([EC2NodeClass(name="c", **{field: None})])
    assert rendered.manifest["spec"][said]


def test_a_pool_without_a_class_brings_the_default_one_along():
    assert ids(objects(), NodePool(name="a"), NodePool(name="b")) == [
        "EC2NodeClass-default",
        "NodePool-a",
        "NodePool-b",
    ]


def test_the_default_class_is_made_once():
    known = objects()
    keep(known, NodePool(name="a"))
    assert ids(known, NodePool(name="b")) == ["NodePool-b"]


def test_a_default_class_of_the_same_file_is_taken():
    found = objects().rendered([NodePool(name="a"), EC2NodeClass(name="default", ami="bottlerocket@1.20.0")])
    assert [one.id for one in found] == ["EC2NodeClass-default", "NodePool-a"]
    assert found[0].manifest["spec"]["amiSelectorTerms"] == [{"alias": "bottlerocket@1.20.0"}]


def test_nothing_is_kept_of_what_is_only_rendered():
    known = objects()
    known.rendered([NodePool(name="a")])
    assert (known.node_classes, known.node_pools, known.places) == ({}, {}, {})


def test_classes_are_completed():
    (found,) = objects().rendered([EC2NodeClass(name="c")])
    assert found.manifest == {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "c"},
        "spec": {
            "subnetSelectorTerms": [{"id": "subnet-0a"}],
            "securityGroupSelectorTerms": [{"id": "sg-0a"}],
            "amiSelectorTerms": [{"alias": "al2023@latest"}],
            "role": "nodes",
        },
    }


def test_an_ami_family_alone_is_enough():
    (found,) = objects().rendered([EC2NodeClass(name="c", ami_family="Bottlerocket")])
    assert found.manifest["spec"]["amiFamily"] == "Bottlerocket"
    assert found.manifest["spec"]["amiSelectorTerms"] == [{"alias": "bottlerocket@latest"}]


def test_startup_taints_come_on_top_of_the_pools_own_and_once():
    own = Taint(key="example.com/setup", effect="NoSchedule")
    known = objects(startup_taints=(ebs_csi_taint(),))
    pools = [
        NodePool(name="a", startup_taints=[own]),
        NodePool(name="b", startup_taints=[ebs_csi_taint()]),
    ]
    ebs = {"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}
    assert [
        one.manifest["spec"]["template"]["spec"]["startupTaints"]
        for one in known.rendered(pools)
        if one.manifest["kind"] == "NodePool"
    ] == [[{"key": "example.com/setup", "effect": "NoSchedule"}, ebs], [ebs]]


def test_fails_on_all_mistakes_of_all_objects_at_once():
    known = objects()
    keep(known, NodePool(name="a"))
    overlay = NodeOverlay(name="o", price="1", price_adjustment="-1%")
    lost = NodePool(name="b", node_class="nowhere")
    wrong = EC2NodeClass(name="c", role="other", ami="al2023@latest", ami_selector_terms=[{"id": "ami-0a"}])
    assert refused(known, lost, NodePool(name="a"), overlay, wrong) == [
        "`node_classes['c'].ami`: is short for one term of ami_selector_terms, got 'al2023@latest'; give one of the "
        "two",
        "`node_classes['c'].role`: is none of the node roles of this Karpenter, which may pass no other, got 'other'; "
        "pass the role in `node_role` too",
        "`node_pools['b'].node_class`: there is no such node class, got 'nowhere', known so far are 'default', 'c'; "
        "add the class before its pools",
        "`node_pools['a']`: is there already, as Stack/NodePool-a; give each its own name",
        "`node_overlays['o']`: cannot set both 'price' and 'priceAdjustment'; leave one of the two out",
    ]


def test_fails_on_a_missing_class_where_there_is_none():
    assert refused(objects(), NodePool(name="b", node_class="nowhere")) == [
        "`node_pools['b'].node_class`: there is no such node class, got 'nowhere', known so far are none; add the "
        "class before its pools"
    ]


def test_the_class_of_a_pool_may_be_known_elsewhere():
    known = objects()
    pool = NodePool(name="b", node_class="nowhere")
    assert known.problems([pool], whole=False) == []


def test_buffers_of_one_name_are_told_apart_by_their_namespaces():
    known = objects()
    keep(known, SPARE)
    other = SPARE.model_copy(update={"namespace": "team-a"})
    assert (key_of(SPARE), key_of(other)) == (
        ("capacity_buffers", "default", "spare"),
        ("capacity_buffers", "team-a", "spare"),
    )
    keep(known, other)
    assert refused(known, SPARE, other) == [
        "`capacity_buffers['spare']`: is there already, as Stack/CapacityBuffer-default-spare; give each its own name",
        "`capacity_buffers['team-a/spare']`: is there already, as Stack/CapacityBuffer-team-a-spare; give each its "
        "own name",
    ]


def test_a_pool_and_a_class_may_have_one_name():
    assert ids(objects(), EC2NodeClass(name="gpu"), NodePool(name="gpu", node_class="gpu")) == [
        "EC2NodeClass-gpu",
        "NodePool-gpu",
    ]


STATIC = NodePool(name="s", replicas=2)


@pytest.mark.parametrize(
    ("model", "line"),
    [
        (
            NodeOverlay(name="o"),
            "`node_overlays['o']`: does nothing while the feature gate 'nodeOverlay' is off; pass "
            "feature_gates={'nodeOverlay': True}",
        ),
        (
            SPARE,
            "`capacity_buffers['spare']`: does nothing while the feature gate 'capacityBuffer' is off; pass "
            "feature_gates={'capacityBuffer': True}",
        ),
        (
            STATIC,
            "`node_pools['s'].replicas`: does nothing while the feature gate 'staticCapacity' is off; pass "
            "feature_gates={'staticCapacity': True}",
        ),
    ],
    ids=["overlay", "buffer", "static pool"],
)
def test_fails_on_what_needs_a_gate_that_is_off(model, line):
    assert refused(objects(on=False), model) == [line]
    assert objects(on=True).rendered([model]) != []


def test_a_gate_that_is_a_placeholder_may_be_on():
    known = replace(objects(), feature_gates={"nodeOverlay": "${Token[gate.1]}"})
    assert ids(known, NodeOverlay(name="o")) == ["NodeOverlay-o"]


@pytest.mark.parametrize(
    ("model", "version", "line"),
    [
        (
            NodeOverlay(name="o"),
            "1.6.9",
            "`node_overlays['o']`: needs Karpenter 1.7.0 or later, version is 1.6.9",
        ),
        (SPARE, "1.13.2", "`capacity_buffers['spare']`: needs Karpenter 1.14.0 or later, version is 1.13.2"),
        (STATIC, "1.7.4", "`node_pools['s'].replicas`: needs Karpenter 1.8.0 or later, version is 1.7.4"),
    ],
    ids=["overlay", "buffer", "static pool"],
)
def test_fails_on_the_release_alone_where_that_has_no_such_gate(model, version, line):
    assert refused(objects(version, on=False), model) == [line]


@pytest.mark.parametrize(
    ("model", "version"),
    [(NodeOverlay(name="o"), "1.7.0"), (SPARE, "1.14.0"), (STATIC, "1.8.1")],
    ids=["overlay", "buffer", "static pool"],
)
def test_the_first_release_takes_them(model, version):
    assert objects(version).rendered([model])[-1].model == model


def test_fails_on_a_role_in_an_isolated_vpc():
    known = objects(role=None, instance_profile="made", isolated_vpc=True)
    assert refused(known, EC2NodeClass(name="c", role="nodes")) == [
        "`node_classes['c'].role`: needs IAM, which has no endpoint in an isolated VPC, got 'nodes'; leave it out for "
        "the instance profile that is made, or name another in instance_profile"
    ]


def cautions(node_class: EC2NodeClass, **changes) -> list[Caution]:
    return objects(**changes).cautions([node_class, NodePool(name="p")])


def test_warns_of_an_instance_profile_that_cannot_have_the_role_made_here():
    other = EC2NodeClass(name="c", instance_profile="by-hand")
    assert cautions(other, made_role=True) == [
        Caution(
            "karpenter-construct:otherInstanceProfile",
            "`node_classes['c'].instance_profile`: Karpenter may pass the role made here and no other, so 'by-hand' "
            "must have that role; pass the role that it has in `node_role`",
        )
    ]


@pytest.mark.parametrize(
    ("profile", "changes"),
    [
        (None, {"made_role": True}),
        ("by-hand", {"made_role": False}),
        ("made", {"made_role": True, "instance_profile": "made"}),
        ("${Token[profile.1]}", {"made_role": True}),
    ],
    ids=["none", "given role", "the one made here", "placeholder"],
)
def test_does_not_warn_of_an_instance_profile_that_may_fit(profile, changes):
    assert cautions(EC2NodeClass(name="c", instance_profile=profile), **changes) == []


def test_a_ready_model_is_taken_as_it_is():
    pool = NodePool(name="p")
    assert as_model(NodePool, pool, {}) is pool


def test_fails_on_fields_beside_a_ready_model():
    with pytest.raises(SettingsError) as raised:
        as_model(NodePool, NodePool(name="p"), {"weight": 1, "limits": None})
    assert str(raised.value) == (
        "`node_pools['p']`: is complete, got weight, limits besides; use model_copy(update={...}) to change it"
    )


def test_a_name_and_fields_make_a_model():
    requirement = In(CAPACITY_TYPE, "spot")
    assert as_model(NodePool, "p", {"requirements": [requirement]}) == NodePool(
        name="p", requirements=[requirement]
    )


def test_fails_without_a_name():
    with pytest.raises(SettingsError) as raised:
        as_model(NodePool, None, {})
    assert str(raised.value) == "`NodePool.name`: is required; write for example 'default'"
