"""Package metadata; how the tools are set up is in ``pyproject.toml``."""

from pathlib import Path

from setuptools import find_packages, setup

# What app.py needs beside the library: the kubectl that fits the Kubernetes version of each cluster.
APP = ["aws-cdk.lambda-layer-kubectl-v26>=2,<3", "aws-cdk.lambda-layer-kubectl-v36>=2,<3"]

CDK8S = ["cdk8s>=2,<3"]

# requirements-dev.txt has the exact versions; `make lock` writes it from these.
DEV = [
    "boto3",
    "build",
    "cdk-nag>=3",
    "cel-python",
    "cfn-lint",
    "common-expression-language; python_version >= '3.11'",
    "hypothesis",
    "import-linter",
    "jsonschema",
    "moto>=5",
    "mypy",
    "parliament",
    "pytest",
    "pytest-cov",
    "pytest-xdist",
    "ruff",
    "setuptools>=77,<81",  # parliament imports pkg_resources, which 81 dropped
    "twine",
    "types-PyYAML",
    "types-boto3[ec2,eks,iam]",
]

setup(
    name="karpenter-construct",
    version="0.1.0",
    description="Karpenter on Amazon EKS as an AWS CDK construct: any release, any cluster, checked at synth",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license_expression="Apache-2.0",
    license_files=["LICENSE"],
    keywords=["aws", "cdk", "eks", "karpenter", "kubernetes"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Framework :: AWS CDK",
        "Framework :: AWS CDK :: 2",
        "Intended Audience :: Developers",
        "Intended Audience :: System Administrators",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Programming Language :: Python :: 3.14",
        "Topic :: Software Development :: Libraries :: Python Modules",
        "Topic :: System :: Clustering",
        "Typing :: Typed",
    ],
    python_requires=">=3.10",
    packages=find_packages(include=["karpenter_construct", "karpenter_construct.*"]),
    package_data={
        "karpenter_construct": ["py.typed", "*.pyi"],
        "karpenter_construct._resources": ["lambda_handler/*.py"],
    },
    entry_points={"console_scripts": ["karpenter-construct = karpenter_construct.cli:main"]},
    install_requires=[
        "aws-cdk-lib>=2.148,<3",
        "constructs>=10,<11",
        "lazy_loader>=0.4,<1",
        "packaging>=23,<27",
        "pydantic>=2,<3",
        "PyYAML>=6,<7",
        "typing_extensions>=4.4,<5",
    ],
    extras_require={"app": APP, "cdk8s": CDK8S, "dev": DEV},
)
