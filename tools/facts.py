"""Prints what a release of Karpenter changes for this library: policies, events, chart values and CRDs.

Usage: ``python tools/facts.py TAG [--against TAG] [--save FOLDER]``, with upstream's files, or a clone of its
repository, in ``$KARPENTER_UPSTREAM``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from upstream_files import UpstreamFiles, open_upstream, save

from karpenter_construct._upstream.compatibility import NEWEST_PATCHES
from karpenter_construct.releases import KarpenterVersion, since

BESIDE_THE_REPOSITORY = Path(__file__).parents[2] / "shared" / "upstream"
# Kubernetes objects that only the controller writes.
NOT_WRITTEN_BY_USERS = ("NodeClaim", "Machine")
NOT_OF_THE_VALUE = (
    "additionalProperties",
    "description",
    "items",
    "properties",
    "required",
    "x-kubernetes-validations",
)
# The repository has those of the release before; the published chart has its own.
NOT_PUBLISHED = ("controller.image.digest", "controller.image.tag")
# A list of texts in a CEL expression, and each of them.
LIST, QUOTED = re.compile(r"""\[(?:\s*(?:'[^']*'|"[^"]*")\s*,?)+\]"""), re.compile(r"""'[^']*'|"[^"]*\"""")

Facts = Mapping[str, frozenset[str]]
"""What is said of each thing: lines by name."""


def statement_facts(statement: Mapping[str, Any]) -> Iterator[str]:
    """A statement of a policy, a line for each thing it says."""
    for key, value in statement.items():
        if key == "Condition":
            for operator, tests in value.items():
                for condition, values in tests.items():
                    yield from (f"Condition {operator} {condition} = {each}" for each in as_list(values))
        elif key != "Sid":
            yield from (f"{key} {json.dumps(each).strip(chr(34))}" for each in as_list(value))


def as_list(value: Any) -> list[Any]:  # noqa: ANN401 - of a policy
    """A value that may be one or several."""
    return value if isinstance(value, list) else [value]


def policy_facts(iam: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The controller's permissions, by Sid: upstream moves statements between policies."""
    return {
        statement["Sid"]: frozenset([f"of {policy}", *statement_facts(statement)])
        for policy, entry in iam["controllerPolicies"].items()
        for statement in entry["document"]["Statement"]
    }


def other_resource_facts(iam: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Node role, queue and rules of the getting-started template."""
    found = {name: iam[name] for name in ("nodeRole", "instanceProfile", "interruptionQueue") if iam[name]}
    found |= {f"eventRules {name}": rule["EventPattern"] for name, rule in iam["eventRules"].items()}
    facts = {
        name: frozenset(f"{path} = {value}" for path, value in leaves(each)) for name, each in found.items()
    }
    for number, statement in enumerate(iam["interruptionQueuePolicy"]["PolicyDocument"]["Statement"]):
        name = statement.get("Sid", f"statement {number}")
        facts[f"interruptionQueuePolicy {name}"] = frozenset(statement_facts(statement))
    return facts


def value_facts(values: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """The default of every value of the chart, by its path."""
    found = dict(leaves(values, whole_lists=True))
    return {
        path: frozenset([f"default {value}"]) for path, value in found.items() if path not in NOT_PUBLISHED
    }


def leaves(value: Any, path: str = "", *, whole_lists: bool = False) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """The paths of a tree with what stands there, as JSON."""
    children: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        children = [(f"{path}.{key}".lstrip("."), child) for key, child in value.items()]
    elif isinstance(value, list) and not whole_lists:
        children = [(f"{path}[]", child) for child in value]
    for name, child in children:
        yield from leaves(child, name, whole_lists=whole_lists)
    if not children:
        yield path, json.dumps(value)


def crd_facts(crds: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Type, default, limits, allowed values and rules of every field that users write."""
    facts: dict[str, frozenset[str]] = {}
    for text in crds.values():
        crd = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["spec"]  # noqa: S506
        kind = crd["names"]["kind"]
        for version in crd["versions"] if kind not in NOT_WRITTEN_BY_USERS else ():
            schema = version["schema"]["openAPIV3Schema"]
            spec = schema["properties"].get("spec", {})
            facts |= dict(field_facts(spec, f"{kind} {version['name']} spec", required=False))
    return facts


def field_facts(
    schema: Mapping[str, Any], path: str, *, required: bool
) -> Iterator[tuple[str, frozenset[str]]]:
    """A field of a CRD, its rules, and the fields below it."""
    yield path, frozenset([*schema_facts(schema), *(["required"] if required else [])])
    yield from (rule_facts(rule, path) for rule in schema.get("x-kubernetes-validations", ()))
    for name, child in schema.get("properties", {}).items():
        yield from field_facts(child, f"{path}.{name}", required=name in schema.get("required", ()))
    for key, suffix in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(key), dict):
            yield from field_facts(schema[key], path + suffix, required=False)


def schema_facts(schema: Mapping[str, Any]) -> Iterator[str]:
    """What a schema says of its own value, besides rules."""
    for key, value in schema.items():
        if key == "enum":
            yield from (f"enum {each}" for each in value)
        elif key not in NOT_OF_THE_VALUE:
            yield f"{key} {value if isinstance(value, str) else json.dumps(value)}"


def rule_facts(rule: Mapping[str, Any], path: str) -> tuple[str, frozenset[str]]:
    """A CEL rule, with a line for each member of its lists: they are long, and one more label is what changes."""
    text = " ".join(rule["rule"].split())
    members = [member for found in LIST.findall(text) for member in QUOTED.findall(found)]
    message = rule.get("message") or rule.get("messageExpression")
    lines = [f"lists {member}" for member in members] + [f"says {message}"]
    return f"{path} rule: {LIST.sub('[…]', text)}", frozenset(lines)


def difference(old: Facts, new: Facts) -> Iterator[str]:
    """What was added (+), removed (-) and changed (~), by name."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, frozenset()), new.get(name, frozenset())
        if before != after or (name in old) != (name in new):
            yield f"{'~' if name in old and name in new else '+' if name in new else '-'} {name}"
            yield from (f"    - {line}" for line in sorted(before - after) if name in new)
            yield from (f"    + {line}" for line in sorted(after - before))


def report(files: UpstreamFiles, old: str, new: str) -> str:
    """All that one tag changes against another, as text."""
    before, after = files.iam(old), files.iam(new)
    values = [yaml.safe_load(files.values(tag)) for tag in (old, new)]
    sections: dict[str, tuple[Facts, Facts]] = {
        "Controller policies": (policy_facts(before), policy_facts(after)),
        "Node role, queue and event rules": (other_resource_facts(before), other_resource_facts(after)),
        "Chart values": (value_facts(values[0]), value_facts(values[1])),
        "CRDs": (crd_facts(files.crds(old)), crd_facts(files.crds(new))),
    }
    lines = [f"{old} -> {new}"]
    for title, (one, other) in sections.items():
        lines += ["", title, *([f"  {line}" for line in difference(one, other)] or ["  nothing"])]
    return "\n".join(lines)


def newest_known(tag: str) -> str:
    """The newest release that this library knows before a tag, as a tag; ends the program where there is none."""
    version = KarpenterVersion.parse(tag)
    older = [text for text in NEWEST_PATCHES if version in since(text) and f"v{text}" != tag]
    if not older:
        sys.exit(f"no release before {tag} is known; name one with --against")
    return f"v{older[-1]}"


def release_tag(text: str) -> str:
    """The tag of a release, with or without its ``v``."""
    return f"v{KarpenterVersion.parse(text)}"


def main() -> None:
    """Print the report; save the files if asked to."""
    parser = argparse.ArgumentParser(description="What a release of Karpenter changes for this library.")
    parser.add_argument("tag", type=release_tag, help="the release, such as v1.15.0")
    parser.add_argument(
        "--against",
        type=release_tag,
        help="the release before it; default: the newest that this library knows",
    )
    parser.add_argument(
        "--save", type=Path, help="a folder to write the tag's files to, for the contract tests"
    )
    arguments = parser.parse_args()
    root = Path(os.environ.get("KARPENTER_UPSTREAM") or BESIDE_THE_REPOSITORY)
    files = open_upstream(root)
    against = arguments.against or newest_known(arguments.tag)
    for tag in (arguments.tag, against):
        if not files.has(tag):
            sys.exit(f"no tag {tag} in {root}; fetch the tags, or name another one with --against")
    print(report(files, against, arguments.tag))
    if arguments.save:
        save(files, arguments.tag, arguments.save)


if __name__ == "__main__":
    main()
