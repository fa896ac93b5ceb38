"""Provisioner and AWSNodeTemplate become a node pool and a node class in v1's words."""

from __future__ import annotations

import pytest

from karpenter_construct.kubelet import Kubelet
from karpenter_construct.node_class import MetadataOptions
from karpenter_construct.node_pool import Disruption
from karpenter_construct.requirements import DoesNotExist, Exists, Gt, In
from karpenter_construct.selector_terms import AMISelectorTerm, SecurityGroupSelectorTerm, SubnetSelectorTerm
from tests.unit.reading import mistakes, notes, read

PROVISIONER = """
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: default
spec:
  providerRef: {name: default}
"""
ALL_REQUIRED = """\
  requirements:
  - {key: kubernetes.io/os, operator: Exists}
  - {key: kubernetes.io/arch, operator: Exists}
  - {key: karpenter.sh/capacity-type, operator: Exists}
  - {key: node.kubernetes.io/instance-type, operator: Exists}
"""
TEMPLATE = """
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata:
  name: default
spec:
  subnetSelector: {karpenter.sh/discovery: prod}
"""
HOP_LIMIT = (
    "metadataOptions.httpPutResponseHopLimit: is not set: written as 2, the default before Karpenter 1.0, which made "
    "it 1 and shuts out pods"
)


def pool(more=""):
    return read(PROVISIONER + more).node_pools[0]


def node_class(more="", text=TEMPLATE):
    return read(text + more).node_classes[0]


def wrong(more, text=PROVISIONER):
    return mistakes(text + more)


# Requirements


def test_webhooks_default_requirements_are_written_out():
    assert pool().requirements == (
        In("kubernetes.io/os", "linux"),
        In("kubernetes.io/arch", "amd64"),
        In("karpenter.sh/capacity-type", "on-demand"),
        In("karpenter.k8s.aws/instance-category", "c", "m", "r"),
        Gt("karpenter.k8s.aws/instance-generation", 2),
    )


def test_webhooks_default_requirements_are_noted():
    assert notes(PROVISIONER)[0] == (
        "<text>:6: spec.requirements: are completed as Karpenter's webhook did before 0.33: kubernetes.io/os In "
        "['linux'], "
        "kubernetes.io/arch In ['amd64'], karpenter.sh/capacity-type In ['on-demand'], "
        "karpenter.k8s.aws/instance-category In ['c', 'm', 'r'], karpenter.k8s.aws/instance-generation Gt ['2']"
    )


@pytest.mark.parametrize("key", ["kubernetes.io/os", "beta.kubernetes.io/os"])
def test_no_default_is_written_for_what_is_required(key):
    found = pool(f"  requirements: [{{key: {key}, operator: DoesNotExist}}]\n")
    assert found.requirements[:2] == (DoesNotExist(key), In("kubernetes.io/arch", "amd64"))


@pytest.mark.parametrize(
    "key",
    [
        "node.kubernetes.io/instance-type",
        "beta.kubernetes.io/instance-type",
        "karpenter.k8s.aws/instance-family",
        "karpenter.k8s.aws/instance-category",
        "karpenter.k8s.aws/instance-generation",
    ],
)
def test_any_choice_of_instances_leaves_category_and_generation_open(key):
    found = pool(f"  requirements: [{{key: {key}, operator: Exists}}]\n")
    assert found.requirements == (
        Exists(key),
        In("kubernetes.io/os", "linux"),
        In("kubernetes.io/arch", "amd64"),
        In("karpenter.sh/capacity-type", "on-demand"),
    )


def test_complete_requirements_are_not_noted():
    assert [note for note in notes(PROVISIONER + ALL_REQUIRED) if "webhook" in note] == []


def test_fails_for_requirements_that_are_no_list():
    assert wrong("  requirements: 5\n") == [
        "<text>:8 (document 1): `spec.requirements`: must be a list, got 5",
    ]


# Disruption and expiry


