"""Every kind of EKS cluster that CDK users have, built as cheaply as CDK allows.

Each builder takes a stack and gives the object to pass as ``cluster=``. VPC and kubectl layers are imported
ones: a real VPC and a hashed 36 MB layer would make a test ten times slower.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aws_cdk import App, Environment, Stack, aws_ec2, aws_eks, aws_iam, aws_lambda

if TYPE_CHECKING:
    from aws_cdk import aws_eks_v2 as eks2

HAS_EKS_V2 = importlib.util.find_spec("aws_cdk.aws_eks_v2") is not None
"""Whether this CDK has ``aws_eks_v2`` (since 2.240)."""
if HAS_EKS_V2:
    eks2 = importlib.import_module("aws_cdk.aws_eks_v2")

ACCOUNT = "111122223333"
REGION = "eu-west-1"
NAME = "prod"
KUBERNETES_VERSION = "1.33"
PRIVATE_SUBNETS = ("subnet-private1", "subnet-private2")
OIDC_ISSUER = f"oidc.eks.{REGION}.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E"
OIDC_PROVIDER_ARN = f"arn:aws:iam::{ACCOUNT}:oidc-provider/{OIDC_ISSUER}"
KUBECTL_ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/kubectl"
KUBECTL_FUNCTION_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:kubectl"


# What no assertion looks at, and CDK makes for each app: copies of its Lambda code, where in the program each
# resource was made, and the file tree.json.
UNSEEN = {"aws:cdk:disable-asset-staging": True, "aws:cdk:disable-creation-stack-traces": True}


def app(**context: object) -> App:
    """An app that makes no more than templates; ``context`` is further context."""
    return App(
        context={**UNSEEN, **context}, analytics_reporting=False, stack_traces=False, tree_metadata=False
    )


def stack(given: App | None = None, name: str = "Test", *, env: Environment | None = None) -> Stack:
    """A stack in an app of its own (or ``given``), without account and region unless ``env`` says so."""
    return Stack(given or app(), name, env=env)


def vpc(scope: Stack) -> aws_ec2.IVpc:
    """An imported VPC of two zones."""
    return aws_ec2.Vpc.from_vpc_attributes(
        scope,
        "Vpc",
        vpc_id="vpc-1",
        availability_zones=[f"{REGION}a", f"{REGION}b"],
        private_subnet_ids=list(PRIVATE_SUBNETS),
        private_subnet_route_table_ids=["rtb-1", "rtb-2"],
        public_subnet_ids=["subnet-public1", "subnet-public2"],
        public_subnet_route_table_ids=["rtb-3", "rtb-4"],
    )


def layer(scope: Stack, id: str = "KubectlLayer") -> aws_lambda.ILayerVersion:  # noqa: A002
    """An imported kubectl layer, of an unknown Kubernetes version."""
    return aws_lambda.LayerVersion.from_layer_version_arn(
        scope, id, f"arn:aws:lambda:{REGION}:{ACCOUNT}:layer:kubectl:1"
    )


def _owned(scope: Stack, **changes: Any) -> dict[str, Any]:
    return {
        "cluster_name": NAME,
        "version": aws_eks.KubernetesVersion.of(KUBERNETES_VERSION),
        "vpc": vpc(scope),
        "default_capacity": 0,
        **changes,
    }


def _classic(scope: Stack, **changes: Any) -> dict[str, Any]:
    layers = {} if "kubectl_layer" in changes else {"kubectl_layer": layer(scope)}
    return _owned(scope, **layers, awscli_layer=layer(scope, "AwsCliLayer"), **changes)


def classic(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """``aws_eks.Cluster``, authentication mode left alone; ``changes`` are its own arguments."""
    return aws_eks.Cluster(scope, "Cluster", **_classic(scope, **changes))


def classic_config_map(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """Authentication mode CONFIG_MAP."""
    return classic(scope, authentication_mode=aws_eks.AuthenticationMode.CONFIG_MAP, **changes)


def classic_both(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """Authentication mode API_AND_CONFIG_MAP."""
    return classic(scope, authentication_mode=aws_eks.AuthenticationMode.API_AND_CONFIG_MAP, **changes)


def classic_api(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """Authentication mode API."""
    return classic(scope, authentication_mode=aws_eks.AuthenticationMode.API, **changes)


def classic_unnamed(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """A cluster that CloudFormation names."""
    return classic(scope, cluster_name=None, **changes)


def fargate(scope: Stack, **changes: Any) -> aws_eks.FargateCluster:
    """``aws_eks.FargateCluster``."""
    props = _classic(scope, **changes)
    del props["default_capacity"]
    return aws_eks.FargateCluster(scope, "Cluster", **props)


class _TeamCluster(aws_eks.Cluster):
    """What a platform team derives from CDK's class."""


def classic_subclass(scope: Stack, **changes: Any) -> aws_eks.Cluster:
    """A subclass of ``aws_eks.Cluster``, in Python."""
    return _TeamCluster(scope, "Cluster", **_classic(scope, **changes))


def _v2(scope: Stack, **changes: Any) -> dict[str, Any]:
    if "kubectl_provider_options" not in changes:
        changes["kubectl_provider_options"] = eks2.KubectlProviderOptions(
            kubectl_layer=layer(scope), awscli_layer=layer(scope, "AwsCliLayer")
        )
    return _owned(scope, **{"version": eks2.KubernetesVersion.of(KUBERNETES_VERSION), **changes})


