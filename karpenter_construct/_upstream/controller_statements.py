"""The statements of Karpenter's controller policies, each with the releases that have it.

They are upstream's: the ``KarpenterController…Policy`` resources of the getting-started template
(aws/karpenter-provider-aws, ``getting-started-with-karpenter/cloudformation.yaml``) at every release tag, in
its order and with its Sids; no patch release ever changed them. A term that only some releases have stands in
an `only` with its window. Where a row differs from upstream's on purpose, ``tests/contract/deviations.py``
says why.

Upstream has split them over several managed policies since 1.9, because together they exceed what IAM takes
in one; here they are split so for every release.

Placeholders are CloudFormation's; ``${NodeRoles}``, ``${InterruptionQueue}`` and ``${ExtraSsmParameters}``
stand for any number of resources, none included.
"""

from __future__ import annotations

from typing import NamedTuple

from ..releases import ALWAYS, Window, between, since, until

NODE_LIFECYCLE = "NodeLifecyclePolicy"
IAM_INTEGRATION = "IAMIntegrationPolicy"
EKS_INTEGRATION = "EKSIntegrationPolicy"
INTERRUPTION = "InterruptionPolicy"
RESOURCE_DISCOVERY = "ResourceDiscoveryPolicy"
ZONAL_SHIFT = "ZonalShiftPolicy"

EXTRA_SSM_PARAMETERS = since("1.4")
"""The releases whose node classes take AMIs from SSM parameters (``amiSelectorTerms[].ssmParameter``)."""


class Only(NamedTuple):
    """A term of a statement that some releases have."""

    value: str
    window: Window


Terms = tuple[str | Only, ...]


class Condition(NamedTuple):
    """One key of a statement's condition block, as far as the release has it."""

    operator: str
    key: str
    values: Terms
    window: Window


class Statement(NamedTuple):
    """One ``Allow`` statement; those without actions or resources in a release are left out of it."""

    policy: str
    sid: str
    window: Window
    actions: Terms
    resources: Terms
    conditions: tuple[Condition, ...] = ()


def only(window: Window, *values: str) -> tuple[Only, ...]:
    """Terms that the releases of ``window`` have."""
    return tuple(Only(value, window) for value in values)


def _when(operator: str, key: str, *values: str | Only, window: Window = ALWAYS) -> Condition:
    return Condition(operator, key, values, window)


def _ec2(*kinds: str) -> tuple[str, ...]:
    return tuple(f"arn:${{AWS::Partition}}:ec2:${{AWS::Region}}:*:{kind}/*" for kind in kinds)


_CLUSTER = "arn:${AWS::Partition}:eks:${AWS::Region}:${AWS::AccountId}:cluster/${ClusterName}"
_PUBLIC_IMAGES = (
    "arn:${AWS::Partition}:ec2:${AWS::Region}::image/*",
    "arn:${AWS::Partition}:ec2:${AWS::Region}::snapshot/*",
)
_INSTANCE_PROFILES = (
    *only(until("1.0"), "*"),
    *only(since("1.0"), "arn:${AWS::Partition}:iam::${AWS::AccountId}:instance-profile/*"),
)

# What tells one cluster's resources from another's: the tags that the controller sets.
_NEW_NODES = (
    _when("StringEquals", "aws:RequestTag/kubernetes.io/cluster/${ClusterName}", "owned"),
    _when("StringEquals", "aws:RequestTag/eks:eks-cluster-name", "${ClusterName}", window=since("1.0")),
    _when("StringLike", "aws:RequestTag/karpenter.sh/provisioner-name", "*", window=until("0.32")),
    _when("StringLike", "aws:RequestTag/karpenter.sh/nodepool", "*", window=since("0.32")),
)
_OWN_NODES = (
    _when("StringEquals", "aws:ResourceTag/kubernetes.io/cluster/${ClusterName}", "owned"),
    _when("StringLike", "aws:ResourceTag/karpenter.sh/provisioner-name", "*", window=until("0.32")),
    _when("StringLike", "aws:ResourceTag/karpenter.sh/nodepool", "*", window=since("0.32")),
)
_NEW_PROFILES = (
    _when("StringEquals", "aws:RequestTag/kubernetes.io/cluster/${ClusterName}", "owned"),
    _when("StringEquals", "aws:RequestTag/eks:eks-cluster-name", "${ClusterName}", window=since("1.0")),
    _when("StringEquals", "aws:RequestTag/topology.kubernetes.io/region", "${AWS::Region}"),
    _when("StringLike", "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass", "*"),
)
_OWN_PROFILES = (
    _when("StringEquals", "aws:ResourceTag/kubernetes.io/cluster/${ClusterName}", "owned"),
    _when("StringEquals", "aws:ResourceTag/topology.kubernetes.io/region", "${AWS::Region}"),
    _when("StringLike", "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass", "*"),
)

