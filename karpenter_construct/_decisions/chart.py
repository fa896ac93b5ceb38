"""What the chart is told, and what the user may tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from .._tokens import is_unresolved
from .._upstream.chart import (
    ChartInputs,
    chart_values,
    placement_cautions,
    plain_values,
    unknown_value_cautions,
)
from .._upstream.chart_names import controller_pod_labels
from .._upstream.value_paths import get
from ..controller_capacity import ControllerCapacity, FargateCapacity, NodegroupCapacity
from ..errors import Caution, Problem, SettingsError
from ..releases import KarpenterVersion
from .cluster_facts import ClusterFacts
from .given_facts import GivenFacts
from .given_values import IMAGE_KEY, REPLICAS_KEY
from .identity import IdentityType
from .settings import KarpenterSettings


class ChartReferences(NamedTuple):
    """What the chart is told about resources that are made for it; tokens, once they are.

    Attributes:
        cluster_name: The cluster.
        cluster_endpoint: The address of the API server, ``None`` where it is unknown.
        region: The region of the cluster.
        controller_role_arn: The controller's role.
        interruption_queue_name: The queue's name; ``None`` where there is none.
        instance_profile_name: The nodes' instance profile; ``None`` where there is none.
        nodegroup_names: Node groups made for the controller.
    """

    cluster_name: str
    cluster_endpoint: str | None
    region: str
    controller_role_arn: str
    interruption_queue_name: str | None
    instance_profile_name: str | None
    nodegroup_names: tuple[str, ...] = ()


def chart_inputs(settings: KarpenterSettings, references: ChartReferences) -> ChartInputs:
    """What the chart is told."""
    capacity = settings.controller_capacity
    irsa = settings.identity_type is IdentityType.IRSA
    return ChartInputs(
        cluster_name=references.cluster_name,
        region=references.region,
        service_account_name=settings.service_account_name,
        service_account_annotations=(
            {"eks.amazonaws.com/role-arn": references.controller_role_arn} if irsa else {}
        ),
        cluster_endpoint=references.cluster_endpoint,
        interruption_queue=references.interruption_queue_name,
        default_instance_profile=references.instance_profile_name,
        isolated_vpc=settings.isolated_vpc,
        replicas=settings.replicas,
        node_affinity_expressions=capacity.node_affinity_expressions(*references.nodegroup_names),
        tolerations=capacity.tolerations,
        topology_spread=settings.topology_spread,
        feature_gates=settings.feature_gates,
        # The user's own goes without what ours does about the digest.
        image_repository=None if get(settings.helm_values, IMAGE_KEY) else settings.image_repository,
        # On Fargate the cluster's own DNS may not run yet, and may wait for nodes of Karpenter's.
        dns_policy="Default" if capacity.on_fargate else None,
    )


def helm_value_problems(settings: KarpenterSettings, facts: ClusterFacts, given: GivenFacts) -> list[Problem]:
    """What the user's chart values contradict, seen before anything is built.

    What the user brings is known by now; nothing that he writes can be what has yet to be made.
    """
    queue = given.interruption_queue.name if given.interruption_queue else "<the interruption queue>"
    made_profile = "<the instance profile>" if settings.needs_instance_profile else None
    references = ChartReferences(
        cluster_name=facts.literal_name or ("<the name of the cluster>" if facts.owned else facts.name),
        cluster_endpoint="<the address of the API server>" if facts.has_endpoint else None,
        region=facts.region,
        controller_role_arn=given.controller_role.arn if given.controller_role else "<the controller role>",
        interruption_queue_name=queue if settings.interruption_handling else None,
        instance_profile_name=given.node_instance_profile or made_profile,
        nodegroup_names=(
            ("<the node group>",) if isinstance(settings.controller_capacity, NodegroupCapacity) else ()
        ),
    )
    problems = _profile_problems(settings)
    try:
        chart_values(settings.version, chart_inputs(settings, references), user_values(settings))
    except SettingsError as error:
        return [*error.problems, *problems]
    return problems


def helm_value_cautions(
    version: KarpenterVersion, values: Mapping[str, object], capacity: ControllerCapacity
) -> list[Caution]:
    """What about the user's chart values probably should not stay so."""
    plain, _ = plain_values(values)
    return [
        *unknown_value_cautions(version, values),
        *placement_cautions(version, plain, labels=capacity.labels),
    ]


def user_values(settings: KarpenterSettings) -> Mapping[str, object]:
    """The user's chart values, with what was decided from them."""
    values = settings.helm_values
    decided = isinstance(values, Mapping) and REPLICAS_KEY in values
    return {**values, REPLICAS_KEY: settings.replicas} if decided else values


def _profile_problems(settings: KarpenterSettings) -> list[Problem]:
    """Names that a Fargate profile does not know: it takes the controller's pods by a label."""
    values = settings.helm_values
    name = get(values, "nameOverride")
    if not isinstance(settings.controller_capacity, FargateCapacity) or is_unresolved(name):
        return []
    if name is None or controller_pod_labels("karpenter", values) == controller_pod_labels("karpenter", {}):
        return []
    return [
        Problem(
            "helm_values.nameOverride",
            f"renames the label by which the Fargate profile takes the controller's pods, got {name!r}; leave it out, "
            "or use fullnameOverride",
        )
    ]


def repository_problems(settings: KarpenterSettings) -> list[Problem]:
    """What is wrong with the places of charts and image.

    CDK's Helm handler takes an OCI chart from the folder named as the last part of its address.
    """
    problems = [
        Problem(
            path,
            f"is no OCI repository of the chart {chart}, got {repository!r}; write 'oci://<registry>/…/{chart}'",
        )
        for path, chart, repository in (
            ("chart_repository", "karpenter", settings.chart_repository),
            ("crd_chart_repository", "karpenter-crd", settings.crd_chart_repository),
        )
        if not _is_repository_of(chart, repository)
    ]
    image = settings.image_repository
    if image is not None and not is_unresolved(image) and not re.fullmatch(_IMAGE_REPOSITORY, image):
        given = get(settings.helm_values, IMAGE_KEY)
        problems.append(
            Problem(
                f"helm_values.{IMAGE_KEY}" if given else "image_repository",
                f"is no repository of an image, got {image!r}; write '<registry>/…/controller', without scheme and tag",
            )
        )
    return problems


# A host, perhaps with a port, and a path.
_IMAGE_REPOSITORY = r"[\w.-]+(:\d+)?(/[\w.-]+)*"


def _is_repository_of(chart: str, repository: str) -> bool:
    # The last part of an address that is a token altogether is the deployment's business.
    starts_well = repository.startswith("oci://") or is_unresolved(repository.partition("/")[0])
    last = repository.rpartition("/")[2]
    return starts_well and (last == chart or is_unresolved(last))
