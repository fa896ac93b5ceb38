"""The role with which EC2 launches spot instances, in an account that never had one."""

from __future__ import annotations

from aws_cdk import CfnResource

from .handler_function import HandlerFunction
from .policy_document import statements, sub_document

RESOURCE_TYPE = "Custom::KarpenterSpotServiceLinkedRole"
_SPOT = "spot.amazonaws.com"


def spot_service_linked_role(handler: HandlerFunction) -> CfnResource:
    """Make ``AWSServiceRoleForEC2Spot`` where it is missing.

    CloudFormation's own resource for it fails where the role exists, and takes it away on delete although other
    clusters use it: it belongs to the account.
    """
    policy = statements(
        {
            "Effect": "Allow",
            "Action": "iam:CreateServiceLinkedRole",
            "Resource": f"arn:${{AWS::Partition}}:iam::${{AWS::AccountId}}:role/aws-service-role/{_SPOT}/*",
            "Condition": {"StringEquals": {"iam:AWSServiceName": _SPOT}},
        }
    )
    return handler.custom_resource(
        "SpotServiceLinkedRole",
        resource_type=RESOURCE_TYPE,
        properties={},
        policy_document=sub_document(policy, {}),
    )
