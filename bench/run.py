"""Measures this construct beside the peer `cdk-eks-karpenter`, and prints the result as Markdown.

``make bench`` runs it. Each run is a process of its own, on the same VPC and cluster. A round runs every subject once,
so that a machine which gets slower does so for all of them; a first round, which fills the caches, is thrown away, and
every number is the median of the others. The peer and this project are both installed from wheels, as users have them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from report import Result, circumstances, comparison, scaling
from template import Weight, weigh

FOLDER = Path(__file__).parent
COMPARED = ("baseline", "bare", "ours", "peer")
GROWING = ("ours", "peer")
SCALE = (1, 10, 100, 400)
IMPORT = """
from time import perf_counter
import aws_cdk.aws_eks
start = perf_counter()
from karpenter_construct import Karpenter
print(perf_counter() - start)
"""


@dataclass(frozen=True)
class Subject:
    """What a run builds: one of ``measured_app.SUBJECTS``, with so many pools."""

    name: str
    pools: int


def python(*arguments: str) -> str:
    """What a fresh Python prints, with CDK's template validation off: it is two thirds of a synth's time."""
    # Bytecode of the standard library and of the benchmark itself is kept, for all subjects alike.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["CDK_VALIDATION"] = "false"
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout


def cpu() -> float:
    """Seconds of the CPU that ended processes, with those below them, have taken so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(subject: Subject, folder: Path) -> dict[str, float]:
    """One run: what the app reports, and what its process takes as a whole."""
    start, cpu_before = perf_counter(), cpu()
    reported = python(str(FOLDER / "measured_app.py"), subject.name, str(subject.pools), str(folder))
    return {**json.loads(reported), "wall": perf_counter() - start, "cpu": cpu() - cpu_before}


def measure(subjects: list[Subject], rounds: int) -> tuple[dict[Subject, Result], float]:
    """Medians for each subject, and of the seconds that the import takes beyond the CDK's."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = {each: Path(temporary) / f"{each.name}-{each.pools}" for each in subjects}
        runs: dict[Subject, list[dict[str, float]]] = {each: [] for each in subjects}
        imports: list[float] = []
        for number in range(rounds + 1):
            print(f"round {number} of {rounds}", file=sys.stderr)
            for subject, folder in folders.items():
                runs[subject].append(run(subject, folder))
            imports.append(float(python("-c", IMPORT)))
        results = {
            subject: summary(runs[subject][1:], weigh(folder / "Bench.template.json"))
            for subject, folder in folders.items()
        }
        return results, median(imports[1:])


def summary(runs: list[dict[str, float]], template: Weight) -> Result:
    """Medians of the runs of one subject."""
    medians = {name: median(each[name] for each in runs) for name in runs[0]}
    return Result(medians, medians.pop("memory"), template)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each kind; default: 5")
    rounds = parser.parse_args().rounds
    load = os.getloadavg()[0]
    compared = {name: Subject(name, 1) for name in COMPARED}
    growing = {pools: {name: Subject(name, pools) for name in GROWING} for pools in SCALE}
    subjects = dict.fromkeys(
        [*compared.values(), *(each for pair in growing.values() for each in pair.values())]
    )
    results, imported = measure(list(subjects), rounds)
    print(comparison({name: results[each] for name, each in compared.items()}))
    print(scaling({n: {name: results[each] for name, each in pair.items()} for n, pair in growing.items()}))
    print(
        f"`from karpenter_construct import Karpenter` after `import aws_cdk.aws_eks`: {imported * 1000:.0f} ms.\n"
    )
    print(circumstances(rounds, load))


if __name__ == "__main__":
    main()
