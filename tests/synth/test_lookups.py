"""The first synth of apps that look something up: CDK answers with dummies, looks up, and synthesises again."""

from __future__ import annotations

import inspect
import json

import pytest
from aws_cdk import App, Environment, Stack, aws_ec2, aws_eks, aws_iam, aws_kms, aws_ssm
from aws_cdk.assertions import Annotations, Match

from karpenter_construct import (
    ZONE,
    BlockDevice,
    BlockDeviceMapping,
    ControllerCapacity,
    Discovery,
    In,
    Karpenter,
    UnsupportedVersionError,
)

from . import clusters, karpenters

ENVIRONMENT = Environment(account=clusters.ACCOUNT, region="us-west-2")


def stack() -> Stack:
    return clusters.stack(env=ENVIRONMENT)


def cluster(home: Stack, vpc: aws_ec2.IVpc) -> aws_eks.Cluster:
    return clusters.classic_api(home, vpc=vpc)


def looked_up(home: Stack) -> aws_ec2.IVpc:
    return aws_ec2.Vpc.from_lookup(home, "Network", vpc_name="prod")


def missing(home: Stack) -> set[str]:
    """What the CLI is asked to look up, of an app whose synth succeeded."""
    app = home.node.root
    assert isinstance(app, App)
    assembly = app.synth()
    errors = Annotations.from_stack(home).find_error("*", Match.any_value())
    assert [str(error.entry.data) for error in errors] == []
    with open(f"{assembly.directory}/manifest.json", encoding="utf-8") as file:
        return {item["provider"] for item in json.load(file).get("missing", ())}


def test_zones_of_a_vpc_that_the_app_makes():
    home = stack()
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=cluster(home, aws_ec2.Vpc(home, "Network")),
        version="1.14.1",
        **karpenters.WITHOUT_QUEUE,
    )
    karpenter.add_node_pool("a", requirements=[In(ZONE, "us-west-2a")])
    assert missing(home) == {"availability-zones"}


def test_a_vpc_that_is_looked_up_selected_by_id():
    home = stack()
    vpc = looked_up(home)
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=cluster(home, vpc),
        version="1.14.1",
        discovery=Discovery.by_id(),
        **karpenters.WITHOUT_QUEUE,
    )
    zones = [In(ZONE, vpc.availability_zones[0])]
    karpenter.add_node_pool("a", requirements=zones, labels={ZONE: "us-west-2a"})
    assert missing(home) == {"vpc-provider"}


def test_subnets_of_a_vpc_that_is_looked_up():
    home = stack()
    vpc = looked_up(home)
    subnets = vpc.private_subnets
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=cluster(home, vpc),
        version="1.14.1",
        discovery=Discovery.by_id(subnets=subnets),
        controller_capacity=ControllerCapacity.nodegroup(subnets=[each.subnet_id for each in subnets]),
        **karpenters.WITHOUT_QUEUE,
    )
    terms = [{"id": each.subnet_id} for each in (*vpc.public_subnets, *vpc.isolated_subnets)]
    node_class = karpenter.add_node_class("a", subnet_selector_terms=terms)
    karpenter.add_node_pool("a", node_class=node_class)
    assert missing(home) == {"vpc-provider"}


def test_all_else_that_a_node_class_may_look_up():
    home = stack()
    eks = clusters.classic_api(home)
    vpc = eks.vpc
    group = aws_ec2.SecurityGroup.from_lookup_by_name(home, "Group", "nodes", vpc)
    key = aws_kms.Key.from_lookup(home, "Key", alias_name="alias/nodes")
    image = aws_ec2.MachineImage.lookup(name="nodes-*").get_image(home).image_id
    parameter = aws_ssm.StringParameter.value_from_lookup(home, "/images/nodes")
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=eks,
        version="1.14.1",
        discovery=Discovery.by_id(security_groups=[group]),
        encryption_key=key,
    )
    volume = BlockDevice(volume_size="20Gi", kms_key_id=key.key_arn)
    node_class = karpenter.add_node_class(
        "ids",
        ami_family="AL2023",
        ami_selector_terms=[{"id": image}, {"id": parameter}],
        security_group_selector_terms=[{"id": group.security_group_id}],
        block_device_mappings=[BlockDeviceMapping(device_name="/dev/xvda", ebs=volume)],
    )
    karpenter.add_node_pool("ids", node_class=node_class)
    alias = karpenter.add_node_class("alias", ami=f"al2023@{parameter}")
    karpenter.add_node_pool("alias", node_class=alias, weight=10)
    assert missing(home) == {"security-group", "key-provider", "ami", "ssm"}


