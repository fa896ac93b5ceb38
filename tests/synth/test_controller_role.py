"""The controller's role: trust, policies, Pod Identity association."""

from __future__ import annotations

import json

import pytest
from aws_cdk import Fn, aws_iam
from constructs import Construct

from karpenter_construct._resources.controller_role import ControllerRole, IrsaTrust, PodIdentityTrust
from karpenter_construct._upstream.controller_policy import (
    MANAGED_POLICY_LIMIT,
    PolicyInputs,
    controller_policies,
)
from karpenter_construct.releases import KarpenterVersion

from .clusters import ACCOUNT, OIDC_ISSUER, OIDC_PROVIDER_ARN, stack
from .intrinsics import CHINA, GOVCLOUD, document, hard_coded, kinds, of_stack, resources

POD_IDENTITY = PodIdentityTrust(
    cluster_name="prod", namespace="kube-system", service_account_name="karpenter"
)
IRSA = IrsaTrust(
    provider_arn=OIDC_PROVIDER_ARN,
    issuer=OIDC_ISSUER,
    namespace="kube-system",
    service_account_name="karpenter",
)
POLICIES = {"EKSIntegrationPolicy": {"Version": "2012-10-17", "Statement": [{"Resource": "${ClusterName}"}]}}
ALLOWING = '{"Action":"kms:Decrypt","Effect":"Allow","Resource":"?"}'
NEWEST = controller_policies(
    KarpenterVersion.parse("1.14.1"),
    PolicyInputs(node_role_arns=("${NodeRoleArn0}",), interruption_queue_arn="${InterruptionQueueArn}"),
)


def role(scope: Construct, *, trust=POD_IDENTITY, policies=POLICIES, values=None, **given) -> ControllerRole:
    values = {"ClusterName": "prod"} if values is None else values
    return ControllerRole(scope, trust=trust, policies=policies, values=values, **given)


class TestTrust:
    def test_pod_identity_takes_the_role_and_tags_the_session(self):
        found = resources(role)
        assert found["ControllerRole"]["Properties"]["AssumeRolePolicyDocument"]["Statement"] == [
            {
                "Effect": "Allow",
                "Principal": {"Service": "pods.eks.amazonaws.com"},
                "Action": ["sts:AssumeRole", "sts:TagSession"],
            }
        ]

    def test_pod_identity_is_associated_with_the_service_account(self):
        found = resources(role)
        assert found["PodIdentityAssociation"]["Properties"] == {
            "ClusterName": "prod",
            "Namespace": "kube-system",
            "RoleArn": {"Fn::GetAtt": ["ControllerRole", "Arn"]},
            "ServiceAccount": "karpenter",
        }

    @pytest.mark.parametrize("known", [True, False], ids=["known provider", "token provider"])
    def test_irsa_is_for_one_service_account_and_audience(self, known):
        trust = IRSA
        if not known:
            arn = Fn.get_att("Provider", "Arn").to_string()
            issuer = Fn.select(1, Fn.split(":oidc-provider/", arn))
            trust = IrsaTrust(
                provider_arn=arn, issuer=issuer, namespace="kube-system", service_account_name="karpenter"
            )
        provider = {"Provider.Arn": OIDC_PROVIDER_ARN}
        found = resources(lambda scope: role(scope, trust=trust))
        assert document(found["ControllerRole"]["Properties"]["AssumeRolePolicyDocument"], provider) == {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Principal": {"Federated": OIDC_PROVIDER_ARN},
                    "Action": "sts:AssumeRoleWithWebIdentity",
                    "Condition": {
                        "StringEquals": {
                            f"{OIDC_ISSUER}:aud": "sts.amazonaws.com",
                            f"{OIDC_ISSUER}:sub": "system:serviceaccount:kube-system:karpenter",
                        }
                    },
                }
            ],
        }

    def test_irsa_has_no_association(self):
        assert kinds(resources(lambda scope: role(scope, trust=IRSA))) == {
            "ControllerRole": "AWS::IAM::Role",
            "EKSIntegrationPolicy": "AWS::IAM::ManagedPolicy",
        }


