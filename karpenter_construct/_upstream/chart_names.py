"""The names that the chart gives its objects (``templates/_helpers.tpl``, equal in all releases)."""

from __future__ import annotations

from collections.abc import Mapping

_CHART_NAME = "karpenter"
_LONGEST_NAME = 63


def controller_name(release: str, values: Mapping[str, object]) -> str:
    """The name of the Deployment and the Service: the template ``karpenter.fullname``.

    Args:
        release: The name of the Helm release.
        values: The values given to the chart; ``fullnameOverride`` and ``nameOverride`` matter.
    """
    override = values.get("fullnameOverride")
    if override:
        return _shorten(str(override))
    name = str(values.get("nameOverride") or _CHART_NAME)
    return _shorten(release if name in release else f"{release}-{name}")


def controller_pod_labels(release: str, values: Mapping[str, object]) -> dict[str, str]:
    """The labels by which the controller's pods can be told: the template ``karpenter.selectorLabels``."""
    return {
        "app.kubernetes.io/name": _shorten(str(values.get("nameOverride") or _CHART_NAME)),
        "app.kubernetes.io/instance": release,
    }


def _shorten(name: str) -> str:
    return name[:_LONGEST_NAME].removesuffix("-")
