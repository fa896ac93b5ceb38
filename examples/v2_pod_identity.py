"""Karpenter on an `aws_eks_v2.Cluster`, with EKS Pod Identity and a node group of its own."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks_v2 as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

from karpenter_construct import ControllerCapacity, IdentityType, Karpenter

app = cdk.App()
stack = cdk.Stack(app, "V2PodIdentity")

cluster = eks.Cluster(
    stack,
    "Cluster",
    version=eks.KubernetesVersion.V1_36,
    vpc=ec2.Vpc(stack, "Vpc", nat_gateways=1),
    # The default is EKS Auto Mode, which has a Karpenter of its own.
    default_capacity_type=eks.DefaultCapacityType.NODEGROUP,
    default_capacity=0,
    kubectl_provider_options=eks.KubectlProviderOptions(kubectl_layer=KubectlV36Layer(stack, "KubectlLayer")),
)

karpenter = Karpenter(
    stack,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    identity_type=IdentityType.POD_IDENTITY,
    controller_capacity=ControllerCapacity.nodegroup(instance_types=["m7g.large"]),
)
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
