"""The function behind the custom resources, against moto and a server that stands for CloudFormation."""

from __future__ import annotations

import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import boto3
import pytest
from botocore.exceptions import ClientError

from karpenter_construct._resources.lambda_handler import (
    cloudformation,
    discovery_tags,
    index,
    spot_service_linked_role,
)
from karpenter_construct._resources.lambda_handler.cloudformation import (
    RefusedError,
    Request,
    RequestType,
    UnansweredError,
    answer,
    once_allowed,
)
from tests.unit.aws import account

TAG = "karpenter.sh/discovery"
CREATE, UPDATE, DELETE = RequestType
SIGNATURE = "X-Amz-Signature=secret"


@pytest.fixture(scope="module", autouse=True)
def aws():
    """One account for all tests."""
    with account():
        yield


def denied(code: str = "UnauthorizedOperation") -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "not allowed"}}, "CreateTags")


@pytest.fixture(scope="module")
def ec2():
    return boto3.client("ec2")


@pytest.fixture
def no_roles():
    """An account that has no role before the test, and none after it."""
    yield
    iam = boto3.client("iam")
    for role in iam.list_roles()["Roles"]:
        iam.delete_role(RoleName=role["RoleName"])


class TestDiscoveryTags:
    @pytest.fixture
    def ids(self, ec2):
        """Two subnets and a security group, which the test may do with as it likes."""
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        subnets = [
            ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24")["Subnet"]["SubnetId"]
            for number in range(2)
        ]
        group = ec2.create_security_group(GroupName="cluster", Description="-", VpcId=vpc)
        yield [*subnets, group["GroupId"]]
        ec2.delete_tags(Resources=[*subnets, group["GroupId"]], Tags=[{"Key": TAG}])

    @staticmethod
    def tags(ec2) -> dict[str, str]:
        """The tag's value by resource."""
        found = ec2.describe_tags(Filters=[{"Name": "key", "Values": [TAG]}])["Tags"]
        return {tag["ResourceId"]: tag["Value"] for tag in found}

    @staticmethod
    def handle(kind, ids, value="prod", *, before=None, value_before="prod"):
        old = {} if before is None else {"Key": TAG, "Value": value_before, "Ids": before}
        new = {"Key": TAG, "Value": value, "Ids": ids}
        discovery_tags.handle(Request(kind, discovery_tags.RESOURCE_TYPE, new, old))

    def test_create_tags_every_resource(self, ec2, ids):
        self.handle(CREATE, ids)
        assert self.tags(ec2) == dict.fromkeys(ids, "prod")

    def test_create_leaves_other_tags_alone(self, ec2, ids):
        ec2.create_tags(Resources=ids, Tags=[{"Key": "team", "Value": "platform"}])
        self.handle(CREATE, ids)
        self.handle(DELETE, ids)
        kept = ec2.describe_tags(Filters=[{"Name": "key", "Values": ["team"]}])["Tags"]
        assert {tag["ResourceId"] for tag in kept} == set(ids)

    def test_create_twice_does_no_harm(self, ec2, ids):
        self.handle(CREATE, ids)
        self.handle(CREATE, ids)
        assert self.tags(ec2) == dict.fromkeys(ids, "prod")

    def test_update_tags_what_is_new_and_untags_what_is_gone(self, ec2, ids):
        self.handle(CREATE, ids[:2])
        self.handle(UPDATE, ids[1:], before=ids[:2])
        assert self.tags(ec2) == {ids[1]: "prod", ids[2]: "prod"}

    def test_update_to_another_name_overwrites_the_old_one(self, ec2, ids):
        self.handle(CREATE, ids)
        self.handle(UPDATE, ids[:2], "next", before=ids)
        assert self.tags(ec2) == {ids[0]: "next", ids[1]: "next", ids[2]: "prod"}

    def test_delete_untags_every_resource(self, ec2, ids):
        self.handle(CREATE, ids)
        self.handle(DELETE, ids)
        assert self.tags(ec2) == {}

    def test_delete_twice_does_no_harm(self, ec2, ids):
        self.handle(DELETE, ids)
        assert self.tags(ec2) == {}

    def test_delete_passes_over_a_resource_that_has_gone(self, ec2, ids):
        self.handle(CREATE, ids)
        ec2.delete_subnet(SubnetId=ids[0])
        self.handle(DELETE, ids)
        assert self.tags(ec2) == {}

    def test_delete_leaves_another_clusters_tag(self, ec2, ids):
        ec2.create_tags(Resources=[ids[0]], Tags=[{"Key": TAG, "Value": "other"}])
        self.handle(DELETE, ids)
        assert self.tags(ec2) == {ids[0]: "other"}

    @pytest.mark.parametrize(("kind", "before"), [(CREATE, None), (UPDATE, [])])
    def test_fails_where_another_cluster_has_the_tag(self, ec2, ids, kind, before):
        ec2.create_tags(Resources=[ids[0]], Tags=[{"Key": TAG, "Value": "other"}])
        with pytest.raises(RefusedError) as raised:
            self.handle(kind, ids, before=before)
        assert str(raised.value) == (
            f"The tag karpenter.sh/discovery belongs to another cluster on {ids[0]} (other); use "
            "Discovery.by_id() for this one"
        )
        assert self.tags(ec2) == {ids[0]: "other"}

    def test_fails_with_a_resource_that_does_not_exist(self):
        with pytest.raises(ClientError, match=r"InvalidSubnetID\.NotFound|InvalidID"):
            self.handle(CREATE, ["subnet-0123456789abcdef0"])