def test_provisioner_that_says_nothing_neither_consolidates_nor_expires():
    found = pool()
    assert found.disruption == Disruption(consolidation_policy="WhenEmpty", consolidate_after="Never")
    assert found.expire_after == "Never"
    assert notes(PROVISIONER + ALL_REQUIRED) == [
        "<text>:6: spec.consolidation.enabled: is not set, so nodes are never consolidated: written as WhenEmpty with "
        "consolidateAfter Never",
        "<text>:6: spec.ttlSecondsUntilExpired: is not set, so nodes never expire: written as expireAfter Never",
    ]


@pytest.mark.parametrize(
    ("fields", "disruption"),
    [
        (
            "  consolidation: {enabled: true}\n",
            Disruption(consolidation_policy="WhenEmptyOrUnderutilized", consolidate_after="0s"),
        ),
        (
            "  consolidation: {enabled: false}\n",
            Disruption(consolidation_policy="WhenEmpty", consolidate_after="Never"),
        ),
        ("  consolidation: {}\n", Disruption(consolidation_policy="WhenEmpty", consolidate_after="Never")),
        (
            "  ttlSecondsAfterEmpty: 30\n",
            Disruption(consolidation_policy="WhenEmpty", consolidate_after="30s"),
        ),
        ("  ttlSecondsAfterEmpty: 0\n", Disruption(consolidation_policy="WhenEmpty", consolidate_after="0s")),
        (
            "  consolidation: {enabled: false}\n  ttlSecondsAfterEmpty: 30\n",
            Disruption(consolidation_policy="WhenEmpty", consolidate_after="30s"),
        ),
    ],
)
def test_disruption(fields, disruption):
    assert pool(fields).disruption == disruption


def test_expiry():
    assert pool("  ttlSecondsUntilExpired: 2592000\n").expire_after == "2592000s"


def test_fails_for_both_kinds_of_consolidation():
    assert wrong("  consolidation: {enabled: true}\n  ttlSecondsAfterEmpty: 30\n") == [
        "<text>:9 (document 1): `spec.ttlSecondsAfterEmpty`: cannot be combined with consolidation.enabled: "
        "Karpenter's "
        "webhook refuses both; leave out one"
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            "  consolidation: {enabled: 'yes'}\n",
            "`spec.consolidation.enabled`: must be true or false, got 'yes'",
        ),
        ("  consolidation: 5\n", "`spec.consolidation`: must be a mapping, got 5"),
        (
            "  ttlSecondsAfterEmpty: 30s\n",
            "`spec.ttlSecondsAfterEmpty`: must be a whole number of seconds, 0 or more, got '30s'",
        ),
        (
            "  ttlSecondsUntilExpired: -1\n",
            "`spec.ttlSecondsUntilExpired`: must be a whole number of seconds, 0 or more, got -1",
        ),
    ],
)
def test_fails_for_disruption(fields, message):
    assert wrong(fields) == [f"<text>:8 (document 1): {message}"]


# The other fields of a Provisioner


def test_limits_lose_a_level():
    assert dict(pool("  limits: {resources: {cpu: 1k, memory: 16Gi}}\n").limits) == {
        "cpu": "1k",
        "memory": "16Gi",
    }


def test_provisioner_without_limits_has_none():
    assert pool().limits is None


def test_kubelet_stays_in_the_pool():
    assert pool("  kubeletConfiguration: {maxPods: 20}\n").kubelet == Kubelet(max_pods=20)


def test_empty_kubelet_is_none():
    assert pool("  kubeletConfiguration: {containerRuntime: containerd}\n").kubelet is None


def test_container_runtime_is_left_out():
    found = notes(PROVISIONER + "  kubeletConfiguration: {containerRuntime: containerd}\n")
    assert found[-1] == (
        "<text>:8: spec.kubeletConfiguration.containerRuntime: is left out: no later release has another than "
        "containerd"
    )


def test_fails_for_docker():
    assert wrong("  kubeletConfiguration: {containerRuntime: dockerd}\n") == [
        "<text>:8 (document 1): `spec.kubeletConfiguration.containerRuntime`: cannot be carried over, got "
        "'dockerd': every "
        "later release uses containerd"
    ]


