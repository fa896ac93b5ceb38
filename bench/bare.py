"""The same resources made bare: as few calls as there are, nothing decided, checked or looked up.

Every call of Python into the CDK is a trip to its Node.js process, while the peer is written in TypeScript, runs there,
and is one call. So this is the least that a construct in Python can take for these resources: one call for each, of the
L1s, with placeholders in place of ARNs, policies and values.
"""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_eks as eks
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3_assets as s3_assets
from aws_cdk import aws_sqs as sqs
from constructs import Construct

_ARN = "arn:aws:iam::111111111111:role/placeholder"
_DOCUMENT = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": _ARN}]}
_REPOSITORY = "oci://public.ecr.aws/karpenter/karpenter"
_VERSION = "1.14.1"


class BareKarpenter(Construct):
    """What a Karpenter adds to the template, by type and number: 27 resources, with a node class and a pool."""

    def __init__(self, scope: Construct, id: str, cluster: eks.Cluster, handler: str) -> None:  # noqa: A002
        super().__init__(scope, id)
        self._cluster = cluster
        self._roles_and_policies()
        self._queue_and_rules()
        self._custom_resources(handler)
        cluster.aws_auth.add_role_mapping(
            iam.Role.from_role_arn(self, "Nodes", _ARN), groups=["system:nodes"]
        )
        cluster.eks_pod_identity_agent  # noqa: B018 - CDK makes the add-on when it is read
        for release in ("karpenter-crd", "karpenter"):
            cluster.add_helm_chart(
                release, chart=release, repository=_REPOSITORY, version=_VERSION, values={}
            )

    def _roles_and_policies(self) -> None:
        for role in ("NodeRole", "ControllerRole", "HandlerRole"):
            iam.CfnRole(self, role, assume_role_policy_document=_DOCUMENT)
        for number in range(6):
            iam.CfnManagedPolicy(self, f"ControllerPolicy{number}", policy_document=_DOCUMENT)
        iam.CfnPolicy(
            self, "HandlerPolicy", policy_name="Tags", policy_document=_DOCUMENT, roles=["placeholder"]
        )
        eks.CfnPodIdentityAssociation(
            self,
            "PodIdentityAssociation",
            cluster_name="placeholder",
            namespace="kube-system",
            service_account="karpenter",
            role_arn=_ARN,
        )

    def _queue_and_rules(self) -> None:
        sqs.CfnQueue(self, "Queue")
        sqs.CfnQueuePolicy(self, "QueuePolicy", queues=["placeholder"], policy_document=_DOCUMENT)
        target = events.CfnRule.TargetProperty(arn=_ARN, id="placeholder")
        for number in range(5):
            events.CfnRule(self, f"Rule{number}", event_pattern={"source": ["aws.ec2"]}, targets=[target])

    def _custom_resources(self, handler: str) -> None:
        logs.CfnLogGroup(self, "HandlerLogs", retention_in_days=30)
        s3_assets.Asset(self, "HandlerCode", path=handler)
        code = lambda_.CfnFunction.CodeProperty(s3_bucket="placeholder", s3_key="placeholder")
        lambda_.CfnFunction(
            self, "Handler", code=code, handler="index.handler", role=_ARN, runtime="python3.14"
        )
        for resource in ("UpgradeGuard", "DiscoveryTags"):
            cdk.CfnResource(self, resource, type=f"Custom::Bare{resource}", properties={"ServiceToken": _ARN})

    def add(self, kind: str, name: str) -> None:
        """Apply an object that says nothing."""
        self._cluster.add_manifest(f"{kind}-{name}", {"kind": kind, "metadata": {"name": name}})
