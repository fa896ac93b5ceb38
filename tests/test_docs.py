"""The code in the documents runs, and the messages in them are those that a user gets."""

import re
from pathlib import Path
from textwrap import indent

import pytest

from karpenter_construct import (
    CAPACITY_TYPE,
    Budget,
    Disruption,
    In,
    Karpenter,
    SettingsError,
)
from tests.synth import clusters

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.fixture
def stack():
    return clusters.stack()


def karpenter(stack, version: str) -> Karpenter:
    cluster = clusters.classic(stack, version=clusters.aws_eks.KubernetesVersion.of("1.28"))
    return Karpenter(stack, "Karpenter", cluster=cluster, version=version)


def test_code_of_the_readme_runs(stack):
    names: dict[str, object] = {"self": stack, "cluster": clusters.classic(stack)}
    for code in re.findall(r"^```python\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL):
        exec(code, names)  # noqa: S102 - it is our own
    assert isinstance(names["karpenter"], Karpenter)


def test_fails_as_the_readme_says(stack):
    installed = karpenter(stack, "0.32.10")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool(
            "batch",
            requirements=[In(CAPACITY_TYPE, "spot", "reserved")],
            disruption=Disruption(consolidate_after="5m", budgets=[Budget(nodes="20%")]),
        )
    assert indent(f"```text\n{raised.value}\n```\n", "  ") in README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text(encoding="utf-8"))
    missing = [
        target
        for target in targets
        if "://" not in target
        and not target.startswith("mailto:")
        and not (document.parent / target).exists()
    ]
    assert missing == []
