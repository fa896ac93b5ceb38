"""A cluster with Karpenter, as its owner would write it; and the stack of 2023 that this library grew out of."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer
from constructs import Construct

from examples.reference_2023 import Reference2023Stack
from karpenter_construct import (
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_GENERATION,
    ControllerCapacity,
    Gt,
    In,
    Karpenter,
)


class DemoStack(cdk.Stack):
    """Kubernetes 1.36 with Karpenter 1.14: add-ons on two managed nodes, everything else on Karpenter's."""

    def __init__(self, scope: Construct, id: str) -> None:  # noqa: A002
        super().__init__(scope, id)
        cluster = eks.Cluster(
            self,
            "Cluster",
            cluster_name="karpenter-demo",
            version=eks.KubernetesVersion.V1_36,
            vpc=ec2.Vpc(self, "Vpc", max_azs=3, nat_gateways=1),
            default_capacity=0,
            kubectl_layer=KubectlV36Layer(self, "KubectlLayer"),
            authentication_mode=eks.AuthenticationMode.API_AND_CONFIG_MAP,
        )
        karpenter = Karpenter(
            self,
            "Karpenter",
            cluster=cluster,
            version="1.14.1",
            controller_capacity=ControllerCapacity.nodegroup(min_size=2, max_size=3),
        )
        general = karpenter.add_node_class("general", ami="al2023@v20260810")
        current = In(INSTANCE_CATEGORY, "c", "m", "r"), Gt(INSTANCE_GENERATION, 5)
        for name, weight in (("spot", 20), ("on-demand", 10)):
            karpenter.add_node_pool(
                name, node_class=general, weight=weight, requirements=[In(CAPACITY_TYPE, name), *current]
            )
        cdk.CfnOutput(self, "ClusterName", value=cluster.cluster_name)
        kubeconfig = f"aws eks update-kubeconfig --name {cluster.cluster_name} --region {self.region}"
        cdk.CfnOutput(self, "Kubeconfig", value=kubeconfig)


app = cdk.App()
DemoStack(app, "KarpenterDemo")
Reference2023Stack(app, "KarpenterReference2023")
app.synth()
