"""The two stacks of app.py: what a user would write today, and the stack of 2023."""

from __future__ import annotations

import json
from typing import Any

import pytest

from . import apps

pytest.importorskip("aws_cdk.lambda_layer_kubectl_v36", reason="a kubectl layer of app.py is not installed")
pytest.importorskip("aws_cdk.lambda_layer_kubectl_v26", reason="a kubectl layer of app.py is not installed")
pytestmark = pytest.mark.xdist_group("app")

DEMO, REFERENCE = "KarpenterDemo", "KarpenterReference2023"


def properties(stack: str, resource_type: str) -> list[dict[str, Any]]:
    resources = apps.templates("app.py")[stack]["Resources"].values()
    return [resource["Properties"] for resource in resources if resource["Type"] == resource_type]


def test_app_has_two_stacks():
    assert set(apps.templates("app.py")) == {DEMO, REFERENCE}


def test_app_is_short():
    assert len((apps.ROOT / "app.py").read_text(encoding="utf-8").splitlines()) <= 60


def test_demo_tells_how_to_reach_the_cluster():
    outputs = apps.templates("app.py")[DEMO]["Outputs"]
    assert outputs["ClusterName"]["Value"] == {"Ref": "Cluster9EE0221C"}
    command = outputs["Kubeconfig"]["Value"]["Fn::Join"][1]
    assert command == [
        "aws eks update-kubeconfig --name ",
        {"Ref": "Cluster9EE0221C"},
        " --region ",
        {"Ref": "AWS::Region"},
    ]


def test_demo_installs_the_newest_karpenter_on_the_newest_kubernetes():
    charts = properties(DEMO, "Custom::AWSCDK-EKS-HelmChart")
    assert [(chart["Chart"], chart["Version"]) for chart in charts] == [
        ("karpenter-crd", "1.14.1"),
        ("karpenter", "1.14.1"),
    ]
    [cluster] = properties(DEMO, "Custom::AWSCDK-EKS-Cluster")
    assert cluster["Config"]["version"] == "1.36"


def test_demo_has_a_class_a_spot_pool_and_an_on_demand_pool():
    manifests = [
        json.loads(each["Manifest"])[0]
        for each in properties(DEMO, "Custom::AWSCDK-EKS-KubernetesResource")
        if isinstance(each["Manifest"], str)
    ]
    pools = {body["metadata"]["name"]: body["spec"] for body in manifests if body["kind"] == "NodePool"}
    assert {name: spec["weight"] for name, spec in pools.items()} == {"spot": 20, "on-demand": 10}
    assert {spec["template"]["spec"]["nodeClassRef"]["name"] for spec in pools.values()} == {"general"}


def test_snapshot_of_the_reference_stack(snapshot):
    """The stack of 2023 has to stay as it is: whoever has deployed it updates this library, not the cluster."""
    snapshot(REFERENCE, apps.templates("app.py")[REFERENCE])


def test_the_pool_and_the_template_of_2023():
    applied = properties(REFERENCE, "Custom::AWSCDK-EKS-KubernetesResource")
    manifests = [json.loads(each["Manifest"]) for each in applied if isinstance(each["Manifest"], str)]
    assert manifests == [
        [
            {
                "apiVersion": "karpenter.k8s.aws/v1alpha1",
                "kind": "AWSNodeTemplate",
                "metadata": {"name": "default"},
                "spec": {
                    "subnetSelector": {"karpenter.sh/discovery": "dev"},
                    "securityGroupSelector": {"karpenter.sh/discovery": "dev"},
                    "amiFamily": "AL2",
                },
            }
        ],
        [
            {
                "apiVersion": "karpenter.sh/v1alpha5",
                "kind": "Provisioner",
                "metadata": {"name": "default"},
                "spec": {
                    "providerRef": {"name": "default"},
                    "requirements": [
                        {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["t3"]},
                        {
                            "key": "karpenter.k8s.aws/instance-size",
                            "operator": "In",
                            "values": ["small", "medium", "large"],
                        },
                        {
                            "key": "topology.kubernetes.io/zone",
                            "operator": "In",
                            "values": ["us-east-1a", "us-east-1b"],
                        },
                    ],
                    "consolidation": {"enabled": True},
                    "ttlSecondsUntilExpired": 2592000,
                },
            }
        ],
    ]
