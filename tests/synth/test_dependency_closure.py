"""Every pool waits for all that its nodes and the controller need; CloudFormation deletes the other way round."""

from __future__ import annotations

import functools

import pytest
from aws_cdk import NestedStack, Stack, aws_ec2, aws_eks, aws_iam
from aws_cdk.assertions import Template
from constructs import Construct

from karpenter_construct import CAPACITY_TYPE, ControllerCapacity, In, Karpenter

from . import clusters, karpenters
from .dependencies import Dependencies

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
every_generation = pytest.mark.parametrize("release", karpenters.GENERATIONS)
KINDS = {
    "0.31.5": ("classic", "other_classic_both", "imported_classic", "v2"),
    "0.37.8": ("classic", "other_classic_both", "imported_classic", "v2"),
    "1.14.1": (
        "classic",
        "classic_both",
        "classic_api",
        "other_classic_both",
        "imported_classic",
        "fargate",
        "v2",
        "other_v2",
        "imported_v2",
        "v2_fargate",
    ),
}

SPOT_ROLE = {"SpotServiceLinkedRole", "SpotServiceLinkedRolePolicy"}
NOT_BEFORE = {
    # The wait for nodes comes between all pools and all classes.
    ("0.31.5", "Provisionerdefault"): {"Provisionerspot", *SPOT_ROLE},
    ("0.31.5", "Provisionerspot"): {"Provisionerdefault"},
    ("0.37.8", "NodePooldefault"): {"NodePoolspot", "EC2NodeClassspecial", *SPOT_ROLE},
    ("0.37.8", "NodePoolspot"): {"NodePooldefault", "EC2NodeClassdefault"},
    ("1.14.1", "NodePooldefault"): {"NodePoolspot", "EC2NodeClassspecial", *SPOT_ROLE},
    ("1.14.1", "NodePoolspot"): {"NodePooldefault", "EC2NodeClassdefault"},
}
"""By release and pool, all that it need not wait for."""

POLICIES = {
    "NodeLifecyclePolicy",
    "IAMIntegrationPolicy",
    "EKSIntegrationPolicy",
    "InterruptionPolicy",
    "ResourceDiscoveryPolicy",
}
RULES = {"ScheduledChangeRule", "SpotInterruptionRule", "RebalanceRule", "InstanceStateChangeRule"}
ALWAYS = {
    "NodeRole",
    "ControllerRole",
    "InterruptionQueue",
    "InterruptionQueuePolicy",
    "DiscoveryTags",
    "DiscoveryTagsPolicy",
    "Handler",
    "HandlerRole",
    "HandlerLogs",
    "CrdChart",
    "Chart",
    *POLICIES,
    *RULES,
}
IN_RELEASE = {
    "0.31.5": {"NodeInstanceProfile", "NodeDrain", "NodeDrainPolicy"},
    "0.37.8": set(),
    "1.14.1": {"CapacityReservationInterruptionRule", "ZonalShiftPolicy"},
}


def pools(karpenter: Karpenter) -> dict[str, Construct]:
    """A pool on demand with the class that is made for it, and one of spot instances with another class."""
    special = karpenter.add_node_class("special")
    spot = [In(CAPACITY_TYPE, "spot")]
    handles = [
        karpenter.add_node_pool("default"),
        karpenter.add_node_pool("spot", node_class=special, requirements=spot),
    ]
    return {f"{handle.kind}{handle.name}": handle.resource for handle in handles}


def stacks(home: Stack) -> list[Stack]:
    """The stack, and that of the cluster where there is one."""
    return [home, *(child for child in home.node.root.node.children if child.node.id == "ClusterStack")]


@functools.cache
def with_pools(kind: str, release: str) -> tuple[tuple[str, ...], Dependencies]:
    """The names of the pools, and the dependencies, on a cluster of a kind; several tests look at each."""
    home = clusters.stack()
    names = pools(karpenters.karpenter(kind, home, release))
    return tuple(names), Dependencies(*stacks(home))


