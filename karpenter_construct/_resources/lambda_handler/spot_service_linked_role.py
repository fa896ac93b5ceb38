"""Makes the role with which EC2 Spot launches instances, where the account does not have it.

Karpenter cannot launch spot instances in an account that never had one before this role exists
(``AuthFailure.ServiceLinkedRoleCreationNotPermitted``). The resource has no properties.
"""

from __future__ import annotations

import boto3
from botocore.exceptions import ClientError

from .cloudformation import Request, RequestType, error_code, logger, once_allowed

RESOURCE_TYPE = "Custom::KarpenterSpotServiceLinkedRole"
SPOT = "spot.amazonaws.com"


def handle(request: Request) -> None:
    """Make the role if it is absent; leave it on delete.

    The role belongs to the account, not to this stack: other clusters and Auto Scaling groups launch spot
    instances with it, and IAM refuses to delete it while any of them runs.
    """
    if request.type is RequestType.DELETE:
        logger.info("The role of %s stays: it belongs to the account", SPOT)
        return
    try:
        once_allowed(lambda: boto3.client("iam").create_service_linked_role(AWSServiceName=SPOT))
    except ClientError as error:
        if not _exists(error):
            raise
        logger.info("The role of %s exists", SPOT)


def _exists(error: ClientError) -> bool:
    """IAM has no error of its own for it: ``InvalidInput … has been taken in this account``."""
    return error_code(error) == "InvalidInput" and "has been taken" in str(error)
