"""What the fields of the node models take: markers for ``Annotated``, each with its own words for a mistake.

pydantic's own constraints would speak pydantic's words and refuse CDK's placeholders, so a field says
``Annotated[str, Text(...)]``, ``Annotated[int, Number(1, 100)]`` and so on. A marker checks, normalises
(lists become tuples, dicts become `FrozenMap`) and writes the field's JSON schema. ``X | None`` is taken
as it stands.
"""

from .collections import FrozenMap, Items, Map
from .marker import Marker
from .scalars import QUANTITY, Choice, Duration, Flag, Number, Quantity, Text
from .wording import digits, refuse, shown, suggestion
from .words import Words

__all__ = [
    "QUANTITY",
    "Choice",
    "Duration",
    "Flag",
    "FrozenMap",
    "Items",
    "Map",
    "Marker",
    "Number",
    "Quantity",
    "Text",
    "Words",
    "digits",
    "refuse",
    "shown",
    "suggestion",
]
