"""The controller may read the SSM parameters that node classes take AMIs from, and no others."""

from __future__ import annotations

import pytest
from aws_cdk import Stack, aws_iam, aws_ssm

from karpenter_construct import AMISelectorTerm, Karpenter, KarpenterNodeClass

from . import clusters, karpenters
from .intrinsics import Resources, document, of_stack

FAMILY = {"ami_family": "AL2023"}
PARAMETER = f"arn:aws:ssm:eu-west-1:{clusters.ACCOUNT}:parameter"


def karpenter_in(home: Stack, **arguments: object) -> Karpenter:
    return Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        **{**karpenters.ROLES_ALONE, **arguments},
    )


def terms(*parameters: str) -> list[AMISelectorTerm]:
    return [AMISelectorTerm(ssm_parameter=parameter) for parameter in parameters]


def with_class(*parameters: str, **arguments: object) -> Resources:
    home = clusters.stack()
    karpenter_in(home, **arguments).add_node_class("golden", ami_selector_terms=terms(*parameters), **FAMILY)
    return of_stack(home)


def allowed(resources: Resources) -> list[object]:
    return document(resources["AdditionalPolicy"]["Properties"]["PolicyDocument"], {"Ami": "AMI"})[
        "Statement"
    ]


def may_read(*parameters: str) -> dict[str, object]:
    resources = [f"{PARAMETER}{parameter}" for parameter in parameters]
    return {
        "Action": "ssm:GetParameter",
        "Effect": "Allow",
        "Resource": resources[0] if len(resources) == 1 else resources,
    }


def test_own_parameters_may_be_read():
    found = with_class("/golden/al2023:3", "golden")
    assert allowed(found) == [may_read("/golden/al2023", "/golden")]


def test_chart_and_so_the_class_wait_for_the_permission():
    found = with_class("/golden/al2023", install_chart=True)
    assert "AdditionalPolicy" in found["Chart"]["DependsOn"]
    assert "Chart" in found["EC2NodeClassgolden"]["DependsOn"]


def test_class_waits_for_the_permission_where_the_chart_comes_from_elsewhere():
    found = with_class("/golden/al2023", install_chart=False)
    assert "AdditionalPolicy" in found["EC2NodeClassgolden"]["DependsOn"]


@pytest.mark.parametrize(
    "parameter",
    [
        "/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id",
        "arn:aws:ssm:eu-west-1::parameter/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id",
    ],
    ids=["name", "arn"],
)
def test_parameters_of_aws_need_no_further_permission(parameter):
    assert "AdditionalPolicy" not in with_class(parameter)


def test_parameter_of_another_account_that_is_named_as_those_of_aws_needs_the_permission():
    arn = "arn:aws:ssm:eu-west-1:999999999999:parameter/aws/service/mine"
    assert allowed(with_class(arn)) == [{"Action": "ssm:GetParameter", "Effect": "Allow", "Resource": arn}]


def test_classes_without_parameters_need_no_further_permission():
    home = clusters.stack()
    karpenter_in(home).add_node_class("plain", ami="al2023@v20260810")
    assert "AdditionalPolicy" not in of_stack(home)


def test_several_classes_share_the_policy_and_name_no_statement_twice():
    home = clusters.stack()
    karpenter = karpenter_in(home)
    for name, parameter in (("one", "/one"), ("two", "/two"), ("again", "/one")):
        karpenter.add_node_class(name, ami_selector_terms=terms(parameter), **FAMILY)
    assert allowed(of_stack(home)) == [may_read("/one"), may_read("/two")]


def test_name_that_only_the_deployment_knows_may_begin_with_a_slash_or_not():
    home = clusters.stack()
    parameter = aws_ssm.CfnParameter(home, "Ami", type="String", value="ami-1")
    karpenter_in(home).add_node_class("golden", ami_selector_terms=terms(parameter.ref), **FAMILY)
    assert allowed(of_stack(home)) == [may_read("AMI", "/AMI")]


def test_role_that_has_its_permissions_is_left_alone():
    home = clusters.stack()
    role = aws_iam.Role.from_role_arn(home, "Given", f"arn:aws:iam::{clusters.ACCOUNT}:role/karpenter")
    karpenter = karpenter_in(home, controller_role=role, controller_role_has_permissions=True)
    karpenter.add_node_class("golden", ami_selector_terms=terms("/golden"), **FAMILY)
    assert "AdditionalPolicy" not in of_stack(home)


def test_class_of_a_teams_stack_has_the_permission_beside_it():
    app = clusters.app()
    home, team = clusters.stack(app, "Platform"), clusters.stack(app, "Team")
    karpenter = karpenter_in(home)
    parameter = aws_ssm.CfnParameter(team, "Ami", type="String", value="ami-1")
    KarpenterNodeClass(
        team, "Golden", karpenter=karpenter, name="golden", ami_selector_terms=terms(parameter.ref), **FAMILY
    )
    found = of_stack(team)
    policy = found["GoldenControllerPolicy"]["Properties"]
    assert document(policy["PolicyDocument"], {"Ami": "AMI"})["Statement"] == [may_read("AMI", "/AMI")]
    assert list(policy["Roles"][0]) == ["Fn::ImportValue"]
    assert "GoldenControllerPolicy" in found["Golden"]["DependsOn"]
    assert "AdditionalPolicy" not in of_stack(home)
