"""The table of the README."""

from karpenter_construct._upstream.compatibility_table import compatibility_table


def test_the_whole_table():
    assert compatibility_table().splitlines() == [
        "| Karpenter | API | kinds written | identity | Kubernetes |",
        "|---|---|---|---|---|",
        "| 0.30.0 | v1alpha5 | Provisioner, AWSNodeTemplate | IRSA | 1.23 to 1.27 |",
        "| 0.31.0 to 0.31.5 | v1alpha5 | Provisioner, AWSNodeTemplate | IRSA | 1.23 to 1.28 |",
        "| 0.32.0 to 0.32.1 | v1beta1 | NodePool, EC2NodeClass | IRSA | 1.23 to 1.28 |",
        "| 0.32.2 to 0.33.12 | v1beta1 | NodePool, EC2NodeClass | IRSA or Pod Identity | 1.23 to 1.28 |",
        "| 0.34.0 to 0.36.9 | v1beta1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.23 to 1.29 |",
        "| 0.37.0 to 0.37.8 | v1beta1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.23 to 1.30 |",
        "| 1.0.0 to 1.0.4 | v1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.25 to 1.30 |",
        "| 1.0.5 to 1.1.10 | v1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.25 to 1.31 |",
        "| 1.2.0 to 1.4.4 | v1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.25 to 1.32 |",
        "| 1.5.0 to 1.5.8 | v1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.26 to 1.33 |",
        "| 1.6.0 to 1.6.8 | v1 | NodePool, EC2NodeClass | Pod Identity or IRSA | 1.26 to 1.34 |",
        "| 1.7.0 to 1.8.8 | v1 | NodePool, EC2NodeClass, NodeOverlay | Pod Identity or IRSA | 1.26 to 1.34 |",
        "| 1.9.0 to 1.12.2 | v1 | NodePool, EC2NodeClass, NodeOverlay | Pod Identity or IRSA | 1.26 to 1.35 "
        "|",
        "| 1.13.0 to 1.13.1 | v1 | NodePool, EC2NodeClass, NodeOverlay | Pod Identity or IRSA | 1.26 to 1.36 "
        "|",
        "| 1.14.0 to 1.14.1 | v1 | NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer | Pod Identity or "
        "IRSA "
        "| 1.26 to 1.36 |",
    ]
