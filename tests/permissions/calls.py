"""The AWS calls of the Karpenter controller by release, and calls it must not make, as questions to IAM.

Source of the calls: ``pkg/aws/sdk.go`` and its callers in aws/karpenter-provider-aws; of the tags: what they
set. EC2 checks a launch against every resource that it reads or makes, each with its own condition keys (AWS
service authorization reference, Amazon EC2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from karpenter_construct.releases import ALWAYS, KarpenterVersion, Window, since, until

from .simulator import ACCOUNT, Ask

IMAGE_PARAMETER = "golden/al2023"
"""An SSM parameter of the user's that names an AMI."""


@dataclass(frozen=True)
class World:
    """A cluster with the things that the controller of a release has made for it."""

    version: KarpenterVersion
    cluster: str = "prod"
    partition: str = "aws"
    region: str = "eu-west-1"

    def arn(self, service: str, resource: str, *, account: str = ACCOUNT) -> str:
        region = "" if service == "iam" else self.region
        return f"arn:{self.partition}:{service}:{region}:{account}:{resource}"

    def ec2(self, kind: str) -> str:
        account = "" if kind in {"image", "snapshot"} else ACCOUNT
        return self.arn("ec2", f"{kind}/x-1", account=account)

    @property
    def node_role(self) -> str:
        return self.arn("iam", f"role/{self.cluster}-nodes")

    @property
    def queue(self) -> str:
        return self.arn("sqs", f"{self.cluster}-interruptions")

    @property
    def profile(self) -> str:
        path = f"karpenter/{self.region}/{self.cluster}/uid/" if self.version in since("1.7") else ""
        return self.arn("iam", f"instance-profile/{path}{self.cluster}_1234567890")

    @property
    def cluster_arn(self) -> str:
        return self.arn("eks", f"cluster/{self.cluster}")

    def node_tags(self, pool: str = "default") -> dict[str, str]:
        """What the controller tags instances, their parts and launch templates with."""
        rows = (
            (ALWAYS, f"kubernetes.io/cluster/{self.cluster}", "owned"),
            (until("0.32"), "karpenter.sh/provisioner-name", pool),
            (since("0.32"), "karpenter.sh/nodepool", pool),
            (since("0.32"), "karpenter.k8s.aws/ec2nodeclass", "default"),
            (until("1.0"), "karpenter.sh/managed-by", self.cluster),
            (since("1.0"), "eks:eks-cluster-name", self.cluster),
        )
        return {key: value for window, key, value in rows if self.version in window}

    def profile_tags(self) -> dict[str, str]:
        """What the controller tags instance profiles with."""
        tags = self.node_tags() | {"topology.kubernetes.io/region": self.region}
        return {key: value for key, value in tags.items() if key != "karpenter.sh/nodepool"}


def requested(tags: dict[str, str]) -> dict[str, str | list[str]]:
    return {f"aws:RequestTag/{key}": value for key, value in tags.items()} | {"aws:TagKeys": list(tags)}


def carried(tags: dict[str, str]) -> dict[str, str | list[str]]:
    return {f"aws:ResourceTag/{key}": value for key, value in tags.items()}


@dataclass(frozen=True)
class Call:
    """One API call: the questions that IAM asks about it, and the releases that make it."""

    name: str
    window: Window
    asks: Callable[[World], Iterator[Ask]]


def _read(action: str, window: Window = ALWAYS) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action, "*", {"aws:RequestedRegion": world.region}, shared=True)

    return Call(action, window, asks)


def _on(
    action: str, resource: Callable[[World], str], window: Window = ALWAYS, *, shared: bool = False
) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action.split(" ", maxsplit=1)[0], resource(world), shared=shared)

    return Call(action, window, asks)


@dataclass(frozen=True)
class _Launch:
    """What an action makes, reads and tags, as IAM sees it."""

    action: str
    makes: tuple[str, ...]
    reads: tuple[str, ...]
    tags: tuple[str, ...]

    def call(self, pool: str, window: Window) -> Call:
        """A launch from a launch template of the controller's, for a pool."""

        def asks(world: World) -> Iterator[Ask]:
            tags = requested(world.node_tags(pool))
            for kind in self.makes:
                yield Ask(self.action, world.ec2(kind), tags)
            for kind in (*self.reads, *_read_since(world.version)):
                yield Ask(self.action, world.ec2(kind), shared=True)
            template = world.ec2("launch-template")
            # Before 0.34 upstream's policy names no cluster for launch templates that are read.
            shared = world.version in until("0.34")
            yield Ask(self.action, template, carried(world.node_tags()), shared=shared)
            create = {"ec2:CreateAction": self.action.removeprefix("ec2:")}
            for kind in self.tags:
                yield Ask("ec2:CreateTags", world.ec2(kind), tags | create)

        return Call(f"{self.action} for pool {pool!r}", window, asks)


