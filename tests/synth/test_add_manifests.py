"""YAML that people have, on the construct."""

from __future__ import annotations

import functools

import pytest
from aws_cdk import Stack, aws_iam
from aws_cdk.assertions import Annotations, Match

from karpenter_construct import Karpenter, SettingsError

from . import clusters, karpenters
from .node_manifests import applied, lines, manifests, waits_for, warnings
from .trees import unchanged

OLD = """\
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: batch
spec:
  ttlSecondsAfterEmpty: 30
  ttlSecondsUntilExpired: 604800
  requirements:
  - key: karpenter.sh/capacity-type
    operator: In
    values: [on-demand]
  - {key: kubernetes.io/os, operator: In, values: [linux]}
  - {key: kubernetes.io/arch, operator: In, values: [arm64]}
  - {key: karpenter.k8s.aws/instance-family, operator: In, values: [m7g]}
  limits:
    resources:
      cpu: 100
  providerRef:
    name: bottle
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata:
  name: bottle
spec:
  amiFamily: Bottlerocket
  subnetSelector:
    karpenter.sh/discovery: prod
  securityGroupSelector:
    karpenter.sh/discovery: prod
  metadataOptions:
    httpEndpoint: enabled
    httpProtocolIPv6: disabled
    httpPutResponseHopLimit: 2
    httpTokens: required
"""

NEW = """\
apiVersion: v1
kind: List
items:
- apiVersion: autoscaling.x-k8s.io/v1beta1
  kind: CapacityBuffer
  metadata: {name: spare, namespace: shop}
  spec:
    podTemplateRef: {name: chunk}
    replicas: 2
- apiVersion: karpenter.sh/v1alpha1
  kind: NodeOverlay
  metadata: {name: cheap}
  spec:
    requirements: []
    priceAdjustment: -10%
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: batch}
  spec:
    template:
      spec:
        nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: own}
        requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/os, operator: In, values: [linux]}
    disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 1m}
    limits: {cpu: 10}
- apiVersion: karpenter.k8s.aws/v1
  kind: EC2NodeClass
  metadata: {name: own}
  spec:
    amiSelectorTerms: [{alias: al2023@v20260810}]
    subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
    securityGroupSelectorTerms: [{id: sg-0a}]
    role: nodes
"""

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: own}
spec:
  amiSelectorTerms: [{alias: al2023@v20260810}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{id: sg-0a}]
  role: nodes
