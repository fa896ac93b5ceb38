"""Recognises CDK's placeholders for values that are not known yet, without importing CDK.

What only the deployment knows, CDK encodes in a string as ``${Token[name.1]}``, in a list as one
``#{Token[name.1]}`` element and in a number as a huge negative float (aws-cdk ``core/lib/private/encoding.ts``).
Other values stay objects. What a context lookup has yet to find is a dummy: an app that refused it would end
before CDK makes the lookup and synthesises again.
"""

from __future__ import annotations

import math
import re

_STRING_OR_LIST_TOKEN = re.compile(r"[$#]\{Token\[.*?\]\}")
_LARGEST_NUMBER_TOKEN = -1e280

# What CDK answers before a lookup (``dummyValue`` in aws-cdk-lib), each with where it comes from.
_DUMMIES = (
    r"dummy1[abc]",  # core/lib/stack.ts: the availability zones of a stack with account and region
    r"vpc-12345",  # aws-ec2/lib/vpc.ts, DUMMY_VPC_PROPS: Vpc.from_lookup
    r"[sp]-(?:12345|67890)",  # its public, and its private and isolated subnets
    r"rtb-(?:12345s|67890s|12345p|57890p)",  # their route tables
    r"sg-12345678",  # aws-ec2/lib/security-group.ts: SecurityGroup.from_lookup_by_id and _by_name
    r"ami-1234",  # aws-ec2/lib/machine-image: LookupMachineImage
    r"1234abcd-12ab-34cd-56ef-1234567890ab",  # aws-kms/lib/key.ts, DEFAULT_DUMMY_KEY_ID: Key.from_lookup
    r"DUMMY_ARN",  # aws-iam/lib/role.ts: Role.from_lookup, as the name in an ARN
)
# aws-ssm/lib/parameter.ts: value_from_lookup; aws-route53/lib/hosted-zone.ts: HostedZone.from_lookup.
_DUMMY = re.compile(rf"(?<![\w-])(?:{'|'.join(_DUMMIES)})(?![\w-])|dummy-value-for-|\ADUMMY\Z")


def is_unresolved(value: object) -> bool:
    """Whether ``value`` is, or contains, a placeholder of CDK or a dummy that a lookup has yet to replace."""
    if isinstance(value, (list, tuple)):
        return any(is_unresolved(item) for item in value)
    return is_placeholder(value)


def is_placeholder(value: object) -> bool:
    """Whether ``value``, which is no list, is or contains such a placeholder or dummy."""
    return is_token(value) or is_dummy(value)


def is_dummy(value: object) -> bool:
    """Whether ``value`` is or contains what CDK answers before it has made a lookup."""
    return isinstance(value, str) and _DUMMY.search(value) is not None


def is_token(value: object) -> bool:
    """Whether ``value``, which is no list, is or contains a placeholder that only the deployment resolves."""
    if isinstance(value, str):
        return _STRING_OR_LIST_TOKEN.search(value) is not None
    if isinstance(value, float):
        return -math.inf < value < _LARGEST_NUMBER_TOKEN
    return is_resolvable(value)


def is_resolvable(value: object) -> bool:
    """Whether ``value`` is an object that CDK resolves, such as what ``Lazy.any`` makes (``IResolvable``).

    Told by its class alone: to read an attribute of the object would run JavaScript, and may fail there.
    """
    # jsii puts what implements several interfaces into an object of no class of CDK's.
    inside = getattr(value, "__dict__", {}).get("_delegates")
    parts = inside if isinstance(inside, list) else [value]
    return any(hasattr(type(part), "resolve") and hasattr(type(part), "creation_stack") for part in parts)


def replaced(text: str, *, by: str) -> str:
    """The text with each placeholder of CDK in it replaced."""
    return _STRING_OR_LIST_TOKEN.sub(by, text)


def is_list_token(value: object) -> bool:
    """Whether ``value`` is the one item that stands for a list of unknown length."""
    return isinstance(value, str) and value.startswith("#{Token[")
