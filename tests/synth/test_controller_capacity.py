"""What is made for the controller to run on."""

from __future__ import annotations

import importlib

import pytest
from aws_cdk import Fn, aws_ec2, aws_eks, aws_iam
from constructs import Construct

from karpenter_construct._resources.controller_capacity import CapacityResources, capacity_resources
from karpenter_construct.controller_capacity import ControllerCapacity

from . import clusters
from .clusters import app, classic, stack
from .intrinsics import CHINA, GOVCLOUD, document, hard_coded, kinds, of_stack, resources

NODEGROUP = ControllerCapacity.nodegroup()
FARGATE = ControllerCapacity.fargate()
needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
FLAG = "@aws-cdk/aws-eks:nodegroupNameAttribute"


def make(scope: Construct, capacity, **given) -> CapacityResources:
    given = {"cluster_name": "prod", "namespace": "kube-system", "subnet_ids": lambda: ["subnet-1"], **given}
    return capacity_resources(scope, capacity, **given)


def policies(role) -> list[str]:
    return [arn["Fn::Join"][1][-1].rpartition("/")[2] for arn in role["Properties"]["ManagedPolicyArns"]]


class TestNodegroup:
    def test_is_made_with_a_role_that_lets_nodes_join(self):
        found = resources(lambda scope: make(scope, NODEGROUP))
        assert kinds(found) == {
            "ControllerNodeRole": "AWS::IAM::Role",
            "ControllerNodegroup": "AWS::EKS::Nodegroup",
        }
        assert policies(found["ControllerNodeRole"]) == [
            "AmazonEKSWorkerNodePolicy",
            "AmazonEKS_CNI_Policy",
            "AmazonEC2ContainerRegistryPullOnly",
        ]
        assert found["ControllerNodegroup"]["Properties"] == {
            "AmiType": "AL2023_x86_64_STANDARD",
            "ClusterName": "prod",
            "InstanceTypes": ["m5.large"],
            "Labels": {"karpenter.sh/controller": "true"},
            "NodeRole": {"Fn::GetAtt": ["ControllerNodeRole", "Arn"]},
            "ScalingConfig": {"DesiredSize": 2, "MaxSize": 2, "MinSize": 2},
            "Subnets": ["subnet-1"],
            "Taints": [{"Effect": "NO_SCHEDULE", "Key": "CriticalAddonsOnly", "Value": "true"}],
        }

    def test_is_made_as_asked_for(self):
        def build(scope):
            subnet = aws_ec2.Subnet.from_subnet_id(scope, "Subnet", "subnet-2")
            capacity = ControllerCapacity.nodegroup(
                instance_types=[aws_ec2.InstanceType("m7g.large")],
                ami_type=aws_eks.NodegroupAmiType.BOTTLEROCKET_ARM_64,
                min_size=1,
                max_size=3,
                labels={},
                taints=["a:NoExecute", "b=c:PreferNoSchedule"],
                subnets=[subnet, "subnet-3"],
            )
            make(scope, capacity)

        properties = resources(build)["ControllerNodegroup"]["Properties"]
        assert properties["InstanceTypes"] == ["m7g.large"]
        assert properties["AmiType"] == "BOTTLEROCKET_ARM_64"
        assert properties["ScalingConfig"] == {"DesiredSize": 1, "MaxSize": 3, "MinSize": 1}
        assert "Labels" not in properties
        assert properties["Taints"] == [
            {"Effect": "NO_EXECUTE", "Key": "a"},
            {"Effect": "PREFER_NO_SCHEDULE", "Key": "b", "Value": "c"},
        ]
        assert properties["Subnets"] == ["subnet-2", "subnet-3"]

    @pytest.mark.parametrize(
        ("member", "instance_type", "said"),
        [
            ("AL2023_X86_64_STANDARD", "m5.large", "AL2023_x86_64_STANDARD"),
            ("BOTTLEROCKET_X86_64", "m5.large", "BOTTLEROCKET_x86_64"),
            ("AL2023_ARM_64_STANDARD", "m7g.large", "AL2023_ARM_64_STANDARD"),
        ],
    )
    def test_ami_type_of_cdks_enum_becomes_the_one_of_eks(self, member, instance_type, said):
        capacity = ControllerCapacity.nodegroup(
            ami_type=getattr(aws_eks.NodegroupAmiType, member), instance_types=[instance_type]
        )
        found = resources(lambda scope: make(scope, capacity))
        assert found["ControllerNodegroup"]["Properties"]["AmiType"] == said

    def test_pods_select_it_by_its_name_alone(self):
        home = stack()
        made = make(Construct(home, "Karpenter"), NODEGROUP)
        [by_name, by_label] = home.resolve(list(NODEGROUP.node_affinity_expressions(*made.nodegroup_names)))
        [name] = by_name["values"]
        assert name["Fn::GetAtt"][1] == "NodegroupName"
        assert by_label["key"] == "karpenter.sh/controller"

    def test_ipv6_and_boundary_reach_the_role(self):
        def build(scope):
            limits = aws_iam.ManagedPolicy.from_managed_policy_arn(scope, "Limits", "arn:aws:iam::1:policy/b")
            make(scope, NODEGROUP, ipv6=True, permissions_boundary=limits)

        role = resources(build)["ControllerNodeRole"]
        assert policies(role) == ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"]
        assert [policy["PolicyName"] for policy in role["Properties"]["Policies"]] == ["CniIpv6"]
        assert role["Properties"]["PermissionsBoundary"] == "arn:aws:iam::1:policy/b"

    def test_role_is_told_for_aws_auth(self):
        made = make(Construct(stack(), "Karpenter"), NODEGROUP)
        assert made.node_role is not None
        assert made.pod_execution_role is None


