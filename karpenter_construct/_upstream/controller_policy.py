"""The policies of Karpenter's controller role, by release.

The statements are in `controller_statements`; here they are chosen and written for one release and cluster.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .._tokens import is_unresolved
from ..releases import ALWAYS, KarpenterVersion, Window, between, since
from .controller_statements import (
    EKS_INTEGRATION,
    EXTRA_SSM_PARAMETERS,
    IAM_INTEGRATION,
    INTERRUPTION,
    NODE_LIFECYCLE,
    RESOURCE_DISCOVERY,
    STATEMENTS,
    ZONAL_SHIFT,
    Condition,
    Only,
    Statement,
    Terms,
    only,
)

MANAGED_POLICY_LIMIT = 6144
"""Characters without white space that IAM takes in one managed policy."""

PROVISIONER = "ProvisionerPolicy"
PRE_V1 = "PreV1Policy"
POLICY_IDS = (
    NODE_LIFECYCLE,
    IAM_INTEGRATION,
    EKS_INTEGRATION,
    INTERRUPTION,
    RESOURCE_DISCOVERY,
    ZONAL_SHIFT,
    PROVISIONER,
    PRE_V1,
)
"""Every policy there can be: upstream's six, by its logical ids, then one for each ``keep_…``."""

KEEP_PROVISIONER_PERMISSIONS = between("0.32", "0.33")
"""0.32 alone runs Provisioners and NodePools side by side."""
KEEP_PRE_V1_PERMISSIONS = between("1.0", "1.1")
"""Every upgrade from before 1.0 must stop at 1.0."""
OPTIONS = {
    "keep_provisioner_permissions": KEEP_PROVISIONER_PERMISSIONS,
    "keep_pre_v1_permissions": KEEP_PRE_V1_PERMISSIONS,
    "isolated_vpc": ALWAYS,
    "extra_ssm_parameters": EXTRA_SSM_PARAMETERS,
}
"""The releases for which each option of `PolicyInputs` makes sense."""


class PolicyInputs(NamedTuple):
    """Whose cluster, queue and roles the policies are for.

    Every text is a literal or a ``${Placeholder}``, so that the documents fit CloudFormation's ``Fn::Sub`` as
    well as an API call.

    Attributes:
        node_role_arns: The roles that the controller may give to nodes; without any it can launch none.
        interruption_queue_arn: ``None`` leaves the interruption policy out.
        cluster_name: 1 to 100 characters.
        partition: Such as ``aws-cn``.
        region: Such as ``eu-west-1``.
        account: Twelve digits.
        keep_provisioner_permissions: Adds a policy for what Provisioners launch, which has other tags than
            what NodePools launch, and for the 0.31 controller while it is being replaced. Upstream's v1beta1
            migration guide keeps the old policy for the same reason.
        keep_pre_v1_permissions: Adds a policy for the controller before 1.0 while it is being replaced, or
            rolled back to: it does not set the tag ``eks:eks-cluster-name``, which 1.0's policies demand of
            everything new. Nodes that run already need nothing. Upstream's v1 migration guide attaches the
            policies of both releases for the same reason.
        isolated_vpc: Leaves out what the controller does not call with ``settings.isolatedVPC``: prices, and
            from 1.8.3 the list of instance profiles. The other IAM actions stay: a proxy may lead to IAM.
        extra_ssm_parameters: SSM parameters outside ``/aws/service`` that node classes take AMIs from: names
            (placeholders included) or ARNs.
    """

    node_role_arns: tuple[str, ...]
    interruption_queue_arn: str | None = None
    cluster_name: str = "${ClusterName}"
    partition: str = "${AWS::Partition}"
    region: str = "${AWS::Region}"
    account: str = "${AWS::AccountId}"
    keep_provisioner_permissions: bool = False
    keep_pre_v1_permissions: bool = False
    isolated_vpc: bool = False
    extra_ssm_parameters: tuple[str, ...] = ()


# pkg/providers/pricing, pkg/controllers/controllers.go and pkg/controllers/nodeclass ask `IsolatedVPC` first.
_NOT_CALLED_IN_ISOLATED_VPC: Terms = (
    "pricing:GetProducts",
    *only(since("1.8.3"), "iam:ListInstanceProfiles"),
)


class _Kept(NamedTuple):
    """Statements of an older release that stand beside the release's own, under Sids with a suffix."""

    policy: str
    window: Window
    of: KarpenterVersion
    sids: tuple[str, ...]
    suffix: str


# Only what the release's own statements do not cover already.
_KEPT = {
    "keep_provisioner_permissions": _Kept(
        PROVISIONER,
        KEEP_PROVISIONER_PERMISSIONS,
        KarpenterVersion.parse("0.31.5"),
        (
            "AllowScopedEC2InstanceActionsWithTags",
            "AllowScopedResourceCreationTagging",
            "AllowMachineMigrationTagging",
            "AllowScopedDeletion",
        ),
        "ForProvisioners",
    ),
    "keep_pre_v1_permissions": _Kept(
        PRE_V1,
        KEEP_PRE_V1_PERMISSIONS,
        KarpenterVersion.parse("0.37.8"),
        (
            "AllowScopedEC2InstanceActionsWithTags",
            "AllowScopedResourceCreationTagging",
            "AllowScopedInstanceProfileCreationActions",
            "AllowScopedInstanceProfileTagActions",
        ),
        "BeforeV1",
    ),
}


def controller_policies(version: KarpenterVersion, inputs: PolicyInputs) -> dict[str, dict[str, Any]]:
    """The policies of the controller's role.

    Args:
        version: The release to install.
        inputs: Whose cluster, queue and roles they are for. An option outside its window (`OPTIONS`) changes
            nothing.

    Returns:
        Policy documents by id, in the order of `POLICY_IDS`; policies without statements are absent.
    """
    written = [*_own(version, inputs), *_kept(version, inputs)]
    return {
        policy: {"Version": "2012-10-17", "Statement": statements}
        for policy in POLICY_IDS
        if (statements := [statement for owner, statement in written if owner == policy])
    }


