"""The options of the instance metadata service, whose default v1 changed."""

from __future__ import annotations

from ..releases import since
from .drafts import Draft

HOP_LIMIT = 2
"""The default of ``httpPutResponseHopLimit`` before 1.0; the models' is v1's, 1."""


def write_hop_limit(draft: Draft) -> None:
    """Write the old default out."""
    options = draft.values.setdefault("metadata_options", {})
    if isinstance(options, dict) and "httpPutResponseHopLimit" not in options:
        draft.values["metadata_options"] = {**options, "httpPutResponseHopLimit": HOP_LIMIT}
        draft.note(
            "metadataOptions.httpPutResponseHopLimit",
            f"is not set: written as {HOP_LIMIT}, the default before Karpenter 1.0, which made it 1 and shuts out pods",
            since("1.0"),
        )
