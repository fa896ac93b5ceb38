"""Which releases can be installed, and on which Kubernetes, in which namespace, with which identity."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import Caution, Problem, UnsupportedVersionError
from ..releases import KarpenterVersion, Window, between, since, until
from .kubernetes import KubernetesRange, KubernetesVersion, minors

OLDEST = "0.30.0"

NEWEST_PATCHES = (
    "0.30.0",
    "0.31.5",
    "0.32.10",
    "0.33.12",
    "0.34.13",
    "0.35.12",
    "0.36.9",
    "0.37.8",
    "1.0.14",
    "1.1.10",
    "1.2.8",
    "1.3.8",
    "1.4.4",
    "1.5.8",
    "1.6.8",
    "1.7.6",
    "1.8.8",
    "1.9.2",
    "1.10.2",
    "1.11.3",
    "1.12.2",
    "1.13.1",
    "1.14.1",
)
"""The newest known patch of every release line, in order (upstream's tags)."""

NEWEST = NEWEST_PATCHES[-1]

_PATCH_BY_LINE = {KarpenterVersion.parse(newest).line: newest for newest in NEWEST_PATCHES}
_NEWER_LINES = since("1.15")
_PUBLISHED_CANDIDATES = ("0.30.0-rc.0",)


def newest_patch(version: KarpenterVersion) -> str:
    """The newest known patch of the release's line; of the newest line, for a release newer than that."""
    return _PATCH_BY_LINE.get(version.line, NEWEST)


class _Refusal(NamedTuple):
    """Releases that are not installed, and why."""

    window: Window
    reason: str


_REFUSALS = (
    _Refusal(until("0.30"), f"is older than {OLDEST}"),
    _Refusal(between("0.34.4", "0.34.5"), "was never released"),
    _Refusal(between("0.35.3", "0.35.4"), "was never released"),
    _Refusal(between("0.38", "1.0"), "does not exist: 0.37 was followed by 1.0"),
    _Refusal(
        between("1.8.0", "1.8.1"),
        "has a chart whose own values make the controller panic (a feature gate is spelled in two ways)",
    ),
    _Refusal(
        between("1.8.4", "1.8.5"),
        "fails to schedule some pods with topology spread constraints, and upstream warns of it",
    ),
    _Refusal(since("2.0"), "may have an API that this library does not know"),
)


class _Advisory(NamedTuple):
    """Releases that work, but that a later patch of the same line is better than."""

    window: Window
    message: str


_ADVISORIES = (
    _Advisory(
        between("0.32.0", "0.32.2"),
        "knows neither Pod Identity nor an instance profile on a node class",
    ),
    _Advisory(
        between("0.34.0", "0.34.5") | between("0.35.0", "0.35.4"),
        "refuses disruption budgets that last hours and minutes, such as 1h30m",
    ),
    _Advisory(
        between("0.33.6", "0.33.7")
        | between("0.34.7", "0.34.8")
        | between("0.35.6", "0.35.7")
        | between("0.36.3", "0.36.4")
        | between("0.37.1", "0.37.2")
        | between("1.0.0", "1.0.1"),
        "runs public.ecr.aws/bitnami/kubectl, an image for x86 only, after each installation of its chart",
    ),
)


def check_supported(text: str) -> tuple[KarpenterVersion, tuple[Caution, ...]]:
    """Read a release that can be installed, with what to say about it.

    Args:
        text: Such as ``1.14.1`` or ``v0.30.0-rc.0``.

    Raises:
        UnsupportedVersionError: It is no release, or one outside 0.30 to 1.14, or one that does not work.
            A newer patch of a known line, and a newer 1.x line, are allowed.
    """
    version = KarpenterVersion.parse(text)
    reason = _refusal(version)
    if reason is not None:
        raise UnsupportedVersionError(Problem("version", f"{reason}, got {text!r}; {_instead(version)}"))
    cautions = (_newer_release(version), _advice(version))
    return version, tuple(caution for caution in cautions if caution is not None)


def _refusal(version: KarpenterVersion) -> str | None:
    for refusal in _REFUSALS:
        if version in refusal.window:
            return refusal.reason
    if version.prerelease and not _is_newer(version) and str(version) not in _PUBLISHED_CANDIDATES:
        return "was never released"
    return None


def _instead(version: KarpenterVersion) -> str:
    if version.line in _PATCH_BY_LINE:
        return f"use {newest_patch(version)}"
    return f"use a release from {OLDEST} to {NEWEST}"


def _is_newer(version: KarpenterVersion) -> bool:
    newest = KarpenterVersion.parse(newest_patch(version))
    return version in since(str(newest)) and version.release != newest.release


def _newer_release(version: KarpenterVersion) -> Caution | None:
    if not _is_newer(version):
        return None
    known = newest_patch(version)
    return Caution(
        "karpenter-construct:newerRelease",
        f"Karpenter {version} is newer than {known}, the newest that this karpenter-construct knows: it gets "
        f"the permissions, chart values and checks of {known}. Update karpenter-construct, or compare with "
        "upstream's upgrade guide.",
    )


def _advice(version: KarpenterVersion) -> Caution | None:
    for advisory in _ADVISORIES:
        if version in advisory.window:
            return Caution(
                "karpenter-construct:olderPatch",
                f"Karpenter {version} {advisory.message}; use {newest_patch(version)}.",
            )
    return None


# hack/docs/compatibilitymatrix_gen/compatibility.yaml, and pkg/providers/version/version.go of each tag.
_KUBERNETES = (
    (between("0.30", "0.31"), minors(23, 27)),
    (between("0.31", "0.34"), minors(23, 28)),
    (between("0.34", "0.37"), minors(23, 29)),
    (between("0.37", "1.0"), minors(23, 30)),
    (between("1.0", "1.0.5"), minors(25, 30)),
    (between("1.0.5", "1.2"), minors(25, 31)),
    (between("1.2", "1.5"), minors(25, 32)),
    (between("1.5", "1.6"), minors(26, 33)),
    (between("1.6", "1.9"), minors(26, 34)),
    (between("1.9", "1.13"), minors(26, 35)),
    (since("1.13"), minors(26, 36)),
)

_BEFORE_ALL = KarpenterVersion((0, 0, 0))


def kubernetes_range(version: KarpenterVersion) -> KubernetesRange:
    """The Kubernetes versions that the release is made for."""
    return next(kubernetes for window, kubernetes in _KUBERNETES if version in window)


def releases_for(kubernetes: KubernetesVersion) -> tuple[str, str] | None:
    """The oldest and the newest known release made for a Kubernetes version; all between them are too."""
    windows = [window for window, supported in _KUBERNETES if kubernetes in supported]
    if not windows:
        return None
    newest = [text for text in NEWEST_PATCHES if kubernetes in kubernetes_range(KarpenterVersion.parse(text))]
    return str(windows[0].next_release(_BEFORE_ALL)), newest[-1]


def kubernetes_caution(version: KarpenterVersion, kubernetes_version: str | None) -> Caution | None:
    """What to say where the cluster's Kubernetes is not one that the release is made for.

    Args:
        version: The Karpenter release.
        kubernetes_version: Such as ``1.35``; ``None`` or a token where it is not known.
    """
    kubernetes = None if kubernetes_version is None else KubernetesVersion.parse(kubernetes_version)
    supported = kubernetes_range(version)
    if kubernetes is None or kubernetes in supported:
        return None
    if version in _NEWER_LINES and supported.maximum < kubernetes:
        return None  # A line newer than those known here may well be made for it.
    fitting = releases_for(kubernetes)
    advice = f"use {fitting[0]} to {fitting[1]}" if fitting else "no release known here is made for that"
    return Caution(
        "karpenter-construct:kubernetesVersion",
        f"Karpenter {version} is made for Kubernetes {supported}, the cluster has {kubernetes}: {advice}.",
    )


POD_IDENTITY = since("0.32.2")
"""The controller's AWS SDK can take credentials from EKS Pod Identity (go.mod, aws-sdk-go 1.47.11)."""

POD_IDENTITY_BY_DEFAULT = since("0.34")
"""Upstream's getting-started guide installs the controller with EKS Pod Identity."""

_NAMESPACES = ((until("0.33"), "karpenter"), (since("0.33"), "kube-system"))


def default_namespace(version: KarpenterVersion) -> str:
    """Where upstream installs the release; kube-system has a priority of its own with the API server."""
    return next(namespace for window, namespace in _NAMESPACES if version in window)


_AMI_ALIASES = ((until("0.35"), "al2@latest"), (since("0.35"), "al2023@latest"))


def default_ami_alias(version: KarpenterVersion) -> str:
    """The AMI of a node class that names none: the newest Amazon Linux that the release knows."""
    return next(alias for window, alias in _AMI_ALIASES if version in window)