@pytest.mark.usefixtures("no_roles")
class TestSpotServiceLinkedRole:
    @staticmethod
    def handle(kind):
        spot_service_linked_role.handle(Request(kind, spot_service_linked_role.RESOURCE_TYPE))

    @staticmethod
    def roles() -> list[str]:
        """The paths of all roles; that of a service-linked role has the service's name."""
        return [role["Path"] for role in boto3.client("iam").list_roles()["Roles"]]

    def test_create_makes_the_role(self):
        self.handle(CREATE)
        assert self.roles() == ["/aws-service-role/spot.amazonaws.com/"]

    def test_create_is_content_with_a_role_that_exists(self, monkeypatch):
        taken = {
            "Code": "InvalidInput",
            "Message": "Service role name AWSServiceRoleForEC2Spot has been taken in this account, please "
            "try a different suffix.",
        }
        monkeypatch.setattr(boto3, "client", lambda _: Iam(ClientError({"Error": taken}, "-")))
        self.handle(CREATE)

    def test_fails_with_every_other_refusal(self, monkeypatch):
        refusal = {"Code": "InvalidInput", "Message": "no such service"}
        monkeypatch.setattr(boto3, "client", lambda _: Iam(ClientError({"Error": refusal}, "-")))
        with pytest.raises(ClientError, match="no such service"):
            self.handle(CREATE)

    def test_delete_leaves_the_role_to_the_account(self):
        self.handle(CREATE)
        self.handle(DELETE)
        assert self.roles() == ["/aws-service-role/spot.amazonaws.com/"]


class Iam:
    def __init__(self, error):
        self.error = error

    def create_service_linked_role(self, **_):
        raise self.error


class TestOnceAllowed:
    def test_returns_what_the_call_returns_without_waiting(self):
        waits = []
        assert once_allowed(lambda: "done", pause=waits.append) == "done"
        assert waits == []

    @pytest.mark.parametrize("code", ["UnauthorizedOperation", "AccessDenied", "AccessDeniedException"])
    def test_waits_until_iam_knows_the_policy(self, code):
        answers = [denied(code), denied(code), "done"]
        waits = []

        def call():
            answer = answers.pop(0)
            if isinstance(answer, ClientError):
                raise answer
            return answer

        assert once_allowed(call, pause=waits.append) == "done"
        assert waits == [2, 4]

    def test_fails_where_it_is_denied_for_a_minute(self):
        waits = []

        def call():
            raise denied()

        with pytest.raises(ClientError, match="not allowed"):
            once_allowed(call, pause=waits.append)
        assert waits == [2, 4, 8, 15, 15, 15, 15]

    def test_fails_at_once_with_another_error(self):
        def call():
            raise ClientError({"Error": {"Code": "RequestLimitExceeded"}}, "CreateTags")

        with pytest.raises(ClientError, match="RequestLimitExceeded"):
            once_allowed(call, pause=pytest.fail)


class _CloudFormation(BaseHTTPRequestHandler):
    """Takes what is put; says 503 as often as ``refusals`` tells."""

    refusals = 0
    received: list[tuple[str, dict[str, str], dict[str, str]]]

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if type(self).refusals:
            type(self).refusals -= 1
            self.send_response(503)
        else:
            self.received.append((self.path, dict(self.headers), json.loads(body)))
            self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    handler = type("Handler", (_CloudFormation,), {"received": [], "refusals": 0})
    with HTTPServer(("127.0.0.1", 0), handler) as listening:
        threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
        handler.address = f"http://127.0.0.1:{listening.server_port}/answer?{SIGNATURE}"
        yield handler
        listening.shutdown()


def event(server, **changes):
    return {
        "RequestType": "Create",
        "ResponseURL": server.address,
        "StackId": "arn:aws:cloudformation:eu-west-1:111122223333:stack/test/1",
        "RequestId": "request-1",
        "ResourceType": "Custom::KarpenterSpotServiceLinkedRole",
        "LogicalResourceId": "SpotRole",
        "ResourceProperties": {"ServiceToken": "arn"},
        **changes,
    }


