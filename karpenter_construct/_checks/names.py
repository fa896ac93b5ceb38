"""The names of node pools and classes, which a release may want shorter and plainer than Kubernetes does."""

from __future__ import annotations

import re

from .._model import Named
from .._tokens import is_unresolved
from ..releases import since, until
from .rule import Rule

_LONGEST_LABEL_VALUE = 63
# What knative's ValidateObjectMetadata takes, which the webhooks before 1.0 call: a DNS-1035 label.
_PLAIN = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"

NAME_RULES: tuple[Rule[Named], ...] = (
    Rule(
        lambda named: len(named.name) > _LONGEST_LABEL_VALUE and not is_unresolved(named.name),
        "must be at most 63 characters, as it becomes the value of a label on every node",
        "shorten it",
        field="name",
        window=since("1.0"),
    ),
    Rule(
        lambda named: not re.fullmatch(_PLAIN, named.name) and not is_unresolved(named.name),
        "must be a DNS-1035 label before Karpenter 1.0.0",
        "use at most 63 lower case letters, digits and '-', with a letter first",
        field="name",
        window=until("1.0"),
    ),
)
