"""Short ways to read YAML in tests."""

from __future__ import annotations

from textwrap import dedent

from karpenter_construct._reading.manifests import NodeManifests, read_as_far_as_possible, read_manifests


def read(text: str) -> NodeManifests:
    """What an indented text holds."""
    return read_manifests(dedent(text))


def mistakes(text: str) -> list[str]:
    """The lines of the error that an indented text causes."""
    return [str(problem) for problem in read_as_far_as_possible(dedent(text))[1]]


def notes(text: str) -> list[str]:
    """The notes about an indented text."""
    return [str(note) for note in read(text).notes]
