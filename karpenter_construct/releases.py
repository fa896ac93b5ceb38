"""Karpenter releases, and the only place that compares them.

Everything that holds for some releases only is a row with a `Window`; nothing else in the library asks
whether one release is newer than another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from packaging.version import InvalidVersion, Version

from ._tokens import is_dummy, is_unresolved
from .errors import Problem, UnsupportedVersionError

Release = tuple[int, int, int]


def _release(text: str) -> Release:
    numbers = [int(part) for part in text.split(".")]
    major, minor, patch = numbers + [0] * (3 - len(numbers))
    return major, minor, patch


def _refused(message: str) -> UnsupportedVersionError:
    return UnsupportedVersionError(Problem("version", message))


def _text(release: Release) -> str:
    return ".".join(str(number) for number in release)


class ApiGeneration(str, Enum):
    """The three generations of Karpenter's API: the words in which a release takes its node pools."""

    V1ALPHA5 = "v1alpha5"
    """0.30 and 0.31: Provisioner and AWSNodeTemplate."""
    V1BETA1 = "v1beta1"
    """0.32 to 0.37: NodePool and EC2NodeClass."""
    V1 = "v1"
    """1.0 and later: NodePool and EC2NodeClass."""


@dataclass(frozen=True)
class Window:
    """The releases for which something holds: one or more half-open spans ``since <= release < until``.

    Build one with `since`, `until` or `between`; ``|`` joins two, as backports need.
    """

    spans: tuple[tuple[Release, Release | None], ...]

    def __contains__(self, version: KarpenterVersion) -> bool:
        return any(
            first <= version.release and (end is None or version.release < end) for first, end in self.spans
        )

    def __or__(self, other: Window) -> Window:
        return Window(tuple(sorted(self.spans + other.spans, key=lambda span: span[0])))

    @property
    def bounds(self) -> tuple[tuple[str, str | None], ...]:
        """The first release of each span, and the one that ends it: ``None`` where it has not ended."""
        return tuple((_text(first), None if end is None else _text(end)) for first, end in self.spans)

    def next_release(self, version: KarpenterVersion) -> str | None:
        """The first release after ``version`` that is in this window, ``None`` where there is none."""
        later = [first for first, _ in self.spans if first > version.release]
        return _text(min(later)) if later else None

    def end_release(self, version: KarpenterVersion) -> str | None:
        """The release up to ``version`` that ended this window, ``None`` where it has not ended."""
        ended = [end for _, end in self.spans if end is not None and end <= version.release]
        return _text(max(ended)) if ended else None

    def requirement(self, version: KarpenterVersion) -> str:
        """One clause that says which release has what ``version`` lacks."""
        following = self.next_release(version)
        if following is not None:
            return f"needs Karpenter {following} or later, version is {version}"
        return f"was removed in Karpenter {self.end_release(version)}, version is {version}"


def since(first: str) -> Window:
    """The window that opens with ``first`` (``"1.3"`` is 1.3.0) and has not closed."""
    return Window(((_release(first), None),))


def until(end: str) -> Window:
    """The window of every release before ``end``."""
    return Window((((0, 0, 0), _release(end)),))


def between(first: str, end: str) -> Window:
    """The window from ``first`` up to, not including, ``end``."""
    return Window(((_release(first), _release(end)),))


ALWAYS = since("0.0.0")

_GENERATIONS = (
    (until("0.32"), ApiGeneration.V1ALPHA5),
    (between("0.32", "1.0"), ApiGeneration.V1BETA1),
    (since("1.0"), ApiGeneration.V1),
)


@dataclass(frozen=True)
class KarpenterVersion:
    """One Karpenter release, such as 1.14.1 or 0.30.0-rc.0.

    A release candidate has what its release has: windows look at the three numbers only.
    """

    release: Release
    prerelease: str = ""

    @classmethod
    def parse(cls, text: str) -> KarpenterVersion:
        """Read a release; a leading ``v`` is accepted, all three numbers are required.

        Raises:
            UnsupportedVersionError: ``text`` is no release.
        """
        if is_dummy(text):
            # All that is built depends on the release: another one would be refused, or built, in its place.
            raise _refused(
                f"is a dummy until CDK has looked it up, got {text!r}; give value_from_lookup a default_value, as in "
                "'1.14.1', or write the release out"
            )
        if is_unresolved(text):
            raise _refused(
                f"is known only at deployment, got {text!r}; write the release out, as in '1.14.1'"
            )
        try:
            if re.fullmatch(r"v?\d+\.\d+\.\d+(-[a-z]+\.?\d+)?", text) is None:
                raise InvalidVersion(text)
            parsed = Version(text)
        except (InvalidVersion, TypeError) as error:
            raise _refused(
                f"is not a Karpenter release, got {text!r}; write one as in '1.14.1' or 'v0.30.0-rc.0'"
            ) from error
        _, _, prerelease = text.partition("-")
        return cls((parsed.major, parsed.minor, parsed.micro), prerelease)

    @property
    def generation(self) -> ApiGeneration:
        """The API generation that this release takes."""
        return next(generation for window, generation in _GENERATIONS if self in window)

    @property
    def line(self) -> str:
        """The minor line, such as ``1.14``."""
        return f"{self.release[0]}.{self.release[1]}"

    def __str__(self) -> str:
        return _text(self.release) + (f"-{self.prerelease}" if self.prerelease else "")
