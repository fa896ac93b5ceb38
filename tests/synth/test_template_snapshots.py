"""All that Karpenter adds to a stack, on disk to read: three generations, four kinds of cluster, little and much."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import CfnResource, Stack, aws_iam, aws_kms

from karpenter_construct import (
    CAPACITY_TYPE,
    INSTANCE_CATEGORY,
    BlockDevice,
    BlockDeviceMapping,
    ControllerCapacity,
    Discovery,
    In,
    Karpenter,
    Kubelet,
    MetadataOptions,
    Taint,
)

from . import clusters, karpenters, readable

needs_eks_v2 = pytest.mark.skipif(not clusters.HAS_EKS_V2, reason="this CDK has no aws_eks_v2")
KINDS = [
    "classic",
    "imported_classic",
    pytest.param("v2", marks=needs_eks_v2),
    pytest.param("imported_v2", marks=needs_eks_v2),
]


def minimal(home: Stack, cluster: Any, release: str) -> Karpenter:
    """What the first lines of the README make."""
    karpenter = Karpenter(home, "Karpenter", cluster=cluster, version=release)
    karpenter.add_node_pool("default")
    return karpenter


def everything(home: Stack, cluster: Any, release: str) -> Karpenter:
    """Every part that can be had at once."""
    vpc = clusters.vpc(home) if home.node.try_find_child("Vpc") is None else home.node.find_child("Vpc")
    karpenter = Karpenter(
        home,
        "Karpenter",
        cluster=cluster,
        version=release,
        namespace="scaling",
        service_account_name="scaler",
        controller_policy_statements=[aws_iam.PolicyStatement(actions=["s3:ListBucket"], resources=["*"])],
        permissions_boundary=aws_iam.ManagedPolicy.from_aws_managed_policy_name("PowerUserAccess"),
        node_role_policies=[
            aws_iam.ManagedPolicy.from_aws_managed_policy_name("CloudWatchAgentServerPolicy")
        ],
        encryption_key=aws_kms.Key(home, "Key"),
        discovery=Discovery.by_tag(subnets=["subnet-1"], security_groups=["sg-1"]),
        isolated_vpc=True,
        controller_capacity=ControllerCapacity.nodegroup(min_size=2, max_size=3),
        chart_repository="oci://registry.example.com/karpenter",
        crd_chart_repository="oci://registry.example.com/karpenter-crd",
        image_repository="registry.example.com/karpenter/controller",
        helm_values={"priorityClassName": "system-node-critical"},
        ebs_csi_startup_taint=True,
    )
    karpenter.add_vpc_endpoints(vpc, existing=["s3"], cidrs=["10.0.0.0/16"])
    batch = karpenter.add_node_class(
        "batch",
        ami="bottlerocket@latest",
        user_data="[settings.kernel]\nlockdown = 'integrity'\n",
        block_device_mappings=[
            BlockDeviceMapping(device_name="/dev/xvdb", ebs=BlockDevice(volume_size="50Gi", encrypted=True))
        ],
        metadata_options=MetadataOptions(http_put_response_hop_limit=2),
        detailed_monitoring=True,
        kubelet=Kubelet(max_pods=58),
        tags={"team": "data"},
    )
    karpenter.add_node_pool(
        "batch",
        node_class=batch,
        requirements=[In(CAPACITY_TYPE, "spot"), In(INSTANCE_CATEGORY, "c", "m")],
        labels={"team": "data"},
        taints=[Taint(key="dedicated", value="batch", effect="NoSchedule")],
        limits={"cpu": 200, "memory": "800Gi"},
        weight=10,
    )
    karpenter.add_manifest(
        "Quota", {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "batch"}}
    )
    return karpenter


@functools.cache
def built(kind: str, release: str, build: Callable[..., object]) -> Stack:
    home = clusters.stack()
    build(home, karpenters.cluster(kind, home, release), release)
    return home


@functools.cache
def without_karpenter(kind: str, release: str) -> readable.Resources:
    home = clusters.stack()
    karpenters.cluster(kind, home, release)
    return readable.resources(home)


@pytest.mark.parametrize("build", [minimal, everything])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("release", karpenters.GENERATIONS)
def test_snapshot_of_the_template(snapshot, release: str, kind: str, build: Callable[..., object]):
    before = without_karpenter(kind, release)
    after = readable.resources(built(kind, release, build))
    added = {name: body for name, body in after.items() if before.get(name) != body}
    snapshot.text(f"templates/{release}-{kind}-{build.__name__}.yaml", readable.text(added))


def test_snapshot_of_the_construct_ids(snapshot):
    """Ids are a contract: a resource under another id is another resource, and the old one is deleted."""
    found: dict[str, list[str]] = {}
    for release in karpenters.GENERATIONS:
        home = built("classic", release, everything)
        karpenter = home.node.find_child("Karpenter")
        made = [each for each in karpenter.node.find_all() if isinstance(each, CfnResource)]
        # All at once: each call to CDK is a trip to its process.
        ids = home.resolve([each.logical_id for each in made])
        for resource, logical_id in zip(made, ids, strict=True):
            path = resource.node.path.removeprefix("Test/Karpenter/")
            found.setdefault(f"{path}  {resource.cfn_resource_type}  {logical_id}", []).append(release)
    lines = [f"{line}  {' '.join(releases)}\n" for line, releases in sorted(found.items())]
    snapshot.text("construct_ids.txt", "".join(lines))
