"""Karpenter in a stack of its own, beside that of the cluster: the one can be deployed without the other."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

from karpenter_construct import ControllerCapacity, Karpenter

app = cdk.App()

platform = cdk.Stack(app, "OtherStackCluster")
cluster = eks.Cluster(
    platform,
    "Cluster",
    cluster_name="platform",
    version=eks.KubernetesVersion.V1_36,
    vpc=ec2.Vpc(platform, "Vpc", nat_gateways=1),
    default_capacity=0,
    kubectl_layer=KubectlV36Layer(platform, "KubectlLayer"),
    # aws-auth belongs to this stack; roles of another get in by access entries.
    authentication_mode=eks.AuthenticationMode.API_AND_CONFIG_MAP,
)
system = cluster.add_nodegroup_capacity("System", min_size=2)

scaling = cdk.Stack(app, "OtherStackKarpenter")
karpenter = Karpenter(
    scaling,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    controller_capacity=ControllerCapacity.existing(system),
)
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
