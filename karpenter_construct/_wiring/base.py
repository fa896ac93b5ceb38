"""What every step works with."""

from __future__ import annotations

from dataclasses import dataclass

from constructs import Construct

from .._cluster import ClusterAdapter
from .._decisions.cluster_facts import ClusterFacts
from .._decisions.settings import KarpenterSettings
from .given import Given


@dataclass(frozen=True, kw_only=True)
class StepBase:
    """What every step works with.

    Attributes:
        scope: The `Karpenter` construct.
        adapter: The cluster.
        settings: What was decided.
        given: What the user brings.
    """

    scope: Construct
    adapter: ClusterAdapter
    settings: KarpenterSettings
    given: Given

    @property
    def facts(self) -> ClusterFacts:
        """What the cluster is."""
        return self.adapter.facts

    @property
    def cluster_name(self) -> str:
        """The cluster's name, literal where it is known."""
        return self.facts.literal_name or self.facts.name

    def _subnet_ids(self) -> tuple[str, ...]:
        given = self.settings.discovery.subnet_ids()
        return self.adapter.private_subnet_ids if given is None else given

    def _security_group_ids(self) -> tuple[str, ...]:
        given = self.settings.discovery.security_group_ids()
        return (str(self.adapter.cluster_security_group_id),) if given is None else given
