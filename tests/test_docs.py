"""The code in the documents runs, and the messages in them are those that a user gets."""

import re
from pathlib import Path

import pytest

from karpenter_construct import (
    CAPACITY_TYPE,
    INSTANCE_TYPE,
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

DISRUPTION = Disruption(
    consolidation_policy="WhenEmptyOrUnderutilized", consolidate_after="0s", budgets=[Budget(nodes="10%")]
)


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


def test_fails_as_the_readme_says_where_the_release_is_too_old(stack):
    installed = karpenter(stack, "0.32.10")
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch", disruption=DISRUPTION)
    assert f"  {raised.value}\n" in README


def test_fails_as_the_readme_says_where_a_value_is_no_label(stack):
    installed = karpenter(stack, "1.14.1")
    requirements = [
        In(CAPACITY_TYPE, "spot"),
        {"key": INSTANCE_TYPE, "operator": "In", "values": ["m5 large"]},
    ]
    with pytest.raises(SettingsError) as raised:
        installed.add_node_pool("batch", requirements=requirements)
    assert f"  {raised.value}\n" in README


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
