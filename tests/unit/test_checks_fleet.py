"""Pools and classes side by side."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_fleet
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import (
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_CPU,
    INSTANCE_FAMILY,
    INSTANCE_GPU_COUNT,
    INSTANCE_TYPE,
    OS,
    REGION,
    ZONE,
    Exists,
    Gt,
    In,
    Lt,
    NotIn,
)
from karpenter_construct.selector_terms import SubnetSelectorTerm

TOKEN = "${Token[Region.7]}"  # noqa: S105 - a placeholder of CDK
PINNED = EC2NodeClass(name="default", ami="al2023@v20260810")


def pool(name: str = "p", **fields) -> NodePool:
    return NodePool(name=name, **fields)


def requiring(*requirements, name: str = "p", **fields) -> NodePool:
    return pool(name, requirements=requirements, **fields)


def said(*pools: NodePool, classes=(PINNED,), version: str = "1.14.1", **around) -> list[str]:
    """Every problem's line and every caution's id and message."""
    problems, cautions = check_fleet(pools, classes, KarpenterVersion.parse(version), **around)
    return [str(problem) for problem in problems] + [
        f"{caution.id.removeprefix('karpenter-construct:')} {caution.message}" for caution in cautions
    ]


def test_a_pool_and_its_class_pass():
    assert said(pool()) == []


def test_fails_on_a_class_that_is_not_there():
    assert said(pool(node_class="defualt"), pool("q", weight=2)) == [
        "`node_pools['p'].node_class`: there is no such node class, got 'defualt'; did you mean 'default'?"
    ]


@pytest.mark.parametrize(
    ("around", "line"),
    [
        (
            {"region": "eu-west-1"},
            "`node_pools['p'].requirements[0].values[1]`: is no zone of the region 'eu-west-1', got "
            "'eu-west-2a'; write one as in 'eu-west-1a'",
        ),
        (
            {"zones": ["eu-west-1a", "eu-west-1b"]},
            "`node_pools['p'].requirements[0].values[1]`: no subnet for nodes is in this zone, got "
            "'eu-west-2a'; use one of 'eu-west-1a', 'eu-west-1b'",
        ),
    ],
)
def test_fails_on_a_zone_that_cannot_be(around, line):
    assert said(requiring(In(ZONE, "eu-west-1a", "eu-west-2a")), **around) == [line]


def test_fails_on_a_zone_that_a_label_cannot_have():
    assert said(pool(labels={ZONE: "eu-west-2a"}), region="eu-west-1") == [
        "`node_pools['p'].labels['topology.kubernetes.io/zone']`: is no zone of the region 'eu-west-1', got "
        "'eu-west-2a'; write one as in 'eu-west-1a'"
    ]
    assert said(pool(labels={ZONE: "eu-west-1a"}), region="eu-west-1") == []
    assert said(pool(labels={ZONE: TOKEN}), region="eu-west-1") == []


@pytest.mark.parametrize(
    "fields",
    [
        {"requirements": [In(REGION, "eu-west-2")]},
        {"requirements": [NotIn(REGION, "eu-west-1")]},
        {"labels": {REGION: "eu-west-2"}},
    ],
)
def test_fails_on_another_region(fields):
    assert said(pool(**fields), region="eu-west-1") == [
        "`node_pools['p'].requirements`: exclude the region 'eu-west-1', where the cluster is; change or drop what "
        "they and the labels say about 'topology.kubernetes.io/region'"
    ]


@pytest.mark.parametrize("region", ["", TOKEN, "eu-west-1"])
def test_regions_pass_that_may_be_the_cluster_s(region):
    assert said(requiring(In(REGION, "eu-west-2", "eu-west-1")), region=region) == []
    assert said(requiring(In(REGION, TOKEN)), region=region) == []
    assert said(pool(labels={REGION: TOKEN}), region=region) == []


@pytest.mark.parametrize("around", [{}, {"region": TOKEN}, {"zones": [TOKEN]}, {"zones": []}])
def test_zones_pass_where_nothing_is_known(around):
    assert said(requiring(In(ZONE, "anywhere-1a", TOKEN)), **around) == []


def test_excluded_zones_may_be_anywhere():
    assert said(requiring(NotIn(ZONE, "us-east-1e")), region="eu-west-1") == []


WINDOWS = EC2NodeClass(name="default", ami_family="Windows2022", ami_selector_terms=[{"id": "ami-1"}])


def test_fails_on_a_linux_pool_with_a_windows_class():
    assert said(requiring(In(OS, "linux")), classes=[WINDOWS]) == [
        "`node_pools['p'].requirements`: exclude the operating system 'windows', which node class 'default' "
        "boots with Windows2022; require In(OS, 'windows'), or use another class"
    ]


def test_fails_on_a_windows_pool_with_a_linux_class():
    assert said(requiring(In(OS, "windows"))) == [
        "`node_pools['p'].requirements`: exclude the operating system 'linux', which node class 'default' "
        "boots with AL2023; require In(OS, 'linux'), or use another class"
    ]


def test_a_windows_pool_with_a_windows_class_passes():
    assert said(requiring(In(OS, "windows")), classes=[WINDOWS]) == []


def test_cautions_that_linux_pods_may_come_to_windows():
    assert said(pool(), classes=[WINDOWS]) == [
        "windowsWithoutOs `node_pools['p'].requirements`: node class 'default' boots Windows2022, and Linux "
        "pods may be sent there; require In(OS, 'windows'), and taint the pool"
    ]


@pytest.mark.parametrize("limits", [None, {}])
def test_cautions_where_there_is_no_limit(limits):
    assert said(pool(limits=limits)) == [
        "noLimits `node_pools['p'].limits`: there is no limit to what the pool may launch; give one, as in "
        "{'cpu': 1000}"
    ]


def test_a_static_pool_needs_no_limit():
    assert said(pool(replicas=2)) == []


def test_cautions_of_the_latest_image():
    assert said(pool(), classes=[EC2NodeClass(name="default", ami="al2023@latest")]) == [
        "amiLatest `node_classes['default'].ami`: 'al2023@latest' replaces all nodes whenever AWS publishes "
        "an image; pin it, as in 'al2023@v20260810'"
    ]


@pytest.mark.parametrize(
    ("alias", "pinned"),
    [("al2@latest", "al2@v20240807"), ("bottlerocket@latest", "bottlerocket@v1.20.3")],
)
def test_cautions_of_the_latest_image_name_a_version_of_its_family(alias, pinned):
    assert said(pool(), classes=[EC2NodeClass(name="default", ami=alias)]) == [
        f"amiLatest `node_classes['default'].ami`: '{alias}' replaces all nodes whenever AWS publishes an "
        f"image; pin it, as in '{pinned}'"
    ]


def test_cautions_of_the_latest_image_where_no_alias_can_be_pinned():
    assert said(pool(), classes=[EC2NodeClass(name="default", ami="al2@latest")], version="0.37.8") == [
        "amiLatest `node_classes['default'].ami`: 'al2@latest' replaces all nodes whenever AWS publishes an "
        "image; select images by id or name to choose when"
    ]


@pytest.mark.parametrize(
    ("version", "gates", "what"),
    [
        ("0.31.5", {}, "gives each new node the image that AWS has published last"),
        ("0.31.5", {"driftEnabled": True}, "replaces all nodes whenever AWS publishes an image"),
        ("0.32.10", {"drift": False}, "gives each new node the image that AWS has published last"),
        ("0.33.0", {"drift": True}, "replaces all nodes whenever AWS publishes an image"),
        ("0.33.0", {"drift": False}, "gives each new node the image that AWS has published last"),
        ("0.33.0", {}, "replaces all nodes whenever AWS publishes an image"),
    ],
)
def test_what_the_latest_image_does_depends_on_drift(version, gates, what):
    node_class = EC2NodeClass(name="default", ami="al2@latest")
    assert said(pool(), classes=[node_class], version=version, feature_gates=gates) == [
        f"amiLatest `node_classes['default'].ami`: 'al2@latest' {what}; select images by id or name to choose when"
    ]


@pytest.mark.parametrize(
    "image", [{"ami": "al2023@v20260810"}, {"ami_family": "AL2023", "ami_selector_terms": [{"id": "ami-1"}]}]
)
def test_images_of_ones_own_choice_pass(image):
    assert said(pool(), classes=[EC2NodeClass(name="default", **image)]) == []


def test_cautions_of_a_class_that_no_pool_uses():
    assert said(pool(), classes=[PINNED, EC2NodeClass(name="spot", ami="al2023@v20260810")]) == [
        "unusedNodeClass `node_classes['spot']`: no node pool uses it; name it in a pool, or drop it"
    ]


def test_the_default_class_is_used_by_pools_that_name_none():
    spot = EC2NodeClass(name="spot", ami="al2023@v20260810")
    assert said(pool(), classes=[spot], default_node_class="spot") == []


OVERLAPPING = (
    "overlappingNodePools `node_pools['b']`: 'a', 'b' have the same weight and fit the same pods, so that either "
    "may be taken; give them different weights, or requirements that exclude each other"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {}),
        ({"weight": 5}, {"weight": 5}),
        (
            {"requirements": [In(CAPACITY_TYPE, "spot", "on-demand")]},
            {"requirements": [In(CAPACITY_TYPE, "spot")]},
        ),
        ({"requirements": [In("team", "a")]}, {}),
        ({"requirements": [Gt(INSTANCE_CPU, 4)]}, {"requirements": [Lt(INSTANCE_CPU, 8)]}),
        ({"labels": {"team": "a"}}, {"requirements": [In("team", "a", "b")]}),
    ],
)
def test_cautions_of_pools_that_fit_the_same_pods(one, other):
    assert said(pool("a", **one), pool("b", **other)) == [OVERLAPPING]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"weight": 5}, {"weight": 6}),
        ({"weight": 5}, {}),
        ({"requirements": [In(CAPACITY_TYPE, "on-demand")]}, {"requirements": [In(CAPACITY_TYPE, "spot")]}),
        ({"requirements": [Gt(INSTANCE_CPU, 7)]}, {"requirements": [Lt(INSTANCE_CPU, 8)]}),
        ({"labels": {"team": "a"}}, {"labels": {"team": "b"}}),
        ({"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, {}),
        ({"replicas": 1}, {}),
    ],
)
def test_pools_that_differ_pass(one, other):
    assert said(pool("a", **one), pool("b", **other)) == []


def test_many_overlapping_pools_are_one_caution():
    assert said(*(pool(f"p{index}") for index in range(8))) == [
        "overlappingNodePools `node_pools['p1']`: 'p0', 'p1', 'p2', 'p3', 'p4' and 3 more have the same weight and "
        "fit the same pods, so that either may be taken; give them different weights, or requirements that "
        "exclude each other"
    ]


def test_only_the_pools_that_overlap_are_named():
    pools = [requiring(In("team", team), name=name) for name, team in (("a", "x"), ("b", "x"), ("c", "y"))]
    assert said(*pools) == [OVERLAPPING]


def test_cautions_of_nodes_that_nothing_may_disrupt():
    protected = {"annotations": {"karpenter.sh/do-not-disrupt": "true"}}
    assert said(pool(**protected)) == [
        "doNotDisruptWithoutGracePeriod `node_pools['p'].annotations['karpenter.sh/do-not-disrupt']`: keeps "
        "nodes for as long as their pods run; give termination_grace_period to bound it"
    ]
    assert said(pool(**protected, termination_grace_period="24h")) == []
    assert said(pool(annotations={"karpenter.sh/do-not-disrupt": "false"})) == []
    assert said(pool(**protected), version="0.37.8") == []


def test_cautions_of_spot_while_nobody_hears_of_interruptions():
    spot = requiring(In(CAPACITY_TYPE, "on-demand", "spot"))
    assert said(spot, interruption_handling=False) == [
        "spotWithoutInterruptionHandling `node_pools['p'].requirements`: take spot instances, whose nodes "
        "end without notice while interruption handling is off; turn it on"
    ]
    assert said(spot) == []
    assert said(requiring(In(CAPACITY_TYPE, "on-demand")), interruption_handling=False) == []
    assert said(pool(), interruption_handling=False) == []


ACCELERATED = [
    Exists(INSTANCE_GPU_COUNT),
    In(INSTANCE_CATEGORY, "g", "p"),
    In(INSTANCE_FAMILY, "g5", "trn1"),
    In(INSTANCE_TYPE, "p5.48xlarge"),
]


@pytest.mark.parametrize("requirement", ACCELERATED, ids=repr)
def test_cautions_of_accelerators_without_a_device_plugin(requirement):
    assert said(requiring(requirement)) == [
        "acceleratorWithoutDevicePlugin `node_pools['p'].requirements`: ask for accelerators, which pods get "
        "only once a device plugin runs on the node; install one, and taint the pool, as in 'nvidia.com/gpu'"
    ]


@pytest.mark.parametrize(
    ("fields", "classes"),
    [
        ({"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}, [PINNED]),
        ({"startup_taints": [{"key": "aws.amazon.com/neuron", "effect": "NoSchedule"}]}, [PINNED]),
        ({"labels": {"nvidia.com/gpu.present": "true"}}, [PINNED]),
        ({}, [EC2NodeClass(name="default", ami="bottlerocket@1.50.0")]),
    ],
)
def test_accelerators_with_a_hint_at_the_plugin_pass(fields, classes):
    assert said(requiring(In(INSTANCE_CATEGORY, "g"), **fields), classes=classes) == []


@pytest.mark.parametrize("requirement", [In(INSTANCE_CATEGORY, "g", "m"), In(INSTANCE_FAMILY, "m5", "new9")])
def test_pools_that_may_have_accelerators_but_need_not_pass(requirement):
    assert said(requiring(requirement)) == []


def test_cautions_of_features_whose_gate_is_off():
    reserving = EC2NodeClass(
        name="default", ami="al2023@v20260810", capacity_reservation_selector_terms=[{"id": "cr-1"}]
    )
    gates = {"reservedCapacity": False}
    assert said(pool(replicas=1), classes=[reserving], feature_gates=gates) == [
        "reservedCapacityOff `node_classes['default'].capacity_reservation_selector_terms`: does nothing "
        "while the feature gate 'reservedCapacity' is off; turn it on",
    ]
    assert said(pool(replicas=1), classes=[reserving], feature_gates=dict.fromkeys(gates, True)) == []
    assert said(pool(replicas=1), classes=[reserving]) == []


def test_a_thousand_disjoint_pools_are_compared():
    pools = [requiring(In("team", f"t{index}"), name=f"p{index}") for index in range(1000)]
    assert said(*pools) == []


HERE, EDGE = SubnetSelectorTerm(id="subnet-1"), SubnetSelectorTerm(id="subnet-2")


@pytest.mark.parametrize("terms", [None, [HERE]], ids=["none", "those of the zones"])
def test_fails_on_a_zone_without_subnets_of_the_class(terms):
    node_class = PINNED.model_copy(update={"subnet_selector_terms": terms})
    around = {"zones": ["eu-west-1a"], "zones_of_terms": (HERE,), "classes": [node_class]}
    message = "no subnet for nodes is in this zone, got 'eu-west-1b'; use one of 'eu-west-1a'"
    assert said(requiring(In(ZONE, "eu-west-1b")), **around) == [
        f"`node_pools['p'].requirements[0].values[0]`: {message}"
    ]
    assert said(pool(labels={ZONE: "eu-west-1b"}), **around) == [
        f"`node_pools['p'].labels['topology.kubernetes.io/zone']`: {message}"
    ]


def test_a_class_with_subnets_of_its_own_has_zones_of_its_own():
    node_class = PINNED.model_copy(update={"subnet_selector_terms": [EDGE]})
    around = {"zones": ["eu-west-1a"], "zones_of_terms": (HERE,), "classes": [node_class]}
    assert said(requiring(In(ZONE, "eu-west-1-lhr-1a")), **around) == []
    assert said(pool(labels={ZONE: "eu-west-1-lhr-1a"}), **around) == []
