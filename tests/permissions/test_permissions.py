"""A real policy evaluator agrees with the policies.

The controller may make every call of its release on its own cluster's things, and none on another cluster's.
"""

from dataclasses import dataclass, replace

import pytest

from karpenter_construct._upstream.controller_policy import PolicyInputs, controller_policies
from karpenter_construct.releases import KarpenterVersion
from tests.contract.upstream import TAGS

from .calls import CALLS, IMAGE_PARAMETER, REFUSED, World
from .simulator import ACCOUNT, simulate

# One run of the evaluator answers all: with `--dist loadgroup` in one worker.
pytestmark = pytest.mark.xdist_group("permissions")


@dataclass(frozen=True)
class Scenario:
    """The policies of a release, and the release whose controller uses them."""

    policies_of: str
    controller: str = ""
    partition: str = "aws"
    region: str = "eu-west-1"
    option: str = ""

    def __str__(self):
        parts = (self.policies_of, self.controller, self.option, self.partition.removeprefix("aws"))
        return "-".join(part for part in parts if part)

    @property
    def world(self):
        version = KarpenterVersion.parse(self.controller or self.policies_of)
        return World(version, partition=self.partition, region=self.region)

    def policies(self):
        inputs = PolicyInputs(
            node_role_arns=(self.world.node_role,),
            interruption_queue_arn=self.world.queue,
            cluster_name=self.world.cluster,
            partition=self.partition,
            region=self.region,
            account=ACCOUNT,
            extra_ssm_parameters=(f"/{IMAGE_PARAMETER}:3",),
        )
        options = {self.option: True} if self.option else {}
        return controller_policies(KarpenterVersion.parse(self.policies_of), inputs._replace(**options))


EVERY_RELEASE = tuple(map(Scenario, TAGS))
PARTITIONS = (
    Scenario("v0.30.0", partition="aws-cn", region="cn-north-1"),
    Scenario("v1.14.1", partition="aws-cn", region="cn-north-1"),
    Scenario("v1.14.1", partition="aws-us-gov", region="us-gov-west-1"),
)
BEFORE_0_32 = Scenario("v0.32.10", controller="v0.31.5")
BEFORE_1_0 = Scenario("v1.0.14", controller="v0.37.8")
KEPT = (
    replace(BEFORE_0_32, option="keep_provisioner_permissions"),
    replace(BEFORE_1_0, option="keep_pre_v1_permissions"),
    Scenario("v0.32.10", option="keep_provisioner_permissions"),
    Scenario("v1.0.14", option="keep_pre_v1_permissions"),
)
ISOLATED = tuple(Scenario(tag, option="isolated_vpc") for tag in ("v0.30.0", "v1.7.6", "v1.8.8", "v1.14.1"))
SCENARIOS = (*EVERY_RELEASE, *PARTITIONS, *KEPT, *ISOLATED, BEFORE_0_32, BEFORE_1_0)


def questions(scenario):
    """Each with whose things it is about: ``own``, ``other`` cluster's, or ``nobody`` may do it."""
    own = scenario.world
    other = replace(own, cluster="other")
    calls = [call for call in CALLS if own.version in call.window]
    yield from (("own", call, ask) for call in calls for ask in call.asks(own))
    yield from (("other", call, ask) for call in calls for ask in call.asks(other) if not ask.shared)
    yield from (
        ("nobody", call, ask) for call in REFUSED if own.version in call.window for ask in call.asks(own)
    )


class Answers:
    """The answers to all questions of all scenarios, from one run of the evaluator."""

    def __init__(self):
        self.asked = [(scenario, *question) for scenario in SCENARIOS for question in questions(scenario)]
        policies = {str(scenario): scenario.policies() for scenario in SCENARIOS}
        self.answers = simulate(policies, [(str(scenario), ask) for scenario, _, _, ask in self.asked])

    def about(self, scenario, whose):
        for (asked, owner, call, ask), answer in zip(self.asked, self.answers, strict=True):
            if (asked, owner) == (scenario, whose):
                yield call, ask, answer

    def allowed(self, scenario, whose):
        return [f"{call.name}: {ask}" for call, ask, answer in self.about(scenario, whose) if answer.allowed]

    def refused(self, scenario, whose):
        return [
            f"{call.name}: {ask}" for call, ask, answer in self.about(scenario, whose) if not answer.allowed
        ]

    def allowed_calls(self, scenario, whose):
        return {call.name for call, _, answer in self.about(scenario, whose) if answer.allowed}

    def refused_calls(self, scenario):
        return {call.name for call, _, answer in self.about(scenario, "own") if not answer.allowed}


