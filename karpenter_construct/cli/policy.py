"""``policy``: the IAM policies of the controller."""

from __future__ import annotations

import json
import re
from argparse import Namespace

from .._upstream.compatibility import check_supported
from .._upstream.controller_policy import PolicyInputs, controller_policies
from .answer import Answer, Refusal, lines

_PLACEHOLDER = re.compile(r"\$\{AWS::\w+\}")


def run(arguments: Namespace) -> Answer:
    """Write the policies."""
    version, cautions = check_supported(arguments.release)
    given = {name: getattr(arguments, name) for name in ("partition", "region", "account")}
    inputs = PolicyInputs(
        cluster_name=arguments.cluster_name,
        node_role_arns=tuple(arguments.node_role_arn or [_default_role(arguments)]),
        interruption_queue_arn=arguments.queue_arn,
        isolated_vpc=arguments.isolated_vpc,
        **{name: value for name, value in given.items() if value is not None},
    )
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
    if placeholders:
        warnings.append(f"note: the documents have placeholders for Fn::Sub: {placeholders}")
    return Answer(0, output, lines(*warnings))


def _default_role(arguments: Namespace) -> str:
    """The name that upstream's CloudFormation template gives to the nodes' role."""
    partition, account = arguments.partition or "${AWS::Partition}", arguments.account or "${AWS::AccountId}"
    return f"arn:{partition}:iam::{account}:role/KarpenterNodeRole-{arguments.cluster_name}"
