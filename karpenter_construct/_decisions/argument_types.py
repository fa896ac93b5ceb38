"""What kind of thing each argument takes: a wrong one is told in one sentence, before jsii or Python trips over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .._fields import shown
from .._tokens import is_unresolved
from ..controller_capacity import ControllerCapacity
from ..discovery import Discovery
from ..errors import Problem, SettingsError


def refuse_wrong_types(arguments: Mapping[str, object]) -> None:
    """Look at what was passed, by argument; arguments without a rule here pass.

    Raises:
        SettingsError: An argument is of a wrong type; every such argument, a line each.
    """
    rules = ((name, ARGUMENT_TYPES.get(name), value) for name, value in arguments.items())
    problems = [problem for name, rule, value in rules if rule for problem in rule.problems(name, value)]
    if problems:
        raise SettingsError(*problems)


class _One(NamedTuple):
    """An argument that is one thing.

    Attributes:
        wrong: What is the matter with anything else.
        fits: Whether a value will do.
        fix: What to do, by the wrong value.
        optional: Whether ``None`` leaves it out.
    """

    wrong: str
    fits: Callable[[object], bool]
    fix: Callable[[object], str]
    optional: bool = True

    def problems(self, path: str, value: object) -> Iterator[Problem]:
        if value is not None or not self.optional:
            yield from self.item_problems(path, value)

    def item_problems(self, path: str, value: object) -> Iterator[Problem]:
        """The same of an item in a list, which ``None`` is never."""
        if not self.fits(value):
            yield Problem(path, f"{self.wrong}, got {shown(value)}; {self.fix(value)}")


class _Several(NamedTuple):
    """An argument that is a list.

    Attributes:
        item: What each item is.
        or_one: Whether an item may stand without a list.
        least: How many there must be at least.
        instead: What to do instead of passing fewer.
    """

    item: _One
    or_one: bool = False
    least: int = 0
    instead: str = ""

    def problems(self, path: str, value: object) -> Iterator[Problem]:
        if value is None and self.least:
            return
        if not isinstance(value, (list, tuple)):
            yield from self._no_list(path, value)
            return
        if len(value) < self.least:
            yield Problem(path, f"must list at least one, got {value!r}; {self.instead}")
        for index, item in enumerate(value):
            yield from self.item.item_problems(f"{path}[{index}]", item)

    def _no_list(self, path: str, value: object) -> Iterator[Problem]:
        if self.or_one:
            yield from self.item.problems(path, value)
        elif self.item.fits(value):
            yield Problem(path, f"is no list, got {shown(value)}; put it in a list")
        else:
            yield Problem(path, f"is no list, got {shown(value)}; {self.item.fix(value)}, in a list")


def _always(fix: str) -> Callable[[object], str]:
    return lambda _: fix


def _has(attribute: str) -> Callable[[object], bool]:
    """Whether it is an object with an attribute, which is not read where its class tells."""
    return lambda value: (
        not isinstance(value, type) and (hasattr(type(value), attribute) or hasattr(value, attribute))
    )


def _is(*types: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, types)


def _is_object(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    metadata, kind, items = (value.get(key) for key in ("metadata", "kind", "items"))
    if isinstance(kind, str) and kind.endswith("List") and isinstance(items, (list, tuple)):
        return isinstance(value.get("apiVersion"), str)
    names = (
        value.get("apiVersion"),
        kind,
        isinstance(metadata, Mapping) and metadata.get("name"),
    )
    return all(isinstance(name, str) for name in names)


def _flag(*, optional: bool = False) -> _One:
    return _One("is neither True nor False", _is(bool), _always("write True or False"), optional)


def _text(example: str) -> _One:
    return _One("is no string", _is(str), _always(f"write one as in {example!r}"))


def _imported(otherwise: str, *, by_arn: str, by_name: str) -> Callable[[object], str]:
    """The call that makes a CDK object of an ARN or a name; for anything else what to pass."""

    def fix(value: object) -> str:
        if not isinstance(value, str):
            return f"pass {otherwise}"
        call = by_arn if value.startswith("arn:") else by_name
        return f"pass {call.format(value=value)}"

    return fix


_ROLE = _One(
    "is no IAM role",
    _has("role_arn"),
    _imported(
        "an iam.Role, or what iam.Role.from_role_arn() or from_role_name() returns",
        by_arn="iam.Role.from_role_arn(self, '<id>', {value!r})",
        by_name="iam.Role.from_role_name(self, '<id>', {value!r})",
    ),
)
_POLICY = _One(
    "is no managed policy",
    _has("managed_policy_arn"),
    _imported(
        "an iam.ManagedPolicy, or what iam.ManagedPolicy.from_managed_policy_arn() or a like method returns",
        by_arn="iam.ManagedPolicy.from_managed_policy_arn(self, '<id>', {value!r})",
        by_name="iam.ManagedPolicy.from_managed_policy_name(self, '<id>', {value!r}), or for a policy of AWS "
        "iam.ManagedPolicy.from_aws_managed_policy_name({value!r})",
    ),
)
_STATEMENT = _One(
    "is no policy statement",
    _has("to_statement_json"),
    lambda value: (
        "pass iam.PolicyStatement.from_json(…) of it"
        if isinstance(value, Mapping)
        else "pass an iam.PolicyStatement"
    ),
    optional=False,
)
_QUEUE = _One(
    "is no SQS queue",
    _has("queue_arn"),
    _imported(
        "an sqs.Queue, or what sqs.Queue.from_queue_arn() returns",
        by_arn="sqs.Queue.from_queue_arn(self, '<id>', {value!r})",
        by_name="sqs.Queue.from_queue_arn(self, '<id>', 'arn:…') with the queue's ARN",
    ),
)
_ALIAS = "kms.Alias.from_alias_name(self, '<id>', {value!r})"


def _imported_key(value: object) -> str:
    """The call that makes a key of its ARN, or of an alias; a key of AWS' own does not work."""
    name = value.rpartition(":")[2] if isinstance(value, str) else ""
    if name.startswith("alias/aws/"):
        return "pass a key of your own, or leave this out for a key of SQS"
    by_name = (
        _ALIAS
        if name.startswith("alias/")
        else "kms.Key.from_key_arn(self, '<id>', 'arn:…') with the key's ARN"
    )
    return _imported(
        "a kms.Key, or what kms.Key.from_key_arn() or kms.Alias.from_alias_name() returns",
        by_arn="kms.Key.from_key_arn(self, '<id>', {value!r})",
        by_name=by_name,
    )(value)


