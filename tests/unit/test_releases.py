"""Releases and windows: half open, and the only place that compares releases."""

import pytest

from karpenter_construct.errors import UnsupportedVersionError
from karpenter_construct.releases import (
    ALWAYS,
    ApiGeneration,
    KarpenterVersion,
    between,
    since,
    until,
)


def release(text):
    return KarpenterVersion.parse(text)


@pytest.mark.parametrize(
    ("window", "text", "inside"),
    [
        (since("1.3"), "1.2.99", False),
        (since("1.3"), "1.3.0", True),
        (since("1.3.2"), "1.3.1", False),
        (since("1.3.2"), "1.3.2", True),
        (until("1.1"), "1.0.14", True),
        (until("1.1"), "1.1.0", False),
        (between("0.32.2", "1.0"), "0.32.1", False),
        (between("0.32.2", "1.0"), "0.32.2", True),
        (between("0.32.2", "1.0"), "0.37.8", True),
        (between("0.32.2", "1.0"), "1.0.0", False),
        (until("0.32") | since("0.32.2"), "0.31.5", True),
        (until("0.32") | since("0.32.2"), "0.32.1", False),
        (until("0.32") | since("0.32.2"), "0.32.2", True),
        (since("1.9"), "1.10.0", True),
        (since("1.10"), "1.9.9", False),
        (ALWAYS, "0.0.0", True),
        (since("0.30"), "0.30.0-rc.0", True),
    ],
)
def test_window_takes_its_first_release_and_not_its_end(window, text, inside):
    assert (release(text) in window) is inside


@pytest.mark.parametrize(
    ("window", "text", "requirement"),
    [
        (since("1.3"), "1.2.0", "needs Karpenter 1.3.0 or later, version is 1.2.0"),
        (until("1.1"), "1.14.1", "was removed in Karpenter 1.1.0, version is 1.14.1"),
        (until("0.32") | since("0.32.2"), "0.32.1", "needs Karpenter 0.32.2 or later, version is 0.32.1"),
        (
            between("1.0", "1.1") | between("1.5", "1.6"),
            "1.2.0",
            "needs Karpenter 1.5.0 or later, version is 1.2.0",
        ),
        (
            between("1.0", "1.1") | between("1.5", "1.6"),
            "1.7.0",
            "was removed in Karpenter 1.6.0, version is 1.7.0",
        ),
    ],
)
def test_window_says_which_release_has_what_another_lacks(window, text, requirement):
    assert window.requirement(release(text)) == requirement


@pytest.mark.parametrize(
    ("window", "bounds"),
    [
        (since("1.3"), (("1.3.0", None),)),
        (until("0.32.2"), (("0.0.0", "0.32.2"),)),
        (since("1.1") | between("0.32", "1.0"), (("0.32.0", "1.0.0"), ("1.1.0", None))),
    ],
)
def test_bounds_of_a_window_as_text(window, bounds):
    assert window.bounds == bounds


@pytest.mark.parametrize(
    ("text", "shown", "line", "generation"),
    [
        ("1.14.1", "1.14.1", "1.14", ApiGeneration.V1),
        ("v1.0.0", "1.0.0", "1.0", ApiGeneration.V1),
        ("0.37.8", "0.37.8", "0.37", ApiGeneration.V1BETA1),
        ("0.32.0", "0.32.0", "0.32", ApiGeneration.V1BETA1),
        ("0.31.5", "0.31.5", "0.31", ApiGeneration.V1ALPHA5),
        ("v0.30.0-rc.0", "0.30.0-rc.0", "0.30", ApiGeneration.V1ALPHA5),
    ],
)
def test_release_is_read_with_or_without_its_v(text, shown, line, generation):
    version = release(text)
    assert (str(version), version.line, version.generation) == (shown, line, generation)


@pytest.mark.parametrize(
    "text",
    [
        *("", "1", "1.14", "v1", "1.14.1.0", "1.14.x", "latest", " 1.14.1", "1.14.1 ", "1.14.1+a"),
        *("1.14.1-rc", "1.14.1-next.0"),
    ],
)
def test_fails_to_read_what_is_no_release(text):
    with pytest.raises(UnsupportedVersionError) as raised:
        release(text)
    assert str(raised.value) == (
        f"`version`: is not a Karpenter release, got {text!r}; write one as in '1.14.1' or 'v0.30.0-rc.0'"
    )


def test_fails_on_a_release_that_is_known_only_at_deployment():
    with pytest.raises(UnsupportedVersionError) as raised:
        KarpenterVersion.parse("${Token[Version.12]}")
    assert str(raised.value) == (
        "`version`: is known only at deployment, got '${Token[Version.12]}'; write the release out, as in '1.14.1'"
    )
