"""The kubelet's settings: which keys its maps take, and what must fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from .._fields import suggestion
from .._tokens import is_unresolved
from ..errors import Problem
from ..kubelet import Kubelet
from ..releases import KarpenterVersion, since, until
from .rule import Rule, broken

_SIGNALS = (
    "memory.available",
    "nodefs.available",
    "nodefs.inodesFree",
    "imagefs.available",
    "imagefs.inodesFree",
    "pid.available",
)
_RESOURCES = ("cpu", "memory", "ephemeral-storage", "pid")

# The fields that are maps: the CRD's name, and the keys that it takes.
_KEYS = {
    "kube_reserved": ("kubeReserved", _RESOURCES),
    "system_reserved": ("systemReserved", _RESOURCES),
    "eviction_hard": ("evictionHard", _SIGNALS),
    "eviction_soft": ("evictionSoft", _SIGNALS),
    "eviction_soft_grace_period": ("evictionSoftGracePeriod", _SIGNALS),
}


def _percents(kubelet: Kubelet) -> tuple[int, int] | None:
    high, low = kubelet.image_gc_high_threshold_percent, kubelet.image_gc_low_threshold_percent
    return None if high is None or low is None or is_unresolved((high, low)) else (high, low)


# What the kubelet takes where only the other is given (kubernetes pkg/kubelet/apis/config/v1beta1).
_DEFAULT_HIGH, _DEFAULT_LOW = 85, 80


def _alone(percent: int | None, other: int | None) -> int | None:
    """A threshold that is known, where the other one is the default."""
    return None if other is not None or is_unresolved(percent) else percent


_RULES: tuple[Rule[Kubelet], ...] = (
    Rule(
        lambda k: (found := _percents(k)) and found[0] <= found[1],
        "imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent",
        "raise it, or lower image_gc_low_threshold_percent",
        field="image_gc_high_threshold_percent",
        window=since("0.32"),
    ),
    # The webhook of core v1alpha5 let the two be equal.
    Rule(
        lambda k: (found := _percents(k)) and found[0] < found[1],
        "imageGCHighThresholdPercent must not be less than imageGCLowThresholdPercent",
        "raise it, or lower image_gc_low_threshold_percent",
        field="image_gc_high_threshold_percent",
        window=until("0.32"),
    ),
    Rule(
        lambda k: (
            (high := _alone(k.image_gc_high_threshold_percent, k.image_gc_low_threshold_percent)) is not None
            and high <= _DEFAULT_LOW
        ),
        f"must be greater than image_gc_low_threshold_percent, which is {_DEFAULT_LOW}",
        "raise it, or give the other too",
        field="image_gc_high_threshold_percent",
    ),
    Rule(
        lambda k: (
            (low := _alone(k.image_gc_low_threshold_percent, k.image_gc_high_threshold_percent)) is not None
            and low >= _DEFAULT_HIGH
        ),
        f"must be less than image_gc_high_threshold_percent, which is {_DEFAULT_HIGH}",
        "lower it, or give the other too",
        field="image_gc_low_threshold_percent",
    ),
)


def kubelet_problems(kubelet: Kubelet | None, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """What is wrong with kubelet settings; ``path`` is that of the settings themselves."""
    if kubelet is None:
        return
    yield from broken(_RULES, kubelet, path, version)
    for index, address in enumerate(kubelet.cluster_dns or ()):
        if not is_unresolved(address) and not _is_address(address):
            yield Problem(
                f"{path}.cluster_dns[{index}]",
                f"must be an IP address, got {address!r}; write one as in '10.100.0.10'",
            )
    for name, (crd_name, keys) in _KEYS.items():
        yield from _key_problems(getattr(kubelet, name) or {}, f"{path}.{name}", crd_name, keys)
    for name in ("kube_reserved", "system_reserved"):
        yield from _negative(getattr(kubelet, name) or {}, f"{path}.{name}", _KEYS[name][0])
    soft, grace = kubelet.eviction_soft or {}, kubelet.eviction_soft_grace_period or {}
    yield from _unmatched(soft, grace, f"{path}.eviction_soft", "evictionSoft", "evictionSoftGracePeriod")
    yield from _unmatched(
        grace, soft, f"{path}.eviction_soft_grace_period", "evictionSoftGracePeriod", "evictionSoft"
    )


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _key_problems(
    values: Mapping[str, str], path: str, crd_name: str, keys: tuple[str, ...]
) -> Iterator[Problem]:
    for key in values:
        if key not in keys and not is_unresolved(key):
            listed = ",".join(map(repr, keys))
            hint = suggestion(key, keys) or "use one of them"
            yield Problem(path, f"valid keys for {crd_name} are [{listed}], got {key!r}; {hint}")


def _negative(values: Mapping[str, str], path: str, crd_name: str) -> Iterator[Problem]:
    for key, value in values.items():
        if value.startswith("-"):
            yield Problem(
                f"{path}[{key!r}]",
                f"{crd_name} value cannot be a negative resource quantity, got {value!r}; drop the sign",
            )


def _unmatched(
    values: Mapping[str, str], others: Mapping[str, str], path: str, crd_name: str, other: str
) -> Iterator[Problem]:
    for key in values:
        if key not in others:
            yield Problem(
                f"{path}[{key!r}]", f"{crd_name} OwnerKey does not have a matching {other}; give both"
            )
