"""The names and labels that Kubernetes accepts (RFC 1123, apimachinery ``validation.go``)."""

from __future__ import annotations

import re

from ._tokens import is_unresolved
from .errors import Problem

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_LENGTH = 63
_SUBDOMAIN_LENGTH = 253


def label_problems(path: str, name: str) -> list[Problem]:
    """Why ``name`` cannot name a namespace: it must be a DNS label of at most 63 characters."""
    return _problems(path, name, _LABEL, _LABEL_LENGTH, "lower-case letters, digits and '-'")


def subdomain_problems(path: str, name: str) -> list[Problem]:
    """Why ``name`` cannot name an object: it must be a DNS subdomain of at most 253 characters."""
    return _problems(path, name, _SUBDOMAIN, _SUBDOMAIN_LENGTH, "lower-case letters, digits, '-' and '.'")


def _problems(path: str, name: object, pattern: str, length: int, letters: str) -> list[Problem]:
    if is_unresolved(name):
        return []
    if isinstance(name, str) and len(name) <= length and re.fullmatch(pattern, name):
        return []
    return [
        Problem(
            path,
            f"is no name that Kubernetes accepts, got {name!r}; use at most {length} characters, only {letters}, "
            "a letter or digit first and last",
        )
    ]


# A qualified name and its value (apimachinery ``IsQualifiedName``, ``IsValidLabelValue``).
_PLAIN_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_LABEL_KEY = rf"(?:(?P<domain>{_SUBDOMAIN})/)?(?P<name>{_PLAIN_NAME})"
_LABEL_VALUE = rf"({_PLAIN_NAME})?"


def is_label_key(text: str) -> bool:
    """Whether Kubernetes takes a text as the key of a label or a taint."""
    found = re.fullmatch(_LABEL_KEY, text)
    return found is not None and (
        len(found["domain"] or "") <= _SUBDOMAIN_LENGTH and len(found["name"]) <= _LABEL_LENGTH
    )


def is_label_value(text: str) -> bool:
    """Whether Kubernetes takes a text as the value of a label or a taint."""
    return len(text) <= _LABEL_LENGTH and re.fullmatch(_LABEL_VALUE, text) is not None
