"""A wait for the nodes, between the end of the pools and that of the controller."""

from __future__ import annotations

from aws_cdk import Aws, CfnResource

from .handler_function import HandlerFunction
from .policy_document import statements

RESOURCE_TYPE = "Custom::KarpenterNodeDrain"
_LONGEST_S = 900
"""The longest that Lambda runs at all."""


def node_drain(handler: HandlerFunction, *, cluster_name: str, pool_tag: str) -> CfnResource:
    """A custom resource that waits, on delete, until the cluster has no nodes of Karpenter any more.

    For releases whose node classes do not wait themselves: pools are to depend on it, and it on the chart.

    Args:
        handler: The function behind custom resources.
        cluster_name: The cluster.
        pool_tag: The key of the tag by which an instance names its pool.
    """
    return handler.custom_resource(
        "NodeDrain",
        resource_type=RESOURCE_TYPE,
        properties={"ClusterName": cluster_name, "PoolTag": pool_tag, "StackId": Aws.STACK_ID},
        policy_document=statements(
            {
                "Effect": "Allow",
                "Action": ["ec2:DescribeInstances", "ec2:DescribeLaunchTemplates"],
                "Resource": "*",
            },
            {"Effect": "Allow", "Action": "cloudformation:DescribeStacks", "Resource": Aws.STACK_ID},
        ),
        longest_s=_LONGEST_S,
    )
