"""The command line as a whole, and the commands that need no files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from karpenter_construct._upstream.controller_policy import PolicyInputs, controller_policies
from karpenter_construct.releases import KarpenterVersion
from tests.unit.command import run

ROOT = Path(__file__).parents[2]
COMMANDS = ["convert", "check", "policy", "values", "releases"]
CLUSTER = ("--cluster-name", "prod")


def process(*arguments, **options):
    command = [sys.executable, "-m", "karpenter_construct.cli", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, **options)


# Help, and what cannot be run


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command):
    ended = run(command, "--help")
    assert (ended.code, ended.errors) == (0, "")
    assert f"examples:\n  karpenter-construct {command}" in ended.output


def test_help_lists_the_commands():
    ended = run("--help")
    assert ended.code == 0
    for command in COMMANDS:
        assert f"\n    {command} " in ended.output


def test_own_version():
    ended = run("--version")
    assert (ended.code, ended.errors) == (0, "")
    assert ended.output.startswith("karpenter-construct ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "karpenter-construct: error: the following arguments are required: COMMAND"),
        (
            ["check", "a.yaml"],
            "karpenter-construct check: error: the following arguments are required: --version",
        ),
        (
            ["check", "--version", "1.14.1"],
            "karpenter-construct check: error: the following arguments are required: FILE",
        ),
        (["values", "--version", "1.14.1", *CLUSTER], "the following arguments are required: --region"),
        (
            ["policy", *CLUSTER, "--version", "9"],
            "karpenter-construct policy: error: argument --version: is not a Karpenter release, got '9'; write one "
            "as in "
            "'1.14.1' or 'v0.30.0-rc.0'",
        ),
        (
            ["check", "a.yaml", "--version", "1.14.1", "--kubernetes-version", "newest"],
            "argument --kubernetes-version: is no Kubernetes version, got 'newest'; write one as in '1.35'",
        ),
        (
            ["convert", "a.yaml", "--to", "1.8.0"],
            "argument --to: has a chart whose own values make the controller panic (a feature gate is spelled in "
            "two ways), "
            "got '1.8.0'; use 1.8.8",
        ),
        (
            ["policy", *CLUSTER, "--version", "1.14.1", "--only", "Mine"],
            "karpenter-construct policy: argument --only: no such policy: 'Mine' (choose from NodeLifecyclePolicy, "
            "IAMIntegrationPolicy, EKSIntegrationPolicy, ResourceDiscoveryPolicy, ZonalShiftPolicy)",
        ),
        (
            ["policy", *CLUSTER, "--version", "1.14.1", "--only", "InterruptionPolicy"],
            "karpenter-construct policy: argument --only: InterruptionPolicy is for a queue; name it with --queue-arn",
        ),
    ],
)
def test_fails_to_run(arguments, message):
    ended = run(*arguments)
    assert (ended.code, ended.output) == (2, "")
    assert ended.errors.endswith(f"{message}\n")


# Policies


def test_policies_are_those_of_the_construct():
    ended = run(
        *("policy", "--version", "1.14.1", *CLUSTER, "--partition", "aws-cn", "--region", "cn-north-1"),
        *("--account", "111122223333", "--queue-arn", "arn:aws-cn:sqs:cn-north-1:111122223333:prod"),
        *(
            "--node-role-arn",
            "arn:aws-cn:iam::111122223333:role/a",
            "--node-role-arn",
            "arn:aws-cn:iam::111122223333:role/b",
        ),
    )
    assert (ended.code, ended.errors) == (0, "")
    found = json.loads(ended.output)
    assert list(found) == [
        "NodeLifecyclePolicy",
        "IAMIntegrationPolicy",
        "EKSIntegrationPolicy",
        "InterruptionPolicy",
        "ResourceDiscoveryPolicy",
        "ZonalShiftPolicy",
    ]
    assert found == controller_policies(
        KarpenterVersion.parse("1.14.1"),
        PolicyInputs(
            cluster_name="prod",
            partition="aws-cn",
            region="cn-north-1",
            account="111122223333",
            node_role_arns=("arn:aws-cn:iam::111122223333:role/a", "arn:aws-cn:iam::111122223333:role/b"),
            interruption_queue_arn="arn:aws-cn:sqs:cn-north-1:111122223333:prod",
        ),
    )
    assert "${" not in ended.output


def test_one_policy_alone_is_a_document():
    ended = run(
        *("policy", "--version", "0.37.8", *CLUSTER, "--only", "InterruptionPolicy"),
        *("--queue-arn", "arn:aws:sqs:eu-west-1:111122223333:prod"),
    )
    assert ended.errors == ""
    assert json.loads(ended.output) == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "AllowInterruptionQueueActions",
                "Effect": "Allow",
                "Action": ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
                "Resource": "arn:aws:sqs:eu-west-1:111122223333:prod",
            }
        ],
    }


def test_policies_without_region_have_placeholders():
    ended = run("policy", "--version", "1.14.1", *CLUSTER, "--only", "NodeLifecyclePolicy")
    assert ended.code == 0
    assert "arn:${AWS::Partition}:ec2:${AWS::Region}:*:instance/*" in ended.output
    assert ended.errors == (
        "note: the documents have placeholders for Fn::Sub: ${AWS::Partition}, ${AWS::Region}\n"
    )


def test_nodes_have_upstreams_role_by_default():
    ended = run("policy", "--version", "1.14.1", *CLUSTER, "--partition", "aws", "--account", "111122223333")
    assert "arn:aws:iam::111122223333:role/KarpenterNodeRole-prod" in ended.output


# Values


def test_values_are_yaml():
    ended = run(
        "values", "--version", "0.34.13", *CLUSTER, "--region", "eu-west-1", "--interruption-queue", "prod"
    )
    assert ended == (
        0,
        """\
