"""``karpenter-construct convert``: YAML to standard output, what changed to standard error."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.unit.command import run

PROVISIONER = """\
# Payments runs here.
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: payments}
spec:
  requirements:
  - {key: node.kubernetes.io/instance-type, operator: In, values: [m5.large]}
  labels: {on-call: "no"}
  limits: {resources: {cpu: 100}}
  kubeletConfiguration: {maxPods: 20}
  consolidation: {enabled: true}
  ttlSecondsUntilExpired: 2592000
  providerRef: {name: default}
"""
TEMPLATE = """\
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: default}
spec:
  amiFamily: Bottlerocket
  subnetSelector: {karpenter.sh/discovery: prod}
  securityGroupSelector: {karpenter.sh/discovery: prod}
"""
CONVERTED = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  subnetSelectorTerms:
  - tags:
      karpenter.sh/discovery: prod
  securityGroupSelectorTerms:
  - tags:
      karpenter.sh/discovery: prod
  amiSelectorTerms:
  - alias: bottlerocket@latest
  role: nodes
  kubelet:
    maxPods: 20
  metadataOptions:
    httpEndpoint: enabled
    httpProtocolIPv6: disabled
    httpPutResponseHopLimit: 2
    httpTokens: required
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: payments
spec:
  template:
    metadata:
      labels:
        on-call: 'no'
    spec:
      nodeClassRef:
        group: karpenter.k8s.aws
        kind: EC2NodeClass
        name: default
      expireAfter: 2592000s
      requirements:
      - key: node.kubernetes.io/instance-type
        operator: In
        values:
        - m5.large
      - key: kubernetes.io/os
        operator: In
        values:
        - linux
      - key: kubernetes.io/arch
        operator: In
        values:
        - amd64
      - key: karpenter.sh/capacity-type
        operator: In
        values:
        - on-demand
  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 0s
  limits:
    cpu: 100
"""
NOTES = [
    "pools.yaml:1: note: comments are not carried over",
    "pools.yaml:5: note: spec: nodes that no longer match their pool or class are replaced (drift), which releases "
    "before "
    "0.33 did only with the feature gate driftEnabled",
    "pools.yaml:5: note: spec: from Karpenter 0.34 on a tenth of a pool's nodes is disrupted at once at most, unless "
    "budgets say otherwise",
    "pools.yaml:6: note: spec.requirements: are completed as Karpenter's webhook did before 0.33: kubernetes.io/os In "
    "['linux'], kubernetes.io/arch In ['amd64'], karpenter.sh/capacity-type In ['on-demand']",
    "pools.yaml:10: note: spec.kubeletConfiguration: moves to the node class default",
    "pools.yaml:12: note: spec.ttlSecondsUntilExpired: a node that expires is drained at once from Karpenter 1.0 on, "
    "whatever budgets say; terminationGracePeriod limits how long that takes",
    "classes.yaml:4: note: spec.metadataOptions.httpPutResponseHopLimit: is not set: written as 2, the default before "
    "Karpenter 1.0, which made it 1 and shuts out pods",
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pools.yaml").write_text(PROVISIONER, encoding="utf-8")
    (tmp_path / "classes.yaml").write_text(TEMPLATE, encoding="utf-8")
    return tmp_path


def test_classes_come_before_pools_and_notes_go_to_standard_error():
    ended = run("convert", "pools.yaml", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes")
    assert (ended.code, ended.output) == (0, CONVERTED)
    assert ended.errors.splitlines()[:-1] == NOTES
    assert ended.errors.splitlines()[-1].startswith(
        "classes.yaml:5: warning: spec.amiFamily: 'bottlerocket@latest' "
    )


def test_what_was_converted_converts_to_itself(folder):
    (folder / "new.yaml").write_text(CONVERTED, encoding="utf-8")
    ended = run("convert", "new.yaml", "--to", "1.14.1")
    assert (ended.code, ended.output) == (0, CONVERTED)
    assert [line for line in ended.errors.splitlines() if "note" in line] == []


def test_standard_input_is_converted(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONVERTED.encode())))
    assert run("convert", "-", "--to", "1.14.1").output == CONVERTED


def test_instance_profile_instead_of_a_role():
    ended = run("convert", "classes.yaml", "--to", "1.14.1", "--instance-profile", "nodes")
    assert "  instanceProfile: nodes\n" in ended.output
    assert "  role:" not in ended.output


