"""The wait for nodes that have lost their pools, against moto."""

from __future__ import annotations

import logging

import boto3
import pytest

from karpenter_construct._resources.lambda_handler import node_drain
from karpenter_construct._resources.lambda_handler.cloudformation import RefusedError, Request, RequestType
from tests.unit.aws import account

CREATE, UPDATE, DELETE = RequestType
POOL_TAG = "karpenter.sh/provisioner-name"
STACK = "arn:aws:cloudformation:eu-west-1:111122223333:stack/test/1"
OURS = {"kubernetes.io/cluster/prod": "owned", POOL_TAG: "default"}
GOES = "DELETE_IN_PROGRESS"


@pytest.fixture(scope="module", autouse=True)
def aws():
    """One account for all tests."""
    with account():
        yield


@pytest.fixture
def ec2():
    """EC2, without instances and launch templates before the test and after it."""
    client = boto3.client("ec2")
    yield client
    if instances := running(client):
        client.terminate_instances(InstanceIds=instances)
    for template in client.describe_launch_templates()["LaunchTemplates"]:
        client.delete_launch_template(LaunchTemplateId=template["LaunchTemplateId"])


def running(ec2) -> list[str]:
    filters = [{"Name": "instance-state-name", "Values": ["running"]}]
    reservations = ec2.describe_instances(Filters=filters)["Reservations"]
    return [each["InstanceId"] for reservation in reservations for each in reservation["Instances"]]


def tagged(resource: str, tags: dict[str, str]) -> list[dict]:
    return [{"ResourceType": resource, "Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}]


def launch(ec2, count=1, tags=OURS) -> list[str]:
    ran = ec2.run_instances(
        ImageId="ami-12c6146b", MinCount=count, MaxCount=count, TagSpecifications=tagged("instance", tags)
    )
    return [instance["InstanceId"] for instance in ran["Instances"]]


def launch_template(ec2, cluster="prod") -> str:
    made = ec2.create_launch_template(
        LaunchTemplateName=f"Karpenter-{cluster}-1",
        LaunchTemplateData={"InstanceType": "m5.large"},
        TagSpecifications=tagged("launch-template", {"karpenter.k8s.aws/cluster": cluster}),
    )
    return made["LaunchTemplate"]["LaunchTemplateId"]


class CloudFormation:
    """What moto has too, but only with much else installed."""

    def __init__(self, status):
        self.status = status

    def describe_stacks(self, *, StackName):  # noqa: N803 - AWS' word
        assert StackName == STACK
        return {"Stacks": [{"StackStatus": self.status}]}


@pytest.fixture
def waits(monkeypatch):
    """The pauses that the handler makes; ``meanwhile`` happens in the second one."""
    client = boto3.client

    def wait(kind=DELETE, status=GOES, *, meanwhile=lambda: None) -> list[float]:
        clients = {"cloudformation": CloudFormation(status), "ec2": client("ec2")}
        monkeypatch.setattr(boto3, "client", clients.__getitem__)
        pauses: list[float] = []

        def pause(seconds):
            pauses.append(seconds)
            if len(pauses) == 2:
                meanwhile()

        properties = {"ClusterName": "prod", "PoolTag": POOL_TAG, "StackId": STACK}
        node_drain.handle(Request(kind, node_drain.RESOURCE_TYPE, properties), pause=pause)
        return pauses

    return wait


@pytest.mark.parametrize("kind", [CREATE, UPDATE])
def test_only_the_end_is_waited_for(ec2, waits, kind):
    launch(ec2)
    assert waits(kind) == []


def test_a_cluster_without_nodes_is_not_waited_for(waits):
    assert waits() == []


@pytest.mark.parametrize("status", [GOES, "ROLLBACK_IN_PROGRESS"])
def test_waits_until_the_last_instance_has_gone(ec2, waits, status):
    instances = launch(ec2, 2)
    assert waits(status=status, meanwhile=lambda: ec2.terminate_instances(InstanceIds=instances)) == [15, 15]


def test_waits_until_the_last_launch_template_has_gone(ec2, waits):
    template = launch_template(ec2)
    assert waits(meanwhile=lambda: ec2.delete_launch_template(LaunchTemplateId=template)) == [15, 15]


@pytest.mark.parametrize(
    "tags",
    [
        {"kubernetes.io/cluster/other": "owned", POOL_TAG: "default"},
        {"kubernetes.io/cluster/prod": "shared", POOL_TAG: "default"},
        {"kubernetes.io/cluster/prod": "owned", "eks:nodegroup-name": "system"},
    ],
    ids=["other_cluster", "not_owned", "node_group"],
)
def test_other_instances_are_not_waited_for(ec2, waits, tags):
    launch(ec2, tags=tags)
    assert waits() == []


def test_launch_templates_of_another_cluster_are_not_waited_for(ec2, waits):
    launch_template(ec2, "other")
    assert waits() == []


@pytest.mark.parametrize("status", ["UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS"])
def test_an_update_that_takes_the_wait_away_does_not_wait(ec2, waits, status):
    """Such as one to a release whose node classes wait themselves: the nodes are to stay."""
    launch(ec2)
    assert waits(status=status) == []


def test_gives_up_before_lambda_does(ec2, waits, monkeypatch):
    assert node_drain.PAUSE_S * (node_drain.LONGEST_WAIT_S // node_drain.PAUSE_S) == 720
    # Moto takes longer for a look than AWS.
    monkeypatch.setattr(node_drain, "PAUSE_S", 60)
    launch_template(ec2)
    assert waits() == [60] * 12


def test_fails_where_instances_stay(ec2, waits, monkeypatch):
    monkeypatch.setattr(node_drain, "PAUSE_S", 240)
    instances = launch(ec2, 7)
    with pytest.raises(RefusedError) as raised:
        waits()
    assert str(raised.value) == (
        f"Nodes of Karpenter still run after 12 minutes: {', '.join(instances[:5])} and 2 more; see with `kubectl "
        "get nodes -l karpenter.sh/provisioner-name` what keeps them, such as a PodDisruptionBudget, and delete the "
        "stack again"
    )
    assert len(str(raised.value)) < 400
    assert running(ec2) == instances


def test_launch_templates_that_stay_are_left(ec2, waits, caplog, monkeypatch):
    monkeypatch.setattr(node_drain, "PAUSE_S", 240)
    caplog.set_level(logging.WARNING)
    template = launch_template(ec2)
    assert waits() == [240, 240, 240]
    assert caplog.messages == [f"Left behind: {template}"]
