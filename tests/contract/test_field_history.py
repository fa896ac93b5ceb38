"""The windows of the models' fields begin with the first release whose CRDs have them, to the patch.

``history/crd.txt`` has one section for each CRD and version, and in it a line for every field that not all of
its releases have: ``spec.instanceProfile : v0.32[v0.32.2..v0.32.10 of v0.32.0..v0.32.10] v0.33 …``.
"""

from __future__ import annotations

import re

import pytest

from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from tests.contract import full_models, upstream

# Late patches of 0.33 to 0.37 have the v1 CRDs too, for their conversion alone.
FIRST_OF_V1 = KarpenterVersion.parse("1.0.0").release


def _first_releases(crd: str) -> dict[str, tuple[int, int, int]]:
    """The first release of every field, by its last word, that not all releases of a CRD have."""
    text = (upstream.root() / "history" / "crd.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[int, int, int]] = {}
    for section in re.split(r"^##### ", text, flags=re.MULTILINE):
        if not re.match(rf"{re.escape(crd)}\.yaml v1(beta1)?:", section):
            continue
        for path, first, patch in re.findall(
            r"^   spec\.(\S+) : v([\d.]+)(?:\[v(\d+\.\d+\.\d+))?", section, re.MULTILINE
        ):
            release = KarpenterVersion.parse(patch or f"{first}.0").release
            word = path.rpartition(".")[2].removesuffix("[]")
            found[word] = min(release, found.get(word, release))
    return found


@pytest.mark.parametrize(
    ("crd", "model", "in_every_v1beta1"),
    [
        ("karpenter.sh_nodepools", NodePool, set()),
        ("karpenter.k8s.aws_ec2nodeclasses", EC2NodeClass, {"role", "rootVolume"}),
    ],
)
def test_windows_begin_where_the_crds_do(crd, model, in_every_v1beta1):
    history = _first_releases(crd)
    windows = dict(full_models.fields_with_windows(model))
    first = {
        word: window.spans[-1][0]
        for word, window in windows.items()
        if word not in in_every_v1beta1 and KarpenterVersion(window.spans[-1][0]) in upstream.IN_HISTORY
    }
    # What v1 began with has no line of its own.
    assert first == {word: history.get(word, FIRST_OF_V1) for word in first}


def test_the_history_is_read():
    assert _first_releases("karpenter.k8s.aws_ec2nodeclasses")["instanceProfile"] == (0, 32, 2)
    assert _first_releases("karpenter.sh_nodepools")["replicas"] == (1, 8, 0)
