"""The errors a user meets. Each says where, what is wrong, and what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One mistake: the path of the argument or field, and one sentence about it.

    ``str()`` gives the line a user reads: ``` `path`: message ```.
    """

    path: str
    message: str

    def __str__(self) -> str:
        return f"`{self.path}`: {self.message}"


class SettingsError(ValueError):
    """An argument, or a field of a node object, that cannot work.

    Every mistake found at once is in ``problems``; the text has one line for each.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class UnsupportedVersionError(SettingsError):
    """A Karpenter release that this library does not install, or that nobody should."""


@dataclass(frozen=True)
class Caution:
    """Something that works but probably should not stay so; shown as a CDK warning.

    ``id`` is stable, so that it can be acknowledged: ``Annotations.of(scope).acknowledge_warning(id)``.
    """

    id: str
    message: str
