"""The node role and the default instance profile are upstream's, for every release."""

import pytest

from karpenter_construct._upstream.node_role import (
    node_managed_policies,
    node_trust_policy,
    uses_default_instance_profile,
)
from tests.contract import upstream


def managed_policy(arn):
    prefix = "arn:${AWS::Partition}:iam::aws:policy/"
    assert arn.startswith(prefix)
    return arn.removeprefix(prefix)


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_managed_policies_are_upstreams(tag):
    theirs = tuple(managed_policy(arn) for arn in upstream.iam(tag)["nodeRole"]["ManagedPolicyArns"])
    assert node_managed_policies(upstream.version(tag)) == theirs


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_trust_policy_is_upstreams(tag):
    theirs = upstream.iam(tag)["nodeRole"]["AssumeRolePolicyDocument"]["Statement"]
    ours = node_trust_policy()["Statement"]
    assert [s | {"Action": [s["Action"]]} for s in ours] == theirs


@pytest.mark.parametrize("tag", upstream.TAGS)
def test_an_instance_profile_is_made_where_upstream_makes_one(tag):
    theirs = upstream.iam(tag)["instanceProfile"]
    assert uses_default_instance_profile(upstream.version(tag)) == (theirs is not None)
