"""The oracle accepts what an API server accepts, and refuses, with its reason, what it refuses.

The answers were compared once with those of Kubernetes' own code (apiextensions-apiserver 0.31) on 8,451
random manifests of all tags and kinds: none was accepted by one and refused by the other.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.contract import crd_oracle, crd_schemas, upstream

NODE_POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "default"},
    "spec": {
        "template": {
            "metadata": {"labels": {"team": "a"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"},
                "requirements": [
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}
                ],
            },
        },
        "disruption": {"consolidateAfter": "0s", "budgets": [{"nodes": "10%", "reasons": ["Empty"]}]},
        "limits": {"cpu": 1000, "memory": "100Gi"},
    },
}
NODE_CLASS: dict[str, Any] = {
    "apiVersion": "karpenter.k8s.aws/v1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "nodes",
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
        "kubelet": {"maxPods": 20},
    },
}
CAPACITY_BUFFER: dict[str, Any] = {
    "apiVersion": "autoscaling.x-k8s.io/v1beta1",
    "kind": "CapacityBuffer",
    "metadata": {"name": "room", "namespace": "default"},
    "spec": {"podTemplateRef": {"name": "chunk"}, "replicas": 2},
}
PROVISIONER: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1alpha5",
    "kind": "Provisioner",
    "metadata": {"name": "default"},
    "spec": {
        "providerRef": {"name": "default"},
        "requirements": [{"key": "kubernetes.io/arch", "operator": "Exists"}],
    },
}
NODE_TEMPLATE: dict[str, Any] = {
    "apiVersion": "karpenter.k8s.aws/v1alpha1",
    "kind": "AWSNodeTemplate",
    "metadata": {"name": "default"},
    "spec": {"subnetSelector": {"a": "b"}, "securityGroupSelector": {"aws-ids": "sg-1,sg-2"}},
}
NODE_CLASS_V1BETA1: dict[str, Any] = {
    "apiVersion": "karpenter.k8s.aws/v1beta1",
    "kind": "EC2NodeClass",
    "metadata": {"name": "default"},
    "spec": {
        "role": "nodes",
        "amiFamily": "AL2",
        "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "demo"}}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
    },
}


def changed(manifest: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy with ``value`` at a path such as ``spec.template.spec.requirements.0.key``; ``...`` deletes."""
    result = copy.deepcopy(manifest)
    *parents, last = [int(step) if step.isdecimal() else step for step in path.split("/")]
    here: Any = result
    for step in parents:
        here = here[step] if isinstance(step, int) else here.setdefault(step, {})
    if value is ...:
        del here[last]
    else:
        here[last] = value
    return result


@pytest.mark.parametrize(
    ("tag", "manifest"),
    [
        ("v1.0.14", NODE_POOL),
        ("v1.14.1", NODE_POOL),
        ("v1.14.1", NODE_CLASS),
        ("v1.14.1", CAPACITY_BUFFER),
        ("v0.30.0", PROVISIONER),
        ("v0.31.5", NODE_TEMPLATE),
        ("v0.37.8", NODE_CLASS_V1BETA1),
    ],
)
def test_what_a_server_accepts_is_accepted(tag, manifest):
    assert crd_oracle.violations(tag, manifest) == []


REQUIREMENTS = "spec/template/spec/requirements"
QUANTITY = (
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
    r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$"
)


