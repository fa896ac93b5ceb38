"""The kubelet settings of a node."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from ._fields import QUANTITY, Flag, Items, Map, Number, Text
from ._model import Model

_RESERVED = Map(
    values=Text(
        "a Kubernetes quantity",
        pattern=QUANTITY,
        fix="write one as in '100m' or '1Gi'",
        convert_numbers=True,
        example="'100m'",
    )
)
_THRESHOLDS = Map(
    values=Text(
        "a percentage up to 100%, or a Kubernetes quantity",
        pattern=rf"([0-9]{{1,2}}(\.[0-9]{{1,2}})?|100(\.0{{1,2}})?)%|{QUANTITY}",
        fix="write one as in '5%' or '100Mi'",
    )
)
_GRACE_PERIODS = Map(
    values=Text(
        "a duration",
        pattern=r"([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+",
        fix="write one as in '2m' or '1m30s'",
    )
)


class Kubelet(Model):
    """What the kubelet of a node is told.

    It belongs to the node class from Karpenter 1.0, and to the node pool before; given on the class, it holds
    for every pool of the class in every release.
    """

    sample: ClassVar[str] = "{'maxPods': 110}"

    cluster_dns: Annotated[Sequence[Annotated[str, Text()]] | None, Items()] = None
    """The IP addresses of the cluster's DNS servers. Default: found from the cluster."""
    max_pods: Annotated[int | None, Number(0)] = None
    """The most pods that a node takes; above what the network interfaces carry, pods get no address.
    Default: from the instance type's network interfaces."""
    pods_per_core: Annotated[int | None, Number(0)] = None
    """The most pods for each vCPU; ``max_pods`` still holds. Default: no such limit."""
    kube_reserved: Annotated[Mapping[str, str] | None, _RESERVED] = None
    """What Kubernetes' own parts keep, by ``cpu``, ``memory``, ``ephemeral-storage`` and ``pid``.
    Default: computed from the instance type."""
    system_reserved: Annotated[Mapping[str, str] | None, _RESERVED] = None
    """What the operating system keeps, by ``cpu``, ``memory``, ``ephemeral-storage`` and ``pid``.
    Default: nothing."""
    eviction_hard: Annotated[Mapping[str, str] | None, _THRESHOLDS] = None
    """The thresholds below which pods are evicted at once, by signal such as ``memory.available``.
    Default: the kubelet's own."""
    eviction_soft: Annotated[Mapping[str, str] | None, _THRESHOLDS] = None
    """The thresholds below which pods are evicted after a grace period, by signal. Default: none."""
    eviction_soft_grace_period: Annotated[Mapping[str, str] | None, _GRACE_PERIODS] = None
    """The grace period of each signal in ``eviction_soft``, such as ``2m``. Default: none."""
    eviction_max_pod_grace_period: Annotated[int | None, Number()] = None
    """The most seconds that a pod gets to end when it is evicted softly. Default: the kubelet's own."""
    image_gc_high_threshold_percent: Annotated[int | None, Number(0, 100)] = None
    """The disk usage above which unused images are deleted, in percent. Default: the kubelet's own."""
    image_gc_low_threshold_percent: Annotated[int | None, Number(0, 100)] = None
    """The disk usage down to which unused images are deleted, in percent. Default: the kubelet's own."""
    cpu_cfs_quota: Annotated[bool | None, Flag()] = None
    """Whether CPU limits are enforced. Default: the kubelet's own, yes."""
