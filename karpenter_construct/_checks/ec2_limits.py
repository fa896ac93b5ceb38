"""What EC2 refuses of a node class though the CRD takes it: tags, and user data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .._fields import shown
from .._tokens import is_unresolved
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..releases import KarpenterVersion, since

# EC2 user guide, "Tag restrictions".
_LONGEST_KEY = 128
_LONGEST_VALUE = 256
_MOST_TAGS = 50
# Of an instance's tags Karpenter sets those of cluster, pool, class, claim and manager, and the name where there is
# none; before 0.32 there are no classes and claims (provider-aws pkg/providers/launchtemplate, GetTags).
_CLASSES = since("0.32")
_OWN_TAGS = 5
_OWN_TAGS_BEFORE_CLASSES = 3

# EC2 user guide, "Run commands at launch": before it is encoded.
_LONGEST_USER_DATA = 16 * 1024


def ec2_problems(node_class: EC2NodeClass, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """What EC2 would refuse when a node is launched."""
    yield from _tag_problems(node_class.tags or {}, f"{path}.tags", version)
    yield from _user_data_problems(node_class.user_data, f"{path}.user_data")


def _tag_problems(tags: Mapping[str, str], path: str, version: KarpenterVersion) -> Iterator[Problem]:
    for key, value in tags.items():
        here = f"{path}[{shown(key)}]"
        if key.lower().startswith("aws:"):
            yield Problem(here, "begins with 'aws:', which AWS keeps for itself; use another key")
        if len(key) > _LONGEST_KEY and not is_unresolved(key):
            yield Problem(
                here, f"must be at most {_LONGEST_KEY} characters, the key has {len(key)}; shorten it"
            )
        if len(value) > _LONGEST_VALUE and not is_unresolved(value):
            yield Problem(
                here, f"must be at most {_LONGEST_VALUE} characters, the value has {len(value)}; shorten it"
            )
    own = (_OWN_TAGS if version in _CLASSES else _OWN_TAGS_BEFORE_CLASSES) + ("Name" not in tags)
    if len(tags) > _MOST_TAGS - own:
        yield Problem(
            path,
            f"must be at most {_MOST_TAGS - own}, has {len(tags)}: EC2 takes {_MOST_TAGS}, of which Karpenter sets "
            f"{own}; drop some",
        )


def _user_data_problems(user_data: str | None, path: str) -> Iterator[Problem]:
    if user_data is None or is_unresolved(user_data):
        return
    size = len(user_data.encode())
    if size > _LONGEST_USER_DATA:
        yield Problem(
            path,
            f"must be at most {_LONGEST_USER_DATA} bytes, has {size}; have the node fetch the rest, as from S3",
        )
