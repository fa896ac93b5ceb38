"""Package metadata."""

from pathlib import Path

from setuptools import find_packages, setup

setup(
    name="karpenter-construct",
    version="0.1.0",
    description="Karpenter on Amazon EKS as an AWS CDK construct: every release, every kind of cluster, checked at synth",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.10",
    packages=find_packages(include=["karpenter_construct", "karpenter_construct.*"]),
    package_data={"karpenter_construct": ["py.typed"]},
    install_requires=[
        "aws-cdk-lib>=2.148,<3",
        "constructs>=10,<11",
        "packaging>=23,<27",
        "pydantic>=2,<3",
        "PyYAML>=6,<7",
    ],
)
