"""What the tools of `make facts` and `make synth` print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from facts import newest_known, report
from upstream_files import CHART_CRDS, CRDS, TEMPLATE, VALUES, Checkout, Folder, open_upstream, save

ROOT = Path(__file__).parents[1]

POLICY = """\
Resources:
  KarpenterNodeRole:
    Type: AWS::IAM::Role
    Properties: {ManagedPolicyArns: [!Sub "arn:${AWS::Partition}:iam::aws:policy/AmazonEKS_CNI_Policy"]}
  InterruptionPolicy:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      ManagedPolicyName: !Sub KarpenterInterruption-${ClusterName}
      PolicyDocument: !Sub |
        {"Statement": [{"Sid": "AllowInterruptionQueueActions", "Effect": "Allow", "Action": %s,
         "Resource": "${Queue.Arn}", "Condition": {"StringEquals": {"aws:RequestedRegion": "${AWS::Region}"}}}]}
  Queue:
    Type: AWS::SQS::Queue
    Properties: {MessageRetentionPeriod: 300}
  QueuePolicy:
    Type: AWS::SQS::QueuePolicy
    Properties:
      PolicyDocument: {Statement: [{Effect: Allow, Action: "sqs:SendMessage", Resource: !GetAtt Queue.Arn}]}
  SpotInterruptionRule:
    Type: AWS::Events::Rule
    Properties: {EventPattern: {source: %s}}
"""


def crd(fields: dict[str, Any]) -> str:
    schema = {"openAPIV3Schema": {"properties": {"spec": {"type": "object", "properties": fields}}}}
    versions = [{"name": "v1", "schema": schema}]
    return yaml.safe_dump({"spec": {"names": {"kind": "NodePool"}, "versions": versions}})


RULE = {"rule": "self.all(x, x in ['spot', 'on-demand'])", "message": "unknown"}
OLD = {
    TEMPLATE: POLICY % ('["sqs:GetQueueUrl"]', "[aws.ec2]"),
    VALUES: "replicas: 2\ncontroller: {image: {tag: 1.14.0}}\n",
    CRDS + "karpenter.sh_nodepools.yaml": crd({"weight": {"type": "integer", "maximum": 100}}),
    CHART_CRDS + "karpenter.sh_nodepools.yaml": "a link",
}
NEW = {
    **OLD,
    TEMPLATE: POLICY % ('["sqs:GetQueueUrl", "sqs:DeleteMessage"]', "[aws.ec2, aws.health]"),
    VALUES: "replicas: 3\nsettings: {fast: false}\ncontroller: {image: {tag: 1.15.0}}\n",
    CRDS + "karpenter.sh_nodepools.yaml": crd(
        {
            "weight": {"type": "integer", "maximum": 200},
            "kind": {"type": "string", "x-kubernetes-validations": [RULE]},
        }
    ),
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a repository laid out as upstream's, with two tags."""
    home = tmp_path / "clone"
    home.mkdir()
    subprocess.run(["git", "init", "--quiet", home], check=True)
    for tag, files in (("v1.14.1", OLD), ("v1.15.0", NEW)):
        for name, text in files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8")
        git = ["git", "-C", home, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "--no-gpg-sign", "--message", tag], check=True)
        subprocess.run([*git, "tag", "--no-sign", tag], check=True)
    return home


REPORT = """\
v1.14.1 -> v1.15.0

Controller policies
  ~ AllowInterruptionQueueActions
      + Action sqs:DeleteMessage

Node role, queue and event rules
  ~ eventRules SpotInterruptionRule
      + source[] = "aws.health"

Chart values
  ~ replicas
      - default 2
      + default 3
  + settings.fast
      + default false

CRDs
  + NodePool v1 spec.kind
      + type string
  + NodePool v1 spec.kind rule: self.all(x, x in […])
      + lists 'on-demand'
      + lists 'spot'
      + says unknown
  ~ NodePool v1 spec.weight
      - maximum 100
      + maximum 200"""


