"""Which way from one release to another breaks a cluster, and the way around (upstream's upgrade guide)."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import Problem
from ..releases import KarpenterVersion, Window, between, since, until


class ForbiddenHop(NamedTuple):
    """A step from any release of ``origin`` to any of ``target`` that must not be made."""

    origin: Window
    target: Window
    reason: str
    way_round: str

    @property
    def why(self) -> str:
        """The reason and the way round, for a message."""
        return f"{self.reason}; {self.way_round}"


# The first row that fits names the next stop: rows of older origins come first.
FORBIDDEN_HOPS = (
    ForbiddenHop(
        origin=until("0.32"),
        target=since("0.33"),
        reason="0.33 and later do not know the Provisioners, AWSNodeTemplates and Machines of the cluster",
        way_round="install 0.32.10 first, replace them by NodePools and EC2NodeClasses, then go on",
    ),
    ForbiddenHop(
        origin=between("0.32", "0.33"),
        target=since("1.0"),
        reason="1.0 converts the objects of 0.33 to 0.37 only",
        way_round="install 0.37.8 first",
    ),
    ForbiddenHop(
        origin=between("0.33", "1.0"),
        target=since("1.1"),
        reason="1.1 and later do not know v1beta1, which 1.0 converts",
        way_round="install 1.0.14 first, and go on once `status.storedVersions` of its CRDs is [v1]",
    ),
    ForbiddenHop(
        origin=between("0.32", "0.33"),
        target=until("0.31.4"),
        reason="only 0.31.4 and later handle a cluster that has had NodePools and EC2NodeClasses",
        way_round="go back to 0.31.5",
    ),
    ForbiddenHop(
        origin=since("0.33"),
        target=until("0.32"),
        reason="releases before 0.32 do not know the NodePools and EC2NodeClasses of the cluster",
        way_round="go back to 0.32.10 at most",
    ),
    ForbiddenHop(
        origin=between("0.36", "1.0"),
        target=until("0.32.9")
        | between("0.33", "0.33.4")
        | between("0.34", "0.34.5")
        | between("0.35", "0.35.4"),
        reason="older patches hash node pools in another way and would replace every node",
        way_round="go back to the newest patch of that line",
    ),
    ForbiddenHop(
        origin=between("1.0", "1.1"),
        target=until("0.33.12")
        | between("0.34", "0.34.13")
        | between("0.35", "0.35.12")
        | between("0.36", "0.36.9")
        | between("0.37", "0.37.7"),
        reason="only the last patches of 0.33 to 0.37 convert the objects that 1.0 stored as v1",
        way_round="go back to 0.33.12, 0.34.13, 0.35.12, 0.36.9 or 0.37.8",
    ),
    ForbiddenHop(
        origin=since("1.1"),
        target=until("1.0"),
        reason="releases before 1.0 take v1beta1, which 1.1 and later removed from the CRDs",
        way_round="stay on 1.0 or later",
    ),
)


def check_upgrade(origin: KarpenterVersion, target: KarpenterVersion) -> Problem | None:
    """What is wrong with going from one release to another in one step; ``None`` where nothing is.

    Args:
        origin: The release that the cluster runs.
        target: The release to install.
    """
    for hop in _hops_to(target):
        if origin in hop.origin:
            return Problem("version", f"cannot go from {origin} to {target} in one step: {hop.why}")
    return None


def refused_origins(target: KarpenterVersion) -> list[dict[str, str]]:
    """From which releases a cluster must not go to ``target`` in one step, as plain data.

    Returns:
        The first fitting one of them says what is wrong: ``Since`` and ``Until`` bound it, half open, ``Until`` being
        absent where there is no end; ``Why`` is the reason with the way round.
    """
    return [
        {"Since": first, **({} if end is None else {"Until": end}), "Why": hop.why}
        for hop in _hops_to(target)
        for first, end in hop.origin.bounds
    ]


def _hops_to(target: KarpenterVersion) -> list[ForbiddenHop]:
    return [hop for hop in FORBIDDEN_HOPS if target in hop.target]
