"""Only has to type-check, under ``mypy --strict``: the public API as a user writes it.

A ``type: ignore`` stands where the types must refuse something; mypy reports one that is not needed.
"""

from __future__ import annotations

from pathlib import Path

import cdk8s
from aws_cdk import Stack, aws_ec2, aws_eks, aws_iam, aws_kms, aws_sqs
from constructs import Construct

from karpenter_construct import (
    ARCH,
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    INSTANCE_CPU,
    INSTANCE_GENERATION,
    OS,
    ZONE,
    AMIFamily,
    AMISelectorTerm,
    BlockDevice,
    BlockDeviceMapping,
    Budget,
    CapacityBuffer,
    CapacityReservationSelectorTerm,
    CapacityType,
    Caution,
    ConnectionTracking,
    ConsolidationPolicy,
    ControllerCapacity,
    CPUOptions,
    Discovery,
    Disruption,
    DisruptionReason,
    DoesNotExist,
    EC2NodeClass,
    Exists,
    Gt,
    Gte,
    IdentityType,
    In,
    InstanceMatchCriteria,
    InstanceStorePolicy,
    InterfaceType,
    Karpenter,
    KarpenterCapacityBuffer,
    KarpenterNodeClass,
    KarpenterNodeOverlay,
    KarpenterNodePool,
    Kubelet,
    Lt,
    Lte,
    MetadataOptions,
    MetadataState,
    MetadataTokens,
    NestedVirtualization,
    NetworkInterface,
    NodeAccess,
    NodeOverlay,
    NodePool,
    NotIn,
    Operator,
    PlacementGroupSelector,
    PodTemplateRef,
    Problem,
    Requirement,
    ScalableRef,
    SecurityGroupSelectorTerm,
    SettingsError,
    SubnetSelectorTerm,
    Taint,
    TaintEffect,
    UnsupportedVersionError,
    VolumeType,
)
from karpenter_construct.cdk8s import KarpenterChart, apply_chart


def shortest(stack: Stack, cluster: aws_eks.Cluster) -> None:
    karpenter = Karpenter(stack, "Karpenter", cluster=cluster, version="1.14.1")
    karpenter.add_node_pool("default")
    Karpenter(stack, "NoVersion", cluster=cluster)  # type: ignore[call-arg]
    Karpenter(stack, "NoText", cluster=cluster, version=1.14)  # type: ignore[arg-type]
    Karpenter(stack, "Misspelt", cluster=cluster, version="1.14.1", replica=1)  # type: ignore[call-arg]


def any_cluster(stack: Stack, imported: aws_eks.ICluster, fargate: aws_eks.FargateCluster) -> None:
    Karpenter(stack, "Imported", cluster=imported, version="v0.30.0-rc.0")
    Karpenter(stack, "Fargate", cluster=fargate, version="0.37.8")


def words_as_enums_and_as_text(stack: Stack, cluster: aws_eks.Cluster) -> None:
    Karpenter(
        stack,
        "Enums",
        cluster=cluster,
        version="1.14.1",
        identity_type=IdentityType.POD_IDENTITY,
        node_access=NodeAccess.ACCESS_ENTRY,
    )
    Karpenter(stack, "Text", cluster=cluster, version="1.14.1", identity_type="IRSA", node_access="NONE")
    Karpenter(stack, "Number", cluster=cluster, version="1.14.1", identity_type=1)  # type: ignore[arg-type]


