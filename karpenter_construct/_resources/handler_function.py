"""The Lambda function behind the project's custom resources; its code is the package ``lambda_handler``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aws_cdk as cdk
from aws_cdk import CfnResource, IgnoreMode
from aws_cdk import aws_iam as iam
from constructs import Construct

from .policy_document import statements

# aws-cdk-lib 2.148 has no constant for it. Lambda supports it until 2029, in every partition.
RUNTIME = "python3.14"
TIMEOUT_S = 300
"""The longest that most handlers may take: a few calls, and a minute until IAM knows a new policy."""
_INVOCATIONS = 3
"""Lambda repeats a failed one twice."""
LOG_RETENTION_DAYS = 30
_PACKAGE = "lambda_handler"


class HandlerFunction:
    """One Lambda function for all custom resources of a `Karpenter`; made only where one is needed.

    Its log group is a resource of the stack, and its role may not create another: nothing stays after
    ``cdk destroy``.
    """

    def __init__(self, scope: Construct, *, permissions_boundary: iam.IManagedPolicy | None = None) -> None:
        self._scope = scope
        self._log_group = cdk.aws_logs.CfnLogGroup(scope, "HandlerLogs", retention_in_days=LOG_RETENTION_DAYS)
        self._role = self._make_role(permissions_boundary)
        self.function = self._make_function()
        self._arn = self.function.attr_arn
        self._timeout_s = TIMEOUT_S

    def _make_role(self, boundary: iam.IManagedPolicy | None) -> iam.CfnRole:
        return iam.CfnRole(
            self._scope,
            "HandlerRole",
            assume_role_policy_document=statements(
                {
                    "Effect": "Allow",
                    "Principal": {"Service": "lambda.amazonaws.com"},
                    "Action": "sts:AssumeRole",
                }
            ),
            permissions_boundary=None if boundary is None else boundary.managed_policy_arn,
            policies=[
                iam.CfnRole.PolicyProperty(
                    policy_name="Logs",
                    policy_document=statements(
                        {
                            "Effect": "Allow",
                            "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
                            "Resource": self._log_group.attr_arn,
                        }
                    ),
                )
            ],
        )

    def _make_function(self) -> cdk.aws_lambda.CfnFunction:
        code = cdk.aws_s3_assets.Asset(
            self._scope,
            "HandlerCode",
            path=str(Path(__file__).parent),
            # The package and nothing beside it, so that its modules find each other here and in Lambda alike.
            exclude=["*", f"!{_PACKAGE}", f"!{_PACKAGE}/*.py"],
            ignore_mode=IgnoreMode.GLOB,
        )
        return cdk.aws_lambda.CfnFunction(
            self._scope,
            "Handler",
            code=cdk.aws_lambda.CfnFunction.CodeProperty(
                s3_bucket=code.s3_bucket_name, s3_key=code.s3_object_key
            ),
            description="Custom resources of karpenter-construct",
            handler=f"{_PACKAGE}.index.handler",
            logging_config=cdk.aws_lambda.CfnFunction.LoggingConfigProperty(log_group=self._log_group.ref),
            role=self._role.attr_arn,
            runtime=RUNTIME,
            timeout=TIMEOUT_S,
        )

    def custom_resource(
        self,
        id: str,  # noqa: A002 - the word of every construct
        *,
        resource_type: str,
        properties: Mapping[str, Any],
        policy_document: object | None,
        longest_s: int = TIMEOUT_S,
    ) -> CfnResource:
        """A custom resource that the function serves.

        Its policy is a resource of its own, named ``<id>Policy``: were it part of the role, an update that
        drops the custom resource would take the permission away before the handler is asked to clean up.

        Args:
            id: The construct id.
            resource_type: The ``Custom::…`` type, by which the function finds the handler.
            properties: What the handler gets.
            policy_document: What the handler may do; ``None`` where it needs nothing of AWS.
            longest_s: The seconds that the handler may take.
        """
        if longest_s > self._timeout_s:
            self.function.timeout = self._timeout_s = longest_s
        policy = None if policy_document is None else self._policy(id, policy_document)
        # The L1 without a schema, because CDK before 2.151 does not know ServiceTimeout.
        resource = CfnResource(
            self._scope,
            id,
            type=resource_type,
            properties={
                "ServiceToken": self._arn,
                # CloudFormation's patience, in place of its hour.
                "ServiceTimeout": _INVOCATIONS * longest_s,
                **properties,
            },
        )
        if policy is not None:
            resource.node.add_dependency(policy)
        return resource

    def _policy(self, id: str, document: object) -> iam.CfnPolicy:  # noqa: A002
        return iam.CfnPolicy(
            self._scope, f"{id}Policy", policy_document=document, policy_name=id, roles=[self._role.ref]
        )
