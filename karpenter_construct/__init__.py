"""Karpenter on Amazon EKS as an AWS CDK construct."""
