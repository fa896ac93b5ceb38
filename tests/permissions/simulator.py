"""Asks a real IAM policy evaluator, ``@cloud-copilot/iam-simulate``, all questions in one Node.js process.

It is a development dependency of ``package.json``. Where it or Node.js is absent the tests are skipped, with
``KARPENTER_REQUIRE_SIMULATOR=1`` they fail.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ACCOUNT = "123456789012"
_SCRIPT = Path(__file__).with_name("simulate.cjs")
_NOT_INSTALLED = 3


@dataclass(frozen=True)
class Ask:
    """May the controller do this to that, with these values of condition keys?

    ``shared`` marks what is no cluster's own: images, subnets, what is only read.
    """

    action: str
    resource: str
    context: dict[str, str | list[str]] = field(default_factory=dict)
    shared: bool = False

    def __str__(self) -> str:
        return f"{self.action} on {self.resource} with {self.context}"


@dataclass(frozen=True)
class Answer:
    """The evaluator's verdict, and the condition keys that do not exist for the action and resource."""

    allowed: bool
    ignored: tuple[str, ...]


def simulate(policies: dict[str, dict[str, Any]], asks: list[tuple[str, Ask]]) -> list[Answer]:
    """Answers in the order of the questions.

    Args:
        policies: Sets of policy documents, each by id, under a name.
        asks: The questions, each with the name of the set that it is about. Equal ones are put once.
    """
    documents: dict[str, int] = {}
    requests: dict[str, int] = {}
    numbers = {
        name: documents.setdefault(json.dumps(by_id), len(documents)) for name, by_id in policies.items()
    }
    places = [requests.setdefault(_request(numbers[name], ask), len(requests)) for name, ask in asks]
    answers = _node(f'{{"policies": [{",".join(documents)}], "requests": [{",".join(requests)}]}}')
    return [
        Answer(answers[place]["result"] == "Allowed", tuple(answers[place]["ignored"])) for place in places
    ]


def _request(policies: int, ask: Ask) -> str:
    return json.dumps(
        {
            "policies": policies,
            "action": ask.action,
            "resource": ask.resource,
            "account": ACCOUNT,
            "context": ask.context,
        }
    )


def _with_account(text: str) -> str:
    """The evaluator knows no ARNs without an account, such as those of SSM's public parameters."""
    return text.replace("::parameter/", f":{ACCOUNT}:parameter/")


def _node(question: str) -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        _absent("no Node.js to evaluate policies with")
    done = subprocess.run(
        [node, _SCRIPT], input=_with_account(question), capture_output=True, text=True, check=False
    )
    if done.returncode == _NOT_INSTALLED:
        _absent("@cloud-copilot/iam-simulate is not installed; run `npm ci`")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _absent(message: str) -> None:
    if os.environ.get("KARPENTER_REQUIRE_SIMULATOR") == "1":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
