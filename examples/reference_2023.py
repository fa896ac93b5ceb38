"""Karpenter 0.30 on Kubernetes 1.26, as it was set up by hand in 2023.

The namespace, the pinned controller, the tainted add-ons node group, the Provisioner and its AWSNodeTemplate are
those of that cluster.
"""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v26 import KubectlV26Layer
from constructs import Construct

from karpenter_construct import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_FAMILY,
    INSTANCE_SIZE,
    OS,
    ZONE,
    ControllerCapacity,
    In,
    Karpenter,
    MetadataOptions,
)

ZONES = ("us-east-1a", "us-east-1b")


class Reference2023Stack(cdk.Stack):
    """The cluster of 2023, with an existing node group for the add-ons and one default pool."""

    def __init__(self, scope: Construct, id: str) -> None:  # noqa: A002
        super().__init__(scope, id)
        cluster = eks.Cluster(
            self,
            "Cluster",
            cluster_name="dev",
            version=eks.KubernetesVersion.V1_26,
            vpc=ec2.Vpc(self, "Vpc", max_azs=2, nat_gateways=1),
            default_capacity=0,
            kubectl_layer=KubectlV26Layer(self, "KubectlLayer"),
        )
        addons = cluster.add_nodegroup_capacity(
            "CriticalAddons",
            instance_types=[ec2.InstanceType("t3.medium")],
            ami_type=eks.NodegroupAmiType.AL2_X86_64,
            min_size=2,
            desired_size=2,
            max_size=3,
            labels={"critical-addons": "true"},
            taints=[
                eks.TaintSpec(key="critical-addons", value="true", effect=eks.TaintEffect.NO_EXECUTE),
                eks.TaintSpec(key="critical-addons", value="true", effect=eks.TaintEffect.NO_SCHEDULE),
            ],
        )
        self.karpenter = Karpenter(
            self,
            "Karpenter",
            cluster=cluster,
            version="v0.30.0-rc.0",
            namespace="dev-karpenter-system-ns",
            controller_capacity=ControllerCapacity.existing(addons),
        )
        self.karpenter.add_node_class(
            "default", ami_family="AL2", metadata_options=MetadataOptions(http_put_response_hop_limit=2)
        )
        self.karpenter.add_node_pool(
            "default",
            requirements=[
                In(INSTANCE_FAMILY, "t3"),
                In(INSTANCE_SIZE, "small", "medium", "large"),
                In(ZONE, *ZONES),
                # What the webhook of that release adds to a Provisioner by itself.
                In(OS, "linux"),
                In(ARCH, "amd64"),
                In(CAPACITY_TYPE, "on-demand"),
            ],
            limits=None,
            expire_after="2592000s",
        )
