"""Which instances a node pool may launch: the label keys, and what can be asked of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, cast

from ._fields import Choice, Items, Number, Text, Words, shown
from ._model import Model
from .errors import Problem, SettingsError
from .releases import since

__all__ = [
    "ARCH",
    "CAPACITY_RESERVATION_ID",
    "CAPACITY_RESERVATION_INTERRUPTIBLE",
    "CAPACITY_RESERVATION_TYPE",
    "CAPACITY_TYPE",
    "EC2_NODE_CLASS",
    "INSTANCE_ACCELERATOR_COUNT",
    "INSTANCE_ACCELERATOR_MANUFACTURER",
    "INSTANCE_ACCELERATOR_NAME",
    "INSTANCE_CAPABILITY_FLEX",
    "INSTANCE_CATEGORY",
    "INSTANCE_CPU",
    "INSTANCE_CPU_MANUFACTURER",
    "INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ",
    "INSTANCE_EBS_BANDWIDTH",
    "INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED",
    "INSTANCE_FAMILY",
    "INSTANCE_GENERATION",
    "INSTANCE_GPU_COUNT",
    "INSTANCE_GPU_MANUFACTURER",
    "INSTANCE_GPU_MEMORY",
    "INSTANCE_GPU_NAME",
    "INSTANCE_HYPERVISOR",
    "INSTANCE_LOCAL_NVME",
    "INSTANCE_MEMORY",
    "INSTANCE_NETWORK_BANDWIDTH",
    "INSTANCE_SIZE",
    "INSTANCE_TENANCY",
    "INSTANCE_TYPE",
    "NODE_POOL",
    "OS",
    "PLACEMENT_GROUP_ID",
    "PLACEMENT_GROUP_PARTITION",
    "REGION",
    "WINDOWS_BUILD",
    "ZONE",
    "ZONE_ID",
    "CapacityType",
    "DoesNotExist",
    "Exists",
    "Gt",
    "Gte",
    "In",
    "Lt",
    "Lte",
    "NotIn",
    "Operator",
    "Requirement",
]

CAPACITY_TYPE = "karpenter.sh/capacity-type"
"""How an instance is paid for: ``spot``, ``on-demand``; ``reserved`` from Karpenter 1.3."""
NODE_POOL = "karpenter.sh/nodepool"
"""The node pool of a node. Karpenter sets it; only a `NodeOverlay` may require it."""

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""An EC2 instance type such as ``m7i.large``."""
INSTANCE_CATEGORY = "karpenter.k8s.aws/instance-category"
"""The letters before the generation: ``c``, ``m``, ``r``, ``t``, ``g``, ``p``, ``inf``, ``hpc`` and so on."""
INSTANCE_FAMILY = "karpenter.k8s.aws/instance-family"
"""What stands before the dot of an instance type, such as ``m7i``."""
INSTANCE_GENERATION = "karpenter.k8s.aws/instance-generation"
"""The generation, a whole number: ``7`` for ``m7i``."""
INSTANCE_SIZE = "karpenter.k8s.aws/instance-size"
"""What stands after the dot of an instance type, such as ``large`` or ``metal-24xl``."""
INSTANCE_CPU = "karpenter.k8s.aws/instance-cpu"
"""The number of vCPUs."""
INSTANCE_CPU_MANUFACTURER = "karpenter.k8s.aws/instance-cpu-manufacturer"
"""``intel``, ``amd`` or ``aws``. From Karpenter 0.36."""
INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ = "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz"
"""The sustained clock speed in MHz. From Karpenter 1.1."""
INSTANCE_MEMORY = "karpenter.k8s.aws/instance-memory"
"""The memory in MiB."""
INSTANCE_EBS_BANDWIDTH = "karpenter.k8s.aws/instance-ebs-bandwidth"
"""The greatest EBS bandwidth in Mbps. From Karpenter 0.37."""
INSTANCE_NETWORK_BANDWIDTH = "karpenter.k8s.aws/instance-network-bandwidth"
"""The baseline network bandwidth in Mbps."""
INSTANCE_LOCAL_NVME = "karpenter.k8s.aws/instance-local-nvme"
"""The local NVMe storage in GB; instances without any lack the label."""
INSTANCE_HYPERVISOR = "karpenter.k8s.aws/instance-hypervisor"
"""``nitro`` or ``xen``; empty for bare metal."""
INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED = "karpenter.k8s.aws/instance-encryption-in-transit-supported"
"""``true`` or ``false``."""
INSTANCE_CAPABILITY_FLEX = "karpenter.k8s.aws/instance-capability-flex"
"""``true`` for the flex types such as ``m7i-flex.large``, else ``false``. From Karpenter 1.7."""
INSTANCE_TENANCY = "karpenter.k8s.aws/instance-tenancy"
"""``default`` or ``dedicated``. From Karpenter 1.9."""
INSTANCE_GPU_NAME = "karpenter.k8s.aws/instance-gpu-name"
"""The GPU, such as ``t4``, ``a10g``, ``l4`` or ``h100``."""
INSTANCE_GPU_MANUFACTURER = "karpenter.k8s.aws/instance-gpu-manufacturer"
"""``nvidia``, ``amd`` or ``habana``."""
INSTANCE_GPU_COUNT = "karpenter.k8s.aws/instance-gpu-count"
"""The number of GPUs."""
INSTANCE_GPU_MEMORY = "karpenter.k8s.aws/instance-gpu-memory"
"""The memory of one GPU in MiB."""
INSTANCE_ACCELERATOR_NAME = "karpenter.k8s.aws/instance-accelerator-name"
"""``inferentia``, ``inferentia2``, ``trainium``, ``trainium2`` or ``qualcomm-ai100``."""
INSTANCE_ACCELERATOR_MANUFACTURER = "karpenter.k8s.aws/instance-accelerator-manufacturer"
"""``aws`` or ``qualcomm``."""
INSTANCE_ACCELERATOR_COUNT = "karpenter.k8s.aws/instance-accelerator-count"
"""The number of accelerators."""