class TestPolicies:
    def test_each_document_is_a_managed_policy_of_the_role(self):
        found = resources(role)["EKSIntegrationPolicy"]
        assert found["Type"] == "AWS::IAM::ManagedPolicy"
        assert set(found["Properties"]) == {"PolicyDocument", "Roles"}
        assert found["Properties"]["Roles"] == [{"Ref": "ControllerRole"}]
        assert document(found["Properties"]["PolicyDocument"]) == {
            "Version": "2012-10-17",
            "Statement": [{"Resource": "prod"}],
        }

    @pytest.mark.parametrize(
        ("region", "partition"), [("ap-northeast-1", "aws"), ("us-gov-west-1", "aws-us-gov")]
    )
    def test_none_is_too_long_with_the_longest_cluster_name(self, region, partition):
        tokens = {
            "ClusterName": Fn.ref("Cluster"),
            "NodeRoleArn0": Fn.ref("NodeRole"),
            "InterruptionQueueArn": Fn.ref("Queue"),
        }
        found = resources(lambda scope: role(scope, policies=NEWEST, values=tokens))
        known = {
            "Cluster": "c" * 100,
            "NodeRole": f"arn:{partition}:iam::{ACCOUNT}:role/{'r' * 64}",
            "Queue": f"arn:{partition}:sqs:{region}:{ACCOUNT}:{'q' * 80}",
            "AWS::Region": region,
            "AWS::Partition": partition,
        }
        for policy_id in NEWEST:
            deployed = document(found[policy_id]["Properties"]["PolicyDocument"], known)
            assert len(json.dumps(deployed, separators=(",", ":"))) <= MANAGED_POLICY_LIMIT

    def test_the_users_statements_are_one_more_policy(self):
        mine = aws_iam.PolicyStatement(actions=["kms:Decrypt"], resources=["*"])
        found = resources(lambda scope: role(scope, additional_statements=[mine]))
        assert found["AdditionalPolicy"]["Properties"]["PolicyDocument"]["Statement"] == [
            {"Action": "kms:Decrypt", "Effect": "Allow", "Resource": "*"}
        ]
        assert found["AdditionalPolicy"]["Properties"]["Roles"] == [{"Ref": "ControllerRole"}]

    @pytest.mark.parametrize(("more", "policies"), [(0, [["a", "b"], ["c"]]), (1, [["a"], ["b", "c"]])])
    def test_a_full_policy_is_followed_by_another(self, more, policies):
        around = '{"Version":"2012-10-17","Statement":[,]}' + 2 * ALLOWING.replace("?", "")
        left = MANAGED_POLICY_LIMIT - len(around) - 4000
        one, two, three = (
            aws_iam.PolicyStatement(actions=["kms:Decrypt"], resources=[letter * size])
            for letter, size in (("a", 4000), ("b", left + more), ("c", 3000))
        )

        def build(scope):
            made = role(scope, additional_statements=[one, two])
            assert made.add_statements(three).node.id == "AdditionalPolicy2"
            assert set(made.policies) == {*POLICIES, "AdditionalPolicy", "AdditionalPolicy2"}

        found = resources(build)
        both = [found[name]["Properties"] for name in ("AdditionalPolicy", "AdditionalPolicy2")]
        assert [
            [statement["Resource"][0] for statement in each["PolicyDocument"]["Statement"]] for each in both
        ] == policies
        assert both[1]["Roles"] == [{"Ref": "ControllerRole"}]
        if not more:
            assert len(json.dumps(both[0]["PolicyDocument"], separators=(",", ":"))) == MANAGED_POLICY_LIMIT

    def test_statements_added_later_join_them(self):
        def build(scope):
            made = role(scope)
            for action in ("a:One", "b:Two"):
                made.add_statements(aws_iam.PolicyStatement(actions=[action], resources=["*"]))

        document_of_both = resources(build)["AdditionalPolicy"]["Properties"]["PolicyDocument"]
        assert [statement["Action"] for statement in document_of_both["Statement"]] == ["a:One", "b:Two"]


