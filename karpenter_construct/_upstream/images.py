"""The image that nodes get where nobody chooses one."""

from __future__ import annotations

from ..releases import KarpenterVersion, since, until

# 0.35 is the first release with the family AL2023 (pkg/apis/v1beta1/ec2nodeclass.go).
_DEFAULT_ALIASES = ((until("0.35"), "al2@latest"), (since("0.35"), "al2023@latest"))


def default_ami_alias(version: KarpenterVersion) -> str:
    """The newest Amazon Linux that the release knows, as an AMI alias."""
    return next(alias for window, alias in _DEFAULT_ALIASES if version in window)
