"""What EKS takes for a managed node group, as far as a group for Karpenter's controller can get it wrong."""

from __future__ import annotations

import re

from .instance_types import FAMILIES

# The enumeration AMITypes of the EKS API as botocore 1.44.8 has it, without CUSTOM.
AMI_TYPES = (
    "AL2023_x86_64_STANDARD",
    "AL2023_ARM_64_STANDARD",
    "AL2023_x86_64_NEURON",
    "AL2023_x86_64_NVIDIA",
    "AL2023_ARM_64_NVIDIA",
    "BOTTLEROCKET_x86_64",
    "BOTTLEROCKET_ARM_64",
    "BOTTLEROCKET_x86_64_FIPS",
    "BOTTLEROCKET_ARM_64_FIPS",
    "BOTTLEROCKET_x86_64_NVIDIA",
    "BOTTLEROCKET_ARM_64_NVIDIA",
    "BOTTLEROCKET_x86_64_NVIDIA_FIPS",
    "BOTTLEROCKET_ARM_64_NVIDIA_FIPS",
    "AL2_x86_64",
    "AL2_x86_64_GPU",
    "AL2_ARM_64",
    "WINDOWS_CORE_2019_x86_64",
    "WINDOWS_FULL_2019_x86_64",
    "WINDOWS_CORE_2022_x86_64",
    "WINDOWS_FULL_2022_x86_64",
    "WINDOWS_CORE_2025_x86_64",
    "WINDOWS_FULL_2025_x86_64",
)
"""EKS' names of the images that it brings along."""
CUSTOM_AMI = "CUSTOM"
"""Stands for the image of a launch template."""

DEFAULT_AMI_TYPES = {"x86_64": "AL2023_x86_64_STANDARD", "arm64": "AL2023_ARM_64_STANDARD"}
"""Amazon Linux 2023, by architecture."""

MOST_TAINTS = 50
"""EKS user guide, taints of managed node groups."""
LONGEST_KEY = 63
"""Of labels and taints, prefix included (EKS API, ``labelKey`` and ``taintKey``)."""

_ARCHITECTURES = {"_x86_64": "x86_64", "_ARM_64": "arm64"}
_AMI_TYPE = r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*_(x86_64|ARM_64)(_[A-Z0-9]+)*"
# Above this, names that differ are one name and a slip of the pen.
_SLIP = 0.9

_INSTANCE_TYPE = r"[a-z][a-z0-9-]*\.[a-z0-9-]+"
# Instance type names: family letters, generation digits, then attributes that begin with "g" for Graviton.
_GRAVITON = r"[a-z]+[0-9]+g|[a-z0-9]+-gb[0-9]+"

EKS_DOMAIN = "eks.amazonaws.com"
_KARPENTERS_DOMAIN = "karpenter.sh"
# What the kubelet may say about itself (kubernetes ``kubelet/pkg/apis/well_known_labels.go``).
_KUBELET_KEYS = frozenset(
    (
        "beta.kubernetes.io/arch",
        "beta.kubernetes.io/instance-type",
        "beta.kubernetes.io/os",
        "failure-domain.beta.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "kubernetes.io/arch",
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "node.kubernetes.io/instance-type",
        "topology.kubernetes.io/region",
        "topology.kubernetes.io/zone",
    )
)
_KUBELET_DOMAINS = ("kubelet.kubernetes.io", "node.kubernetes.io")
_KUBERNETES_DOMAINS = ("kubernetes.io", "k8s.io")

OWN_NODES = ("karpenter.sh/nodepool", "karpenter.sh/provisioner-name")
"""The labels of nodes that Karpenter manages, one of which has each."""


def is_instance_type(name: str) -> bool:
    """Whether EC2 may have an instance type of that name."""
    return re.fullmatch(_INSTANCE_TYPE, name) is not None


def is_arm(instance_type: str) -> bool:
    """Whether the instances of a type are arm64."""
    family = instance_type.partition(".")[0]
    known = FAMILIES.get(family)
    return known.arch == "arm64" if known else re.match(_GRAVITON, family) is not None


def ami_architecture(ami_type: str) -> str | None:
    """``x86_64`` or ``arm64``; ``None`` where the name says neither."""
    return next((arch for part, arch in _ARCHITECTURES.items() if part in ami_type), None)


def is_of_al2(ami_type: str) -> bool:
    """Whether the image is of Amazon Linux 2, which has ended."""
    return ami_type.startswith("AL2_")


def may_be_ami_type(name: str) -> bool:
    """Whether EKS has an AMI type of that name, or may have one soon: the images of the next years look alike."""
    if name in AMI_TYPES:
        return True
    if not re.fullmatch(_AMI_TYPE, name) or any(known.startswith(f"{name}_") for known in AMI_TYPES):
        return False
    # Imported late: known names need it not.
    from difflib import SequenceMatcher  # noqa: PLC0415

    letters = _letters(name)
    alike = (SequenceMatcher(None, letters, _letters(known)).ratio() for known in AMI_TYPES)
    return not any(_SLIP <= ratio < 1 for ratio in alike)


def _letters(ami_type: str) -> str:
    """The name without the numbers, which grow with time."""
    return re.sub(r"[0-9_]", "", ami_type)


def refused_label(key: str) -> str | None:
    """Why a node of a managed node group cannot have a label, ``None`` where it can."""
    domain, slash, name = key.partition("/")
    if not slash:
        return None
    if domain == EKS_DOMAIN:
        return "is a label that EKS keeps for itself"
    if domain == _KARPENTERS_DOMAIN and name != "controller":
        return "is a label of the nodes that Karpenter manages, which its controller stays off"
    if _is_in(domain, _KUBERNETES_DOMAINS) and not (key in _KUBELET_KEYS or _is_in(domain, _KUBELET_DOMAINS)):
        return "is a label that no kubelet gives its own node"
    return None


def _is_in(domain: str, domains: tuple[str, ...]) -> bool:
    return any(domain == each or domain.endswith(f".{each}") for each in domains)