@pytest.mark.parametrize(
    ("manifest", "path", "value", "violations"),
    [
        pytest.param(
            NODE_POOL,
            "kind",
            "Provisioner",
            ['kind: no matches for kind "Provisioner" in version "karpenter.sh/v1"'],
            id="kind of another release",
        ),
        pytest.param(
            NODE_POOL,
            "apiVersion",
            "karpenter.sh/v1beta1",
            ['kind: no matches for kind "NodePool" in version "karpenter.sh/v1beta1"'],
            id="version of another release",
        ),
        pytest.param(
            NODE_POOL,
            "spec/template/spec/kubelet",
            {"maxPods": 20},
            ['spec.template.spec.kubelet: strict decoding error: unknown field "spec.template.spec.kubelet"'],
            id="unknown field",
        ),
        pytest.param(
            NODE_POOL,
            "spec/template/spec/nodeClassRef/name",
            ...,
            ["spec.template.spec.nodeClassRef.name: Required value"],
            id="required field",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/consolidateAfter",
            ...,
            ["spec.disruption.consolidateAfter: Required value"],
            id="required although the whole object has a default",
        ),
        pytest.param(
            NODE_POOL,
            "spec/weight",
            "10",
            ["spec.weight: must be of type integer, got '10'"],
            id="type",
        ),
        pytest.param(
            NODE_POOL,
            "spec/weight",
            True,
            ["spec.weight: must be of type integer, got True"],
            id="a boolean is no integer",
        ),
        pytest.param(
            NODE_POOL,
            "spec/weight",
            101,
            ["spec.weight: should be less than or equal to 100, got 101"],
            id="maximum",
        ),
        pytest.param(
            NODE_POOL,
            "spec/weight",
            0,
            ["spec.weight: should be greater than or equal to 1, got 0"],
            id="minimum",
        ),
        pytest.param(
            NODE_POOL,
            "spec/replicas",
            2**63,
            [f"spec.replicas: must be of type integer, got {2**63}"],
            id="a number beyond 64 bits is no integer, and keeps the rules above from running",
        ),
        pytest.param(
            NODE_CLASS,
            "spec/kubelet/evictionMaxPodGracePeriod",
            2**31,
            [f"spec.kubelet.evictionMaxPodGracePeriod: must be of type int32, got {2**31}"],
            id="format of an integer",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/consolidationPolicy",
            "WhenUnderutilized",
            [
                "spec.disruption.consolidationPolicy: unsupported value 'WhenUnderutilized': supported "
                "values: WhenEmpty, WhenEmptyOrUnderutilized, Balanced"
            ],
            id="enum",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/consolidateAfter",
            "1d",
            ["spec.disruption.consolidateAfter: should match '^(([0-9]+(s|m|h))+|Never)$', got '1d'"],
            id="pattern",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/consolidateAfter",
            "Never\n",
            ["spec.disruption.consolidateAfter: should match '^(([0-9]+(s|m|h))+|Never)$', got 'Never\\n'"],
            id="the end of a pattern is the end of the text",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/budgets",
            [{"nodes": "1"}] * 51,
            ["spec.disruption.budgets: must have 0 to 50 items, has 51"],
            id="too many items",
        ),
        pytest.param(
            NODE_CLASS,
            "spec/amiSelectorTerms",
            [],
            [
                "spec.amiSelectorTerms: must have 1 to 30 items, has 0",
            ],
            id="too few items",
        ),
        pytest.param(
            NODE_POOL,
            "spec/disruption/budgets/0/reasons",
            ["Empty", "Empty"],
            ['spec.disruption.budgets[0].reasons[1]: duplicate value: "Empty"'],
            id="a list that is a set",
        ),
        pytest.param(
            NODE_POOL,
            "spec/template/metadata/labels",
            {f"key-{index}": "" for index in range(101)},
            ["spec.template.metadata.labels: must have 0 to 100 properties, has 101"],
            id="too many entries",
        ),
        pytest.param(
            NODE_POOL,
            "spec/template/metadata/labels/team",
            "x" * 64,
            [
                "spec.template.metadata.labels.team: must have 0 to 63 characters, has 64",
                f"spec.template.metadata.labels: invalid value '{'x' * 64}' for team",
            ],
            id="too long",
        ),
        pytest.param(
            NODE_POOL,
            "spec/limits/cpu",
            1.5,
            ["spec.limits.cpu: must be of type integer,string, got 1.5"],
            id="integer or string",
        ),
        pytest.param(
            NODE_POOL,
            "spec/limits/cpu",
            "many",
            [f"spec.limits.cpu: should match '{QUANTITY}', got 'many'"],
            id="pattern of an integer or string",
        ),
        pytest.param(
            NODE_POOL,
            "spec/template/spec/taints",
            [{"key": "a", "effect": "NoSchedule", "timeAdded": "yesterday"}],
            ["spec.template.spec.taints[0].timeAdded: must be of type date-time, got 'yesterday'"],
            id="date and time",
        ),
        pytest.param(
            NODE_POOL,
            REQUIREMENTS,
            [{"key": "karpenter.sh/nodepool", "operator": "Exists"}],
            [
                'spec.template.spec.requirements[0].key: label "karpenter.sh/nodepool" is restricted',
            ],
            id="a rule on a string",
        ),
        pytest.param(
            NODE_POOL,
            REQUIREMENTS,
            [{"key": "example.com/a", "operator": "In"}],
            [
                "spec.template.spec.requirements: requirements with operator 'In' must have a value defined "
                "(cannot be evaluated)",
                "spec.template.spec.requirements[0]: key example.com/a with operator In must have a value "
                "defined",
            ],
            id="a rule that cannot be evaluated",
        ),
        pytest.param(
            NODE_POOL,
            REQUIREMENTS,
            [{"key": "example.com/a", "operator": "Gt", "values": ["-1"]}],
            [
                "spec.template.spec.requirements: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must "
                "have a single positive integer value",
                "spec.template.spec.requirements[0]: invalid value -1 for key example.com/a",
                "spec.template.spec.requirements[0]: key example.com/a with operator Gt must have a single "
                "positive integer value",
            ],
            id="a rule on a list",
        ),
        pytest.param(
            NODE_POOL,
            REQUIREMENTS,
            [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["cheap"]}],
            ["spec.template.spec.requirements[0]: no valid values in ['cheap']"],
            id="what only the controller refuses",
        ),
        pytest.param(
            NODE_CLASS,
            "spec/instanceProfile",
            "nodes",
            ["spec: must specify exactly one of ['role', 'instanceProfile']"],
            id="a rule on an object",
        ),
        pytest.param(
            NODE_CLASS,
            "spec/amiSelectorTerms/0/alias",
            "al2024@latest",
            [
                "spec.amiSelectorTerms[0].alias: family is not supported, must be one of the following: "
                "'al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'"
            ],
            id="a rule with split",
        ),
        pytest.param(
            NODE_CLASS,
            "spec/amiFamily",
            "AL2",
            ["spec: if set, amiFamily must be 'AL2023' or 'Custom' when using an AL2023 alias"],
            id="a rule with find",
        ),
        pytest.param(
            NODE_POOL,
            "metadata/name",
            "Default",
            ["metadata.name: must be a lowercase RFC 1123 subdomain, got 'Default'"],
            id="name",
        ),
        pytest.param(
            NODE_POOL,
            "metadata/namespace",
            "default",
            ["metadata.namespace: the kind's scope is Cluster"],
            id="namespace of a kind without",
        ),
        pytest.param(
            CAPACITY_BUFFER,
            "metadata/namespace",
            ...,
            ["metadata.namespace: the kind's scope is Namespaced"],
            id="no namespace",
        ),
    ],
)
def test_fails_with_the_reason(manifest, path, value, violations):
    assert crd_oracle.violations("v1.14.1", changed(manifest, path, value)) == violations


