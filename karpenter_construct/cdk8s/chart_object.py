"""An object of a chart of cdk8s, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ChartObject:
    """One object.

    Attributes:
        path: Its place in the chart's tree.
        body: The Kubernetes object.
        before: The paths of the objects that it depends on.
    """

    path: str
    body: Mapping[str, Any]
    before: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A construct id, made of kind, namespace and name."""
        metadata = self.body["metadata"]
        return "-".join(filter(None, (self.body["kind"], metadata.get("namespace"), metadata["name"])))
