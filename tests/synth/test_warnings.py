"""Every warning with its id and its whole text, at the construct; and that each can be acknowledged."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import (
    Annotations,
    Stack,
    Tags,
    assertions,
    aws_ec2,
    aws_eks,
    aws_kms,
    aws_lambda,
    aws_s3,
    aws_sqs,
)
from constructs import Construct

from karpenter_construct import ControllerCapacity, Discovery, Karpenter

from . import clusters, karpenters

ACCOUNT = clusters.ACCOUNT

Build = Callable[[Stack], Karpenter]


def installed(home: Stack, cluster: object = None, **arguments: Any) -> Karpenter:
    given = {"cluster": cluster or clusters.imported_classic(home), "version": "1.14.1", **arguments}
    return Karpenter(home, "Karpenter", **given)


def roles_alone(home: Stack, cluster: object = None, **arguments: Any) -> Karpenter:
    return installed(home, cluster, **{**karpenters.ROLES_ALONE, **arguments})


def with_chart(home: Stack, cluster: object = None, **arguments: Any) -> Karpenter:
    return roles_alone(home, cluster, install_chart=True, **arguments)


def with_pool(karpenter: Karpenter, **fields: Any) -> Karpenter:
    """With a pool that nothing is to be said about, but for ``fields``."""
    pinned = karpenter.add_node_class("pinned", ami="al2023@v20260810")
    karpenter.add_node_pool("general", **{"node_class": pinned, **fields})
    return karpenter


def warnings(build: Build, *, acknowledged: str | None = None, before: bool = False) -> list[str]:
    """The warnings at the construct, sorted."""
    home = clusters.stack()
    if acknowledged and before:
        Annotations.of(home).acknowledge_warning(acknowledged)
    karpenter = build(home)
    if acknowledged and not before:
        Annotations.of(karpenter).acknowledge_warning(acknowledged)
    found = assertions.Annotations.from_stack(home).find_warning("*", assertions.Match.any_value())
    return sorted(entry.entry.data for entry in found if entry.id == "/Test/Karpenter")


def nodegroup(**arguments: Any) -> dict[str, Any]:
    return {"controller_capacity": ControllerCapacity.nodegroup(**arguments)}


def with_two_tagged_groups(home: Stack) -> Karpenter:
    cluster = clusters.imported_classic(home)
    group = aws_ec2.SecurityGroup(home, "Group", vpc=cluster.vpc)
    Tags.of(group).add("karpenter.sh/discovery", clusters.NAME)
    return roles_alone(home, cluster, discovery=Discovery.by_tag(security_groups=["sg-1"]))


def with_old_kubectl(home: Stack) -> Karpenter:
    code = aws_lambda.Code.from_bucket(
        aws_s3.Bucket.from_bucket_name(home, "Code", "some-bucket"), "layer.zip"
    )
    layer = aws_lambda.LayerVersion(
        home, "Old", code=code, description="/opt/kubectl/kubectl 1.31.9; /opt/helm/helm 3"
    )
    return with_chart(home, clusters.classic(home, kubectl_layer=layer))


QUEUE_ARN = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:mine"
KEY_ARN = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
SEND = {
    "Effect": "Allow",
    "Principal": {"Service": "events.amazonaws.com"},
    "Action": "sqs:SendMessage",
    "Resource": QUEUE_ARN,
    "Condition": {
        "ArnLike": {
            "aws:SourceArn": {
                "Fn::Sub": "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*"
            }
        }
    },
}
TLS_ONLY = {
    "Sid": "DenyHTTP",
    "Effect": "Deny",
    "Principal": "*",
    "Action": "sqs:*",
    "Resource": QUEUE_ARN,
    "Condition": {"Bool": {"aws:SecureTransport": "false"}},
}
ENCRYPT = {
    "Effect": "Allow",
    "Principal": {"Service": "events.amazonaws.com"},
    "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
    "Resource": "*",
}

IN_A_ZONE = {
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "Exists"}]}
                ]
            }
        }
    }
}

WARNINGS: dict[str, tuple[Build, str]] = {
    "amiLatest": (
        lambda home: with_pool(roles_alone(home), node_class=None),
        "`node_classes['default'].ami`: 'al2023@latest' replaces all nodes whenever AWS publishes an image; pin it, as "
        "in 'al2023@v20260810'",
    ),
    "noLimits": (
        lambda home: with_pool(roles_alone(home), limits=None),
        "`node_pools['general'].limits`: there is no limit to what the pool may launch; give one, as in {'cpu': 1000}",
    ),
    "newerRelease": (
        lambda home: roles_alone(home, version="1.15.0"),
        "Karpenter 1.15.0 is newer than 1.14.1, the newest that this karpenter-construct knows: it gets the "
        "permissions, chart values and checks of 1.14.1. Update karpenter-construct, or compare with upstream's "
        "upgrade guide.",
    ),
    "olderPatch": (
        lambda home: roles_alone(home, version="1.0.0"),
        "Karpenter 1.0.0 runs public.ecr.aws/bitnami/kubectl, an image for x86 only, after each installation of its "
        "chart; use 1.0.14.",
    ),
    "oneNode": (
        lambda home: with_chart(home, **nodegroup(min_size=1)),
        "2 replicas of the controller need 2 nodes, its capacity has 1: 1 will run. Give the node group "
        "desired_size=2, so that Karpenter survives the loss of a node.",
    ),
    "noNodes": (
        lambda home: with_chart(home, clusters.classic(home)),
        "Nothing in this app gives Test/Cluster a node: unless one comes from elsewhere, the controller has nowhere to "
        "run, and its chart fails after 15 minutes. Use controller_capacity=ControllerCapacity.nodegroup(), or add a "
        "node group to the cluster.",
    ),
    "oneZone": (
        lambda home: with_chart(home, **nodegroup(subnets=["subnet-1"])),
        "2 replicas of the controller are to run in two zones, its capacity has one: they will share it. Give the "
        "capacity subnets in two zones, so that Karpenter survives the loss of a zone.",
    ),
    "kubernetesVersion": (
        lambda home: roles_alone(home, clusters.classic(home, version=aws_eks.KubernetesVersion.of("1.25"))),
        "Karpenter 1.14.1 is made for Kubernetes 1.26 to 1.36, the cluster has 1.25: use 0.30.0 to 1.4.4.",
    ),
    "kubectlSkew": (
        with_old_kubectl,
        "Test/Cluster has the kubectl layer v31 and Kubernetes 1.33: kubectl supports one minor of difference; use "
        "KubectlV33Layer.",
    ),
    "unknownHelmValue": (
        lambda home: with_chart(home, helm_values={"podColour": "red"}),
        "`helm_values.podColour`: the chart of Karpenter 1.14.1 has no such value and ignores it.",
    ),
    "controllerOnOwnNodes": (
        lambda home: with_chart(home, helm_values=IN_A_ZONE),
        "`helm_values.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]`: lets "
        "the controller run on nodes that it manages, and it may take its own node away; add {'key': "
        "'karpenter.sh/nodepool', 'operator': 'DoesNotExist'} to its matchExpressions.",
    ),
    "importedQueuePolicy": (
        lambda home: installed(
            home,
            interruption_queue=aws_sqs.Queue.from_queue_arn(home, "Mine", QUEUE_ARN),
            **karpenters.WITHOUT_CHARTS,
        ),
        "The policy of the imported interruption queue cannot be changed from here; it must have "
        f"{json.dumps([SEND, TLS_ONLY])}.",
    ),
    "importedKeyPolicy": (
        lambda home: installed(
            home,
            encryption_key=aws_kms.Key.from_key_arn(home, "Mine", KEY_ARN),
            **karpenters.WITHOUT_CHARTS,
        ),
        f"The policy of the imported encryption key cannot be changed from here; it must have {json.dumps([ENCRYPT])}.",
    ),
    "severalDiscoveryGroups": (
        with_two_tagged_groups,
        "Several security groups carry the tag karpenter.sh/discovery of this cluster, and nodes get all of them: "
        "Test/Group/Resource, sg-1. Leave the tag to one, or select groups with Discovery.by_id().",
    ),
}


if clusters.HAS_EKS_V2:
    WARNINGS["autoMode"] = (
        lambda home: with_chart(home, clusters.v2_automode(home)),
        "Test/Cluster runs EKS Auto Mode, which has a Karpenter of its own: both would scale for the same pods, and "
        "the karpenter-crd chart fails on the CRDs that Auto Mode owns; create the cluster with "
        "default_capacity_type=DefaultCapacityType.NODEGROUP and default_capacity=0.",
    )


def test_a_pinned_pool_on_a_known_cluster_needs_no_word():
    assert warnings(lambda home: with_pool(installed(home))) == []


def test_pure_defaults_have_one_warning():
    found = warnings(lambda home: with_pool(installed(home), node_class=None))
    assert [text.rpartition("[ack: ")[2] for text in found] == [
        "karpenter-construct:amiLatest]",
        "karpenter-construct:unusedNodeClass]",
    ]


@pytest.mark.parametrize("name", WARNINGS)
def test_warning(name):
    build, text = WARNINGS[name]
    assert f"{text} [ack: karpenter-construct:{name}]" in warnings(build)


@pytest.mark.parametrize("name", WARNINGS)
def test_warning_is_acknowledged_before(name):
    build, text = WARNINGS[name]
    found = warnings(build, acknowledged=f"karpenter-construct:{name}", before=True)
    assert [each for each in found if each.startswith(text)] == []


@functools.cache
def acknowledges_what_comes() -> bool:
    """Whether this CDK heeds an acknowledgement at the construct itself when the warning comes later."""
    scope = Construct(clusters.stack(), "Scope")
    Annotations.of(scope).acknowledge_warning("mine:one")
    Annotations.of(scope).add_warning_v2("mine:one", "One.")
    return [entry.type for entry in scope.node.metadata] == []


@pytest.mark.parametrize("name", WARNINGS)
def test_warning_is_acknowledged_after(name):
    if not acknowledges_what_comes():
        pytest.skip("this CDK heeds acknowledgements of the scopes above only")
    build, text = WARNINGS[name]
    found = warnings(build, acknowledged=f"karpenter-construct:{name}")
    assert [each for each in found if each.startswith(text)] == []