def test_fails_for_what_later_generations_added():
    more = """\
  requirements: [{key: a, operator: In, values: [b], minValues: 1}]
  template: {}
"""
    assert wrong(more) == [
        "<text>:8 (document 1): `spec.requirements[0].minValues`: is no field of Provisioner in karpenter.sh/v1alpha5; "
        "only later versions of the API have it",
        "<text>:9 (document 1): `spec.template`: is no field of Provisioner in karpenter.sh/v1alpha5; its fields are "
        "kubeletConfiguration, provider, providerRef, consolidation, ttlSecondsAfterEmpty, ttlSecondsUntilExpired, "
        "annotations, labels, requirements, taints, startupTaints, limits, weight",
    ]


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("", "`spec.providerRef`: is required, or provider"),
        ("  providerRef: {}\n", "`spec.providerRef.name`: is required"),
        ("  providerRef: 5\n", "`spec.providerRef`: must be a mapping, got 5"),
        (
            "  providerRef: {name: x, kind: Other}\n",
            "`spec.providerRef.kind`: must be 'AWSNodeTemplate', got 'Other'; no other kind of node class is known",
        ),
        (
            "  providerRef: {name: x, apiVersion: v9}\n",
            "`spec.providerRef.apiVersion`: must be 'karpenter.k8s.aws/v1alpha1', got 'v9'; no other kind of node "
            "class is "
            "known",
        ),
        (
            "  providerRef: {name: x}\n  provider: {subnetSelector: {a: b}}\n",
            "`spec.provider`: cannot be combined with providerRef; leave out one",
        ),
    ],
)
def test_fails_for_reference(reference, message):
    lines = mistakes(PROVISIONER.replace("  providerRef: {name: default}\n", reference) + "  weight: 1\n")
    assert [line.partition(": ")[2] for line in lines] == [message]


# Node templates


def test_template_that_says_nothing_runs_al2_and_lets_pods_reach_the_metadata():
    found = node_class()
    assert found.ami == "al2@latest"
    assert found.metadata_options == MetadataOptions(http_put_response_hop_limit=2)
    assert notes(TEMPLATE) == [
        "<text>:6: spec.amiFamily: is not set, so nodes run AL2: written out",
        f"<text>:6: spec.{HOP_LIMIT}",
    ]


@pytest.mark.parametrize(
    ("family", "alias"),
    [
        ("AL2", "al2@latest"),
        ("Bottlerocket", "bottlerocket@latest"),
        ("Windows2019", "windows2019@latest"),
        ("Windows2022", "windows2022@latest"),
    ],
)
def test_family_alone_is_an_alias(family, alias):
    found = node_class(f"  amiFamily: {family}\n")
    assert (found.ami, found.ami_family, found.ami_selector_terms) == (alias, None, None)


@pytest.mark.parametrize("family", ["Ubuntu", "Custom"])
def test_family_without_an_alias_stays(family):
    found = node_class(f"  amiFamily: {family}\n")
    assert (found.ami, found.ami_family) == (None, family)


def test_family_beside_a_selector_stays():
    found = node_class("  amiSelector: {a: b}\n")
    assert (found.ami, found.ami_family) == (None, "AL2")
    assert found.ami_selector_terms == (AMISelectorTerm(tags={"a": "b"}),)


@pytest.mark.parametrize(
    ("selector", "terms"),
    [
        ("{a: b, c: d}", [SubnetSelectorTerm(tags={"a": "b", "c": "d"})]),
        ("{aws-ids: subnet-1}", [SubnetSelectorTerm(id="subnet-1")]),
        (
            "{'aws::ids': 'subnet-1, subnet-2'}",
            [SubnetSelectorTerm(id="subnet-1"), SubnetSelectorTerm(id="subnet-2")],
        ),
        (
            "{a: 'b,c', d: e}",
            [SubnetSelectorTerm(tags={"a": "b", "d": "e"}), SubnetSelectorTerm(tags={"a": "c", "d": "e"})],
        ),
        ("{Name: 'prod-*'}", [SubnetSelectorTerm(tags={"Name": "prod-*"})]),
    ],
)
def test_subnet_selector(selector, terms):
    found = node_class(text=TEMPLATE.replace("{karpenter.sh/discovery: prod}", selector))
    assert list(found.subnet_selector_terms) == terms


