"""The label keys that Karpenter knows, release by release, and those that it keeps for itself.

Sources: the rules on ``requirements[].key`` and ``labels`` in the CRDs of each release tag
(``pkg/apis/crds/karpenter.sh_nodepools.yaml``), ``pkg/apis/v1/labels.go``, and for 0.30 and 0.31 the webhook
(core ``pkg/apis/v1alpha5/labels.go``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..releases import ALWAYS, KarpenterVersion, Window, since, until
from .instance_types import CATEGORIES, CATEGORY, FAMILIES, FAMILY, SIZE, SIZES, TYPE, type_names

AWS_DOMAIN = "karpenter.k8s.aws"


class Growing(NamedTuple):
    """Values to which EC2 adds.

    Attributes:
        looks: The regular expression of a value that may be newer than this library.
        known: Gives the values that are known here, and may be near to a wrong one.
        example: What to write, as Python.
    """

    looks: str
    known: Callable[[str], tuple[str, ...]]
    example: str

    def takes(self, value: str) -> bool:
        """Whether there is such a value, or may be."""
        return re.fullmatch(self.looks, value) is not None


class LabelKey(NamedTuple):
    """A well-known key.

    Attributes:
        window: The releases that take it in a node pool's requirements.
        as_label: The releases that take it among a node pool's labels; ``None`` is ``window``.
        in_overlay: Whether a node overlay may require it.
        values: All values there are, with their releases; empty where the values are open.
        growing: What the values look like, where there may be newer ones.
        is_number: Whether the values are whole numbers.
    """

    window: Window = ALWAYS
    as_label: Window | None = None
    in_overlay: bool = True
    values: Mapping[str, Window] = MappingProxyType({})
    growing: Growing | None = None
    is_number: bool = False

    @property
    def label_window(self) -> Window:
        """The releases that take it among a node pool's labels."""
        return self.as_label or self.window


def _always(*values: str) -> dict[str, Window]:
    return dict.fromkeys(values, ALWAYS)


_NUMBER = LabelKey(is_number=True)
_BOOLEAN = _always("true", "false")
_CATEGORY = Growing(CATEGORY, lambda _: tuple(sorted(CATEGORIES)), "'c', 'm' or 'r'")
_FAMILY = Growing(FAMILY, lambda _: tuple(sorted(FAMILIES)), "'m7i'")
_SIZE = Growing(SIZE, lambda _: tuple(sorted(SIZES)), "'2xlarge'")
_TYPE = Growing(TYPE, lambda value: type_names(value.partition(".")[0]), "'m7i.large'")
_ARCH = LabelKey(values=_always("amd64", "arm64"))
_OS = LabelKey(values=_always("linux", "windows"))

_AWS_KEYS = {
    "instance-category": LabelKey(growing=_CATEGORY),
    "instance-family": LabelKey(growing=_FAMILY),
    "instance-generation": _NUMBER,
    "instance-size": LabelKey(growing=_SIZE),
    "instance-cpu": _NUMBER,
    "instance-cpu-manufacturer": LabelKey(since("0.36")),
    "instance-cpu-sustained-clock-speed-mhz": LabelKey(since("1.1"), is_number=True),
    "instance-memory": _NUMBER,
    "instance-ebs-bandwidth": LabelKey(since("0.37"), is_number=True),
    "instance-network-bandwidth": _NUMBER,
    "instance-local-nvme": _NUMBER,
    "instance-hypervisor": LabelKey(values=_always("nitro", "xen", "")),
    "instance-encryption-in-transit-supported": LabelKey(values=_BOOLEAN),
    "instance-capability-flex": LabelKey(since("1.7"), values=_BOOLEAN),
    "instance-tenancy": LabelKey(since("1.9"), in_overlay=False, values=_always("default", "dedicated")),
    "instance-gpu-name": LabelKey(),
    "instance-gpu-manufacturer": LabelKey(),
    "instance-gpu-count": _NUMBER,
    "instance-gpu-memory": _NUMBER,
    "instance-accelerator-name": LabelKey(),
    "instance-accelerator-manufacturer": LabelKey(),
    "instance-accelerator-count": _NUMBER,
    "instance-pods": LabelKey(until("0.32"), is_number=True),
    "ec2nodeclass": LabelKey(since("1.1")),
    "capacity-reservation-id": LabelKey(since("1.3"), in_overlay=False),
    "capacity-reservation-type": LabelKey(
        since("1.6"), in_overlay=False, values=_always("default", "capacity-block")
    ),
    "capacity-reservation-interruptible": LabelKey(since("1.10"), in_overlay=False, values=_BOOLEAN),
    "placement-group-id": LabelKey(since("1.11"), in_overlay=False),
    "placement-group-partition": LabelKey(since("1.11"), in_overlay=False, is_number=True),
}

