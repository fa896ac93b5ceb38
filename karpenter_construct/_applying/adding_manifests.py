"""The methods of `Karpenter` that add other objects than Karpenter's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from constructs import Construct

from .._decisions.argument_types import refuse_wrong_types
from .._upstream.getting_started import PAUSE_IMAGE
from .._upstream.vocabulary import node_pool_label
from ..errors import SettingsError
from ..node_pool import NodePool
from .applied_object import AppliedObject, HasAppliedObject, name_of
from .applied_objects import AppliedObjects

DEFAULT_REQUEST: Mapping[str, int | str] = {"cpu": "100m", "memory": "128Mi"}


class AddsManifests:
    """What adds Kubernetes objects to a cluster, after Karpenter's chart."""

    _applied: AppliedObjects

    def add_manifest(self, id: str, manifest: Mapping[str, Any]) -> Construct:  # noqa: A002
        """Apply any one Kubernetes object, after the chart.

        Args:
            id: The construct id.
            manifest: The object.

        Raises:
            SettingsError: The id is taken; the object lacks a name, has one that Kubernetes refuses, or is there
                already; or it cannot be written as JSON.
        """
        refuse_wrong_types({"id": id, "manifest": manifest})
        return self._applied.manifest(id, manifest)

    def add_limit_range(
        self,
        namespace: str,
        *,
        default_request: Mapping[str, int | str] | None = DEFAULT_REQUEST,
        default: Mapping[str, int | str] | None = None,
        name: str = "default-requests",
    ) -> AppliedObject:
        """Give the containers of a namespace requests that name none: without, Karpenter packs too many on a node.

        Args:
            namespace: The namespace, which must be there.
            default_request: What a container requests, by resource. Default: ``{"cpu": "100m", "memory": "128Mi"}``.
            default: What a container may use at most, by resource. Default: no limit.
            name: The name of the LimitRange. Default: ``default-requests``.

        Raises:
            SettingsError: Something that the API server would refuse; every mistake, a line each.
        """
        # Few apps use it.
        from .workloads import LimitRange  # noqa: PLC0415

        limits = LimitRange(name=name, namespace=namespace, default_request=default_request, default=default)
        problems = limits.problems()
        if problems:
            raise SettingsError(*problems)
        return self._add("LimitRange", limits.metadata, limits.manifest())

    def add_test_workload(
        self,
        name: str = "inflate",
        *,
        namespace: str = "default",
        replicas: int = 0,
        cpu: int | str = "1",
        memory: int | str = "2Gi",
        pods_per_node: int = 10,
        node_pool: AppliedObject | HasAppliedObject | str | None = None,
        image: str = PAUSE_IMAGE,
    ) -> AppliedObject:
        """Add pods that do nothing, to see Karpenter launch Linux nodes for them.

        ``kubectl scale deployment inflate --replicas 50`` starts them. They run on nodes of Karpenter's only, and keep
        to the Pod Security Standard "restricted".

        Args:
            name: The name of the Deployment. Default: ``inflate``.
            namespace: Its namespace, which must be there. Default: ``default``.
            replicas: The number of pods. Default: 0, to be scaled by hand.
            cpu: What each requests. Default: ``"1"``.
            memory: What each requests. Default: ``"2Gi"``.
            pods_per_node: How many more of the pods one node may have than another. Default: 10.
            node_pool: The pool to test, as a handle or a name; the taints of one that was added here are tolerated.
                Default: any that needs no toleration.
            image: The image. Default: pause for amd64 and arm64, of public.ecr.aws.

        Raises:
            SettingsError: Something that the API server would refuse; every mistake, a line each.
        """
        # Few apps use it.
        from .workloads import TestWorkload  # noqa: PLC0415

        path = f"{TestWorkload.root_path({'name': name})}.node_pool"
        pool_name = name_of(node_pool, NodePool, self._applied.handles, path)
        pool = self._applied.objects.node_pools.get(str(pool_name))
        workload = TestWorkload(
            name=name,
            namespace=namespace,
            replicas=replicas,
            cpu=cpu,
            memory=memory,
            pods_per_node=pods_per_node,
            node_pool=cast("str | None", pool_name),
            image=image,
            tolerated=() if pool is None else pool.taints,
        )
        problems = workload.problems()
        if problems:
            raise SettingsError(*problems)
        manifest = workload.manifest(node_pool_label(self._applied.objects.version))
        applied = self._add("Deployment", workload.metadata, manifest)
        handle = self._applied.handles.get((NodePool.collection, str(pool_name)))
        # The stack of a team's pool waits for this one.
        if handle is not None and self._applied.stacks.circle(self._applied.scope, handle.resource) is None:
            applied.node.add_dependency(handle.resource)
        return applied

    def _add(self, kind: str, metadata: Mapping[str, str], manifest: Mapping[str, Any]) -> AppliedObject:
        resource = self._applied.manifest(f"{kind}-{metadata['namespace']}-{metadata['name']}", manifest)
        return AppliedObject(metadata["name"], kind, resource)
