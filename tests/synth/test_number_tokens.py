"""Numbers that only the deployment knows, in requirements, whose values are texts."""

from __future__ import annotations

import pytest
from aws_cdk import CfnParameter, Stack
from aws_cdk.assertions import Template

from karpenter_construct import INSTANCE_CPU, Gt, In, Karpenter

from . import clusters, karpenters


@pytest.fixture
def installed() -> Karpenter:
    home = clusters.stack()
    cluster = clusters.imported_classic(home)
    return Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.ROLES_ALONE)


def written(home: Stack) -> str:
    """The manifest of the one pool, with references in angle brackets."""
    found = Template.from_stack(home).to_json()["Resources"]
    texts = (
        resource["Properties"]["Manifest"]
        for resource in found.values()
        if resource["Type"] == "Custom::AWSCDK-EKS-KubernetesResource"
    )
    joined = [text["Fn::Join"][1] for text in texts if '"kind":"NodePool"' in str(text)]
    return "".join(part if isinstance(part, str) else f"<{part['Ref']}>" for part in joined[0])


def test_become_texts_in_the_manifest(installed):
    home = Stack.of(installed)
    number = CfnParameter(home, "Cpus", type="Number").value_as_number
    installed.add_node_pool(
        "a", requirements=[Gt(INSTANCE_CPU, number), In(INSTANCE_CPU, 8, number)], limits={"cpu": number}
    )
    assert (
        '"requirements":[{"key":"karpenter.k8s.aws/instance-cpu","operator":"Gt","values":["<Cpus>"]},'
        '{"key":"karpenter.k8s.aws/instance-cpu","operator":"In","values":["8","<Cpus>"]}]'
    ) in written(home)
    assert '"limits":{"cpu":<Cpus>}' in written(home)


def test_become_texts_from_a_chart_too(installed):
    cdk8s = pytest.importorskip("cdk8s", reason="the extra cdk8s is not installed")
    from karpenter_construct.cdk8s import KarpenterChart, apply_chart  # noqa: PLC0415

    home = Stack.of(installed)
    number = CfnParameter(home, "Cpus", type="Number").value_as_number
    role = installed.node_role.role_name
    chart = KarpenterChart(cdk8s.App(), "Nodes", version="1.14.1", cluster_name="prod", node_role=role)
    pinned = chart.add_node_class("pinned", ami="al2023@v20260810")
    chart.add_node_pool("a", node_class=pinned, requirements=[Gt(INSTANCE_CPU, number)])
    apply_chart(home, chart, to=installed)
    assert '"operator":"Gt","values":["<Cpus>"]}' in written(home)
