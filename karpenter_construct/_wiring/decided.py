"""What was decided about one Karpenter, and what its release calls things, as attributes."""

from __future__ import annotations

from .._decisions.identity import IdentityType
from .._decisions.node_access import NodeAccess
from .._decisions.settings import KarpenterSettings
from .._upstream.chart import chart_version
from .._upstream.vocabulary import do_not_disrupt_annotation, node_pool_label
from ..controller_capacity import ControllerCapacity


class Decided:
    """Reads the settings, where nothing is open any more.

    Attributes:
        settings: Every setting, the decided ones included: ``identity_type``, ``node_access``, ``replicas``, …
    """

    settings: KarpenterSettings

    @property
    def version(self) -> str:
        """The Karpenter release, such as ``1.14.1``."""
        return str(self.settings.version)

    @property
    def namespace(self) -> str:
        """The controller's namespace."""
        return self.settings.namespace

    @property
    def service_account_name(self) -> str:
        """The controller's service account."""
        return self.settings.service_account_name

    @property
    def identity_type(self) -> IdentityType:
        """How the controller gets its AWS credentials."""
        return self.settings.identity_type

    @property
    def node_access(self) -> NodeAccess:
        """How nodes are let into the cluster."""
        return self.settings.node_access

    @property
    def controller_capacity(self) -> ControllerCapacity:
        """Where the controller runs."""
        return self.settings.controller_capacity

    @property
    def critical_addons_tolerations(self) -> list[dict[str, str]]:
        """Tolerations, as in a pod's spec, for other charts that are to run where the controller runs."""
        return [dict(toleration) for toleration in self.controller_capacity.tolerations]

    @property
    def chart_repository(self) -> str:
        """The OCI repository of the chart."""
        return self.settings.chart_repository

    @property
    def chart_version(self) -> str:
        """The chart's version as its registry has it: with a leading ``v`` before 0.35."""
        return chart_version(self.settings.version)

    @property
    def do_not_disrupt_annotation(self) -> str:
        """The annotation by which a pod, where it is ``"true"``, keeps its node."""
        return do_not_disrupt_annotation(self.settings.version)

    @property
    def node_pool_label(self) -> str:
        """The label that says which pool a node belongs to."""
        return node_pool_label(self.settings.version)
