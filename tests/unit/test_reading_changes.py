"""What was read is fitted to one release: kubelet settings move, and other meanings are noted."""

from __future__ import annotations

import pytest

from karpenter_construct._reading.changes import fit
from karpenter_construct.errors import Problem
from karpenter_construct.kubelet import Kubelet
from karpenter_construct.releases import KarpenterVersion
from tests.unit.reading import read

CLASS = """\
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiFamily: AL2
  metadataOptions: {httpPutResponseHopLimit: 2}
"""


def pool(name, kubelet="", more=""):
    return f"""\
---
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {{name: {name}}}
spec:
  template:
    metadata: {{annotations: {{{more}}}}}
    spec:
      nodeClassRef: {{name: default}}
      requirements: []
      kubelet: {{{kubelet}}}
  disruption: {{expireAfter: Never}}
"""


def fitted(text, version="1.14.1"):
    return fit(read(text), KarpenterVersion.parse(version))


def kubelets(found):
    return {node_class.name: node_class.kubelet for node_class in found.node_classes}


def classes(found):
    return {pool.name: pool.node_class for pool in found.node_pools}


def said(found):
    return [str(note) for note in found.notes]


# Kubelet settings


@pytest.mark.parametrize(("version", "moves"), [("0.37.8", False), ("1.0.0", True)])
def test_kubelet_moves_into_the_class_from_1_0_on(version, moves):
    found = fitted(CLASS + pool("a", "maxPods: 20"), version)
    assert kubelets(found) == {"default": Kubelet(max_pods=20) if moves else None}
    assert found.node_pools[0].kubelet == (None if moves else Kubelet(max_pods=20))
    assert classes(found) == {"a": "default"}
    assert said(found) == (
        ["<text>:17: spec.template.spec.kubelet: moves to the node class default"] if moves else []
    )


def test_pools_that_agree_share_their_class():
    found = fitted(CLASS + pool("a", "maxPods: 20") + pool("b", "maxPods: 20"))
    assert kubelets(found) == {"default": Kubelet(max_pods=20)}
    assert classes(found) == {"a": "default", "b": "default"}


def test_pools_that_differ_get_a_class_each():
    found = fitted(
        CLASS + pool("a", "maxPods: 20") + pool("b") + pool("c", "maxPods: 30") + pool("d", "maxPods: 20")
    )
    assert kubelets(found) == {
        "default": Kubelet(max_pods=20),
        "default-b": None,
        "default-c": Kubelet(max_pods=30),
    }
    assert classes(found) == {"a": "default", "b": "default-b", "c": "default-c", "d": "default"}
    assert [pool.kubelet for pool in found.node_pools] == [None] * 4
    assert said(found) == [
        "<text>:17: spec.template.spec.kubelet: moves to the node class default",
        "<text>:53: spec.template.spec.kubelet: moves to the node class default",
        "<text>:27: spec.template.spec.nodeClassRef.name: is now default-b for b: kubelet settings belong to the "
        "class, and "
        "pools of default differ in theirs",
        "<text>:39: spec.template.spec.nodeClassRef.name: is now default-c for c: kubelet settings belong to the "
        "class, and "
        "pools of default differ in theirs",
        "<text>:41: spec.template.spec.kubelet: moves to the node class default-c",
    ]


def test_new_name_of_a_class_is_not_one_that_is_taken():
    other = CLASS.replace("default", "default-b")
    found = fitted(f"{CLASS}---\n{other}" + pool("a", "maxPods: 20") + pool("b", "maxPods: 30"))
    assert list(kubelets(found)) == ["default", "default-b-kubelet", "default-b"]
    assert classes(found) == {"a": "default", "b": "default-b-kubelet"}


def test_kubelet_stays_where_the_class_is_unknown():
    found = fitted(pool("a", "maxPods: 20"))
    assert found.node_pools[0].kubelet == Kubelet(max_pods=20)


def test_kubelet_of_a_class_holds_for_its_silent_pools():
    text = CLASS.replace("v1beta1", "v1").replace("  amiFamily: AL2\n", "  kubelet: {maxPods: 10}\n")
    found = fitted(text + pool("a") + pool("b", "maxPods: 20"))
    assert kubelets(found) == {"default": Kubelet(max_pods=10), "default-b": Kubelet(max_pods=20)}


def test_nothing_changes_without_kubelets():
    before = read(CLASS + pool("a"))
    assert fit(before, KarpenterVersion.parse("1.14.1")) == before


def test_problems_of_moved_settings_are_where_they_came_from():
    found = fitted(CLASS + pool("a") + pool("b", "maxPods: 20"))
    placed = found.placed(Problem("node_classes['default-b'].kubelet.max_pods", "is wrong"))
    assert str(placed) == "<text>:29 (document 3): `spec.template.spec.kubelet.maxPods`: is wrong"
    placed = found.placed(Problem("node_classes['default-b'].ami_family", "is wrong"))
    assert str(placed) == "<text>:5 (document 1): `spec.amiFamily`: is wrong"


