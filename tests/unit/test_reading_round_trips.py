"""Whole files of each generation: what they convert to, and that this stays so when it is read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from karpenter_construct.cli import main

MANIFESTS = Path(__file__).parent / "manifests"
CONVERTED = sorted(path.stem for path in (MANIFESTS / "converted").iterdir())


def converted(capsys, path, release):
    status = main(["convert", str(path), "--to", release, "--node-role", "nodes"])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return captured.out


def test_every_generation_is_converted():
    assert CONVERTED == [
        "v1-portable-to-0.31.5",
        "v1-portable-to-0.37.8",
        "v1-portable-to-1.14.1",
        "v1alpha5-to-0.31.5",
        "v1alpha5-to-0.32.10",
        "v1alpha5-to-0.37.8",
        "v1alpha5-to-1.14.1",
        "v1beta1-to-0.37.8",
        "v1beta1-to-1.14.1",
    ]


@pytest.mark.parametrize("name", CONVERTED)
def test_file_converts_to(name, capsys):
    generation, _, release = name.rpartition("-to-")
    expected = (MANIFESTS / "converted" / f"{name}.yaml").read_text(encoding="utf-8")
    assert converted(capsys, MANIFESTS / f"{generation}.yaml", release) == expected


@pytest.mark.parametrize("name", CONVERTED)
def test_converted_file_converts_to_itself(name, capsys):
    path = MANIFESTS / "converted" / f"{name}.yaml"
    release = name.rpartition("-to-")[2]
    assert converted(capsys, path, release) == path.read_text(encoding="utf-8")


def test_file_with_every_field_of_v1_is_written_as_it_was(capsys):
    path = MANIFESTS / "v1.yaml"
    assert converted(capsys, path, "1.14.1") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("generation", ["v1alpha5", "v1beta1"])
def test_way_through_the_generations_ends_where_the_direct_one_does(generation, capsys, tmp_path):
    steps = {"v1alpha5": ["0.32.10", "0.37.8"], "v1beta1": ["0.37.8"]}[generation]
    path = MANIFESTS / f"{generation}.yaml"
    for step in steps:
        text = converted(capsys, path, step)
        path = tmp_path / f"{step}.yaml"
        path.write_text(text, encoding="utf-8")
    expected = (MANIFESTS / "converted" / f"{generation}-to-1.14.1.yaml").read_text(encoding="utf-8")
    assert converted(capsys, path, "1.14.1") == expected


@pytest.mark.parametrize(
    ("path", "release"),
    [
        ("v1alpha5.yaml", "0.32.10"),
        ("v1.yaml", "1.14.1"),
        ("converted/v1beta1-to-0.37.8.yaml", "0.37.8"),
        ("converted/v1beta1-to-1.14.1.yaml", "1.14.1"),
    ],
)
def test_check_finds_nothing(path, release, capsys):
    complete = ["--converted"] if path == "v1alpha5.yaml" else []
    status = main(["check", str(MANIFESTS / path), "--version", release, *complete])
    assert (status, capsys.readouterr().out) == (0, "")