KUBERNETES_KEYS = {
    "node.kubernetes.io/instance-type": LabelKey(growing=_TYPE),
    "node.kubernetes.io/windows-build": LabelKey(),
    "topology.kubernetes.io/zone": LabelKey(),
    "topology.kubernetes.io/region": LabelKey(),
    "kubernetes.io/arch": _ARCH,
    "kubernetes.io/os": _OS,
    # The webhook of 0.30 and 0.31 knew these in requirements only.
    "beta.kubernetes.io/instance-type": LabelKey(as_label=since("0.32"), growing=_TYPE),
    "beta.kubernetes.io/arch": _ARCH._replace(as_label=since("0.32")),
    "beta.kubernetes.io/os": _OS._replace(as_label=since("0.32")),
    "failure-domain.beta.kubernetes.io/zone": LabelKey(as_label=since("0.32")),
    "failure-domain.beta.kubernetes.io/region": LabelKey(as_label=since("0.32")),
}

WELL_KNOWN = {
    "karpenter.sh/capacity-type": LabelKey(values=_always("spot", "on-demand") | {"reserved": since("1.3")}),
    **{f"{AWS_DOMAIN}/{name}": key for name, key in _AWS_KEYS.items()},
    **KUBERNETES_KEYS,
    "topology.k8s.aws/zone-id": LabelKey(since("0.37")),
}

# What Karpenter turns into the newer spelling before it compares (core labels.go, NormalizedLabels).
NORMALISED = {
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/os": "kubernetes.io/os",
}

# Always set by Karpenter or the kubelet, never by a node pool.
RESTRICTED_KEYS = ("karpenter.sh/nodepool", "kubernetes.io/hostname")


NEVER = Window(())


class RestrictedDomain(NamedTuple):
    """A domain whose keys a node pool may not use.

    Attributes:
        name: Restricts every key whose part before the slash ends so, with a dot before it or without.
        free: The releases that do not restrict it.
        keys: The keys that are free all the same.
        subdomains: The endings of the part before the slash that are free all the same.
    """

    name: str
    free: Window = NEVER
    keys: tuple[str, ...] = ()
    subdomains: tuple[str, ...] = ()


RESTRICTED_DOMAINS = (
    RestrictedDomain(
        "kubernetes.io",
        since("1.9"),
        tuple(KUBERNETES_KEYS),
        ("node.kubernetes.io", "node-restriction.kubernetes.io"),
    ),
    RestrictedDomain("k8s.io", since("1.9"), subdomains=("kops.k8s.io",)),
    RestrictedDomain("karpenter.sh", keys=("karpenter.sh/capacity-type",)),
    RestrictedDomain(AWS_DOMAIN, keys=tuple(key for key in WELL_KNOWN if key.startswith(AWS_DOMAIN + "/"))),
)

# These compared the free subdomains from the start: a.node.kubernetes.io/x was restricted.
_WHOLE_SUBDOMAINS = until("0.32.2")


def normalised(key: str) -> str:
    """The key that Karpenter compares by."""
    return NORMALISED.get(key, key)


def restricted_domain(key: str, version: KarpenterVersion) -> RestrictedDomain | None:
    """The domain that keeps a node pool of this release from using ``key``, ``None`` where it may."""
    prefix = key.partition("/")[0]
    whole = version in _WHOLE_SUBDOMAINS
    for domain in RESTRICTED_DOMAINS:
        free = key in domain.keys or any(
            prefix == name if whole else prefix.endswith(name) for name in domain.subdomains
        )
        if version not in domain.free and prefix.endswith(domain.name) and not free:
            return domain
    return None