def everything(
    stack: Stack,
    cluster: aws_eks.Cluster,
    *,
    role: aws_iam.Role,
    imported_role: aws_iam.IRole,
    policy: aws_iam.ManagedPolicy,
    queue: aws_sqs.Queue,
    key: aws_kms.Key,
    subnet: aws_ec2.ISubnet,
    nodegroup: aws_eks.Nodegroup,
) -> Karpenter:
    return Karpenter(
        stack,
        "Karpenter",
        cluster=cluster,
        version="1.14.1",
        namespace="karpenter",
        service_account_name="karpenter",
        pod_identity_agent_installed=True,
        controller_role=role,
        controller_role_has_permissions=False,
        controller_policy_statements=[aws_iam.PolicyStatement(actions=["s3:ListBucket"], resources=["*"])],
        keep_provisioner_permissions=False,
        keep_pre_v1_permissions=False,
        permissions_boundary=policy,
        node_role=[imported_role, role],
        node_role_policies=[policy],
        cni_policy_on_node_role=False,
        node_instance_profile="nodes",
        interruption_handling=True,
        interruption_queue=queue,
        encryption_key=key,
        discovery=Discovery.by_id(subnets=[subnet, "subnet-1"], security_groups=("sg-1",)),
        isolated_vpc=False,
        controller_capacity=ControllerCapacity.existing(nodegroup, "critical", labels={"a": "b"}),
        replicas=2,
        install_chart=True,
        chart_repository="oci://example.com/karpenter/karpenter",
        crd_chart_repository="oci://example.com/karpenter/karpenter-crd",
        image_repository="example.com/karpenter/controller",
        feature_gates={"spotToSpotConsolidation": True},
        helm_values={"controller": {"resources": {"requests": {"cpu": "1"}}}},
        ebs_csi_startup_taint=True,
        spot_service_linked_role=False,
    )


def capacities() -> list[ControllerCapacity]:
    return [
        ControllerCapacity.nodegroup(
            instance_types=["m7i.large", aws_ec2.InstanceType("m7i.large")],
            min_size=2,
            max_size=3,
            ami_type=aws_eks.NodegroupAmiType.BOTTLEROCKET_X86_64,
            labels={"critical-addons": "true"},
            taints=["critical=true:NoSchedule", Taint(key="critical", effect=TaintEffect.NO_EXECUTE)],
        ),
        ControllerCapacity.fargate(subnets=["subnet-1"]),
        ControllerCapacity.anywhere(),
    ]


def attributes(karpenter: Karpenter) -> None:
    texts: list[str] = [
        karpenter.version,
        karpenter.namespace,
        karpenter.service_account_name,
        karpenter.chart_version,
        karpenter.chart_repository,
        karpenter.do_not_disrupt_annotation,
        karpenter.node_pool_label,
        *karpenter.required_vpc_endpoints,
    ]
    roles: list[aws_iam.IRole] = [karpenter.controller_role, karpenter.node_role, *karpenter.node_roles]
    queue: aws_sqs.IQueue | None = karpenter.interruption_queue
    chart: Construct | None = karpenter.chart
    profile: str | None = karpenter.node_instance_profile
    values: dict[str, object] = karpenter.chart_values
    identity: IdentityType = karpenter.identity_type
    access: NodeAccess = karpenter.node_access
    tolerations: list[dict[str, str]] = karpenter.critical_addons_tolerations
    replicas: int = karpenter.settings.replicas
    del texts, roles, queue, chart, profile, values, identity, access, tolerations, replicas


def node_objects_and_handles(stack: Stack, karpenter: Karpenter) -> None:
    spot = karpenter.add_node_class("spot", ami="al2023@v20260810")
    ready = karpenter.add_node_class(EC2NodeClass(name="ready"))
    pool = karpenter.add_node_pool("batch", node_class=spot, limits={"cpu": 200})
    karpenter.add_node_pool(NodePool(name="web", node_class=ready.name))
    karpenter.add_node_pool("text", node_class="spot", requirements=[In(CAPACITY_TYPE, "spot")])
    named: list[str] = [spot.name, spot.kind, pool.node.path]
    applied: Construct = pool.resource
    applied.node.add_dependency(pool.resource)
    karpenter.add_node_pool(NodePool)  # type: ignore[arg-type]
    karpenter.add_node_class(pool="batch")  # type: ignore[call-arg]
    del named, stack


