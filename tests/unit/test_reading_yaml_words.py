"""Messages about files: in the words of the file."""

from __future__ import annotations

import pytest

from karpenter_construct._reading.yaml_words import in_yaml
from tests.unit.reading import mistakes

CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  amiSelectorTerms: [{alias: al2023@latest}]
"""


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("must be True or False, got None", "must be true or false, got null"),
        ("must be an AMISelectorTerm or a mapping of its fields, got True", "must be a mapping, got true"),
        ("is required; give ami_family, as in 'AL2023'", "is required; give amiFamily, as in 'AL2023'"),
        ("is required; give ami, as in 'al2023@latest'", "is required; give an alias, as in 'al2023@latest'"),
        (
            "empty tag keys aren't supported, got 'ami_family'; use image_gc_low_threshold_percent",
            "empty tag keys aren't supported, got 'ami_family'; use imageGCLowThresholdPercent",
        ),
        ('got "it\'s a node_class", x86_64 or node_class', 'got "it\'s a node_class", x86_64 or nodeClass'),
    ],
)
def test_words(message, words):
    assert in_yaml(message) == words


def test_fails_in_the_words_of_the_file():
    assert mistakes(CLASS + "  blockDeviceMappings: [5]\n  detailedMonitoring: {}\n") == [
        "<text>:6 (document 1): `spec.blockDeviceMappings[0]`: must be a mapping, got 5; write one as in "
        "{'deviceName': '/dev/xvda', 'ebs': {'volumeSize': '20Gi'}}",
        "<text>:7 (document 1): `spec.detailedMonitoring`: must be true or false, got {}",
    ]
