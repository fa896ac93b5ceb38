"""What is looked at when the app is synthesised, as nothing is added to it any more."""

from __future__ import annotations

from collections.abc import Callable

import jsii
from constructs import Construct, IValidation

from .._applying.applied_objects import show
from ..errors import Caution, Problem


@jsii.implements(IValidation)
class AtSynth:
    """Refuses at synth what is wrong, and warns of what the user should look at.

    Args:
        scope: The `Karpenter` construct.
        looks: Each gives problems and cautions.
    """

    def __init__(self, scope: Construct, *looks: Callable[[], tuple[list[Problem], list[Caution]]]) -> None:
        self._scope = scope
        self._looks = looks

    def validate(self) -> list[str]:
        """The problems, as CDK wants to have them."""
        found = [look() for look in self._looks]
        for _, cautions in found:
            show(self._scope, cautions)
        return [str(problem) for problems, _ in found for problem in problems]
