"""Node pools for Argo CD or Flux: ``python -m examples.gitops_cdk8s`` writes them to ``dist/nodes.k8s.yaml``.

No CDK is needed for that. What is in AWS, the roles, the queue and the tags, comes from a `Karpenter` with
``install_chart=False``, whose ``chart_values`` are for the Helm chart that Argo CD or Flux installs.
"""

import cdk8s

from karpenter_construct import CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION, Disruption, Gt, In
from karpenter_construct.cdk8s import KarpenterChart

MODERN = [In(INSTANCE_CATEGORY, "c", "m", "r"), Gt(INSTANCE_GENERATION, 5)]


def build(app: cdk8s.App) -> KarpenterChart:
    """Spot nodes first, on-demand nodes where there are none."""
    chart = KarpenterChart(
        app,
        "nodes",
        version="1.14.1",
        cluster_name="prod",
        node_role="KarpenterNodeRole-prod",
        kubernetes_version="1.36",
    )
    general = chart.add_node_class("general", ami="al2023@v20260810")
    for capacity_type, weight in (("spot", 20), ("on-demand", 10)):
        chart.add_node_pool(
            capacity_type,
            node_class=general,
            weight=weight,
            requirements=[In(CAPACITY_TYPE, capacity_type), *MODERN],
            disruption=Disruption(consolidate_after="5m"),
            limits={"cpu": 200},
        )
    return chart


if __name__ == "__main__":
    app = cdk8s.App()
    build(app)
    app.synth()
