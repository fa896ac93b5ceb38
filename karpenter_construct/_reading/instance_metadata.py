"""The options of the instance metadata service, whose default v1 changed."""

from __future__ import annotations

from ..releases import since
from .drafts import Draft

HOP_LIMIT = 2
"""The default of ``httpPutResponseHopLimit`` before 1.0; the models' is v1's, 1."""


def write_hop_limit(draft: Draft, *, partly_by_ec2: bool = False) -> None:
    """Write the old default out.

    Args:
        draft: The class.
        partly_by_ec2: Whether options in part leave the rest to EC2 in this generation.
    """
    options = draft.values.setdefault("metadata_options", {})
    if isinstance(options, dict) and "httpPutResponseHopLimit" not in options:
        draft.values["metadata_options"] = {**options, "httpPutResponseHopLimit": HOP_LIMIT}
        if options and partly_by_ec2:
            draft.note(
                "metadataOptions.httpPutResponseHopLimit",
                f"is not set beside other options, so EC2 decided; written as {HOP_LIMIT}, Karpenter's default before "
                "1.0",
            )
            return
        draft.note(
            "metadataOptions.httpPutResponseHopLimit",
            f"is not set: written as {HOP_LIMIT}, the default before Karpenter 1.0, which made it 1 and shuts out pods",
            since("1.0"),
        )
