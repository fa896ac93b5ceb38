"""Every setting of Karpenter on one cluster, decided once: what the user left open is filled in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ._decisions.cluster_cautions import cluster_cautions, kubectl_problems
from ._decisions.controller import decide_capacity, decide_replicas
from ._decisions.discovery import discovery_problems
from ._decisions.identity import IdentityType, decide_identity
from ._decisions.node_access import NodeAccess, decide_node_access
from ._names import label_problems, subdomain_problems
from ._upstream.chart import (
    CHART_REPOSITORY,
    CRD_CHART_REPOSITORY,
    ChartInputs,
    chart_values,
    feature_gates,
    unknown_value_cautions,
)
from ._upstream.compatibility import check_supported, default_namespace
from ._upstream.controller_policy import KEEP_PRE_V1_PERMISSIONS, KEEP_PROVISIONER_PERMISSIONS
from ._upstream.feature_gates import feature_gate_problems
from ._upstream.node_role import uses_default_instance_profile
from .cluster_facts import ClusterFacts
from .controller_capacity import ControllerCapacity
from .discovery import Discovery
from .errors import Caution, Problem, SettingsError
from .releases import KarpenterVersion, Window

SERVICE_ACCOUNT_NAME = "karpenter"
"""The name that the chart gives a release called ``karpenter`` (chart ``_helpers.tpl``, fullname)."""


@dataclass(frozen=True)
class KarpenterSettings:
    """What `Karpenter` builds. Nothing here is open any more; `resolve` makes one.

    Attributes:
        version: The Karpenter release.
        namespace: The namespace of the controller.
        service_account_name: The controller's service account, made by the chart.
        identity_type: How the controller gets its AWS credentials.
        keep_provisioner_permissions: Whether the permissions for nodes of Provisioners stay beside the new ones.
        keep_pre_v1_permissions: Whether the permissions for nodes made before 1.0 stay beside the new ones.
        node_access: How nodes are let into the cluster.
        interruption_handling: Whether there is a queue of interruption events.
        discovery: How node classes find subnets and security groups.
        controller_capacity: Where the controller runs.
        replicas: How many controllers run.
        install_chart: Whether the charts are installed from here.
        chart_repository: The OCI repository of the chart, ending in the chart's name.
        crd_chart_repository: The OCI repository of the CRD chart, ending in the chart's name.
        image_repository: The repository of the controller image, ``None`` for upstream's.
        isolated_vpc: Whether the VPC reaches AWS through VPC endpoints only.
        needs_instance_profile: Whether nodes have an instance profile that Karpenter does not make itself.
        feature_gates: Every feature gate of the release, on or off.
        helm_values: The user's chart values.
        ebs_csi_startup_taint: Whether new nodes wait for the EBS CSI driver.
        spot_service_linked_role: Whether EC2's role for spot instances is made where it is missing.
        cautions: What the user should look at.
    """

    version: KarpenterVersion
    namespace: str
    service_account_name: str
    identity_type: IdentityType
    keep_provisioner_permissions: bool
    keep_pre_v1_permissions: bool
    node_access: NodeAccess
    interruption_handling: bool
    discovery: Discovery
    controller_capacity: ControllerCapacity
    replicas: int
    install_chart: bool
    chart_repository: str
    crd_chart_repository: str
    image_repository: str | None
    isolated_vpc: bool
    needs_instance_profile: bool
    feature_gates: Mapping[str, bool]
    helm_values: Mapping[str, object]
    ebs_csi_startup_taint: bool
    spot_service_linked_role: bool
    cautions: tuple[Caution, ...] = field(default=())

    @property
    def nodes_use_instance_profile(self) -> bool:
        """Whether node classes get the instance profile made here, and no role."""
        return self.isolated_vpc or uses_default_instance_profile(self.version)

    @property
    def node_class_names_profile(self) -> bool:
        """Whether the profile stands in the node class, and not in the chart's settings."""
        return not uses_default_instance_profile(self.version)


