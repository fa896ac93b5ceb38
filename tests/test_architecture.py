"""The structure that docs/architecture.md describes holds."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "karpenter_construct"
FILES = sorted(path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py"))

KNOWS_THE_CDK = (
    "_resources",
    "_cluster",
    "_applying",
    "_wiring",
    "karpenter",
    "node_constructs",
    "cdk8s",
)
"""Modules of the package that may import the CDK; everything else is plain Python."""

ORDERS_VERSIONS = {
    "karpenter_construct/releases.py": "of Karpenter",
    "karpenter_construct/_upstream/kubernetes.py": "of Kubernetes",
    "karpenter_construct/_decisions/cluster_cautions.py": "of the CDK and of the kubectl layer",
    "karpenter_construct/_resources/lambda_handler/upgrade_guard.py": "of Karpenter, in Lambda",
}
"""The files that may ask which version is newer, and of what."""

ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
VERSION_WORDS = ("version", "release", "minor", "patch")

MOST_LINES = 300
TABLES = {
    "karpenter_construct/_upstream/controller_statements.py": "the IAM statements of the controller",
    "karpenter_construct/_upstream/instance_types.py": "the instance families of EC2",
}
"""Files that may be longer, because they are a table, and of what."""


def module_name(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def knows_the_cdk(file: str) -> bool:
    return any(f"{module_name(file)}.".startswith(f"karpenter_construct.{name}.") for name in KNOWS_THE_CDK)


PURE_MODULES = [module_name(file) for file in FILES if not knows_the_cdk(file)]


def printed(program: str, *arguments: str, folder: Path = ROOT) -> str:
    """What a fresh Python prints that runs ``program`` in ``folder``."""
    command = [sys.executable, "-c", program, *arguments]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.strip()


def test_import_contracts_hold():
    # Not in this process: it would turn off every logger that other tests listen to.
    program = (
        "import sys; from importlinter.cli import lint_imports_command; lint_imports_command(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, "--no-cache"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_pure_modules_import_neither_the_cdk_nor_what_starts_it():
    program = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]: importlib.import_module(name)\n"
        "print(*sorted({'aws_cdk', 'constructs', 'jsii', 'cdk8s', 'boto3'} & set(sys.modules)))"
    )
    assert printed(program, *PURE_MODULES) == ""


def test_importing_the_construct_loads_no_module_of_the_cdk_that_the_cluster_has_not_loaded():
    # aws_lambda alone would take 40 ms; what a construct needs besides, it finds in `cdk.aws_…` when it is built.
    program = (
        "import sys; from aws_cdk import aws_eks; there = set(sys.modules)\n"
        "from karpenter_construct import Karpenter, KarpenterNodePool\n"
        "print(*sorted(name for name in set(sys.modules) - there if name.startswith('aws_cdk.')))"
    )
    assert printed(program) == ""


def test_only_releases_orders_versions_of_karpenter():
    found = [
        f"{file}:{node.lineno}: {compared}"
        for file in FILES
        if file not in ORDERS_VERSIONS
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare) and any(isinstance(op, ORDER) for op in node.ops)
        if any(word in (compared := ast.unparse(node)) for word in VERSION_WORDS)
    ]
    assert found == []


def lines(file: str) -> int:
    return len((ROOT / file).read_text(encoding="utf-8").splitlines())


def test_files_are_no_longer_than_a_reader_holds_in_mind():
    assert {file: lines(file) for file in FILES if file not in TABLES and lines(file) > MOST_LINES} == {}


def test_fails_to_excuse_a_short_file():
    assert [file for file in TABLES if lines(file) <= MOST_LINES] == []


def test_lambda_handler_imports_only_what_the_lambda_runtime_has():
    program = (
        "import sys, boto3, botocore.exceptions\n"
        "there = set(sys.modules)\n"
        "import lambda_handler.index\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - there}\n"
        "print(*sorted(new - set(sys.stdlib_module_names)))"
    )
    assert printed(program, folder=PACKAGE / "_resources") == "lambda_handler"
