"""Every example runs, makes what its first line says, and gives no reason to be warned."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.synth import apps, clusters, karpenters

layer = pytest.importorskip("aws_cdk.lambda_layer_kubectl_v36", reason="the kubectl layer is not installed")

MOST_LINES = 60
CHART, MANIFEST = "Custom::AWSCDK-EKS-HelmChart", "Custom::AWSCDK-EKS-KubernetesResource"
TAGS = "Custom::KarpenterDiscoveryTags"
ENTRY, IDENTITY, NODEGROUP = (
    "AWS::EKS::AccessEntry",
    "AWS::EKS::PodIdentityAssociation",
    "AWS::EKS::Nodegroup",
)
PROFILE, ENDPOINT = "AWS::EKS::FargateProfile", "AWS::EC2::VPCEndpoint"

# By example, stack and type, the number of resources below the construct Karpenter.
MADE: dict[str, dict[str, dict[str, int]]] = {
    "classic": {"Classic": {CHART: 2, MANIFEST: 2, IDENTITY: 1, TAGS: 1}},
    "v2_pod_identity": {
        "V2PodIdentity": {CHART: 2, MANIFEST: 2, ENTRY: 1, IDENTITY: 1, NODEGROUP: 1, TAGS: 1}
    },
    "imported_cluster": {"ImportedCluster": {CHART: 2, MANIFEST: 2, ENTRY: 1, IDENTITY: 1}},
    "other_stack": {
        "OtherStackCluster": {},
        "OtherStackKarpenter": {CHART: 2, MANIFEST: 2, ENTRY: 1, IDENTITY: 1, TAGS: 1},
    },
    "fargate": {"Fargate": {CHART: 2, MANIFEST: 2, PROFILE: 1, TAGS: 1}},
    "isolated_vpc": {
        "IsolatedVpc": {CHART: 2, MANIFEST: 2, ENTRY: 1, IDENTITY: 1, NODEGROUP: 1, ENDPOINT: 9, TAGS: 1}
    },
    "gitops": {"GitOps": {ENTRY: 1, IDENTITY: 1, TAGS: 1}},
}
COUNTED = {CHART, MANIFEST, ENTRY, IDENTITY, NODEGROUP, PROFILE, ENDPOINT, TAGS}
TESTED_ELSEWHERE = {"__init__", "reference_2023", "gitops_cdk8s"}

FILES = sorted(path for path in (apps.ROOT / "examples").glob("*.py") if path.stem not in TESTED_ELSEWHERE)


def marks(name: str) -> list[pytest.MarkDecorator]:
    group = pytest.mark.xdist_group(f"example-{name}")
    needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
    return [group, needs_eks_v2] if name.startswith("v2") else [group]


every_example = pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in MADE])


def test_examples_are_those_of_the_table():
    assert [path.stem for path in FILES] == sorted(MADE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_is_short(path: Path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@every_example
def test_example_makes(name: str):
    made = {
        stack: dict(
            Counter(
                resource["Type"]
                for logical_id, resource in template.get("Resources", {}).items()
                if logical_id.startswith("Karpenter") and resource["Type"] in COUNTED
            )
        )
        for stack, template in apps.templates(f"examples/{name}.py").items()
    }
    assert made == MADE[name]


@every_example
def test_example_gives_no_warning(name: str):
    """Of Karpenter; CDK has some of its own."""
    assert [
        text for text in warnings(apps.assembly(f"examples/{name}.py")) if "karpenter-construct:" in text
    ] == []


def test_fails_to_overlook_a_warning():
    stack = clusters.stack()
    karpenters.karpenter("imported_classic", stack).add_node_pool("default")
    found = warnings(Path(stack.node.root.synth().directory))
    assert [re.findall(r"ack: (karpenter-construct:\w+)", text) for text in found] == [
        ["karpenter-construct:amiLatest"]
    ]


def warnings(assembly: Path) -> list[str]:
    """The warnings in a cloud assembly. CDK writes them into its manifest, or into a file beside it."""
    artifacts = json.loads((assembly / "manifest.json").read_text(encoding="utf-8"))["artifacts"].values()
    metadata = [artifact.get("metadata", {}) for artifact in artifacts]
    metadata += [json.loads(path.read_text(encoding="utf-8")) for path in assembly.glob("*.metadata.json")]
    entries = [entry for each in metadata for found in each.values() for entry in found]
    return [str(entry["data"]) for entry in entries if entry["type"] == "aws:cdk:warning"]


def outputs(name: str) -> dict[str, Any]:
    [template] = apps.templates(f"examples/{name}.py").values()
    return {output: body["Value"] for output, body in template["Outputs"].items()}


@pytest.mark.xdist_group("example-gitops")
def test_gitops_puts_out_all_that_the_chart_needs():
    values = outputs("gitops")
    assert values["ChartRepository"] == "oci://public.ecr.aws/karpenter/karpenter"
    assert values["ChartVersion"] == "1.14.1"
    assert values["ChartNamespace"] == "kube-system"
    assert values["NodeRoleName"] == {"Ref": "KarpenterNodeRoleEDDDDC23"}
    parts = values["ChartValues"]["Fn::Join"][1]
    text = "".join(part if isinstance(part, str) else f"<{next(iter(part))}>" for part in parts)
    settings = json.loads(text)["settings"]
    assert settings["clusterName"] == "platform"
    assert settings["interruptionQueue"] == "<Fn::GetAtt>"


@pytest.mark.xdist_group("example-isolated_vpc")
def test_isolated_vpc_takes_nothing_from_the_internet():
    [template] = apps.templates("examples/isolated_vpc.py").values()
    charts = [each["Properties"] for each in template["Resources"].values() if each["Type"] == CHART]
    assert [chart["Repository"] for chart in charts] == [
        "oci://111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter-crd",
        "oci://111122223333.dkr.ecr.eu-west-1.amazonaws.com/karpenter",
    ]
    classes = [
        json.dumps(body["Properties"]["Manifest"])
        for logical_id, body in template["Resources"].items()
        if logical_id.startswith("KarpenterEC2NodeClass")
    ]
    assert ["instanceProfile" in text and '\\"role\\"' not in text for text in classes] == [True]