"""


def karpenter(version: str = "1.14.1", **fields) -> Karpenter:
    stack = clusters.stack()
    role = aws_iam.Role.from_role_name(stack, "Nodes", "nodes")
    cluster = clusters.imported_classic(stack)
    return Karpenter(
        stack,
        "Karpenter",
        cluster=cluster,
        version=version,
        **{**karpenters.ROLES_ALONE, "node_role": role, **fields},
    )


@functools.cache
def untouched() -> Karpenter:
    """One that several tests are refused by: what is refused leaves nothing behind."""
    return karpenter()


def stack_of(installed: Karpenter) -> Stack:
    return Stack.of(installed)


def infos(stack: Stack) -> list[str]:
    found = Annotations.from_stack(stack).find_info("*", Match.any_value())
    return [entry.entry.data for entry in found]


def test_the_oldest_generation_is_written_for_the_newest_release():
    installed = karpenter()
    handles = installed.add_manifests(OLD)
    assert [(one.kind, one.name) for one in handles] == [("EC2NodeClass", "bottle"), ("NodePool", "batch")]
    node_class, pool = manifests(stack_of(installed)).values()
    assert node_class == {
        "apiVersion": "karpenter.k8s.aws/v1",
        "kind": "EC2NodeClass",
        "metadata": {"name": "bottle"},
        "spec": {
            "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "prod"}}],
            "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "prod"}}],
            "amiSelectorTerms": [{"alias": "bottlerocket@latest"}],
            "role": "nodes",
            "metadataOptions": {
                "httpEndpoint": "enabled",
                "httpProtocolIPv6": "disabled",
                "httpPutResponseHopLimit": 2,
                "httpTokens": "required",
            },
        },
    }
    assert pool == {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "batch"},
        "spec": {
            "template": {
                "spec": {
                    "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "bottle"},
                    "expireAfter": "604800s",
                    "requirements": [
                        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
                        {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
                        {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]},
                        {"key": "karpenter.k8s.aws/instance-family", "operator": "In", "values": ["m7g"]},
                    ],
                }
            },
            "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "30s"},
            "limits": {"cpu": 100},
        },
    }


def test_changed_meanings_are_warnings_with_one_id():
    installed = karpenter()
    installed.add_manifests(OLD)
    changed = [line for line in warnings(stack_of(installed)) if "changedMeaning" in line]
    assert changed == [
        "<text>:5: spec: from Karpenter 0.34 on a tenth of a pool's nodes is disrupted at once at most, unless budgets "
        "say otherwise [ack: karpenter-construct:changedMeaning]",
        "<text>:5: spec: nodes that no longer match their pool or class are replaced (drift), which releases before "
        "0.33 did only with the feature gate driftEnabled [ack: karpenter-construct:changedMeaning]",
        "<text>:7: spec.ttlSecondsUntilExpired: a node that expires is drained at once from Karpenter 1.0 on, whatever "
        "budgets say; terminationGracePeriod limits how long that takes [ack: karpenter-construct:changedMeaning]",
    ]


def test_what_was_left_out_is_an_info():
    installed = karpenter()
    installed.add_manifests(
        {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "own"},
            "spec": {"amiSelectorTerms": [{"alias": "al2023@v20260810"}], "role": "nodes"},
            "status": {"instanceProfile": "prod_123"},
        }
    )
    assert infos(stack_of(installed)) == ["objects[0]: status: is what Karpenter found, and is left out"]


def test_every_kind_is_applied_those_that_others_refer_to_first():
    installed = karpenter(feature_gates={"nodeOverlay": True, "capacityBuffer": True})
    handles = installed.add_manifests(NEW)
    assert [one.node.id for one in handles] == [
        "EC2NodeClass-own",
        "NodePool-batch",
        "NodeOverlay-cheap",
        "CapacityBuffer-shop-spare",
    ]
    assert applied(stack_of(installed)) == [
        "CapacityBuffer shop/spare",
        "EC2NodeClass own",
        "NodeOverlay cheap",
        "NodePool batch",
    ]
    assert waits_for(stack_of(installed), "NodePool", "batch") == ["KarpenterEC2NodeClassown"]


def test_a_handle_of_a_file_is_a_handle_as_any_other():
    installed = karpenter(feature_gates={"nodeOverlay": True, "capacityBuffer": True})
    own, *_ = installed.add_manifests(NEW)
    installed.add_node_pool("more", node_class=own)
    assert waits_for(stack_of(installed), "NodePool", "more") == ["KarpenterEC2NodeClassown"]


def test_a_path_is_read(tmp_path):
    installed = karpenter()
    file = tmp_path / "pools.yaml"
    file.write_text(OLD)
    assert [one.name for one in installed.add_manifests(str(file))] == ["bottle", "batch"]


def test_the_same_file_is_written_for_an_old_release():
    installed = karpenter("0.31.5")
    installed.add_manifests(OLD)
    assert applied(stack_of(installed)) == ["AWSNodeTemplate bottle", "Provisioner batch"]
    assert [line for line in warnings(stack_of(installed)) if "changedMeaning" in line] == []


def test_a_pool_of_a_file_takes_only_what_it_asks_for():
    installed = karpenter(ebs_csi_startup_taint=True)
    installed.add_node_class("own", ami="al2023@v20260810")
    installed.add_manifests(
        "apiVersion: karpenter.sh/v1beta1\n"
        "kind: NodePool\n"
        "metadata: {name: any}\n"
        "spec: {template: {spec: {nodeClassRef: {name: own}, requirements: []}}, disruption: {expireAfter: Never}}\n"
    )
    (pool,) = (body for body in manifests(stack_of(installed)).values() if body["kind"] == "NodePool")
    template = pool["spec"]["template"]["spec"]
    assert template["requirements"] == []
    assert template["startupTaints"] == [{"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}]


def refused(installed: Karpenter, *given: object) -> list[str]:
    with unchanged(installed, untouched), pytest.raises(SettingsError) as raised:
        installed.add_manifests(*given)
    return lines(raised.value)


def test_fails_on_every_mistake_of_all_files_at_once_and_leaves_nothing(tmp_path):
    file = tmp_path / "pools.yaml"
    file.write_text(
        OLD.replace("[on-demand]", "[on-demnd]").replace("amiFamily: Bottlerocket", "amiFamily: Bottlerock")
    )
    found = [
        line.replace(f"{tmp_path}/", "")
        for line in refused(untouched(), file, CLASS.replace("role: nodes", "role: mine"))
    ]
    assert found == [
        "pools.yaml:11 (document 1): `spec.requirements[0].values[0]`: 'karpenter.sh/capacity-type' has no such value, "
        "got 'on-demnd'; did you mean 'on-demand'?",
        "pools.yaml:26 (document 2): `spec.amiFamily`: must be one of 'AL2', 'AL2023', 'Bottlerocket', 'Ubuntu', "
        "'Custom', 'Windows2019', 'Windows2022', 'Windows2025', got 'Bottlerock'; did you mean 'Bottlerocket'?",
        "<text>:8 (document 1): `spec.role`: is none of the node roles of this Karpenter, which may pass no other, got "
        "'mine'; pass the role in `node_role` too",
    ]


def test_fails_on_a_role_that_the_karpenter_may_not_pass():
    installed = karpenter(feature_gates={"nodeOverlay": True, "capacityBuffer": True})
    assert refused(installed, NEW.replace("role: nodes", "role: mine")) == [
        "<text>:35 (document 1): `items[3].spec.role`: is none of the node roles of this Karpenter, which may pass no "
        "other, got 'mine'; pass the role in `node_role` too"
    ]


def test_a_role_among_several_is_taken():
    stack = clusters.stack()
    roles = [aws_iam.Role.from_role_name(stack, name, name) for name in ("general", "nodes")]
    installed = Karpenter(
        stack,
        "Karpenter",
        cluster=clusters.imported_classic(stack),
        version="1.14.1",
        node_role=roles,
        feature_gates={"nodeOverlay": True, "capacityBuffer": True},
        **karpenters.ROLES_ALONE,
    )
    installed.add_manifests(NEW)
    node_class = next(body for body in manifests(stack).values() if body["kind"] == "EC2NodeClass")
    assert node_class["spec"]["role"] == "nodes"


def test_warns_of_an_instance_profile_of_a_file_beside_a_role_made_here():
    installed = karpenter(node_role=None)
    installed.add_manifests(
        OLD.replace("  amiFamily: B", "  instanceProfile: KarpenterNodeInstanceProfile-prod\n  amiFamily: B")
    )
    assert [line for line in warnings(stack_of(installed)) if "otherInstanceProfile" in line] == [
        "`node_classes['bottle'].instance_profile`: Karpenter may pass the role made here and no other, so "
        "'KarpenterNodeInstanceProfile-prod' must have that role; pass the role that it has in `node_role` "
        "[ack: karpenter-construct:otherInstanceProfile]"
    ]


def test_fails_on_overlays_and_buffers_while_their_gates_are_off():
    assert refused(untouched(), NEW) == [
        "<text>:7 (document 1): `items[0].spec`: does nothing while the feature gate 'capacityBuffer' is off; pass "
        "feature_gates={'capacityBuffer': True}",
        "<text>:13 (document 1): `items[1].spec`: does nothing while the feature gate 'nodeOverlay' is off; pass "
        "feature_gates={'nodeOverlay': True}",
    ]


def test_fails_on_a_file_that_was_added_already():
    installed = karpenter()
    installed.add_manifests(OLD)
    assert refused(installed, OLD) == [
        "<text>:5 (document 1): `spec`: is there already, as Test/Karpenter/NodePool-batch; give each its own name",
        "<text>:25 (document 2): `spec`: is there already, as Test/Karpenter/EC2NodeClass-bottle; give each its own "
        "name",
    ]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (3, "manifests: must be a path, a text, or mappings, got 3"),
        ("pools.yaml", "pools.yaml: there is no such file"),
        ("a: [", "<text>:1: is not YAML: while parsing a flow node, did not find expected node content"),
        ("kind: Pod\n", "<text>:1 (document 1): `apiVersion`: is required, as a string"),
        (
            "- 1\n",
            "<text>:1 (document 1): must be an object with apiVersion, kind, metadata and spec, got [1]",
        ),
    ],
    ids=["number", "missing file", "no YAML", "no object", "a list"],
)
def test_fails_on_what_is_no_manifest(given, line):
    assert refused(untouched(), given) == [line]