def test_security_group_selector_keeps_name_as_a_tag():
    found = node_class("  securityGroupSelector: {'aws::ids': sg-1}\n")
    assert found.security_group_selector_terms == (SecurityGroupSelectorTerm(id="sg-1"),)
    found = node_class("  securityGroupSelector: {Name: nodes}\n")
    assert found.security_group_selector_terms == (SecurityGroupSelectorTerm(tags={"Name": "nodes"}),)


def test_ami_selector_is_the_product_of_its_lists():
    found = node_class("  amiSelector: {'aws::name': 'a,b', 'aws::owners': 'self,amazon', team: x}\n")
    assert found.ami_selector_terms == (
        AMISelectorTerm(name="a", owner="self", tags={"team": "x"}),
        AMISelectorTerm(name="a", owner="amazon", tags={"team": "x"}),
        AMISelectorTerm(name="b", owner="self", tags={"team": "x"}),
        AMISelectorTerm(name="b", owner="amazon", tags={"team": "x"}),
    )


def test_ami_ids():
    found = node_class("  amiSelector: {aws-ids: 'ami-1,ami-2'}\n")
    assert found.ami_selector_terms == (AMISelectorTerm(id="ami-1"), AMISelectorTerm(id="ami-2"))


def test_several_terms_are_noted():
    assert notes(TEMPLATE.replace("prod}", "'a,b'}"))[0] == (
        "<text>:7: spec.subnetSelector: is written as 2 terms, one for each combination of its values"
    )


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            "{aws-ids: subnet-1, a: b}",
            "has ids beside other keys, which Karpenter's webhook refuses; leave out either",
        ),
        (
            "{a: ''}",
            "has an empty key or value, which Karpenter's webhook refuses; write '*' for any value",
        ),
        (
            "{a: 'b,,c'}",
            "has an empty key or value, which Karpenter's webhook refuses; write '*' for any value",
        ),
        ("{'': a}", "has an empty key or value, which Karpenter's webhook refuses; write '*' for any value"),
        (
            "{a: '1,2,3,4,5,6', b: '1,2,3,4,5,6'}",
            "stands for 36 combinations, and later releases take 30 at most",
        ),
        ("[a]", "must be a mapping, got ['a']"),
    ],
)
def test_fails_for_selector(selector, message):
    lines = mistakes(TEMPLATE.replace("{karpenter.sh/discovery: prod}", selector))
    assert lines == [f"<text>:7 (document 1): `spec.subnetSelector`: {message}"]


def test_fails_for_a_selector_of_booleans():
    assert mistakes(TEMPLATE.replace("prod", "yes")) == [
        "<text>:7 (document 1): `spec.subnetSelector['karpenter.sh/discovery']`: must be a string, got yes, which YAML "
        "reads as true; write 'yes'"
    ]


def test_fails_without_subnets():
    assert mistakes(TEMPLATE.replace("subnetSelector", "securityGroupSelector")) == [
        "<text>:6 (document 1): `spec.subnetSelector`: is required"
    ]


def test_fails_for_a_launch_template():
    assert wrong("  launchTemplate: mine\n", TEMPLATE) == [
        "<text>:8 (document 1): `spec.launchTemplate`: cannot be carried over: no later release takes a launch "
        "template; "
        "write what it says as fields"
    ]


@pytest.mark.parametrize(
    ("size", "written"),
    [
        ("20Gi", "20Gi"),
        ("100G", "100G"),
        ("1Ti", "1Ti"),
        ("20480Mi", "20Gi"),
        ("0.5Ti", "512Gi"),
        ("1.5Gi", "2Gi"),
        ("21474836480", "20Gi"),
        ("21474836481", "21Gi"),
        ("'107374182400'", "100Gi"),
    ],
)
def test_volume_sizes_become_whole_gibibytes(size, written):
    found = node_class(f"  blockDeviceMappings: [{{deviceName: /dev/xvda, ebs: {{volumeSize: {size}}}}}]\n")
    assert found.block_device_mappings[0].ebs.volume_size == written