def v2(scope: Stack, **changes: Any) -> eks2.Cluster:
    """``aws_eks_v2.Cluster`` with kubectl, without Auto Mode."""
    node_groups = {"default_capacity_type": eks2.DefaultCapacityType.NODEGROUP}
    return eks2.Cluster(scope, "Cluster", **_v2(scope, **{**node_groups, **changes}))


def v2_unnamed(scope: Stack, **changes: Any) -> eks2.Cluster:
    """An ``aws_eks_v2.Cluster`` that CloudFormation names."""
    return v2(scope, cluster_name=None, **changes)


def v2_without_kubectl(scope: Stack, **changes: Any) -> eks2.Cluster:
    """An ``aws_eks_v2.Cluster`` to which CDK can apply nothing."""
    return v2(scope, kubectl_provider_options=None, **changes)


def v2_automode(scope: Stack, **changes: Any) -> eks2.Cluster:
    """``aws_eks_v2.Cluster`` as its defaults make it: with EKS Auto Mode."""
    props = _v2(scope, **changes)
    del props["default_capacity"]
    return eks2.Cluster(scope, "Cluster", **props)


def v2_fargate(scope: Stack, **changes: Any) -> eks2.FargateCluster:
    """``aws_eks_v2.FargateCluster``."""
    props = _v2(scope, **changes)
    del props["default_capacity"]
    return eks2.FargateCluster(scope, "Cluster", **props)


def oidc_provider(scope: Stack) -> aws_iam.IOpenIdConnectProvider:
    """The imported IAM OIDC provider of an imported cluster."""
    return aws_iam.OpenIdConnectProvider.from_open_id_connect_provider_arn(scope, "Oidc", OIDC_PROVIDER_ARN)


def _imported(scope: Stack, **changes: Any) -> dict[str, Any]:
    given = {
        "cluster_name": NAME,
        "vpc": vpc(scope),
        "cluster_endpoint": "https://EXAMPLE.gr7.eu-west-1.eks.amazonaws.com",
        "cluster_security_group_id": "sg-cluster",
        "open_id_connect_provider": oidc_provider(scope),
        **changes,
    }
    return {key: value for key, value in given.items() if value is not None}


def imported_classic(scope: Stack, **changes: Any) -> aws_eks.ICluster:
    """``aws_eks.Cluster.from_cluster_attributes`` with everything known; ``None`` leaves an attribute out."""
    if "kubectl_provider" not in changes:
        changes["kubectl_provider"] = aws_eks.KubectlProvider.from_kubectl_provider_attributes(
            scope,
            "KubectlProvider",
            function_arn=KUBECTL_FUNCTION_ARN,
            kubectl_role_arn=KUBECTL_ROLE_ARN,
            handler_role=aws_iam.Role.from_role_arn(scope, "KubectlHandlerRole", KUBECTL_ROLE_ARN),
        )
    return aws_eks.Cluster.from_cluster_attributes(scope, "Cluster", **_imported(scope, **changes))


def imported_classic_by_role(scope: Stack, **changes: Any) -> aws_eks.ICluster:
    """An imported classic cluster with kubectl role and layer, from which CDK makes a provider."""
    return imported_classic(
        scope,
        **{
            "kubectl_provider": None,
            "kubectl_role_arn": KUBECTL_ROLE_ARN,
            "kubectl_layer": layer(scope),
            "awscli_layer": layer(scope, "AwsCliLayer"),
            **changes,
        },
    )


def imported_classic_bare(scope: Stack) -> aws_eks.ICluster:
    """An imported classic cluster of which only the name is known."""
    return aws_eks.Cluster.from_cluster_attributes(scope, "Cluster", cluster_name=NAME)


def imported_v2(scope: Stack, **changes: Any) -> eks2.ICluster:
    """``aws_eks_v2``'s ``from_cluster_attributes``, everything known; ``None`` leaves an attribute out."""
    if "kubectl_provider" not in changes:
        changes["kubectl_provider"] = eks2.KubectlProvider.from_kubectl_provider_attributes(
            scope,
            "KubectlProvider",
            service_token=KUBECTL_FUNCTION_ARN,
            role=aws_iam.Role.from_role_arn(scope, "KubectlHandlerRole", KUBECTL_ROLE_ARN),
        )
    return eks2.Cluster.from_cluster_attributes(scope, "Cluster", **_imported(scope, **changes))


def imported_v2_bare(scope: Stack) -> eks2.ICluster:
    """An imported ``aws_eks_v2`` cluster of which only the name is known."""
    return eks2.Cluster.from_cluster_attributes(scope, "Cluster", cluster_name=NAME)


def other_stack(scope: Stack, build: Any = classic, **changes: Any) -> Any:
    """The cluster that ``build`` makes, in another stack of the app that ``scope`` belongs to."""
    app = scope.node.root
    assert isinstance(app, App)
    return build(Stack(app, "ClusterStack"), **changes)


_CLASSIC: tuple[Callable[..., Any], ...] = (
    classic,
    classic_config_map,
    classic_both,
    classic_api,
    classic_unnamed,
    classic_subclass,
    fargate,
    imported_classic,
    imported_classic_by_role,
)
_V2: tuple[Callable[..., Any], ...] = (v2, v2_unnamed, v2_automode, v2_fargate, imported_v2)

BUILDERS = {build.__name__: build for build in _CLASSIC + (_V2 if HAS_EKS_V2 else ())}
"""The clusters on which everything works, by the name to use as a test id."""
