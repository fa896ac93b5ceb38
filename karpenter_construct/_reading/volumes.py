"""Volume sizes before v1: any quantity, where v1 takes a whole number with one of four units."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal

from .._fields import QUANTITY, shown
from .drafts import Draft

_PARTS = re.compile(r"\+?([0-9.]+)([A-Za-z]+.*)?")
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}
_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
_AS_THEY_STAND = re.compile(r"[1-9][0-9]*(Gi|G|Ti|T)")


def whole_gibibytes(draft: Draft) -> None:
    """Write the volume sizes that v1 has no words for as EC2 got them, in whole GiB.

    Karpenter rounds up (karpenter-provider-aws, ``launchtemplate.go``, ``volumeSize``).
    """
    mappings = draft.values.get("block_device_mappings")
    for index, mapping in enumerate(mappings if isinstance(mappings, list) else []):
        volume = mapping.get("ebs") if isinstance(mapping, dict) else None
        if not isinstance(volume, dict) or _AS_THEY_STAND.fullmatch(str(volume.get("volumeSize", "1Gi"))):
            continue
        size = volume["volumeSize"]
        gibibytes = _gibibytes(size)
        if gibibytes is not None:
            volume["volumeSize"] = gibibytes
            path = ("blockDeviceMappings", index, "ebs", "volumeSize")
            draft.note(path, f"is {shown(size)}, written as {gibibytes}, which is what EC2 gets")


def _gibibytes(size: object) -> str | None:
    text = str(size)
    found = _PARTS.fullmatch(text)
    if isinstance(size, bool) or found is None or not re.fullmatch(QUANTITY, text, re.ASCII):
        return None
    factor = {**_BINARY, **_DECIMAL}.get(found[2] or "")
    if factor is None:
        return None
    whole = (Decimal(found[1]) * factor / _BINARY["Gi"]).to_integral_value(ROUND_CEILING)
    return f"{whole}Gi"
