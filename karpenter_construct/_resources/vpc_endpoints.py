"""The VPC endpoints that nodes and controller need in a VPC without a way to the internet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple, cast

from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from ..errors import Problem, SettingsError

INTERFACE_SERVICES = ("ec2", "ecr.api", "ecr.dkr", "sts", "ssm", "sqs", "eks")
"""Upstream's getting-started guide, "Private Clusters"; it lists the S3 gateway besides."""
POD_IDENTITY_SERVICE = "eks-auth"
"""What the Pod Identity agent calls (EKS user guide, private clusters)."""
GATEWAY_SERVICE = "s3"
"""Where ECR keeps the layers of images."""
_HTTPS = 443


class VpcEndpoints(NamedTuple):
    """What was made.

    Attributes:
        made: The names of the services, such as ``ecr.api``.
        dependencies: What must exist before a node can join.
    """

    made: tuple[str, ...]
    dependencies: tuple[Construct, ...]


def required_services(*, pod_identity: bool) -> tuple[str, ...]:
    """The services that need an endpoint, the S3 gateway last.

    IAM and the price list have none in the region: node classes name an instance profile, and Karpenter takes
    the prices that it was built with.
    """
    extra = (POD_IDENTITY_SERVICE,) if pod_identity else ()
    return (*INTERFACE_SERVICES, *extra, GATEWAY_SERVICE)


def vpc_endpoints(
    scope: Construct,
    vpc: ec2.IVpc,
    *,
    pod_identity: bool,
    existing: Sequence[str] = (),
    cidrs: Sequence[str] = (),
) -> VpcEndpoints:
    """Make the endpoints that the VPC lacks: one security group for all interfaces, one subnet for each zone.

    Args:
        scope: The `Karpenter` construct.
        vpc: The VPC. Endpoints that the app made for it are found; an imported VPC cannot be asked.
        pod_identity: Whether pods get their credentials by EKS Pod Identity.
        existing: Services that have an endpoint already, such as ``ecr.api``.
        cidrs: The addresses that may call. Default: the VPC's first block.

    Raises:
        SettingsError: The VPC is imported without its addresses, and ``cidrs`` does not give them.
    """
    required = required_services(pod_identity=pod_identity)
    have = {*existing, *_services_in_app(vpc, required)}
    missing = [service for service in required if service not in have]
    interfaces = [service for service in missing if service != GATEWAY_SERVICE]
    made: list[Construct] = []
    if interfaces:
        made += _interfaces(scope, vpc, interfaces, cidrs or (_cidr(vpc),))
    if GATEWAY_SERVICE in missing:
        made.append(_gateway(scope, vpc))
    return VpcEndpoints(tuple(missing), tuple(made))


def _services_in_app(vpc: ec2.IVpc, services: Sequence[str]) -> set[str]:
    """Those of the services that have an endpoint for this VPC in the VPC's own stack."""
    stack = Stack.of(vpc)
    names = [
        json.dumps(stack.resolve(child.service_name))
        for child in stack.node.find_all()
        if isinstance(child, ec2.CfnVPCEndpoint) and child.vpc_id == vpc.vpc_id
    ]
    # The name ends in the service's, inside a Fn::Join where the region is a reference.
    return {service for service in services if any(f'.{service}"' in name for name in names)}


def _cidr(vpc: ec2.IVpc) -> str:
    try:
        return vpc.vpc_cidr_block
    except RuntimeError:
        # Only reading it tells: an imported VPC has it or not, and reading leaves nothing behind.
        raise SettingsError(
            Problem(
                "cidrs",
                "are not known for the imported VPC, got (); pass the VPC's addresses, as in ['10.0.0.0/16']",
            )
        ) from None


def _interfaces(
    scope: Construct, vpc: ec2.IVpc, services: Sequence[str], cidrs: Sequence[str]
) -> list[Construct]:
    group = ec2.CfnSecurityGroup(
        scope,
        "EndpointSecurityGroup",
        group_description="HTTPS to the VPC endpoints that Karpenter and its nodes use",
        vpc_id=vpc.vpc_id,
        security_group_ingress=[
            ec2.CfnSecurityGroup.IngressProperty(
                ip_protocol="tcp",
                from_port=_HTTPS,
                to_port=_HTTPS,
                cidr_ip=cidr,
                description="HTTPS from the VPC",
            )
            for cidr in cidrs
        ],
    )
    # An endpoint takes one subnet in each zone.
    subnets = vpc.select_subnets(one_per_az=True).subnet_ids
    return [
        ec2.CfnVPCEndpoint(
            scope,
            f"Endpoint-{service}",
            service_name=ec2.InterfaceVpcEndpointAwsService(service).name,
            vpc_id=vpc.vpc_id,
            vpc_endpoint_type="Interface",
            private_dns_enabled=True,
            security_group_ids=[group.attr_group_id],
            subnet_ids=subnets,
        )
        for service in services
    ]


def _gateway(scope: Construct, vpc: ec2.IVpc) -> Construct:
    return ec2.GatewayVpcEndpoint(
        scope,
        "Endpoint-s3",
        vpc=vpc,
        service=cast("ec2.IGatewayVpcEndpointService", ec2.GatewayVpcEndpointAwsService.S3),
    )