def overlays_buffers_and_yaml(karpenter: Karpenter) -> None:
    names: list[str] = [
        karpenter.add_node_overlay("cheaper", price_adjustment="-15%").name,
        karpenter.add_node_overlay(OVERLAY).name,
        karpenter.add_capacity_buffer(
            "spare", replicas=2, pod_template_ref=PodTemplateRef(name="chunk")
        ).name,
        *(karpenter.add_capacity_buffer(buffer).name for buffer in BUFFERS),
        *(
            each.name
            for each in karpenter.add_manifests(Path("pools.yaml"), "more.yaml", {"kind": "NodePool"})
        ),
    ]
    del names


def in_a_teams_stack(team: Stack, karpenter: Karpenter) -> None:
    gpu = KarpenterNodeClass(team, "Class", karpenter=karpenter, name="gpu", ami="al2023@v20260810")
    pool = KarpenterNodePool(team, "Pool", karpenter=karpenter, name="gpu", node_class=gpu)
    KarpenterNodePool(team, "Ready", karpenter=karpenter, model=POOL)
    KarpenterNodeOverlay(team, "Overlay", karpenter=karpenter, model=OVERLAY)
    KarpenterCapacityBuffer(team, "Buffer", karpenter=karpenter, name="spare", replicas=2)
    texts: list[str] = [gpu.name, gpu.kind, pool.name]
    karpenter.add_test_workload("inflate", replicas=2, cpu="500m", node_pool=pool)
    karpenter.add_limit_range("default", default_request={"cpu": "100m"})
    KarpenterNodePool(team, "Homeless", name="gpu")  # type: ignore[call-arg]
    KarpenterNodePool(team, "Wrong", karpenter=karpenter, model=NODE_CLASS)  # type: ignore[arg-type]
    del texts


def written_as_yaml(app: cdk8s.App, stack: Stack, cluster: aws_eks.Cluster) -> None:
    chart = KarpenterChart(app, "nodes", version="1.14.1", cluster_name="prod", node_role="nodes")
    chart.add_node_pool("default", node_class=chart.add_node_class("default").name)
    applied: tuple[Construct, ...] = apply_chart(stack, chart, to=cluster)
    del applied


def escape_hatches(karpenter: Karpenter, vpc: aws_ec2.Vpc) -> None:
    made: Construct = karpenter.add_manifest("Quota", {"apiVersion": "v1", "kind": "ResourceQuota"})
    karpenter.add_to_controller_policy(aws_iam.PolicyStatement(actions=["s3:GetObject"], resources=["*"]))
    services: tuple[str, ...] = karpenter.add_vpc_endpoints(vpc, existing=["ec2"], cidrs=("10.0.0.0/8",))
    del made, services


REQUIREMENTS = [
    In(INSTANCE_CATEGORY, "c", "m", min_values=2),
    In(CAPACITY_TYPE, CapacityType.SPOT, CapacityType.ON_DEMAND),
    NotIn(ZONE, "eu-west-1a"),
    Exists(ARCH),
    DoesNotExist(OS),
    Gt(INSTANCE_GENERATION, 5),
    Lt(INSTANCE_CPU, "65"),
    Gte(INSTANCE_CPU, 4),
    Lte(INSTANCE_CPU, 64),
    Requirement(key=ARCH, operator=Operator.IN, values=["arm64"]),
    Requirement(key=ARCH, operator="In", values=("arm64",)),
    Gt(INSTANCE_CPU, 4, 8),  # type: ignore[call-arg]
    In(INSTANCE_CPU, 4.5),  # type: ignore[arg-type]
]

