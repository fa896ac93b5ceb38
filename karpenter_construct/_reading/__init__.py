"""Reads the node objects of YAML files, of any generation of Karpenter's API, into models in v1's words."""
