"""Kubernetes versions, as far as Karpenter's facts depend on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple


class KubernetesVersion(NamedTuple):
    """A Kubernetes minor version, such as 1.35."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> KubernetesVersion | None:
        """Read ``1.35``, ``v1.35`` or ``1.35.2``; ``None`` for anything else, such as a CDK token."""
        found = re.fullmatch(r"v?(\d+)\.(\d+)(\.\d+.*)?", text)
        return None if found is None else cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True)
class KubernetesRange:
    """The Kubernetes versions from ``minimum`` to ``maximum``, both included."""

    minimum: KubernetesVersion
    maximum: KubernetesVersion

    def __contains__(self, version: KubernetesVersion) -> bool:
        return self.minimum <= version <= self.maximum

    def __str__(self) -> str:
        return f"{self.minimum} to {self.maximum}"


def minors(first: int, last: int) -> KubernetesRange:
    """The range of Kubernetes ``1.<first>`` to ``1.<last>``."""
    return KubernetesRange(KubernetesVersion(1, first), KubernetesVersion(1, last))


FIRST_WITHOUT_AL2 = KubernetesVersion(1, 33)
"""The first version without images of Amazon Linux 2 (provider-aws ``pkg/providers/amifamily``)."""
