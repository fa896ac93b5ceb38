"""Upstream's chart values over all releases (``history/values.txt``): which key which release has.

A line is ``key = default : releases``; releases are ``ALL``, lines (``v0.32``), spans of lines
(``v0.32..v0.37``), and spans of patches within a line (``v1.1[v1.1.1..v1.1.10]``).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache

from karpenter_construct._upstream.compatibility import NEWEST_PATCHES
from karpenter_construct.releases import KarpenterVersion

from . import upstream

_NEWEST = tuple(newest for newest in NEWEST_PATCHES if KarpenterVersion.parse(newest) in upstream.IN_HISTORY)
LINES = tuple(KarpenterVersion.parse(newest).line for newest in _NEWEST)

RELEASES = tuple(
    f"{line}.{patch}"
    for line, newest in zip(LINES, _NEWEST, strict=True)
    for patch in range(int(newest.rpartition(".")[2]) + 1)
)
"""Every release from 0.30.0 to the newest of the file, and the two that were skipped."""


@cache
def history(chart: str) -> dict[str, dict[str, object]]:
    """For each release, the keys of its values with their defaults.

    Defaults that the file cuts off, being too long for it, are given as text.
    """
    text = (upstream.root() / "history" / "values.txt").read_text(encoding="utf-8")
    section = text.split(f"##### charts/{chart}/values.yaml")[1].split("#####")[0]
    by_release: dict[str, dict[str, object]] = defaultdict(dict)
    for line in section.splitlines()[1:]:
        if line and not line.startswith(" "):
            entry, _, spans = line.rpartition(" : ")
            key, _, default = entry.partition(" = ")
            for release in _releases(spans):
                by_release[release][key] = _value(default)
    return by_release


@cache
def variables() -> dict[str, set[str]]:
    """For each environment variable that the chart of Karpenter sets, the releases that set it."""
    text = (upstream.root() / "history" / "values.txt").read_text(encoding="utf-8")
    section = text.split("##### env vars in deployment.yaml")[1].split("#####")[0]
    rows = re.findall(r"^([A-Z_]+) =  : (.*)$", section, re.MULTILINE)
    return {name: set(_releases(spans)) for name, spans in rows}


def _value(text: str) -> object:
    return json.loads(text) if re.fullmatch(r"\".*\"|\[\]|\{\}|-?[0-9.]+|true|false|null", text) else text


def _releases(spans: str) -> list[str]:
    return list(RELEASES) if spans == "ALL" else [each for span in spans.split() for each in _span(span)]


def _span(span: str) -> tuple[str, ...]:
    patches = re.fullmatch(r"v([\d.]+)\[v([\d.]+?)\.\.v([\d.]+)\]", span)
    if patches:
        return RELEASES[RELEASES.index(patches[2]) : RELEASES.index(patches[3]) + 1]
    first, _, last = span.replace("v", "").partition("..")
    lines = LINES[LINES.index(first) : LINES.index(last or first) + 1]
    return tuple(release for release in RELEASES if release.rpartition(".")[0] in lines)
