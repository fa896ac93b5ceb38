"""What the controller runs on: a managed node group or a Fargate profile, on any kind of cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct, IDependable

from .._capacity_arguments import EKS_EFFECTS
from ..controller_capacity import ControllerCapacity, FargateCapacity, NodegroupCapacity
from .node_role import node_role
from .policy_document import statements, sub_document

# EKS user guide, node IAM role: what a node needs to join and to pull the add-ons' images.
_NODE_POLICIES = (
    "AmazonEKSWorkerNodePolicy",
    "AmazonEKS_CNI_Policy",
    "AmazonEC2ContainerRegistryPullOnly",
)
_POD_EXECUTION_POLICY = "AmazonEKSFargatePodExecutionRolePolicy"
_SHARED_NAMESPACE = "kube-system"
# The chart's selector labels (``_helpers.tpl``).
_CHART_LABEL = ("app.kubernetes.io/name", "karpenter")


class CapacityResources(NamedTuple):
    """What was made for the controller to run on.

    Attributes:
        nodegroup_names: The names of the node groups made, as nodes carry them in their label.
        node_role: The role of a node group made. EKS lets it in by itself, but CDK's aws-auth overwrites
            that: map it wherever aws-auth is CDK's.
        pod_execution_role: The role of a Fargate profile made; the same holds for it.
        dependencies: What must exist before the controller can start.
    """

    nodegroup_names: tuple[str, ...] = ()
    node_role: iam.IRole | None = None
    pod_execution_role: iam.IRole | None = None
    dependencies: tuple[Construct, ...] = ()


def capacity_resources(
    scope: Construct,
    capacity: ControllerCapacity,
    *,
    cluster_name: str,
    namespace: str,
    subnet_ids: Callable[[], Sequence[str]],
    ipv6: bool = False,
    permissions_boundary: iam.IManagedPolicy | None = None,
    after: Sequence[IDependable] = (),
) -> CapacityResources:
    """Make what the capacity asks for; nothing where the nodes exist.

    Args:
        scope: The `Karpenter` construct.
        capacity: Where the controller runs.
        cluster_name: The cluster.
        namespace: The controller's namespace.
        subnet_ids: Gives the subnets to use where the capacity names none.
        ipv6: Whether pods get IPv6 addresses.
        permissions_boundary: The boundary of the role made.
        after: What must be there first: the way to AWS; for a Fargate profile, the cluster's others, as EKS makes
            and deletes one at a time, and refuses others meanwhile.
    """
    made = CapacityResources()
    if isinstance(capacity, NodegroupCapacity):
        made = _nodegroup(
            scope, capacity, cluster_name, subnet_ids, ipv6=ipv6, permissions_boundary=permissions_boundary
        )
    if isinstance(capacity, FargateCapacity):
        made = _fargate_profile(
            scope,
            capacity,
            cluster_name=cluster_name,
            namespace=namespace,
            subnet_ids=subnet_ids,
            permissions_boundary=permissions_boundary,
        )
    for resource in made.dependencies:
        resource.node.add_dependency(*after)
    return made


def _nodegroup(
    scope: Construct,
    capacity: NodegroupCapacity,
    cluster_name: str,
    subnet_ids: Callable[[], Sequence[str]],
    *,
    ipv6: bool,
    permissions_boundary: iam.IManagedPolicy | None,
) -> CapacityResources:
    role = node_role(
        scope,
        id="ControllerNodeRole",
        managed_policies=_NODE_POLICIES,
        ipv6=ipv6,
        permissions_boundary=permissions_boundary,
    )
    group = eks.CfnNodegroup(
        scope,
        "ControllerNodegroup",
        cluster_name=cluster_name,
        node_role=role.role_arn,
        subnets=_subnet_ids(capacity, subnet_ids),
        ami_type=capacity.ami_type,
        instance_types=list(capacity.instance_types),
        labels=dict(capacity.labels) or None,
        scaling_config=eks.CfnNodegroup.ScalingConfigProperty(
            min_size=capacity.min_size, max_size=capacity.max_size, desired_size=capacity.desired_size
        ),
        taints=[
            eks.CfnNodegroup.TaintProperty(
                key=taint.key, value=taint.value or None, effect=EKS_EFFECTS[taint.effect]
            )
            for taint in capacity.taints
        ]
        or None,
    )
    return CapacityResources(
        nodegroup_names=(group.attr_nodegroup_name,),
        node_role=cast("iam.IRole", role),
        dependencies=(group,),
    )


def _fargate_profile(
    scope: Construct,
    capacity: FargateCapacity,
    *,
    cluster_name: str,
    namespace: str,
    subnet_ids: Callable[[], Sequence[str]],
    permissions_boundary: iam.IManagedPolicy | None,
) -> CapacityResources:
    role = _pod_execution_role(scope, cluster_name, permissions_boundary)
    profile = eks.CfnFargateProfile(
        scope,
        "ControllerFargateProfile",
        cluster_name=cluster_name,
        pod_execution_role_arn=role.role_arn,
        subnets=_subnet_ids(capacity, subnet_ids),
        selectors=[_selector(namespace)],
    )
    return CapacityResources(pod_execution_role=cast("iam.IRole", role), dependencies=(profile,))


def _selector(namespace: str) -> eks.CfnFargateProfile.SelectorProperty:
    """The controller's pods; a namespace that it shares is not taken whole, or CoreDNS would come along."""
    key, value = _CHART_LABEL
    label = eks.CfnFargateProfile.LabelProperty(key=key, value=value)
    labels = [label] if namespace == _SHARED_NAMESPACE else None
    return eks.CfnFargateProfile.SelectorProperty(namespace=namespace, labels=labels)


def _pod_execution_role(
    scope: Construct, cluster_name: str, permissions_boundary: iam.IManagedPolicy | None
) -> iam.Role:
    role = iam.Role(
        scope,
        "PodExecutionRole",
        assumed_by=cast("iam.IPrincipal", iam.ServicePrincipal("eks-fargate-pods.amazonaws.com")),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(_POD_EXECUTION_POLICY)],
        permissions_boundary=permissions_boundary,
    )
    # For profiles of this cluster only (EKS user guide, pod execution role).
    profiles = "arn:${AWS::Partition}:eks:${AWS::Region}:${AWS::AccountId}:fargateprofile/${ClusterName}/*"
    trust = statements(
        {
            "Effect": "Allow",
            "Principal": {"Service": "eks-fargate-pods.amazonaws.com"},
            "Action": "sts:AssumeRole",
            "Condition": {"ArnLike": {"aws:SourceArn": profiles}},
        }
    )
    resource = cast("iam.CfnRole", role.node.default_child)
    resource.assume_role_policy_document = sub_document(trust, {"ClusterName": cluster_name})
    return role


def _subnet_ids(
    capacity: NodegroupCapacity | FargateCapacity, subnet_ids: Callable[[], Sequence[str]]
) -> list[str]:
    given = capacity.subnets
    if given is None:
        return list(subnet_ids())
    return [subnet if isinstance(subnet, str) else subnet.subnet_id for subnet in given]