class TestFargate:
    def test_takes_the_controllers_pods_out_of_a_shared_namespace(self):
        found = resources(lambda scope: make(scope, FARGATE))
        assert kinds(found) == {
            "PodExecutionRole": "AWS::IAM::Role",
            "ControllerFargateProfile": "AWS::EKS::FargateProfile",
        }
        assert found["ControllerFargateProfile"]["Properties"] == {
            "ClusterName": "prod",
            "PodExecutionRoleArn": {"Fn::GetAtt": ["PodExecutionRole", "Arn"]},
            "Selectors": [
                {
                    "Labels": [{"Key": "app.kubernetes.io/name", "Value": "karpenter"}],
                    "Namespace": "kube-system",
                }
            ],
            "Subnets": ["subnet-1"],
        }

    def test_takes_a_namespace_of_its_own_whole(self):
        found = resources(lambda scope: make(scope, FARGATE, namespace="karpenter"))
        assert found["ControllerFargateProfile"]["Properties"]["Selectors"] == [{"Namespace": "karpenter"}]

    def test_role_is_for_profiles_of_this_cluster(self):
        found = resources(lambda scope: make(scope, FARGATE, cluster_name=Fn.ref("Cluster")))
        role = found["PodExecutionRole"]
        assert policies(role) == ["AmazonEKSFargatePodExecutionRolePolicy"]
        trust = document(role["Properties"]["AssumeRolePolicyDocument"], {"Cluster": "made-up"})
        assert trust["Statement"] == [
            {
                "Effect": "Allow",
                "Principal": {"Service": "eks-fargate-pods.amazonaws.com"},
                "Action": "sts:AssumeRole",
                "Condition": {
                    "ArnLike": {
                        "aws:SourceArn": "arn:aws:eks:eu-west-1:111122223333:fargateprofile/made-up/*"
                    }
                },
            }
        ]

    def test_waits_for_the_clusters_other_profiles(self):
        home = stack()
        cluster = classic(home)
        other = cluster.add_fargate_profile("Other", selectors=[aws_eks.Selector(namespace="apps")])
        make(Construct(home, "Karpenter"), FARGATE, after=[other])
        waits = of_stack(home)["ControllerFargateProfile"]["DependsOn"]
        assert any("fargateprofileOther" in each for each in waits)

    def test_role_is_told_for_aws_auth(self):
        made = make(Construct(stack(), "Karpenter"), FARGATE)
        assert made.pod_execution_role is not None
        assert made.node_role is None


class TestElsewhere:
    @pytest.mark.parametrize(
        "capacity",
        [ControllerCapacity.anywhere(), ControllerCapacity.existing("critical")],
        ids=["anywhere", "existing"],
    )
    def test_nothing_is_made(self, capacity):
        made = []
        found = resources(lambda scope: made.append(make(scope, capacity)))
        assert found == {}
        assert made == [CapacityResources()]

    @pytest.mark.parametrize("flag", [True, False], ids=["flag on", "flag off"])
    def test_name_of_cdks_nodegroup_is_right_with_the_feature_flag_and_without(self, flag):
        home = stack(app(**{FLAG: flag}))
        group = classic(home).add_nodegroup_capacity("Critical")
        [expression] = home.resolve(list(ControllerCapacity.existing(group).node_affinity_expressions()))
        [name] = expression["values"]
        assert name["Fn::GetAtt"][1] == "NodegroupName"

    @pytest.mark.parametrize("kind", ["classic", pytest.param("v2", marks=needs_eks_v2)])
    def test_taints_and_size_of_the_apps_own_nodegroup_are_known(self, kind):
        home = stack()
        eks = importlib.import_module(f"aws_cdk.aws_eks{'_v2' if kind == 'v2' else ''}")
        taints = [
            eks.TaintSpec(key="a", value="b", effect=eks.TaintEffect.NO_EXECUTE),
            eks.TaintSpec(key="c", value="d", effect=eks.TaintEffect.NO_SCHEDULE),
        ]
        cluster = getattr(clusters, kind)(home)
        group = cluster.add_nodegroup_capacity(
            "Critical", taints=taints, min_size=1, max_size=5, desired_size=3
        )
        capacity = ControllerCapacity.existing(group)
        assert capacity.tolerations == (
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"},
            {"key": "c", "operator": "Equal", "value": "d", "effect": "NoSchedule"},
        )
        assert capacity.node_count == 3

    def test_nothing_is_known_of_a_nodegroup_without_taints_and_of_an_imported_one(self):
        home = stack()
        bare = classic(home).add_nodegroup_capacity("Critical")
        imported = aws_eks.Nodegroup.from_nodegroup_name(home, "Imported", "critical")
        assert ControllerCapacity.existing(bare, imported).tolerations == ()
        assert ControllerCapacity.existing(imported).node_count is None

    def test_name_of_an_imported_nodegroup_is_taken(self):
        group = aws_eks.Nodegroup.from_nodegroup_name(stack(), "Critical", "critical")
        [expression] = ControllerCapacity.existing(group).node_affinity_expressions()
        assert expression["values"] == ["critical"]


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
@pytest.mark.parametrize("capacity", [NODEGROUP, FARGATE], ids=["node group", "Fargate"])
def test_nothing_is_hard_coded(env, capacity):
    assert hard_coded(resources(lambda scope: make(scope, capacity), env=env)) == set()
