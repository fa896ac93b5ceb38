"""What a CloudFormation template weighs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SUB_REFERENCE = re.compile(r"\$\{([A-Za-z0-9]+)[.}]")


@dataclass(frozen=True)
class Weight:
    """Counts of one template; nested stacks are not followed.

    Attributes:
        resources: How many there are.
        lambda_calls: How many of them a Lambda makes, that is custom resources.
        size: Bytes of the file.
        chain: Resources on the longest path of references and DependsOn.
        lambda_chain: The most custom resources that must be made one after the other.
    """

    resources: int
    lambda_calls: int
    size: int
    chain: int
    lambda_chain: int


def weigh(template: Path) -> Weight:
    """Weigh the file."""
    text = template.read_text(encoding="utf-8")
    resources = json.loads(text)["Resources"]
    calls = {name for name, body in resources.items() if "ServiceToken" in body.get("Properties", {})}
    needs = {name: set(_references(body)) & resources.keys() - {name} for name, body in resources.items()}
    return Weight(
        resources=len(resources),
        lambda_calls=len(calls),
        size=len(text.encode()),
        chain=_longest(needs, set(resources)),
        lambda_chain=_longest(needs, calls),
    )


def _longest(needs: dict[str, set[str]], counted: set[str]) -> int:
    """The most ``counted`` resources on any path."""

    @cache
    def depth(name: str) -> int:
        return (name in counted) + max(map(depth, needs[name]), default=0)

    return max(map(depth, needs), default=0)


def _references(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in {"Ref", "DependsOn"}:
                yield from [item] if isinstance(item, str) else item
            elif key == "Fn::GetAtt":
                yield item[0]
            elif key == "Fn::Sub":
                yield from _SUB_REFERENCE.findall(item if isinstance(item, str) else item[0])
            yield from _references(item)