@pytest.mark.parametrize(
    ("release", "kind"),
    [
        pytest.param(release, kind, marks=needs_eks_v2 if "v2" in kind else ())
        for release, kinds in KINDS.items()
        for kind in kinds
    ],
)
def test_a_pool_waits_for_everything_that_is_made(kind: str, release: str):
    names, dependencies = with_pools(kind, release)
    # What CDK makes Fargate's CoreDNS with; the controller on Fargate asks the VPC's DNS.
    others = {"ClusterCoreDnsComputeTypePatch"}
    for pool in names:
        missing = dependencies.names - dependencies.of(pool) - others - {pool}
        assert missing == NOT_BEFORE[release, pool]
        assert dependencies.of(pool) >= ALWAYS | IN_RELEASE[release]


@pytest.mark.parametrize(
    ("kind", "release", "needed"),
    [
        ("classic", "1.14.1", {"ClusterAwsAuthmanifest", "ClusterEksPodIdentityAgentAddon"}),
        ("classic", "0.31.5", {"ClusterAwsAuthmanifest", "ClusterOpenIdConnectProvider"}),
        ("classic_both", "1.14.1", {"NodeAccessEntry", "PodIdentityAssociation"}),
        ("other_classic_api", "1.14.1", {"NodeAccessEntry", "ClusterStack/ClusterEksPodIdentityAgentAddon"}),
        ("other_classic_api", "0.37.8", {"NodeAccessEntry", "PodIdentityAssociation"}),
        ("imported_classic", "0.31.5", {"NodeAccessEntry"}),
        (
            "fargate",
            "1.14.1",
            {"ControllerFargateProfile", "PodExecutionRole", "ClusterOpenIdConnectProvider"},
        ),
        pytest.param("v2", "1.14.1", {"NodeAccessEntry", "PodIdentityAssociation"}, marks=needs_eks_v2),
    ],
)
def test_a_pool_waits_for_access_and_identity(kind: str, release: str, needed: set[str]):
    (pool, _), dependencies = with_pools(kind, release)
    assert dependencies.of(pool) >= needed


@pytest.mark.parametrize("kind", ["classic", pytest.param("v2", marks=needs_eks_v2)])
def test_a_pool_waits_for_the_way_to_aws(kind: str):
    """NAT gateways and routes: without them the controller could not tell EC2 to terminate anything."""
    home = clusters.stack()
    vpc = aws_ec2.Vpc(home, "Network", max_azs=2, nat_gateways=1)
    cluster = karpenters.cluster(kind, home, vpc=vpc)
    pool, _ = pools(
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
    )
    assert Dependencies(home).of(pool) >= {
        "NetworkPublicSubnet1NATGateway",
        "NetworkPrivateSubnet1DefaultRoute",
        "NetworkPrivateSubnet2DefaultRoute",
        "NetworkPrivateSubnet1RouteTableAssociation",
        "NetworkVPCGW",
    }


