"""The FlowSchemas of a controller outside kube-system."""

import pytest

from karpenter_construct._upstream.flow_schemas import flow_schemas
from karpenter_construct.releases import KarpenterVersion

SUBJECTS = [{"kind": "ServiceAccount", "serviceAccount": {"name": "kpt", "namespace": "scaling"}}]


def schemas(version, namespace="scaling", kubernetes_version=None):
    return flow_schemas(
        KarpenterVersion.parse(version),
        namespace=namespace,
        service_account_name="kpt",
        kubernetes_version=kubernetes_version,
    )


@pytest.mark.parametrize(
    ("version", "namespace", "count"),
    [
        ("0.32.10", "scaling", 0),
        ("0.33.0", "scaling", 2),
        ("0.33.0", "kube-system", 0),
        ("1.14.1", "scaling", 2),
        ("1.14.1", "kube-system", 0),
    ],
)
def test_where_they_are_needed(version, namespace, count):
    assert len(schemas(version, namespace)) == count


def test_both_of_them():
    assert schemas("1.14.1") == (
        {
            "apiVersion": "flowcontrol.apiserver.k8s.io/v1",
            "kind": "FlowSchema",
            "metadata": {"name": "karpenter-leader-election"},
            "spec": {
                "distinguisherMethod": {"type": "ByUser"},
                "matchingPrecedence": 200,
                "priorityLevelConfiguration": {"name": "leader-election"},
                "rules": [
                    {
                        "resourceRules": [
                            {
                                "apiGroups": ["coordination.k8s.io"],
                                "namespaces": ["*"],
                                "resources": ["leases"],
                                "verbs": ["get", "create", "update"],
                            }
                        ],
                        "subjects": SUBJECTS,
                    }
                ],
            },
        },
        {
            "apiVersion": "flowcontrol.apiserver.k8s.io/v1",
            "kind": "FlowSchema",
            "metadata": {"name": "karpenter-workload"},
            "spec": {
                "distinguisherMethod": {"type": "ByUser"},
                "matchingPrecedence": 1000,
                "priorityLevelConfiguration": {"name": "workload-high"},
                "rules": [
                    {
                        "nonResourceRules": [{"nonResourceURLs": ["*"], "verbs": ["*"]}],
                        "resourceRules": [
                            {
                                "apiGroups": ["*"],
                                "clusterScope": True,
                                "namespaces": ["*"],
                                "resources": ["*"],
                                "verbs": ["*"],
                            }
                        ],
                        "subjects": SUBJECTS,
                    }
                ],
            },
        },
    )


@pytest.mark.parametrize(
    ("version", "kubernetes_version", "api"),
    [
        ("0.33.0", "1.25", "v1beta2"),
        ("0.33.0", "1.26", "v1beta3"),
        ("0.33.0", "1.28", "v1beta3"),
        ("0.37.8", "1.29", "v1"),
        ("1.14.1", "1.36", "v1"),
        ("1.1.10", None, "v1beta3"),
        ("1.2.0", None, "v1"),
        ("1.2.0", "${Token[Version.1]}", "v1"),
    ],
)
def test_the_api_version_is_one_that_the_cluster_serves(version, kubernetes_version, api):
    found = {schema["apiVersion"] for schema in schemas(version, kubernetes_version=kubernetes_version)}
    assert found == {f"flowcontrol.apiserver.k8s.io/{api}"}