def parameter_statements(
    version: KarpenterVersion, parameters: Iterable[str], *, partition: str, region: str, account: str
) -> list[dict[str, Any]]:
    """What the controller needs besides its policies, to read the SSM parameters that a node class takes AMIs from.

    Args:
        version: The release to install.
        parameters: Names or ARNs. What `RESOURCE_DISCOVERY` allows already is left out.
        partition: See `PolicyInputs`.
        region: See `PolicyInputs`.
        account: See `PolicyInputs`.

    Returns:
        No statement, or one without a Sid: a policy may have each Sid once, and one statement for each class.
    """
    own = tuple(parameter for parameter in parameters if not re.match(_OF_AWS, parameter))
    inputs = PolicyInputs(
        node_role_arns=(), partition=partition, region=region, account=account, extra_ssm_parameters=own
    )
    return [
        {key: value for key, value in statement.items() if key != "Sid"}
        for statement in controller_policies(version, inputs)[RESOURCE_DISCOVERY]["Statement"]
        if statement["Sid"] == "AllowExtraSSMReadActions"
    ]


def policy_size(document: Mapping[str, Any]) -> int:
    """The characters of a document that count against `MANAGED_POLICY_LIMIT`; exact for literals only."""
    return len("".join(json.dumps(document).split()))


_Owned = tuple[str, dict[str, Any]]


def _own(version: KarpenterVersion, inputs: PolicyInputs) -> Iterator[_Owned]:
    writer = _Writer(version, inputs)
    for row in STATEMENTS:
        yield from ((row.policy, statement) for statement in writer.write(row))


def _kept(version: KarpenterVersion, inputs: PolicyInputs) -> Iterator[_Owned]:
    for option, kept in _KEPT.items():
        if getattr(inputs, option) and version in kept.window:
            writer = _Writer(kept.of, inputs)
            for row in STATEMENTS:
                if row.sid in kept.sids:
                    yield from ((kept.policy, s) for s in writer.write(row, suffix=kept.suffix))


class _Writer:
    """Writes rows as JSON statements for one release and one cluster."""

    def __init__(self, version: KarpenterVersion, inputs: PolicyInputs) -> None:
        self._version = version
        self._left_out = self._terms(_NOT_CALLED_IN_ISOLATED_VPC) if inputs.isolated_vpc else ()
        self._texts = {
            "${AWS::Partition}": inputs.partition,
            "${AWS::Region}": inputs.region,
            "${AWS::AccountId}": inputs.account,
            "${ClusterName}": inputs.cluster_name,
        }
        queue = inputs.interruption_queue_arn
        self._lists = {
            "${NodeRoles}": inputs.node_role_arns,
            "${InterruptionQueue}": () if queue is None else (queue,),
            "${ExtraSsmParameters}": tuple(
                self._fill(arn)
                for parameter in inputs.extra_ssm_parameters
                for arn in _parameter_arns(parameter)
            ),
        }

    def write(self, row: Statement, *, suffix: str = "") -> Iterator[dict[str, Any]]:
        """The row's statement, or nothing where the release or the cluster has no such thing."""
        if self._version not in row.window:
            return
        actions = tuple(action for action in self._terms(row.actions) if action not in self._left_out)
        resources = self._resources(row.resources)
        if actions and resources:
            statement = {
                "Sid": row.sid + suffix,
                "Effect": "Allow",
                "Action": _one_or_list(actions),
                "Resource": _one_or_list(resources),
            }
            conditions = self._conditions(row.conditions)
            yield {**statement, "Condition": conditions} if conditions else statement

    def _terms(self, terms: Terms) -> tuple[str, ...]:
        return tuple(
            term.value if isinstance(term, Only) else term
            for term in terms
            if not isinstance(term, Only) or self._version in term.window
        )

    def _resources(self, terms: Terms) -> tuple[str, ...]:
        lists = (self._lists.get(term, (self._fill(term),)) for term in self._terms(terms))
        return tuple(resource for resources in lists for resource in resources)

    def _conditions(self, conditions: tuple[Condition, ...]) -> dict[str, dict[str, Any]]:
        block: dict[str, dict[str, Any]] = {}
        for condition in conditions:
            if self._version in condition.window:
                values = tuple(self._fill(value) for value in self._terms(condition.values))
                block.setdefault(condition.operator, {})[self._fill(condition.key)] = _one_or_list(values)
        return block

    def _fill(self, text: str) -> str:
        return re.sub(r"\$\{[\w:]+\}", lambda found: self._texts.get(found.group(), found.group()), text)


def _one_or_list(values: tuple[str, ...]) -> str | list[str]:
    return values[0] if len(values) == 1 else list(values)


# Names and ARNs of the parameters that AWS publishes; their ARNs have no account.
_OF_AWS = r"(arn:[\w-]+:ssm:[\w-]*::parameter)?/aws/service/"


def _parameter_arns(parameter: str) -> tuple[str, ...]:
    """The ARN that IAM knows a parameter by: without the ``:version`` or ``:label`` that selects a value.

    A name that only the deployment knows may begin with a slash, which the ARN has once, or may not: two ARNs.
    """
    parameter = re.sub(r":[\w.-]+$", "", parameter)
    if parameter.startswith("arn:"):
        return (parameter,)
    prefix = "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter"
    if is_unresolved(parameter) and not parameter.startswith("/"):
        return f"{prefix}{parameter}", f"{prefix}/{parameter}"
    return (f"{prefix}/{parameter.lstrip('/')}",)