_KEY = _One("is no KMS key", _has("key_arn"), _imported_key)
_PROFILE = _One(
    "is no instance profile",
    lambda value: isinstance(value, str) or _has("instance_profile_name")(value),
    _always("pass its name, or an iam.InstanceProfile"),
)
_DISCOVERY = _One("is no Discovery", _is(Discovery), _always("use Discovery.by_tag(…) or Discovery.by_id(…)"))
_CAPACITY = _One(
    "is no ControllerCapacity",
    _is(ControllerCapacity),
    _always("use ControllerCapacity.nodegroup(…), .existing(…), .fargate(…) or .anywhere()"),
)
_HELM_VALUES = _One(
    "is no map of chart values", _is(Mapping), _always("write a dict, as in {'logLevel': 'debug'}")
)
_FEATURE_GATES = _One(
    "is no map of feature gates", _is(Mapping), _always("write a dict, as in {'nodeRepair': True}")
)
_SCOPE = _One(
    "is no construct", _has("node"), _always("pass the stack, which is mostly `self`"), optional=False
)
_ID = _One(
    "is no construct id",
    lambda value: isinstance(value, str) and bool(value) and not is_unresolved(value),
    _always("write a string, as in 'Karpenter'"),
    optional=False,
)
_MANIFEST = _One(
    "is no Kubernetes object",
    _is_object,
    _always("pass one object, as a dict with apiVersion, kind and metadata.name"),
    optional=False,
)
_VPC = _One(
    "is no VPC",
    _has("vpc_id"),
    _always("pass an ec2.Vpc, or what ec2.Vpc.from_lookup() or from_vpc_attributes() returns"),
    optional=False,
)

ARGUMENT_TYPES: Mapping[str, _One | _Several] = {
    "scope": _SCOPE,
    "id": _ID,
    "pod_identity_agent_installed": _flag(optional=True),
    "controller_role": _ROLE,
    "controller_role_has_permissions": _flag(),
    "controller_policy_statements": _Several(_STATEMENT),
    "keep_provisioner_permissions": _flag(),
    "keep_pre_v1_permissions": _flag(),
    "permissions_boundary": _POLICY,
    "node_role": _Several(_ROLE, or_one=True, least=1, instead="leave it out to have one made"),
    "node_role_policies": _Several(_POLICY),
    "cni_policy_on_node_role": _flag(),
    "node_instance_profile": _PROFILE,
    "interruption_handling": _flag(),
    "interruption_queue": _QUEUE,
    "encryption_key": _KEY,
    "discovery": _DISCOVERY,
    "isolated_vpc": _flag(),
    "controller_capacity": _CAPACITY,
    "install_chart": _flag(),
    "chart_repository": _text("oci://<registry>/…/karpenter"),
    "crd_chart_repository": _text("oci://<registry>/…/karpenter-crd"),
    "image_repository": _text("<registry>/karpenter/controller"),
    "feature_gates": _FEATURE_GATES,
    "helm_values": _HELM_VALUES,
    "ebs_csi_startup_taint": _flag(),
    "spot_service_linked_role": _flag(),
    "manifest": _MANIFEST,
    "statement": _STATEMENT,
    "vpc": _VPC,
    "existing": _Several(_text("ecr.api")),
    "cidrs": _Several(_text("10.0.0.0/16")),
}
"""By the name of the argument, of `Karpenter` and its methods. Cluster, release, names and numbers are looked at
where they are decided on."""
