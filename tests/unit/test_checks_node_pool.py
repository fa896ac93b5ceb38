"""Node pools beyond their requirements: names, taints, disruption, static pools, the kubelet."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_node_pool
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import Gt, In, Lt, NotIn

TOKEN = "${Token[Anything.7]}"  # noqa: S105 - a placeholder of CDK


def lines(*, version: str = "1.14.1", node_class: EC2NodeClass | None = None, **fields) -> list[str]:
    """What the checks say about a pool ``p``."""
    pool = NodePool(**{"name": "p", **fields})
    problems = check_node_pool(pool, KarpenterVersion.parse(version), path="p", node_class=node_class)
    return [str(problem) for problem in problems]


def budget_lines(**budget) -> list[str]:
    return lines(disruption={"consolidate_after": "0s", "budgets": [budget]})


def test_a_pool_that_says_nothing_passes():
    assert lines() == []


def test_fails_on_a_name_that_is_no_label_value():
    assert lines(name="x" * 63) == []
    assert lines(name="x" * 64) == [
        "`p.name`: must be at most 63 characters, as it becomes the value of a label on every node, got "
        f"'{'x' * 64}'; shorten it"
    ]


@pytest.mark.parametrize("name", ["gpu.large", "123", "1a"])
def test_fails_before_1_0_on_a_name_that_the_webhooks_refuse(name):
    assert lines(name=name, version="1.0.0") == []
    assert lines(name=name, version="0.37.8") == [
        f"`p.name`: must be a DNS-1035 label before Karpenter 1.0.0, got {name!r}; use at most 63 lower case "
        f"letters, "
        "digits and '-', with a letter first"
    ]


@pytest.mark.parametrize("version", ["0.30.0", "1.14.1"])
@pytest.mark.parametrize("name", ["default", "a-1", "dummy-value-for-/pools/name"])
def test_a_plain_name_passes_in_every_release(name, version):
    assert lines(name=name, version=version) == []


def test_fails_on_taints_with_the_same_key_and_effect():
    assert lines(
        taints=[
            {"key": "a", "effect": "NoSchedule"},
            {"key": "a", "effect": "NoExecute"},
            {"key": "a", "value": "b", "effect": "NoSchedule"},
        ],
        startup_taints=[{"key": "a", "effect": "NoExecute"}],
    ) == [
        "`p.taints[2]`: has the key and the effect of `taints[0]`, got Taint(key='a', value='b', "
        "effect='NoSchedule'); keep one",
        "`p.startup_taints[0]`: has the key and the effect of `taints[1]`, got Taint(key='a', "
        "effect='NoExecute'); keep one",
    ]


@pytest.mark.parametrize("budget", [{"schedule": "@daily"}, {"duration": "8h"}])
def test_fails_on_half_a_schedule(budget):
    assert budget_lines(**budget) == [
        "`p.disruption.budgets[0]`: 'schedule' must be set with 'duration'; give both, or neither"
    ]


@pytest.mark.parametrize(
    "schedule",
    [
        "60 9 * * *",
        "0 24 * * *",
        "0 0 0 * *",
        "0 0 * 13 *",
        "0 0 * * 7",
        "0 17-9 * * *",
        "*/0 * * * *",
        "0 0 * foo *",
    ],
)
def test_fails_on_a_schedule_that_no_time_meets(schedule):
    assert budget_lines(schedule=schedule, duration="8h") == [
        f"`p.disruption.budgets[0].schedule`: is no cron schedule that Karpenter can read, got {schedule!r}; "
        f"write "
        "minute, hour, day, month and weekday in UTC, as in '0 9 * * mon-fri'"
    ]


@pytest.mark.parametrize(
    "schedule",
    ["0 9 * * mon-fri", "*/15 0-23 1,15 JAN-DEC 0-6", "@daily", "? * * * ?", "0  9\t* * 1", "0 9 */2 * *"],
)
def test_schedules_that_some_time_meets_pass(schedule):
    assert budget_lines(schedule=schedule, duration="8h") == []


def test_fails_on_a_reason_given_twice():
    assert budget_lines(reasons=["Empty", "Drifted", "Empty"]) == [
        "`p.disruption.budgets[0].reasons`: names a reason twice, got ('Empty', 'Drifted', 'Empty'); name "
        "each once"
    ]
    assert budget_lines(reasons=["Empty", "Drifted"]) == []


def test_fails_on_what_a_static_pool_cannot_have():
    assert lines(replicas=3, weight=5, limits={"cpu": 1, "nodes": 4}) == [
        "`p.limits`: only 'limits.nodes' is supported on static NodePools, got {'cpu': 1, 'nodes': 4}; leave "
        "the others out, or leave replicas out",
        "`p.weight`: 'weight' is not supported on static NodePools, got 5; leave it out, or leave replicas "
        "out",
    ]


@pytest.mark.parametrize("limits", [{}, {"limits": {"nodes": 4}}, {"limits": None}, {"limits": {}}])
def test_a_static_pool_passes(limits):
    assert lines(replicas=3, **limits) == []


def test_a_static_pool_has_no_limit_by_default():
    assert NodePool(name="p", replicas=3).limits is None
    assert NodePool(name="p").limits == {"cpu": 1000}


SIGNALS = (
    "['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available',"
    "'imagefs.inodesFree','pid.available']"
)
KUBELET_MOVED = (
    "`p.kubelet`: belongs to the node class from Karpenter 1.0.0, where all pools of a class share it; give "
    "it to the EC2NodeClass, and pools that differ a class each"
)


def test_kubelet_settings_of_a_pool_pass_before_1_0():
    assert lines(kubelet={"max_pods": 20}, version="0.37.8") == []


@pytest.mark.parametrize(
    "node_class",
    [
        None,
        EC2NodeClass(name="default"),
        EC2NodeClass(name="default", kubelet={"max_pods": 30}),
    ],
)
def test_fails_on_kubelet_settings_of_a_pool_that_its_class_has_not_from_1_0(node_class):
    assert lines(kubelet={"max_pods": 20}, version="1.0.0", node_class=node_class) == [KUBELET_MOVED]


def test_kubelet_settings_equal_to_those_of_the_class_pass():
    node_class = EC2NodeClass(name="default", kubelet={"max_pods": 20})
    assert lines(kubelet={"max_pods": 20}, version="1.0.0", node_class=node_class) == []


@pytest.mark.parametrize(
    ("kubelet", "line"),
    [
        (
            {"kube_reserved": {"tasks": "1"}},
            "`p.kubelet.kube_reserved`: valid keys for kubeReserved are "
            "['cpu','memory','ephemeral-storage','pid'], got 'tasks'; use one of them",
        ),
        (
            {"system_reserved": {"cpu": "-100m"}},
            "`p.kubelet.system_reserved['cpu']`: systemReserved value cannot be a negative resource "
            "quantity, got '-100m'; drop the sign",
        ),
        (
            {"eviction_hard": {"memory.availble": "5%"}},
            f"`p.kubelet.eviction_hard`: valid keys for evictionHard are {SIGNALS}, got 'memory.availble'; "
            "did you mean 'memory.available'?",
        ),
        (
            {"eviction_soft": {"memory.available": "5%"}},
            "`p.kubelet.eviction_soft['memory.available']`: evictionSoft OwnerKey does not have a matching "
            "evictionSoftGracePeriod; give both",
        ),
        (
            {"eviction_soft_grace_period": {"memory.available": "1m"}},
            "`p.kubelet.eviction_soft_grace_period['memory.available']`: evictionSoftGracePeriod OwnerKey "
            "does not have a matching evictionSoft; give both",
        ),
        (
            {"image_gc_high_threshold_percent": 50, "image_gc_low_threshold_percent": 50},
            "`p.kubelet.image_gc_high_threshold_percent`: imageGCHighThresholdPercent must be greater than "
            "imageGCLowThresholdPercent, got 50; raise it, or lower image_gc_low_threshold_percent",
        ),
        (
            {"image_gc_high_threshold_percent": 80},
            "`p.kubelet.image_gc_high_threshold_percent`: must be greater than image_gc_low_threshold_percent, which "
            "is 80, got 80; raise it, or give the other too",
        ),
        (
            {"image_gc_low_threshold_percent": 85},
            "`p.kubelet.image_gc_low_threshold_percent`: must be less than image_gc_high_threshold_percent, which is "
            "85, got 85; lower it, or give the other too",
        ),
        (
            {"cluster_dns": ["10.0.0.10", "dns.internal"]},
            "`p.kubelet.cluster_dns[1]`: must be an IP address, got 'dns.internal'; write one as in '10.100.0.10'",
        ),
    ],
)
def test_fails_on_kubelet_settings_that_do_not_fit(kubelet, line):
    assert lines(kubelet=kubelet, version="0.37.8") == [line]


@pytest.mark.parametrize(
    "kubelet",
    [
        {"kube_reserved": {"cpu": "100m", "memory": 5, "ephemeral-storage": "1Gi", "pid": "100"}},
        {
            "eviction_soft": {"memory.available": "5%"},
            "eviction_soft_grace_period": {"memory.available": "1m"},
        },
        {"eviction_hard": {"nodefs.inodesFree": "100Mi", "pid.available": "99.5%"}},
        {"image_gc_high_threshold_percent": 51, "image_gc_low_threshold_percent": 50},
        {"image_gc_high_threshold_percent": TOKEN, "image_gc_low_threshold_percent": 50},
        {"image_gc_high_threshold_percent": 81},
        {"image_gc_high_threshold_percent": TOKEN},
        {"image_gc_low_threshold_percent": 84},
        {"cluster_dns": ["fd00::10", TOKEN]},
        {"cluster_dns": ["#{Token[Addresses.8]}"]},
        {"cluster_dns": ["10.0.0.10"], "cpu_cfs_quota": False, "pods_per_core": 0},
    ],
)
def test_kubelet_settings_that_fit_pass(kubelet):
    assert lines(kubelet=kubelet, version="0.37.8") == []


def test_thresholds_may_be_equal_before_0_32():
    kubelet = {"image_gc_high_threshold_percent": 50, "image_gc_low_threshold_percent": 50}
    assert lines(kubelet=kubelet, version="0.31.5") == []
    assert lines(kubelet={**kubelet, "image_gc_low_threshold_percent": 51}, version="0.31.5") == [
        "`p.kubelet.image_gc_high_threshold_percent`: imageGCHighThresholdPercent must not be less than "
        "imageGCLowThresholdPercent, got 50; raise it, or lower image_gc_low_threshold_percent"
    ]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"cpus": 10}, "['cpus']`: is no resource of a node, so that it limits nothing; did you mean 'cpu'?"),
        (
            {"mem": "1Gi"},
            "['mem']`: is no resource of a node, so that it limits nothing; did you mean 'memory'?",
        ),
        (
            {"gpu": 4},
            "['gpu']`: is no resource of a node, so that it limits nothing; did you mean 'nvidia.com/gpu'?",
        ),
        (
            {"x": 4},
            "['x']`: is no resource of a node, so that it limits nothing; use 'cpu', 'memory' or the name of a "
            "device's resource, as in 'nvidia.com/gpu'",
        ),
        ({"cpu": -1}, "['cpu']`: must not be negative, got -1; write 0 to launch nothing"),
        ({"memory": "-1Gi"}, "['memory']`: must not be negative, got '-1Gi'; write 0 to launch nothing"),
    ],
)
def test_fails_on_a_limit_that_cannot_be_meant(limits, said):
    assert lines(limits=limits) == [f"`p.limits{said}"]


@pytest.mark.parametrize(
    "limits",
    [
        None,
        {"cpu": 0, "memory": "0", "ephemeral-storage": "1Ti", "pods": 5, "nodes": 5},
        {"nvidia.com/gpu": 4, "hugepages-2Mi": "1Gi", TOKEN: TOKEN, "cpu": -1.8881545897087626e289},
    ],
)
def test_limits_that_nodes_count_towards(limits):
    assert lines(limits=limits) == []


def test_says_all_mistakes_at_once():
    assert [
        line.split(":")[0]
        for line in lines(
            version="0.33.12",
            name="9",
            labels={"karpenter.sh/x": "y"},
            taints=[{"key": "a", "effect": "NoExecute"}] * 2,
            termination_grace_period="1h",
            disruption={"consolidate_after": "1m", "budgets": [{}]},
        )
    ] == [
        "`p.termination_grace_period`",
        "`p.disruption.budgets`",
        "`p.name`",
        "`p.labels['karpenter.sh/x']`",
        "`p.taints[1]`",
        "`p.disruption.consolidate_after`",
    ]


def test_contradictions_are_told_beside_other_mistakes():
    requirements = [
        In("team", "a"),
        NotIn("team", "a"),
        Gt("karpenter.k8s.aws/instance-cpu", "many"),
        Lt("karpenter.k8s.aws/instance-cpu", 4),
    ]
    assert lines(requirements=requirements, weight=5, replicas=1) == [
        "`p.weight`: 'weight' is not supported on static NodePools, got 5; leave it out, or leave replicas out",
        "`p.requirements[2].values`: requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive "
        "integer value, got ('many',); give one whole number",
        "`p.requirements`: no value of 'team' satisfies In('team', 'a') and NotIn('team', 'a'); change or drop one",
    ]


def test_what_is_wrong_by_itself_is_told_once():
    assert lines(requirements=[In("kubernetes.io/arch", "arm")], labels={"kubernetes.io/os": "unix"}) == [
        "`p.requirements[0].values[0]`: 'kubernetes.io/arch' has no such value, got 'arm'; did you mean 'arm64'?",
        "`p.labels['kubernetes.io/os']`: 'kubernetes.io/os' has no such value, got 'unix'; use one of 'linux', "
        "'windows'",
    ]


def test_contradictions_are_shown_in_short():
    values = [f"team-{number}" for number in range(1000)]
    (line,) = lines(requirements=[In("team", *values), NotIn("team", *values)])
    assert line == (
        "`p.requirements`: no value of 'team' satisfies In('team', 'team-0', 'team-1', 'team-2', 'team-3..., "
        "'team-996', 'team-997', 'team-998', 'team-999') and NotIn('team', 'team-0', 'team-1', 'team-2', 'tea..., "
        "'team-996', 'team-997', 'team-998', 'team-999'); change or drop one"
    )
