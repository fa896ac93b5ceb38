"""`make facts`: what a release changes, read from a clone of upstream's repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import facts
import pytest
import upstream_files
import yaml

TEMPLATE = """
Resources:
  KarpenterNodeRole:
    Type: AWS::IAM::Role
    Properties:
      RoleName: !Sub "KarpenterNodeRole-${ClusterName}"
      ManagedPolicyArns:
        - !Sub "arn:${AWS::Partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy"
  POLICY:
    Type: AWS::IAM::ManagedPolicy
    Properties:
      ManagedPolicyName: !Sub "POLICY-${ClusterName}"
      PolicyDocument: !Sub |
        {
          "Version": "2012-10-17",
          "Statement": [
            {"Sid": "AllowPassingInstanceRole", "Effect": "Allow", "Action": "iam:PassRole",
             "Resource": "${KarpenterNodeRole.Arn}",
             "Condition": {"StringEquals": {"iam:PassedToService": SERVICES}}},
            {"Sid": "LAST", "Effect": "Allow", "Action": ["ec2:Describe"], "Resource": "*"}
          ]
        }
  KarpenterInterruptionQueue:
    Type: AWS::SQS::Queue
    Properties:
      MessageRetentionPeriod: RETENTION
  KarpenterInterruptionQueuePolicy:
    Type: AWS::SQS::QueuePolicy
    Properties:
      Queues:
        - !Ref KarpenterInterruptionQueue
      PolicyDocument:
        Statement:
          - Effect: Allow
            Principal: {Service: [events.amazonaws.com]}
            Action: sqs:SendMessage
            Resource: !GetAtt KarpenterInterruptionQueue.Arn
  RULE:
    Type: AWS::Events::Rule
    Properties:
      EventPattern: {source: [aws.ec2]}
"""
OLD_TEMPLATE = {"POLICY": "KarpenterControllerPolicy", "SERVICES": '"ec2"', "LAST": "Old", "RETENTION": "300"}
NEW_TEMPLATE = {
    "POLICY": "IAMIntegrationPolicy",
    "SERVICES": '["ec2", "ec2.cn"]',
    "LAST": "New",
    "RETENTION": "60",
}
RULE = "self.all(x, x in [{}] || !x.endsWith('karpenter.sh'))"


def template(words):
    text = TEMPLATE.replace("RULE", words.get("RULE", "SpotInterruptionRule"))
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return text


def crd(kind, spec):
    schema = {"properties": {"spec": spec, "status": {"type": "object"}}}
    versions = [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]
    return {"spec": {"names": {"kind": kind}, "versions": versions}}


def pool(policies, keys, **more):
    return crd(
        "NodePool",
        {
            "type": "object",
            "properties": {
                "policy": {"type": "string", "description": "Words.", "enum": policies},
                "keys": {
                    "type": "array",
                    "items": {"type": "string"},
                    "x-kubernetes-validations": [
                        {"rule": RULE.format(", ".join(keys)), "message": "restricted"}
                    ],
                },
                **more,
            },
            "required": ["policy"],
        },
    )


def release(template_words, values, *crds):
    """The files of a release, by path, as the repository has them."""
    files = {
        upstream_files.TEMPLATE: template(template_words),
        upstream_files.VALUES: yaml.safe_dump(values),
    }
    for each in crds:
        name = f"{each['spec']['names']['kind'].lower()}s.yaml"
        files[f"pkg/apis/crds/{name}"] = yaml.safe_dump(each)
        files[f"charts/karpenter/crds/{name}"] = f"../../../pkg/apis/crds/{name}"
    # Not in the chart, as in 0.30.
    files["pkg/apis/crds/others.yaml"] = yaml.safe_dump(crd("Other", {"type": template_words["RETENTION"]}))
    return files


OLD = release(
    OLD_TEMPLATE,
    {
        "controller": {"image": {"tag": "1.13.0"}, "metrics": {"port": 8000}},
        "logLevel": "info",
        "tolerations": [{"key": "a"}],
    },
    pool(["WhenEmpty"], ["'a'", "'b'"], weight={"type": "integer"}),
    crd("NodeClaim", {"type": "object"}),
)
NEW = release(
    NEW_TEMPLATE,
    {
        "controller": {"image": {"tag": "1.14.0"}, "metrics": {"port": 8080}},
        "settings": {"featureGates": {"capacityBuffer": False}},
        "tolerations": [{"key": "a"}, {"key": "b"}],
    },
    pool(["WhenEmpty", "Balanced"], ["'a'", "'b'", "'c'"], replicas={"type": "integer", "minimum": 0}),
    crd("NodeClaim", {"type": "object", "minProperties": 1}),
)
REPORT = """\
v1.14.1 -> v1.15.0

Controller policies
  ~ AllowPassingInstanceRole
      - of KarpenterControllerPolicy
      + Condition StringEquals iam:PassedToService = ec2.cn
      + of IAMIntegrationPolicy
  + New
      + Action ec2:Describe
      + Effect Allow
      + Resource *
      + of IAMIntegrationPolicy
  - Old

Node role, queue and event rules
  ~ interruptionQueue
      - MessageRetentionPeriod = 300
      + MessageRetentionPeriod = 60

Chart values
  ~ controller.metrics.port
      - default 8000
      + default 8080
  - logLevel
  + settings.featureGates.capacityBuffer
      + default false
  ~ tolerations
      - default [{"key": "a"}]
      + default [{"key": "a"}, {"key": "b"}]