EC2_NODE_CLASS = "karpenter.k8s.aws/ec2nodeclass"
"""The node class of a node. From Karpenter 1.1."""
CAPACITY_RESERVATION_ID = "karpenter.k8s.aws/capacity-reservation-id"
"""The capacity reservation of a node, ``cr-…``. From Karpenter 1.3."""
CAPACITY_RESERVATION_TYPE = "karpenter.k8s.aws/capacity-reservation-type"
"""``default`` or ``capacity-block``. From Karpenter 1.6."""
CAPACITY_RESERVATION_INTERRUPTIBLE = "karpenter.k8s.aws/capacity-reservation-interruptible"
"""``true`` or ``false``. From Karpenter 1.10."""
PLACEMENT_GROUP_ID = "karpenter.k8s.aws/placement-group-id"
"""The placement group of a node, ``pg-…``. From Karpenter 1.11."""
PLACEMENT_GROUP_PARTITION = "karpenter.k8s.aws/placement-group-partition"
"""The partition within a placement group, a whole number. From Karpenter 1.11."""

ZONE = "topology.kubernetes.io/zone"
"""The availability zone, such as ``eu-west-1a``."""
ZONE_ID = "topology.k8s.aws/zone-id"
"""The id of the availability zone, the same in every account, such as ``euw1-az1``. From Karpenter 0.37."""
REGION = "topology.kubernetes.io/region"
"""The region, such as ``eu-west-1``."""
ARCH = "kubernetes.io/arch"
"""``amd64`` or ``arm64``."""
OS = "kubernetes.io/os"
"""``linux`` or ``windows``."""
WINDOWS_BUILD = "node.kubernetes.io/windows-build"
"""``10.0.17763`` (2019), ``10.0.20348`` (2022) or ``10.0.26100`` (2025)."""


class Operator(Words):
    """How a requirement relates a label to its values."""

    IN = "In"
    """The label has one of the values."""
    NOT_IN = "NotIn"
    """The label has none of the values, or is missing."""
    EXISTS = "Exists"
    """The label is there, whatever its value."""
    DOES_NOT_EXIST = "DoesNotExist"
    """The label is missing."""
    GT = "Gt"
    """The label, a number, is greater than the value."""
    LT = "Lt"
    """The label, a number, is less than the value."""
    GTE = "Gte", since("1.9")
    """The label, a number, is the value or greater. From Karpenter 1.9."""
    LTE = "Lte", since("1.9")
    """The label, a number, is the value or less. From Karpenter 1.9."""