def test_a_taint_that_a_lookup_has_yet_to_find():
    home = stack()
    taint = aws_ssm.StringParameter.value_from_lookup(home, "/taint")
    Karpenter(
        home,
        "Karpenter",
        cluster=clusters.imported_classic(home),
        version="1.14.1",
        controller_capacity=ControllerCapacity.nodegroup(taints=[taint]),
        **karpenters.WITHOUT_QUEUE,
    )
    assert missing(home) == {"ssm"}


def test_a_release_that_is_looked_up_has_a_default():
    if "default_value" not in inspect.signature(aws_ssm.StringParameter.value_from_lookup).parameters:
        pytest.skip("this CDK knows no default of a lookup")
    home = stack()
    release = aws_ssm.StringParameter.value_from_lookup(home, "/karpenter/version", "1.14.1")
    eks = clusters.imported_classic(home)
    Karpenter(home, "Karpenter", cluster=eks, version=release, **karpenters.WITHOUT_QUEUE)
    assert missing(home) == {"ssm"}


def test_fails_for_a_release_that_is_looked_up_without_default():
    home = stack()
    release = aws_ssm.StringParameter.value_from_lookup(home, "/karpenter/version")
    with pytest.raises(UnsupportedVersionError) as raised:
        Karpenter(home, "Karpenter", cluster=clusters.imported_classic(home), version=release)
    assert str(raised.value) == (
        "`version`: is a dummy until CDK has looked it up, got 'dummy-value-for-/karpenter/version'; give "
        "value_from_lookup a default_value, as in '1.14.1', or write the release out"
    )
    assert home.node.try_find_child("Karpenter") is None


def test_fails_before_anything_is_built_where_the_cluster_has_no_ids():
    home = clusters.stack()
    vpc = aws_ec2.Vpc.from_vpc_attributes(
        home,
        "Network",
        vpc_id="vpc-1",
        availability_zones=["eu-west-1a"],
        private_subnet_ids=["private"],
        private_subnet_route_table_ids=["rtb-1"],
    )
    imported = clusters.imported_classic(home, vpc=vpc, cluster_security_group_id="nodes")
    with pytest.raises(ValueError, match="private") as raised:
        Karpenter(home, "Karpenter", cluster=imported, version="1.14.1", discovery=Discovery.by_id())
    assert str(raised.value).splitlines() == [
        "`discovery.subnets`: are those of the cluster, got 'private', which is no id of a subnet; pass them, as in "
        "vpc.private_subnets or ['subnet-…']",
        "`discovery.security_groups`: are those of the cluster, got 'nodes', which is no id of a security group; "
        "pass them, as in ['sg-…']",
    ]
    assert home.node.try_find_child("Karpenter") is None


@pytest.mark.skipif(not hasattr(aws_iam.Role, "from_lookup"), reason="this CDK looks no roles up")
def test_a_role_that_is_looked_up_is_of_no_account_yet():
    home = stack()
    role = aws_iam.Role.from_lookup(home, "Role", role_name="nodes")
    karpenter = Karpenter(
        home, "Karpenter", cluster=clusters.classic_api(home), version="1.14.1", node_role=role
    )
    karpenter.add_node_pool("a")
    assert missing(home) == {"cc-api-provider"}


def test_zones_of_a_class_with_subnets_of_its_own():
    home = clusters.stack(env=Environment(account=clusters.ACCOUNT, region=clusters.REGION))
    cluster = clusters.imported_classic(home)
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version="1.14.1", **karpenters.WITHOUT_QUEUE)
    edge = karpenter.add_node_class("edge", subnet_selector_terms=[{"tags": {"edge": "yes"}}])
    karpenter.add_node_pool("edge", node_class=edge, requirements=[In(ZONE, "eu-west-1-lhr-1a")])
    assert missing(home) == set()
