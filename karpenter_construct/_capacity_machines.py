"""The machines of a node group for the controller: their types, and the image that fits them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ._capacity_arguments import listed_argument
from ._fields import shown, suggestion
from ._tokens import is_unresolved
from ._upstream.eks_node_groups import (
    AMI_TYPES,
    CUSTOM_AMI,
    DEFAULT_AMI_TYPES,
    ami_architecture,
    is_arm,
    is_instance_type,
    may_be_ami_type,
)
from .errors import Problem


def read_instance_types(given: object, problems: list[Problem]) -> tuple[str, ...]:
    """The names of the instance types, of which there is at least one, all of one architecture."""
    path = "controller_capacity.instance_types"
    types = listed_argument("instance_types", given, problems)
    names = tuple(each if isinstance(each, str) else _type_name(each) for each in types)
    problems += (
        Problem(f"{path}[{index}]", f"is no instance type, got {shown(each)}; write one as in 'm5.large'")
        for index, each in enumerate(types)
        if not is_unresolved(names[index]) and not is_instance_type(names[index])
    )
    if given in ([], ()):
        problems.append(
            Problem(path, f"must list at least one instance type, got {given!r}; use ['m5.large']")
        )
    if len(_architectures(names)) > 1:
        message = (
            f"mix arm64 and x86_64, for which one node group has no AMI, got {list(names)!r}; keep the types of one "
            "architecture"
        )
        problems.append(Problem(path, message))
    return names


def _type_name(instance_type: object) -> str:
    to_string = getattr(instance_type, "to_string", None)
    return str(to_string()) if callable(to_string) else ""


def _architectures(instance_types: Sequence[str]) -> set[str]:
    """The architectures of the types that are known."""
    known = (name for name in instance_types if not is_unresolved(name) and is_instance_type(name))
    return {"arm64" if is_arm(name) else "x86_64" for name in known}


def read_ami_type(asked: object, instance_types: Sequence[str], problems: list[Problem]) -> str:
    """EKS' name of the AMI type: the one asked for, else Amazon Linux 2023 for the architecture."""
    architectures = _architectures(instance_types)
    default = DEFAULT_AMI_TYPES["arm64" if "arm64" in architectures else "x86_64"]
    if asked is None:
        return default
    # The Python value of a member of CDK's NodegroupAmiType is its name, in which EKS' "x86" is upper case.
    given = asked.value if isinstance(asked, Enum) else asked
    name = str(given).replace("X86_64", "x86_64")
    message = _ami_type_message(given, name, architectures, default)
    if message is not None:
        problems.append(Problem("controller_capacity.ami_type", message))
    return name


def _ami_type_message(given: object, name: str, architectures: set[str], default: str) -> str | None:
    """Why a node group for the controller cannot have the AMI type."""
    if not isinstance(given, str):
        return f"is no AMI type, got {shown(given)}; write EKS' name of one, as in 'BOTTLEROCKET_ARM_64'"
    if is_unresolved(given):
        return None
    own = ami_architecture(name)
    if name == CUSTOM_AMI:
        wrong = "needs a launch template, and none is made here"
    elif name.upper().startswith("WINDOWS"):
        wrong = "is for Windows, and the image of the controller for Linux"
    elif not may_be_ami_type(name):
        whole = next((known for known in AMI_TYPES if known.startswith(f"{name}_")), None)
        hint = f"did you mean {whole!r}?" if whole else suggestion(name, AMI_TYPES) or f"use {default!r}"
        return f"is no AMI type that EKS has, got {given!r}; {hint}"
    elif own is not None and len(architectures) == 1 and own not in architectures:
        wrong = f"is for {own}, and the instance types are {'x86_64' if own == 'arm64' else 'arm64'}"
    else:
        return None
    return f"{wrong}, got {given!r}; use {default!r}"