class TestAnswer:
    def test_says_success_with_a_physical_id_that_never_changes(self, server):
        answer(event(server), None)
        [(path, headers, body)] = server.received
        assert path == f"/answer?{SIGNATURE}"
        assert headers["Content-Type"] == ""
        assert body == {
            "Status": "SUCCESS",
            "Reason": "",
            "PhysicalResourceId": "SpotRole",
            "StackId": "arn:aws:cloudformation:eu-west-1:111122223333:stack/test/1",
            "RequestId": "request-1",
            "LogicalResourceId": "SpotRole",
        }

    def test_keeps_the_physical_id_that_there_is(self, server):
        answer(event(server, RequestType="Update", PhysicalResourceId="made-before"), None)
        assert server.received[0][2]["PhysicalResourceId"] == "made-before"

    def test_takes_the_physical_id_that_the_handler_gives(self, server):
        answer(event(server, RequestType="Update", PhysicalResourceId="before"), None, physical_id="after")
        assert server.received[0][2]["PhysicalResourceId"] == "after"

    def test_cuts_a_long_reason(self, server):
        answer(event(server), "é" * 5000)
        body = server.received[0][2]
        assert body["Status"] == "FAILED"
        assert body["Reason"] == "é" * 400
        assert len(json.dumps(body)) < 4096

    def test_repeats_itself_until_it_arrives(self, server):
        server.refusals = 2
        waits = []
        answer(event(server), None, pause=waits.append)
        assert len(server.received) == 1
        assert waits == [1, 2]

    def test_fails_where_it_never_arrives(self, server):
        server.refusals = 5
        with pytest.raises(UnansweredError) as raised:
            answer(event(server), None, pause=lambda _: None)
        assert str(raised.value) == "CloudFormation did not take the answer"


class TestIndex:
    @pytest.mark.usefixtures("no_roles")
    def test_dispatches_by_resource_type(self, server):
        index.handler(event(server))
        assert server.received[0][2]["Status"] == "SUCCESS"
        assert TestSpotServiceLinkedRole.roles() == ["/aws-service-role/spot.amazonaws.com/"]

    def test_knows_every_handler(self):
        assert set(index.HANDLERS) == {
            "Custom::KarpenterDiscoveryTags",
            "Custom::KarpenterNodeDrain",
            "Custom::KarpenterSpotServiceLinkedRole",
            "Custom::KarpenterUpgradeGuard",
        }

    def test_passes_on_the_physical_id_of_the_handler(self, server, monkeypatch):
        monkeypatch.setattr(
            index, "HANDLERS", {"Custom::Mine": lambda request: f"after-{request.physical_id}"}
        )
        index.handler(event(server, ResourceType="Custom::Mine", PhysicalResourceId="before"))
        assert server.received[0][2]["PhysicalResourceId"] == "after-before"

    def test_gives_the_handler_both_states_of_an_update(self, server, monkeypatch):
        seen = []
        monkeypatch.setattr(index, "HANDLERS", {"Custom::Mine": seen.append})
        index.handler(
            event(
                server,
                RequestType="Update",
                ResourceType="Custom::Mine",
                ResourceProperties={"Ids": ["a"]},
                OldResourceProperties={"Ids": ["b"]},
            )
        )
        assert seen == [Request(UPDATE, "Custom::Mine", {"Ids": ["a"]}, {"Ids": ["b"]})]

    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (RefusedError("use Discovery.by_id()"), "use Discovery.by_id()"),
            (ValueError("surprise"), "ValueError: surprise"),
        ],
        ids=["refused", "unexpected"],
    )
    def test_fails_with_an_answer_whatever_happens(self, server, monkeypatch, error, reason):
        def handle(_):
            raise error

        monkeypatch.setattr(index, "HANDLERS", {"Custom::Mine": handle})
        index.handler(event(server, ResourceType="Custom::Mine"))
        assert server.received[0][2]["Status"] == "FAILED"
        assert server.received[0][2]["Reason"] == reason

    def test_fails_with_an_answer_for_an_unknown_resource_type(self, server):
        index.handler(event(server, ResourceType="Custom::Unknown"))
        assert server.received[0][2]["Reason"] == "KeyError: 'Custom::Unknown'"

    def test_logs_nothing_of_the_signed_address(self, server, monkeypatch, caplog):
        def handle(_):
            raise ValueError("surprise")

        caplog.set_level(logging.DEBUG)
        monkeypatch.setattr(cloudformation, "_ANSWER_WAITS_S", (0, 0))
        monkeypatch.setattr(index, "HANDLERS", {"Custom::Mine": handle})
        server.refusals = 1
        index.handler(event(server, ResourceType="Custom::Mine"))
        assert "Create Custom::Mine SpotRole" in caplog.text
        assert "surprise" in caplog.text
        assert "The answer did not arrive: HTTPError" in caplog.text
        assert "secret" not in caplog.text
        assert "127.0.0.1" not in caplog.text