def resolve(  # noqa: D417 - the arguments are those of `Karpenter`
    facts: ClusterFacts,
    *,
    version: str,
    namespace: str | None = None,
    service_account_name: str | None = None,
    identity_type: IdentityType | str | None = None,
    pod_identity_agent_installed: bool | None = None,
    keep_provisioner_permissions: bool = False,
    keep_pre_v1_permissions: bool = False,
    node_access: NodeAccess | str | None = None,
    interruption_handling: bool = True,
    discovery: Discovery | None = None,
    controller_capacity: ControllerCapacity | None = None,
    replicas: int | None = None,
    install_chart: bool = True,
    chart_repository: str | None = None,
    crd_chart_repository: str | None = None,
    image_repository: str | None = None,
    isolated_vpc: bool = False,
    feature_gate_overrides: Mapping[str, bool] | None = None,
    helm_values: Mapping[str, object] | None = None,
    ebs_csi_startup_taint: bool = False,
    spot_service_linked_role: bool = True,
) -> KarpenterSettings:
    """Decide what the user left open, and refuse what cannot work.

    Args:
        facts: The cluster.
        version: The Karpenter release, such as ``1.14.1``.

    The other arguments are those of `Karpenter`, which documents them.

    Raises:
        UnsupportedVersionError: The release is not one that can be installed.
        SettingsError: Settings that cannot work; every one of them, a line each.
    """
    release, cautions = check_supported(version)
    problems: list[Problem] = []
    capacity = decide_capacity(controller_capacity, facts)
    chosen_replicas, replica_cautions = decide_replicas(replicas, capacity, problems)
    settings = KarpenterSettings(
        version=release,
        namespace=default_namespace(release) if namespace is None else namespace,
        service_account_name=SERVICE_ACCOUNT_NAME if service_account_name is None else service_account_name,
        identity_type=decide_identity(
            identity_type,
            facts=facts,
            version=release,
            on_fargate=capacity.on_fargate,
            agent_installed=pod_identity_agent_installed,
            problems=problems,
        ),
        keep_provisioner_permissions=keep_provisioner_permissions,
        keep_pre_v1_permissions=keep_pre_v1_permissions,
        node_access=decide_node_access(node_access, facts=facts, problems=problems),
        interruption_handling=interruption_handling,
        discovery=Discovery.by_tag() if discovery is None else discovery,
        controller_capacity=capacity,
        replicas=chosen_replicas,
        install_chart=install_chart,
        chart_repository=chart_repository or CHART_REPOSITORY,
        crd_chart_repository=crd_chart_repository or CRD_CHART_REPOSITORY,
        image_repository=image_repository,
        isolated_vpc=isolated_vpc,
        needs_instance_profile=isolated_vpc
        or uses_default_instance_profile(release, keep_provisioner_permissions=keep_provisioner_permissions),
        feature_gates={**feature_gates(release), **(feature_gate_overrides or {})},
        helm_values=helm_values or {},
        ebs_csi_startup_taint=ebs_csi_startup_taint,
        spot_service_linked_role=spot_service_linked_role,
        cautions=(
            *cautions,
            *cluster_cautions(facts, release),
            *replica_cautions,
            *unknown_value_cautions(release, helm_values or {}),
        ),
    )
    problems.extend(_problems(settings, facts))
    problems.extend(feature_gate_problems(feature_gate_overrides or {}, release))
    if problems:
        raise SettingsError(*problems)
    return settings


@dataclass(frozen=True)
class ChartReferences:
    """What the chart is told about resources that are made for it; tokens, once they are.

    Attributes:
        cluster_endpoint: The address of the API server, ``None`` where it is unknown.
        region: The region of the cluster.
        controller_role_arn: The controller's role.
        interruption_queue_name: The queue's name; ``None`` where there is none.
        instance_profile_name: The nodes' instance profile; ``None`` where there is none.
        nodegroup_names: Node groups made for the controller.
    """

    cluster_endpoint: str | None
    region: str
    controller_role_arn: str
    interruption_queue_name: str | None
    instance_profile_name: str | None
    nodegroup_names: tuple[str, ...] = ()