def test_changed_volume_size_is_noted():
    found = notes(TEMPLATE + "  blockDeviceMappings: [{deviceName: /dev/xvda, ebs: {volumeSize: 20480Mi}}]\n")
    assert found[1] == (
        "<text>:8: spec.blockDeviceMappings[0].ebs.volumeSize: is '20480Mi', written as 20Gi, which is what EC2 gets"
    )


@pytest.mark.parametrize("size", ["20", "999999999", "'1Mi'", "'100Pi'"])
def test_fails_for_a_size_that_ec2_has_not(size):
    assert wrong(f"  blockDeviceMappings: [{{ebs: {{volumeSize: {size}}}}}]\n", TEMPLATE) == [
        f"<text>:8 (document 1): `spec.blockDeviceMappings[0].ebs.volumeSize`: must be 1G to 64T, got {size}; give its "
        "unit, as in '20Gi'"
    ]


def test_fails_for_a_size_that_is_none():
    assert wrong("  blockDeviceMappings: [{ebs: {volumeSize: big}}]\n", TEMPLATE) == [
        "<text>:8 (document 1): `spec.blockDeviceMappings[0].ebs.volumeSize`: must be 1 to 59000Gi, 1 to 64000G, 1 "
        "to 58Ti "
        "or 1 to 64T, got 'big'; write a whole number with its unit, as in '20Gi'"
    ]


def test_metadata_options_in_part_are_completed():
    text = TEMPLATE + "  metadataOptions: {httpEndpoint: enabled}\n"
    assert read(text).node_classes[0].metadata_options == MetadataOptions(http_put_response_hop_limit=2)
    assert notes(text)[1:] == [
        "<text>:8: spec.metadataOptions.httpTokens: is not set beside other options, so EC2 decided; written as "
        "required, "
        "Karpenter's default since",
        "<text>:8: spec.metadataOptions.httpPutResponseHopLimit: is not set beside other options, so EC2 decided; "
        "written as 2, Karpenter's default before 1.0",
    ]


def test_complete_metadata_options_are_not_noted():
    text = (
        TEMPLATE + "  amiFamily: AL2\n  metadataOptions: {httpPutResponseHopLimit: 3, httpTokens: optional}\n"
    )
    assert notes(text) == []


def test_legacy_type_inside_the_spec_is_left_out():
    assert node_class("  apiVersion: extensions.karpenter.sh/v1alpha1\n  kind: AWS\n").name == "default"


def test_fails_for_the_root_volume_of_v1beta1():
    assert wrong("  blockDeviceMappings: [{rootVolume: true}]\n", TEMPLATE) == [
        "<text>:8 (document 1): `spec.blockDeviceMappings[0].rootVolume`: is no field of AWSNodeTemplate in "
        "karpenter.k8s.aws/v1alpha1; only later versions of the API have it"
    ]


# Inline providers


INLINE = """
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: old
spec:
  provider:
    amiFamily: Bottlerocket
    subnetSelector: {aws-ids: subnet-1}
    metadataOptions: {httpPutResponseHopLimit: 3, httpTokens: required}
"""


def test_inline_provider_becomes_a_class_of_the_same_name():
    found = read(INLINE)
    assert [node_class.name for node_class in found.node_classes] == ["old"]
    assert found.node_classes[0].ami == "bottlerocket@latest"
    assert found.node_pools[0].node_class == "old"
    assert notes(INLINE)[0] == "<text>:7: spec.provider: becomes a node class of its own, old"


def test_mistakes_of_an_inline_provider_are_at_their_place():
    assert mistakes(INLINE + "    userData: x\n    tags: 5\n") == [
        "<text>:11 (document 1): `spec.provider.userData`: is no field of Provisioner in karpenter.sh/v1alpha5; its "
        "fields are apiVersion, kind, amiFamily, subnetSelector, securityGroupSelector, launchTemplate, "
        "instanceProfile, tags, blockDeviceMappings, metadataOptions, context",
        "<text>:12 (document 1): `spec.provider.tags`: must be a mapping, got 5; write one as in {'team': 'a'}",
    ]
