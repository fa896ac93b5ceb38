"""What a release leaves behind in EC2 when its node classes are deleted."""

from __future__ import annotations

from ..releases import KarpenterVersion, until

# An EC2NodeClass has a finalizer, but it deletes the launch templates only from 0.34 on; before, the controller deletes
# one when it falls out of a cache, up to eleven minutes after its last use. An AWSNodeTemplate has no finalizer: it
# goes while its nodes run (pkg/controllers/nodeclass and pkg/providers/launchtemplate of each tag; pkg/cache/cache.go).
_LEAVES_SOMETHING = until("0.34")


def leaves_something(version: KarpenterVersion) -> bool:
    """Whether instances or launch templates may outlive the node classes that they were made for."""
    return version in _LEAVES_SOMETHING
