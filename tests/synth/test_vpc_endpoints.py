"""VPC endpoints for a VPC without a way to the internet."""

from __future__ import annotations

import pytest
from aws_cdk import Environment, Stack, aws_ec2
from constructs import Construct

from karpenter_construct._resources.vpc_endpoints import required_services, vpc_endpoints
from karpenter_construct.errors import SettingsError

from .clusters import ACCOUNT, stack
from .clusters import vpc as imported_vpc
from .intrinsics import CHINA, GOVCLOUD, hard_coded, of_stack

ALL = ("ec2", "ecr.api", "ecr.dkr", "sts", "ssm", "sqs", "eks", "eks-auth", "s3")
IRELAND = Environment(account=ACCOUNT, region="eu-west-1")


def isolated(home: Stack) -> aws_ec2.Vpc:
    return aws_ec2.Vpc(
        home,
        "Vpc",
        max_azs=2,
        subnet_configuration=[
            aws_ec2.SubnetConfiguration(name="A", subnet_type=aws_ec2.SubnetType.PRIVATE_ISOLATED),
            aws_ec2.SubnetConfiguration(name="B", subnet_type=aws_ec2.SubnetType.PRIVATE_ISOLATED),
        ],
    )


def make(home: Stack, vpc, **given):
    return vpc_endpoints(Construct(home, "Karpenter"), vpc, **{"pod_identity": True, **given})


def test_eks_auth_is_for_pod_identity():
    assert required_services(pod_identity=True) == ALL
    assert required_services(pod_identity=False) == (*ALL[:-2], "s3")


class TestMade:
    @pytest.fixture(scope="class")
    @classmethod
    def found(cls):
        home = stack(env=IRELAND)
        made = make(home, isolated(home))
        assert made.made == ALL
        assert len(made.dependencies) == len(ALL)
        return of_stack(home)

    def test_interfaces_share_one_security_group_and_take_a_subnet_of_each_zone(self, found):
        assert found["Endpointecrapi"] == {
            "Type": "AWS::EC2::VPCEndpoint",
            "Properties": {
                "PrivateDnsEnabled": True,
                "SecurityGroupIds": [{"Fn::GetAtt": ["EndpointSecurityGroup", "GroupId"]}],
                "ServiceName": "com.amazonaws.eu-west-1.ecr.api",
                "SubnetIds": [{"Ref": "VpcASubnet1Subnet"}, {"Ref": "VpcASubnet2Subnet"}],
                "VpcEndpointType": "Interface",
                "VpcId": {"Ref": "Vpc"},
            },
        }

    def test_the_vpc_may_call_them(self, found):
        assert found["EndpointSecurityGroup"]["Properties"]["SecurityGroupIngress"] == [
            {
                "CidrIp": {"Fn::GetAtt": ["Vpc", "CidrBlock"]},
                "Description": "HTTPS from the VPC",
                "FromPort": 443,
                "IpProtocol": "tcp",
                "ToPort": 443,
            }
        ]

    def test_s3_is_a_gateway_on_every_route_table(self, found):
        gateway = found["Endpoints3"]["Properties"]
        assert gateway["VpcEndpointType"] == "Gateway"
        assert len(gateway["RouteTableIds"]) == 4

    def test_there_is_one_for_each_service(self, found):
        endpoints = [body for body in found.values() if body["Type"] == "AWS::EC2::VPCEndpoint"]
        assert len(endpoints) == len(ALL)


class TestFound:
    @pytest.mark.parametrize("env", [None, IRELAND, CHINA], ids=["any", "aws", "aws-cn"])
    def test_endpoints_of_the_app_are_not_made_again(self, env):
        home = stack(env=env)
        vpc = isolated(home)
        services = aws_ec2.InterfaceVpcEndpointAwsService
        vpc.add_interface_endpoint("Api", service=services.ECR)
        aws_ec2.InterfaceVpcEndpoint(home, "Eks", vpc=vpc, service=services.EKS)
        vpc.add_gateway_endpoint("S3", service=aws_ec2.GatewayVpcEndpointAwsService.S3)
        assert make(home, vpc).made == ("ec2", "ecr.dkr", "sts", "ssm", "sqs", "eks-auth")

    def test_endpoints_of_another_vpc_do_not_count(self):
        home = stack()
        other = aws_ec2.Vpc(home, "Other", max_azs=1, nat_gateways=0)
        other.add_interface_endpoint("Eks", service=aws_ec2.InterfaceVpcEndpointAwsService.EKS)
        assert make(home, isolated(home)).made == ALL

    def test_what_exists_elsewhere_is_told(self):
        home = stack()
        made = make(home, imported_vpc(home), existing=ALL[:7], cidrs=["10.0.0.0/16", "100.64.0.0/16"])
        assert made.made == ("eks-auth", "s3")
        found = of_stack(home)
        assert set(found) == {"EndpointSecurityGroup", "Endpointeksauth", "Endpoints3"}
        ingress = found["EndpointSecurityGroup"]["Properties"]["SecurityGroupIngress"]
        assert [rule["CidrIp"] for rule in ingress] == ["10.0.0.0/16", "100.64.0.0/16"]
        assert found["Endpointeksauth"]["Properties"]["SubnetIds"] == ["subnet-private1", "subnet-private2"]

    def test_nothing_is_made_where_nothing_is_missing(self):
        home = stack()
        made = make(home, imported_vpc(home), existing=ALL)
        assert made.made == ()
        assert made.dependencies == ()
        assert of_stack(home) == {}

    def test_fails_for_an_imported_vpc_without_its_addresses(self):
        home = stack()
        with pytest.raises(SettingsError) as raised:
            make(home, imported_vpc(home))
        assert str(raised.value) == (
            "`cidrs`: are not known for the imported VPC, got (); pass the VPC's addresses, as in "
            "['10.0.0.0/16']"
        )


@pytest.mark.parametrize(
    ("env", "eks", "registry"),
    [
        (CHINA, "cn.com.amazonaws.cn-north-1.eks", "cn.com.amazonaws.cn-north-1.ecr.api"),
        (GOVCLOUD, "com.amazonaws.us-gov-west-1.eks", "com.amazonaws.us-gov-west-1.ecr.api"),
    ],
    ids=["aws-cn", "aws-us-gov"],
)
def test_services_have_the_name_of_the_partition(env, eks, registry):
    home = stack(env=env)
    make(home, isolated(home))
    found = of_stack(home)
    assert found["Endpointeks"]["Properties"]["ServiceName"] == eks
    assert found["Endpointecrapi"]["Properties"]["ServiceName"] == registry
    assert hard_coded(found) == set()
