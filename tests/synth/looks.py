"""What a stack with Karpenter deploys, in the parts that have to fit each other and the cluster."""

from __future__ import annotations

import json
import re
from typing import Any

from aws_cdk import Stack

from . import clusters
from .intrinsics import PSEUDO, document, resolved
from .node_manifests import resources

HELM_CHART = "Custom::AWSCDK-EKS-HelmChart"
MANIFEST = "Custom::AWSCDK-EKS-KubernetesResource"


class Placeholders(dict[str, str]):
    """What references stand for: the resource's name without CDK's hash, in angle brackets."""

    def __missing__(self, name: str) -> str:
        if "OpenIdConnectProvider" in name:
            return clusters.OIDC_PROVIDER_ARN
        if name.startswith("ClusterStack:"):
            return "<from the cluster's stack>"
        resource, dot, attribute = name.partition(".")
        return f"<{re.sub(r'^Karpenter|[0-9A-F]{8}$', '', resource)}{dot}{attribute}>"


KNOWN = Placeholders(PSEUDO)


class Looks:
    """One stack, read."""

    def __init__(self, home: Stack) -> None:
        self._resources = resources(home)

    def resources(self, resource_type: str) -> list[dict[str, Any]]:
        """The properties of the resources of a type, with intrinsic functions worked out."""
        found = (body for body in self._resources.values() if body["Type"] == resource_type)
        return [resolved(resource.get("Properties", {}), KNOWN) for resource in found]

    @property
    def manifests(self) -> list[dict[str, Any]]:
        """The Kubernetes objects."""
        return [body for each in self.resources(MANIFEST) for body in json.loads(each["Manifest"])]

    @property
    def charts(self) -> list[dict[str, Any]]:
        """The Helm charts, that of the CRDs first; their values are read."""
        found = self.resources(HELM_CHART)
        return [{**chart, "Values": json.loads(chart.get("Values", "{}"))} for chart in found]

    @property
    def values(self) -> dict[str, Any]:
        """The values of Karpenter's chart."""
        [chart] = [chart for chart in self.charts if chart["Release"] == "karpenter"]
        return dict(chart["Values"])

    def access(self) -> dict[str, Any]:
        """How the node roles get in: the mappings in aws-auth, and the access entries."""
        mapped = [
            role
            for body in self.manifests
            if body["metadata"]["name"] == "aws-auth"
            for role in json.loads(body["data"]["mapRoles"])
        ]
        entries = [
            (entry["PrincipalArn"], entry["Type"])
            for entry in self.resources("AWS::EKS::AccessEntry")
            if entry.get("Type", "").startswith("EC2")
        ]
        return {"aws-auth": mapped, "entries": entries}

    def trust(self) -> list[dict[str, Any]]:
        """Who may take the controller's role, where that is made here."""
        found = [
            document(each["Properties"]["AssumeRolePolicyDocument"], KNOWN)["Statement"][0]
            for name, each in self._resources.items()
            if each["Type"] == "AWS::IAM::Role" and name.startswith("KarpenterControllerRole")
        ]
        return [{key: value for key, value in each.items() if key != "Effect"} for each in found]
