"""What refuses an upgrade that would break the cluster, at deploy time, before anything of it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aws_cdk import CfnResource

from .handler_function import HandlerFunction

RESOURCE_TYPE = "Custom::KarpenterUpgradeGuard"


def upgrade_guard(
    handler: HandlerFunction, *, release: str, namespace: str, refused: Sequence[dict[str, Any]]
) -> CfnResource:
    """A custom resource that fails where the stack had a release that this one must not follow, or one elsewhere.

    At synth nobody knows what is installed; CloudFormation does, once it updates the stack. Whatever must not be
    touched by such an update is to depend on the guard.

    Args:
        handler: The function behind custom resources.
        release: The release to install.
        namespace: The namespace to install it in.
        refused: The releases that it must not follow: see ``lambda_handler/upgrade_guard.py``.
    """
    return handler.custom_resource(
        "UpgradeGuard",
        resource_type=RESOURCE_TYPE,
        properties={"Release": release, "Namespace": namespace, "Refused": list(refused)},
        policy_document=None,
    )
