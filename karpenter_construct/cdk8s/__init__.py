"""Node objects as YAML, for Argo CD or Flux: a chart of cdk8s. Needs the extra ``karpenter-construct[cdk8s]``.

CDK itself is needed only where a chart is put into a CDK stack, by `apply_chart`.
"""

import importlib.util

if importlib.util.find_spec("cdk8s") is None:
    raise ImportError(
        "karpenter_construct.cdk8s needs the package cdk8s; run pip install 'karpenter-construct[cdk8s]'"
    )

from .chart import KarpenterChart, KarpenterWarning, apply_chart

__all__ = ["KarpenterChart", "KarpenterWarning", "apply_chart"]
