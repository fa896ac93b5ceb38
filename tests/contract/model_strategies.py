"""Hypothesis strategies for the arguments of node models, with values on both sides of every rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from karpenter_construct._model import Model, field_window
from karpenter_construct.block_devices import BlockDevice, BlockDeviceMapping
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import Budget, Disruption, NodePool
from karpenter_construct.releases import KarpenterVersion, until
from karpenter_construct.requirements import Requirement
from karpenter_construct.selector_terms import AMISelectorTerm, CapacityReservationSelectorTerm

Fields = st.SearchStrategy[dict[str, Any]]


def _fields(
    model: type[Model],
    version: KarpenterVersion,
    required: dict[str, st.SearchStrategy[Any]],
    optional: dict[str, st.SearchStrategy[Any]],
) -> Fields:
    """Arguments for a model: those that are required, and some of the others that the release knows."""
    known = {
        name: values for name, values in optional.items() if version in field_window(model.model_fields[name])
    }
    return st.fixed_dictionaries(required, optional=known)


_SELDOM = 30
"""One value in so many is one of the seldom ones: an object has about as many values."""


def _mostly(*values: Any, seldom: tuple[Any, ...] = ()) -> st.SearchStrategy[Any]:
    """Values that are right by themselves, and now and then one that is not, or only in some releases."""
    repeats = 1 + (_SELDOM - 1) * len(seldom) // len(values)
    return st.sampled_from([*values * repeats, *seldom])


def _usually(usual: st.SearchStrategy[Any], seldom: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(1, _SELDOM).flatmap(lambda number: seldom if number == _SELDOM else usual)


NAMES = _mostly("default", "gpu-large", "a", seldom=("gpu.large", "123", "a" * 63, "a" * 64, "A", "a_b"))
LABELS = _mostly(
    *("team", "example.com/team", "karpenter.sh/capacity-type", "kubernetes.io/arch", "kubernetes.io/os"),
    *("topology.kubernetes.io/zone", "node.kubernetes.io/instance-type", "karpenter.k8s.aws/instance-cpu"),
    *("karpenter.k8s.aws/instance-category", "karpenter.k8s.aws/instance-family"),
    seldom=(
        *("karpenter.k8s.aws/instance-ebs-bandwidth", "karpenter.k8s.aws/instance-cpu-manufacturer"),
        *("karpenter.k8s.aws/instance-capability-flex", "karpenter.k8s.aws/instance-tenancy"),
        *("karpenter.k8s.aws/instance-pods", "karpenter.k8s.aws/mine", "karpenter.k8s.aws/ec2nodeclass"),
        *("karpenter.k8s.aws/capacity-reservation-id", "karpenter.k8s.aws/placement-group-id"),
        *("karpenter.sh/nodepool", "karpenter.sh/mine", "mine.karpenter.sh/x", "my-karpenter.sh/x"),
        *("kubernetes.io/hostname", "kubernetes.io/mine", "mine.kubernetes.io/x", "my-kubernetes.io/x"),
        *("node.kubernetes.io/mine", "node-restriction.kubernetes.io/x", "a.node.kubernetes.io/x"),
        *("k8s.io/x", "mine.k8s.io/x", "my-k8s.io/x", "kops.k8s.io/x", "a.kops.k8s.io/x"),
        *("topology.k8s.aws/zone-id", "beta.kubernetes.io/arch", "failure-domain.beta.kubernetes.io/zone"),
        *("topology.kubernetes.io/region", "node.kubernetes.io/windows-build", "topology.kubernetes.io/mine"),
        *("a" * 63, "a" * 64, "example.com/", "/a", "a/b/c", "A.b/c"),
    ),
)
VALUES = _mostly(
    *("spot", "on-demand", "amd64", "linux", "c", "m", "m5", "4", "8", "eu-west-1a", "a"),
    seldom=("", "reserved", "0", "-1", "4.5", "+4", "a" * 63, "a" * 64, "a b", "windows", "a."),
)
QUANTITIES = _mostly(1, "100m", "16Gi", seldom=(0, -1, "-1", "1e3", "1.5", "", "many", "1 Gi"))
TEXTS = _mostly("a", "b", seldom=("", "a,b", "*", " "))
_TAG_KEYS = _mostly("team", "Name", seldom=("", "aws-ids"))
TAGS = _usually(st.dictionaries(_TAG_KEYS, TEXTS, min_size=1, max_size=2), st.just({}))


def requirements(version: KarpenterVersion) -> Fields:
    """Arguments of a requirement: usually values that suit the operator, now and then any."""
    several = st.lists(VALUES, min_size=1, max_size=2)
    number = st.lists(_mostly("4", "8", seldom=("0", "-1", "+4", "4.5", "4\n", "٤")), min_size=1, max_size=1)
    compare = {
        "key": _mostly("karpenter.k8s.aws/instance-cpu", seldom=("example.com/size",)),
        "values": number,
    }
    any_of = {"key": LABELS, "values": st.lists(VALUES, max_size=2)}
    usual = st.one_of(
        st.fixed_dictionaries(
            {"operator": st.sampled_from(["In", "NotIn"]), "key": LABELS, "values": several}
        ),
        st.fixed_dictionaries({"operator": st.sampled_from(["Exists", "DoesNotExist"]), "key": LABELS}),
        st.fixed_dictionaries({"operator": _mostly("Gt", "Lt", seldom=("Gte", "Lte")), **compare}),
    )
    operators = st.sampled_from(["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte", "Equal"])
    either = _usually(usual, st.fixed_dictionaries({"operator": operators, **any_of}))
    flexible = _fields(Requirement, version, {}, {"min_values": _mostly(1, seldom=(0, 2, 50, 51))})
    return st.tuples(either, flexible).map(lambda parts: {**parts[0], **parts[1]})


def taints() -> Fields:
    """Arguments of a taint."""
    return st.fixed_dictionaries(
        {
            "key": _mostly("a", "b", "c", "example.com/a", seldom=("", "a!", "a" * 64)),
            "effect": _mostly("NoSchedule", "PreferNoSchedule", "NoExecute", seldom=("", "Never")),
        },
        optional={
            "value": _mostly("b", seldom=("", "b c", "b" * 64, "example.com/b")),
            "time_added": _mostly("2026-01-31T12:00:00Z", seldom=("now", "2026-01-31")),
        },
    )


def budgets(version: KarpenterVersion) -> Fields:
    """Arguments of a budget."""
    schedules = _mostly(
        *("@daily", "0 9 * * mon-fri"),
        seldom=(
            "0 9 * * 7",
            "60 9 * * *",
            "0 9 * *",
            "*/0 * * * *",
            "@noon",
            "0 9 * * fri-mon",
            "TZ=UTC 0 9 * * *",
        ),
    )
    when = st.fixed_dictionaries(
        {"schedule": schedules, "duration": _mostly("8h", "30m", seldom=("8h30m", "1h0s", "90s", "1d"))}
    )
    half = st.sampled_from([{"schedule": "@daily"}, {"duration": "8h"}])
    rest = _fields(
        Budget,
        version,
        {"nodes": _mostly("10%", "0", "5", seldom=("100%", "101%", "-1", "5.5%"))},
        {"reasons": st.lists(_mostly("Empty", "Drifted", "Underutilized", seldom=("Expired",)), max_size=3)},
    )
    timing = st.one_of(st.just({}), when, when, half)
    return st.tuples(rest, timing).map(lambda parts: {**parts[0], **parts[1]})


def disruptions(version: KarpenterVersion) -> Fields:
    """Arguments of a disruption."""
    return _fields(
        Disruption,
        version,
        {"consolidate_after": _mostly("0s", "Never", seldom=("30s", "1h30m", "0m", "00h0s", "1d", "never"))},
        {
            "consolidation_policy": _mostly("WhenEmpty", "WhenEmptyOrUnderutilized", seldom=("Balanced",)),
            "budgets": st.lists(budgets(version), max_size=2),
        },
    )


def kubelets() -> Fields:
    """Arguments of kubelet settings."""
    signals = _mostly("memory.available", "nodefs.available", seldom=("cpu.available",))
    thresholds = _mostly("5%", "100Mi", seldom=("100%", "101%", "99.99%", "5.123%", "-5%", "-1", "", "a"))
    reserved = st.dictionaries(_mostly("cpu", "memory", "pid", seldom=("gpu",)), QUANTITIES, max_size=2)
    softly = st.dictionaries(signals, _mostly("1m30s", "2m", seldom=("2", "1d", "1.5h")), max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "cluster_dns": st.lists(st.just("10.0.0.10"), max_size=2),
            "max_pods": _mostly(20, seldom=(0, -1)),
            "pods_per_core": _mostly(2, seldom=(0, -1)),
            "kube_reserved": reserved,
            "system_reserved": reserved,
            "eviction_hard": st.dictionaries(signals, thresholds, max_size=2),
            "eviction_max_pod_grace_period": _mostly(60, seldom=(0, 2**31)),
            "image_gc_high_threshold_percent": _mostly(85, seldom=(80, 100, 101)),
            "image_gc_low_threshold_percent": _mostly(70, seldom=(80, 0, -1)),
            "cpu_cfs_quota": st.booleans(),
        },
    ).flatmap(
        lambda settings: softly.map(
            lambda soft: {
                **settings,
                **(
                    {"eviction_soft": dict.fromkeys(soft, "10%"), "eviction_soft_grace_period": soft}
                    if soft
                    else {}
                ),
            }
        )
    )


def node_pools(version: KarpenterVersion) -> Fields:
    """Arguments of a node pool."""
    durations = _mostly("720h", "Never", seldom=("0s", "1h30m15s", "1d", ""))
    return _fields(
        NodePool,
        version,
        {"name": NAMES},
        {
            "requirements": st.lists(requirements(version), max_size=3),
            "labels": st.dictionaries(LABELS, VALUES, max_size=2),
            "annotations": st.dictionaries(_mostly("example.com/a", seldom=("", "b")), TEXTS, max_size=1),
            "taints": st.lists(taints(), max_size=2),
            "startup_taints": st.lists(taints(), max_size=1),
            "expire_after": durations,
            "termination_grace_period": _mostly("1h", seldom=("0s", "Never", "1.5h")),
            "disruption": disruptions(version),
            "limits": st.none() | st.dictionaries(_mostly("cpu", "memory", "nodes"), QUANTITIES, max_size=2),
            "weight": _mostly(1, 100, seldom=(0, 101)),
            "replicas": _mostly(3, seldom=(0, -1)),
            **({"kubelet": kubelets()} if version in until("1.0") else {}),
        },
    )


def _terms(**words: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Terms of one word each, and now and then of two."""
    single = st.one_of([values.map(lambda value, word=word: {word: value}) for word, values in words.items()])
    pair = st.tuples(single, single).map(lambda parts: {**parts[0], **parts[1]})
    return st.lists(_usually(single, pair), min_size=1, max_size=2)