@pytest.mark.parametrize(
    ("tag", "manifest", "path", "value", "violations"),
    [
        pytest.param(
            "v0.30.0",
            PROVISIONER,
            "metadata/name",
            "gpu.large",
            ["metadata.name: not a DNS 1035 label: 'gpu.large'"],
            id="a name with a dot",
        ),
        pytest.param(
            "v0.30.0",
            PROVISIONER,
            "spec/providerRef",
            ...,
            ["spec: expected exactly one of provider, providerRef"],
            id="no node template",
        ),
        pytest.param(
            "v0.32.10",
            changed(PROVISIONER, "spec/consolidation", {"enabled": True}),
            "spec/ttlSecondsAfterEmpty",
            30,
            ["spec: expected exactly one, got both: spec.consolidation.enabled, spec.ttlSecondsAfterEmpty"],
            id="consolidation with a time to live",
        ),
        pytest.param(
            "v0.31.5",
            PROVISIONER,
            "spec/requirements/0/key",
            "foo.kubernetes.io/x",
            ["spec.requirements[0]: label foo.kubernetes.io/x is restricted"],
            id="restricted label",
        ),
        pytest.param(
            "v0.31.5",
            PROVISIONER,
            "spec/requirements",
            [{"key": "a", "operator": "Gte", "values": ["1"]}],
            ["spec.requirements[0]: unsupported operator Gte"],
            id="operator of a later release",
        ),
        pytest.param(
            "v0.31.5",
            PROVISIONER,
            "spec/kubeletConfiguration",
            {"evictionSoft": {"memory.available": "5%"}},
            ["spec.kubeletConfiguration: evictionSoft and evictionSoftGracePeriod need the same keys"],
            id="soft eviction without a grace period",
        ),
        pytest.param(
            "v0.31.5",
            NODE_TEMPLATE,
            "spec/securityGroupSelector/Name",
            "x",
            ['spec.securityGroupSelector: "aws-ids" filter is mutually exclusive'],
            id="ids with tags",
        ),
        pytest.param(
            "v0.31.5",
            NODE_TEMPLATE,
            "spec/amiFamily",
            "AL2023",
            ["spec.amiFamily: AL2023 is not supported"],
            id="AMI family of a later release",
        ),
        pytest.param(
            "v0.31.5",
            NODE_TEMPLATE,
            "spec/blockDeviceMappings",
            [{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "65Ti"}}],
            ["spec.blockDeviceMappings[0].ebs.volumeSize: must be 1G to 64T, got '65Ti'"],
            id="volume too large",
        ),
        pytest.param(
            "v0.37.8",
            NODE_CLASS_V1BETA1,
            "spec/subnetSelectorTerms",
            [{"id": "subnet-1", "tags": {"a": "b"}}, {"id": "subnet-2"}],
            ["spec.subnetSelectorTerms[0]: ['id'] is mutually exclusive"],
            id="a term that the CEL rule misses",
        ),
    ],
)
def test_fails_in_the_webhook(tag, manifest, path, value, violations):
    assert crd_oracle.violations(tag, changed(manifest, path, value)) == violations


