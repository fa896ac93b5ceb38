"""Node objects in stacks of their own, on the Karpenter of another stack."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from aws_cdk import App, Environment, NestedStack, Stack, Stage, aws_iam
from aws_cdk.assertions import Template
from constructs import Construct

from karpenter_construct import (
    CAPACITY_TYPE,
    CapacityBuffer,
    EC2NodeClass,
    In,
    Karpenter,
    KarpenterCapacityBuffer,
    KarpenterNodeClass,
    KarpenterNodeOverlay,
    KarpenterNodePool,
    NodePool,
    SettingsError,
)

from . import clusters, karpenters
from .node_manifests import applied, lines, manifests, resources, waits_for, warnings
from .trees import unchanged

IMAGE = "al2023@v20260810"
NODE_CLASS = "EC2NodeClass"

BUILDERS = [
    clusters.classic,
    clusters.classic_unnamed,
    clusters.imported_classic,
    clusters.imported_classic_by_role,
    *([clusters.v2, clusters.v2_unnamed, clusters.imported_v2] if clusters.HAS_EKS_V2 else []),
]
every_cluster = pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)


def platform(
    build: Callable[..., object] = clusters.imported_classic, *, version: str = "1.14.1", **fields
) -> Karpenter:
    """A Karpenter in the stack Test."""
    stack = clusters.stack()
    given = {**karpenters.ROLES_ALONE, **fields}
    return Karpenter(stack, "Karpenter", cluster=build(stack), version=version, **given)


def team(installed: Construct, name: str = "Team") -> Stack:
    """Another stack of the same app."""
    app = installed.node.root
    assert isinstance(app, App)
    return Stack(app, name)


def before(stack: Stack) -> list[str]:
    """The stacks that a stack waits for by itself, once all references are known."""
    Template.from_stack(stack)
    return sorted(dependency.node.path for dependency in stack.dependencies)


@functools.cache
def three_teams(build: Callable[..., object]) -> dict[str, Stack]:
    """A team with class and pool, one with a class, and one with a pool that has the class of the second."""
    installed = platform(build, install_chart=True)
    stacks = {
        "Test": Stack.of(installed),
        **{name: team(installed, name) for name in ("Team", "First", "Second")},
    }
    spot = KarpenterNodeClass(stacks["Team"], "Spot", karpenter=installed, name="spot", ami=IMAGE)
    KarpenterNodePool(
        stacks["Team"],
        "Batch",
        karpenter=installed,
        name="batch",
        node_class=spot,
        requirements=[In(CAPACITY_TYPE, "spot")],
    )
    shared = KarpenterNodeClass(stacks["First"], "Class", karpenter=installed, name="shared", ami=IMAGE)
    KarpenterNodePool(stacks["Second"], "Pool", karpenter=installed, name="other", node_class=shared)
    return stacks


@every_cluster
def test_class_and_pool_are_in_the_stack_of_the_team(build):
    stacks = three_teams(build)
    assert applied(stacks["Team"]) == ["EC2NodeClass spot", "NodePool batch"]
    assert not {"EC2NodeClass spot", "NodePool batch"} & set(applied(stacks["Test"]))
    assert waits_for(stacks["Team"], "NodePool", "batch") == ["Spot"]
    assert before(stacks["Team"]) == ["Test"]


@every_cluster
def test_a_pool_waits_for_a_class_in_a_third_stack(build):
    first, second = three_teams(build)["First"], three_teams(build)["Second"]
    assert (applied(first), applied(second)) == (["EC2NodeClass shared"], ["NodePool other"])
    assert before(first) == ["Test"]
    assert "First" in before(second)


def test_stacks_wait_for_each_other_in_the_assembly_too():
    installed = platform(clusters.classic, install_chart=True)
    first, second = team(installed, "First"), team(installed, "Second")
    shared = KarpenterNodeClass(first, "Class", karpenter=installed, name="shared", ami=IMAGE)
    KarpenterNodePool(second, "Pool", karpenter=installed, name="batch", node_class=shared)
    artifacts = {artifact.id: artifact for artifact in first.node.root.synth().stacks}
    waiting = {
        name: sorted(needed.id for needed in artifact.dependencies if needed.id in artifacts)
        for name, artifact in artifacts.items()
    }
    assert waiting == {"Test": [], "First": ["Test"], "Second": ["First", "Test"]}


def test_a_handle_of_the_karpenters_own_class_is_taken():
    installed = platform()
    stack = team(installed)
    shared = installed.add_node_class("shared", ami=IMAGE)
    KarpenterNodePool(stack, "Pool", karpenter=installed, name="batch", node_class=shared)
    assert (applied(Stack.of(installed)), applied(stack)) == (["EC2NodeClass shared"], ["NodePool batch"])


def test_the_name_of_a_class_is_taken():
    installed = platform()
    stack = team(installed)
    KarpenterNodeClass(stack, "Class", karpenter=installed, name="own", ami=IMAGE)
    KarpenterNodePool(stack, "Pool", karpenter=installed, name="batch", node_class="own")
    assert waits_for(stack, "NodePool", "batch") == ["Class"]


def test_a_pool_without_a_class_gets_the_default_one_of_the_karpenter():
    installed = platform()
    for name in ("first", "second"):
        KarpenterNodePool(team(installed, name), "Pool", karpenter=installed, name=name)
    assert applied(Stack.of(installed)) == ["EC2NodeClass default"]


def test_a_pool_has_the_defaults_of_add_node_pool():
    installed, other = platform(), platform()
    KarpenterNodePool(team(installed), "Pool", karpenter=installed, name="p")
    other.add_node_pool("p")
    (body,) = manifests(installed.node.root.node.find_child("Team")).values()
    assert body in manifests(Stack.of(other)).values()


@pytest.mark.parametrize("fields", [{"name": "p"}, {"model": NodePool(name="p")}], ids=["named", "ready"])
def test_a_pool_of_either_form_has_the_default_requirements(fields):
    installed = platform()
    KarpenterNodePool(team(installed), "Pool", karpenter=installed, **fields)
    (body,) = manifests(installed.node.root.node.find_child("Team")).values()
    assert [item["key"] for item in body["spec"]["template"]["spec"]["requirements"]] == [
        "kubernetes.io/os",
        "kubernetes.io/arch",
        "karpenter.sh/capacity-type",
        "karpenter.k8s.aws/instance-category",
        "karpenter.k8s.aws/instance-generation",
    ]


def test_a_ready_model_is_applied():
    installed = platform()
    stack = team(installed)
    node_class, pool = EC2NodeClass(name="c", ami=IMAGE), NodePool(name="p", node_class="c")
    made = [
        KarpenterNodeClass(stack, "Class", karpenter=installed, model=node_class),
        KarpenterNodePool(stack, "Pool", karpenter=installed, model=pool),
    ]
    assert [(one.name, one.kind) for one in made] == [("c", "EC2NodeClass"), ("p", "NodePool")]


def test_kinds_are_those_of_the_release():
    installed = platform(version="0.31.5")
    stack = team(installed)
    own = KarpenterNodeClass(stack, "Class", karpenter=installed, name="c")
    KarpenterNodePool(stack, "Pool", karpenter=installed, name="p", node_class=own)
    assert applied(stack) == ["AWSNodeTemplate c", "Provisioner p"]


def test_overlays_and_buffers_can_be_a_teams_too():
    installed = platform(feature_gates={"nodeOverlay": True, "capacityBuffer": True})
    stack = team(installed)
    KarpenterNodeOverlay(stack, "Overlay", karpenter=installed, name="cheap", price_adjustment="-10%")
    buffer = CapacityBuffer(name="spare", namespace="shop", pod_template_ref={"name": "chunk"}, replicas=1)
    KarpenterCapacityBuffer(stack, "Buffer", karpenter=installed, model=buffer)
    assert applied(stack) == ["CapacityBuffer shop/spare", "NodeOverlay cheap"]


def test_constructs_wait_for_each_other_as_all_constructs_do():
    installed = platform()
    stack = team(installed)
    first = KarpenterNodePool(stack, "First", karpenter=installed, name="a")
    second = KarpenterNodePool(stack, "Second", karpenter=installed, name="b")
    second.node.add_dependency(first)
    assert waits_for(stack, "NodePool", "b") == ["First"]


def test_without_the_chart_a_class_still_waits_for_the_stack_of_its_karpenter():
    installed = platform(install_chart=False)
    stack = team(installed)
    KarpenterNodeClass(stack, "Class", karpenter=installed, name="c", ami=IMAGE)
    assert before(stack) == ["Test"]


def test_a_spot_pool_of_a_team_has_the_role_made_in_the_stack_of_its_karpenter():
    installed = platform()
    without = set(resources(Stack.of(installed)))
    installed = platform()
    KarpenterNodePool(
        team(installed), "Pool", karpenter=installed, name="p", requirements=[In(CAPACITY_TYPE, "spot")]
    )
    made = {logical_id[:-8] for logical_id in set(resources(Stack.of(installed))) - without}
    assert "KarpenterSpotServiceLinkedRole" in made


def test_a_windows_class_of_a_team_lets_its_nodes_in():
    installed = platform(clusters.classic_api)
    KarpenterNodeClass(team(installed), "Class", karpenter=installed, name="w", ami="windows2022@latest")
    template = Template.from_stack(Stack.of(installed))
    template.has_resource_properties("AWS::EKS::AccessEntry", {"Type": "EC2_WINDOWS"})


def test_a_pool_may_be_in_a_nested_stack():
    installed = platform()
    nested = NestedStack(Stack.of(installed), "Nested")
    own = KarpenterNodeClass(nested, "Class", karpenter=installed, name="c", ami=IMAGE)
    installed.add_node_pool("p", node_class=own)
    assert (applied(nested), applied(Stack.of(installed))) == (["EC2NodeClass c"], ["NodePool p"])


@pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
def test_six_hundred_pools_fit_into_two_stacks():
    installed = platform(clusters.v2)
    shared = installed.add_node_class("shared", ami=IMAGE)
    stacks = [team(installed, name) for name in ("First", "Second")]
    for number in range(600):
        KarpenterNodePool(
            stacks[number % 2],
            f"Pool{number}",
            karpenter=installed,
            name=f"pool-{number}",
            node_class=shared,
            weight=number % 100 + 1,
            labels={"example.com/pool": str(number)},
        )
    assert [len(resources(stack)) for stack in stacks] == [300, 300]


# What is refused


def refused(make: Callable[[], object], app: Construct) -> list[str]:
    """The problems, after a look at the tree: nothing half-built is left in it."""
    with unchanged(app), pytest.raises(SettingsError) as raised:
        make()
    return lines(raised.value)


def test_fails_on_fields_that_the_release_does_not_know():
    installed = platform(version="0.37.8")
    stack = team(installed)
    assert refused(
        lambda: KarpenterNodePool(
            stack, "Pool", karpenter=installed, name="p", termination_grace_period="1h", weight=1, replicas=1
        ),
        stack.node.root,
    ) == [
        "`node_pools['p'].termination_grace_period`: needs Karpenter 1.0.0 or later, version is 0.37.8",
        "`node_pools['p'].replicas`: needs Karpenter 1.8.0 or later, version is 0.37.8",
    ]


def test_fails_on_a_name_that_another_team_has():
    installed = platform()
    first, second = team(installed, "First"), team(installed, "Second")
    KarpenterNodePool(first, "Pool", karpenter=installed, name="p")
    assert refused(
        lambda: KarpenterNodePool(second, "Pool", karpenter=installed, name="p"), first.node.root
    ) == ["`node_pools['p']`: is there already, as First/Pool/Resource; give each its own name"]
    assert refused(lambda: installed.add_node_pool("p"), first.node.root) == [
        "`node_pools['p']`: is there already, as First/Pool/Resource; give each its own name"
    ]


def test_fails_on_a_construct_id_that_is_taken():
    installed = platform()
    stack = team(installed)
    KarpenterNodePool(stack, "Pool", karpenter=installed, name="p")
    assert refused(
        lambda: KarpenterNodePool(stack, "Pool", karpenter=installed, name="q"), stack.node.root
    ) == ["`id`: the construct id 'Pool' is taken in Team; choose another name"]


def test_fails_without_a_name():
    installed = platform()
    stack = team(installed)
    assert refused(lambda: KarpenterNodePool(stack, "Pool", karpenter=installed), stack.node.root) == [
        "`NodePool.name`: is required; write for example 'default'"
    ]


def test_fails_on_a_name_and_fields_beside_a_model():
    installed = platform()
    stack = team(installed)
    model = NodePool(name="p")
    assert refused(
        lambda: KarpenterNodePool(stack, "Pool", karpenter=installed, name="q", model=model, weight=1),
        stack.node.root,
    ) == [
        "`node_pools['p']`: is complete, got name, weight besides; use model_copy(update={...}) to change it"
    ]


def test_fails_on_the_class_of_another_karpenter():
    first = platform()
    second = Karpenter(
        other := Stack(first.node.root, "Other"),
        "Karpenter",
        cluster=clusters.imported_classic(other, cluster_name="dev"),
        version="1.14.1",
        **karpenters.ROLES_ALONE,
    )
    theirs = KarpenterNodeClass(other, "Class", karpenter=second, name="c", ami=IMAGE)
    stack = team(first)
    assert refused(
        lambda: KarpenterNodePool(stack, "Pool", karpenter=first, name="p", node_class=theirs),
        stack.node.root,
    ) == [
        "`node_pools['p'].node_class`: is the EC2NodeClass Other/Class/Resource of another Karpenter; pass a node "
        "class of this one"
    ]


@pytest.mark.parametrize("given", [None, "Karpenter"])
def test_fails_on_something_that_is_no_karpenter(given):
    stack = clusters.stack()
    assert refused(lambda: KarpenterNodePool(stack, "Pool", karpenter=given, name="p"), stack.node.root) == [
        f"`karpenter`: is no Karpenter, got {given!r}; pass the construct"
    ]


def test_fails_without_kubectl():
    installed = platform(
        functools.partial(clusters.imported_classic, kubectl_provider=None), install_chart=False
    )
    stack = team(installed)
    assert refused(
        lambda: KarpenterNodePool(stack, "Pool", karpenter=installed, name="p"), installed.node.root
    ) == [
        "`node_pools['p']`: cannot apply charts and manifests to Test/Cluster; pass kubectl_role_arn and "
        "kubectl_layer, or a kubectl_provider, to aws_eks.Cluster.from_cluster_attributes(), or apply the object from "
        "elsewhere"
    ]


def test_fails_on_a_pool_of_the_karpenters_stack_with_a_class_of_another():
    installed = platform()
    stack = team(installed)
    theirs = KarpenterNodeClass(stack, "Class", karpenter=installed, name="c", ami=IMAGE)
    assert refused(lambda: installed.add_node_pool("p", node_class=theirs), stack.node.root) == [
        "`node_pools['p'].node_class`: is in the stack 'Team', which waits for the stack of this pool; define both "
        "in one stack, or the class in that of Karpenter"
    ]


def test_fails_on_two_stacks_that_would_wait_for_each_other():
    installed = platform()
    first, second = team(installed, "First"), team(installed, "Second")
    in_first = KarpenterNodeClass(first, "Class", karpenter=installed, name="a", ami=IMAGE)
    in_second = KarpenterNodeClass(second, "Class", karpenter=installed, name="b", ami=IMAGE)
    KarpenterNodePool(second, "Pool", karpenter=installed, name="p", node_class=in_first)
    assert refused(
        lambda: KarpenterNodePool(first, "Pool", karpenter=installed, name="q", node_class=in_second),
        first.node.root,
    ) == [
        "`node_pools['q'].node_class`: is in the stack 'Second', which waits for the stack of this pool; define both "
        "in one stack, or the class in that of Karpenter"
    ]


def test_fails_where_the_user_made_the_stacks_wait_the_other_way_round():
    installed = platform()
    first, second = team(installed, "First"), team(installed, "Second")
    first.add_dependency(second)
    in_first = KarpenterNodeClass(first, "Class", karpenter=installed, name="a", ami=IMAGE)
    assert refused(
        lambda: KarpenterNodePool(second, "Pool", karpenter=installed, name="p", node_class=in_first),
        first.node.root,
    ) == [
        "`node_pools['p'].node_class`: is in the stack 'First', which waits for the stack of this pool; define both "
        "in one stack, or the class in that of Karpenter"
    ]


def test_fails_in_the_stack_of_the_cluster_where_karpenter_is_in_another():
    stack = clusters.stack()
    cluster = clusters.other_stack(stack, clusters.classic_api)
    installed = Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.ROLES_ALONE)
    there = Stack.of(cluster)
    assert refused(
        lambda: KarpenterNodePool(there, "Pool", karpenter=installed, name="p"), stack.node.root
    ) == [
        "`node_pools['p']`: cannot be in a stack that the stack 'Test' of its Karpenter waits for; use another stack"
    ]


def test_a_team_may_have_its_own_stack_beside_those_of_cluster_and_karpenter():
    stack = clusters.stack()
    cluster = clusters.other_stack(stack, clusters.classic_api)
    installed = Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
    theirs = team(installed)
    KarpenterNodePool(theirs, "Pool", karpenter=installed, name="p")
    assert applied(theirs) == ["NodePool p"]
    assert before(theirs) == ["ClusterStack", "Test"]


def test_fails_in_the_stack_of_a_node_role_that_karpenter_needs():
    stack = clusters.stack()
    theirs = Stack(stack.node.root, "Team")
    role = aws_iam.Role(theirs, "Nodes", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
    installed = Karpenter(
        stack,
        "Karpenter",
        cluster=clusters.imported_classic(stack),
        version="1.14.1",
        node_role=role,
        **karpenters.ROLES_ALONE,
    )
    assert refused(
        lambda: KarpenterNodeClass(theirs, "Class", karpenter=installed, name="c", ami=IMAGE), stack.node.root
    ) == [
        "`node_classes['c']`: cannot be in a stack that the stack 'Test' of its Karpenter waits for; use another stack"
    ]


def test_an_imported_node_role_makes_no_stack_wait():
    stack = clusters.stack()
    theirs = Stack(stack.node.root, "Team")
    role = aws_iam.Role.from_role_name(theirs, "Nodes", "team-nodes")
    installed = Karpenter(
        stack,
        "Karpenter",
        cluster=clusters.imported_classic(stack),
        version="1.14.1",
        node_role=role,
        **karpenters.ROLES_ALONE,
    )
    KarpenterNodeClass(theirs, "Class", karpenter=installed, name="c", ami=IMAGE)
    (body,) = manifests(theirs).values()
    assert body["spec"]["role"] == "team-nodes"


def test_fails_in_another_stage():
    app = clusters.stack().node.root
    stacks = [Stack(Stage(app, name), "Stack") for name in ("Blue", "Green")]
    installed = Karpenter(
        stacks[0],
        "Karpenter",
        cluster=clusters.imported_classic(stacks[0]),
        version="1.14.1",
        **karpenters.ROLES_ALONE,
    )
    assert refused(lambda: KarpenterNodePool(stacks[1], "Pool", karpenter=installed, name="p"), app) == [
        "`node_pools['p']`: is in the stage 'Green', its Karpenter in 'Blue', and stacks of two stages cannot wait for "
        "each other; use the Karpenter of the same stage"
    ]


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (Environment(account=clusters.ACCOUNT, region="us-east-1"), f"{clusters.ACCOUNT}/us-east-1"),
        (Environment(account="999999999999", region=clusters.REGION), f"999999999999/{clusters.REGION}"),
    ],
    ids=["region", "account"],
)
def test_fails_in_another_place(place, shown):
    home = Environment(account=clusters.ACCOUNT, region=clusters.REGION)
    stack = clusters.stack(env=home)
    cluster = clusters.imported_classic(stack)
    installed = Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.ROLES_ALONE)
    there = Stack(stack.node.root, "There", env=place)
    assert refused(
        lambda: KarpenterNodePool(there, "Pool", karpenter=installed, name="p"), stack.node.root
    ) == [
        f"`node_pools['p']`: is in a stack of {shown}, its Karpenter in one of {clusters.ACCOUNT}/{clusters.REGION}; "
        "use a stack of the same place"
    ]


def test_fails_at_synth_on_what_the_objects_of_all_stacks_get_wrong_together():
    # The zones of subnets that are named by their ids are not known.
    installed = platform(discovery=None)
    stack = team(installed)
    KarpenterNodePool(
        stack,
        "Pool",
        karpenter=installed,
        name="p",
        requirements=[In("topology.kubernetes.io/zone", "eu-west-1z")],
    )
    with pytest.raises(RuntimeError) as raised:
        installed.node.root.synth()
    assert (
        "`node_pools['p'].requirements[0].values[0]`: no subnet for nodes is in this zone, got 'eu-west-1z'; use one "
        "of 'eu-west-1a', 'eu-west-1b'"
    ) in str(raised.value)


def test_warnings_about_the_objects_of_all_stacks_are_at_the_karpenter():
    installed = platform()
    KarpenterNodePool(team(installed, "First"), "Pool", karpenter=installed, name="a", limits=None)
    assert (
        "`node_pools['a'].limits`: there is no limit to what the pool may launch; give one, as in {'cpu': 1000} "
        "[ack: karpenter-construct:noLimits]"
    ) in warnings(Stack.of(installed))
