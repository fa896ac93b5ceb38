"""A rule over the fields of one model, as a row of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .._fields import shown
from ..errors import Problem
from ..releases import ALWAYS, KarpenterVersion, Window

S = TypeVar("S")


@dataclass(frozen=True)
class Rule(Generic[S]):
    """What must not be, and what to say where it is.

    Attributes:
        broken: Whether a model breaks the rule.
        says: What is wrong; the CRD's own message where it has one.
        fix: What to do.
        field: The field to name and to show, empty where the rule is about the model as a whole.
        window: The releases that have the rule.
    """

    broken: Callable[[S], object]
    says: str
    fix: str
    field: str = ""
    window: Window = ALWAYS

    def problem(self, subject: S, path: str) -> Problem:
        """The problem of a model that breaks the rule."""
        if not self.field:
            return Problem(path, f"{self.says}; {self.fix}")
        value = shown(getattr(subject, self.field))
        return Problem(f"{path}.{self.field}", f"{self.says}, got {value}; {self.fix}")


def broken(rules: Iterable[Rule[S]], subject: S, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    """The problems of every rule of the release that ``subject`` breaks."""
    for rule in rules:
        if rule.broken(subject) and version in rule.window:
            yield rule.problem(subject, path)