def _identities() -> Fields:
    names = _mostly("nodes", seldom=("", "a" * 64, "a" * 65, "arn:aws:iam::123456789012:role/nodes", "a/b"))
    one = st.sampled_from(["role", "instance_profile"]).flatmap(
        lambda word: st.fixed_dictionaries({word: names})
    )
    return _usually(one, st.sampled_from([{}, {"role": "nodes", "instance_profile": "nodes"}]))


def _images(version: KarpenterVersion) -> Fields:
    families = _mostly(
        "AL2", "AL2023", "Bottlerocket", "Custom", seldom=("Ubuntu", "Windows2022", "Windows2025", "AL1")
    )
    words: dict[str, st.SearchStrategy[Any]] = {
        "id": _mostly("ami-1", seldom=("ami-", "AMI-1")),
        "name": TEXTS,
        "tags": TAGS,
        "owner": _mostly("self", "amazon"),
        "alias": _mostly(
            "al2@latest", seldom=("al2023@v20260810", "al3@latest", "al2", "@", "windows2022@v1")
        ),
        "ssm_parameter": _mostly("/mine"),
    }
    known = {
        word: values
        for word, values in words.items()
        if version in field_window(AMISelectorTerm.model_fields[word])
    }
    aliases = _mostly(
        "al2@latest",
        "al2023@latest",
        seldom=("al2023@v20260810", "windows2022@latest", "ubuntu@latest", "al2"),
    )
    return st.one_of(
        st.fixed_dictionaries({"ami": aliases}, optional={"ami_family": families}),
        st.fixed_dictionaries({"ami_family": families}, optional={"ami_selector_terms": _terms(**known)}),
    )


