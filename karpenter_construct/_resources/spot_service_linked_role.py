"""The account's role for EC2 Spot, made where it is absent."""

from __future__ import annotations

from aws_cdk import CfnResource

from .handler_function import HandlerFunction
from .policy_document import statements, sub_document

RESOURCE_TYPE = "Custom::KarpenterSpotServiceLinkedRole"
# The same in every partition.
_SPOT = "spot.amazonaws.com"


def spot_service_linked_role(handler: HandlerFunction) -> CfnResource:
    """A custom resource that makes ``AWSServiceRoleForEC2Spot`` once, and leaves it when it is deleted.

    Not ``AWS::IAM::ServiceLinkedRole``: that one fails where the account has the role, and takes it away from
    everybody else when the stack goes.

    Args:
        handler: The function behind custom resources.
    """
    return handler.custom_resource(
        "SpotServiceLinkedRole",
        resource_type=RESOURCE_TYPE,
        properties={},
        policy_document=sub_document(
            statements(
                {
                    "Effect": "Allow",
                    "Action": "iam:CreateServiceLinkedRole",
                    "Resource": (
                        f"arn:${{AWS::Partition}}:iam::${{AWS::AccountId}}:role/aws-service-role/{_SPOT}/*"
                    ),
                    "Condition": {"StringEquals": {"iam:AWSServiceName": _SPOT}},
                }
            ),
            {},
        ),
    )
