"""Every setting of Karpenter on one cluster, decided once: what the user left open is filled in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .._upstream.node_role import uses_default_instance_profile
from ..controller_capacity import ControllerCapacity
from ..discovery import Discovery
from ..errors import Caution
from ..releases import KarpenterVersion
from .identity import IdentityType
from .node_access import NodeAccess


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
        topology_spread: What becomes of a controller that would crowd a zone: ``DoNotSchedule``, ``ScheduleAnyway``.
        install_chart: Whether the charts are installed from here.
        chart_repository: The OCI repository of the chart, ending in the chart's name.
        crd_chart_repository: The OCI repository of the CRD chart, ending in the chart's name.
        image_repository: The repository of the controller image, ``None`` for upstream's.
        isolated_vpc: Whether VPC endpoints are the only way from the VPC to AWS.
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
    topology_spread: str
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
