"""``check``: what a release refuses in node objects."""

from __future__ import annotations

import json
from argparse import Namespace

from .._reading.changes import fit
from .._reading.manifests import read_as_far_as_possible
from .._reading.served import served
from .._upstream.compatibility import check_supported
from .answer import Answer, lines
from .inputs import problem_json, problem_line, read_files, sorted_problems, warning_json, warning_line
from .node_checks import NodeChecks


def run(arguments: Namespace) -> Answer:
    """Check the files."""
    version, release_cautions = check_supported(arguments.release)
    texts, problems = read_files(arguments.files)
    read, found = read_as_far_as_possible(*texts)
    problems += found
    if not arguments.converted:
        read, refused = served(read, version)
        problems += refused
    fitted = fit(read, version)
    checks = NodeChecks(fitted, version, arguments.kubernetes_version, complete=not arguments.converted)
    problems = sorted_problems(problems + checks.problems(), [text.name for text in texts])
    # What the others would say of objects that could not be read is only noise.
    cautions = [*release_cautions, *([] if problems else checks.cautions())]
    code = 1 if problems else 0
    if arguments.json:
        answer = {
            "problems": [problem_json(problem) for problem in problems],
            "warnings": [warning_json(caution, fitted) for caution in cautions],
        }
        return Answer(code, json.dumps(answer, indent=2) + "\n")
    return Answer(
        code,
        lines(*(problem_line(problem) for problem in problems)),
        lines(*dict.fromkeys(warning_line(caution, fitted) for caution in cautions)),
    )
