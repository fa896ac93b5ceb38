"""``policy``: the IAM policies of the controller."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from .._upstream.compatibility import check_supported
from .._upstream.controller_policy import (
    MANAGED_POLICY_LIMIT,
    OPTIONS,
    PolicyInputs,
    controller_policies,
    policy_size,
)
from .._upstream.controller_statements import INTERRUPTION
from ..releases import KarpenterVersion
from .accepted import PLACEHOLDER
from .answer import Answer, Refusal, lines

_UPSTREAMS_ROLE = "KarpenterNodeRole-"
_LONGEST_ROLE = 64
_FLAGS = {
    "keep_provisioner_permissions": "--keep-provisioner-permissions",
    "keep_pre_v1_permissions": "--keep-pre-v1-permissions",
    "extra_ssm_parameters": "--ssm-parameter",
}
# The partitions that are told by a region; more have names of their own.
_PARTITIONS = {"cn-": "aws-cn", "us-gov-": "aws-us-gov"}


def run(arguments: Namespace) -> Answer:
    """Write the policies."""
    version, cautions = check_supported(arguments.release)
    inputs = _inputs(arguments)
    _check_options(inputs, version)
    policies = controller_policies(version, inputs)
    answer: object = policies
    if arguments.only is not None:
        if arguments.only == INTERRUPTION and inputs.interruption_queue_arn is None:
            raise Refusal(f"argument --only: {INTERRUPTION} is for a queue; name it with --queue-arn")
        if arguments.only not in policies:
            raise Refusal(
                f"argument --only: no such policy: {arguments.only!r} (choose from {', '.join(policies)})"
            )
        answer = policies[arguments.only]
    output = json.dumps(answer, indent=2) + "\n"
    warnings = [*(f"warning: {caution.message}" for caution in cautions), *_warnings(arguments, policies)]
    placeholders = ", ".join(dict.fromkeys(PLACEHOLDER.findall(output)))
    if placeholders:
        warnings.append(f"note: the documents have placeholders for Fn::Sub: {placeholders}")
    return Answer(0, output, lines(*warnings))


def _warnings(arguments: Namespace, policies: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    role = f"{_UPSTREAMS_ROLE}{arguments.cluster_name}"
    if not arguments.node_role_arn and len(role) > _LONGEST_ROLE and PLACEHOLDER.search(role) is None:
        yield f"warning: no role can have the {len(role)} characters of {role}; give the nodes' with --node-role-arn"
    for policy, document in policies.items():
        size = policy_size(document)
        if size > MANAGED_POLICY_LIMIT:
            yield (
                f"warning: {policy} has {size} characters, more than the {MANAGED_POLICY_LIMIT} that IAM takes in one "
                "policy"
            )


def _inputs(arguments: Namespace) -> PolicyInputs:
    given = {name: getattr(arguments, name) for name in ("partition", "region", "account")}
    return PolicyInputs(
        cluster_name=arguments.cluster_name,
        node_role_arns=tuple(arguments.node_role_arn or [_default_role(arguments)]),
        interruption_queue_arn=arguments.queue_arn,
        keep_provisioner_permissions=arguments.keep_provisioner_permissions,
        keep_pre_v1_permissions=arguments.keep_pre_v1_permissions,
        isolated_vpc=arguments.isolated_vpc,
        extra_ssm_parameters=tuple(arguments.ssm_parameter or ()),
        **{name: value for name, value in given.items() if value is not None},
    )


def _check_options(inputs: PolicyInputs, version: KarpenterVersion) -> None:
    for name, flag in _FLAGS.items():
        if getattr(inputs, name) and version not in OPTIONS[name]:
            raise Refusal(f"argument {flag}: {OPTIONS[name].requirement(version)}; leave it out")
    found = next((name for start, name in _PARTITIONS.items() if inputs.region.startswith(start)), "aws")
    is_known = inputs.partition in {"aws", *_PARTITIONS.values()} and "$" not in inputs.region
    if is_known and inputs.partition != found:
        raise Refusal(
            f"argument --partition: {inputs.region} is a region of {found}, got {inputs.partition!r}; leave it out"
        )


def _default_role(arguments: Namespace) -> str:
    """The name that upstream's CloudFormation template gives to the nodes' role."""
    partition, account = arguments.partition or "${AWS::Partition}", arguments.account or "${AWS::AccountId}"
    return f"arn:{partition}:iam::{account}:role/{_UPSTREAMS_ROLE}{arguments.cluster_name}"
