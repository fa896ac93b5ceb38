"""What a node may do, and as whom it joins the cluster, by release.

Source: ``KarpenterNodeRole`` and ``KarpenterNodeInstanceProfile`` in upstream's getting-started template
(aws/karpenter-provider-aws, ``getting-started-with-karpenter/cloudformation.yaml``) at every release tag;
where upstream has nothing, the EKS user guide, as said beside it.
"""

from __future__ import annotations

from typing import Any

from ..releases import ALWAYS, KarpenterVersion, Window, since, until
from .controller_policy import KEEP_PROVISIONER_PERMISSIONS

_MANAGED_POLICIES: tuple[tuple[str, Window], ...] = (
    ("AmazonEKS_CNI_Policy", ALWAYS),
    ("AmazonEKSWorkerNodePolicy", ALWAYS),
    ("AmazonEC2ContainerRegistryReadOnly", until("1.4")),
    ("AmazonEC2ContainerRegistryPullOnly", since("1.4")),
    ("AmazonSSMManagedInstanceCore", ALWAYS),
)

_DEFAULT_INSTANCE_PROFILE = until("0.32")

NODE_USERNAME = "system:node:{{EC2PrivateDNSName}}"
"""The Kubernetes user of a node that joins through the aws-auth ConfigMap."""

NODE_GROUPS = ("system:bootstrappers", "system:nodes")
"""The groups of every node that joins through the aws-auth ConfigMap."""

WINDOWS_NODE_GROUPS = ("eks:kube-proxy-windows",)
"""The further groups of Windows nodes."""


def node_managed_policies(version: KarpenterVersion) -> tuple[str, ...]:
    """The names of the AWS managed policies of the node role, in upstream's order."""
    return tuple(name for name, window in _MANAGED_POLICIES if version in window)


def node_trust_policy(url_suffix: str = "${AWS::URLSuffix}") -> dict[str, Any]:
    """Who may take the node role: EC2, whose service name ends in the partition's URL suffix."""
    return {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Service": f"ec2.{url_suffix}"},
                "Action": "sts:AssumeRole",
            }
        ],
    }


def ipv6_cni_policy(partition: str = "${AWS::Partition}") -> dict[str, Any]:
    """What the VPC CNI needs beside ``AmazonEKS_CNI_Policy`` on a cluster whose pods get IPv6 addresses.

    There is no AWS managed policy for it. Source: EKS user guide, "Create IAM policy for clusters that use
    the IPv6 family" (``AmazonEKS_CNI_IPv6_Policy``). Not needed where the CNI has a role of its own.
    """
    return {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": [
                    "ec2:AssignIpv6Addresses",
                    "ec2:DescribeInstances",
                    "ec2:DescribeTags",
                    "ec2:DescribeNetworkInterfaces",
                    "ec2:DescribeInstanceTypes",
                ],
                "Resource": "*",
            },
            {
                "Effect": "Allow",
                "Action": "ec2:CreateTags",
                "Resource": f"arn:{partition}:ec2:*:*:network-interface/*",
            },
        ],
    }


def uses_default_instance_profile(
    version: KarpenterVersion, *, keep_provisioner_permissions: bool = False
) -> bool:
    """Whether nodes get an instance profile made before, named by ``settings.aws.defaultInstanceProfile``.

    From 0.32 on the controller makes profiles of its own; there only nodes of Provisioners still use one.
    """
    kept = keep_provisioner_permissions and version in KEEP_PROVISIONER_PERMISSIONS
    return kept or version in _DEFAULT_INSTANCE_PROFILE
