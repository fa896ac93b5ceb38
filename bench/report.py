"""The benchmark's results as Markdown."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from template import Weight

_PACKAGES = ("karpenter-construct", "cdk-eks-karpenter", "aws-cdk-lib")


@dataclass(frozen=True)
class Result:
    """Medians of the runs of one subject: seconds by step, ``wall`` and ``cpu`` among them, MB, and its template."""

    seconds: dict[str, float]
    memory: float
    template: Weight


def comparison(results: Mapping[str, Result]) -> str:
    """The table of one class and one pool.

    Args:
        results: ``baseline``, ``bare``, ``ours`` and ``peer``.
    """
    base = results["baseline"]

    def karpenter(result: Result) -> float:
        return sum(result.seconds[step] for step in ("constructor", "class", "pools"))

    rows: list[tuple[str, Callable[[Result], str]]] = [
        ("whole synth, s", lambda r: f"{r.seconds['wall']:.2f}"),
        ("… more than without Karpenter, s", lambda r: f"{r.seconds['wall'] - base.seconds['wall']:.2f}"),
        ("… the same in CPU time, s", lambda r: f"{r.seconds['cpu'] - base.seconds['cpu']:.2f}"),
        ("import, ms", lambda r: f"{r.seconds['import'] * 1000:.0f}"),
        ("constructor, ms", lambda r: f"{r.seconds['constructor'] * 1000:.0f}"),
        ("constructor + class + pool, ms", lambda r: f"{karpenter(r) * 1000:.0f}"),
        ("peak memory, MB", lambda r: f"{r.memory:.0f}"),
        ("resources added", lambda r: f"{r.template.resources - base.template.resources}"),
        (
            "custom resources added (each calls a Lambda)",
            lambda r: f"{r.template.lambda_calls - base.template.lambda_calls}",
        ),
        ("template added, kB", lambda r: f"{(r.template.size - base.template.size) / 1000:.1f}"),
        (
            f"longest dependency chain ({base.template.chain} without Karpenter)",
            lambda r: f"{r.template.chain}",
        ),
        (
            f"… in custom resources ({base.template.lambda_chain} without Karpenter)",
            lambda r: f"{r.template.lambda_chain}",
        ),
    ]
    columns = [results[name] for name in ("ours", "peer")]
    bare = results["bare"]
    # The weight of placeholders says nothing.
    told = {title for title, _ in rows[:7]}
    return _markdown(
        ["one class, one pool", "karpenter-construct", "cdk-eks-karpenter", "our resources, bare"],
        [
            [title, *(cell(each) for each in columns), cell(bare) if title in told else ""]
            for title, cell in rows
        ],
    )


def scaling(results: Mapping[int, Mapping[str, Result]]) -> str:
    """The table of more and more pools.

    Args:
        results: ``ours`` and ``peer``, by number of pools.
    """
    head = ["pools", "synth, s", "peer", "ms a pool", "peer", "bytes a further pool", "peer"]
    fewest = min(results)
    rows = []
    for pools, each in results.items():
        pair = each["ours"], each["peer"]
        walls = [f"{result.seconds['wall']:.2f}" for result in pair]
        steps = [f"{result.seconds['pools'] * 1000 / pools:.1f}" for result in pair]
        firsts = results[fewest]["ours"], results[fewest]["peer"]
        sizes = [
            f"{(last.template.size - first.template.size) / (pools - fewest):.0f}" if pools > fewest else ""
            for first, last in zip(firsts, pair, strict=True)
        ]
        rows.append([str(pools), *walls, *steps, *sizes])
    return _markdown(head, rows)


def circumstances(rounds: int, load: float) -> str:
    """Date, versions and machine, without which the numbers mean nothing.

    Args:
        rounds: How many runs the medians are of.
        load: The machine's load before the first, which is other people's.
    """
    node = subprocess.run(["node", "--version"], check=True, stdout=subprocess.PIPE, text=True)  # noqa: S607
    languages = [f"Python {platform.python_version()}", f"Node.js {node.stdout.strip()[1:]}"]
    versions = ", ".join([*(f"{name} {version(name)}" for name in _PACKAGES), *languages])
    return (
        f"Measured {datetime.date.today()} with {versions}, {os.cpu_count()} cores, load {load:.1f}; "
        f"medians of {rounds} interleaved runs with `CDK_VALIDATION=false`."
    )


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, every column but the first to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