_FLEET = _Launch(
    "ec2:CreateFleet",
    makes=("fleet", "instance", "volume"),
    reads=("image", "subnet"),
    tags=("fleet", "instance", "volume", "network-interface"),
)
_RUN = _Launch(
    "ec2:RunInstances",
    makes=("instance", "volume", "network-interface"),
    reads=("image", "snapshot", "security-group", "subnet"),
    tags=("instance", "volume", "network-interface"),
)


def _read_since(version: KarpenterVersion) -> tuple[str, ...]:
    kinds = (("capacity-reservation", since("1.3")), ("placement-group", since("1.11")))
    return tuple(kind for kind, window in kinds if version in window)


def _spot_request(world: World) -> Iterator[Ask]:
    if world.version in until("0.33"):
        yield Ask("ec2:RunInstances", world.ec2("spot-instances-request"), shared=True)
    else:
        tags = requested(world.node_tags())
        yield Ask("ec2:RunInstances", world.ec2("spot-instances-request"), tags)
        action = {"ec2:CreateAction": "RunInstances"}
        yield Ask("ec2:CreateTags", world.ec2("spot-instances-request"), tags | action)


def _create_launch_template(world: World) -> Iterator[Ask]:
    tags = requested(world.node_tags())
    yield Ask("ec2:CreateLaunchTemplate", world.ec2("launch-template"), tags)
    action = {"ec2:CreateAction": "CreateLaunchTemplate"}
    yield Ask("ec2:CreateTags", world.ec2("launch-template"), tags | action)


def _delete(action: str, kind: str) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action, world.ec2(kind), carried(world.node_tags()))

    return Call(action, ALWAYS, asks)


def _link(world: World) -> Iterator[Ask]:
    cluster = {f"kubernetes.io/cluster/{world.cluster}": "owned"}
    tags = {"karpenter.sh/provisioner-name": "default", "karpenter.sh/managed-by": world.cluster}
    yield Ask("ec2:CreateTags", world.ec2("instance"), carried(cluster) | requested(tags))


def _name(world: World) -> Iterator[Ask]:
    tags = {"Name": "ip-10-0-0-1", "karpenter.sh/nodeclaim": "default-abcde"}
    if world.version in since("1.0"):
        tags["eks:eks-cluster-name"] = world.cluster
    context = carried(world.node_tags()) | requested(tags)
    yield Ask("ec2:CreateTags", world.ec2("instance"), context)


def _pass_role(world: World) -> Iterator[Ask]:
    for service in ("ec2.amazonaws.com", "ec2.amazonaws.com.cn"):
        yield Ask("iam:PassRole", world.node_role, {"iam:PassedToService": service})


def _create_profile(world: World) -> Iterator[Ask]:
    yield Ask("iam:CreateInstanceProfile", world.profile, requested(world.profile_tags()))


def _tag_profile(world: World) -> Iterator[Ask]:
    # A profile made before 1.0 has no `eks:eks-cluster-name`; that is what 1.0 adds.
    before = {key: tag for key, tag in world.profile_tags().items() if not key.startswith("eks:")}
    yield Ask("iam:TagInstanceProfile", world.profile, carried(before) | requested(world.profile_tags()))


def _write_profile(action: str) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action, world.profile, carried(world.profile_tags()))

    return Call(action, since("0.32"), asks)


def _zonal_shift(world: World) -> Iterator[Ask]:
    context: dict[str, str | list[str]] = {"arc-zonal-shift:ResourceIdentifier": world.cluster_arn}
    yield Ask("arc-zonal-shift:GetManagedResource", "*", context)