class TestGroundwork:
    """What the controller's pods stand on, whenever the app makes it."""

    @staticmethod
    def needed(home: Stack, cluster, **arguments) -> set[str]:
        karpenter = Karpenter(
            home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE, **arguments
        )
        aws_eks.CfnNodegroup(home, "Late", cluster_name=cluster.cluster_name, node_role="r", subnets=["s"])
        for addon in ("vpc-cni", "kube-proxy", "coredns", "aws-ebs-csi-driver"):
            aws_eks.CfnAddon(home, addon, addon_name=addon, cluster_name=cluster.cluster_name)
        pool, _ = pools(karpenter)
        found = Dependencies(home).of(pool)
        return found & {"Early", "Late", "vpccni", "kubeproxy", "coredns", "awsebscsidriver"}

    def test_is_nodes_network_and_dns(self):
        home = clusters.stack()
        cluster = clusters.classic_both(home)
        aws_eks.CfnNodegroup(home, "Early", cluster_name="prod", node_role="r", subnets=["s"])
        assert self.needed(home, cluster) == {"Early", "Late", "vpccni", "kubeproxy", "coredns"}

    def test_is_found_on_an_imported_cluster_too(self):
        home = clusters.stack()
        cluster = clusters.imported_classic(home)
        assert self.needed(home, cluster) == {"Late", "vpccni", "kubeproxy", "coredns"}

    def test_is_looked_for_in_the_app_of_karpenter(self):
        cluster = clusters.imported_classic(clusters.stack())
        assert self.needed(clusters.stack(), cluster) == {"Late", "vpccni", "kubeproxy", "coredns"}

    def test_has_no_dns_where_the_controller_does_not_ask_it(self):
        """CoreDNS may then wait for Karpenter's first nodes."""
        home = clusters.stack()
        values = {"dnsPolicy": "Default"}
        needed = self.needed(home, clusters.imported_classic(home), helm_values=values)
        assert needed == {"Late", "vpccni", "kubeproxy"}

    def test_is_nothing_on_fargate(self):
        home = clusters.stack()
        needed = self.needed(
            home, clusters.imported_classic(home), controller_capacity=ControllerCapacity.fargate()
        )
        assert needed == set()

    def test_of_another_cluster_does_not_count(self):
        home = clusters.stack()
        cluster = clusters.classic_both(home)
        aws_eks.CfnNodegroup(home, "Early", cluster_name="other", node_role="r", subnets=["s"])
        assert self.needed(home, cluster) == {"Late", "vpccni", "kubeproxy", "coredns"}

    @pytest.mark.parametrize(
        ("kind", "group"),
        [
            ("classic", "ClusterNodegroupSystem"),
            pytest.param("v2", "ClusterNodegroupSystem", marks=needs_eks_v2),
        ],
    )
    def test_has_a_node_group_of_the_cluster(self, kind: str, group: str):
        home = clusters.stack()
        cluster = karpenters.cluster(kind, home)
        karpenter = Karpenter(
            home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE
        )
        cluster.add_nodegroup_capacity("System")
        pool, _ = pools(karpenter)
        assert group in Dependencies(home).of(pool)

    def test_has_an_auto_scaling_group_of_the_cluster(self):
        home = clusters.stack()
        cluster = clusters.classic(home)
        karpenter = Karpenter(
            home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE
        )
        instance_type = aws_ec2.InstanceType("m5.large")
        cluster.add_auto_scaling_group_capacity("System", instance_type=instance_type)
        pool, _ = pools(karpenter)
        assert "ClusterSystemASG" in Dependencies(home).of(pool)

    def test_is_found_outside_a_nested_stack(self):
        home = clusters.stack()
        cluster = clusters.imported_classic(home)
        nested = NestedStack(home, "Nested")
        Karpenter(nested, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
        aws_eks.CfnNodegroup(home, "Late", cluster_name="prod", node_role="r", subnets=["s"])
        [stack] = Template.from_stack(home).find_resources("AWS::CloudFormation::Stack").values()
        assert stack["DependsOn"] == ["Late"]


class TestFargateProfiles:
    """EKS makes and deletes one Fargate profile of a cluster at a time."""

    @pytest.mark.parametrize("kind", ["fargate", pytest.param("v2_fargate", marks=needs_eks_v2)])
    def test_of_a_cluster_are_made_one_by_one(self, kind: str):
        home = clusters.stack()
        cluster = karpenters.cluster(kind, home)
        Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
        cluster.add_fargate_profile("apps", selectors=[{"namespace": "apps"}])
        assert Dependencies(home).of("ControllerFargateProfile") >= {
            "Clusterfargateprofiledefault",
            "Clusterfargateprofileapps",
        }

    def test_of_another_cluster_may_be_made_meanwhile(self):
        home = clusters.stack()
        karpenters.karpenter("fargate", home, **karpenters.WITHOUT_QUEUE)
        for cluster in ("prod", "other"):
            aws_eks.CfnFargateProfile(
                home,
                f"Of{cluster}",
                cluster_name=cluster,
                pod_execution_role_arn="r",
                selectors=[{"namespace": "apps"}],
            )
        found = Dependencies(home).of("ControllerFargateProfile")
        assert found & {"Ofprod", "Ofother"} == {"Ofprod"}


class TestOrder:
    """What is deleted after what, where the order is not that of the closure alone."""

    def test_without_charts_a_pool_waits_for_all_that_the_controller_needs(self):
        home = clusters.stack()
        pool, _ = pools(karpenters.karpenter("classic_both", home, install_chart=False))
        dependencies = Dependencies(home)
        assert dependencies.names - dependencies.of(pool) - {pool} == NOT_BEFORE["1.14.1", pool]
        assert not {"Chart", "CrdChart"} & dependencies.names

    def test_what_is_added_later_counts_too(self):
        home = clusters.stack()
        capacity = ControllerCapacity.nodegroup()
        karpenter = karpenters.karpenter(
            "imported_classic", home, controller_capacity=capacity, **karpenters.WITHOUT_QUEUE
        )
        pool, _ = pools(karpenter)
        karpenter.add_to_controller_policy(aws_iam.PolicyStatement(actions=["s3:Get*"], resources=["*"]))
        karpenter.add_vpc_endpoints(clusters.vpc(Stack(home.node.root, "Net")), cidrs=["10.0.0.0/8"])
        dependencies = Dependencies(home)
        assert dependencies.of(pool) >= {"AdditionalPolicy", "Endpointsts", "EndpointSecurityGroup"}
        # Nodes join, and the function that installs charts reaches their registry, by the endpoints.
        assert "Endpointsts" in dependencies.of("ControllerNodegroup")
        assert dependencies.of("CrdChart") >= {"Endpointecrdkr", "Endpoints3"}

    @every_generation
    def test_the_drain_comes_between_pools_and_classes(self, release: str):
        _, dependencies = with_pools("imported_classic", release)
        if release != "0.31.5":
            assert "NodeDrain" not in dependencies.names
            return
        assert dependencies.of("NodeDrain") >= {"AWSNodeTemplatedefault", "AWSNodeTemplatespecial", "Chart"}

    @pytest.mark.parametrize(("release", "waits"), [("0.33.12", True), ("0.34.13", False)])
    def test_the_drain_is_there_until_classes_take_their_launch_templates_along(
        self, release: str, waits: bool
    ):
        home = clusters.stack()
        cluster = clusters.imported_classic(home)
        Karpenter(home, "Karpenter", cluster=cluster, version=release, **karpenters.WITHOUT_QUEUE)
        drains = Template.from_stack(home).find_resources("Custom::KarpenterNodeDrain")
        assert [drain["Properties"]["PoolTag"] for drain in drains.values()] == waits * [
            "karpenter.sh/nodepool"
        ]

    @every_generation
    def test_a_manifest_of_the_user_may_be_a_pool(self, release: str):
        home = clusters.stack()
        karpenter = karpenters.karpenter("imported_classic", home, release, **karpenters.WITHOUT_QUEUE)
        karpenter.add_manifest("Own", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})
        expected = {"Chart", "NodeDrain"} if release == "0.31.5" else {"Chart"}
        assert Dependencies(home).of("Own") & {"Chart", "NodeDrain"} == expected

    def test_a_node_role_that_a_node_group_has_let_in_is_there_with_the_group(self):
        home = clusters.stack()
        cluster = clusters.classic_api(home)
        role = aws_iam.Role(home, "Nodes", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
        cluster.add_nodegroup_capacity("System", node_role=role)
        given = {"node_role": role, **karpenters.WITHOUT_QUEUE}
        pool, _ = pools(Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **given))
        dependencies = Dependencies(home)
        assert "NodeAccessEntry" not in dependencies.names
        assert "ClusterNodegroupSystem" in dependencies.of(pool)
