"""Karpenter on a cluster without node groups: the controller runs on Fargate, everything else on its nodes."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

from karpenter_construct import Karpenter

app = cdk.App()
stack = cdk.Stack(app, "Fargate")

cluster = eks.FargateCluster(
    stack,
    "Cluster",
    version=eks.KubernetesVersion.V1_36,
    vpc=ec2.Vpc(stack, "Vpc", nat_gateways=1),
    kubectl_layer=KubectlV36Layer(stack, "KubectlLayer"),
)

# On a FargateCluster the controller gets a Fargate profile and IRSA by itself; on any other, ask for
# controller_capacity=ControllerCapacity.fargate().
karpenter = Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1")
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