POOL = NodePool(
    name="everything",
    node_class="everything",
    requirements=REQUIREMENTS,
    labels={"team": "batch"},
    annotations={"example.com/owner": "batch"},
    taints=[Taint(key="batch", value="true", effect=TaintEffect.NO_SCHEDULE)],
    startup_taints=(Taint(key="starting", effect="NoExecute"),),
    expire_after="168h",
    termination_grace_period="1h",
    disruption=Disruption(
        consolidation_policy=ConsolidationPolicy.WHEN_EMPTY,
        consolidate_after="5m",
        budgets=[
            Budget(nodes="0", schedule="0 8 * * mon-fri", duration="10h"),
            Budget(reasons=[DisruptionReason.DRIFTED, "Empty"]),
        ],
    ),
    limits={"cpu": 200, "memory": "1000Gi"},
    weight=10,
    replicas=None,
    kubelet=Kubelet(max_pods=110, kube_reserved={"cpu": "100m"}),
)
NodePool(name="unlimited", limits=None)
NodePool()  # type: ignore[call-arg]
NodePool(name="text", taints="batch=true:NoSchedule")  # type: ignore[arg-type]
NodePool(name="number", expire_after=720)  # type: ignore[arg-type]

NODE_CLASS = EC2NodeClass(
    name="everything",
    ami_selector_terms=[AMISelectorTerm(alias="al2023@v20260810"), AMISelectorTerm(ssm_parameter="/my/ami")],
    ami_family=AMIFamily.AL2023,
    subnet_selector_terms=[SubnetSelectorTerm(tags={"karpenter.sh/discovery": "prod"})],
    security_group_selector_terms=[SecurityGroupSelectorTerm(id="sg-1")],
    capacity_reservation_selector_terms=[
        CapacityReservationSelectorTerm(instance_match_criteria=InstanceMatchCriteria.OPEN)
    ],
    placement_group_selector=PlacementGroupSelector(name="near"),
    role="nodes",
    user_data="echo hello",
    block_device_mappings=[
        BlockDeviceMapping(
            device_name="/dev/xvda",
            root_volume=True,
            ebs=BlockDevice(volume_size="100Gi", volume_type=VolumeType.GP3, encrypted=True),
        ),
        BlockDeviceMapping(device_name="/dev/xvdb", ebs=BlockDevice(volume_size="20Gi", volume_type="gp3")),
    ],
    instance_store_policy=InstanceStorePolicy.RAID0,
    metadata_options=MetadataOptions(
        http_protocol_ipv6=MetadataState.ENABLED,
        http_tokens=MetadataTokens.REQUIRED,
        http_put_response_hop_limit=2,
    ),
    network_interfaces=[
        NetworkInterface(network_card_index=0, device_index=0, interface_type=InterfaceType.INTERFACE),
        NetworkInterface(network_card_index=1, device_index=1, interface_type="efa-only"),
    ],
    connection_tracking=ConnectionTracking(udp_timeout=30),
    cpu_options=CPUOptions(nested_virtualization=NestedVirtualization.ENABLED),
    detailed_monitoring=True,
    associate_public_ip_address=False,
    ip_prefix_count=2,
    tags={"team": "batch"},
)
EC2NodeClass(name="text", ami_family="Bottlerocket", ami_selector_terms=[AMISelectorTerm(id="ami-1")])

OVERLAY = NodeOverlay(name="cheaper", requirements=[In(INSTANCE_CATEGORY, "c")], price_adjustment="-15%")
BUFFERS = [
    CapacityBuffer(name="spare", pod_template_ref=PodTemplateRef(name="chunk"), replicas=2),
    CapacityBuffer(name="web", scalable_ref=ScalableRef(kind="Deployment", name="web"), percentage=10),
]


def another(pool: NodePool) -> NodePool:
    return pool.model_copy(update={"limits": {"cpu": 400}})


def errors(error: SettingsError | UnsupportedVersionError) -> list[Problem]:
    assert isinstance(error, ValueError)
    return list(error.problems)


def texts(problem: Problem, caution: Caution) -> list[str]:
    return [problem.path, problem.message, caution.id, caution.message]
