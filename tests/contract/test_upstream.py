"""The upstream files that all other contract tests read are complete."""

from tests.contract import upstream


def test_every_tag_on_disk_is_tested():
    root = upstream.root()
    assert {path.stem for path in (root / "iam").glob("*.json")} == set(upstream.TAGS)
    assert {path.stem for path in (root / "values").glob("*.yaml")} == set(upstream.TAGS)
    assert {path.name for path in (root / "crds").iterdir()} == set(upstream.TAGS)


def test_crds_are_found_by_kind():
    assert sorted(upstream.crds("v0.30.0-rc.0")) == ["AWSNodeTemplate", "Machine", "Provisioner"]
    assert sorted(upstream.crds("v1.14.1")) == [
        "CapacityBuffer", "EC2NodeClass", "NodeClaim", "NodeOverlay", "NodePool",
    ]  # fmt: skip
