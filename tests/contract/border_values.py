"""Values on both sides of every rule about node objects, and objects that are right but for one of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

Fields = dict[str, Any]

NAMES = ("default", "gpu-large", "gpu.large", "123", "a" * 63, "a" * 64, "A", "a_b", "")
LABELS = (
    *("team", "example.com/team", "a" * 63, "a" * 64, "example.com/", "/a", "a/b/c", "A.b/c", "a b", ""),
    *(
        "karpenter.sh/capacity-type",
        "karpenter.sh/nodepool",
        "karpenter.sh/mine",
        "karpenter.sh/provisioner-name",
    ),
    *("mine.karpenter.sh/x", "my-karpenter.sh/x", "karpenter.sh.example.com/x"),
    *("kubernetes.io/arch", "kubernetes.io/os", "kubernetes.io/hostname", "kubernetes.io/mine"),
    *("mine.kubernetes.io/x", "my-kubernetes.io/x", "kubernetes.io.example.com/x"),
    *("node.kubernetes.io/instance-type", "node.kubernetes.io/windows-build", "node.kubernetes.io/mine"),
    *("a.node.kubernetes.io/x", "node-restriction.kubernetes.io/x", "a.node-restriction.kubernetes.io/x"),
    *("topology.kubernetes.io/zone", "topology.kubernetes.io/region", "topology.kubernetes.io/mine"),
    *(
        "topology.k8s.aws/zone-id",
        "k8s.io/x",
        "mine.k8s.io/x",
        "my-k8s.io/x",
        "kops.k8s.io/x",
        "a.kops.k8s.io/x",
    ),
    *("beta.kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/instance-type"),
    *("failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"),
    *("karpenter.k8s.aws/mine", "mine.karpenter.k8s.aws/x", "my-karpenter.k8s.aws/x"),
    *(
        f"karpenter.k8s.aws/{noun}"
        for noun in (
            *("ec2nodeclass", "instance-category", "instance-family", "instance-generation", "instance-size"),
            *("instance-cpu", "instance-cpu-manufacturer", "instance-cpu-sustained-clock-speed-mhz"),
            *(
                "instance-memory",
                "instance-network-bandwidth",
                "instance-ebs-bandwidth",
                "instance-local-nvme",
            ),
            *("instance-hypervisor", "instance-encryption-in-transit-supported", "instance-pods"),
            *("instance-gpu-name", "instance-gpu-manufacturer", "instance-gpu-count", "instance-gpu-memory"),
            *("instance-accelerator-name", "instance-accelerator-manufacturer", "instance-accelerator-count"),
            *("instance-capability-flex", "instance-tenancy", "instance-ami-id", "nodetemplate-hash"),
            *("capacity-reservation-id", "capacity-reservation-type", "capacity-reservation-interruptible"),
            *("placement-group-id", "placement-group-partition"),
        )
    ),
)
LABEL_VALUES = ("a", "", "A.b_c-d", "a" * 63, "a" * 64, "a b", "a.", "-a", "true", "4", "é", "a\n")
NUMBERS = ("4", "0", "04", "-1", "+4", "4.5", "four", "", "4\n", "٤", str(2**63), "1_000")
QUANTITIES = (
    1,
    0,
    -1,
    2**63,
    "1",
    "100m",
    "16Gi",
    "1e3",
    "1E",
    "1.5",
    ".5",
    "+1",
    "-1",
    "",
    "1 Gi",
    "1ki",
    "many",
    "1\n",
)
TEXTS = ("a", "", "a,b", "*", " ", "é")
DURATIONS = ("720h", "0s", "1h30m15s", "Never", "1d", "", "h", "1.5h", "-1h", "never", "90", "1h\n")
SCHEDULES = (
    *(
        "@daily",
        "@noon",
        "@every 1h",
        "0 9 * * mon-fri",
        "0 9 * * MON-FRI",
        "*/15 0-6,18-23 1 jan *",
        "0 9 * * 7",
    ),
    *("60 9 * * *", "0 24 * * *", "0 9 0 * *", "0 9 32 * *", "0 9 * 13 *", "*/0 * * * *", "0 9 * * fri-mon"),
    *(
        "0 9 * *",
        "0 9 * * * *",
        "TZ=UTC 0 9 * * *",
        "CRON_TZ=UTC 0 9 * * *",
        "0 9 ? * *",
        "0 9 L * *",
        "",
        "5/15 * * * *",
    ),
    *("0 9 * * mon#1", "1-2-3 * * * *", "a * * * *", "0  9  *  *  *", "@daily ", "0 9 * * *\n"),
)
TAGS = (
    *(
        "team",
        "Name",
        "",
        "aws-ids",
        "kubernetes.io/cluster/a",
        "kubernetes.io/cluster",
        "kubernetes.io/clusters",
    ),
    *(
        "karpenter.sh/nodepool",
        "karpenter.sh/nodeclaim",
        "karpenter.sh/provisioner-name",
        "karpenter.sh/managed-by",
    ),
    *("karpenter.sh/other", "karpenter.k8s.aws/ec2nodeclass", "eks:eks-cluster-name"),
)
SIGNALS = ("memory.available", "pid.available", "cpu.available", "")
THRESHOLDS = (
    "5%",
    "0%",
    "100%",
    "100.0%",
    "100.5%",
    "101%",
    "99.99%",
    "5.123%",
    "-5%",
    "100Mi",
    "-1",
    "",
    "%",
    "a",
    "5 %",
)
RESERVABLE = ("cpu", "memory", "ephemeral-storage", "pid", "gpu", "")
ALIASES = (
    *(
        "al2@latest",
        "al2@v1",
        "al2@v20240807",
        "AL2@latest",
        "al2023@latest",
        "al2023@v20260810",
        "bottlerocket@latest",
    ),
    *(
        "bottlerocket@v1.10.0",
        "windows2019@latest",
        "windows2022@latest",
        "windows2022@v1",
        "windows2025@latest",
    ),
    *("ubuntu@latest", "al3@latest", "al2", "al2@", "@latest", "@", "al2@a@b", "al2023@" + "v" * 30),
)
FAMILIES = (
    "AL2",
    "AL2023",
    "Bottlerocket",
    "Ubuntu",
    "Custom",
    "Windows2019",
    "Windows2022",
    "Windows2025",
    "AL1",
)
VOLUME_SIZES = (
    *("1Gi", "20Gi", "59000Gi", "59001Gi", "64000G", "64001G", "1Ti", "18Ti", "58Ti", "59Ti", "64T", "65T"),
    *("0Gi", "20", "20Mi", "20.5Gi", "020Gi", "Ti", ""),
)
ROLES = (
    "nodes",
    "a" * 64,
    "a" * 65,
    "a" * 128,
    "a" * 129,
    "",
    "a/b",
    "arn:aws:iam::123456789012:role/nodes",
    "a b",
)


def node_pools() -> Iterable[Fields]:
    """Arguments of pools that are right but for one border value, beside a name."""
    yield from ({"name": name} for name in NAMES)
    for key in LABELS:
        yield {"labels": {key: "a"}}
        yield {"taints": [{"key": key, "effect": "NoSchedule"}]}
        yield _requirement(key=key, operator="Exists", values=[])
        yield from (_requirement(key=key, operator=operator, values=["4"]) for operator in ("In", "Gt"))
    yield from ({"annotations": {key: "a b"}} for key in ("example.com/a", "a b", ""))
    for value in LABEL_VALUES:
        yield {"labels": {"team": value}}
        yield {"startup_taints": [{"key": "a", "value": value, "effect": "NoExecute"}]}
        yield from (_requirement(operator=operator, values=[value]) for operator in ("In", "NotIn"))
    for value, operator in product(NUMBERS, ("Gt", "Lt", "Gte", "Lte")):
        yield _requirement(key="karpenter.k8s.aws/instance-cpu", operator=operator, values=[value])
    for operator, count in product(
        ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Gte", "Equal", ""), range(3)
    ):
        yield _requirement(operator=operator, values=["1", "2"][:count])
        yield _requirement(operator=operator, values=["1", "2"][:count], min_values=2)
    yield from (_requirement(operator="Exists", min_values=number) for number in (0, 1, 50, 51))
    yield from ({"requirements": [_requirement()["requirements"][0]] * count} for count in (30, 31, 100, 101))
    yield from (
        _requirement(key="karpenter.sh/capacity-type", values=values) for values in (["reserved"], ["cheap"])
    )
    yield {"labels": {f"team-{number}": "a" for number in range(100)}}
    yield {"labels": {f"team-{number}": "a" for number in range(101)}}
    yield from _disruptions()
    yield from _taints()
    yield from ({"kubelet": kubelet} for kubelet in kubelets())
    for quantity in QUANTITIES:
        yield {"limits": {"cpu": quantity}}
    yield from ({"limits": limits} for limits in (None, {}, {"": 1}, {"nodes": 5}, {"example.com/a": "1"}))
    for duration in DURATIONS:
        yield {"expire_after": duration}
        yield {"termination_grace_period": duration}
    yield from ({"weight": weight} for weight in (0, 1, 100, 101, 2**31))
    yield from ({"replicas": replicas} for replicas in (-1, 0, 3, 2**31, 2**63))
    yield from (
        {"replicas": 3, **more} for more in ({"weight": 1}, {"limits": {"cpu": 1}}, {"limits": {"nodes": 1}})
    )


def _requirement(**fields: Any) -> Fields:
    return {"requirements": [{"key": "example.com/team", "operator": "In", "values": ["a"], **fields}]}


def _disruptions() -> Iterable[Fields]:
    policies = ("WhenEmpty", "WhenEmptyOrUnderutilized", "WhenUnderutilized", "Balanced")
    for policy, after in product(policies, (*DURATIONS, "30s", "0m", "00h0s")):
        yield {"disruption": {"consolidation_policy": policy, "consolidate_after": after}}
    for schedule in SCHEDULES:
        yield _budget(schedule=schedule, duration="8h")
    for duration in (*DURATIONS, "8h30m", "30m8h", "8h0s", "8m0s", "8s", "10m", "1h1h"):
        yield _budget(schedule="@daily", duration=duration)
    yield from (_budget(**fields) for fields in ({"schedule": "@daily"}, {"duration": "8h"}))
    for nodes in ("0", "5", "10%", "100%", "101%", "-1", "5.5%", "", "all", "5\n"):
        yield _budget(nodes=nodes)
    for reasons in (["Empty"], [], ["Empty", "Empty"], ["Empty", "Drifted", "Underutilized"], ["Expired"]):
        yield _budget(reasons=reasons)
    yield from ({"disruption": {"consolidate_after": "0s", "budgets": [{}] * count}} for count in (0, 50, 51))


def _budget(**fields: Any) -> Fields:
    return {"disruption": {"consolidate_after": "0s", "budgets": [fields]}}


def _taints() -> Iterable[Fields]:
    taint = {"key": "a", "effect": "NoSchedule"}
    for effect in ("NoSchedule", "PreferNoSchedule", "NoExecute", "", "Never"):
        yield {"taints": [{"key": "a", "effect": effect}]}
    for time in (
        "2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.5+01:00",
        "2026-01-31",
        "2026-02-28T23:59:59-12:00",
        "2026-13-01T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "now",
    ):
        yield {"taints": [{**taint, "time_added": time}]}
    for value in ("b", "example.com/b", "b" * 64, ""):
        yield {"taints": [{**taint, "value": value}]}
    yield {"taints": [taint, taint]}
    yield {"taints": [taint, {**taint, "value": "b"}]}
    yield {"taints": [taint], "startup_taints": [taint]}
    yield {"taints": [taint], "startup_taints": [{"key": "a", "effect": "NoExecute"}]}


def kubelets() -> Iterable[Fields]:
    """Arguments of kubelet settings that are right but for one border value."""
    for field, resource in product(("kube_reserved", "system_reserved"), RESERVABLE):
        yield {field: {resource: "100m"}}
    yield from ({"kube_reserved": {"cpu": quantity}} for quantity in QUANTITIES)
    for signal in SIGNALS:
        yield {"eviction_hard": {signal: "5%"}}
        yield {"eviction_soft": {signal: "5%"}, "eviction_soft_grace_period": {signal: "2m"}}
    for threshold in THRESHOLDS:
        yield {"eviction_hard": {"memory.available": threshold}}
    for field in ("eviction_soft", "eviction_soft_grace_period"):
        yield {field: {"memory.available": "5%" if field == "eviction_soft" else "2m"}}
    for field, number in product(
        ("max_pods", "pods_per_core", "eviction_max_pod_grace_period"), (-1, 0, 1, 2**31)
    ):
        yield {field: number}
    for high, low in product((None, 0, 80, 85, 100, 101), (None, -1, 0, 80, 100)):
        numbers = {"image_gc_high_threshold_percent": high, "image_gc_low_threshold_percent": low}
        yield {name: number for name, number in numbers.items() if number is not None}
    yield from ({"cpu_cfs_quota": value} for value in (True, False, "yes"))
    yield from ({"cluster_dns": value} for value in ([], ["10.0.0.10"], ["10.0.0.10", "fd00::10"], ""))


_FOUND: Fields = {
    "subnet_selector_terms": [{"id": "subnet-1"}],
    "security_group_selector_terms": [{"id": "sg-1"}],
}


def node_classes() -> Iterable[Fields]:
    """Arguments of classes that are right but for one border value, beside a name."""
    complete = {**_FOUND, "instance_profile": "nodes", "ami": "al2@latest"}
    yield from ({**complete, "name": name} for name in NAMES)
    yield from ({**complete, **fields} for fields in _machines())
    identities: list[Fields] = [{"role": role} for role in ROLES] + [
        {"instance_profile": name} for name in ROLES
    ]
    identities += [{}, {"role": "nodes", "instance_profile": "nodes"}]
    yield from ({**_FOUND, "ami": "al2@latest", **identity} for identity in identities)
    yield from ({**_FOUND, "instance_profile": "nodes", **image} for image in _images())
    yield from ({**complete, **found} for found in _selectors())


def _images() -> Iterable[Fields]:
    yield {}
    for alias in ALIASES:
        yield {"ami": alias}
        yield {"ami_selector_terms": [{"alias": alias}]}
        yield {"ami_selector_terms": [{"alias": alias}], "ami_family": "Custom"}
    yield from ({"ami": alias, "ami_family": family} for alias, family in product(ALIASES[::3], FAMILIES))
    yield from ({"ami": "al2@latest", "ami_selector_terms": terms} for terms in ([], [{"id": "ami-1"}]))
    yield {"ami_selector_terms": [{"id": "ami-1"}]}
    for family in FAMILIES:
        yield {"ami_family": family}
        yield from ({"ami_family": family, "ami_selector_terms": terms} for terms in ([], [{"id": "ami-1"}]))
    words = {
        "id": "ami-1",
        "name": "a",
        "tags": {"a": "b"},
        "owner": "self",
        "alias": "al2@latest",
        "ssm_parameter": "/a",
    }
    yield from ({"ami_family": "AL2", "ami_selector_terms": terms} for terms in _terms(words))
    for identifier in ("ami-1", "ami-", "AMI-1", "xami-1", "ami-A", ""):
        yield {"ami_family": "AL2", "ami_selector_terms": [{"id": identifier}]}
    for text in TEXTS:
        yield {"ami_family": "AL2", "ami_selector_terms": [{"name": text}]}
        yield {"ami_family": "AL2", "ami_selector_terms": [{"name": "a", "owner": text}]}
    yield {"ami_family": "AL2", "ami_selector_terms": [{"id": "ami-1"}] * 31}


def _terms(words: Fields) -> Iterable[list[Fields]]:
    """Every list of a term of one or two words, alone and beside one that is right."""
    right = dict([next(iter(words.items()))])
    for first, second in product(words, words):
        term = {first: words[first], second: words[second]}
        yield [term]
        yield [right, term]
        yield [term, term]


def _selectors() -> Iterable[Fields]:
    subnets = {"id": "subnet-1", "tags": {"a": "b"}}
    groups = {"id": "sg-1", "tags": {"a": "b"}, "name": "a"}
    reservations = {
        "id": "cr-1",
        "tags": {"a": "b"},
        "owner_id": "123456789012",
        "instance_match_criteria": "open",
    }
    for field, words in (
        ("subnet_selector_terms", subnets),
        ("security_group_selector_terms", groups),
        ("capacity_reservation_selector_terms", reservations),
    ):
        yield from ({field: terms} for terms in _terms(words))
        yield from ({field: terms} for terms in ([], [{}], [{"id": words["id"]}] * 31))
        yield from ({field: [{"tags": {key: "a"}}]} for key in TAGS)
        yield from ({field: [{"tags": {"team": value}}]} for value in TEXTS)
        yield {field: [{"tags": {f"team-{number}": "a" for number in range(20)}}]}
        yield {field: [{"tags": {f"team-{number}": "a" for number in range(21)}}]}
        yield from ({field: [{"id": words["id"].upper()}]} for _ in range(1))
        yield {field: [{"id": "x" + words["id"]}]}
    yield from ({"security_group_selector_terms": [{"name": text}]} for text in TEXTS)
    for account in ("123456789012", "1", 123456789012):
        yield {"capacity_reservation_selector_terms": [{"tags": {"a": "b"}, "owner_id": account}]}


def _machines() -> Iterable[Fields]:
    yield from ({"tags": {key: "a"}} for key in TAGS)
    yield from ({field: text} for field, text in product(("user_data", "context"), TEXTS))
    yield from ({"kubelet": kubelet} for kubelet in kubelets())
    yield from ({"metadata_options": options} for options in _metadata_options())
    yield from ({"block_device_mappings": mappings} for mappings in _volumes())
    yield from ({"instance_store_policy": policy} for policy in ("RAID0", "RAID1"))
    for flag in ("associate_public_ip_address", "detailed_monitoring"):
        yield from ({flag: value} for value in (True, False, "true"))
    yield from ({"ip_prefix_count": number} for number in (-1, 0, 1, 2**31))
    tracking = {
        "tcp_established_timeout": (59, 60, 432_000, 432_001),
        "udp_stream_timeout": (59, 60, 180, 181),
    }
    for name, numbers in {**tracking, "udp_timeout": (29, 30, 60, 61)}.items():
        yield from ({"connection_tracking": {name: number}} for number in numbers)
    yield from ({"connection_tracking": {}}, {"cpu_options": {}}, {"placement_group_selector": {}})
    yield from ({"cpu_options": {"nested_virtualization": value}} for value in ("enabled", "disabled", "on"))
    for selector in ({"id": "pg-1"}, {"id": "pg-"}, {"name": "a"}, {"name": ""}, {"name": "a", "id": "pg-1"}):
        yield {"placement_group_selector": selector}
    yield from ({"network_interfaces": interfaces} for interfaces in _interfaces())


def _metadata_options() -> Iterable[Fields]:
    yield {}
    for name in ("http_endpoint", "http_protocol_ipv6"):
        yield from ({name: value} for value in ("enabled", "disabled", "on"))
    yield from ({"http_tokens": value} for value in ("required", "optional", "off"))
    yield from ({"http_put_response_hop_limit": number} for number in (0, 1, 2, 64, 65))


def _volumes() -> Iterable[list[Fields]]:
    volume: Fields = {"volume_size": "20Gi"}
    yield from ([{"device_name": "/dev/xvda", "ebs": {"volume_size": size}}] for size in VOLUME_SIZES)
    for name, values in {
        "volume_type": ("gp3", "io2", "standard", "gp4"),
        "iops": (-1, 0, 3000, 2**63),
        "throughput": (125, 2**63),
        "volume_initialization_rate": (99, 100, 300, 301),
        "encrypted": (True, "true"),
        "kms_key_id": TEXTS,
        "snapshot_id": TEXTS,
        "delete_on_termination": (False,),
    }.items():
        yield from ([{"device_name": "/dev/xvda", "ebs": {**volume, name: value}}] for value in values)
    snapshot: Fields = {"snapshot_id": "snap-1"}
    for ebs in (
        None,
        {},
        snapshot,
        {**snapshot, "volume_initialization_rate": 100},
        {"volume_initialization_rate": 100},
    ):
        yield [{"device_name": "/dev/xvda", **({"ebs": ebs} if ebs is not None else {})}]
    yield [{"ebs": volume}]
    for one, other in product((True, False, None), (True, False)):
        roots = [
            {"device_name": "/dev/xvda", "root_volume": one},
            {"device_name": "/dev/xvdb", "root_volume": other},
        ]
        yield [
            {**{key: value for key, value in root.items() if value is not None}, "ebs": volume}
            for root in roots
        ]
    yield [{"device_name": "/dev/xvda", "ebs": volume}] * 2
    yield [{"device_name": f"/dev/xvd{number}", "ebs": volume} for number in range(51)]


def _interfaces() -> Iterable[list[Fields]]:
    def interface(card: int, device: int, kind: str = "interface") -> Fields:
        return {"network_card_index": card, "device_index": device, "interface_type": kind}

    primary = interface(0, 0)
    yield from ([], [primary], [primary, primary], [interface(1, 0)], [interface(0, 0, "efa-only")])
    yield [primary, interface(0, 1, "efa-only"), interface(0, 2, "efa-only")]
    yield [primary, interface(0, 1, "efa-only"), interface(1, 0, "efa-only")]
    yield from ([primary, interface(*place)] for place in ((-1, 0), (0, -1), (2**31, 0)))
    yield from ([primary, interface(1, 1, kind)] for kind in ("interface", "efa-only", "efa"))


def node_overlays() -> Iterable[Fields]:
    """Arguments of overlays that are right but for one border value, beside a name."""
    yield from ({"name": name} for name in NAMES)
    for fields in node_pools():
        if fields.keys() == {"requirements"}:
            yield fields
    for price in ("0.25", "0", "1.", ".5", "-1", "+1", "1e3", "free", "", "1\n"):
        yield {"price": price}
        yield {"price_adjustment": price}
    for adjustment in (
        "-15%",
        "+15%",
        "15%",
        "-99.9%",
        "-100%",
        "-101%",
        "+101%",
        "+.5",
        "+.5%",
        "-1.5",
        "+",
        "+%",
        "-.5%",
    ):
        yield {"price_adjustment": adjustment}
    yield {"price": "1", "price_adjustment": "+1"}
    yield from (
        {"capacity": {resource: 1}}
        for resource in ("example.com/a", "cpu", "memory", "pods", "ephemeral-storage")
    )
    yield from ({"capacity": {"example.com/a": quantity}} for quantity in QUANTITIES)
    yield from ({"weight": weight} for weight in (0, 1, 10_000, 10_001))


def capacity_buffers() -> Iterable[Fields]:
    """Arguments of buffers that are right but for one border value, beside a name."""
    template: Fields = {"pod_template_ref": {"name": "a"}}
    scalable: Fields = {"scalable_ref": {"kind": "Deployment", "name": "a"}}
    for name in NAMES:
        yield {**template, "replicas": 1, "name": name}
        yield {**template, "replicas": 1, "namespace": name}
    yield from ({}, template, scalable, {**template, **scalable, "replicas": 1})
    for more in ({"replicas": 1}, {"limits": {"cpu": 1}}, {"limits": {}}, {"percentage": 20}):
        yield {**template, **more}
        yield {**scalable, **more}
    yield from ({**template, "replicas": number} for number in (-1, 0, 2**31))
    yield from ({**scalable, "percentage": number} for number in (-1, 0, 100, 2**31))
    yield from ({**template, "limits": {"cpu": quantity}} for quantity in QUANTITIES)
    yield {"pod_template_ref": {"name": ""}, "replicas": 1}
    yield {"scalable_ref": {"kind": "", "name": "a"}}
