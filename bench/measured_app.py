"""One measured run: a VPC, a cluster and, if asked for, Karpenter with a class and some pools.

Usage: ``python bench/measured_app.py baseline|bare|ours|peer POOLS FOLDER``. Synthesises into the folder and prints
what it took as one line of JSON: seconds by step, and MB. Every run is a process of its own, as ``cdk synth`` starts
one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks as eks
from aws_cdk.lambda_layer_kubectl_v36 import KubectlV36Layer

KARPENTER = "1.14.1"
AMI = "al2023@v20260810"

took: dict[str, float] = {}


@contextmanager
def timed(name: str) -> Iterator[None]:
    """Note how many seconds the block takes."""
    start = perf_counter()
    yield
    took[name] = perf_counter() - start


def ours(stack: cdk.Stack, cluster: eks.Cluster, pools: int) -> None:
    """Karpenter as this project's users write it."""
    with timed("import"):
        from karpenter_construct import In, Karpenter  # noqa: PLC0415 - its time is what is measured
    with timed("constructor"):
        karpenter = Karpenter(stack, "Karpenter", cluster=cluster, version=KARPENTER)
    with timed("class"):
        node_class = karpenter.add_node_class("default", ami=AMI)
    with timed("pools"):
        for number in range(pools):
            karpenter.add_node_pool(
                f"pool-{number}",
                node_class=node_class,
                requirements=[In("karpenter.sh/capacity-type", "on-demand")],
            )


def peer(stack: cdk.Stack, cluster: eks.Cluster, pools: int) -> None:
    """The same objects as the peer's users write them: it takes specs and has no defaults."""
    with timed("import"):
        from cdk_eks_karpenter import Karpenter  # noqa: PLC0415
    with timed("constructor"):
        karpenter = Karpenter(stack, "Karpenter", cluster=cluster, version=KARPENTER)
    discovered = [{"tags": {"karpenter.sh/discovery": cluster.cluster_name}}]
    with timed("class"):
        node_class = karpenter.add_ec2_node_class(
            "default",
            {
                # Upstream takes the family from the alias; the peer asks for it.
                "amiFamily": "AL2023",
                "amiSelectorTerms": [{"alias": AMI}],
                "subnetSelectorTerms": discovered,
                "securityGroupSelectorTerms": discovered,
                "role": karpenter.node_role.role_name,
            },
        )
    with timed("pools"):
        for number in range(pools):
            karpenter.add_node_pool(f"pool-{number}", _peer_pool(node_class["name"]))


def _peer_pool(node_class: str) -> dict[str, object]:
    requirement = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": node_class}
    return {
        "template": {
            "spec": {"nodeClassRef": reference, "requirements": [requirement], "expireAfter": "720h"}
        },
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
        "limits": {"cpu": 1000},
    }


def bare(stack: cdk.Stack, cluster: eks.Cluster, pools: int) -> None:
    """The same resources with nothing behind them: the least that Python can take."""
    with timed("import"):
        from bare import BareKarpenter  # noqa: PLC0415
    with timed("constructor"):
        karpenter = BareKarpenter(stack, "Karpenter", cluster, handler=str(Path(__file__).parent))
    with timed("class"):
        karpenter.add("EC2NodeClass", "default")
    with timed("pools"):
        for number in range(pools):
            karpenter.add("NodePool", f"pool-{number}")


def baseline(_stack: cdk.Stack, _cluster: eks.Cluster, _pools: int) -> None:
    """No Karpenter: what the others are compared with."""


SUBJECTS: dict[str, Callable[[cdk.Stack, eks.Cluster, int], None]] = {
    "baseline": baseline,
    "bare": bare,
    "ours": ours,
    "peer": peer,
}


def _processes() -> dict[str, dict[str, str]]:
    found = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # it ended in between
            lines = path.read_text().splitlines()
            found[path.parent.name] = dict(line.split(":", 1) for line in lines if ":" in line)
    return found


def peak_memory() -> float:
    """Sum of the highest resident memory of this process and of the Node.js below it, in MB; Linux only."""
    processes = _processes()
    family = {str(os.getpid())}
    while more := {pid for pid, f in processes.items() if f["PPid"].strip() in family} - family:
        family |= more
    return sum(int(processes[pid]["VmHWM"].split()[0]) for pid in family) / 1024


def main() -> None:
    """Build, synthesise, report."""
    subject, pools, folder = sys.argv[1:]
    app = cdk.App(outdir=folder)
    stack = cdk.Stack(app, "Bench")
    cluster = eks.Cluster(
        stack,
        "Cluster",
        vpc=ec2.Vpc(stack, "Vpc", max_azs=2),
        version=eks.KubernetesVersion.V1_36,
        kubectl_layer=KubectlV36Layer(stack, "Kubectl"),
    )
    SUBJECTS[subject](stack, cluster, int(pools))
    with timed("synth"):
        app.synth()
    print(json.dumps({**took, "memory": peak_memory()}))


if __name__ == "__main__":
    main()
