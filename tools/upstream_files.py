"""Upstream's files by release tag: from a folder that has them sorted by tag, or from a checkout of its repository.

The folder has ``iam/<tag>.json``, ``values/<tag>.yaml`` and ``crds/<tag>/*.yaml``, as the contract tests read
them; the repository is ``aws/karpenter-provider-aws`` with its tags, a bare one too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import yaml

VALUES = "charts/karpenter/values.yaml"
# The chart's folder has links to the files of the other one.
CHART_CRDS, CRDS = "charts/karpenter/crds/", "pkg/apis/crds/"
TEMPLATE = "website/content/en/preview/getting-started/getting-started-with-karpenter/cloudformation.yaml"


class UpstreamFiles(Protocol):
    """What upstream ships with a release."""

    def has(self, tag: str) -> bool:
        """Whether the tag is there."""

    def crds(self, tag: str) -> dict[str, str]:
        """The CRDs of the chart: YAML by file name."""

    def values(self, tag: str) -> str:
        """The chart's default values, as YAML."""

    def iam(self, tag: str) -> dict[str, Any]:
        """The resources of the getting-started template, intrinsic functions as ``${…}``."""


@dataclass(frozen=True)
class Folder:
    """Files sorted by tag."""

    root: Path

    def has(self, tag: str) -> bool:
        """Whether the tag is there."""
        return (self.root / "iam" / f"{tag}.json").is_file()

    def crds(self, tag: str) -> dict[str, str]:
        """The CRDs of the chart: YAML by file name."""
        found = sorted((self.root / "crds" / tag).glob("*.yaml"))
        return {path.name: path.read_text(encoding="utf-8") for path in found}

    def values(self, tag: str) -> str:
        """The chart's default values, as YAML."""
        return (self.root / "values" / f"{tag}.yaml").read_text(encoding="utf-8")

    def iam(self, tag: str) -> dict[str, Any]:
        """The resources of the getting-started template, intrinsic functions as ``${…}``."""
        found: dict[str, Any] = json.loads((self.root / "iam" / f"{tag}.json").read_text(encoding="utf-8"))
        return found


@dataclass(frozen=True)
class Checkout:
    """A clone of the repository; its work tree is not looked at."""

    root: Path

    def has(self, tag: str) -> bool:
        """Whether the tag is there."""
        reference = f"refs/tags/{tag}^{{commit}}"
        return self._git("rev-parse", "--quiet", "--verify", reference, check=False).returncode == 0

    def crds(self, tag: str) -> dict[str, str]:
        """The CRDs of the chart: YAML by file name."""
        names = self._git("ls-tree", "--name-only", tag, CHART_CRDS).stdout.split()
        return {Path(name).name: self._show(tag, CRDS + Path(name).name) for name in names}

    def values(self, tag: str) -> str:
        """The chart's default values, as YAML."""
        return self._show(tag, VALUES)

    def iam(self, tag: str) -> dict[str, Any]:
        """The resources of the getting-started template, intrinsic functions as ``${…}``."""
        return iam_of_template(self._show(tag, TEMPLATE))

    def _show(self, tag: str, path: str) -> str:
        return self._git("show", f"{tag}:{path}").stdout

    def _git(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", str(self.root), *arguments]
        return subprocess.run(command, check=check, stdout=subprocess.PIPE, text=True)


def open_upstream(root: Path) -> UpstreamFiles:
    """The files in a folder of either layout; ends the program where it is neither."""
    if (root / "iam").is_dir():
        return Folder(root)
    if (root / ".git").exists() or (root / "HEAD").is_file():
        return Checkout(root)
    sys.exit(
        f"no upstream files in {root}: set KARPENTER_UPSTREAM to a clone of aws/karpenter-provider-aws, or to a "
        "folder with iam/, values/ and crds/"
    )


def save(files: UpstreamFiles, tag: str, root: Path) -> None:
    """Write a tag's files into a folder, where the contract tests find them."""
    (root / "crds" / tag).mkdir(parents=True, exist_ok=True)
    texts = {f"crds/{tag}/{name}": text for name, text in files.crds(tag).items()}
    texts[f"values/{tag}.yaml"] = files.values(tag)
    texts[f"iam/{tag}.json"] = json.dumps(files.iam(tag), indent=2) + "\n"
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


class _Template(yaml.SafeLoader):
    """Reads CloudFormation's short functions as the text that they are in ``Fn::Sub``."""


def _text(loader: _Template, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


def _reference(loader: _Template, node: yaml.ScalarNode) -> str:
    return f"${{{_text(loader, node)}}}"


_Template.add_constructor("!Sub", _text)
_Template.add_constructor("!Ref", _reference)
_Template.add_constructor("!GetAtt", _reference)


def iam_of_template(text: str) -> dict[str, Any]:
    """Policies, node role, queue and rules of a getting-started template."""
    resources = yaml.load(text, Loader=_Template)["Resources"]  # noqa: S506 - a safe loader
    policies = _of_type(resources, "AWS::IAM::ManagedPolicy")
    return {
        "source": TEMPLATE,
        "controllerPolicies": {name: _policy(properties) for name, properties in policies.items()},
        "nodeRole": _one(resources, "AWS::IAM::Role"),
        "instanceProfile": _one(resources, "AWS::IAM::InstanceProfile"),
        "interruptionQueue": _one(resources, "AWS::SQS::Queue"),
        "interruptionQueuePolicy": _one(resources, "AWS::SQS::QueuePolicy"),
        "eventRules": _of_type(resources, "AWS::Events::Rule"),
    }


def _of_type(resources: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {name: each["Properties"] for name, each in resources.items() if each["Type"] == kind}


def _one(resources: Mapping[str, Any], kind: str) -> dict[str, Any] | None:
    found = _of_type(resources, kind)
    return next(({"logicalId": name, **properties} for name, properties in found.items()), None)


def _policy(properties: Mapping[str, Any]) -> dict[str, Any]:
    document = properties["PolicyDocument"]
    return {
        "name": properties["ManagedPolicyName"],
        "document": json.loads(document) if isinstance(document, str) else document,
    }
