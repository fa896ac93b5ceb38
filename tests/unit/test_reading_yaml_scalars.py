"""What unquoted words of YAML stand for in Kubernetes (sigs.k8s.io/yaml, goyaml.v2)."""

from __future__ import annotations

import math

import pytest

from karpenter_construct._reading.yaml_scalars import resolve, stays_text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("True", True),
        ("yes", True),
        ("on", True),
        ("y", True),
        ("false", False),
        ("no", False),
        ("No", False),
        ("OFF", False),
        ("n", False),
        ("", None),
        ("~", None),
        ("null", None),
        ("0", 0),
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("1_000", 1000),
        ("017", 15),
        ("0o17", 15),
        ("-017", -15),
        ("0x1F", 31),
        ("0b101", 5),
        ("08", 8),
        ("1e3", 1000),
        ("1E3", 1000),
        ("3.0", 3),
        ("5.", 5),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-1.5e-3", -0.0015),
        ("18446744073709551615", 18446744073709551615),
        ("18446744073709551616", 18446744073709551616.0),
        ("1e21", 1e21),
        (".inf", math.inf),
        ("-.inf", -math.inf),
    ],
)
def test_word_is_a_value(text, value):
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)
    assert not stays_text(text)


def test_not_a_number_is_one():
    assert math.isnan(resolve(".nan"))


@pytest.mark.parametrize(
    "text",
    [
        "t3.medium",
        "nO",
        "tRUE",
        "yess",
        "Never",
        "720h",
        "10%",
        "16Gi",
        "2026-01-31",
        "2026-01-31T12:00:00Z",
        "1:20",
        "1.2.3",
        "0x",
        "0b12",
        "0o8",
        "-",
        "+",
        ".",
        "_1",
        "1e",
        "1e999",
        "al2023@latest",
        "0 9 * * mon-fri",
        "<<",
        "=",
        "9" * 65,
    ],
)
def test_word_is_text(text):
    assert resolve(text) == text
    assert stays_text(text)
