"""NodePool and EC2NodeClass of v1beta1 in v1's words."""

from __future__ import annotations

import pytest

from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import MetadataOptions
from karpenter_construct.node_pool import Budget, Disruption
from karpenter_construct.selector_terms import AMISelectorTerm
from tests.unit.reading import mistakes, notes, read

POOL = """
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: {name: default}
      requirements: []
"""
CLASS = """
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata:
  name: default
spec:
  amiFamily: AL2
"""


def pool(more=""):
    return read(POOL + more).node_pools[0]


def node_class(more="", text=CLASS):
    return read(text + more).node_classes[0]


def test_pool_that_says_nothing_keeps_the_defaults_that_v1_has_too():
    found = pool()
    assert found.disruption is None
    assert found.expire_after == "720h"
    assert found.limits is None
    assert notes(POOL) == []


@pytest.mark.parametrize(
    ("fields", "policy", "after"),
    [
        ("consolidationPolicy: WhenUnderutilized", "WhenEmptyOrUnderutilized", "0s"),
        (
            "consolidationPolicy: WhenUnderutilized, consolidateAfter: Never",
            "WhenEmptyOrUnderutilized",
            "Never",
        ),
        ("consolidateAfter: Never", "WhenEmptyOrUnderutilized", "Never"),
        ("consolidationPolicy: WhenEmpty, consolidateAfter: 30s", "WhenEmpty", "30s"),
        ("consolidationPolicy: WhenEmpty, consolidateAfter: Never", "WhenEmpty", "Never"),
        ("budgets: [{nodes: '5'}]", "WhenEmptyOrUnderutilized", "0s"),
    ],
)
def test_disruption(fields, policy, after):
    found = pool(f"  disruption: {{{fields}}}\n").disruption
    assert (found.consolidation_policy, found.consolidate_after) == (policy, after)


def test_budgets():
    found = pool("  disruption:\n    budgets:\n    - {nodes: '0', schedule: '@daily', duration: 8h}\n")
    assert found.disruption == Disruption(
        consolidation_policy="WhenEmptyOrUnderutilized",
        consolidate_after="0s",
        budgets=(Budget(nodes="0", schedule="@daily", duration="8h"),),
    )


def test_expiry_alone_leaves_disruption_alone():
    found = pool("  disruption: {expireAfter: Never}\n")
    assert (found.disruption, found.expire_after) == (None, "Never")


def test_consolidation_that_is_off_stays_off():
    text = POOL + "  disruption:\n    consolidateAfter: Never\n"
    assert notes(text) == [
        "<text>:12: spec.disruption.consolidateAfter: is kept as Never, no consolidation; the conversion in "
        "Karpenter 1.0 "
        "itself would turn it on"
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            "consolidateAfter: 30s",
            "`spec.disruption.consolidateAfter`: cannot be combined with consolidationPolicy WhenUnderutilized, "
            "got '30s'; "
            "leave it out",
        ),
        (
            "consolidationPolicy: WhenEmpty",
            "`spec.disruption.consolidateAfter`: is required with consolidationPolicy WhenEmpty",
        ),
        (
            "consolidationPolicy: WhenEmpty, consolidateAfter: 30",
            "`spec.disruption.consolidateAfter`: must be a string, got 30; write '30'",
        ),
        (
            "consolidationPolicy: WhenEmpty, consolidateAfter: 1d",
            "`spec.disruption.consolidateAfter`: must be a duration or 'Never', got '1d'; use the units h, m and "
            "s, as in "
            "'720h' or '1h30m'",
        ),
        (
            "consolidationPolicy: Whenever, consolidateAfter: 1s",
            "`spec.disruption.consolidationPolicy`: must be 'WhenEmpty' or 'WhenUnderutilized', got 'Whenever'",
        ),
        (
            "consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 1s",
            "`spec.disruption.consolidationPolicy`: must be 'WhenEmpty' or 'WhenUnderutilized', got "
            "'WhenEmptyOrUnderutilized'; did you mean 'WhenUnderutilized'?",
        ),
        (
            "budgets: [{nodes: '5', reasons: [Empty]}]",
            "`spec.disruption.budgets[0].reasons`: is no field of NodePool in karpenter.sh/v1beta1; only later "
            "versions "
            "of the API have it",
        ),
    ],
)
def test_fails_for_disruption(fields, message):
    assert mistakes(f"{POOL}  disruption: {{{fields}}}\n") == [f"<text>:11 (document 1): {message}"]


def test_kubelet_stays_in_the_pool_and_takes_numbers():
    text = POOL.replace("requirements", "kubelet: {maxPods: 20, kubeReserved: {cpu: 1}}\n      requirements")
    assert read(text).node_pools[0].kubelet == Kubelet(max_pods=20, kube_reserved={"cpu": "1"})


def test_empty_resources_are_left_out():
    assert (
        read(POOL.replace("requirements", "resources: {}\n      requirements")).node_pools[0].name
        == "default"
    )