def test_facts_of_a_new_release_are_what_it_changes(clone):
    assert report(Checkout(clone), "v1.14.1", "v1.15.0") == REPORT


def test_facts_are_the_same_from_files_that_were_saved(clone, tmp_path):
    for tag in ("v1.14.1", "v1.15.0"):
        save(Checkout(clone), tag, tmp_path / "saved")
    assert isinstance(open_upstream(tmp_path / "saved"), Folder)
    assert report(open_upstream(tmp_path / "saved"), "v1.14.1", "v1.15.0") == REPORT


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("v1.15.0", "v1.14.1"),
        ("v1.14.2", "v1.14.1"),
        ("v1.14.1", "v1.13.1"),
        ("v1.8.5", "v1.7.6"),
        ("v0.30.1", "v0.30.0"),
    ],
)
def test_a_release_is_compared_with_the_newest_known_before_it(tag, known):
    assert newest_known(tag) == known


def printed(tool: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / tool, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_facts_are_printed(clone):
    done = printed("facts.py", "v1.15.0", KARPENTER_UPSTREAM=str(clone))
    assert (done.stdout, done.stderr, done.returncode) == (f"{REPORT}\n", "", 0)


def test_fails_on_a_tag_that_the_clone_lacks(clone):
    done = printed("facts.py", "v1.16.0", KARPENTER_UPSTREAM=str(clone))
    assert done.returncode == 1
    assert done.stderr == (
        "no tag v1.16.0 in $KARPENTER_UPSTREAM; fetch it, or name another one with --against\n"
    )


def test_fails_without_upstreams_files(tmp_path):
    done = printed("facts.py", "v1.15.0", KARPENTER_UPSTREAM=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == (
        f"no upstream files in {tmp_path}: set KARPENTER_UPSTREAM to a clone of aws/karpenter-provider-aws, or to a "
        "folder with iam/, values/ and crds/\n"
    )


def resource(path: str, kind: str, **properties: object) -> dict[str, Any]:
    return {"Type": kind, "Properties": properties, "Metadata": {"aws:cdk:path": path}}


APPLIED = "Custom::AWSCDK-EKS-KubernetesResource"
NODE_POOL = [{"kind": "NodePool", "metadata": {"name": "spot"}}]
NODE_CLASS = [
    '[{"kind":"EC2NodeClass","metadata":{"name":"general"},"spec":{"role":"',
    {"Ref": "NodeRole"},
    '"}}]',
]
STACK = {
    "Resources": {
        "A": resource("Demo/Karpenter/NodeRole/Resource", "AWS::IAM::Role"),
        "B": resource("Demo/Vpc/Resource", "AWS::EC2::VPC"),
        "C": resource("Demo/Karpenter/NodePool", APPLIED, Manifest=json.dumps(NODE_POOL)),
        "D": resource("Demo/Karpenter/EC2NodeClass", APPLIED, Manifest={"Fn::Join": ["", NODE_CLASS]}),
    }
}
TABLE = """
Stack Demo

Construct  CloudFormation type                    Count
-------------------------------------------------------
Karpenter  AWS::IAM::Role                             1
Karpenter  Custom::AWSCDK-EKS-KubernetesResource      2
Vpc        AWS::EC2::VPC                              1
           total                                      4
---
kind: EC2NodeClass
metadata:
  name: general
spec:
  role: ${NodeRole}
---
kind: NodePool
metadata:
  name: spot
"""


def test_a_synthesised_app_is_a_table_with_its_node_objects(tmp_path):
    artifact = {
        "type": "aws:cloudformation:stack",
        "displayName": "Demo",
        "properties": {"templateFile": "Demo.template.json"},
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"artifacts": {"Demo": artifact}}), encoding="utf-8")
    (tmp_path / "Demo.template.json").write_text(json.dumps(STACK), encoding="utf-8")
    done = printed("show_template.py", str(tmp_path))
    assert (done.stdout, done.stderr, done.returncode) == (TABLE, "", 0)
