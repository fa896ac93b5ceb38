"""What goes around the pools: defaults for pods that request nothing, and pods to see scaling work with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from .._dialects.manifest import Manifest, some
from .._fields import Items, Map, Number, Quantity, Text
from .._model import Named, ObjectName
from .._names import label_problems
from .._tokens import is_unresolved
from .._upstream.getting_started import PAUSE_IMAGE
from ..errors import Problem
from ..node_pool import Taint

_NAME_LABEL = "app.kubernetes.io/name"
_NOBODY = 65535
"""The user of the pause image (kubernetes ``build/pause/Dockerfile``)."""


class _Namespaced(Named):
    namespace: ObjectName

    @property
    def metadata(self) -> dict[str, str]:
        """Name and namespace."""
        return {"name": self.name, "namespace": self.namespace}

    def problems(self) -> list[Problem]:
        """What the API server would refuse."""
        return label_problems(f"{self.path}.namespace", self.namespace)


class LimitRange(_Namespaced):
    """What the containers of a namespace get that say nothing about it."""

    collection: ClassVar[str] = "limit_ranges"

    default_request: Annotated[Mapping[str, int | str] | None, Map(values=Quantity())] = None
    """What a container requests, by resource."""
    default: Annotated[Mapping[str, int | str] | None, Map(values=Quantity())] = None
    """What a container may use at most, by resource."""

    def problems(self) -> list[Problem]:
        """What the API server would refuse, or what has no effect."""
        problems = super().problems()
        if not self.default_request and not self.default:
            message = "says nothing; give default_request, as in {'cpu': '100m'}"
            problems.append(Problem(self.path, message))
        limits = self.default or {}
        for resource, request in (self.default_request or {}).items():
            limit = limits.get(resource, request)
            if not is_unresolved((request, limit)) and amount(request) > amount(limit):
                message = f"must not be more than the default limit {limit!r}, got {request!r}; raise default"
                problems.append(Problem(f"{self.path}.default_request[{resource!r}]", message))
        return problems

    def manifest(self) -> Manifest:
        """The LimitRange."""
        limit = {"type": "Container", **some(defaultRequest=self.default_request, default=self.default)}
        return {
            "apiVersion": "v1",
            "kind": "LimitRange",
            "metadata": self.metadata,
            "spec": {"limits": [limit]},
        }


class TestWorkload(_Namespaced):
    """Pods that do nothing but request resources."""

    __test__ = False  # pytest takes the name for a test's.
    collection: ClassVar[str] = "test_workloads"

    replicas: Annotated[int, Number(0)] = 0
    cpu: Annotated[int | str, Quantity()] = "1"
    memory: Annotated[int | str, Quantity()] = "2Gi"
    pods_per_node: Annotated[int, Number(1)] = 10
    image: Annotated[str, Text(shortest=1)] = PAUSE_IMAGE
    node_pool: str | None = None
    tolerated: Annotated[Sequence[Taint], Items()] = ()

    def manifest(self, node_pool_label: str) -> Manifest:
        """The Deployment.

        Args:
            node_pool_label: The label of Karpenter's nodes that names their pool.
        """
        labels = {_NAME_LABEL: self.name}
        return {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": self.metadata,
            "spec": {
                "replicas": self.replicas,
                "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": self._pod(node_pool_label)},
            },
        }

    def _pod(self, node_pool_label: str) -> Manifest:
        return {
            # Other nodes may have room, and nothing would scale.
            "affinity": {"nodeAffinity": _node_affinity(node_pool_label, self.node_pool)},
            **some(tolerations=[_toleration(taint) for taint in self.tolerated]),
            "topologySpreadConstraints": [
                {
                    "maxSkew": self.pods_per_node,
                    "topologyKey": "kubernetes.io/hostname",
                    "whenUnsatisfiable": "DoNotSchedule",
                    "labelSelector": {"matchLabels": {_NAME_LABEL: self.name}},
                }
            ],
            "terminationGracePeriodSeconds": 0,
            "automountServiceAccountToken": False,
            # What the Pod Security Standard "restricted" asks for.
            "securityContext": {
                "runAsNonRoot": True,
                "runAsUser": _NOBODY,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "containers": [self._container()],
        }

    def _container(self) -> Manifest:
        return {
            "name": "pause",
            "image": self.image,
            "resources": {"requests": {"cpu": self.cpu, "memory": self.memory}},
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
        }


def _node_affinity(label: str, node_pool: str | None) -> dict[str, Any]:
    pool: dict[str, Any] = {"key": label, "operator": "Exists"}
    if node_pool is not None:
        pool = {"key": label, "operator": "In", "values": [node_pool]}
    linux = {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]}
    terms = [{"matchExpressions": [pool, linux]}]
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


def _toleration(taint: Taint) -> dict[str, str]:
    if taint.value is None:
        return {"key": taint.key, "operator": "Exists", "effect": taint.effect}
    return {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}


_BINARY = {f"{unit}i": Fraction(1024) ** power for power, unit in enumerate("KMGTPE", 1)}
_DECIMAL = {"n": -3, "u": -2, "m": -1, "": 0, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_UNITS = {**_BINARY, **{unit: Fraction(1000) ** power for unit, power in _DECIMAL.items()}}


def amount(quantity: int | str) -> Fraction:
    """The number that a Kubernetes quantity stands for (apimachinery ``resource/quantity.go``)."""
    text = str(quantity)
    number = text.rstrip("KMGTPEinumk")
    unit = text[len(number) :]
    return Fraction(number) * _UNITS[unit]
