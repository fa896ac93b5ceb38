"""Node pools: which nodes Karpenter may launch, and when it may replace them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import model_validator

from ._fields import Choice, Duration, FrozenMap, Items, Map, Number, Quantity, Text, Words
from ._model import OBJECT_NAME, Model, Named
from .kubelet import Kubelet
from .releases import since
from .requirements import ANNOTATION_KEY, LABEL_KEY, LABEL_VALUE, Requirement

_DURATION = r"([0-9]+(s|m|h))+"
_DURATION_FIX = "use the units h, m and s, as in '720h' or '1h30m'"
Period = Annotated[
    str, Duration("a duration or 'Never'", pattern=rf"{_DURATION}|Never", fix=_DURATION_FIX, example="'0s'")
]


class TaintEffect(Words):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    """They are not placed on the node."""
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    """They are placed on the node where nothing else fits."""
    NO_EXECUTE = "NoExecute"
    """They are not placed on the node, and those already there are evicted."""


class Taint(Model):
    """Keeps pods off a node unless they tolerate it."""

    sample: ClassVar[str] = "{'key': 'dedicated', 'effect': 'NoSchedule'}"

    key: Annotated[
        str, Text("a label key", pattern=LABEL_KEY.pattern, fix=LABEL_KEY.fix, example="'dedicated'")
    ]
    """The key. Default: required."""
    value: Annotated[
        str | None,
        Text(
            "a taint value",
            pattern=LABEL_KEY.pattern,
            fix="use letters, digits, '-', '_' and '.', or leave it out",
        ),
    ] = None
    """The value. Default: none."""
    effect: Annotated[TaintEffect | str, Choice(TaintEffect)]
    """What happens to pods that do not tolerate the taint. Default: required."""
    time_added: Annotated[
        str | None,
        Text(
            "a time as RFC 3339 writes it",
            pattern=(
                r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
                r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"
            ),
            fix="write one as in '2026-01-31T12:00:00Z'",
        ),
    ] = None
    """When the taint was added; Kubernetes writes it itself. Default: none."""


class DisruptionReason(Words):
    """Why Karpenter disrupts a node."""

    UNDERUTILIZED = "Underutilized"
    """Its pods fit elsewhere, or on a cheaper node."""
    EMPTY = "Empty"
    """It runs no pods but those of daemons."""
    DRIFTED = "Drifted"
    """It differs from what its pool and class now say."""


class Budget(Model):
    """How many nodes of a pool may be disrupted at once; of several, the strictest active budget holds."""

    sample: ClassVar[str] = "{'nodes': '10%'}"

    nodes: Annotated[
        str,
        Text(
            "a number of nodes or a percentage up to 100%",
            pattern=r"(100|[0-9]{1,2})%|[0-9]+",
            fix="write one as in '10%' or '5'",
            example="'10%'",
        ),
    ] = "10%"
    """The most nodes, as a number or a share of the pool; ``"0"`` forbids disruption. Default: ``10%``."""
    reasons: Annotated[
        Sequence[Annotated[DisruptionReason | str, Choice(DisruptionReason)]] | None,
        Items(most=50),
        since("1.0"),
    ] = None
    """The reasons that the budget limits. Default: all."""
    schedule: Annotated[
        str | None,
        Text(
            "a cron schedule",
            pattern=r"@(annually|yearly|monthly|weekly|daily|midnight|hourly)|[-0-9A-Za-z*/,?]+(\s+[-0-9A-Za-z*/,?]+){4}",
            fix="write five fields in UTC, as in '0 9 * * mon-fri', or a word such as '@daily'",
        ),
    ] = None
    """When the budget becomes active, as a cron schedule in UTC; needs ``duration``. Default: always
    active."""
    duration: Annotated[
        str | None,
        Duration(
            "a duration in hours and minutes",
            pattern=r"(([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?",
            fix="write one as in '8h', '30m' or '8h30m'",
        ),
    ] = None
    """How long the budget stays active after each time of the schedule. Default: always active."""


class ConsolidationPolicy(Words):
    """Which nodes Karpenter may remove or replace to save money."""

    WHEN_EMPTY = "WhenEmpty"
    """Only nodes without pods, daemons aside."""
    WHEN_EMPTY_OR_UNDERUTILIZED = "WhenEmptyOrUnderutilized"
    """Also nodes whose pods fit elsewhere, or on a cheaper node."""
    BALANCED = "Balanced", since("1.14")
    """As WhenEmptyOrUnderutilized, but only where the saving outweighs the disruption. From Karpenter
    1.14."""


class Disruption(Model):
    """When Karpenter may disrupt the nodes of a pool of its own accord."""

    sample: ClassVar[str] = "{'consolidateAfter': '5m'}"

    consolidation_policy: Annotated[ConsolidationPolicy | str, Choice(ConsolidationPolicy)] = (
        "WhenEmptyOrUnderutilized"
    )
    """Which nodes may go. Default: ``WhenEmptyOrUnderutilized``."""
    consolidate_after: Period
    """How long after its last pod came or went a node may go; ``Never`` turns consolidation off. Before
    Karpenter 1.0 underutilised nodes take ``0s`` (the old behaviour) or ``Never`` only. Default: required."""
    budgets: Annotated[Sequence[Budget] | None, Items(most=50), since("0.34")] = None
    """How many nodes may be disrupted at once. Default: one budget of ``10%``."""


DEFAULT_LIMITS: Mapping[str, int | str] = FrozenMap(cpu=1000)

_NO_LABELS: Mapping[str, str] = FrozenMap()


class NodePool(Named):
    """A set of nodes that Karpenter may launch: what they may be, what they carry, and when they may go."""

    collection: ClassVar[str] = "node_pools"

    node_class: Annotated[str | None, OBJECT_NAME] = None
    """The name of the node class: how the nodes are launched in EC2. Default: the default class."""
    requirements: Annotated[Sequence[Requirement], Items()] = ()
    """What the labels of a node must satisfy; all of them together, and with those of the pod.
    Default: on-demand Linux amd64 of the categories c, m and r from the third generation on, filled in where the
    pool is added; ``[]`` is any instance type that Karpenter knows."""
    labels: Annotated[Mapping[str, str], Map(keys=LABEL_KEY, values=LABEL_VALUE, most=100)] = _NO_LABELS
    """Labels that every node gets. Default: none beside Karpenter's own."""
    annotations: Annotated[Mapping[str, str], Map(keys=ANNOTATION_KEY)] = _NO_LABELS
    """Annotations that every node gets. Default: none."""
    taints: Annotated[Sequence[Taint], Items()] = ()
    """Taints that every node gets; only pods that tolerate them come. Default: none."""
    startup_taints: Annotated[Sequence[Taint], Items()] = ()
    """Taints that every node gets at its start and that a daemon removes; pods need not tolerate them for
    the node to be launched. A taint that is never removed leaves a node that is never used. Default: none."""
    expire_after: Period = "720h"
    """The age at which a node is replaced, or ``Never``. Default: ``720h``, thirty days."""
    termination_grace_period: Annotated[
        str | None,
        Duration("a duration", pattern=_DURATION, fix=_DURATION_FIX),
        since("1.0"),
    ] = None
    """How long a node may take to drain before its pods are deleted, even those that disruption budgets or
    ``karpenter.sh/do-not-disrupt`` protect. Default: as long as it takes."""
    disruption: Disruption | None = None
    """When nodes may be removed or replaced to save money. Default: underutilised nodes at once, a tenth
    of the pool at a time."""
    limits: Annotated[Mapping[str, int | str] | None, Map(values=Quantity())] = DEFAULT_LIMITS
    """The most that all nodes of the pool may add up to, by resource such as ``cpu`` or ``memory``;
    ``None`` is no limit. Default: 1,000 vCPUs; no limit where ``replicas`` is given."""
    weight: Annotated[int | None, Number(1, 100)] = None
    """The pool's priority: of all pools that fit a pod, the one of the greatest weight is taken.
    Default: 0, the least."""
    replicas: Annotated[int | None, Number(0), since("1.8")] = None
    """The number of nodes that the pool keeps, whatever pods ask for; needs the feature gate StaticCapacity.
    Default: as many nodes as pods need."""
    kubelet: Kubelet | None = None
    """Kubelet settings for this pool alone. They live in the node class from Karpenter 1.0: there they
    must be absent, or equal the class's. Default: those of the node class."""

    @model_validator(mode="before")
    @classmethod
    def _static_pools_have_no_default_limit(cls, data: object) -> object:
        if isinstance(data, Mapping) and data.get("replicas") is not None and "limits" not in data:
            return {**data, "limits": None}
        return data