# oci://public.ecr.aws/karpenter/karpenter --version v0.34.13 --namespace kube-system
settings:
  featureGates:
    drift: true
    spotToSpotConsolidation: false
  clusterName: prod
  interruptionQueue: prod
  isolatedVPC: false
serviceAccount:
  create: true
  name: karpenter
controller:
  env:
  - name: AWS_REGION
    value: eu-west-1
""",
        "",
    )


def test_values_of_the_old_layout():
    ended = run(
        *("values", "--version", "v0.31.5", *CLUSTER, "--region", "eu-west-1", "--json"),
        *("--controller-role-arn", "arn:aws:iam::111122223333:role/karpenter", "--instance-profile", "nodes"),
        *("--cluster-endpoint", "https://example.com", "--replicas", "1", "--isolated-vpc"),
    )
    assert (ended.code, ended.errors) == (0, "")
    assert json.loads(ended.output) == {
        "replicas": 1,
        "settings": {
            "featureGates": {"driftEnabled": False},
            "aws": {
                "clusterName": "prod",
                "clusterEndpoint": "https://example.com",
                "defaultInstanceProfile": "nodes",
                "isolatedVPC": True,
            },
        },
        "serviceAccount": {
            "create": True,
            "name": "karpenter",
            "annotations": {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/karpenter"},
        },
        "controller": {"env": [{"name": "AWS_REGION", "value": "eu-west-1"}]},
    }


def test_values_of_the_crd_chart():
    arguments = ("values", *CLUSTER, "--region", "eu-west-1", "--crd-chart", "--namespace", "mine")
    assert run(*arguments, "--version", "1.14.1").output == (
        "# oci://public.ecr.aws/karpenter/karpenter-crd --version 1.14.1 --namespace mine\n{}\n"
    )
    found = json.loads(run(*arguments, "--version", "1.0.14", "--json").output)
    assert found["webhook"]["serviceNamespace"] == "mine"


def test_cautions_about_the_release_are_warnings():
    ended = run("values", "--version", "0.32.1", *CLUSTER, "--region", "eu-west-1")
    assert ended.code == 0
    assert ended.errors == (
        "warning: Karpenter 0.32.1 knows neither Pod Identity nor an instance profile on a node class; use 0.32.10.\n"
        "note: 0.32.1 gets its role by an annotation of the service account alone; name the role with "
        "--controller-role-arn\n"
    )


def test_values_of_a_release_that_may_have_its_role_otherwise():
    assert run("values", "--version", "0.32.2", *CLUSTER, "--region", "eu-west-1").errors == ""


# Releases


def test_releases():
    ended = run("releases")
    assert (ended.code, ended.errors) == (0, "")
    lines = ended.output.splitlines()
    assert lines[:2] == [
        "KARPENTER          API       KINDS                                                IDENTITY              "
        "KUBERNETES",
        "0.30.0             v1alpha5  Provisioner, AWSNodeTemplate                         IRSA                  "
        "1.23 to 1.27",
    ]
    assert lines[-1] == (
        "1.14.0 to 1.14.1   v1        NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer  Pod Identity or IRSA  "
        "1.26 to 1.36"
    )


def test_releases_in_json():
    found = json.loads(run("releases", "--json").output)
    assert found[0] == {
        "first": "0.30.0",
        "last": "0.30.0",
        "api": "v1alpha5",
        "kinds": ["Provisioner", "AWSNodeTemplate"],
        "identity": "IRSA",
        "kubernetes": {"minimum": "1.23", "maximum": "1.27"},
    }


# Checks


def test_fails_at_the_line_of_a_long_file():
    ended = run("check", str(ROOT / "tests/unit/manifests/v1.yaml"), "--version", "1.13.1")
    assert (ended.code, ended.errors) == (1, "")
    assert ended.output.splitlines()[0].removeprefix(f"{ROOT}/") == (
        "tests/unit/manifests/v1.yaml:151: spec.disruption.consolidationPolicy: 'Balanced' needs Karpenter 1.14.0 "
        "or later, "
        "version is 1.13.1"
    )


# As a process


def test_process_reads_standard_input():
    text = (ROOT / "tests/unit/manifests/v1.yaml").read_text(encoding="utf-8")
    ended = process("convert", "-", "--to", "1.14.1", input=text)
    assert (ended.returncode, ended.stdout) == (0, text)


@pytest.mark.parametrize(
    ("arguments", "code"), [("releases", 0), ("policy --version 1.14.1 --cluster-name prod --only Mine", 2)]
)
def test_reader_that_goes_away_is_no_mistake(arguments, code):
    script = f"{sys.executable} -m karpenter_construct.cli {arguments} 2>&1 | true; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (code, "")


def test_output_is_utf_8_in_every_locale(tmp_path):
    """And the process ends with the code of a refusal; those around it end with 0 and 2."""
    path = tmp_path / "a.yaml"
    path.write_text("apiVersion: v1\nkind: Größe\n", encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    ended = process("check", str(path), "--version", "1.14.1", env=environment)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout == (
        f"{path}:2: kind: is no node object of Karpenter's, got 'Größe'; keep it in another file\n"
    )


def test_file_name_that_is_no_text_is_shown(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.yaml"
    Path(os.fsdecode(path)).write_text("a: [", encoding="utf-8")
    ended = process("check", os.fsdecode(path), "--version", "1.14.1")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout == (
        f"{tmp_path}/\\xff.yaml:1: is not YAML: while parsing a flow node, did not find expected node content\n"
    )


@pytest.mark.parametrize(
    ("redirection", "code", "errors"),
    [
        ("<&-", 2, "karpenter-construct check: standard input cannot be read: it is closed\n"),
        ("</dev/null >&-", 0, "warning: there is no node object in what was given\n"),
        ("</dev/null 2>&-", 0, ""),
    ],
)
def test_standard_streams_may_be_closed(redirection, code, errors):
    script = f"{sys.executable} -m karpenter_construct.cli check - --version 1.14.1 {redirection}"
    ended = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", errors)


def test_fails_where_the_answer_cannot_be_written():
    script = f"{sys.executable} -m karpenter_construct.cli releases > /dev/full"
    ended = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (
        2,
        "karpenter-construct releases: the answer cannot be written: No space left on device\n",
    )


def test_an_interrupt_ends_the_process_without_a_word():
    command = [sys.executable, "-m", "karpenter_construct.cli", "check", "-", "--version", "1.14.1"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # It reads until the end of its input once it has taken more than the pipe holds.
        process.stdin.write(b"#" * (1 << 17))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"")
