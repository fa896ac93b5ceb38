"""The node objects of one Karpenter, as plain data: what they leave open filled in, checked, rendered."""
