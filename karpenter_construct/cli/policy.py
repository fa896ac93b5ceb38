"""``policy``: the IAM policies of the controller."""

from __future__ import annotations

import json
import re
from argparse import Namespace

from .._upstream.compatibility import check_supported
from .._upstream.controller_policy import (
    MANAGED_POLICY_LIMIT,
    OPTIONS,
    PolicyInputs,
    controller_policies,
    policy_size,
)
from ..releases import KarpenterVersion
from .answer import Answer, Refusal, lines

_PLACEHOLDER = re.compile(r"\$\{AWS::\w+\}")
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
        if arguments.only not in policies:
            raise Refusal(
                f"argument --only: no such policy: {arguments.only!r} (choose from {', '.join(policies)})"
            )
        answer = policies[arguments.only]
    output = json.dumps(answer, indent=2) + "\n"
    placeholders = ", ".join(dict.fromkeys(_PLACEHOLDER.findall(output)))
    warnings = [f"warning: {caution.message}" for caution in cautions]
    warnings.extend(
        f"warning: {policy} has {size} characters, more than the {MANAGED_POLICY_LIMIT} that IAM takes in one policy"
        for policy, document in policies.items()
        if (size := policy_size(document)) > MANAGED_POLICY_LIMIT
    )
    if placeholders:
        warnings.append(f"note: the documents have placeholders for Fn::Sub: {placeholders}")
    return Answer(0, output, lines(*warnings))


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
    return f"arn:{partition}:iam::{account}:role/KarpenterNodeRole-{arguments.cluster_name}"
