"""Measures this construct beside the peer `cdk-eks-karpenter`, and prints the result as Markdown.

``make bench`` runs it. Every number is the median of interleaved runs, each in a process of its own, on the
same VPC and cluster; a first round that fills the caches is thrown away.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

from template import Weight, weigh

FOLDER = Path(__file__).parent
SCALE = (1, 10, 100, 400)
IMPORT = """
from time import perf_counter
import aws_cdk.aws_eks
start = perf_counter()
from karpenter_construct import Karpenter
print(perf_counter() - start)
"""


@dataclass(frozen=True)
class Result:
    """Medians of one subject with so many pools: seconds by step, MB, and its template's weight."""

    seconds: dict[str, float]
    memory: float
    template: Weight

    @property
    def karpenter(self) -> float:
        """Seconds for constructor, class and pools."""
        return self.seconds["constructor"] + self.seconds["class"] + self.seconds["pools"]


def python(*arguments: str) -> str:
    """What a fresh Python prints, with CDK's template validation off: it is two thirds of a synth's time."""
    environment = {**os.environ, "CDK_VALIDATION": "false"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def run(subject: str, pools: int, folder: Path) -> dict[str, float]:
    """One run: what the app reports, and the wall time of its process."""
    start = perf_counter()
    reported = json.loads(python(str(FOLDER / "measured_app.py"), subject, str(pools), str(folder)))
    return {**reported, "wall": perf_counter() - start}


def measure(subjects: Sequence[str], pools: int, rounds: int) -> dict[str, Result]:
    """Medians for each subject, the subjects' runs interleaved."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = {subject: Path(temporary) / subject for subject in subjects}
        runs = [{s: run(s, pools, folder) for s, folder in folders.items()} for _ in range(rounds + 1)][1:]
        return {
            subject: summary([each[subject] for each in runs], weigh(folder / "Bench.template.json"))
            for subject, folder in folders.items()
        }


def summary(runs: list[dict[str, float]], template: Weight) -> Result:
    """Medians of the runs of one subject."""
    medians = {name: median(each[name] for each in runs) for name in runs[0]}
    return Result(medians, medians.pop("memory"), template)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, every column but the first to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def comparison(results: dict[str, Result]) -> str:
    """The table of one class and one pool."""
    base = results["baseline"]
    rows: list[tuple[str, Callable[[Result], str]]] = [
        ("whole synth, s", lambda r: f"{r.seconds['wall']:.2f}"),
        ("… of which Karpenter, s", lambda r: f"{r.seconds['wall'] - base.seconds['wall']:.2f}"),
        ("import, ms", lambda r: f"{r.seconds['import'] * 1000:.0f}"),
        ("constructor, ms", lambda r: f"{r.seconds['constructor'] * 1000:.0f}"),
        ("constructor + class + pool, ms", lambda r: f"{r.karpenter * 1000:.0f}"),
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
    compared = [results["ours"], results["peer"]]
    return markdown(
        ["one class, one pool", "karpenter-construct", "cdk-eks-karpenter"],
        [[title, *[cell(result) for result in compared]] for title, cell in rows],
    )


def scaling(results: dict[int, dict[str, Result]]) -> str:
    """The table of more and more pools."""
    head = ["pools", "synth, s", "peer", "ms a pool", "peer", "bytes a further pool", "peer"]
    rows = []
    for pools, each in results.items():
        pair = each["ours"], each["peer"]
        walls = [f"{result.seconds['wall']:.2f}" for result in pair]
        constructs = [f"{result.seconds['pools'] * 1000 / pools:.1f}" for result in pair]
        sizes = [further_bytes(results, subject, pools) for subject in ("ours", "peer")]
        rows.append([str(pools), *walls, *constructs, *sizes])
    return markdown(head, rows)


def further_bytes(results: dict[int, dict[str, Result]], subject: str, pools: int) -> str:
    """What each pool after the first adds to the template."""
    first, last = results[SCALE[0]][subject].template, results[pools][subject].template
    return f"{(last.size - first.size) / (pools - SCALE[0]):.0f}" if pools > SCALE[0] else ""


def circumstances(rounds: int) -> str:
    """Date, versions and machine, without which the numbers mean nothing."""
    packages = [
        f"{name} {version(name)}" for name in ("karpenter-construct", "cdk-eks-karpenter", "aws-cdk-lib")
    ]
    node = subprocess.run(["node", "--version"], check=True, stdout=subprocess.PIPE, text=True)  # noqa: S607
    languages = [f"Python {platform.python_version()}", f"Node.js {node.stdout.strip()[1:]}"]
    return (
        f"Measured {datetime.date.today()} with {', '.join(packages + languages)}, {os.cpu_count()} cores; "
        f"medians of {rounds} interleaved runs with `CDK_VALIDATION=false`."
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind; default: 5")
    rounds = parser.parse_args().rounds
    comparing = measure(("baseline", "ours", "peer"), 1, rounds)
    growing = {pools: measure(("ours", "peer"), pools, rounds) for pools in SCALE}
    imported = median(float(python("-c", IMPORT)) for _ in range(rounds))
    milliseconds = f"{imported * 1000:.0f} ms"
    print(comparison(comparing), scaling(growing), sep="\n\n", end="\n\n")
    print(f"`from karpenter_construct import Karpenter` after `import aws_cdk.aws_eks`: {milliseconds}.\n")
    print(circumstances(rounds))


if __name__ == "__main__":
    main()
