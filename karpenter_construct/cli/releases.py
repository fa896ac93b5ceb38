"""``releases``: the compatibility table."""

from __future__ import annotations

import json
from argparse import Namespace

from .._upstream.compatibility_table import CompatibilityRow, compatibility_rows
from .answer import Answer, lines

_HEADINGS = ("KARPENTER", "API", "KINDS", "IDENTITY", "KUBERNETES")


def run(arguments: Namespace) -> Answer:
    """Write the table."""
    rows = compatibility_rows()
    if arguments.json:
        return Answer(0, json.dumps([_json(row) for row in rows], indent=2) + "\n")
    table = [_HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(cells[column]) for cells in table) for column in range(len(_HEADINGS))]
    return Answer(0, lines(*(_line(cells, widths) for cells in table)))


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cells(row: CompatibilityRow) -> tuple[str, ...]:
    facts = row.facts
    releases = row.first if row.first == row.last else f"{row.first} to {row.last}"
    return releases, facts.api.value, ", ".join(facts.kinds), facts.identity, str(facts.kubernetes)


def _json(row: CompatibilityRow) -> dict[str, object]:
    facts = row.facts
    return {
        "first": row.first,
        "last": row.last,
        "api": facts.api.value,
        "kinds": list(facts.kinds),
        "identity": facts.identity,
        "kubernetes": {"minimum": str(facts.kubernetes.minimum), "maximum": str(facts.kubernetes.maximum)},
    }
