"""``karpenter-construct check``: what a release refuses, with file and line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karpenter_construct._reading.changes import fit
from karpenter_construct._reading.manifests import read_as_far_as_possible
from karpenter_construct.cli.node_checks import NodeChecks
from karpenter_construct.releases import KarpenterVersion
from tests.unit.command import run
from tests.unit.test_reading_hostile import FILES, JSON, OBJECTS, PLACES, replaced

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@v20260810}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
"""
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: kubernetes.io/os, operator: In, values: [linux]}
  limits: {cpu: 100}
"""


def named(name):
    return POOL.replace("{name: default}\nspec", f"{{name: {name}}}\nspec")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "classes.yaml").write_text(CLASS, encoding="utf-8")
    (tmp_path / "pools.yaml").write_text(POOL, encoding="utf-8")
    return tmp_path


def test_files_that_are_right():
    assert run("check", "classes.yaml", "pools.yaml", "--version", "1.14.1") == (0, "", "")


@pytest.mark.parametrize("text", ["", "---\n", "# nothing yet\n", "{apiVersion: v1, kind: List, items: []}"])
def test_file_without_objects_is_right_with_a_warning(folder, text):
    (folder / "pools.yaml").write_text(text, encoding="utf-8")
    assert run("check", "pools.yaml", "--version", "1.14.1") == (
        0,
        "",
        "warning: there is no node object in what was given\n",
    )


def test_file_that_is_named_twice_is_read_once(folder):
    files = ("pools.yaml", "./pools.yaml", str(folder / "pools.yaml"), "classes.yaml")
    assert run("check", *files, "--version", "1.14.1") == run(
        "check", "pools.yaml", "classes.yaml", "--version", "1.14.1"
    )
    assert run("check", *files, "--version", "1.14.1").code == 0


def test_pools_that_overlap_are_warned_of_at_the_second(folder):
    text = POOL + "---\n" + named("night")
    (folder / "pools.yaml").write_text(text, encoding="utf-8")
    ended = run("check", "pools.yaml", "classes.yaml", "--version", "1.14.1")
    assert (ended.code, ended.output) == (0, "")
    assert ended.errors == (
        "pools.yaml:15: warning: spec: 'default', 'night' have the same weight and fit the same pods, so that either "
        "may be taken; give them different weights, or requirements that exclude each other\n"
    )


def test_five_hundred_pools_are_checked(folder):
    text = "---\n".join(named(f"p{number}") for number in range(500))
    (folder / "pools.yaml").write_text(text, encoding="utf-8")
    assert run("check", "pools.yaml", "classes.yaml", "--version", "1.14.1").code == 0


def test_standard_input_is_a_file(monkeypatch):
    text = POOL.replace("values: [linux]", "values: []")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    ended = run("check", "classes.yaml", "-", "--version", "1.14.1")
    assert ended == (
        1,
        "<stdin>:9: spec.template.spec.requirements[0].values: requirements with operator 'In' must have a value "
        "defined, got (); give at least one value\n",
        "",
    )


def test_fails_with_a_line_for_each_mistake(folder):
    bad = POOL.replace("cpu: 100", "cpu: lots").replace("Pool\nmetadata", "Pool\nmetdata: {}\nmetadata")
    (folder / "pools.yaml").write_text(bad.replace("operator: In", "operator: in"), encoding="utf-8")
    (folder / "classes.yaml").write_text(CLASS.replace("  role", "  rule"), encoding="utf-8")
    ended = run("check", "pools.yaml", "classes.yaml", "--version", "1.14.1")
    assert (ended.code, ended.errors) == (1, "")
    assert ended.output.splitlines() == [
        "pools.yaml:3: metdata: is no field of an object; its fields are apiVersion, kind, metadata, spec, status",
        "classes.yaml:5: spec.rule: is no field of EC2NodeClass in karpenter.k8s.aws/v1; did you mean 'role'?",
    ]


def test_fails_by_the_rules_of_the_release(folder):
    (folder / "pools.yaml").write_text(POOL + "  replicas: 3\n  weight: 5\n", encoding="utf-8")
    ended = run("check", "classes.yaml", "pools.yaml", "--version", "1.7.6")
    assert ended == (
        1,
        "pools.yaml:11: spec.replicas: needs Karpenter 1.8.0 or later, version is 1.7.6\n",
        "",
    )
    ended = run("check", "classes.yaml", "pools.yaml", "--version", "1.8.8")
    assert ended.output.splitlines() == [
        "pools.yaml:10: spec.limits: only 'limits.nodes' is supported on static NodePools, got {'cpu': 100}; "
        "leave the others out, or leave replicas out",
        "pools.yaml:12: spec.weight: 'weight' is not supported on static NodePools, got 5; leave it out, or leave "
        "replicas out",
    ]


def test_fails_where_a_class_is_not_complete(folder):
    (folder / "classes.yaml").write_text(CLASS.partition("spec:")[0] + "spec: {}\n", encoding="utf-8")
    ended = run("check", "classes.yaml", "--version", "1.14.1")
    assert ended.output.splitlines() == [
        "classes.yaml:4: spec: must specify exactly one of ['role', 'instanceProfile']; give the name of the "
        "nodes' role",
        "classes.yaml:4: spec: subnetSelectorTerms is required; say where nodes go",
        "classes.yaml:4: spec: securityGroupSelectorTerms is required; say what guards the nodes",
        "classes.yaml:4: spec: amiSelectorTerms is required; give an alias, as in 'al2023@latest'",
    ]


def test_class_that_is_not_complete_is_right_for_the_construct(folder):
    (folder / "classes.yaml").write_text(CLASS.partition("spec:")[0] + "spec: {}\n", encoding="utf-8")
    ended = run("check", "classes.yaml", "pools.yaml", "--version", "1.14.1", "--converted")
    assert (ended.code, ended.output) == (0, "")


OLD = """\
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiFamily: AL2023
  role: nodes
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: prod}}]
"""


@pytest.mark.parametrize(("version", "code"), [("0.37.8", 0), ("1.0.14", 0), ("1.1.0", 1)])
def test_old_generation_is_right_as_long_as_it_is_served(version, code, folder):
    (folder / "old.yaml").write_text(OLD, encoding="utf-8")
    ended = run("check", "old.yaml", "--version", version)
    assert ended.code == code
    assert ended.output == (
        "old.yaml:1: apiVersion: karpenter.k8s.aws/v1beta1 was removed in Karpenter 1.1.0, version is 1.1.0; "
        "convert the "
        "object\n" * code
    )
    assert run("check", "old.yaml", "--version", version, "--converted").code == 0


def test_warnings_have_lines_too(folder):
    (folder / "pools.yaml").write_text(POOL.replace("  limits: {cpu: 100}\n", ""), encoding="utf-8")
    ended = run("check", "classes.yaml", "pools.yaml", "--version", "1.14.1", "--kubernetes-version", "1.20")
    assert (ended.code, ended.output) == (0, "")
    assert ended.errors.splitlines() == [
        "warning: Karpenter 1.14.1 is made for Kubernetes 1.26 to 1.36, the cluster has 1.20: no release known here is "
        "made for that.",
        "pools.yaml:4: warning: spec.limits: there is no limit to what the pool may launch; give one, as in "
        "{'cpu': 1000}",
    ]


def test_class_in_another_file_is_a_warning():
    ended = run("check", "pools.yaml", "--version", "1.14.1")
    assert ended == (
        0,
        "",
        "pools.yaml:7: warning: spec.template.spec.nodeClassRef.name: the node class 'default' is in none of the "
        "files, "
        "so the two are not checked together\n",
    )


def test_fails_for_al2_where_kubernetes_has_none(folder):
    (folder / "classes.yaml").write_text(CLASS.replace("al2023@v20260810", "al2@latest"), encoding="utf-8")
    assert run("check", "classes.yaml", "--version", "1.14.1", "--kubernetes-version", "1.32").code == 0
    ended = run("check", "classes.yaml", "--version", "1.14.1", "--kubernetes-version", "1.33")
    assert ended.code == 1
    assert ended.output.startswith("classes.yaml:6: spec.amiSelectorTerms[0].alias: ")


def test_json(folder):
    (folder / "pools.yaml").write_text(POOL.replace("cpu: 100", "cpu: lots"), encoding="utf-8")
    ended = run("check", "pools.yaml", "--version", "1.14.1", "--json")
    assert (ended.code, ended.errors) == (1, "")
    assert json.loads(ended.output) == {
        "problems": [
            {
                "file": "pools.yaml",
                "line": 10,
                "document": 1,
                "path": "spec.limits.cpu",
                "message": "must be a Kubernetes quantity, got 'lots'; write one as in 200, '500m' or '16Gi'",
            }
        ],
        "warnings": [],
    }
    (folder / "pools.yaml").write_text(POOL, encoding="utf-8")
    assert json.loads(run("check", "pools.yaml", "--version", "1.14.1", "--json").output) == {
        "problems": [],
        "warnings": [
            {
                "id": "karpenter-construct:otherNodeClass",
                "file": "pools.yaml",
                "line": 7,
                "document": 1,
                "path": "spec.template.spec.nodeClassRef.name",
                "message": "the node class 'default' is in none of the files, so the two are not checked together",
            }
        ],
    }


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a: [\n", "bad.yaml:1: is not YAML: while parsing a flow node, did not find expected node content"),
        (b"\xff", "bad.yaml:1: is not UTF-8, has the byte 0xFF; save it as UTF-8"),
        (b"a: \0", "bad.yaml:1: has the character U+0000, which YAML forbids"),
        (
            b"[" * 100_000,
            "bad.yaml:1: is not YAML: while increasing flow level, exceeded maximum nesting depth",
        ),
    ],
)
def test_fails_for_a_file_that_is_no_yaml_and_checks_the_others(content, line, folder):
    (folder / "bad.yaml").write_bytes(content)
    (folder / "pools.yaml").write_text(POOL.replace("cpu: 100", "cpu: lots"), encoding="utf-8")
    ended = run("check", "pools.yaml", "bad.yaml", "--version", "1.14.1")
    assert (ended.code, ended.errors) == (1, "")
    assert set(ended.output.splitlines()) == {
        line,
        "pools.yaml:10: spec.limits.cpu: must be a Kubernetes quantity, got 'lots'; write one as in 200, '500m' or "
        "'16Gi'",
    }


def test_fails_to_run_without_the_file():
    assert run("check", "none.yaml", "--version", "1.14.1") == (
        2,
        "",
        "karpenter-construct check: none.yaml: there is no such file\n",
    )


RELEASES = [KarpenterVersion.parse(text) for text in ("0.31.5", "0.32.10", "0.37.8", "1.0.14", "1.14.1")]


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
@given(st.sampled_from(PLACES), JSON, st.sampled_from(RELEASES))
def test_checks_never_fail_in_any_other_way(place, value, version):
    index, path = place
    # Objects of the other generations would take its name.
    (file,) = [file for file in FILES if any(body is OBJECTS[index] for body in file)]
    objects = [replaced(body, path, value) if body is OBJECTS[index] else body for body in file]
    read = fit(read_as_far_as_possible(objects)[0], version)
    checks = NodeChecks(read, version, "1.31")
    for line in checks.problems() or checks.cautions():
        assert line.message


def test_manifests_of_every_generation_are_right_for_their_release():
    manifests = Path(__file__).parent / "manifests"
    for name, release in (("v1alpha5", "0.31.5"), ("v1beta1", "0.37.8"), ("v1", "1.14.1")):
        assert run("check", str(manifests / f"{name}.yaml"), "--version", release).output == ""
