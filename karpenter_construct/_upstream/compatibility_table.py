"""The table of releases for the README and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from ..releases import ApiGeneration, KarpenterVersion
from .compatibility import NEWEST_PATCHES, POD_IDENTITY, POD_IDENTITY_BY_DEFAULT, kubernetes_range
from .kubernetes import KubernetesRange
from .vocabulary import written_kinds

# Patches at which a fact of the table changes within a line.
_SPLITS = {"0.32": ("0.32.1", "0.32.2"), "1.0": ("1.0.4", "1.0.5")}


@dataclass(frozen=True)
class CompatibilityFacts:
    """What the table says of a release."""

    api: ApiGeneration
    kinds: tuple[str, ...]
    identity: str
    kubernetes: KubernetesRange


@dataclass(frozen=True)
class CompatibilityRow:
    """The releases from ``first`` to ``last``, which have their facts in common."""

    first: str
    last: str
    facts: CompatibilityFacts


def compatibility_rows() -> tuple[CompatibilityRow, ...]:
    """The rows of the table, oldest releases first."""
    rows: list[CompatibilityRow] = []
    for first, last in _spans():
        facts = _facts(KarpenterVersion.parse(first))
        if rows and rows[-1].facts == facts:
            first = rows.pop().first  # noqa: PLW2901 - the span grows by the row before it
        rows.append(CompatibilityRow(first, last, facts))
    return tuple(rows)


def compatibility_table() -> str:
    """The rows as a Markdown table, without a final line break."""
    lines = ["| Karpenter | API | kinds written | identity | Kubernetes |", "|---|---|---|---|---|"]
    for row in compatibility_rows():
        releases = row.first if row.first == row.last else f"{row.first} to {row.last}"
        facts = row.facts
        cells = (releases, facts.api.value, ", ".join(facts.kinds), facts.identity, str(facts.kubernetes))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _spans() -> list[tuple[str, str]]:
    spans: list[tuple[str, str]] = []
    for newest in NEWEST_PATCHES:
        line = KarpenterVersion.parse(newest).line
        bounds = (f"{line}.0", *_SPLITS.get(line, ()), newest)
        spans.extend(zip(bounds[::2], bounds[1::2], strict=True))
    return spans


def _facts(version: KarpenterVersion) -> CompatibilityFacts:
    return CompatibilityFacts(
        api=version.generation,
        kinds=tuple(kind.kind for kind in written_kinds(version)),
        identity=_identity(version),
        kubernetes=kubernetes_range(version),
    )


def _identity(version: KarpenterVersion) -> str:
    if version in POD_IDENTITY_BY_DEFAULT:
        return "Pod Identity or IRSA"
    return "IRSA or Pod Identity" if version in POD_IDENTITY else "IRSA"