class CapacityType(Words):
    """The values of `CAPACITY_TYPE`."""

    SPOT = "spot"
    ON_DEMAND = "on-demand"
    RESERVED = "reserved", since("1.3")


# The pattern of the CRD (apis/v1 NodeSelectorRequirementWithMinValues), with the lengths of a qualified name.
_KEY_PATTERN = (
    r"((?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
)
LABEL_VALUE = Text(
    "a label value",
    pattern=r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
    fix="use letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    longest=63,
)
_REQUIRED_VALUE = replace(LABEL_VALUE, number_tokens=True)
LABEL_KEY = Text(
    "a label key",
    pattern=_KEY_PATTERN,
    fix="write one as in 'team' or 'example.com/team'",
    longest=316,
    example="'example.com/team'",
)


ANNOTATION_KEY = Text(
    "an annotation key",
    # As Kubernetes checks it (apimachinery ``ValidateAnnotations``): a label key in whatever case.
    pattern=_KEY_PATTERN.replace("a-z0-9", "A-Za-z0-9"),
    fix="write one as in 'note' or 'example.com/note'",
    longest=317,
)


class Requirement(Model):
    """What a label of the node must satisfy. `In`, `NotIn`, `Exists`, `Gt` and so on write one shorter."""

    sample: ClassVar[str] = "{'key': 'team', 'operator': 'In', 'values': ['a']}"

    key: Annotated[str, LABEL_KEY]
    """The label's key, one of the constants of this module or a label of your own. Default: required."""
    operator: Annotated[Operator | str, Choice(Operator)]
    """How the label relates to the values. Default: required."""
    values: Annotated[Sequence[Annotated[str, _REQUIRED_VALUE]], Items()] = ()
    """The values: at least one for In, exactly one whole number for Gt, Lt, Gte and Lte, none for Exists and
    DoesNotExist. Default: none."""
    min_values: Annotated[int | None, Number(1, 50), since("0.35")] = None
    """How many different values the instance types that Karpenter considers must have: flexibility that
    consolidation keeps. Default: no minimum."""

    def __repr__(self) -> str:
        given = [repr(self.key), *map(repr, self.values)]
        if self.min_values is not None:
            given.append(f"min_values={self.min_values!r}")
        return f"{self.operator}({', '.join(given)})"

    __str__ = __repr__


def _requirement(
    key: str, operator: Operator, values: tuple[str | int, ...], min_values: int | None = None
) -> Requirement:
    problems = [
        Problem(
            f"Requirement.values[{index}]",
            f"must be a string, got {shown(item)}; write the values one by one, as in {operator}(key, *values)",
        )
        for index, item in enumerate(values)
        if isinstance(item, (list, tuple, set, frozenset))
    ]
    if problems:
        raise SettingsError(*problems)
    # Not bool: True would become 'True', and Kubernetes writes 'true'.
    texts = tuple(str(item) if type(item) is int else cast("str", item) for item in values)
    optional = {} if min_values is None else {"min_values": min_values}
    return Requirement(key=key, operator=operator, values=texts, **optional)


def In(key: str, *values: str | int, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key`` has one of ``values``."""
    return _requirement(key, Operator.IN, values, min_values)


def NotIn(key: str, *values: str | int, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key`` has none of ``values``, or is missing."""
    return _requirement(key, Operator.NOT_IN, values, min_values)


def Exists(key: str, *, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key`` is there, whatever its value."""
    return _requirement(key, Operator.EXISTS, (), min_values)


def DoesNotExist(key: str) -> Requirement:  # noqa: N802
    """The label ``key`` is missing."""
    return _requirement(key, Operator.DOES_NOT_EXIST, ())


def Gt(key: str, value: str | int, *, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key``, a number, is greater than ``value``."""
    return _requirement(key, Operator.GT, (value,), min_values)


def Lt(key: str, value: str | int, *, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key``, a number, is less than ``value``."""
    return _requirement(key, Operator.LT, (value,), min_values)


def Gte(key: str, value: str | int, *, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key``, a number, is ``value`` or greater. From Karpenter 1.9."""
    return _requirement(key, Operator.GTE, (value,), min_values)


def Lte(key: str, value: str | int, *, min_values: int | None = None) -> Requirement:  # noqa: N802
    """The label ``key``, a number, is ``value`` or less. From Karpenter 1.9."""
    return _requirement(key, Operator.LTE, (value,), min_values)
