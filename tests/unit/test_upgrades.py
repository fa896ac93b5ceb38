"""Steps between releases that must not be made."""

import pytest

from karpenter_construct._upstream.upgrades import check_upgrade
from karpenter_construct.releases import KarpenterVersion


def check(origin, target):
    problem = check_upgrade(KarpenterVersion.parse(origin), KarpenterVersion.parse(target))
    return None if problem is None else str(problem)


ALPHA = (
    "0.33 and later do not know the Provisioners, AWSNodeTemplates and Machines of the cluster; install "
    "0.32.10 first, "
    "replace them by NodePools and EC2NodeClasses, then go on"
)
TO_V1 = "1.0 converts the objects of 0.33 to 0.37 only; install 0.37.8 first"
PAST_V1BETA1 = (
    "1.1 and later do not know v1beta1, which 1.0 converts; install 1.0.14 first, and go on once "
    "`status.storedVersions` of its CRDs is [v1]"
)
BACK_TO_0_31 = (
    "only 0.31.4 and later handle a cluster that has had NodePools and EC2NodeClasses; go back to 0.31.5"
)
BACK_TO_ALPHA = (
    "releases before 0.32 do not know the NodePools and EC2NodeClasses of the cluster; go back to 0.32.10 at "
    "most"
)
OLD_HASH = (
    "older patches hash node pools in another way and would replace every node; go back to the newest patch "
    "of that "
    "line"
)
BACK_FROM_1_0 = (
    "only the last patches of 0.33 to 0.37 convert the objects that 1.0 stored as v1; go back to 0.33.12, "
    "0.34.13, "
    "0.35.12, 0.36.9 or 0.37.8"
)
BACK_PAST_V1BETA1 = (
    "releases before 1.0 take v1beta1, which 1.1 and later removed from the CRDs; stay on 1.0 or later"
)


@pytest.mark.parametrize(
    ("origin", "target", "reason"),
    [
        ("0.31.5", "0.33.0", ALPHA),
        ("0.30.0-rc.0", "1.14.1", ALPHA),
        ("0.32.10", "1.0.0", TO_V1),
        ("0.32.0", "1.14.1", TO_V1),
        ("0.33.0", "1.1.0", PAST_V1BETA1),
        ("0.37.8", "1.14.1", PAST_V1BETA1),
        ("0.32.0", "0.31.3", BACK_TO_0_31),
        ("0.32.10", "0.30.0", BACK_TO_0_31),
        ("0.33.0", "0.31.3", BACK_TO_ALPHA),
        ("0.33.0", "0.31.5", BACK_TO_ALPHA),
        ("1.14.1", "0.31.5", BACK_TO_ALPHA),
        ("0.36.0", "0.32.8", OLD_HASH),
        ("0.36.0", "0.33.3", OLD_HASH),
        ("0.37.8", "0.34.3", OLD_HASH),
        ("0.37.8", "0.35.2", OLD_HASH),
        ("1.0.0", "0.32.8", BACK_FROM_1_0),
        ("1.0.14", "0.32.10", BACK_FROM_1_0),
        ("1.0.14", "0.33.11", BACK_FROM_1_0),
        ("1.0.0", "0.34.12", BACK_FROM_1_0),
        ("1.0.0", "0.35.11", BACK_FROM_1_0),
        ("1.0.0", "0.36.8", BACK_FROM_1_0),
        ("1.0.0", "0.37.6", BACK_FROM_1_0),
        ("1.1.0", "0.37.8", BACK_PAST_V1BETA1),
        ("1.14.1", "0.33.12", BACK_PAST_V1BETA1),
    ],
)
def test_fails_a_step_that_breaks_the_cluster(origin, target, reason):
    assert check(origin, target) == f"`version`: cannot go from {origin} to {target} in one step: {reason}"


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        ("1.14.1", "1.14.1"),
        ("0.30.0", "0.31.5"),
        ("0.30.0", "0.32.10"),
        ("0.32.10", "0.31.4"),
        ("0.32.10", "0.33.0"),
        ("0.32.10", "0.37.8"),
        ("0.33.0", "0.32.0"),
        ("0.33.0", "1.0.14"),
        ("0.37.8", "1.0.0"),
        ("0.36.0", "0.32.9"),
        ("0.36.0", "0.33.4"),
        ("0.37.8", "0.34.5"),
        ("0.37.8", "0.35.4"),
        ("0.35.12", "0.33.3"),
        ("1.0.14", "0.33.12"),
        ("1.0.14", "0.34.13"),
        ("1.0.14", "0.35.12"),
        ("1.0.14", "0.36.9"),
        ("1.0.14", "0.37.7"),
        ("1.0.14", "1.1.0"),
        ("1.0.0", "1.14.1"),
        ("1.1.0", "1.14.1"),
        ("1.14.1", "1.1.0"),
        ("1.1.0", "1.0.14"),
    ],
)
def test_a_step_that_can_be_made(origin, target):
    assert check(origin, target) is None