CALLS = (
    *(
        _read(f"ec2:{action}")
        for action in (
            "DescribeImages",
            "DescribeInstances",
            "DescribeInstanceTypeOfferings",
            "DescribeInstanceTypes",
            "DescribeLaunchTemplates",
            "DescribeSecurityGroups",
            "DescribeSpotPriceHistory",
            "DescribeSubnets",
        )
    ),
    _read("ec2:DescribeCapacityReservations", since("1.3")),
    _read("ec2:DescribePlacementGroups", since("1.11")),
    _read("ec2:DescribeInstanceStatus", since("1.12")),
    Call("ec2:CreateLaunchTemplate", ALWAYS, _create_launch_template),
    _FLEET.call("default", ALWAYS),
    _RUN.call("default", ALWAYS),
    # The node class controller's dry runs know no pool: the tag is there, but empty.
    _FLEET.call("", since("1.3")),
    _RUN.call("", since("1.3")),
    Call("ec2:RunInstances on spot", ALWAYS, _spot_request),
    Call("ec2:CreateTags to adopt an instance", until("0.32"), _link),
    Call("ec2:CreateTags to name an instance", since("0.32"), _name),
    _delete("ec2:TerminateInstances", "instance"),
    _delete("ec2:DeleteLaunchTemplate", "launch-template"),
    Call("iam:PassRole", ALWAYS, _pass_role),
    Call("iam:CreateInstanceProfile", since("0.32"), _create_profile),
    Call("iam:TagInstanceProfile", since("1.0"), _tag_profile),
    _write_profile("iam:AddRoleToInstanceProfile"),
    _write_profile("iam:RemoveRoleFromInstanceProfile"),
    _write_profile("iam:DeleteInstanceProfile"),
    _on("iam:GetInstanceProfile", lambda world: world.profile, since("0.32"), shared=True),
    _on("iam:ListInstanceProfiles", lambda _: "*", since("1.7"), shared=True),
    _on("eks:DescribeCluster", lambda world: world.cluster_arn),
    _on("pricing:GetProducts", lambda _: "*", shared=True),
    _on(
        "ssm:GetParameter",
        lambda world: world.arn("ssm", "parameter/aws/service/eks/optimized-ami/image_id", account=""),
        shared=True,
    ),
    _on(
        "ssm:GetParameter of the user's own image",
        lambda world: world.arn("ssm", f"parameter/{IMAGE_PARAMETER}"),
        since("1.4"),
        shared=True,
    ),
    _on("sqs:GetQueueUrl", lambda world: world.queue),
    _on("sqs:ReceiveMessage", lambda world: world.queue),
    _on("sqs:DeleteMessage", lambda world: world.queue),
    Call("arc-zonal-shift:GetManagedResource", since("1.12"), _zonal_shift),
)


def _untagged(action: str, kind: str) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action, world.ec2(kind), carried({"team": "a"}))

    return Call(f"{action} on an untagged {kind}", ALWAYS, asks)


def _made_without_tags(action: str, kind: str) -> Call:
    def asks(world: World) -> Iterator[Ask]:
        yield Ask(action, world.ec2(kind), requested({"team": "a"}))

    return Call(f"{action} of an untagged {kind}", ALWAYS, asks)


def _made_in_another_name(world: World) -> Iterator[Ask]:
    tags = world.node_tags() | {"eks:eks-cluster-name": "other"}
    yield Ask("ec2:RunInstances", world.ec2("instance"), requested(tags))


def _pass_role_to_lambda(world: World) -> Iterator[Ask]:
    yield Ask("iam:PassRole", world.node_role, {"iam:PassedToService": "lambda.amazonaws.com"})


def _pass_admin_role(world: World) -> Iterator[Ask]:
    yield Ask("iam:PassRole", world.arn("iam", "role/admin"), {"iam:PassedToService": "ec2.amazonaws.com"})


def _tag_owner(world: World) -> Iterator[Ask]:
    context = carried(world.node_tags()) | requested({"team": "a"})
    yield Ask("ec2:CreateTags", world.ec2("instance"), context)


def _tag_later_as_if_made(world: World) -> Iterator[Ask]:
    yield Ask("ec2:CreateTags", world.ec2("instance"), requested(world.node_tags()))


def _profile_of_another_region(world: World) -> Iterator[Ask]:
    tags = world.profile_tags() | {"topology.kubernetes.io/region": "us-west-2"}
    yield Ask("iam:CreateInstanceProfile", world.profile, requested(tags))
    yield Ask("iam:AddRoleToInstanceProfile", world.profile, carried(tags))
    yield Ask("iam:DeleteInstanceProfile", world.profile, carried(tags))


def _read_another_region(_: World) -> Iterator[Ask]:
    yield Ask("ec2:DescribeInstances", "*", {"aws:RequestedRegion": "us-west-2"})


def _read_own_parameter(world: World) -> Iterator[Ask]:
    yield Ask("ssm:GetParameter", world.arn("ssm", "parameter/prod/password"))


REFUSED = (
    _untagged("ec2:TerminateInstances", "instance"),
    _untagged("ec2:DeleteLaunchTemplate", "launch-template"),
    _untagged("ec2:CreateTags", "instance"),
    _made_without_tags("ec2:RunInstances", "instance"),
    _made_without_tags("ec2:CreateFleet", "fleet"),
    _made_without_tags("ec2:CreateLaunchTemplate", "launch-template"),
    Call("ec2:RunInstances in another cluster's name", since("1.0"), _made_in_another_name),
    Call("iam:PassRole to Lambda", ALWAYS, _pass_role_to_lambda),
    Call("iam:PassRole of another role", ALWAYS, _pass_admin_role),
    Call("ec2:CreateTags with other keys", ALWAYS, _tag_owner),
    Call("ec2:CreateTags as if the instance were new", ALWAYS, _tag_later_as_if_made),
    Call("a profile of another region", since("0.32"), _profile_of_another_region),
    Call("ec2:DescribeInstances in another region", ALWAYS, _read_another_region),
    Call("ssm:GetParameter of the account", since("0.31"), _read_own_parameter),
)
"""What no release may do, beside the `CALLS` of another cluster's world, but for `Ask.shared`."""