# Other meanings

PROVISIONER = """\
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: %s}
spec:
  consolidation: {enabled: true}
  ttlSecondsUntilExpired: 60
  providerRef: {name: default}
  requirements:
  - {key: kubernetes.io/os, operator: Exists}
  - {key: kubernetes.io/arch, operator: Exists}
  - {key: karpenter.sh/capacity-type, operator: Exists}
  - {key: node.kubernetes.io/instance-type, operator: Exists}
"""
DRIFT = (
    "<text>:4: spec: nodes that no longer match their pool or class are replaced (drift), which releases before "
    "0.33 did "
    "only with the feature gate driftEnabled"
)
BUDGET = (
    "<text>:4: spec: from Karpenter 0.34 on a tenth of a pool's nodes is disrupted at once at most, unless budgets say "
    "otherwise"
)
EXPIRY = (
    "a node that expires is drained at once from Karpenter 1.0 on, whatever budgets say; terminationGracePeriod limits "
    "how long that takes"
)


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("0.31.5", []),
        ("0.32.10", []),
        ("0.33.0", [DRIFT]),
        ("0.34.0", [DRIFT, BUDGET]),
        ("1.0.0", [DRIFT, BUDGET, f"<text>:6: spec.ttlSecondsUntilExpired: {EXPIRY}"]),
    ],
)
def test_provisioner_means_something_else(version, lines):
    assert said(fitted(PROVISIONER % "a", version)) == lines


def test_drift_is_noted_once():
    found = said(fitted(PROVISIONER % "a" + "---\n" + PROVISIONER % "b"))
    assert [note for note in found if "drift" in note] == [DRIFT]
    assert len([note for note in found if EXPIRY in note]) == 2


@pytest.mark.parametrize(("version", "lines"), [("0.37.8", []), ("1.0.0", [EXPIRY])])
def test_expiry_of_v1beta1_pools_by_default(version, lines):
    text = pool("a").replace("  disruption: {expireAfter: Never}\n", "")
    assert said(fitted(text, version)) == [f"<text>:5: spec.disruption.expireAfter: {line}" for line in lines]


@pytest.mark.parametrize("annotation", ["karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate"])
@pytest.mark.parametrize(("version", "count"), [("0.37.8", 0), ("1.0.0", 1)])
def test_old_annotations(annotation, version, count):
    assert (
        said(fitted(pool("a", more=f"{annotation}: 'true'"), version))
        == [
            "<text>:7: spec.template.metadata.annotations: Karpenter 1.0 and later know "
            "karpenter.sh/do-not-disrupt, not "
            "do-not-evict and do-not-consolidate"
        ]
        * count
    )


V1 = """
        apiVersion: karpenter.sh/v1
        kind: NodePool
        metadata: {name: a}
        spec:
          template:
            spec:
              nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
              requirements: []
    """


@pytest.mark.parametrize("version", ["1.0.0", "1.14.1"])
def test_v1_means_what_it_means(version):
    assert said(fitted(V1, version)) == []


EXPIRES_LATER = (
    "<text>:7: spec.template.spec.expireAfter: a node that expires goes before Karpenter 1.0 only when its pods may be "
    "moved, not at once"
)
UNLIMITED = (
    "<text>:5: spec.disruption: nothing limits how many nodes are disrupted at once before Karpenter 0.34; v1 lets a "
    "tenth of them go"
)
NO_DRIFT = (
    "<text>:5: spec: nodes that no longer match their pool or class are replaced (drift) before Karpenter 0.33 only "
    "with the feature gate driftEnabled"
)


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        ("0.37.8", [EXPIRES_LATER]),
        ("0.34.0", [EXPIRES_LATER]),
        ("0.33.12", [UNLIMITED, EXPIRES_LATER]),
        ("0.32.10", [NO_DRIFT, UNLIMITED, EXPIRES_LATER]),
        ("0.31.5", [NO_DRIFT, UNLIMITED, EXPIRES_LATER]),
    ],
)
def test_v1_means_something_else_before(version, lines):
    assert said(fitted(V1, version)) == lines


def test_what_v1_says_itself_is_not_noted():
    text = V1.replace("template:", "disruption: {consolidateAfter: 0s, budgets: []}\n          template:")
    text = text.replace("requirements: []", "requirements: []\n              expireAfter: Never")
    assert said(fitted(text, "0.33.12")) == []


@pytest.mark.parametrize(("version", "count"), [("0.31.5", 1), ("0.32.10", 0)])
def test_new_annotation(version, count):
    text = V1.replace(
        "template:", "template:\n            metadata: {annotations: {karpenter.sh/do-not-disrupt: 'true'}}"
    )
    lines = [
        "<text>:7: spec.template.metadata.annotations: Karpenter before 0.32 knows do-not-evict and do-not-consolidate"
        ", not karpenter.sh/do-not-disrupt"
    ]
    assert [line for line in said(fitted(text, version)) if "annotations" in line] == lines * count
