"""v1's own objects, whose words the models speak."""

from __future__ import annotations

import pytest

from karpenter_construct.capacity_buffer import CapacityBuffer, ScalableRef
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import Disruption
from karpenter_construct.requirements import In
from tests.unit.reading import mistakes, notes, read

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
"""
CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: nodes
"""
OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata:
  name: discount
spec:
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}]
  price: "0.25"
"""
BUFFER = """
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata:
  name: headroom
  namespace: web
spec:
  scalableRef: {apiGroup: apps, kind: Deployment, name: web}
  percentage: 20
"""


def test_pool_that_says_nothing():
    found = read(POOL).node_pools[0]
    assert (found.disruption, found.expire_after, found.limits) == (None, "720h", None)
    assert notes(POOL) == []


def test_disruption():
    found = read(POOL + "  disruption: {consolidateAfter: 1m}\n").node_pools[0]
    assert found.disruption == Disruption(consolidate_after="1m")


def test_class_takes_nothing_from_defaults():
    found = read(CLASS).node_classes[0]
    assert found.model_fields_set == {"name", "role"}


def test_overlay():
    assert read(OVERLAY).node_overlays == (
        NodeOverlay(
            name="discount", requirements=[In("node.kubernetes.io/instance-type", "m5.large")], price="0.25"
        ),
    )


def test_buffer():
    assert read(BUFFER).capacity_buffers == (
        CapacityBuffer(
            name="headroom",
            namespace="web",
            scalable_ref=ScalableRef(api_group="apps", kind="Deployment", name="web"),
            percentage=20,
        ),
    )


def test_buffer_without_a_namespace_is_in_the_default_one():
    assert read(BUFFER.replace("  namespace: web\n", "")).capacity_buffers[0].namespace == "default"


def test_kubelet_of_the_conversion_webhook_is_the_pools():
    annotation = (
        "  annotations:\n    compatibility.karpenter.sh/v1beta1-kubelet-conversion: '{\"maxPods\": 20}'\n"
    )
    text = POOL.replace("  name: default\nspec", f"  name: default\n{annotation}spec")
    assert read(text).node_pools[0].kubelet == Kubelet(max_pods=20)
    assert notes(text) == [
        "<text>:7: metadata.annotations['compatibility.karpenter.sh/v1beta1-kubelet-conversion']: holds kubelet "
        "settings, "
        "which become the pool's or its class's"
    ]


@pytest.mark.parametrize("value", ["'{'", "'[1]'", "5", '"' + "[" * 100_000 + '"'])
def test_fails_for_a_broken_kubelet_of_the_webhook(value):
    annotation = f"  annotations:\n    compatibility.karpenter.sh/v1beta1-kubelet-conversion: {value}\n"
    lines = mistakes(POOL.replace("  name: default\nspec", f"  name: default\n{annotation}spec"))
    assert len(lines) == 1
    assert lines[0].startswith(
        "<text>:7 (document 1): `metadata.annotations['compatibility.karpenter.sh/v1beta1-kubelet-conversion']`: "
        "must be a "
        "JSON object, got "
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            POOL.replace("      requirements: []\n", ""),
            ["8 (document 1): `spec.template.spec.requirements`: is required"],
        ),
        (
            POOL.replace("group: karpenter.k8s.aws, kind: EC2NodeClass, ", ""),
            [
                "9 (document 1): `spec.template.spec.nodeClassRef.group`: is required",
                "9 (document 1): `spec.template.spec.nodeClassRef.kind`: is required",
            ],
        ),
        (
            POOL.replace("group: karpenter.k8s.aws", "group: karpenter.azure.com"),
            [
                "9 (document 1): `spec.template.spec.nodeClassRef.group`: must be 'karpenter.k8s.aws', got "
                "'karpenter.azure.com'; no other kind of node class is known"
            ],
        ),
        (
            POOL + "  disruption: {budgets: []}\n",
            ["11 (document 1): `spec.disruption.consolidateAfter`: is required; write for example '0s'"],
        ),
        (
            POOL + "  disruption:\n    consolidateAfter: 0s\n    expireAfter: 1h\n",
            [
                "13 (document 1): `spec.disruption.expireAfter`: is no field of NodePool in karpenter.sh/v1; it "
                "belongs to spec.template.spec.expireAfter"
            ],
        ),
        (
            POOL.replace("[]", "[{key: a, operator: Gt, values: [5]}]"),
            [
                "10 (document 1): `spec.template.spec.requirements[0].values[0]`: must be a string, got 5; write '5'"
            ],
        ),
        (
            POOL.replace("[]", "[{key: a, operator: In, min_values: 1}]"),
            [
                "10 (document 1): `spec.template.spec.requirements[0].min_values`: is no field of NodePool in "
                "karpenter.sh/v1; did you mean 'minValues'?"
            ],
        ),
        (
            POOL.replace("[]", "x"),
            ["10 (document 1): `spec.template.spec.requirements`: must be a list, got 'x'; write ['x']"],
        ),
        (
            POOL.replace("[]", "[x]"),
            [
                "10 (document 1): `spec.template.spec.requirements[0]`: must be a mapping, got 'x'; write one as in "
                "{'key': 'team', 'operator': 'In', 'values': ['a']}"
            ],
        ),
        (
            POOL.replace("spec:\n  template", "spec:\n  limits: {cpu: 1.5}\n  template"),
            ["7 (document 1): `spec.limits.cpu`: must be a Kubernetes quantity, got 1.5; write '1.5'"],
        ),
        (
            POOL.replace("template:\n    spec", "template:\n    metadata: {labels: {a: on}}\n    spec"),
            [
                "8 (document 1): `spec.template.metadata.labels.a`: must be a string, got on, which YAML reads as "
                "true; "
                "write 'on'"
            ],
        ),
        (
            CLASS + "  kubelet: {kubeReserved: {cpu: 1}, systemReserved: {memory: 5}}\n",
            [
                "8 (document 1): `spec.kubelet.kubeReserved.cpu`: must be a string, got 1; write '1'",
                "8 (document 1): `spec.kubelet.systemReserved.memory`: must be a string, got 5; write '5'",
            ],
        ),
        (
            POOL.replace("requirements", "kubelet: {maxPods: 20}\n      requirements"),
            [
                "10 (document 1): `spec.template.spec.kubelet`: is no field of NodePool in karpenter.sh/v1; it belongs "
                "to the EC2NodeClass"
            ],
        ),
        (
            CLASS + "  detailedMonitoring: 'x'\n  tags: {a: ~, b: [c]}\n",
            [
                "8 (document 1): `spec.detailedMonitoring`: must be true or false, got 'x'",
                "9 (document 1): `spec.tags.a`: must be a string, got null",
                "9 (document 1): `spec.tags.b`: must be a string, got ['c']",
            ],
        ),
        (
            CLASS + "  ami: al2@latest\n",
            [
                "8 (document 1): `spec.ami`: is no field of EC2NodeClass in karpenter.k8s.aws/v1; did you mean "
                "'amiSelectorTerms'?"
            ],
        ),
        (
            CLASS + "  blockDeviceMappings:\n  - ebs:\n      volumeSize: 20\n",
            [
                "10 (document 1): `spec.blockDeviceMappings[0].ebs.volumeSize`: must be a string, got 20; write '20'",
            ],
        ),
        (
            OVERLAY.replace("requirements", "# requirements"),
            ["6 (document 1): `spec.requirements`: is required"],
        ),
        (
            BUFFER.replace("20", "'20'"),
            ["9 (document 1): `spec.percentage`: must be a whole number, got '20'; write 20"],
        ),
    ],
)
def test_fails_at(text, lines):
    assert mistakes(text) == [f"<text>:{line}" for line in lines]
