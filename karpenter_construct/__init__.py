"""Karpenter on Amazon EKS as an AWS CDK construct: every release, every kind of cluster, checked at synth."""

import lazy_loader

# The names are in __init__.pyi, each imported when it is asked for: no command of the command line needs the CDK, and
# not every one the models.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
