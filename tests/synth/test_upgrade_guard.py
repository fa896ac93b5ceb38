"""The guard that refuses forbidden upgrades: what it knows, and what waits for it."""

from __future__ import annotations

import pytest
from aws_cdk import aws_iam

from karpenter_construct import Discovery, Karpenter

from . import clusters
from .intrinsics import Resources, of_stack

ROLE_ARN = f"arn:aws:iam::{clusters.ACCOUNT}:role/karpenter"


def with_karpenter(version: str = "1.14.1", *, role_arn: str | None = None, **arguments: object) -> Resources:
    """The template of Karpenter on an imported cluster, with a pool where that can be."""
    home = clusters.stack()
    if role_arn is not None:
        arguments["controller_role"] = aws_iam.Role.from_role_arn(home, "Given", role_arn)
    karpenter = Karpenter(
        home, "Karpenter", cluster=clusters.imported_classic(home), version=version, **arguments
    )
    karpenter.add_node_pool("default")
    return of_stack(home)


@pytest.fixture(scope="module")
def found():
    return with_karpenter("0.37.8")


def waiting_for_guard(resources: Resources) -> set[str]:
    return {name for name, each in resources.items() if "UpgradeGuard" in each.get("DependsOn", ())}


def test_guard_knows_the_release_and_what_it_must_not_follow(found):
    assert found["UpgradeGuard"] == {
        "Type": "Custom::KarpenterUpgradeGuard",
        "Properties": {
            "ServiceToken": {"Fn::GetAtt": ["Handler", "Arn"]},
            "ServiceTimeout": 900,
            "Release": "0.37.8",
            "Namespace": "kube-system",
            "Refused": [
                {
                    "Since": "0.0.0",
                    "Until": "0.32.0",
                    "Why": "0.33 and later do not know the Provisioners, AWSNodeTemplates and Machines of the "
                    "cluster; install 0.32.10 first, replace them by NodePools and EC2NodeClasses, then go on",
                },
                {
                    "Since": "1.1.0",
                    "Why": "releases before 1.0 take v1beta1, which 1.1 and later removed from the CRDs; stay on "
                    "1.0 or later",
                },
            ],
        },
    }


def test_guard_needs_nothing_of_aws(found):
    assert "UpgradeGuardPolicy" not in found


def test_charts_and_permissions_wait_for_the_guard(found):
    assert waiting_for_guard(found) == {"CrdChart", "ControllerRole"}
    assert "CrdChart" in found["Chart"]["DependsOn"]
    assert found["NodeLifecyclePolicy"]["Properties"]["Roles"] == [{"Ref": "ControllerRole"}]


def test_policies_of_a_given_role_wait_for_the_guard():
    found = with_karpenter("0.37.8", role_arn=ROLE_ARN)
    assert waiting_for_guard(found) == {
        "CrdChart",
        "EKSIntegrationPolicy",
        "IAMIntegrationPolicy",
        "InterruptionPolicy",
        "NodeLifecyclePolicy",
        "ResourceDiscoveryPolicy",
    }


def test_association_of_a_given_role_waits_for_the_guard():
    found = with_karpenter(
        role_arn=ROLE_ARN, controller_role_has_permissions=True, identity_type="POD_IDENTITY",
        pod_identity_agent_installed=True,
    )  # fmt: skip
    assert waiting_for_guard(found) == {"CrdChart", "PodIdentityAssociation"}


def test_no_guard_where_the_charts_come_from_elsewhere():
    found = with_karpenter(install_chart=False, discovery=Discovery.by_id(security_groups=["sg-1"]))
    assert [name for name in found if "Guard" in name or "Handler" in name] == []
