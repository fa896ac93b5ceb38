"""Templates for people: intrinsic functions as ``${Resource.Attribute}``, JSON inside strings as what it says."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from aws_cdk import Stack
from aws_cdk.assertions import Template

Resources = dict[str, Any]

_WIDTH = 110
# The one in C writes the same, and takes a tenth of the time; not every build of PyYAML has it.
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


# The functions with which CDK itself makes things differ from one release of CDK to the next.
_INSIDE_CDK = re.compile(r"awscdkawseks.*NestedStackResource.*|CustomAWSCDK.*|AWSCDK.*")


def resources(stack: Stack) -> Resources:
    """The resources of a stack, but for CDK's own functions."""
    found = Template.from_stack(stack).to_json().get("Resources", {})
    return {name: body for name, body in found.items() if not _INSIDE_CDK.fullmatch(name)}


def text(resources: Resources) -> str:
    """The resources as YAML, in the order of the template."""
    found = {name: _readable(body) for name, body in resources.items()}
    return yaml.dump(found, Dumper=_DUMPER, sort_keys=False, width=_WIDTH)


def _readable(value: Any) -> Any:
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, str):
        return _parsed(value)
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and (function := _FUNCTIONS.get(next(iter(value)))):
        return _parsed(function(next(iter(value.values()))))
    return {key: _readable(item) for key, item in value.items()}


def _parsed(value: str) -> Any:
    """JSON as what it says, any other text as it is."""
    return (
        _readable(json.loads(value))
        if re.match(r"\[?\{.*\}\]?$", value, re.DOTALL) and '":' in value
        else value
    )


def _flat(value: Any) -> str:
    """A value inside another as text."""
    if isinstance(value, str):
        return value
    [(name, argument)] = value.items()
    return _FUNCTIONS[name](argument)


def _sub(argument: Any) -> str:
    template, variables = argument if isinstance(argument, list) else (argument, {})
    for name, value in variables.items():
        template = template.replace(f"${{{name}}}", _flat(value))
    return template


def _select(argument: Any) -> str:
    index, source = argument
    [(name, split)] = source.items()
    assert name == "Fn::Split"
    return f"${{part {index} of {_flat(split[1])} split at {split[0]!r}}}"


_FUNCTIONS = {
    "Ref": lambda name: f"${{{name}}}",
    "Fn::GetAtt": lambda path: f"${{{'.'.join(path)}}}",
    "Fn::ImportValue": lambda name: f"${{{name}}}",
    "Fn::Join": lambda argument: argument[0].join(_flat(part) for part in argument[1]),
    "Fn::Select": _select,
    "Fn::Sub": _sub,
}
