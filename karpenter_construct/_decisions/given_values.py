"""What the user's chart values decide that an argument of `Karpenter` decides too: the settings tell what is rendered.

A value stands for the argument where that is left out; both, and different, contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from .._fields import shown
from .._tokens import is_unresolved
from .._upstream.chart import feature_gates, in_new_spelling, plain_values
from .._upstream.value_paths import get
from ..errors import Problem
from ..releases import KarpenterVersion

REPLICAS_KEY = "replicas"
IMAGE_KEY = "controller.image.repository"
SPREAD_KEY = "topologySpreadConstraints"
_GATES_KEY = "settings.featureGates"
_ZONE = "topology.kubernetes.io/zone"

T = TypeVar("T")


class GivenValues:
    """The user's chart values, as far as they decide something.

    Args:
        version: The Karpenter release.
        values: ``helm_values``.
        problems: Where to put what contradicts an argument.
    """

    def __init__(
        self, version: KarpenterVersion, values: Mapping[str, object] | None, problems: list[Problem]
    ) -> None:
        # What cannot be a chart value is told where the values are merged.
        plain, wrong = plain_values(values or {})
        self._version = version
        self._values = {} if wrong else in_new_spelling(version, plain)
        self._problems = problems

    def replicas(self, argument: int | None) -> object:
        """How many controllers are asked for."""
        return self._asked("replicas", argument, REPLICAS_KEY)

    @property
    def tells_replicas(self) -> bool:
        """Whether it is the values that ask for them."""
        return get(self._values, REPLICAS_KEY) is not None

    def image_repository(self, argument: str | None) -> str | None:
        """The repository of the image, ``None`` for upstream's."""
        asked = self._asked("image_repository", argument, IMAGE_KEY)
        if asked is None or isinstance(asked, str):
            return asked
        if not is_unresolved(asked):
            message = f"is no repository of an image, got {shown(asked)}; write '<registry>/…/controller'"
            self._problems.append(Problem(f"helm_values.{IMAGE_KEY}", message))
        return argument

    def feature_gates(self, argument: Mapping[str, bool] | None) -> dict[str, bool]:
        """Every gate of the release; one that only the deployment knows is as the release has it."""
        asked = argument or {}
        gates = {**feature_gates(self._version), **asked}
        for gate in gates:
            on = get(self._values, f"{_GATES_KEY}.{gate}")
            if isinstance(on, bool):
                self._compare(f"feature_gates[{gate!r}]", asked.get(gate), f"{_GATES_KEY}.{gate}", on)
                gates[gate] = on
        return gates

    def topology_spread(self, default: str) -> str | None:
        """What becomes of a controller that would crowd a zone; ``None`` where the values say nothing of it."""
        if SPREAD_KEY not in self._values:
            return None
        listed = self._values[SPREAD_KEY]
        if not isinstance(listed, list) or is_unresolved(listed):
            return default
        zones = (each for each in listed if isinstance(each, Mapping) and each.get("topologyKey") == _ZONE)
        rules = [each.get("whenUnsatisfiable", "DoNotSchedule") for each in zones]
        return "DoNotSchedule" if "DoNotSchedule" in rules else "ScheduleAnyway"

    def _asked(self, name: str, argument: T | None, key: str) -> object:
        value = get(self._values, key)
        if value is None:
            return argument
        self._compare(name, argument, key, value)
        return value

    def _compare(self, name: str, argument: object, key: str, value: object) -> None:
        if argument is None or argument == value or is_unresolved((argument, value)):
            return
        message = f"contradicts the argument `{name}`, which is {shown(argument)}, got {shown(value)}; leave one out"
        self._problems.append(Problem(f"helm_values.{key}", message))
