"""For every schema constraint and every CEL rule of every release: our verdict is the API server's.

From an object that uses every field, one value at a time is moved to both sides of each constraint; for each
CEL rule one change breaks it. `crd_oracle` says what the server would answer. Rules about updates are left
out: nothing is updated at synth.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from karpenter_construct._checks import (
    check_capacity_buffer,
    check_node_class,
    check_node_overlay,
    check_node_pool,
)
from karpenter_construct._reading.manifests import read_manifests
from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool
from karpenter_construct.releases import since
from tests.contract import crd_oracle, rule_breakers, upstream
from tests.contract.rule_breakers import GONE

Data = dict[str, Any]
Steps = tuple[str | int, ...]

WHOLE = ("v0.32.10", "v1.14.1")
"""The tags that go through all constraints, the others through what is new; with ``ALL_VERDICTS=1`` all do, on every
base."""
TAGS = upstream.TAGS[upstream.TAGS.index("v0.32.10") :]
PAIRS = [
    (tag, model.__name__)
    for tag in TAGS
    for model in (NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer)
    if upstream.version(tag) in model.window
]
KUBELET: Data = {
    "clusterDNS": ["10.0.0.10"],
    "maxPods": 20,
    "podsPerCore": 2,
    "kubeReserved": {"cpu": "100m"},
    "systemReserved": {"memory": "1Gi"},
    "evictionHard": {"memory.available": "5%"},
    "evictionSoft": {"memory.available": "10%"},
    "evictionSoftGracePeriod": {"memory.available": "1m"},
    "evictionMaxPodGracePeriod": 60,
    "imageGCHighThresholdPercent": 85,
    "imageGCLowThresholdPercent": 80,
    "cpuCFSQuota": True,
}
TAINT: Data = {
    "key": "example.com/a",
    "value": "b",
    "effect": "NoSchedule",
    "timeAdded": "2026-01-31T12:00:00Z",
}
REQUIREMENTS: list[Data] = [
    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"], "minValues": 2},
    {"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gt", "values": ["4"]},
]
DISRUPTION: Data = {
    "consolidationPolicy": "WhenEmpty",
    "consolidateAfter": "30s",
    "budgets": [{"nodes": "10%", "reasons": ["Empty"], "schedule": "@daily", "duration": "8h"}],
}
CLASS: Data = {
    "amiFamily": "AL2",
    "amiSelectorTerms": [{"id": "ami-1"}, {"name": "nodes-*", "owner": "self", "tags": {"a": "b"}}],
    "subnetSelectorTerms": [{"tags": {"a": "b"}}, {"id": "subnet-1"}],
    "securityGroupSelectorTerms": [{"tags": {"a": "b"}}, {"id": "sg-1"}, {"name": "nodes"}],
    "role": "nodes",
    "userData": "#!/bin/sh",
    "tags": {"team": "a"},
    "metadataOptions": {
        "httpEndpoint": "enabled",
        "httpProtocolIPv6": "disabled",
        "httpPutResponseHopLimit": 2,
        "httpTokens": "required",
    },
    "blockDeviceMappings": [
        {
            "deviceName": "/dev/xvda",
            "rootVolume": True,
            "ebs": {
                "volumeSize": "20Gi",
                "snapshotID": "snap-1",
                "volumeType": "gp3",
                "iops": 3000,
                "throughput": 125,
                "volumeInitializationRate": 100,
                "encrypted": True,
                "kmsKeyID": "alias/nodes",
                "deleteOnTermination": True,
            },
        }
    ],
    "instanceStorePolicy": "RAID0",
    "detailedMonitoring": True,
    "associatePublicIPAddress": False,
    "context": "x",
}
V1_CLASS: Data = {
    **CLASS,
    "amiSelectorTerms": [*CLASS["amiSelectorTerms"], {"ssmParameter": "/images/nodes"}],
    "kubelet": KUBELET,
    "capacityReservationSelectorTerms": [
        {"id": "cr-1"},
        {"tags": {"a": "b"}, "ownerID": "123456789012", "instanceMatchCriteria": "open"},
    ],
    "placementGroupSelector": {"name": "rack"},
    "ipPrefixCount": 1,
    "networkInterfaces": [
        {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
        {"networkCardIndex": 1, "deviceIndex": 0, "interfaceType": "efa-only"},
    ],
    "connectionTracking": {"tcpEstablishedTimeout": 60, "udpStreamTimeout": 60, "udpTimeout": 30},
    "cpuOptions": {"nestedVirtualization": "enabled"},
}
METADATA: Data = {"labels": {"example.com/team": "a"}, "annotations": {"example.com/a": "b c"}}


def _pools(tag: str) -> tuple[Data, ...]:
    template = {"requirements": REQUIREMENTS, "taints": [TAINT], "startupTaints": [{**TAINT, "key": "c"}]}
    limited = {"limits": {"cpu": 10, "memory": "1Gi"}, "weight": 5}
    if upstream.version(tag).generation.value == "v1beta1":
        template |= {"nodeClassRef": {"name": "default"}, "kubelet": KUBELET}
        disruption = {**DISRUPTION, "expireAfter": "720h"}
        return ({"template": {"metadata": METADATA, "spec": template}, "disruption": disruption, **limited},)
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    template |= {"nodeClassRef": reference, "expireAfter": "720h", "terminationGracePeriod": "1h"}
    pool = {"template": {"metadata": METADATA, "spec": template}, "disruption": DISRUPTION}
    return {**pool, **limited}, {**pool, "replicas": 1, "limits": {"nodes": 2}}


def _classes(tag: str) -> tuple[Data, ...]:
    if upstream.version(tag).generation.value == "v1beta1":
        return CLASS, _changed(CLASS, {("role",): GONE, ("instanceProfile",): "nodes"})
    alias = _changed(V1_CLASS, {("amiFamily",): GONE, ("amiSelectorTerms",): [{"alias": "al2@latest"}]})
    profile = _changed(
        V1_CLASS,
        {
            ("role",): GONE,
            ("instanceProfile",): "nodes",
            ("placementGroupSelector",): {"id": "pg-1"},
        },
    )
    return V1_CLASS, alias, profile


OVERLAYS: tuple[Data, ...] = (
    {
        "requirements": [
            {key: value for key, value in item.items() if key != "minValues"} for item in REQUIREMENTS
        ],
        "price": "0.1",
        "capacity": {"example.com/fuse": 1},
        "weight": 5,
    },
    {"requirements": [], "priceAdjustment": "-10%"},
)
BUFFERS: tuple[Data, ...] = (
    {
        "podTemplateRef": {"name": "chunk"},
        "replicas": 1,
        "limits": {"cpu": 1},
        "provisioningStrategy": "buffer.x-k8s.io/active-capacity",
    },
    {"scalableRef": {"apiGroup": "apps", "kind": "Deployment", "name": "web"}, "percentage": 10},
)


def _bases(tag: str, kind: str) -> Iterator[Data]:
    """Manifests of a kind that use all its fields, without those that the release does not know."""
    schema, api_version = _schema(tag, kind)
    specs = {
        "NodePool": lambda: _pools(tag),
        "EC2NodeClass": lambda: _classes(tag),
        "NodeOverlay": lambda: OVERLAYS,
        "CapacityBuffer": lambda: BUFFERS,
    }[kind]()
    metadata = {"name": "default"} | ({"namespace": "default"} if kind == "CapacityBuffer" else {})
    for spec in specs:
        known = _known(schema["properties"]["spec"], copy.deepcopy(spec))
        yield {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": known}


def _schema(tag: str, kind: str) -> tuple[Data, str]:
    """The schema of the version that this library writes."""
    crd = upstream.crds(tag)[kind]
    wanted = "v1beta1" if upstream.version(tag).generation.value == "v1beta1" else "v1"
    versions = {version["name"]: version for version in crd["spec"]["versions"]}
    name = wanted if wanted in versions else next(iter(versions))
    return versions[name]["schema"]["openAPIV3Schema"], f"{crd['spec']['group']}/{name}"


def _known(schema: Data, value: Any) -> Any:
    if isinstance(value, list):
        items = [_known(schema.get("items", {}), item) for item in value]
        return [item for item in items if item != {}]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return {key: _known(known[key], item) for key, item in value.items() if key in known}
    return value


def _changed(manifest: Data, changes: dict[Steps, Any]) -> Data:
    """A copy with the values at the given places replaced, or taken away."""
    # As JSON, which manifests are, a copy takes a fifth of the time.
    changed = json.loads(json.dumps(manifest))
    for steps, value in changes.items():
        holder: Any = changed
        for step in steps[:-1]:
            holder = holder.setdefault(step, {}) if isinstance(holder, dict) else holder[step]
        if value is GONE:
            holder.pop(steps[-1], None)
        else:
            holder[steps[-1]] = copy.deepcopy(value)
    return changed


def ours(tag: str, manifest: Data) -> list[str]:
    """What this library says about a manifest."""
    version = upstream.version(tag)
    try:
        read = read_manifests(manifest)
    except SettingsError as error:
        return list(map(str, error.problems))
    problems = [
        *(check_node_pool(model, version, path=model.path) for model in read.node_pools),
        *(check_node_class(model, version, path=model.path, complete=True) for model in read.node_classes),
        *(check_node_overlay(model, version, path=model.path) for model in read.node_overlays),
        *(check_capacity_buffer(model, version, path=model.path) for model in read.capacity_buffers),
    ]
    return [str(problem) for found in problems for problem in found]


# What matches each pattern of the CRDs, and what does not, by a part of the pattern that no other has.
PATTERNS = (
    ("^((100|[0-9]{1,2})%|[0-9]+)$", ("0", "100%", "7%"), ("101%", "-1", "1.5", "%")),
    ("annually|yearly", ("@hourly", "0 9 * * mon-fri"), ("hourly", "* * * *", "")),
    ("[0-9]+h[0-9]+m", ("8h", "30m", "8h30m", "8h0m0s"), ("8s", "30m8h", "1d", "")),
    ("(0s)?)$", ("8h", "30m", "8h0s"), ("8s", "1d", "")),
    ("(s|m|h))+|Never)$", ("720h", "1h30m10s", "Never"), ("never", "1d", "")),
    ("(s|m|h))+)|(Never)$", ("720h", "1h30m10s", "Never"), ("1d", "d")),
    ("^([0-9]+(s|m|h))+$", ("1h", "1m30s"), ("Never", "1d", "")),
    ("%||", ("5%", "100%", "99.99%", "100Mi"), ("101%", "5.555%", "x")),
    ("59000)Gi", ("1Gi", "59000Gi", "64000G", "58Ti", "64T"), ("0Gi", "59001Gi", "20", "18Ti", "65T")),
    ("[numkMGTPE]", ("1", "-1", "1.5", "100m", "1e3", ".5Gi"), ("", "x", "1 Gi", "1gi")),
    ("(\\/))?([A-Za-z0-9]", ("a", "a.b/c", "A_b.c"), ("", "a/b/c", "A.b/c", "-a", "a b")),
    ("*/)?(([A-Za-z0-9]", ("a", "a.b/c"), ("", "a/b/c")),
    ("^(([A-Za-z0-9]", ("", "a", "A-b_c.1"), ("-a", "a b", "a/b")),
    ("ami-[0-9a-z]+", ("ami-0abc",), ("ami-", "img-1", "")),
    ("sg-[0-9a-z]+", ("sg-0abc",), ("sg-", "x", "")),
    ("subnet-[0-9a-z]+", ("subnet-0abc",), ("subnet-", "x", "")),
    ("^cr-[0-9a-z]+$", ("cr-0abc",), ("cr-", "xcr-1", "")),
    ("^pg-[0-9a-z]+$", ("pg-0abc",), ("pg-", "xpg-1", "")),
    ("^[0-9]{12}$", ("123456789012",), ("12345678901", "1234567890123", "")),
    ("^\\d+(\\.\\d+)?$", ("1", "0.25"), ("-1", ".5", "1.", "")),
    ("(-100%))$", ("-15%", "+10%", "+.5%", "-0.5", "+1.2", "-100%"), ("10%", "-101%", "1", "")),
)

# Where two words of the CRDs are one of ours, or where a field has no field of its own in the models.
NOT_IN_MODELS = ("nodeClassRef", "resources")

Case = tuple[Steps, Any]


def _schema_cases(schema: Data, value: Any, steps: Steps) -> Iterator[Case]:
    """Changes of one value to both sides of every constraint on it and on all below it."""
    yield from ((steps, changed) for changed in _both_sides(schema, value))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _schema_cases(schema.get("items", {}), item, (*steps, index))
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            yield (*steps, name), GONE
        for key, item in value.items():
            child = schema.get("properties", {}).get(key) or schema.get("additionalProperties")
            if key not in NOT_IN_MODELS and isinstance(child, dict):
                yield from _schema_cases(child, item, (*steps, key))


_OTHER_TYPES: dict[str, tuple[Any, ...]] = {
    "string": (5, True, ["a"]),
    "integer": ("1", True),
    "boolean": ("true", 1),
    "object": ("a", 1, []),
    "array": ("a", {}),
    "int-or-string": (True, ["a"]),
}


def _both_sides(schema: Data, value: Any) -> Iterator[Any]:
    kind = "int-or-string" if schema.get("x-kubernetes-int-or-string") else schema["type"]
    yield from _OTHER_TYPES[kind]
    if "enum" in schema:
        yield from (*schema["enum"], "NoSuchValue")
    if kind == "integer":
        bounds = [schema[word] for word in ("minimum", "maximum") if word in schema]
        yield from (bound + step for bound in bounds for step in (-1, 0, 1))
        yield from (2**63, -(2**63) - 1)
    if kind == "array" and value:
        yield from ([*value, *value[-1:] * count][:count] for count in _counts(schema, "Items"))
    if kind == "object":
        yield from (
            {f"example.com/k{index}": "a" for index in range(count)}
            for count in _counts(schema, "Properties")
        )
    if kind in {"string", "int-or-string"}:
        yield from ("a" * count for count in _counts(schema, "Length"))
        yield from _pattern_samples(schema["pattern"]) if "pattern" in schema else ()


def _counts(schema: Data, noun: str) -> list[int]:
    """The numbers around the least and the greatest number of items, properties or characters."""
    bounds = [schema[word + noun] for word in ("min", "max") if word + noun in schema]
    return [bound + step for bound in bounds for step in (-1, 0, 1) if bound + step >= 0]


def _pattern_samples(pattern: str) -> Iterator[str]:
    known = [(good, bad) for part, good, bad in PATTERNS if part in pattern]
    assert known, f"no samples for the pattern {pattern}"
    good, bad = known[0]
    yield from (*good, *bad)


# Where our verdict is stricter, by the words of our message: what neither CRD nor controller says, or the
# oracle does not model.
STRICTER = {
    "operators 'Exists' and 'DoesNotExist' take no values": "they would be ignored",
    "requirements and labels must be at most 100 together": "the NodeClaim that is made from both would be refused",
    "must be a label key": "a name of more than 63 characters is no label's key",
    "must not be negative, got": "no node could ever be launched",
    "is for gp3": "EC2 refuses the volume, and with it every instance",
    "needs iops": "EC2 refuses the volume, and with it every instance",
    "names a reason twice": "the second does nothing, and from 1.13 the list is a set",
}
# Where our verdict is milder: whole numbers that 0.32 takes are read in any v1beta1 file, and written as strings.
MILDER = {"kubeReserved", "systemReserved", "volumeSize"}


@pytest.mark.parametrize(("tag", "kind"), PAIRS)
def test_verdicts_on_schema_constraints_are_equal(tag, kind, capsys):
    cases, different = _new_cases(tag, kind), []
    for base in _bases(tag, kind):
        assert (crd_oracle.violations(tag, base), ours(tag, base)) == ([], [])
    for base, steps, value in cases:
        manifest = _changed(base, {steps: value})
        theirs, mine = crd_oracle.violations(tag, manifest), ours(tag, manifest)
        if bool(theirs) != bool(mine) and not _is_meant(tag, steps, mine):
            different.append((steps, value, theirs, mine))
    with capsys.disabled():
        print(f"\n{tag} {kind}: {len(cases)} values on both sides of the schema's constraints", end="")
    assert different == []


def _new_cases(tag: str, kind: str) -> list[tuple[Data, Steps, Any]]:
    """The cases of a tag; outside `WHOLE`, only those that the tag before lacks.

    What two bases say alike is changed in the first: the others are there for what excludes each other.
    """
    if os.environ.get("ALL_VERDICTS") == "1":
        return list(_cases(tag, kind))
    before = TAGS[TAGS.index(tag) - 1]
    known: set[str] = set()
    if tag not in WHOLE and kind in upstream.crds(before):
        known = {_identity(steps, value) for _, steps, value in _cases(before, kind)}
    new: dict[tuple[str, str], tuple[Data, Steps, Any]] = {}
    for base, steps, value in _cases(tag, kind):
        identity, around = _identity(steps, value), base["spec"].get(steps[1]) if steps[1:] else base["spec"]
        if identity not in known:
            new.setdefault((identity, repr(around)), (base, steps, value))
    return list(new.values())


def _identity(steps: Steps, value: Any) -> str:
    return f"{steps} {'gone' if value is GONE else value!r}"


def _cases(tag: str, kind: str) -> Iterator[tuple[Data, Steps, Any]]:
    schema = _schema(tag, kind)[0]["properties"]["spec"]
    for base in _bases(tag, kind):
        for steps, value in _schema_cases(schema, base["spec"], ("spec",)):
            yield base, steps, value


def _is_meant(tag: str, steps: Steps, mine: list[str]) -> bool:
    if not mine:
        return upstream.version(tag) not in since("1.0") and not MILDER.isdisjoint(steps)
    return all(any(words in line for words in STRICTER) for line in mine)


# Where our message says it in other words.
REWORDED = {
    "'alias' is improperly formatted, must match the format 'family@version'": "must be an alias of the format",
    "role cannot be empty": "`spec.role`: must not be empty",
    "instanceProfile cannot be empty": "`spec.instanceProfile`: must not be empty",
    "consolidateAfter cannot be combined": "cannot be combined with consolidationPolicy WhenUnderutilized",
    "consolidateAfter must be specified": "`spec.disruption.consolidateAfter`: is required",
    "group may not be empty": "nodeClassRef",
    "kind may not be empty": "nodeClassRef",
    "name may not be empty": "nodeClassRef",
    "requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must": "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must",
}


@pytest.mark.parametrize(("tag", "kind"), PAIRS)
def test_fails_on_what_breaks_a_rule_with_the_rules_message(tag, kind, capsys):
    base = next(_bases(tag, kind))
    known = list(rule_breakers.rules(_schema(tag, kind)[0]["properties"]["spec"]))
    for rule in known:
        changes = {("spec", *steps): value for steps, value in rule_breakers.breaking(rule).items()}
        manifest = _changed(base, changes)
        theirs, mine = crd_oracle.violations(tag, manifest), ours(tag, manifest)
        assert any(rule.message in line for line in theirs), rule
        said = next((words for part, words in REWORDED.items() if part in rule.message), rule.message)
        assert any(said in line for line in mine), (rule, mine)
    with capsys.disabled():
        print(f"\n{tag} {kind}: {len(known)} rules, each broken once", end="")