STATEMENTS = (
    # Launching: what a launch reads, …
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedEC2InstanceActions",
        until("0.34"),
        actions=("ec2:RunInstances", "ec2:CreateFleet"),
        resources=(
            *_PUBLIC_IMAGES,
            *only(until("0.33"), *_ec2("spot-instances-request")),
            *_ec2("security-group", "subnet", "launch-template"),
        ),
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedEC2InstanceAccessActions",
        since("0.34"),
        actions=("ec2:RunInstances", "ec2:CreateFleet"),
        resources=(
            *_PUBLIC_IMAGES,
            *_ec2("security-group", "subnet"),
            *only(since("1.3"), *_ec2("capacity-reservation")),
            *only(since("1.11"), *_ec2("placement-group")),
        ),
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedEC2LaunchTemplateAccessActions",
        since("0.34"),
        actions=("ec2:RunInstances", "ec2:CreateFleet"),
        resources=_ec2("launch-template"),
        conditions=_OWN_NODES,
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedEC2LaunchTemplateActions",
        until("0.31"),
        actions=("ec2:CreateLaunchTemplate",),
        resources=_ec2("launch-template"),
        conditions=_NEW_NODES,
    ),
    # … and what it makes, only with the cluster's tags.
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedEC2InstanceActionsWithTags",
        ALWAYS,
        actions=("ec2:RunInstances", "ec2:CreateFleet", *only(since("0.31"), "ec2:CreateLaunchTemplate")),
        resources=(
            *_ec2("fleet", "instance", "volume", "network-interface"),
            *only(since("0.31"), *_ec2("launch-template")),
            *only(since("0.33"), *_ec2("spot-instances-request")),
            *only(between("1.3", "1.9"), *_ec2("capacity-reservation")),
        ),
        conditions=_NEW_NODES,
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedResourceCreationTagging",
        ALWAYS,
        actions=("ec2:CreateTags",),
        resources=(
            *_ec2("fleet", "instance", "volume", "network-interface", "launch-template"),
            *only(since("0.33"), *_ec2("spot-instances-request")),
        ),
        conditions=(
            *_NEW_NODES,
            _when("StringEquals", "ec2:CreateAction", "RunInstances", "CreateFleet", "CreateLaunchTemplate"),
        ),
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowMachineMigrationTagging",
        until("0.32"),
        actions=("ec2:CreateTags",),
        resources=_ec2("instance"),
        conditions=(
            _when("StringEquals", "aws:ResourceTag/kubernetes.io/cluster/${ClusterName}", "owned"),
            _when("StringEquals", "aws:RequestTag/karpenter.sh/managed-by", "${ClusterName}"),
            _when("StringLike", "aws:RequestTag/karpenter.sh/provisioner-name", "*"),
            _when(
                "ForAllValues:StringEquals",
                "aws:TagKeys",
                "karpenter.sh/provisioner-name",
                "karpenter.sh/managed-by",
            ),
        ),
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedResourceTagging",
        since("0.32"),
        actions=("ec2:CreateTags",),
        resources=_ec2("instance"),
        conditions=(
            *_OWN_NODES,
            _when(
                "StringEqualsIfExists",
                "aws:RequestTag/eks:eks-cluster-name",
                "${ClusterName}",
                window=since("1.0"),
            ),
            _when(
                "ForAllValues:StringEquals",
                "aws:TagKeys",
                *only(since("1.0"), "eks:eks-cluster-name"),
                "karpenter.sh/nodeclaim",
                "Name",
            ),
        ),
    ),
    Statement(
        NODE_LIFECYCLE,
        "AllowScopedDeletion",
        ALWAYS,
        actions=("ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"),
        resources=_ec2("instance", "launch-template"),
        conditions=_OWN_NODES,
    ),
    # The nodes' role, and the instance profiles that the controller makes for node classes with a `role`.
    Statement(
        IAM_INTEGRATION,
        "AllowPassingInstanceRole",
        ALWAYS,
        actions=("iam:PassRole",),
        resources=("${NodeRoles}",),
        conditions=(
            _when("StringEquals", "iam:PassedToService", "ec2.amazonaws.com", "ec2.amazonaws.com.cn"),
        ),
    ),
    Statement(
        IAM_INTEGRATION,
        "AllowScopedInstanceProfileCreationActions",
        since("0.32"),
        actions=("iam:CreateInstanceProfile",),
        resources=_INSTANCE_PROFILES,
        conditions=_NEW_PROFILES,
    ),
    Statement(
        IAM_INTEGRATION,
        "AllowScopedInstanceProfileTagActions",
        since("0.32"),
        actions=("iam:TagInstanceProfile",),
        resources=_INSTANCE_PROFILES,
        conditions=(*_OWN_PROFILES, *_NEW_PROFILES),
    ),
    Statement(
        IAM_INTEGRATION,
        "AllowScopedInstanceProfileActions",
        since("0.32"),
        actions=(
            "iam:AddRoleToInstanceProfile",
            "iam:RemoveRoleFromInstanceProfile",
            "iam:DeleteInstanceProfile",
        ),
        resources=_INSTANCE_PROFILES,
        conditions=_OWN_PROFILES,
    ),
    Statement(
        EKS_INTEGRATION,
        "AllowAPIServerEndpointDiscovery",
        ALWAYS,
        actions=("eks:DescribeCluster",),
        resources=(_CLUSTER,),
    ),
    Statement(
        INTERRUPTION,
        "AllowInterruptionQueueActions",
        ALWAYS,
        actions=(
            "sqs:DeleteMessage",
            *only(until("0.33"), "sqs:GetQueueAttributes"),
            "sqs:GetQueueUrl",
            "sqs:ReceiveMessage",
        ),
        resources=("${InterruptionQueue}",),
    ),
    # What can be launched, at what price, and what already runs.
    Statement(
        RESOURCE_DISCOVERY,
        "AllowRegionalReadActions",
        ALWAYS,
        actions=(
            *only(since("1.3"), "ec2:DescribeCapacityReservations"),
            "ec2:DescribeImages",
            "ec2:DescribeInstances",
            *only(since("1.13"), "ec2:DescribeInstanceStatus"),
            "ec2:DescribeInstanceTypeOfferings",
            "ec2:DescribeInstanceTypes",
            "ec2:DescribeLaunchTemplates",
            *only(since("1.11"), "ec2:DescribePlacementGroups"),
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSpotPriceHistory",
            "ec2:DescribeSubnets",
        ),
        resources=("*",),
        conditions=(_when("StringEquals", "aws:RequestedRegion", "${AWS::Region}"),),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowUnscopedEC2DescribeInstanceStatus",
        between("1.12", "1.13"),
        actions=("ec2:DescribeInstanceStatus",),
        resources=("*",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowGlobalReadActions",
        until("0.31"),
        actions=("pricing:GetProducts", "ssm:GetParameter"),
        resources=("*",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowSSMReadActions",
        since("0.31"),
        actions=("ssm:GetParameter",),
        resources=("arn:${AWS::Partition}:ssm:${AWS::Region}::parameter/aws/service/*",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowExtraSSMReadActions",  # ours: the user's own parameters
        EXTRA_SSM_PARAMETERS,
        actions=("ssm:GetParameter",),
        resources=("${ExtraSsmParameters}",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowPricingReadActions",
        since("0.31"),
        actions=("pricing:GetProducts",),
        resources=("*",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowUnscopedInstanceProfileListAction",
        since("1.7"),
        actions=("iam:ListInstanceProfiles",),
        resources=("*",),
    ),
    Statement(
        RESOURCE_DISCOVERY,
        "AllowInstanceProfileReadActions",
        since("0.32"),
        actions=("iam:GetInstanceProfile",),
        resources=_INSTANCE_PROFILES,
    ),
    Statement(
        ZONAL_SHIFT,
        "AllowZonalShiftStatusReadOnly",
        since("1.12"),
        actions=("arc-zonal-shift:GetManagedResource",),
        resources=("*",),
        conditions=(_when("StringEquals", "arc-zonal-shift:ResourceIdentifier", _CLUSTER),),
    ),
)
