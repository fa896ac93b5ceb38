"""The AWS side of Karpenter alone: Argo CD or Flux installs the charts, with the values that this stack puts out."""

import aws_cdk as cdk
from aws_cdk import aws_eks as eks

from karpenter_construct import Discovery, Karpenter

app = cdk.App()
stack = cdk.Stack(app, "GitOps")

# No kubectl: nothing is applied from here.
cluster = eks.Cluster.from_cluster_attributes(stack, "Cluster", cluster_name="platform")

karpenter = Karpenter(
    stack,
    "Karpenter",
    cluster=cluster,
    version="1.14.1",
    install_chart=False,
    pod_identity_agent_installed=True,
    discovery=Discovery.by_tag(
        subnets=["subnet-0a1b2c3d4e5f6a7b8", "subnet-0b1c2d3e4f5a6b7c8"],
        security_groups=["sg-0123456789abcdef0"],
    ),
)

outputs = {
    "ChartRepository": karpenter.chart_repository,
    "ChartVersion": karpenter.chart_version,
    "ChartNamespace": karpenter.namespace,
    "ChartValues": stack.to_json_string(karpenter.chart_values),
    # Node classes name it: `role: …`.
    "NodeRoleName": karpenter.node_role.role_name,
}
for name, value in outputs.items():
    cdk.CfnOutput(stack, name, value=value)

app.synth()
