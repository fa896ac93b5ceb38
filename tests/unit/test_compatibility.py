"""Which releases can be installed, and on which Kubernetes."""

import pytest

from karpenter_construct._upstream.compatibility import (
    NEWEST_PATCHES,
    POD_IDENTITY,
    POD_IDENTITY_BY_DEFAULT,
    check_supported,
    default_ami_alias,
    default_namespace,
    kubernetes_caution,
    kubernetes_range,
    newest_patch,
    releases_for,
)
from karpenter_construct._upstream.kubernetes import KubernetesVersion
from karpenter_construct.errors import UnsupportedVersionError
from karpenter_construct.releases import KarpenterVersion


def release(text):
    return KarpenterVersion.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "0.30.0-rc.0",
        "v0.30.0",
        *NEWEST_PATCHES,
        "0.31.0",
        "0.34.5",
        "0.35.4",
        "1.0.1",
        "1.8.1",
        "1.8.3",
        "1.8.5",
        "1.14.0",
    ],
)
def test_a_known_release_needs_no_warning(text):
    version, cautions = check_supported(text)
    assert (str(version), cautions) == (text.removeprefix("v"), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.29.2", "is older than 0.30.0, got '0.29.2'; use a release from 0.30.0 to 1.14.1"),
        ("v0.27.6", "is older than 0.30.0, got 'v0.27.6'; use a release from 0.30.0 to 1.14.1"),
        (
            "0.38.0",
            "does not exist: 0.37 was followed by 1.0, got '0.38.0'; use a release from 0.30.0 to 1.14.1",
        ),
        (
            "0.99.1",
            "does not exist: 0.37 was followed by 1.0, got '0.99.1'; use a release from 0.30.0 to 1.14.1",
        ),
        ("0.34.4", "was never released, got '0.34.4'; use 0.34.13"),
        ("0.35.3", "was never released, got '0.35.3'; use 0.35.12"),
        ("1.14.0-rc.1", "was never released, got '1.14.0-rc.1'; use 1.14.1"),
        (
            "1.8.0",
            "has a chart whose own values make the controller panic (a feature gate is spelled in two ways), "
            "got "
            "'1.8.0'; use 1.8.8",
        ),
        (
            "1.8.4",
            "fails to schedule some pods with topology spread constraints, and upstream warns of it, got "
            "'1.8.4'; "
            "use 1.8.8",
        ),
        (
            "2.0.0",
            "may have an API that this library does not know, got '2.0.0'; use a release from 0.30.0 to "
            "1.14.1",
        ),
        ("latest", "is not a Karpenter release, got 'latest'; write one as in '1.14.1' or 'v0.30.0-rc.0'"),
        ("1.14", "is not a Karpenter release, got '1.14'; write one as in '1.14.1' or 'v0.30.0-rc.0'"),
    ],
)
def test_fails_a_release_that_cannot_be_installed(text, message):
    with pytest.raises(UnsupportedVersionError) as raised:
        check_supported(text)
    assert str(raised.value) == f"`version`: {message}"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("0.30.1", "0.30.0"),
        ("0.37.9", "0.37.8"),
        ("1.14.2", "1.14.1"),
        ("1.14.2-rc.1", "1.14.1"),
        ("1.15.0", "1.14.1"),
        ("1.99.3", "1.14.1"),
    ],
)
def test_a_newer_release_is_allowed_with_a_warning(text, known):
    _, cautions = check_supported(text)
    assert [(caution.id, caution.message) for caution in cautions] == [
        (
            "karpenter-construct:newerRelease",
            f"Karpenter {text} is newer than {known}, the newest that this karpenter-construct knows: it "
            f"gets the "
            f"permissions, chart values and checks of {known}. Update karpenter-construct, or compare with "
            f"upstream's "
            "upgrade guide.",
        )
    ]


HOOK = "runs public.ecr.aws/bitnami/kubectl, an image for x86 only, after each installation of its chart"
BUDGETS = "refuses disruption budgets that last hours and minutes, such as 1h30m"
PROFILE = "knows neither Pod Identity nor an instance profile on a node class"


@pytest.mark.parametrize(
    ("text", "reason", "newest"),
    [
        ("0.32.0", PROFILE, "0.32.10"),
        ("0.32.1", PROFILE, "0.32.10"),
        ("0.33.6", HOOK, "0.33.12"),
        ("0.34.0", BUDGETS, "0.34.13"),
        ("0.34.3", BUDGETS, "0.34.13"),
        ("0.34.7", HOOK, "0.34.13"),
        ("0.35.0", BUDGETS, "0.35.12"),
        ("0.35.2", BUDGETS, "0.35.12"),
        ("0.35.6", HOOK, "0.35.12"),
        ("0.36.3", HOOK, "0.36.9"),
        ("0.37.1", HOOK, "0.37.8"),
        ("1.0.0", HOOK, "1.0.14"),
    ],
)
def test_a_patch_with_a_flaw_is_allowed_with_a_warning(text, reason, newest):
    _, cautions = check_supported(text)
    assert [(caution.id, caution.message) for caution in cautions] == [
        ("karpenter-construct:olderPatch", f"Karpenter {text} {reason}; use {newest}.")
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("0.32.2", "0.33.5", "0.33.7", "0.34.6", "0.34.8", "0.35.5", "0.35.7", "0.36.2", "0.36.4"),
        *("0.37.0", "0.37.2", "1.0.1"),
    ],
)
def test_the_patches_beside_need_no_warning(text):
    assert check_supported(text)[1] == ()


