"""The controller's webhooks by release, and what the charts have to be told about them."""

from __future__ import annotations

from collections.abc import Mapping

from ..releases import KarpenterVersion, between, until

ADMISSION_WEBHOOKS_ALWAYS = until("0.32")
"""The webhooks cannot be turned off by a chart value."""

WEBHOOK_VALUES = between("0.32", "1.1")
"""The chart has ``webhook.enabled``; later releases have no webhook."""

CONVERSION_WEBHOOK = (
    between("0.33.6", "0.34")
    | between("0.34.7", "0.35")
    | between("0.35.6", "0.36")
    | between("0.36.3", "0.37")
    | between("0.37.1", "1.1")
)
"""The CRDs hold v1beta1 and v1, and name the Service that converts between them."""

_ON_BY_DEFAULT = (
    between("0.32", "0.33")
    | between("0.33.8", "0.34")
    | between("0.34.9", "0.35")
    | between("0.35.8", "0.36")
    | between("0.36.5", "0.37")
    | between("0.37.3", "1.1")
)

_DEFAULT_PORT = 8443


def webhook_default_values(version: KarpenterVersion) -> dict[str, object]:
    """``webhook.enabled`` where the chart's default leaves the CRDs with a converter that does not run.

    These are the first two patches of each line that carry a conversion webhook: 0.33.6, 0.33.7, 0.34.7, …
    """
    if version in CONVERSION_WEBHOOK and version not in _ON_BY_DEFAULT:
        return {"webhook": {"enabled": True}}
    return {}


def webhook_port(version: KarpenterVersion, values: Mapping[str, object]) -> int | None:
    """The port on which the control plane calls the controller's pods; ``None`` where it does not.

    Args:
        version: The Karpenter release.
        values: The values given to the chart.
    """
    if version not in ADMISSION_WEBHOOKS_ALWAYS and not _enabled(version, values):
        return None
    port = _webhook(values).get("port", _DEFAULT_PORT)
    return port if isinstance(port, int) else _DEFAULT_PORT


def crd_chart_values(
    version: KarpenterVersion,
    *,
    namespace: str,
    service_name: str = "karpenter",
    chart_values: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The values of the chart ``karpenter-crd``, which follow those of the chart ``karpenter``.

    Only releases whose CRDs convert need any: their defaults point to the Service ``karpenter``, some to the
    namespace ``kube-system`` and some to the CRD chart's own.

    Args:
        version: The Karpenter release.
        namespace: The controller's namespace.
        service_name: The controller's Service (`chart_names.controller_name`).
        chart_values: The values given to the chart ``karpenter``; ``webhook`` matters.
    """
    if version not in CONVERSION_WEBHOOK:
        return {}
    values = chart_values or {}
    if not _enabled(version, values):
        return {"webhook": {"enabled": False}}
    return {
        "webhook": {
            "enabled": True,
            "serviceName": service_name,
            "serviceNamespace": namespace,
            "port": webhook_port(version, values),
        }
    }


def _enabled(version: KarpenterVersion, values: Mapping[str, object]) -> bool:
    default = version in _ON_BY_DEFAULT or version in CONVERSION_WEBHOOK
    return version in WEBHOOK_VALUES and bool(_webhook(values).get("enabled", default))


def _webhook(values: Mapping[str, object]) -> Mapping[str, object]:
    webhook = values.get("webhook")
    return webhook if isinstance(webhook, Mapping) else {}