def _volumes(version: KarpenterVersion) -> Fields:
    volume = _fields(
        BlockDevice,
        version,
        {},
        {
            "volume_size": _mostly(
                "20Gi", "1T", seldom=("0Gi", "59000Gi", "65T", "58Ti", "20", "1Pi", "20.5Gi")
            ),
            "snapshot_id": _mostly("snap-1", seldom=("",)),
            "volume_type": _mostly("gp3", "io2", seldom=("gp4",)),
            "iops": _mostly(3000, seldom=(0, -1, 2**40)),
            "throughput": _mostly(125),
            "volume_initialization_rate": _mostly(100, 300, seldom=(99, 301)),
            "encrypted": st.booleans(),
            "kms_key_id": TEXTS,
        },
    )
    return _fields(
        BlockDeviceMapping,
        version,
        {},
        {"device_name": _mostly("/dev/xvda", "/dev/xvdb"), "ebs": volume, "root_volume": st.booleans()},
    )


def node_classes(version: KarpenterVersion) -> Fields:
    """Arguments of a node class that leaves nothing to be filled in."""
    reservation: dict[str, st.SearchStrategy[Any]] = {
        "id": _mostly("cr-1", seldom=("cr-", "xcr-1")),
        "tags": TAGS,
        "owner_id": _mostly("123456789012", seldom=("1",)),
        "instance_match_criteria": _mostly("open", "targeted", seldom=("closed",)),
    }
    terms = CapacityReservationSelectorTerm.model_fields
    interfaces = st.fixed_dictionaries(
        {
            "network_card_index": _mostly(0, 1, 2, seldom=(-1, 2**31)),
            "device_index": st.integers(0, 1),
            "interface_type": _mostly("interface", "efa-only", seldom=("efa",)),
        }
    )
    primary = {"network_card_index": 0, "device_index": 0, "interface_type": "interface"}
    found = {
        "name": NAMES,
        "subnet_selector_terms": _terms(tags=TAGS, id=_mostly("subnet-1", seldom=("subnet-", "sg-1"))),
        "security_group_selector_terms": _terms(tags=TAGS, id=_mostly("sg-1", seldom=("sg-",)), name=TEXTS),
    }
    rest = _fields(
        EC2NodeClass,
        version,
        found,
        {
            "associate_public_ip_address": st.booleans(),
            "ip_prefix_count": _mostly(1, seldom=(0, -1)),
            "network_interfaces": st.lists(interfaces, max_size=2).map(lambda others: [primary, *others]),
            "connection_tracking": st.fixed_dictionaries(
                {},
                optional={
                    "tcp_established_timeout": _mostly(60, 432_000, seldom=(59, 432_001)),
                    "udp_stream_timeout": _mostly(60, 180, seldom=(59, 181)),
                    "udp_timeout": _mostly(30, 60, seldom=(29, 61)),
                },
            ),
            "capacity_reservation_selector_terms": _terms(
                **{word: each for word, each in reservation.items() if version in field_window(terms[word])}
            ),
            "placement_group_selector": st.fixed_dictionaries(
                {}, optional={"name": TEXTS, "id": _mostly("pg-1", seldom=("pg-",))}
            ),
            "user_data": TEXTS,
            "block_device_mappings": st.lists(_volumes(version), max_size=2),
            "instance_store_policy": _mostly("RAID0", seldom=("RAID1",)),
            "metadata_options": st.fixed_dictionaries(
                {},
                optional={
                    "http_endpoint": _mostly("enabled", "disabled", seldom=("on",)),
                    "http_put_response_hop_limit": _mostly(1, 64, seldom=(0, 65)),
                    "http_tokens": _mostly("required", "optional", seldom=("off",)),
                },
            ),
            "detailed_monitoring": st.booleans(),
            "cpu_options": st.fixed_dictionaries(
                {}, optional={"nested_virtualization": _mostly("enabled", seldom=("on",))}
            ),
            "kubelet": kubelets(),
            "tags": st.dictionaries(
                _mostly(
                    *("team", "Name"),
                    seldom=(
                        *("", "kubernetes.io/cluster/a", "kubernetes.io/clusters", "kubernetes.io/cluster"),
                        *(
                            "karpenter.sh/nodepool",
                            "karpenter.sh/provisioner-name",
                            "karpenter.sh/managed-by",
                        ),
                        *("karpenter.sh/nodeclaim", "karpenter.k8s.aws/ec2nodeclass", "eks:eks-cluster-name"),
                    ),
                ),
                TEXTS,
                max_size=2,
            ),
            "context": TEXTS,
        },
    )
    parts = st.tuples(rest, _identities(), _images(version))
    return parts.map(lambda each: {**each[0], **each[1], **each[2]})


