"""Node objects and other manifests, applied to the cluster of a Karpenter."""
