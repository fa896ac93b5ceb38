"""What the user left open is decided here, and what cannot work is refused: all settings at once."""

from __future__ import annotations

from collections.abc import Mapping

from .._model import field_window
from .._names import label_problems, subdomain_problems
from .._upstream.chart import CHART_REPOSITORY, CRD_CHART_REPOSITORY
from .._upstream.compatibility import check_supported, default_namespace, newest_patch
from .._upstream.controller_policy import KEEP_PRE_V1_PERMISSIONS, KEEP_PROVISIONER_PERMISSIONS
from .._upstream.feature_gates import feature_gate_problems
from .._upstream.node_role import uses_default_instance_profile
from ..controller_capacity import ControllerCapacity
from ..discovery import Discovery
from ..errors import Problem, SettingsError
from ..node_class import EC2NodeClass
from .chart import helm_value_cautions, helm_value_problems, repository_problems
from .cluster_cautions import cluster_cautions, kubectl_problems
from .cluster_facts import ClusterFacts
from .controller import capacity_problems, decide_capacity, decide_replicas, decide_topology_spread
from .discovery import discovery_problems
from .given import given_problems
from .given_facts import GivenFacts
from .given_roles import shared_role_cautions
from .given_values import GivenValues
from .identity import IdentityType, decide_identity
from .neighbours import second_karpenter
from .node_access import NodeAccess, decide_node_access
from .places import cluster_place_problems
from .settings import KarpenterSettings

SERVICE_ACCOUNT_NAME = "karpenter"
"""The name that the chart gives a release called ``karpenter`` (chart ``_helpers.tpl``, fullname)."""


def resolve(  # noqa: D417 - the arguments are those of `Karpenter`
    facts: ClusterFacts,
    given: GivenFacts | None = None,
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
        given: What the user brings. Default: nothing.
        version: The Karpenter release, such as ``1.14.1``.

    The other arguments are those of `Karpenter`, which documents them.

    Raises:
        UnsupportedVersionError: The release is not one that can be installed.
        SettingsError: Settings that cannot work; every one of them, a line each.
    """
    release, cautions = check_supported(version)
    given = GivenFacts() if given is None else given
    problems: list[Problem] = []
    gate_problems = feature_gate_problems(feature_gate_overrides or {}, release)
    capacity = decide_capacity(controller_capacity, facts)
    values = GivenValues(release, helm_values, problems)
    chosen_replicas, replica_cautions = decide_replicas(
        values.replicas(replicas),
        capacity,
        problems,
        in_values=values.tells_replicas,
    )
    discovery = Discovery.by_tag() if discovery is None else discovery
    topology_spread, zone_cautions = decide_topology_spread(
        chosen_replicas, capacity, discovery, facts, release, given=values
    )
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
            role_given=given.controller_role is not None,
            problems=problems,
        ),
        keep_provisioner_permissions=keep_provisioner_permissions,
        keep_pre_v1_permissions=keep_pre_v1_permissions,
        node_access=decide_node_access(node_access, facts=facts, roles=given.node_roles, problems=problems),
        interruption_handling=interruption_handling,
        discovery=discovery,
        controller_capacity=capacity,
        replicas=chosen_replicas,
        topology_spread=topology_spread,
        install_chart=install_chart,
        chart_repository=CHART_REPOSITORY if chart_repository is None else chart_repository,
        crd_chart_repository=CRD_CHART_REPOSITORY if crd_chart_repository is None else crd_chart_repository,
        image_repository=values.image_repository(image_repository),
        isolated_vpc=isolated_vpc,
        needs_instance_profile=isolated_vpc
        or uses_default_instance_profile(release, keep_provisioner_permissions=keep_provisioner_permissions),
        # Wrong gates are told by themselves, not with the chart values too.
        feature_gates=values.feature_gates({} if gate_problems else feature_gate_overrides),
        helm_values=helm_values or {},
        ebs_csi_startup_taint=ebs_csi_startup_taint,
        spot_service_linked_role=spot_service_linked_role,
        cautions=(
            *cautions,
            *cluster_cautions(facts, release),
            *replica_cautions,
            *zone_cautions,
            *shared_role_cautions(given),
            *helm_value_cautions(release, helm_values or {}, capacity),
        ),
    )
    problems += [*_problems(settings, facts, given), *gate_problems]
    if problems:
        raise SettingsError(*problems)
    return settings


def _problems(settings: KarpenterSettings, facts: ClusterFacts, given: GivenFacts) -> list[Problem]:
    """What the settings get wrong, each by itself."""
    return [
        *second_karpenter(facts.path, facts.other_karpenter),
        *cluster_place_problems(facts),
        *(kubectl_problems(facts) if settings.install_chart else ()),
        *label_problems("namespace", settings.namespace),
        *subdomain_problems("service_account_name", settings.service_account_name),
        *given_problems(given, facts, interruption_handling=settings.interruption_handling),
        *discovery_problems(settings.discovery, facts),
        *capacity_problems(settings.controller_capacity, facts),
        *repository_problems(settings),
        *_window_problems(settings, given),
        *helm_value_problems(settings, facts, given),
    ]


_PROFILE_ON_CLASS = field_window(EC2NodeClass.model_fields["instance_profile"])


def _window_problems(settings: KarpenterSettings, given: GivenFacts) -> list[Problem]:
    """Options that the release does not know."""
    version = settings.version
    no_profile = "" if version in _PROFILE_ON_CLASS else _PROFILE_ON_CLASS.requirement(version)
    no_profile += f", whose node classes name no instance profile; use {newest_patch(version)}"
    options = (
        (
            "keep_provisioner_permissions",
            settings.keep_provisioner_permissions,
            KEEP_PROVISIONER_PERMISSIONS,
            f"is for Karpenter 0.32 only, version is {version}; leave it out",
        ),
        (
            "keep_pre_v1_permissions",
            settings.keep_pre_v1_permissions,
            KEEP_PRE_V1_PERMISSIONS,
            f"is for Karpenter 1.0 only, version is {version}; leave it out",
        ),
        ("isolated_vpc", settings.isolated_vpc, _PROFILE_ON_CLASS, no_profile),
        (
            "node_instance_profile",
            given.node_instance_profile is not None,
            _PROFILE_ON_CLASS,
            no_profile,
        ),
    )
    return [
        Problem(option, message)
        for option, used, window, message in options
        if used and version not in window
    ]
