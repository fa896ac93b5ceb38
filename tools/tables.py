"""Writes the generated tables of README.md anew, each between its two markers.

Usage: ``python tools/tables.py``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from karpenter_construct._upstream.compatibility_table import compatibility_table

README = Path(__file__).parents[1] / "README.md"
TABLES: Mapping[str, Callable[[], str]] = {"compatibility table": compatibility_table}
"""What writes each table, by the name in its markers."""


def with_tables(text: str) -> str:
    """The text with every table as it is today."""
    for name, table in TABLES.items():
        head, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, tail = rest.partition(f"<!-- end of {name} -->")
        if not end:
            raise ValueError(f"{README.name} lacks the markers of the {name}")
        text = f"{head}{start}{table()}\n{end}{tail}"
    return text


def main() -> None:
    """Write README.md."""
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
