"""Node pools: what the release cannot say, what its CRD refuses, and what only its controller sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._tokens import is_unresolved
from ..errors import Problem
from ..node_class import EC2NodeClass
from ..node_pool import Budget, Disruption, NodePool, Taint
from ..releases import KarpenterVersion, between, since, until
from ..requirements import Requirement
from .kubelet import kubelet_problems
from .labels import label_problems
from .limits import limit_problems
from .names import NAME_RULES
from .placeholders import known_items
from .requirements import requirement_problems
from .rule import Rule, broken
from .satisfiable import contradictions
from .schedule import is_schedule
from .windows import unknown_to_release

_POOL_RULES: tuple[Rule[NodePool], ...] = (
    Rule(
        lambda pool: pool.replicas is not None and set(pool.limits or {}) - {"nodes"},
        "only 'limits.nodes' is supported on static NodePools",
        "leave the others out, or leave replicas out",
        field="limits",
        window=since("1.8"),
    ),
    Rule(
        lambda pool: pool.replicas is not None and pool.weight is not None,
        "'weight' is not supported on static NodePools",
        "leave it out, or leave replicas out",
        field="weight",
        window=since("1.8"),
    ),
)

_DISRUPTION_RULES: tuple[Rule[Disruption], ...] = (
    *(
        Rule(
            lambda d: d.consolidation_policy != "WhenEmpty" and not _is_old_behaviour(d.consolidate_after),
            says,
            "write '0s' for the old behaviour, or 'Never' to turn consolidation off",
            field="consolidate_after",
            window=window,
        )
        for says, window in (
            (
                "becomes ttlSecondsAfterEmpty, which Karpenter's webhook refuses beside consolidation.enabled before "
                "0.32",
                until("0.32"),
            ),
            (
                "consolidateAfter cannot be combined with consolidationPolicy=WhenUnderutilized before 1.0",
                between("0.32", "1.0"),
            ),
        )
    ),
)


_NOW_OR_NEVER = r"(0+[smh])+|Never"


def _is_old_behaviour(consolidate_after: str) -> bool:
    return bool(re.fullmatch(_NOW_OR_NEVER, consolidate_after)) or is_unresolved(consolidate_after)


# What 0.34.0 to 0.34.3 and 0.35.0 to 0.35.2 take as a duration is one number with one unit.
_HOURS_AND_MINUTES = between("0.34.5", "0.35") | since("0.35.4")


def _repeats_reasons(budget: Budget) -> bool:
    return len(set(budget.reasons or ())) < len(budget.reasons or ())


_BUDGET_RULES: tuple[Rule[Budget], ...] = (
    Rule(
        lambda budget: (budget.schedule is None) != (budget.duration is None),
        "'schedule' must be set with 'duration'",
        "give both, or neither",
    ),
    Rule(
        lambda budget: budget.schedule is not None and not is_schedule(budget.schedule),
        "is no cron schedule that Karpenter can read",
        "write minute, hour, day, month and weekday in UTC, as in '0 9 * * mon-fri'",
        field="schedule",
    ),
    Rule(_repeats_reasons, "names a reason twice", "name each once", field="reasons"),
)

# Requirements took 30 items before the CRDs of these releases; the Provisioner had no limit.
_HUNDRED_REQUIREMENTS = (
    until("0.32")
    | between("0.33.6", "0.34")
    | between("0.34.7", "0.35")
    | between("0.35.6", "0.36")
    | between("0.36.3", "0.37")
    | since("0.37.1")
)
_FEW_REQUIREMENTS = 30
_MOST_CONSTRAINTS = 100

_KUBELET_IN_CLASS = since("1.0")


def check_node_pool(
    pool: NodePool, version: KarpenterVersion, *, path: str, node_class: EC2NodeClass | None = None
) -> list[Problem]:
    """Everything that this release would refuse, or that cannot work.

    Args:
        pool: The node pool.
        version: The release that it is for.
        path: Where messages begin, such as ``node_pools['batch']``.
        node_class: The pool's node class where it is known, to compare kubelet settings with.
    """
    problems = [
        *unknown_to_release(pool, path, version),
        *broken(NAME_RULES, pool, path, version),
        *broken(_POOL_RULES, pool, path, version),
        *requirement_problems(pool.requirements, path, version),
        *label_problems(pool.labels, f"{path}.labels", version),
        *limit_problems(pool.limits, f"{path}.limits"),
        *_count_problems(pool, path, version),
        *_taint_problems(pool, path),
        *_disruption_problems(pool.disruption, f"{path}.disruption", version),
        *_kubelet_problems(pool, node_class, path, version),
    ]
    return [*problems, *_contradictions(pool, path, problems)]


def _contradictions(pool: NodePool, path: str, problems: list[Problem]) -> Iterator[Problem]:
    """What the requirements and labels that are right by themselves say together."""
    wrong = tuple(problem.path for problem in problems)
    requirements = tuple(
        requirement
        for index, requirement in enumerate(known_items(pool.requirements, Requirement))
        if not any(place.startswith(f"{path}.requirements[{index}]") for place in wrong)
    )
    labels = {key: value for key, value in pool.labels.items() if f"{path}.labels[{key!r}]" not in wrong}
    yield from contradictions(requirements, labels, path)


def _count_problems(pool: NodePool, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    count = len(pool.requirements)
    if version not in _HUNDRED_REQUIREMENTS and count > _FEW_REQUIREMENTS:
        window = _HUNDRED_REQUIREMENTS
        yield Problem(
            f"{path}.requirements",
            f"must have at most {_FEW_REQUIREMENTS} items, has {count}; more {window.requirement(version)}",
        )
    elif version in since("0.32") and count + len(pool.labels) > _MOST_CONSTRAINTS:
        yield Problem(
            f"{path}.requirements",
            f"requirements and labels must be at most {_MOST_CONSTRAINTS} together, there are {count} and "
            f"{len(pool.labels)}; drop some",
        )


def _taint_problems(pool: NodePool, path: str) -> Iterator[Problem]:
    seen: dict[tuple[str, str], str] = {}
    for field in ("taints", "startup_taints"):
        for index, taint in enumerate(known_items(getattr(pool, field), Taint)):
            here = f"{field}[{index}]"
            first = seen.setdefault((taint.key, str(taint.effect)), here)
            if first != here:
                yield Problem(
                    f"{path}.{here}", f"has the key and the effect of `{first}`, got {taint!r}; keep one"
                )


def _disruption_problems(
    disruption: Disruption | None, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    if disruption is None:
        return
    yield from broken(_DISRUPTION_RULES, disruption, path, version)
    for index, budget in enumerate(known_items(disruption.budgets, Budget)):
        here = f"{path}.budgets[{index}]"
        yield from broken(_BUDGET_RULES, budget, here, version)
        mixed = re.fullmatch(r"\d+h\d+m(0s)?", budget.duration or "")
        if mixed and version in since("0.34") and version not in _HOURS_AND_MINUTES:
            requirement = _HOURS_AND_MINUTES.requirement(version)
            yield Problem(
                f"{here}.duration", f"hours and minutes together {requirement}, got {budget.duration!r}"
            )


def _kubelet_problems(
    pool: NodePool, node_class: EC2NodeClass | None, path: str, version: KarpenterVersion
) -> Iterator[Problem]:
    yield from kubelet_problems(pool.kubelet, f"{path}.kubelet", version)
    if pool.kubelet is None or version not in _KUBELET_IN_CLASS:
        return
    if node_class is None or node_class.kubelet != pool.kubelet:
        yield Problem(
            f"{path}.kubelet",
            "belongs to the node class from Karpenter 1.0.0, where all pools of a class share it; "
            "give it to the EC2NodeClass, and pools that differ a class each",
        )
