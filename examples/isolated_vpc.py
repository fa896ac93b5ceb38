"""Karpenter in a VPC that has no way to the internet: AWS by VPC endpoints, charts and images from a registry there."""

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

from karpenter_construct import ControllerCapacity, Discovery, Karpenter

# Mirrors of public.ecr.aws/karpenter: an ECR repository for each chart, and one for the image.
REGISTRY = "111122223333.dkr.ecr.eu-west-1.amazonaws.com"

app = cdk.App()
stack = cdk.Stack(app, "IsolatedVpc")

isolated = ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
vpc = ec2.Vpc(
    stack,
    "Vpc",
    nat_gateways=0,
    subnet_configuration=[
        ec2.SubnetConfiguration(name="Isolated", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED, cidr_mask=20)
    ],
)
# Of CDK's functions behind charts and manifests, which run in the VPC too, one calls the other.
vpc.add_interface_endpoint("Lambda", service=ec2.InterfaceVpcEndpointAwsService.LAMBDA_)
cluster = eks.Cluster(
    stack,
    "Cluster",
    version=eks.KubernetesVersion.V1_36,
    vpc=vpc,
    vpc_subnets=[isolated],
    endpoint_access=eks.EndpointAccess.PRIVATE,
    authentication_mode=eks.AuthenticationMode.API,
    default_capacity=0,
    kubectl_layer=KubectlV36Layer(stack, "KubectlLayer"),
)

karpenter = Karpenter(
    stack,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    isolated_vpc=True,
    discovery=Discovery.by_tag(subnets=vpc.isolated_subnets),
    controller_capacity=ControllerCapacity.nodegroup(),
    chart_repository=f"oci://{REGISTRY}/karpenter",
    crd_chart_repository=f"oci://{REGISTRY}/karpenter-crd",
    image_repository=f"{REGISTRY}/karpenter/controller",
)
karpenter.add_vpc_endpoints(vpc)
karpenter.add_node_class("default", ami="al2023@v20260810")
karpenter.add_node_pool("default")

app.synth()
