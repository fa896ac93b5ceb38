"""A thousand node pools in the pure core: made, checked, rendered, and looked at side by side."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Memory is that of the whole process, Python and pydantic included. Not getrusage's: that counts its parent's too.
PROGRAM = """
import gc
import os
import sys
from pathlib import Path
from karpenter_construct._checks import check_fleet
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct._node_objects.defaults import NodeDefaults
from karpenter_construct._node_objects.objects import NodeObjects
from karpenter_construct.node_pool import Disruption, NodePool, Taint
from karpenter_construct.releases import KarpenterVersion
from karpenter_construct.requirements import CAPACITY_TYPE, INSTANCE_CATEGORY, INSTANCE_GENERATION, Gt, In
from karpenter_construct.selector_terms import SecurityGroupSelectorTerm, SubnetSelectorTerm

defaults = NodeDefaults(
    subnet_selector_terms=(SubnetSelectorTerm(id="subnet-1"),),
    security_group_selector_terms=(SecurityGroupSelectorTerm(id="sg-1"),),
    instance_profile="nodes",
)


def pool(number):
    return NodePool(
        name=f"p{number}",
        labels={"example.com/team": f"t{number}"},
        taints=[Taint(key="example.com/team", value=f"t{number}", effect="NoSchedule")],
        requirements=[In(CAPACITY_TYPE, "spot"), In(INSTANCE_CATEGORY, "c", "m"), Gt(INSTANCE_GENERATION, 5)],
        disruption=Disruption(consolidation_policy="WhenEmpty", consolidate_after="30s"),
        limits={"cpu": 100, "memory": "400Gi"},
        weight=number % 100 + 1,
    )


pools = [pool(number) for number in range(1000)]
# Each release has a process of its own, whose peak begins at what the pools take, and which ends without tidying up.
gc.freeze()
for release in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    version = KarpenterVersion.parse(release)
    rendered = NodeObjects(version, defaults).rendered(
        [EC2NodeClass(name="default", ami_family="AL2"), *pools]
    )
    check_fleet(pools, [rendered[0].model], version, region="eu-west-1")
    status = Path("/proc/self/status").read_text().splitlines()
    (peak,) = [line.split()[1] for line in status if line.startswith("VmHWM")]
    print(len(rendered), rendered[-1].id, int(peak) < 100 * 1024 or peak, flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux says what a process took at most"
)
def test_takes_less_than_100_megabytes():
    command = [sys.executable, "-c", PROGRAM, "0.31.5", "0.37.8", "1.14.1"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert ended.stdout.splitlines() == [
        "1001 Provisioner-p999 True",
        "1001 NodePool-p999 True",
        "1001 NodePool-p999 True",
    ]
