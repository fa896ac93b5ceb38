"""What EC2 refuses of a node class though the CRD takes it."""

from __future__ import annotations

import pytest

from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass

from .test_checks_node_class import TOKEN, lines


def many(count: int) -> dict[str, str]:
    return {f"tag-{number}": "x" for number in range(count)}


@pytest.mark.parametrize(
    ("tags", "line"),
    [
        ({"aws:team": "a"}, "['aws:team']`: begins with 'aws:', which AWS keeps for itself; use another key"),
        ({"AWS:team": "a"}, "['AWS:team']`: begins with 'aws:', which AWS keeps for itself; use another key"),
        (
            {"k" * 129: "a"},
            f"['{'k' * 47}...{'k' * 48}']`: must be at most 128 characters, the key has 129; shorten it",
        ),
        ({"a": "v" * 257}, "['a']`: must be at most 256 characters, the value has 257; shorten it"),
        (
            many(45),
            "`: must be at most 44, has 45: EC2 takes 50, of which Karpenter sets 6; drop some",
        ),
        (
            {**many(45), "Name": "x"},
            "`: must be at most 45, has 46: EC2 takes 50, of which Karpenter sets 5; drop some",
        ),
    ],
)
def test_fails_on_tags(tags, line):
    assert lines(tags=tags) == [f"`c.tags{line}"]


@pytest.mark.parametrize(
    "tags",
    [
        {"team": "a", "awsteam": "b", "my:aws:team": "c"},
        {"k" * 128: "v" * 256, "empty": ""},
        {f"{TOKEN}{'k' * 128}": f"{TOKEN}{'v' * 256}"},
        many(44),
        {**many(44), "Name": "x"},
    ],
)
def test_tags_that_pass(tags):
    assert lines(tags=tags) == []


def test_before_0_32_karpenter_sets_fewer_tags():
    assert lines(tags=many(46), version="0.31.5") == []
    assert lines(tags=many(47), version="0.31.5") == [
        "`c.tags`: must be at most 46, has 47: EC2 takes 50, of which Karpenter sets 4; drop some"
    ]


@pytest.mark.parametrize(("text", "size"), [("x" * 16385, 16385), ("é" * 8193, 16386)])
def test_fails_on_user_data_that_is_too_long(text, size):
    assert lines(user_data=text) == [
        f"`c.user_data`: must be at most 16384 bytes, has {size}; have the node fetch the rest, as from S3"
    ]


@pytest.mark.parametrize("text", ["x" * 16384, "é" * 8192, TOKEN + "x" * 20000])
def test_user_data_that_passes(text):
    assert lines(user_data=text) == []


def volume(**fields) -> dict[str, object]:
    return {
        "block_device_mappings": [
            {"device_name": "/dev/xvdb", "ebs": {"volume_size": "20Gi", **fields}},
        ]
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"volume_type": "gp2", "iops": 3000},
            "iops`: is for gp3, io1 and io2 alone, got 3000; leave it out, or write volume_type 'gp3'",
        ),
        (
            {"volume_type": "st1", "throughput": 125},
            "throughput`: is for gp3 alone, got 125; leave it out, or write volume_type 'gp3'",
        ),
        (
            {"volume_type": "io2", "iops": 100, "throughput": 125},
            "throughput`: is for gp3 alone, got 125; leave it out, or write volume_type 'gp3'",
        ),
        ({"volume_type": "io1"}, "volume_type`: needs iops, got 'io1'; give iops, or write 'gp3'"),
        (
            {"volume_type": "gp3", "iops": 2999},
            "iops`: must be at least 3000 for gp3, and 100 for io1 and io2, got 2999; raise it, or leave it out for "
            "gp3",
        ),
        (
            {"volume_type": "io1", "iops": 99},
            "iops`: must be at least 3000 for gp3, and 100 for io1 and io2, got 99; raise it, or leave it out for gp3",
        ),
        (
            {"volume_type": "gp3", "throughput": 124},
            "throughput`: must be at least 125, got 124; raise it, or leave it out",
        ),
    ],
)
def test_fails_on_a_volume_that_ec2_does_not_make(fields, said):
    assert lines(**volume(**fields)) == [f"`c.block_device_mappings[0].ebs.{said}"]


@pytest.mark.parametrize(
    "fields",
    [
        {"volume_type": "gp3", "iops": 3000, "throughput": 125},
        {"volume_type": "gp3", "iops": 80000, "throughput": 2000},
        {"volume_type": "gp3"},
        {"volume_type": "gp2"},
        {"volume_type": "io1", "iops": 100},
        {"volume_type": "io2", "iops": TOKEN},
        {"volume_type": TOKEN, "iops": 1, "throughput": 1},
        {"iops": 1, "throughput": 1},
        {"snapshot_id": "snap-0abcdef1234567890"},
        {"snapshot_id": TOKEN},
    ],
)
def test_volumes_that_ec2_makes(fields):
    assert lines(**volume(**fields)) == []


@pytest.mark.parametrize("found", ["", "snap-", "vol-1", "snap-A"])
def test_fails_on_what_is_no_snapshot(found):
    with pytest.raises(SettingsError) as raised:
        EC2NodeClass(name="c", **volume(snapshot_id=found))
    assert str(raised.value) == (
        "`node_classes['c'].block_device_mappings[0].ebs.snapshot_id`: must be the id of a snapshot, got "
        f"{found!r}; write one as in 'snap-0abcdef1234567890'"
    )


def test_fails_on_an_empty_key():
    with pytest.raises(SettingsError) as raised:
        EC2NodeClass(name="c", **volume(kms_key_id=""))
    assert str(raised.value) == (
        "`node_classes['c'].block_device_mappings[0].ebs.kms_key_id`: must not be empty, got ''; give the id or ARN of "
        "a key or alias, or leave it out"
    )
    assert lines(**volume(kms_key_id="alias/nodes")) == []
