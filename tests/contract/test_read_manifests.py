"""The YAML that the tests read, and what it converts to, is YAML that the releases take."""

from __future__ import annotations

from pathlib import Path

import pytest

from karpenter_construct._reading.yaml_tree import read_documents
from tests.contract import crd_oracle

MANIFESTS = Path(__file__).parents[1] / "unit/manifests"
FILES = {
    "v1alpha5.yaml": "v0.31.5",
    "v1beta1.yaml": "v0.37.8",
    "v1.yaml": "v1.14.1",
    "v1-portable.yaml": "v1.14.1",
    **{
        f"converted/{path.name}": f"v{path.stem.rpartition('-to-')[2]}"
        for path in sorted((MANIFESTS / "converted").iterdir())
    },
}


@pytest.mark.parametrize("name", FILES)
def test_release_takes_every_object(name):
    roots = read_documents((MANIFESTS / name).read_text(encoding="utf-8")).roots
    assert [crd_oracle.violations(FILES[name], root.plain()) for root in roots] == [[]] * len(roots)