def chart_inputs(
    settings: KarpenterSettings, facts: ClusterFacts, references: ChartReferences
) -> ChartInputs:
    """What the chart is told."""
    capacity = settings.controller_capacity
    irsa = settings.identity_type is IdentityType.IRSA
    one_zone = settings.replicas == 1 or capacity.zone_count == 1
    return ChartInputs(
        cluster_name=facts.literal_name or facts.name,
        region=references.region,
        service_account_name=settings.service_account_name,
        service_account_annotations=(
            {"eks.amazonaws.com/role-arn": references.controller_role_arn} if irsa else {}
        ),
        cluster_endpoint=references.cluster_endpoint,
        interruption_queue=references.interruption_queue_name,
        default_instance_profile=references.instance_profile_name,
        isolated_vpc=settings.isolated_vpc,
        replicas=settings.replicas,
        node_affinity_expressions=capacity.node_affinity_expressions(*references.nodegroup_names),
        tolerations=capacity.tolerations,
        # Two replicas on nodes of one zone would never satisfy the spread that 1.0 and later demand.
        topology_spread="ScheduleAnyway" if one_zone else None,
        feature_gates=settings.feature_gates,
        image_repository=settings.image_repository,
        # On Fargate the cluster's own DNS may not run yet, and may wait for nodes of Karpenter's.
        dns_policy="Default" if capacity.on_fargate else None,
    )


def _problems(settings: KarpenterSettings, facts: ClusterFacts) -> list[Problem]:
    """What the settings get wrong, each by itself."""
    return [
        *_second_karpenter(facts),
        *(kubectl_problems(facts) if settings.install_chart else ()),
        *discovery_problems(settings.discovery, facts),
        *label_problems("namespace", settings.namespace),
        *subdomain_problems("service_account_name", settings.service_account_name),
        *_repository_problems("chart_repository", settings.chart_repository, "karpenter"),
        *_repository_problems("crd_chart_repository", settings.crd_chart_repository, "karpenter-crd"),
        *_window_problems(settings),
        *_helm_value_problems(settings, facts),
    ]


def _second_karpenter(facts: ClusterFacts) -> list[Problem]:
    if facts.other_karpenter is None:
        return []
    return [
        Problem(
            "cluster",
            f"{facts.path} has Karpenter already, from {facts.other_karpenter}, and two would fight over its nodes; "
            "add node pools to the first",
        )
    ]


def _helm_value_problems(settings: KarpenterSettings, facts: ClusterFacts) -> list[Problem]:
    """What the user's chart values contradict, seen before anything is built."""
    stand_ins = ChartReferences(
        cluster_endpoint=None,
        region="<the region>",
        controller_role_arn="<the controller role>",
        interruption_queue_name="<the interruption queue>" if settings.interruption_handling else None,
        instance_profile_name="<the instance profile>" if settings.needs_instance_profile else None,
    )
    try:
        chart_values(settings.version, chart_inputs(settings, facts, stand_ins), settings.helm_values)
    except SettingsError as error:
        return list(error.problems)
    return []


def _repository_problems(path: str, repository: str, chart: str) -> list[Problem]:
    """CDK's Helm handler takes an OCI chart from the folder named as the last part of its address."""
    if repository.startswith("oci://") and repository.rsplit("/", 1)[-1] == chart:
        return []
    return [
        Problem(
            path,
            f"is no OCI repository of the chart {chart}, got {repository!r}; write 'oci://<registry>/…/{chart}'",
        )
    ]


_OPTION_WINDOWS: tuple[tuple[str, Window], ...] = (
    ("keep_provisioner_permissions", KEEP_PROVISIONER_PERMISSIONS),
    ("keep_pre_v1_permissions", KEEP_PRE_V1_PERMISSIONS),
)


def _window_problems(settings: KarpenterSettings) -> list[Problem]:
    return [
        Problem(option, f"{window.requirement(settings.version)}; leave it out")
        for option, window in _OPTION_WINDOWS
        if getattr(settings, option) and settings.version not in window
    ]