@pytest.fixture(scope="module")
def answers():
    return Answers()


@pytest.mark.parametrize("scenario", [*EVERY_RELEASE, *PARTITIONS, *KEPT], ids=str)
def test_the_controller_may_make_every_call_of_its_release(answers, scenario):
    assert answers.refused(scenario, "own") == []


@pytest.mark.parametrize("scenario", [*EVERY_RELEASE, *KEPT], ids=str)
def test_fails_to_touch_what_is_another_clusters(answers, scenario):
    assert answers.allowed(scenario, "other") == []


@pytest.mark.parametrize("scenario", [*EVERY_RELEASE, *KEPT], ids=str)
def test_fails_to_do_what_no_controller_does(answers, scenario):
    # Before 1.0 nothing looked at the tag `eks:eks-cluster-name`, and what is kept from then does not either.
    kept = {"ec2:RunInstances in another cluster's name"} if scenario == KEPT[-1] else set()
    assert answers.allowed_calls(scenario, "nobody") == kept


def test_fails_to_touch_another_clusters_things_of_every_kind():
    newest = Scenario("v1.14.1")
    assert {ask.action for whose, _, ask in questions(newest) if whose == "other"} == {
        "arc-zonal-shift:GetManagedResource",
        "ec2:CreateFleet",
        "ec2:CreateLaunchTemplate",
        "ec2:CreateTags",
        "ec2:DeleteLaunchTemplate",
        "ec2:RunInstances",
        "ec2:TerminateInstances",
        "eks:DescribeCluster",
        "iam:AddRoleToInstanceProfile",
        "iam:CreateInstanceProfile",
        "iam:DeleteInstanceProfile",
        "iam:PassRole",
        "iam:RemoveRoleFromInstanceProfile",
        "iam:TagInstanceProfile",
        "sqs:DeleteMessage",
        "sqs:GetQueueUrl",
        "sqs:ReceiveMessage",
    }


def scenario_name(value: object) -> str | None:
    # Not of the sets beside it: their order differs from worker to worker.
    return str(value) if isinstance(value, Scenario) else None


@pytest.mark.parametrize(
    ("scenario", "calls"),
    [
        (ISOLATED[0], {"pricing:GetProducts"}),
        (ISOLATED[1], {"pricing:GetProducts"}),
        (ISOLATED[2], {"pricing:GetProducts", "iam:ListInstanceProfiles"}),
        (ISOLATED[3], {"pricing:GetProducts", "iam:ListInstanceProfiles"}),
    ],
    ids=scenario_name,
)
def test_an_isolated_vpc_refuses_only_what_is_not_called_there(answers, scenario, calls):
    assert answers.refused_calls(scenario) == calls


@pytest.mark.parametrize(
    ("scenario", "calls"),
    [
        (
            BEFORE_0_32,
            {
                "ec2:CreateFleet for pool 'default'",
                "ec2:CreateLaunchTemplate",
                "ec2:CreateTags to adopt an instance",
                "ec2:DeleteLaunchTemplate",
                "ec2:RunInstances for pool 'default'",
                "ec2:TerminateInstances",
            },
        ),
        (
            BEFORE_1_0,
            {
                "ec2:CreateFleet for pool 'default'",
                "ec2:CreateLaunchTemplate",
                "ec2:RunInstances for pool 'default'",
                "ec2:RunInstances on spot",
                "iam:CreateInstanceProfile",
            },
        ),
    ],
    ids=scenario_name,
)
def test_without_the_kept_permissions_the_older_controller_is_refused_these(answers, scenario, calls):
    assert answers.refused_calls(scenario) == calls


def test_no_condition_key_is_asked_about_that_iam_would_not_send(answers):
    assert [answer.ignored for answer in answers.answers if answer.ignored] == []
