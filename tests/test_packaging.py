"""What a user gets from the package index: the metadata, and every file."""

import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD_A_WHEEL = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    # Built from a copy: setuptools leaves a build folder where it works.
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(
        ROOT / "karpenter_construct",
        folder / "karpenter_construct",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    subprocess.run([sys.executable, "-c", BUILD_A_WHEEL, "."], cwd=folder, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def read(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = [path for path in wheel.namelist() if path.endswith(f".dist-info/{name}")]
    return wheel.read(path).decode()


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return Parser().parsestr(read(wheel, "METADATA"))


def test_name_licence_and_python(metadata):
    assert metadata["Name"] == "karpenter-construct"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.10"


def test_needs_the_cdk_and_little_else(metadata):
    needed = [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line]
    assert sorted(needed) == [
        "PyYAML<7,>=6",
        "aws-cdk-lib<3,>=2.148",
        "constructs<11,>=10",
        "lazy_loader<1,>=0.4",
        "packaging<27,>=23",
        "pydantic<3,>=2",
        "typing_extensions<5,>=4.4",
    ]


def test_extras(metadata):
    assert metadata.get_all("Provides-Extra") == ["app", "cdk8s", "dev"]


def test_is_found_as_a_typed_cdk_library(metadata):
    assert {"Framework :: AWS CDK :: 2", "Typing :: Typed"} <= set(metadata.get_all("Classifier"))


def test_command_line(wheel):
    assert read(wheel, "entry_points.txt").splitlines() == [
        "[console_scripts]",
        "karpenter-construct = karpenter_construct.cli:main",
    ]


def test_wheel_has_every_file_of_the_package_and_no_other(wheel):
    package = ROOT / "karpenter_construct"
    files = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    shipped = [path for path in wheel.namelist() if ".dist-info/" not in path]
    assert sorted(shipped) == sorted(path.relative_to(ROOT).as_posix() for path in files)


def test_wheel_has_the_marker_of_typed_packages_and_the_lambda_handler(wheel):
    assert {
        "karpenter_construct/py.typed",
        "karpenter_construct/_resources/lambda_handler/index.py",
    } <= set(wheel.namelist())
