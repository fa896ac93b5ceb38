"""Which kubectl a Lambda layer carries, and which CDK runs it."""

from __future__ import annotations

import re
from typing import Any

from aws_cdk._jsii import __jsii_assembly__

# The description of every published layer, such as "/opt/kubectl/kubectl 1.35.2; /opt/helm/helm 4.1.3"
# (cdklabs/awscdk-asset-kubectl, `src/kubectl-layer.ts`).
_KUBECTL = re.compile(r"\bkubectl 1\.(\d+)")


def cdk_version() -> str:
    """The version of aws-cdk-lib at work, such as ``2.275.0``."""
    # What jsii has loaded says so at once; importlib.metadata reads through all that is installed.
    version: str = __jsii_assembly__.version
    return version


def kubectl_minor(layer: Any) -> int | None:  # noqa: ANN401
    """The Kubernetes minor of an ``aws_lambda.ILayerVersion``; ``None`` where it does not say."""
    # An imported layer has no child.
    resource = None if layer is None else layer.node.default_child
    found = _KUBECTL.search(getattr(resource, "description", None) or "")
    return int(found[1]) if found else None
