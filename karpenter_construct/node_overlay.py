"""Node overlays: what Karpenter should believe about instance types when it simulates scheduling."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from ._fields import Items, Map, Number, Quantity, Text
from ._model import Named
from .releases import Window, since
from .requirements import Requirement


class NodeOverlay(Named):
    """Another price, or extended resources, for the instance types that match.

    Needs the feature gate NodeOverlay.
    """

    collection: ClassVar[str] = "node_overlays"
    window: ClassVar[Window] = since("1.7")

    requirements: Annotated[Sequence[Requirement], Items(most=100)] = ()
    """The instance types it is about. Default: all."""
    price: Annotated[
        str | None, Text("a price", pattern=r"[0-9]+(\.[0-9]+)?", fix="write dollars per hour, as in '0.25'")
    ] = None
    """What an hour costs, in dollars, instead of EC2's price. Default: EC2's."""
    price_adjustment: Annotated[
        str | None,
        Text(
            "an adjustment",
            pattern=r"[+-](([0-9]*\.)?[0-9]+)|\+([0-9]*\.)?[0-9]+%|-[0-9]{1,2}(\.[0-9]+)?%|-100%",
            fix="write one with its sign, as in '-15%' or '+0.05'",
        ),
    ] = None
    """What is added to EC2's price, in dollars or percent. Default: nothing."""
    capacity: Annotated[Mapping[str, int | str] | None, Map(values=Quantity())] = None
    """Extended resources that such a node will have, such as ``smarter-devices/fuse``. Default: none."""
    weight: Annotated[int | None, Number(1, 10_000)] = None
    """Which of several overlays holds: the one of the greatest weight. Default: 0."""
