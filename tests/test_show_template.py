"""What `make synth` prints of a synthesised app."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


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
    command = [sys.executable, ROOT / "tools" / "show_template.py", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (TABLE, "", 0)
