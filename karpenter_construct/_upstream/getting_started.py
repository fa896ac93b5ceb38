"""What Karpenter's getting-started guide uses."""

from __future__ import annotations

PAUSE_IMAGE = "public.ecr.aws/eks-distro/kubernetes/pause:3.7"
"""An image that does nothing, for amd64 and arm64."""