def node_overlays(version: KarpenterVersion) -> Fields:
    """Arguments of a node overlay."""
    resources = _mostly("example.com/a", seldom=("cpu", "pods"))
    return _fields(
        NodeOverlay,
        version,
        {"name": NAMES},
        {
            "requirements": st.lists(requirements(version), max_size=3),
            "price": _mostly("0.25", "1", seldom=("-1", "free", "1.")),
            "price_adjustment": _mostly("-15%", "+0.05", seldom=("15%", "-100%", "-101%", "+.5%", "-1.5")),
            "capacity": st.dictionaries(resources, QUANTITIES, max_size=2),
            "weight": _mostly(1, 10_000, seldom=(0, 10_001)),
        },
    )


def capacity_buffers(version: KarpenterVersion) -> Fields:
    """Arguments of a capacity buffer."""
    names = _mostly("web", seldom=("",))
    template = st.fixed_dictionaries({"name": names})
    scalable = st.fixed_dictionaries(
        {"name": names, "kind": st.just("Deployment")}, optional={"api_group": TEXTS}
    )
    what = st.one_of(
        st.fixed_dictionaries({"pod_template_ref": template, "replicas": _mostly(1, seldom=(0, -1))}),
        st.fixed_dictionaries(
            {"scalable_ref": scalable}, optional={"percentage": _mostly(20, seldom=(0, -1))}
        ),
    )
    either = st.fixed_dictionaries({}, optional={"pod_template_ref": template, "scalable_ref": scalable})
    rest = _fields(
        CapacityBuffer,
        version,
        {"name": NAMES},
        {
            "namespace": _mostly("shop", seldom=("", "A")),
            "limits": st.dictionaries(st.just("cpu"), QUANTITIES, max_size=1),
        },
    )
    return st.tuples(_usually(what, either), rest).map(lambda parts: {**parts[0], **parts[1]})