def test_role_is_only_for_classes_without_one(folder):
    text = TEMPLATE + "  instanceProfile: mine\n"
    (folder / "classes.yaml").write_text(text, encoding="utf-8")
    ended = run("convert", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes")
    assert "  instanceProfile: mine\n" in ended.output
    assert "  role:" not in ended.output


def test_releases_before_0_32_need_no_role():
    ended = run("convert", "classes.yaml", "--to", "0.31.5", "--node-role", "nodes")
    assert (ended.code, "role" in ended.output) == (0, False)


def test_pool_whose_class_is_elsewhere_is_converted():
    ended = run("convert", "pools.yaml", "--to", "0.37.8")
    assert ended.code == 0
    assert "        name: default\n" in ended.output
    assert "      kubelet:\n        maxPods: 20\n" in ended.output
    assert ended.errors.splitlines()[-1] == (
        "pools.yaml:13: warning: spec.providerRef.name: the node class 'default' is in none of the files, so the "
        "two are "
        "not checked together"
    )


def test_fails_for_kubelet_settings_whose_class_is_elsewhere():
    ended = run("convert", "pools.yaml", "--to", "1.14.1")
    assert ended == (
        1,
        "",
        "pools.yaml:10: spec.kubeletConfiguration: belongs to the node class from Karpenter 1.0.0, where all pools "
        "of a "
        "class share it; give it to the EC2NodeClass, and pools that differ a class each\n",
    )


V1_CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{id: ami-1}]
  amiFamily: AL2023
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
  kubelet: {maxPods: 30}
"""
V1_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: []
  limits: {cpu: 100}
"""


def kubelet_notes(folder, text, release):
    (folder / "new.yaml").write_text(text, encoding="utf-8")
    ended = run("convert", "new.yaml", "--to", release)
    assert ended.code == 0
    return [line for line in ended.errors.splitlines() if "kubelet" in line]


def test_kubelet_settings_are_not_lost_without_a_word(folder):
    assert kubelet_notes(folder, V1_CLASS, "0.37.8") == [
        "new.yaml:10: note: spec.kubelet: is left out: settings of the pools before Karpenter 1.0, and no pool of the "
        "class is in the files; convert them together"
    ]
    assert kubelet_notes(folder, V1_POOL, "0.37.8") == [
        "new.yaml:7: note: spec.template.spec.nodeClassRef.name: may have kubelet settings, which pools have before "
        "Karpenter 1.0, and is in none of the files; convert them together"
    ]
    assert kubelet_notes(folder, f"{V1_CLASS}---\n{V1_POOL}", "0.37.8") == []
    assert kubelet_notes(folder, V1_CLASS, "1.0.14") == []
    assert kubelet_notes(folder, V1_POOL, "1.0.14") == []


def test_fails_without_a_role_and_for_what_else_is_missing(folder):
    (folder / "new.yaml").write_text(
        V1_CLASS.replace("  role: nodes\n  amiSelectorTerms: [{id: ami-1}]\n", "")
    )
    assert run("convert", "new.yaml", "--to", "1.14.1") == (
        1,
        "",
        "new.yaml:4: spec: names neither a role nor an instance profile; give one with --node-role\n"
        "new.yaml:4: spec: amiSelectorTerms is required; give an alias, as in 'al2023@latest'\n",
    )


def test_fails_without_a_role():
    ended = run("convert", "pools.yaml", "classes.yaml", "--to", "1.14.1")
    assert ended == (
        1,
        "",
        "classes.yaml:4: spec: names neither a role nor an instance profile; give one with --node-role\n",
    )


def test_fails_for_what_the_release_cannot_say(folder):
    (folder / "new.yaml").write_text(
        CONVERTED.replace("consolidateAfter: 0s", "consolidateAfter: 5m"), encoding="utf-8"
    )
    ended = run("convert", "new.yaml", "--to", "0.37.8")
    assert (ended.code, ended.output) == (1, "")
    assert ended.errors == (
        "new.yaml:57: spec.disruption.consolidateAfter: consolidateAfter cannot be combined with "
        "consolidationPolicy=WhenUnderutilized before 1.0, got '5m'; write '0s' for the old behaviour, or 'Never' "
        "to turn "
        "consolidation off\n"
    )


