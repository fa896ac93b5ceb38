"""What outlives node classes, by release."""

import pytest

from karpenter_construct._upstream.clean_up import leaves_something
from karpenter_construct.releases import KarpenterVersion


@pytest.mark.parametrize(
    ("version", "outlives"),
    [
        ("0.30.0-rc.0", True),
        ("0.31.5", True),
        ("0.32.0", True),
        ("0.33.12", True),
        ("0.34.0", False),
        ("1.14.1", False),
    ],
)
def test_instances_or_launch_templates_outlive_node_classes(version, outlives):
    assert leaves_something(KarpenterVersion.parse(version)) is outlives
