"""`make facts` says of known releases what is known of them."""

import facts
import pytest

from tests.contract import upstream


@pytest.fixture
def report():
    files = facts.open_upstream(upstream.root())

    def lines(old, new):
        return facts.report(files, old, new).splitlines()

    return lines


def section(lines, title):
    """The lines of one section of a report."""
    start = lines.index(title) + 1
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:end]


def test_1_14_brings_capacity_buffers_and_balanced_consolidation(report):
    lines = report("v1.13.1", "v1.14.1")
    assert section(lines, "Controller policies") == ["  nothing"]
    assert section(lines, "Node role, queue and event rules") == ["  nothing"]
    assert section(lines, "Chart values") == [
        "  + settings.featureGates.capacityBuffer",
        "      + default false",
    ]
    crds = section(lines, "CRDs")
    assert crds[-2:] == ["  ~ NodePool v1 spec.disruption.consolidationPolicy", "      + enum Balanced"]
    assert {line.split()[1] for line in crds[:-2] if not line.startswith("   ")} == {"CapacityBuffer"}
    assert {line.split()[3] for line in crds[:-2] if not line.startswith("   ")} >= {
        "spec.limits.*",
        "spec.percentage",
        "spec.podTemplateRef.name",
        "spec.replicas",
    }


def test_1_9_splits_the_policy_and_brings_gte_and_lte(report):
    lines = report("v1.8.8", "v1.9.2")
    policies = section(lines, "Controller policies")
    assert policies.count("      - of KarpenterControllerPolicy") == 17
    assert policies[policies.index("  ~ AllowPassingInstanceRole") + 2] == "      + of IAMIntegrationPolicy"
    assert "      - Resource arn:${AWS::Partition}:ec2:${AWS::Region}:*:capacity-reservation/*" in policies
    crds = section(lines, "CRDs")
    operator = crds.index("  ~ NodePool v1 spec.template.spec.requirements[].operator")
    assert crds[operator + 1 : operator + 3] == ["      + enum Gte", "      + enum Lte"]
    assert '      + lists "karpenter.k8s.aws/instance-tenancy"' in crds


def test_1_10_brings_an_event_rule(report):
    assert section(report("v1.9.2", "v1.10.2"), "Node role, queue and event rules") == [
        "  + eventRules CapacityReservationInterruptionRule",
        '      + detail-type[] = "EC2 Capacity Reservation Instance Interruption Warning"',
        '      + source[] = "aws.ec2"',
    ]


def test_0_32_brings_node_pools_and_drops_the_instance_profile(report):
    lines = report("v0.31.5", "v0.32.10")
    assert section(lines, "Node role, queue and event rules") == ["  - instanceProfile"]
    crds = section(lines, "CRDs")
    assert "  + NodePool v1beta1 spec" in crds
    assert "  + EC2NodeClass v1beta1 spec" in crds


def test_1_1_drops_v1beta1(report):
    crds = section(report("v1.0.14", "v1.1.10"), "CRDs")
    assert "  - NodePool v1beta1 spec" in crds
