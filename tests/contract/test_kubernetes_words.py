"""Names, quantities and schedules are read as Kubernetes and Karpenter read them."""

from __future__ import annotations

import pytest

from tests.contract.kubernetes_words import (
    is_label_value,
    is_qualified_name,
    is_schedule,
    is_subdomain,
    quantity,
)


@pytest.mark.parametrize("text", ["@daily", "0 9 * * mon-fri", "*/15 0-6,18-23 1 jan ?", "TZ=UTC 0 0 * * 0"])
def test_schedules(text):
    assert is_schedule(text)


@pytest.mark.parametrize(
    "text", ["@noon", "0 9 * *", "60 9 * * *", "0 9 * * 7", "0 9 * * fri-mon", "*/0 * * * *"]
)
def test_fails_as_no_schedule(text):
    assert not is_schedule(text)


def test_quantities():
    assert [quantity(text) for text in ("1500m", "20Gi", "1e3", "2E", 5)] == [
        1.5,
        20 * 2**30,
        1000,
        2 * 10**18,
        5,
    ]
    assert [quantity(text) for text in ("", "1 Gi", "1ki", "-")] == [None] * 4


def test_names():
    assert [is_subdomain(name) for name in ("a", "gpu.large", "123", "a" * 253)] == [True] * 4
    assert [is_subdomain(name) for name in ("", "A", "a_b", ".a", "a" * 254)] == [False] * 5
    assert [is_qualified_name(key) for key in ("a", "example.com/A_b", "a" * 63)] == [True] * 3
    assert [is_qualified_name(key) for key in ("", "/a", "example.com/", "a/b/c", "a" * 64)] == [False] * 5
    assert [is_label_value(value) for value in ("", "a.b_c", "a" * 63)] == [True] * 3
    assert [is_label_value(value) for value in ("-a", "a!", "a" * 64)] == [False] * 3
