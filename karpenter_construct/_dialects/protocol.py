"""What every dialect can do."""

from __future__ import annotations

from typing import Protocol

from ..capacity_buffer import CapacityBuffer
from ..node_class import EC2NodeClass
from ..node_overlay import NodeOverlay
from ..node_pool import NodePool
from .manifest import Manifest


class Dialect(Protocol):
    """One generation's words for the node models.

    Manifests have ``apiVersion``, ``kind``, ``metadata`` and ``spec``. A model's values may be placeholders
    that only the deployment resolves; they stand in the manifest as they are.
    """

    def node_pool(self, pool: NodePool, node_class: EC2NodeClass) -> Manifest:
        """The manifest of a pool: a NodePool, a Provisioner before 0.32.

        Args:
            pool: The pool.
            node_class: The class that the pool's nodes use, completed.
        """

    def node_class(self, node_class: EC2NodeClass) -> Manifest:
        """The manifest of a node class: an EC2NodeClass, an AWSNodeTemplate before 0.32.

        Args:
            node_class: The class; role or instance profile, AMI, subnets and security groups are filled in.
        """

    def node_overlay(self, overlay: NodeOverlay) -> Manifest:
        """The manifest of a NodeOverlay.

        Raises:
            SettingsError: The release has none.
        """

    def capacity_buffer(self, buffer: CapacityBuffer) -> Manifest:
        """The manifest of a CapacityBuffer, the one object here that lives in a namespace.

        Raises:
            SettingsError: The release has none.
        """