CRDs
  ~ NodePool v1 spec.keys rule: self.all(x, x in […] || !x.endsWith('karpenter.sh'))
      + lists 'c'
  ~ NodePool v1 spec.policy
      + enum Balanced
  + NodePool v1 spec.replicas
      + minimum 0
      + type integer
  - NodePool v1 spec.weight
"""


def git(folder, *arguments):
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, env=environment
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """A clone with a commit and a tag for each release; its work tree has what comes after both."""
    folder = tmp_path_factory.mktemp("karpenter-provider-aws")
    git(folder, "init", "--quiet")
    for tag, files in (("v1.14.1", OLD), ("v1.15.0", NEW)):
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).unlink(missing_ok=True)
            if text.startswith("../"):
                (folder / name).symlink_to(text)
            else:
                (folder / name).write_text(text, encoding="utf-8")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", tag)
        git(folder, "tag", tag)
    (folder / upstream_files.VALUES).write_text("changed: true", encoding="utf-8")
    return folder


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the program; what it prints, or the text with which it ends."""

    def run(root, *arguments):
        monkeypatch.setenv("KARPENTER_UPSTREAM", str(root))
        monkeypatch.setattr(sys, "argv", ["facts.py", *arguments])
        facts.main()
        return capsys.readouterr().out

    return run


def test_reports_what_is_added_removed_and_changed(run, clone):
    assert run(clone, "v1.15.0") == REPORT


def test_reads_a_bare_clone_too(run, clone):
    assert run(clone / ".git", "1.15.0", "--against", "1.14.1") == REPORT


def test_says_where_nothing_changes(run, clone):
    assert run(clone, "v1.14.1", "--against", "v1.14.1").splitlines() == [
        "v1.14.1 -> v1.14.1",
        *("", "Controller policies", "  nothing"),
        *("", "Node role, queue and event rules", "  nothing"),
        *("", "Chart values", "  nothing"),
        *("", "CRDs", "  nothing"),
    ]


def test_event_rules_go_and_come(clone):
    files = facts.open_upstream(clone)
    old = files.iam("v1.14.1")
    new = {**old, "eventRules": {"RebalanceRule": {"EventPattern": {"source": ["aws.ec2"]}}}}
    changes = facts.difference(facts.other_resource_facts(old), facts.other_resource_facts(new))
    assert list(changes) == [
        "+ eventRules RebalanceRule",
        '    + source[] = "aws.ec2"',
        "- eventRules SpotInterruptionRule",
    ]


def test_saves_the_files_for_the_contract_tests(run, clone, tmp_path):
    for tag in ("v1.14.1", "v1.15.0"):
        run(clone, tag, "--against", "v1.14.1", "--save", str(tmp_path))
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*") if path.is_file()) == [
        "crds/v1.14.1/nodeclaims.yaml",
        "crds/v1.14.1/nodepools.yaml",
        "crds/v1.15.0/nodeclaims.yaml",
        "crds/v1.15.0/nodepools.yaml",
        "iam/v1.14.1.json",
        "iam/v1.15.0.json",
        "values/v1.14.1.yaml",
        "values/v1.15.0.yaml",
    ]
    saved = json.loads((tmp_path / "iam" / "v1.15.0.json").read_text(encoding="utf-8"))
    assert saved["nodeRole"] == {
        "logicalId": "KarpenterNodeRole",
        "RoleName": "KarpenterNodeRole-${ClusterName}",
        "ManagedPolicyArns": ["arn:${AWS::Partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy"],
    }
    assert saved["interruptionQueuePolicy"]["Queues"] == ["${KarpenterInterruptionQueue}"]
    assert run(tmp_path, "v1.15.0") == REPORT


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("v1.15.0", "v1.14.1"),
        ("v1.14.2", "v1.14.1"),
        ("v1.14.1", "v1.13.1"),
        ("v1.9.2", "v1.8.8"),
        ("v1.9.3", "v1.9.2"),
        ("v1.0.0", "v0.37.8"),
    ],
)
def test_compares_with_the_newest_known_release_before(tag, known):
    assert facts.newest_known(tag) == known


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["v1.16.0"], "no tag v1.16.0 in {root}; fetch the tags, or name another one with --against"),
        (
            ["v1.15.0", "--against", "v1.13.1"],
            "no tag v1.13.1 in {root}; fetch the tags, or name another one with --against",
        ),
        (["v0.30.0"], "no release before v0.30.0 is known; name one with --against"),
    ],
    ids=["tag", "against", "oldest"],
)
def test_fails_without_the_tag(run, clone, arguments, message):
    with pytest.raises(SystemExit) as raised:
        run(clone, *arguments)
    assert raised.value.code == message.format(root=clone)


def test_fails_without_upstream(run, tmp_path):
    with pytest.raises(SystemExit) as raised:
        run(tmp_path, "v1.15.0")
    assert raised.value.code == (
        f"no upstream files in {tmp_path}: set KARPENTER_UPSTREAM to a clone of aws/karpenter-provider-aws, or to a "
        "folder with iam/, values/ and crds/"
    )


def test_fails_with_what_is_no_release(run, clone, capsys):
    with pytest.raises(SystemExit):
        run(clone, "main")
    assert capsys.readouterr().err.endswith("argument tag: invalid release_tag value: 'main'\n")
