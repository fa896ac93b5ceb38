"""Tags subnets and security groups that CloudFormation does not own, and takes the tags off again.

Properties: ``Key`` and ``Value`` of the tag, and ``Ids`` of the subnets and security groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import boto3

from .cloudformation import RefusedError, Request, RequestType, logger, once_allowed

if TYPE_CHECKING:
    from types_boto3_ec2 import EC2Client
    from types_boto3_ec2.type_defs import FilterTypeDef, TagTypeDef

RESOURCE_TYPE = "Custom::KarpenterDiscoveryTags"


def handle(request: Request) -> None:
    """Tag what is listed now, untag what is not any more. Doing it twice does no harm."""
    ec2 = boto3.client("ec2")
    new, old = request.properties, request.old_properties
    if request.type is RequestType.DELETE:
        _untag(ec2, new, new["Ids"])
        return
    _refuse_foreign_tags(ec2, new, own={each["Value"] for each in (new, old) if each})
    once_allowed(lambda: ec2.create_tags(Resources=new["Ids"], Tags=[_tag(new)]))
    if request.type is RequestType.UPDATE:
        _untag_removed(ec2, new, old)


def _tag(properties: Mapping[str, Any]) -> TagTypeDef:
    return {"Key": properties["Key"], "Value": properties["Value"]}


def _values(ec2: EC2Client, key: str, ids: Sequence[str]) -> dict[str, str]:
    """The value of the tag for each resource that carries it. A resource that has gone carries none."""
    filters: list[FilterTypeDef] = [{"Name": "resource-id", "Values": ids}, {"Name": "key", "Values": [key]}]
    found = once_allowed(lambda: ec2.describe_tags(Filters=filters))
    return {tag["ResourceId"]: tag["Value"] for tag in found["Tags"]}


def _refuse_foreign_tags(ec2: EC2Client, properties: Mapping[str, Any], own: set[str]) -> None:
    """A resource carries one value of a tag only: another cluster's nodes would lose their subnets."""
    values = _values(ec2, properties["Key"], properties["Ids"])
    foreign = ", ".join(f"{resource} ({value})" for resource, value in values.items() if value not in own)
    if foreign:
        raise RefusedError(
            f"The tag {properties['Key']} belongs to another cluster on {foreign}; "
            "use Discovery.by_id() for this one"
        )


def _untag_removed(ec2: EC2Client, new: Mapping[str, Any], old: Mapping[str, Any]) -> None:
    """Untag what was listed before the update and is not any more."""
    removed = [resource for resource in old["Ids"] if resource not in new["Ids"]]
    if _tag(old) == _tag(new):
        _untag(ec2, old, removed)
    elif removed:
        # The role may take off the tag of today's cluster name only. A cluster of another name is another
        # cluster: its security group goes with it, and a subnet with the old tag is selected by nobody.
        logger.warning("The tag %s=%s stays on %s", old["Key"], old["Value"], ", ".join(removed))


def _untag(ec2: EC2Client, properties: Mapping[str, Any], ids: Sequence[str]) -> None:
    """Take the tag off where it is ours: IAM refuses to touch what does not carry it, or has gone."""
    values = _values(ec2, properties["Key"], ids) if ids else {}
    tagged = [resource for resource, value in values.items() if value == properties["Value"]]
    if tagged:
        once_allowed(lambda: ec2.delete_tags(Resources=tagged, Tags=[_tag(properties)]))
