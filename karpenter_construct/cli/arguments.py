"""The arguments of every command, and their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import accepted

if TYPE_CHECKING:
    from .answer import Answer

_Commands = Any  # argparse's own class for it is private


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments; ends the process where they're wrong, as argparse does."""
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="karpenter-construct",
        description="Node pools, policies and chart values for any release of Karpenter from 0.30 on. "
        "Calls no AWS API and needs no Node.js.",
        epilog="Each command explains itself: karpenter-construct convert --help",
    )
    parser.add_argument("--version", action=_OwnVersion, help="show the version of karpenter-construct")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_add_convert, _add_check, _add_policy, _add_values, _add_releases):
        add(commands)
    return parser


class _OwnVersion(argparse.Action):
    """Asks for the installed version only where somebody wants to know it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**{**options, "nargs": 0})

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version  # noqa: PLC0415

        print(f"karpenter-construct {version('karpenter-construct')}")
        parser.exit()


def _add(commands: _Commands, name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    # The command's module is imported when it runs: `releases` needs no pydantic, `policy` no YAML.
    parser.set_defaults(run=_late(name))
    return parser


def _late(name: str) -> Callable[[argparse.Namespace], Answer]:
    def run(arguments: argparse.Namespace) -> Answer:
        answer: Answer = import_module(f".{name}", __package__).run(arguments)
        return answer

    return run


def _release(text: str) -> str:
    """A release that can be installed; argparse shows what is wrong with another."""
    from .._upstream.compatibility import check_supported  # noqa: PLC0415
    from ..errors import UnsupportedVersionError  # noqa: PLC0415

    try:
        check_supported(text)
    except UnsupportedVersionError as error:
        raise argparse.ArgumentTypeError(error.problems[0].message) from None
    return text


def _kubernetes(text: str) -> str:
    """A Kubernetes version."""
    from .._upstream.kubernetes import KubernetesVersion  # noqa: PLC0415

    if KubernetesVersion.parse(text) is None:
        raise argparse.ArgumentTypeError(f"is no Kubernetes version, got {text!r}; write one as in '1.35'")
    return text


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="YAML or JSON; - is standard input")


def _add_release(parser: argparse.ArgumentParser, flag: str) -> None:
    parser.add_argument(
        flag, required=True, type=_release, metavar="RELEASE", dest="release", help="such as 1.14.1"
    )


def _add_convert(commands: _Commands) -> None:
    parser = _add(
        commands,
        "convert",
        "write node objects of any generation for one release",
        "  karpenter-construct convert provisioners.yaml --to 1.14.1 --node-role my-node-role > pools.yaml\n"
        "  kubectl get nodepools,ec2nodeclasses -o yaml | karpenter-construct convert - --to 1.14.1\n\n"
        "The YAML goes to standard output, classes before pools; what changes in meaning, and what defaults\n"
        "were written out, goes to standard error.",
    )
    _add_files(parser)
    _add_release(parser, "--to")
    profile = parser.add_mutually_exclusive_group()
    profile.add_argument(
        "--node-role",
        type=accepted.ROLE_NAME,
        metavar="NAME",
        help="the IAM role of classes that name none",
    )
    profile.add_argument(
        "--instance-profile",
        type=accepted.PROFILE_NAME,
        metavar="NAME",
        help="the instance profile of such classes",
    )
    _add_kubernetes(parser)


def _add_check(commands: _Commands) -> None:
    parser = _add(
        commands,
        "check",
        "find what a release refuses in node objects, before it's applied",
        "  karpenter-construct check pools.yaml classes.yaml --version 1.14.1 --kubernetes-version 1.35\n"
        "  git diff --name-only | grep yaml | xargs karpenter-construct check --version 1.14.1\n\n"
        "Each mistake is a line `file:line: path: message`, and the exit code is 1; warnings go to standard\n"
        "error and do not change it.",
    )
    _add_files(parser)
    _add_release(parser, "--version")
    _add_kubernetes(parser)
    parser.add_argument(
        "--converted",
        action="store_true",
        help="check what convert and add_manifests make of the files, whatever their generation",
    )


def _add_kubernetes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--kubernetes-version", type=_kubernetes, metavar="MINOR", help="the cluster's, such as 1.35"
    )


def _add_cluster(parser: argparse.ArgumentParser) -> None:
    _add_release(parser, "--version")
    parser.add_argument(
        "--cluster-name",
        required=True,
        type=accepted.CLUSTER_NAME,
        metavar="NAME",
        help="the EKS cluster",
    )


_POLICY: dict[str, dict[str, Any]] = {
    "--partition": {"type": accepted.PARTITION, "help": "such as aws-cn"},
    "--region": {"type": accepted.REGION, "help": "such as eu-west-1"},
    "--account": {"type": accepted.ACCOUNT, "help": "twelve digits"},
    "--node-role-arn": {
        "action": "append",
        "type": accepted.ROLE_ARN,
        "metavar": "ARN",
        "help": "a role that nodes may get, once for each; by default upstream's KarpenterNodeRole-<cluster>",
    },
    "--queue-arn": {
        "type": accepted.QUEUE_ARN,
        "metavar": "ARN",
        "help": "the interruption queue; without it no permission for one",
    },
    "--ssm-parameter": {
        "action": "append",
        "type": accepted.SSM_PARAMETER,
        "metavar": "NAME",
        "help": "a parameter of your own, or its ARN, that node classes take AMIs from, once for each",
    },
    "--keep-provisioner-permissions": {
        "action": "store_true",
        "help": "in 0.32, add what the nodes of Provisioners need until they are gone",
    },
    "--keep-pre-v1-permissions": {
        "action": "store_true",
        "help": "in 1.0, add what the controller before 1.0 needs until it is replaced",
    },
    "--isolated-vpc": {"action": "store_true", "help": "leave out what settings.isolatedVPC turns off"},
    "--only": {"metavar": "ID", "help": "the document of one policy alone"},
}
_VALUES: dict[str, dict[str, Any]] = {
    "--region": {"required": True, "type": accepted.REGION, "help": "the cluster's, for AWS_REGION"},
    "--cluster-endpoint": {
        "type": accepted.ENDPOINT,
        "metavar": "URL",
        "help": "the API server; else the controller asks EKS",
    },
    "--interruption-queue": {
        "type": accepted.QUEUE_NAME,
        "metavar": "NAME",
        "help": "the queue's name, no ARN",
    },
    "--controller-role-arn": {
        "type": accepted.ROLE_ARN,
        "metavar": "ARN",
        "help": "the controller's role, for IRSA",
    },
    "--instance-profile": {
        "type": accepted.PROFILE_NAME,
        "metavar": "NAME",
        "help": "the nodes', for releases before 0.33",
    },
    "--isolated-vpc": {"action": "store_true", "help": "AWS is reached through VPC endpoints only"},
    "--replicas": {"type": accepted.count, "default": 2, "metavar": "N", "help": "by default 2"},
    "--namespace": {
        "type": accepted.NAMESPACE,
        "help": "the controller's; by default upstream's for the release",
    },
    "--crd-chart": {"action": "store_true", "help": "the values of the chart karpenter-crd instead"},
}


def _add_options(parser: argparse.ArgumentParser, options: Mapping[str, Mapping[str, Any]]) -> None:
    for flag, option in options.items():
        parser.add_argument(flag, **option)


def _add_policy(commands: _Commands) -> None:
    parser = _add(
        commands,
        "policy",
        "write the IAM policies of the controller",
        "  karpenter-construct policy --version 1.14.1 --cluster-name prod --region eu-west-1 \\\n"
        "    --account 111122223333 --queue-arn arn:aws:sqs:eu-west-1:111122223333:prod\n"
        "  karpenter-construct policy --version 1.14.1 --cluster-name prod --only NodeLifecyclePolicy\n\n"
        "Without --partition, --region or --account the documents have CloudFormation's placeholders, such\n"
        "as ${AWS::Region}, and fit Fn::Sub.",
    )
    _add_cluster(parser)
    _add_options(parser, _POLICY)


def _add_values(commands: _Commands) -> None:
    parser = _add(
        commands,
        "values",
        "write the values of the Helm chart",
        "  karpenter-construct values --version 1.14.1 --cluster-name prod --region eu-west-1 \\\n"
        "    --interruption-queue prod > values.yaml\n"
        "  karpenter-construct values --version 0.37.8 --cluster-name prod --region eu-west-1 --crd-chart",
    )
    _add_cluster(parser)
    _add_options(parser, _VALUES)


def _add_releases(commands: _Commands) -> None:
    _add(
        commands,
        "releases",
        "list the releases, their API and the Kubernetes they are made for",
        "  karpenter-construct releases\n  karpenter-construct releases --json",
    )