@pytest.mark.parametrize(
    ("version", "newest"),
    [("0.30.0", "0.30.0"), ("0.32.1", "0.32.10"), ("1.14.0", "1.14.1"), ("1.15.0", "1.14.1")],
)
def test_newest_patch(version, newest):
    assert newest_patch(release(version)) == newest


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.30.0-rc.0", "1.23 to 1.27"),
        ("0.30.0", "1.23 to 1.27"),
        ("0.31.0", "1.23 to 1.28"),
        ("0.33.12", "1.23 to 1.28"),
        ("0.34.0", "1.23 to 1.29"),
        ("0.36.9", "1.23 to 1.29"),
        ("0.37.0", "1.23 to 1.30"),
        ("0.37.8", "1.23 to 1.30"),
        ("1.0.0", "1.25 to 1.30"),
        ("1.0.4", "1.25 to 1.30"),
        ("1.0.5", "1.25 to 1.31"),
        ("1.1.10", "1.25 to 1.31"),
        ("1.2.0", "1.25 to 1.32"),
        ("1.4.4", "1.25 to 1.32"),
        ("1.5.0", "1.26 to 1.33"),
        ("1.6.0", "1.26 to 1.34"),
        ("1.8.8", "1.26 to 1.34"),
        ("1.9.0", "1.26 to 1.35"),
        ("1.12.2", "1.26 to 1.35"),
        ("1.13.0", "1.26 to 1.36"),
        ("1.14.1", "1.26 to 1.36"),
    ],
)
def test_kubernetes_range_of_a_release(version, expected):
    assert str(kubernetes_range(release(version))) == expected


@pytest.mark.parametrize(
    ("minor", "expected"),
    [
        (22, None),
        (23, ("0.30.0", "0.37.8")),
        (24, ("0.30.0", "0.37.8")),
        (25, ("0.30.0", "1.4.4")),
        (26, ("0.30.0", "1.14.1")),
        (28, ("0.31.0", "1.14.1")),
        (29, ("0.34.0", "1.14.1")),
        (30, ("0.37.0", "1.14.1")),
        (31, ("1.0.5", "1.14.1")),
        (32, ("1.2.0", "1.14.1")),
        (33, ("1.5.0", "1.14.1")),
        (34, ("1.6.0", "1.14.1")),
        (35, ("1.9.0", "1.14.1")),
        (36, ("1.13.0", "1.14.1")),
        (37, None),
    ],
)
def test_releases_for_a_kubernetes(minor, expected):
    assert releases_for(KubernetesVersion(1, minor)) == expected


@pytest.mark.parametrize(
    ("version", "kubernetes", "advice"),
    [
        ("0.37.8", "1.33", "is made for Kubernetes 1.23 to 1.30, the cluster has 1.33: use 1.5.0 to 1.14.1."),
        ("1.0.4", "1.31", "is made for Kubernetes 1.25 to 1.30, the cluster has 1.31: use 1.0.5 to 1.14.1."),
        ("1.14.1", "1.25", "is made for Kubernetes 1.26 to 1.36, the cluster has 1.25: use 0.30.0 to 1.4.4."),
        ("1.15.0", "1.25", "is made for Kubernetes 1.26 to 1.36, the cluster has 1.25: use 0.30.0 to 1.4.4."),
        (
            "1.14.1",
            "1.37",
            "is made for Kubernetes 1.26 to 1.36, the cluster has 1.37: no release known here is made for "
            "that.",
        ),
    ],
)
def test_a_cluster_outside_the_range(version, kubernetes, advice):
    caution = kubernetes_caution(release(version), kubernetes)
    assert caution is not None
    assert (caution.id, caution.message) == (
        "karpenter-construct:kubernetesVersion",
        f"Karpenter {version} {advice}",
    )


@pytest.mark.parametrize(
    ("version", "kubernetes"),
    [
        ("0.30.0-rc.0", "1.26"),
        ("1.0.5", "1.31"),
        ("1.14.1", "1.36"),
        ("1.15.0", "1.37"),
        ("1.14.1", None),
        ("1.14.1", "${Token[Version.1]}"),
    ],
)
def test_a_cluster_within_the_range_or_unknown(version, kubernetes):
    assert kubernetes_caution(release(version), kubernetes) is None


@pytest.mark.parametrize(
    ("version", "works", "by_default"),
    [
        ("0.31.5", False, False),
        ("0.32.1", False, False),
        ("0.32.2", True, False),
        ("0.33.12", True, False),
        ("0.34.0", True, True),
        ("1.14.1", True, True),
    ],
)
def test_pod_identity(version, works, by_default):
    assert (release(version) in POD_IDENTITY, release(version) in POD_IDENTITY_BY_DEFAULT) == (
        works,
        by_default,
    )


@pytest.mark.parametrize(
    ("version", "namespace"),
    [
        ("0.30.0-rc.0", "karpenter"),
        ("0.32.10", "karpenter"),
        ("0.33.0", "kube-system"),
        ("1.14.1", "kube-system"),
    ],
)
def test_default_namespace(version, namespace):
    assert default_namespace(release(version)) == namespace


@pytest.mark.parametrize(
    ("version", "alias"),
    [
        ("0.30.0", "al2@latest"),
        ("0.34.13", "al2@latest"),
        ("0.35.0", "al2023@latest"),
        ("1.14.1", "al2023@latest"),
    ],
)
def test_default_ami_alias(version, alias):
    assert default_ami_alias(release(version)) == alias