def test_fails_for_resources():
    text = POOL.replace("requirements", "resources: {requests: {cpu: 1}}\n      requirements")
    assert mistakes(text) == [
        "<text>:10 (document 1): `spec.template.spec.resources`: cannot be carried over: no release uses it; leave "
        "it out"
    ]


@pytest.mark.parametrize("version", ["karpenter.k8s.aws/v1beta1", "karpenter.k8s.aws/v1"])
def test_reference_may_name_either_version(version):
    text = POOL.replace("{name: default}", f"{{name: x, kind: EC2NodeClass, apiVersion: {version}}}")
    assert read(text).node_pools[0].node_class == "x"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("{}", "`spec.template.spec.nodeClassRef.name`: is required"),
        (
            "{name: x, kind: Other}",
            "`spec.template.spec.nodeClassRef.kind`: must be 'EC2NodeClass', got 'Other'; no other kind of node "
            "class is "
            "known",
        ),
        (
            "{name: x, apiVersion: azure/v1}",
            "`spec.template.spec.nodeClassRef.apiVersion`: must be 'karpenter.k8s.aws/v1beta1', got 'azure/v1'; no "
            "other "
            "kind of node class is known",
        ),
        (
            "{name: x, group: karpenter.k8s.aws}",
            "`spec.template.spec.nodeClassRef.group`: is no field of NodePool in karpenter.sh/v1beta1; its fields are "
            "apiVersion, kind, name",
        ),
    ],
)
def test_fails_for_reference(reference, message):
    assert mistakes(POOL.replace("{name: default}", reference)) == [f"<text>:9 (document 1): {message}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            POOL.replace("      requirements: []\n", ""),
            "8 (document 1): `spec.template.spec.requirements`: is required",
        ),
        (POOL.partition("  template")[0] + "  weight: 1\n", "6 (document 1): `spec.template`: is required"),
        (CLASS.replace("amiFamily: AL2", "role: x"), "6 (document 1): `spec.amiFamily`: is required"),
    ],
)
def test_fails_for_what_is_missing(text, message):
    assert mistakes(text) == [f"<text>:{message}"]


def test_fields_that_may_be_released_later_are_refused():
    text = POOL + "  replicas: 3\n"
    assert mistakes(text) == [
        "<text>:11 (document 1): `spec.replicas`: is no field of NodePool in karpenter.sh/v1beta1; only later "
        "versions of "
        "the API have it"
    ]


@pytest.mark.parametrize(
    ("family", "alias"),
    [("AL2", "al2@latest"), ("AL2023", "al2023@latest"), ("Bottlerocket", "bottlerocket@latest")],
)
def test_family_alone_is_an_alias(family, alias):
    found = node_class(text=CLASS.replace("AL2", family))
    assert (found.ami, found.ami_family) == (alias, None)


@pytest.mark.parametrize("family", ["Ubuntu", "Custom"])
def test_family_without_an_alias_stays(family):
    found = node_class(text=CLASS.replace("AL2", family))
    assert (found.ami, found.ami_family) == (None, family)


def test_family_beside_terms_stays():
    found = node_class("  amiSelectorTerms: [{id: ami-1}]\n")
    assert (found.ami, found.ami_family, found.ami_selector_terms) == (
        None,
        "AL2",
        (AMISelectorTerm(id="ami-1"),),
    )


def test_hop_limit_is_written_out():
    assert node_class().metadata_options == MetadataOptions(http_put_response_hop_limit=2)
    assert notes(CLASS) == [
        "<text>:6: spec.metadataOptions.httpPutResponseHopLimit: is not set: written as 2, the default before "
        "Karpenter "
        "1.0, which made it 1 and shuts out pods"
    ]


def test_hop_limit_that_is_given_stays():
    text = CLASS + "  metadataOptions: {httpPutResponseHopLimit: 1}\n"
    assert read(text).node_classes[0].metadata_options.http_put_response_hop_limit == 1
    assert notes(text) == []


def test_volume_size_in_another_unit_becomes_gibibytes():
    found = node_class("  blockDeviceMappings: [{rootVolume: true, ebs: {volumeSize: 20480Mi}}]\n")
    assert found.block_device_mappings[0].ebs.volume_size == "20Gi"


def test_fails_for_fields_of_v1():
    more = "  kubelet: {}\n  amiSelectorTerms: [{alias: al2@latest}, {ssmParameter: x}]\n"
    assert mistakes(CLASS + more) == [
        "<text>:8 (document 1): `spec.kubelet`: is no field of EC2NodeClass in karpenter.k8s.aws/v1beta1; it belongs "
        "to the NodePool",
        "<text>:9 (document 1): `spec.amiSelectorTerms[1].ssmParameter`: is no field of EC2NodeClass in "
        "karpenter.k8s.aws/v1beta1; only later versions of the API have it",
        "<text>:9 (document 1): `spec.amiSelectorTerms[0].alias`: is no field in v1beta1; use amiFamily",
    ]
