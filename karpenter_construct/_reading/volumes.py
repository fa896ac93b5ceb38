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
        path = ("blockDeviceMappings", index, "ebs", "volumeSize")
        gibibytes = _gibibytes(size)
        if gibibytes is None:
            continue
        if gibibytes in _SIZES:
            volume["volumeSize"] = f"{gibibytes}Gi"
            draft.note(path, f"is {shown(size)}, written as {gibibytes}Gi, which is what EC2 gets")
        else:
            del volume["volumeSize"]
            draft.problem(path, f"must be 1G to 64T, got {shown(size)}; give its unit, as in '20Gi'")


_SIZES = range(1, 59_605)
"""What 1G to 64T are in GiB (karpenter-provider-aws, ``provider_validation.go``)."""


def _gibibytes(size: object) -> int | None:
    text = str(size)
    found = _PARTS.fullmatch(text)
    if isinstance(size, bool) or found is None or not re.fullmatch(QUANTITY, text, re.ASCII):
        return None
    factor = {**_BINARY, **_DECIMAL}.get(found[2] or "")
    if factor is None:
        return None
    size_in_bytes = Decimal(found[1]) * factor
    if size_in_bytes < _DECIMAL["G"]:
        return 0
    return int((size_in_bytes / _BINARY["Gi"]).to_integral_value(ROUND_CEILING))