def test_fails_for_what_does_not_convert(folder):
    text = TEMPLATE + "  launchTemplate: mine\n"
    (folder / "classes.yaml").write_text(text, encoding="utf-8")
    ended = run("convert", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes")
    assert ended == (
        1,
        "",
        "classes.yaml:8: spec.launchTemplate: cannot be carried over: no later release takes a launch template; "
        "write what "
        "it says as fields\n",
    )


def test_fails_to_run_without_the_file():
    assert run("convert", "none.yaml", "--to", "1.14.1") == (
        2,
        "",
        "karpenter-construct convert: none.yaml: there is no such file\n",
    )


def test_fails_to_run_with_role_and_profile():
    ended = run("convert", "a.yaml", "--to", "1.14.1", "--node-role", "a", "--instance-profile", "b")
    assert ended.code == 2
    assert ended.errors.endswith("argument --instance-profile: not allowed with argument --node-role\n")


def test_json():
    ended = run("convert", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes", "--json")
    assert (ended.code, ended.errors) == (0, "")
    found = json.loads(ended.output)
    assert found["manifests"] == [
        {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "default"},
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
    ]
    assert found["notes"] == [
        {
            "file": "classes.yaml",
            "line": 4,
            "document": 1,
            "path": "spec.metadataOptions.httpPutResponseHopLimit",
            "message": "is not set: written as 2, the default before Karpenter 1.0, which made it 1 and shuts out pods",
        }
    ]
    assert [warning["id"] for warning in found["warnings"]] == ["karpenter-construct:amiLatest"]


def test_mistakes_in_json():
    ended = run("convert", "classes.yaml", "--to", "1.14.1", "--json")
    assert (ended.code, ended.errors) == (1, "")
    assert json.loads(ended.output) == {
        "problems": [
            {
                "file": "classes.yaml",
                "line": 4,
                "document": 1,
                "path": "spec",
                "message": "names neither a role nor an instance profile; give one with --node-role",
            }
        ]
    }


@pytest.mark.parametrize(
    "value",
    [
        "no",
        "on",
        "y",
        "null",
        "~",
        "",
        "1e3",
        "08",
        "017",
        "0x1F",
        "1_000",
        "3.0",
        ".5",
        "2026-01-31",
        "<<",
        "=",
        "a: b",
    ],
)
def test_text_that_looks_like_something_else_stays_text(value, folder):
    text = TEMPLATE + f"  tags: {{{json.dumps(value or 'x')}: {json.dumps(value)}}}\n"
    (folder / "classes.yaml").write_text(text, encoding="utf-8")
    first = run("convert", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes")
    assert first.code == 0
    (folder / "new.yaml").write_text(first.output, encoding="utf-8")
    again = run("convert", "new.yaml", "--to", "1.14.1", "--json")
    assert json.loads(again.output)["manifests"][0]["spec"]["tags"] == {value or "x": value}


@pytest.mark.parametrize(
    "script",
    [
        "#!/bin/bash\necho hi\n",
        "a\n\n  b\n",
        "one line",
        "trailing \nblank\n\n",
        "\ttab\n",
        "no newline\nat the end",
        "é\n",
    ],
)
def test_user_data_stays_to_the_letter(script, folder):
    text = TEMPLATE + f"  userData: {json.dumps(script)}\n"
    (folder / "classes.yaml").write_text(text, encoding="utf-8")
    first = run("convert", "classes.yaml", "--to", "1.14.1", "--node-role", "nodes")
    (folder / "new.yaml").write_text(first.output, encoding="utf-8")
    again = run("convert", "new.yaml", "--to", "1.14.1", "--json")
    assert json.loads(again.output)["manifests"][0]["spec"]["userData"] == script


@pytest.mark.parametrize(
    ("selector", "written"),
    [
        ("{aws-ids: 'subnet-1, subnet-2'}", "    aws-ids: subnet-1,subnet-2\n"),
        ("{Name: 'a,b', tier: '*'}", "    Name: a,b\n    tier: '*'\n"),
        ("{Name: 'a,b', tier: 'x,y'}", "    Name: a,b\n    tier: x,y\n"),
    ],
)
def test_selectors_with_several_values_stay_what_they_are(folder, selector, written):
    text = TEMPLATE.replace("subnetSelector: {karpenter.sh/discovery: prod}", f"subnetSelector: {selector}")
    (folder / "classes.yaml").write_text(text, encoding="utf-8")
    ended = run("convert", "classes.yaml", "--to", "0.31.5")
    assert ended.code == 0
    assert f"  subnetSelector:\n{written}" in ended.output
