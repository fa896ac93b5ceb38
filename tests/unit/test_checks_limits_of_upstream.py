"""Values at the limits of what upstream reads: tags of a selector that is one map, numbers, times."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_node_class, check_node_pool
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion


def messages(version: str, **fields: object) -> list[str]:
    node_class = EC2NodeClass(name="a", **fields)
    found = check_node_class(node_class, KarpenterVersion.parse(version), path=node_class.path)
    return [str(problem) for problem in found]


@pytest.mark.parametrize("key", ["aws-ids", "aws::ids", "aws::name", "aws::owners"])
@pytest.mark.parametrize("field", ["subnet_selector_terms", "security_group_selector_terms"])
def test_fails_for_a_tag_that_is_read_as_something_else(field, key):
    fields = {field: [{"tags": {key: "subnet-1"}}]}
    assert messages("0.31.5", **fields) == [
        f"`node_classes['a'].{field}[0].tags['{key}']`: is read as ids, names or owners, a tag needs Karpenter "
        "0.32.0 or later, version is 0.31.5; select by another tag"
    ]
    assert messages("0.32.0", **fields) == []


def test_fails_for_a_number_that_karpenter_cannot_read():
    requirement = {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gt"}
    pools = [
        NodePool(name="a", requirements=[{**requirement, "values": [str(number)]}])
        for number in (2**63 - 1, 2**63)
    ]
    version = KarpenterVersion.parse("1.8.8")
    found = [check_node_pool(pool, version, path=pool.path) for pool in pools]
    assert [[str(problem) for problem in problems] for problems in found] == [
        [],
        [
            "`node_pools['a'].requirements[0].values`: requirements operator 'Gt' or 'Lt' must have a single "
            "positive integer value, got ('9223372036854775808',); give one whole number"
        ],
    ]


def test_a_limit_beyond_64_bits_becomes_a_string_as_kubernetes_reads_no_such_number():
    assert NodePool(name="a", limits={"cpu": 2**63}).limits == {"cpu": "9223372036854775808"}


@pytest.mark.parametrize("time", ["2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z"])
def test_fails_for_a_time_that_is_none(time):
    with pytest.raises(SettingsError) as error:
        NodePool(name="a", taints=[{"key": "a", "effect": "NoSchedule", "time_added": time}])
    assert str(error.value) == (
        f"`node_pools['a'].taints[0].time_added`: must be a time as RFC 3339 writes it, got '{time}'; "
        "write one as in '2026-01-31T12:00:00Z'"
    )
