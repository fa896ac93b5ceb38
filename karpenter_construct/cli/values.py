"""``values``: the values of the Helm charts."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator

from .._upstream.chart import (
    CHART_REPOSITORY,
    CRD_CHART_REPOSITORY,
    ChartInputs,
    chart_values,
    chart_version,
    crd_chart_values,
)
from .._upstream.compatibility import POD_IDENTITY, check_supported, default_namespace
from ..errors import SettingsError
from ..releases import KarpenterVersion, until
from .answer import Answer, Refusal, lines
from .yaml_text import yaml_document

_INSTANCE_PROFILE = until("0.33")


def run(arguments: Namespace) -> Answer:
    """Write the values."""
    version, cautions = check_supported(arguments.release)
    namespace = arguments.namespace or default_namespace(version)
    if arguments.instance_profile is not None and version not in _INSTANCE_PROFILE:
        lacks = _INSTANCE_PROFILE.requirement(version)
        raise Refusal(f"argument --instance-profile: {lacks}; name it in the node classes")
    try:
        values = chart_values(version, _inputs(arguments))
    except SettingsError as error:
        raise Refusal(str(error)) from None
    repository = CHART_REPOSITORY
    if arguments.crd_chart:
        values = crd_chart_values(version, namespace=namespace, chart_values=values)
        repository = CRD_CHART_REPOSITORY
    warnings = lines(*(f"warning: {caution.message}" for caution in cautions), *_notes(arguments, version))
    if arguments.json:
        return Answer(0, json.dumps(values, indent=2) + "\n", warnings)
    return Answer(0, _header(repository, version, namespace) + yaml_document(values), warnings)


def _notes(arguments: Namespace, version: KarpenterVersion) -> Iterator[str]:
    if not arguments.crd_chart and arguments.controller_role_arn is None and version not in POD_IDENTITY:
        yield (
            f"note: {version} gets its role by an annotation of the service account alone; name the role with "
            "--controller-role-arn"
        )


def _inputs(arguments: Namespace) -> ChartInputs:
    role = arguments.controller_role_arn
    return ChartInputs(
        cluster_name=arguments.cluster_name,
        region=arguments.region,
        service_account_name="karpenter",
        service_account_annotations={} if role is None else {"eks.amazonaws.com/role-arn": role},
        cluster_endpoint=arguments.cluster_endpoint,
        interruption_queue=arguments.interruption_queue,
        default_instance_profile=arguments.instance_profile,
        isolated_vpc=arguments.isolated_vpc,
        replicas=arguments.replicas,
    )


def _header(repository: str, version: KarpenterVersion, namespace: str) -> str:
    return f"# {repository} --version {chart_version(version)} --namespace {namespace}\n"
