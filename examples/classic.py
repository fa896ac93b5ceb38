"""Karpenter on an `aws_eks.Cluster`; the controller runs on the cluster's own node group."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

from karpenter_construct import ControllerCapacity, Karpenter

app = cdk.App()
stack = cdk.Stack(app, "Classic")

cluster = eks.Cluster(
    stack,
    "Cluster",
    version=eks.KubernetesVersion.V1_36,
    vpc=ec2.Vpc(stack, "Vpc", nat_gateways=1),
    default_capacity=0,
    kubectl_layer=KubectlV36Layer(stack, "KubectlLayer"),
)
system = cluster.add_nodegroup_capacity("System", min_size=2)

karpenter = Karpenter(
    stack,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    controller_capacity=ControllerCapacity.existing(system),
)
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
