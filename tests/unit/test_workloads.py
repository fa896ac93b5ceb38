"""What goes around the pools, as manifests."""

from __future__ import annotations

from fractions import Fraction

import pytest

from karpenter_construct._applying.workloads import LimitRange, TestWorkload, amount
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_pool import Taint


def problems(**fields) -> list[str]:
    return [str(problem) for problem in LimitRange(name="l", **{"namespace": "team", **fields}).problems()]


def test_a_limit_range_has_what_was_given_and_no_more():
    limits = LimitRange(name="l", namespace="team", default_request={"cpu": "100m"})
    assert limits.problems() == []
    assert limits.manifest() == {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {"name": "l", "namespace": "team"},
        "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]},
    }


def test_a_limit_range_has_requests_and_limits():
    limits = LimitRange(
        name="l", namespace="team", default_request={"cpu": 1}, default={"cpu": 1, "memory": "1Gi"}
    )
    assert limits.problems() == []
    assert limits.manifest()["spec"] == {
        "limits": [
            {"type": "Container", "defaultRequest": {"cpu": 1}, "default": {"cpu": 1, "memory": "1Gi"}}
        ]
    }


@pytest.mark.parametrize("empty", [None, {}])
def test_fails_on_a_limit_range_that_says_nothing(empty):
    assert problems(default_request=empty, default=empty) == [
        "`limit_ranges['l']`: says nothing; give default_request, as in {'cpu': '100m'}"
    ]


def test_fails_on_a_request_above_the_limit():
    assert problems(
        default_request={"cpu": "1001m", "memory": "1Gi"}, default={"cpu": 1, "memory": "1024Mi"}
    ) == [
        "`limit_ranges['l'].default_request['cpu']`: must not be more than the default limit 1, got '1001m'; raise "
        "default"
    ]


def test_a_placeholder_is_not_compared():
    assert problems(default_request={"cpu": "${Token[cpu.1]}"}, default={"cpu": 1}) == []


def test_fails_on_a_namespace_that_kubernetes_does_not_take():
    assert problems(namespace="team.a", default={"cpu": 1}) == [
        "`limit_ranges['l'].namespace`: is no name that Kubernetes accepts, got 'team.a'; use at most 63 characters, "
        "only lower-case letters, digits and '-', a letter or digit first and last"
    ]


def test_fails_on_what_is_no_quantity():
    with pytest.raises(SettingsError) as raised:
        LimitRange(name="l", namespace="team", default={"cpu": "much"}, default_request={"memory": 0.5})
    assert str(raised.value) == (
        "`limit_ranges['l'].default_request['memory']`: must be a Kubernetes quantity, got 0.5; write '0.5'\n"
        "`limit_ranges['l'].default['cpu']`: must be a Kubernetes quantity, got 'much'; write one as in 200, '500m' or "
        "'16Gi'"
    )


@pytest.mark.parametrize(
    ("quantity", "number"),
    [
        (2, 2),
        ("100m", Fraction(1, 10)),
        ("1.5", Fraction(3, 2)),
        (".5", Fraction(1, 2)),
        ("2k", 2000),
        ("1e3", 1000),
        ("1E", 10**18),
        ("1E3", 1000),
        ("1Ei", 2**60),
        ("128Mi", 128 * 2**20),
        ("1M", 10**6),
        ("5n", Fraction(5, 10**9)),
        ("-1Ki", -1024),
    ],
)
def test_amount(quantity, number):
    assert amount(quantity) == number


def workload(**fields) -> dict:
    return TestWorkload(name="inflate", namespace="default", **fields).manifest("karpenter.sh/nodepool")


def test_a_workload_keeps_to_karpenters_nodes_and_to_the_restricted_standard():
    assert workload() == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "inflate", "namespace": "default"},
        "spec": {
            "replicas": 0,
            "selector": {"matchLabels": {"app.kubernetes.io/name": "inflate"}},
            "template": {
                "metadata": {"labels": {"app.kubernetes.io/name": "inflate"}},
                "spec": {
                    "affinity": {
                        "nodeAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": {
                                "nodeSelectorTerms": [
                                    {
                                        "matchExpressions": [
                                            {"key": "karpenter.sh/nodepool", "operator": "Exists"},
                                            {
                                                "key": "kubernetes.io/os",
                                                "operator": "In",
                                                "values": ["linux"],
                                            },
                                        ]
                                    }
                                ]
                            }
                        }
                    },
                    "topologySpreadConstraints": [
                        {
                            "maxSkew": 10,
                            "topologyKey": "kubernetes.io/hostname",
                            "whenUnsatisfiable": "DoNotSchedule",
                            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "inflate"}},
                        }
                    ],
                    "terminationGracePeriodSeconds": 0,
                    "automountServiceAccountToken": False,
                    "securityContext": {
                        "runAsNonRoot": True,
                        "runAsUser": 65535,
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                    "containers": [
                        {
                            "name": "pause",
                            "image": "public.ecr.aws/eks-distro/kubernetes/pause:3.7",
                            "resources": {"requests": {"cpu": "1", "memory": "2Gi"}},
                            "securityContext": {
                                "allowPrivilegeEscalation": False,
                                "readOnlyRootFilesystem": True,
                                "capabilities": {"drop": ["ALL"]},
                            },
                        }
                    ],
                },
            },
        },
    }


def test_a_workload_is_of_the_size_that_is_asked_for():
    found = workload(replicas=50, cpu="500m", memory=1024, pods_per_node=1, image="registry.example/pause:1")[
        "spec"
    ]
    pod = found["template"]["spec"]
    assert found["replicas"] == 50
    assert pod["containers"][0]["resources"] == {"requests": {"cpu": "500m", "memory": 1024}}
    assert pod["containers"][0]["image"] == "registry.example/pause:1"
    assert pod["topologySpreadConstraints"][0]["maxSkew"] == 1


def test_a_workload_for_one_pool_tolerates_its_taints():
    taints = [Taint(key="gpu", effect="NoSchedule"), Taint(key="team", value="a", effect="NoExecute")]
    pod = workload(node_pool="gpu", tolerated=taints)["spec"]["template"]["spec"]
    terms = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert terms[0]["matchExpressions"][0] == {
        "key": "karpenter.sh/nodepool",
        "operator": "In",
        "values": ["gpu"],
    }
    assert pod["tolerations"] == [
        {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "team", "operator": "Equal", "value": "a", "effect": "NoExecute"},
    ]


def test_fails_on_a_workload_that_is_less_than_nothing():
    with pytest.raises(SettingsError) as raised:
        workload(replicas=-1, pods_per_node=0, image="")
    assert str(raised.value) == (
        "`test_workloads['inflate'].replicas`: must be between 0 and 2147483647, got -1\n"
        "`test_workloads['inflate'].pods_per_node`: must be between 1 and 2147483647, got 0\n"
        "`test_workloads['inflate'].image`: must not be empty, got ''"
    )
