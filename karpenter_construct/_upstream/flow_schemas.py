"""The FlowSchemas that give the controller, outside kube-system, the priority it would have inside.

From getting-started/scripts/step15-apply-flowschemas.sh, which upstream has since 0.33.
"""

from __future__ import annotations

from ..releases import KarpenterVersion, since, until
from .kubernetes import KubernetesVersion, minors

NEEDED = since("0.33")
"""The releases that upstream installs into kube-system."""

_API_GROUP = "flowcontrol.apiserver.k8s.io"

_LEASES = {
    "apiGroups": ["coordination.k8s.io"],
    "namespaces": ["*"],
    "resources": ["leases"],
    "verbs": ["get", "create", "update"],
}
_EVERYTHING = {
    "apiGroups": ["*"],
    "clusterScope": True,
    "namespaces": ["*"],
    "resources": ["*"],
    "verbs": ["*"],
}
_EVERY_URL = {"nonResourceURLs": ["*"], "verbs": ["*"]}

_SCHEMAS: tuple[tuple[str, int, str, dict[str, object]], ...] = (
    ("karpenter-leader-election", 200, "leader-election", {"resourceRules": [_LEASES]}),
    (
        "karpenter-workload",
        1000,
        "workload-high",
        {"nonResourceRules": [_EVERY_URL], "resourceRules": [_EVERYTHING]},
    ),
)

# The newest version of the API group that each Kubernetes serves (Kubernetes deprecation guide).
_API_BY_KUBERNETES = ((minors(0, 25), "v1beta2"), (minors(26, 28), "v1beta3"), (minors(29, 999), "v1"))

# Where the cluster's version is unknown: v1beta3 is served up to 1.31, the newest for releases before 1.2.
_API_BY_RELEASE = ((until("1.2"), "v1beta3"), (since("1.2"), "v1"))


def flow_schemas(
    version: KarpenterVersion,
    *,
    namespace: str,
    service_account_name: str,
    kubernetes_version: str | None = None,
) -> tuple[dict[str, object], ...]:
    """The manifests for a controller in ``namespace``; none where the release or the namespace needs none.

    Args:
        version: The Karpenter release.
        namespace: The controller's namespace.
        service_account_name: The controller's service account.
        kubernetes_version: The cluster's version, where it is known.
    """
    if version not in NEEDED or namespace == "kube-system":
        return ()
    api_version = f"{_API_GROUP}/{_api(version, kubernetes_version)}"
    account = {"name": service_account_name, "namespace": namespace}
    subjects = [{"kind": "ServiceAccount", "serviceAccount": account}]
    return tuple(
        {
            "apiVersion": api_version,
            "kind": "FlowSchema",
            "metadata": {"name": name},
            "spec": {
                "distinguisherMethod": {"type": "ByUser"},
                "matchingPrecedence": precedence,
                "priorityLevelConfiguration": {"name": level},
                "rules": [{**rule, "subjects": subjects}],
            },
        }
        for name, precedence, level, rule in _SCHEMAS
    )


def _api(version: KarpenterVersion, kubernetes_version: str | None) -> str:
    kubernetes = None if kubernetes_version is None else KubernetesVersion.parse(kubernetes_version)
    if kubernetes is None:
        return next(api for window, api in _API_BY_RELEASE if version in window)
    return next(api for served, api in _API_BY_KUBERNETES if kubernetes in served)
