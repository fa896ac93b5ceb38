"""What nodes may do and as whom they join, by release."""

import pytest

from karpenter_construct._upstream.node_role import (
    NODE_GROUPS,
    NODE_USERNAME,
    WINDOWS_NODE_GROUPS,
    ipv6_cni_policy,
    node_managed_policies,
    node_trust_policy,
    uses_default_instance_profile,
)
from karpenter_construct.releases import KarpenterVersion

READ_ONLY = (
    "AmazonEKS_CNI_Policy",
    "AmazonEKSWorkerNodePolicy",
    "AmazonEC2ContainerRegistryReadOnly",
    "AmazonSSMManagedInstanceCore",
)
PULL_ONLY = (
    "AmazonEKS_CNI_Policy",
    "AmazonEKSWorkerNodePolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonSSMManagedInstanceCore",
)


@pytest.mark.parametrize(
    ("version", "policies"),
    [("0.30.0-rc.0", READ_ONLY), ("1.3.8", READ_ONLY), ("1.4.0", PULL_ONLY), ("1.14.1", PULL_ONLY)],
)
def test_managed_policies_of_a_release(version, policies):
    assert node_managed_policies(KarpenterVersion.parse(version)) == policies


@pytest.mark.parametrize(
    ("version", "kept", "expected"),
    [
        ("0.30.0-rc.0", False, True),
        ("0.31.5", False, True),
        ("0.32.0", False, False),
        ("0.32.0", True, True),
        ("0.32.10", True, True),
        ("0.33.0", True, False),
        ("1.14.1", False, False),
    ],
)
def test_a_default_instance_profile_is_for_nodes_of_provisioners(version, kept, expected):
    uses = uses_default_instance_profile(KarpenterVersion.parse(version), keep_provisioner_permissions=kept)
    assert uses is expected


@pytest.mark.parametrize(
    ("given", "service"),
    [({}, "ec2.${AWS::URLSuffix}"), ({"url_suffix": "amazonaws.com.cn"}, "ec2.amazonaws.com.cn")],
    ids=["placeholder", "China"],
)
def test_ec2_may_take_the_node_role(given, service):
    assert node_trust_policy(**given) == {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"},
        ],
    }


def test_ipv6_clusters_let_the_cni_assign_addresses():
    assert ipv6_cni_policy("aws-cn") == {
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
                "Resource": "arn:aws-cn:ec2:*:*:network-interface/*",
            },
        ],
    }


def test_nodes_join_as_nodes():
    assert NODE_USERNAME == "system:node:{{EC2PrivateDNSName}}"
    assert NODE_GROUPS == ("system:bootstrappers", "system:nodes")
    assert WINDOWS_NODE_GROUPS == ("eks:kube-proxy-windows",)