def test_a_null_counts_as_absent():
    manifest = changed(NODE_POOL, "spec/weight", None)
    assert crd_oracle.violations("v1.14.1", manifest) == []


def test_defaults_are_filled_in_before_the_rules():
    # Rules of disruption read consolidationPolicy, which only its default gives here.
    manifest = changed(NODE_POOL, "apiVersion", "karpenter.sh/v1beta1")
    ref = {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "name": "default"}
    manifest = changed(changed(manifest, "spec/template/spec/nodeClassRef", ref), "spec/disruption", {})
    assert crd_oracle.violations("v0.37.8", manifest) == []
    manifest["spec"]["disruption"] = {"consolidateAfter": "30s"}
    assert crd_oracle.violations("v0.37.8", manifest) == [
        "spec.disruption: consolidateAfter cannot be combined with consolidationPolicy=WhenUnderutilized"
    ]


def test_a_pattern_on_an_array_does_nothing():
    manifest = changed(NODE_POOL, "spec/template/spec/requirements/0/values", ["spot", "bad value!"])
    assert crd_oracle.violations("v1.14.1", manifest) == [
        "spec.template.spec.requirements[0]: invalid value bad value! for key karpenter.sh/capacity-type"
    ]


def test_the_oracle_knows_every_keyword_of_every_crd():
    used: set[str] = set()
    for tag in upstream.TAGS:
        for crd in upstream.crds(tag).values():
            for version in crd["spec"]["versions"]:
                for schema in crd_schemas.schemas(version["schema"]["openAPIV3Schema"]):
                    used |= schema.keys()
                    assert ("anyOf" in schema) == bool(schema.get("x-kubernetes-int-or-string"))
    assert used <= crd_oracle.KEYWORDS


def test_what_a_preserving_object_holds_is_kept_in_lists_too():
    provider = {
        "subnetSelector": {"a": "b"},
        "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": [[{"x": 1}]]}],
    }
    spec = {"provider": provider, "requirements": PROVISIONER["spec"]["requirements"]}
    assert crd_oracle.violations("v0.31.5", {**PROVISIONER, "spec": spec}) == []
    unknown = {**spec, "requirements": [{**spec["requirements"][0], "x": [{"y": 1}]}]}
    assert crd_oracle.violations("v0.31.5", {**PROVISIONER, "spec": unknown}) == [
        'spec.requirements[0].x: strict decoding error: unknown field "spec.requirements[0].x"'
    ]
