"""Karpenter on a cluster that another tool made: names and ids are all that is known of it."""

import aws_cdk as cdk
from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam

from karpenter_construct import ControllerCapacity, Discovery, Karpenter

app = cdk.App()
stack = cdk.Stack(app, "ImportedCluster", env=cdk.Environment(account="111122223333", region="eu-west-1"))

kubectl_role = "arn:aws:iam::111122223333:role/kubectl"
cluster = eks.Cluster.from_cluster_attributes(
    stack,
    "Cluster",
    cluster_name="platform",
    # The kubectl function of the stack that made the cluster; or kubectl_role_arn and kubectl_layer.
    kubectl_provider=eks.KubectlProvider.from_kubectl_provider_attributes(
        stack,
        "Kubectl",
        function_arn="arn:aws:lambda:eu-west-1:111122223333:function:kubectl",
        kubectl_role_arn=kubectl_role,
        handler_role=iam.Role.from_role_arn(stack, "KubectlRole", kubectl_role),
    ),
)

karpenter = Karpenter(
    stack,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    pod_identity_agent_installed=True,
    discovery=Discovery.by_id(
        subnets=["subnet-0a1b2c3d4e5f6a7b8", "subnet-0b1c2d3e4f5a6b7c8"],
        security_groups=["sg-0123456789abcdef0"],
    ),
    controller_capacity=ControllerCapacity.existing("system"),
)
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
