"""How a node class finds what exists already: AMIs, subnets, security groups, reservations, placement groups.

The terms of one list are alternatives; the fields of one term must all hold.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from ._fields import Choice, Map, Text, Words
from ._model import Model
from .releases import since

_TAGS = Map(most=20)


AMI_ALIAS = Text(
    "an alias of the format 'family@version'",
    pattern=r"[a-zA-Z0-9]+@.+",
    fix="write one as in 'al2023@latest' or 'al2023@v20260810'; the id of an AMI goes into "
    "ami_selector_terms=[AMISelectorTerm(id=...)]",
    longest=30,
)


class AMISelectorTerm(Model):
    """AMIs by alias, tags, id, name or SSM parameter."""

    sample: ClassVar[str] = "{'id': 'ami-0abcdef1234567890'}"

    alias: Annotated[str | None, AMI_ALIAS] = None
    """An EKS-optimised AMI as ``family@version``; ``latest`` replaces all nodes whenever AWS publishes
    one. It stands alone: no other field, no other term. Before Karpenter 1.0 only ``@latest``. Default:
    none."""
    tags: Annotated[Mapping[str, str] | None, _TAGS] = None
    """Tags of the AMI; ``*`` is any value. Default: none."""
    id: Annotated[
        str | None,
        Text("the id of an AMI", pattern="ami-[0-9a-z]+", fix="write one as in 'ami-0abcdef1234567890'"),
    ] = None
    """The AMI's id. Default: none."""
    name: Annotated[str | None, Text()] = None
    """The AMI's name, not its Name tag; ``*`` and ``?`` are wildcards. Default: none."""
    owner: Annotated[str | None, Text()] = None
    """Who owns the AMI: an account, ``self``, ``amazon`` or ``aws-marketplace``. Default: for a name, this
    account and Amazon."""
    ssm_parameter: Annotated[str | None, Text(), since("1.4")] = None
    """The name or ARN of the SSM parameter that holds the AMI's id; the construct lets the controller read it.
    Default: none."""


class SubnetSelectorTerm(Model):
    """Subnets by tags or id."""

    sample: ClassVar[str] = "{'id': 'subnet-0abcdef1234567890'}"

    tags: Annotated[Mapping[str, str] | None, _TAGS] = None
    """Tags of the subnet; ``*`` is any value. Default: none."""
    id: Annotated[
        str | None,
        Text(
            "the id of a subnet", pattern="subnet-[0-9a-z]+", fix="write one as in 'subnet-0abcdef1234567890'"
        ),
    ] = None
    """The subnet's id. Default: none."""


class SecurityGroupSelectorTerm(Model):
    """Security groups by tags, id or name."""

    sample: ClassVar[str] = "{'id': 'sg-0abcdef1234567890'}"

    tags: Annotated[Mapping[str, str] | None, _TAGS] = None
    """Tags of the security group; ``*`` is any value. Default: none."""
    id: Annotated[
        str | None,
        Text(
            "the id of a security group", pattern="sg-[0-9a-z]+", fix="write one as in 'sg-0abcdef1234567890'"
        ),
    ] = None
    """The security group's id. Default: none."""
    name: Annotated[str | None, Text()] = None
    """The security group's name, not its Name tag. Default: none."""


class InstanceMatchCriteria(Words):
    """Which instances a capacity reservation takes."""

    OPEN = "open"
    """Every instance that matches its attributes."""
    TARGETED = "targeted"
    """Only instances that name it."""


class CapacityReservationSelectorTerm(Model):
    """Capacity reservations by tags, id or match criteria."""

    sample: ClassVar[str] = "{'id': 'cr-0abcdef1234567890'}"

    tags: Annotated[Mapping[str, str] | None, _TAGS] = None
    """Tags of the reservation; ``*`` is any value. Default: none."""
    id: Annotated[
        str | None,
        Text(
            "the id of a capacity reservation",
            pattern="cr-[0-9a-z]+",
            fix="write one as in 'cr-0abcdef1234567890'",
        ),
    ] = None
    """The reservation's id. Default: none."""
    owner_id: Annotated[
        str | None, Text("an AWS account", pattern="[0-9]{12}", fix="write its twelve digits as a string")
    ] = None
    """The account that owns the reservation; it narrows the other fields. Default: any."""
    instance_match_criteria: Annotated[
        InstanceMatchCriteria | str | None, Choice(InstanceMatchCriteria), since("1.8")
    ] = None
    """Which instances the reservation takes. Default: any."""


class PlacementGroupSelector(Model):
    """The placement group of the nodes, by name or by id."""

    sample: ClassVar[str] = "{'name': 'rack'}"

    name: Annotated[str | None, Text(shortest=1)] = None
    """The placement group's name. Default: none."""
    id: Annotated[
        str | None,
        Text(
            "the id of a placement group",
            pattern="pg-[0-9a-z]+",
            fix="write one as in 'pg-0abcdef1234567890'",
        ),
    ] = None
    """The placement group's id. Default: none."""


_IN_MAPS: Mapping[type[Model], Mapping[str, str]] = {
    AMISelectorTerm: {"name": "aws::name", "owner": "aws::owners", "id": "aws::ids"},
    SubnetSelectorTerm: {"id": "aws-ids"},
    SecurityGroupSelectorTerm: {"id": "aws-ids"},
}


def map_entries(term: Model) -> dict[str, str]:
    """A term as entries of the map that selectors were before Karpenter 0.32; the rest no map can say."""
    special = {key: getattr(term, name) for name, key in _IN_MAPS.get(type(term), {}).items()}
    return {key: value for key, value in special.items() if value} | dict(getattr(term, "tags", None) or {})