class TestRole:
    def test_a_boundary_is_set_on_the_role_made(self):
        def build(scope):
            boundary = aws_iam.ManagedPolicy.from_managed_policy_name(scope, "Boundary", "limits")
            role(scope, permissions_boundary=boundary)

        assert resources(build)["ControllerRole"]["Properties"]["PermissionsBoundary"] == {
            "Fn::Join": [
                "",
                ["arn:", {"Ref": "AWS::Partition"}, ":iam::", {"Ref": "AWS::AccountId"}, ":policy/limits"],
            ]
        }

    @pytest.mark.parametrize(
        "imported",
        [
            lambda scope: aws_iam.Role.from_role_name(scope, "Mine", "mine"),
            lambda scope: aws_iam.Role.from_role_arn(scope, "Mine", f"arn:aws:iam::{ACCOUNT}:role/path/mine"),
        ],
        ids=["by name", "by arn"],
    )
    def test_a_given_role_gets_the_policies_and_none_is_made(self, imported):
        found = resources(lambda scope: role(scope, role=imported(scope)))
        assert kinds(found) == {
            "EKSIntegrationPolicy": "AWS::IAM::ManagedPolicy",
            "PodIdentityAssociation": "AWS::EKS::PodIdentityAssociation",
        }
        assert found["EKSIntegrationPolicy"]["Properties"]["Roles"] == ["mine"]

    def test_a_given_role_of_the_app_keeps_its_trust(self):
        def build(scope):
            mine = aws_iam.Role(scope, "Mine", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
            role(scope, trust=IRSA, role=mine)

        found = resources(build)
        assert kinds(found) == {
            "Mine": "AWS::IAM::Role",
            "EKSIntegrationPolicy": "AWS::IAM::ManagedPolicy",
        }
        trust = found["Mine"]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
        assert [statement["Principal"] for statement in trust] == [{"Service": "ec2.amazonaws.com"}]
        assert found["EKSIntegrationPolicy"]["Properties"]["Roles"] == [{"Ref": "Mine"}]

    def test_a_given_role_of_another_stack_is_used(self):
        away = stack(name="Away")
        mine = aws_iam.Role(away, "Mine", assumed_by=aws_iam.ServicePrincipal("pods.eks.amazonaws.com"))
        home = stack(away.node.root)
        role(Construct(home, "Karpenter"), role=mine)
        found = of_stack(home)
        assert set(found) == {"EKSIntegrationPolicy", "PodIdentityAssociation"}
        [name] = found["EKSIntegrationPolicy"]["Properties"]["Roles"]
        assert name["Fn::ImportValue"].startswith("Away:ExportsOutputRefMine")

    def test_what_waits_for_it_waits_for_everything(self):
        def build(scope):
            made = role(scope)
            last = aws_iam.CfnGroup(scope, "Last")
            last.node.add_dependency(*made.dependencies)

        assert resources(build)["Last"]["DependsOn"] == [
            "ControllerRole",
            "EKSIntegrationPolicy",
            "PodIdentityAssociation",
        ]


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
@pytest.mark.parametrize("irsa", [True, False], ids=["IRSA", "Pod Identity"])
def test_nothing_is_hard_coded(env, irsa):
    arn = Fn.get_att("Provider", "Arn").to_string()
    trust = IrsaTrust(provider_arn=arn, issuer=Fn.ref("Issuer"), namespace="n", service_account_name="k")
    found = resources(
        lambda scope: role(
            scope,
            trust=trust if irsa else POD_IDENTITY,
            policies=NEWEST,
            values={"NodeRoleArn0": Fn.ref("NodeRole"), "InterruptionQueueArn": Fn.ref("Queue")},
        ),
        env=env,
    )
    # EC2's name in iam:PassedToService depends on the partition: upstream lists both.
    assert hard_coded(found) == {"ec2.amazonaws.com", "ec2.amazonaws.com.cn"}
