"""The table of deliberate differences is sound; that each row still applies is tested where it is used."""

import pytest

from karpenter_construct.releases import since, until
from tests.contract.deviations import ABSENT, DEVIATIONS, Deviation, agreed


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda row: f"{row.area}: {row.place}")
def test_a_deviation_differs_and_touches_some_tag(deviation):
    assert deviation.ours != deviation.upstream
    assert deviation.tags
    assert deviation.reason


def test_areas_are_all_compared():
    assert {deviation.area for deviation in DEVIATIONS} >= {"controller policy", "queue policy"}


def test_fails_when_upstream_says_something_else_where_we_deviate():
    with pytest.raises(AssertionError, match=r"AllowPassingInstanceRole\.Resource is now 'absent' upstream"):
        agreed("controller policy", "v0.30.0", {})


def test_tags_are_those_of_the_window():
    deviation = Deviation("a", "p", until("0.31") | since("1.14"), ABSENT, "ours", "reason")
    assert deviation.tags == ("v0.30.0-rc.0", "v0.30.0", "v1.14.1")
