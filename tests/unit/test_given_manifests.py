"""Node objects from YAML, read and checked for one Karpenter."""

from __future__ import annotations

import pytest

from karpenter_construct._node_objects.defaults import NodeDefaults
from karpenter_construct._node_objects.given_manifests import GivenManifests, read_for
from karpenter_construct._node_objects.objects import NodeObjects
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm

DEFAULTS = NodeDefaults(
    subnet_selector_terms=(SubnetSelectorTerm(id="subnet-0a"),),
    security_group_selector_terms=(SecurityGroupSelectorTerm(id="sg-0a"),),
    role="nodes",
    known_roles=("nodes",),
)

PROVISIONER = """\
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: old
spec:
  consolidation:
    enabled: true
  ttlSecondsUntilExpired: 2592000
  requirements:
  - key: karpenter.sh/capacity-type
    operator: In
    values: [spot]
  - key: kubernetes.io/os
    operator: In
    values: [linux]
  - key: kubernetes.io/arch
    operator: In
    values: [amd64]
  - key: karpenter.k8s.aws/instance-category
    operator: In
    values: [c]
  - key: karpenter.k8s.aws/instance-generation
    operator: Gt
    values: ['2']
  limits:
    resources:
      cpu: 10
  providerRef:
    name: template
"""

NODE_TEMPLATE = """\
---
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata:
  name: template
spec:
  amiFamily: Bottlerocket
  subnetSelector: {karpenter.sh/discovery: prod}
  securityGroupSelector: {karpenter.sh/discovery: prod}
  metadataOptions:
    httpPutResponseHopLimit: 2
    httpEndpoint: enabled
    httpProtocolIPv6: disabled
    httpTokens: required
"""

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: own
spec:
  amiSelectorTerms:
  - alias: al2023@v20260810
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  role: elsewhere
"""

POOL = """\
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: new
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: own}
      requirements: []
"""


def objects(version: str = "1.14.1", **gates) -> NodeObjects:
    return NodeObjects(KarpenterVersion.parse(version), DEFAULTS, gates)


def read(*given, version: str = "1.14.1", **gates) -> GivenManifests:
    return read_for(objects(version, **gates), given)


def refused(*given, version: str = "1.14.1", **gates) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        read(*given, version=version, **gates)
    return [str(problem) for problem in raised.value.problems]


def test_reads_the_oldest_generation_for_the_newest_release():
    found = read(PROVISIONER + NODE_TEMPLATE)
    assert [model.path for model in found.models] == ["node_classes['template']", "node_pools['old']"]


def test_says_what_means_something_else_apart_from_what_was_converted():
    found = read(PROVISIONER + NODE_TEMPLATE)
    assert [str(note) for note in found.changed] == [
        "<text>:5: spec: nodes that no longer match their pool or class are replaced (drift), which releases before "
        "0.33 did only with the feature gate driftEnabled",
        "<text>:5: spec: from Karpenter 0.34 on a tenth of a pool's nodes is disrupted at once at most, unless budgets "
        "say otherwise",
        "<text>:8: spec.ttlSecondsUntilExpired: a node that expires is drained at once from Karpenter 1.0 on, whatever "
        "budgets say; terminationGracePeriod limits how long that takes",
    ]
    assert found.converted == ()


def test_says_nothing_where_nothing_changes():
    found = read(CLASS.replace("elsewhere", "nodes") + POOL)
    assert (found.changed, found.converted) == ((), ())


def test_says_what_was_left_out():
    status = CLASS.replace("elsewhere", "nodes") + "status: {}\n"
    assert [str(note) for note in read(status).converted] == [
        "<text>:11: status: is what Karpenter found, and is left out"
    ]


def test_a_class_that_the_karpenter_has_need_not_be_in_the_file():
    known = objects()
    known.keep(EC2NodeClass(name="own"), "Stack/Karpenter/EC2NodeClass-own")
    assert [model.path for model in read_for(known, [POOL]).models] == ["node_pools['new']"]


def test_fails_on_a_class_that_is_nowhere():
    assert refused(POOL) == [
        "<text>:9 (document 1): `spec.template.spec.nodeClassRef.name`: there is no such node class, got 'own', known "
        "so far are none; add the class before its pools"
    ]


def test_fails_on_a_role_that_is_none_of_the_karpenters():
    assert refused(CLASS) == [
        "<text>:10 (document 1): `spec.role`: is none of the node roles of this Karpenter, which may pass no other, "
        "got 'elsewhere'; pass the role in `node_role` too"
    ]


def test_fails_on_a_name_that_is_taken():
    known = objects()
    known.keep(EC2NodeClass(name="own"), "Stack/Karpenter/EC2NodeClass-own")
    with pytest.raises(SettingsError) as raised:
        read_for(known, [CLASS.replace("elsewhere", "nodes")])
    assert str(raised.value) == (
        "<text>:5 (document 1): `spec`: is there already, as Stack/Karpenter/EC2NodeClass-own; give each its own name"
    )


def test_fails_on_what_cannot_be_read_and_on_what_cannot_be_applied_in_the_order_of_the_files(tmp_path):
    first = tmp_path / "first.yaml"
    first.write_text(CLASS + "  amiFamly: AL2\n" + POOL.replace("requirements: []", "requirements: 3"))
    second = POOL.replace("name: new", "name: newer").replace(
        "    spec:\n      nodeC", "    spec:\n      taint: []\n      nodeC"
    )
    lines = [line.replace(str(tmp_path), "") for line in refused(first, second)]
    assert lines == [
        "/first.yaml:11 (document 1): `spec.amiFamly`: is no field of EC2NodeClass in karpenter.k8s.aws/v1; did you "
        "mean 'amiFamily'?",
        "/first.yaml:21 (document 2): `spec.template.spec.requirements`: must be a list, got 3",
        "<text>:9 (document 1): `spec.template.spec.taint`: is no field of NodePool in karpenter.sh/v1; did you "
        "mean 'taints'?",
    ]


def test_fails_on_an_overlay_whose_gate_is_off():
    overlay = {
        "apiVersion": "karpenter.sh/v1alpha1",
        "kind": "NodeOverlay",
        "metadata": {"name": "o"},
        "spec": {"requirements": [], "priceAdjustment": "-10%"},
    }
    assert refused(overlay, nodeOverlay=False) == [
        "objects[0]: `spec`: does nothing while the feature gate 'nodeOverlay' is off; pass "
        "feature_gates={'nodeOverlay': True}"
    ]
    assert [model.path for model in read(overlay, nodeOverlay=True).models] == ["node_overlays['o']"]


@pytest.mark.parametrize(
    "given", [[""], ["---\n"], [[]], []], ids=["empty text", "empty document", "no objects", "none"]
)
def test_fails_on_manifests_that_hold_nothing(given):
    assert refused(*given) == ["`manifests`: hold no node object; check that the file is the right one"]


def test_fails_on_a_file_that_is_not_there():
    assert refused("pools.yaml") == ["pools.yaml: there is no such file"]
