"""Recognises CDK's placeholders for values known only at deploy time, without importing CDK.

CDK encodes an unresolved string as ``${Token[name.1]}``, a list as one ``#{Token[name.1]}`` element and
a number as a huge negative float (aws-cdk ``core/lib/private/encoding.ts``). Other values stay objects.
"""

from __future__ import annotations

import math
import re

_STRING_OR_LIST_TOKEN = re.compile(r"[$#]\{Token\[.*?\]\}")
_LARGEST_NUMBER_TOKEN = -1e280


def is_unresolved(value: object) -> bool:
    """Whether ``value`` is, or contains, a placeholder that only the deployment resolves."""
    if isinstance(value, (list, tuple)):
        return any(is_unresolved(item) for item in value)
    return is_placeholder(value)


def is_placeholder(value: object) -> bool:
    """Whether ``value``, which is no list, is or contains such a placeholder."""
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


def is_list_token(value: object) -> bool:
    """Whether ``value`` is the one item that stands for a list of unknown length."""
    return isinstance(value, str) and value.startswith("#{Token[")
