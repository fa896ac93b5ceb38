"""Node objects as a chart of cdk8s, and such a chart in a CDK stack."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from aws_cdk import Stack, aws_iam
from aws_cdk.assertions import Template

from karpenter_construct import (
    CAPACITY_TYPE,
    INSTANCE_FAMILY,
    OS,
    In,
    Karpenter,
    SettingsError,
    SubnetSelectorTerm,
    UnsupportedVersionError,
)

from . import clusters, karpenters
from .node_manifests import applied, lines, manifests, waits_for
from .trees import Tree

cdk8s = pytest.importorskip("cdk8s", reason="the extra cdk8s is not installed")
from karpenter_construct.cdk8s import KarpenterChart, KarpenterWarning, apply_chart  # noqa: E402

ROOT = Path(__file__).parents[2]
IMAGE = "al2023@v20260810"


def chart(version: str = "1.14.1", **fields) -> KarpenterChart:
    given = {"cluster_name": "prod", "node_role": "nodes", **fields}
    return KarpenterChart(cdk8s.App(), "nodes", version=version, **given)


def written(made: KarpenterChart) -> list[dict]:
    """The objects as a file has them."""
    app = made.node.root
    assert isinstance(app, cdk8s.App)
    return list(yaml.safe_load_all(app.synth_yaml()))


def names(made: KarpenterChart) -> list[str]:
    return [f"{body['kind']} {body['metadata']['name']}" for body in written(made)]


# A chart by itself


def test_class_and_pool_are_written_in_the_words_of_the_release_without_suffix():
    made = chart()
    own = made.add_node_class("own", ami=IMAGE)
    made.add_node_pool("batch", node_class=own, requirements=[In(CAPACITY_TYPE, "spot")], limits={"cpu": 10})
    assert written(made) == [
        {
            "apiVersion": "karpenter.k8s.aws/v1",
            "kind": "EC2NodeClass",
            "metadata": {"name": "own"},
            "spec": {
                "subnetSelectorTerms": [{"tags": {"karpenter.sh/discovery": "prod"}}],
                "securityGroupSelectorTerms": [{"tags": {"karpenter.sh/discovery": "prod"}}],
                "amiSelectorTerms": [{"alias": "al2023@v20260810"}],
                "role": "nodes",
            },
        },
        {
            "apiVersion": "karpenter.sh/v1",
            "kind": "NodePool",
            "metadata": {"name": "batch"},
            "spec": {
                "template": {
                    "spec": {
                        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "own"},
                        "expireAfter": "720h",
                        "requirements": [
                            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}
                        ],
                    }
                },
                "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
                "limits": {"cpu": 10},
            },
        },
    ]


@pytest.mark.parametrize(
    ("version", "identity", "kinds"),
    [
        ("0.31.5", {"node_role": None}, ["AWSNodeTemplate c", "Provisioner p"]),
        ("0.37.8", {}, ["EC2NodeClass c", "NodePool p"]),
    ],
)
def test_an_older_release_has_its_own_kinds(version, identity, kinds):
    made = chart(version, **identity)
    made.add_node_class("c", ami="al2@latest")
    made.add_node_pool("p", node_class="c")
    with pytest.warns(KarpenterWarning, match="amiLatest"):
        assert names(made) == kinds


def test_a_class_comes_before_its_pools_in_whatever_order_they_are_added():
    made = chart()
    made.add_node_class("z", ami=IMAGE)
    made.add_node_class("a", ami=IMAGE)
    made.add_node_pool("p", node_class="a", weight=1)
    made.add_node_pool("q", node_class="z", weight=2)
    found = names(made)
    assert found.index("EC2NodeClass a") < found.index("NodePool p")
    assert found.index("EC2NodeClass z") < found.index("NodePool q")


def test_a_pool_without_a_class_gets_the_default_one():
    made = chart()
    made.add_node_pool("p")
    with pytest.warns(KarpenterWarning, match="amiLatest"):
        assert names(made) == ["EC2NodeClass default", "NodePool p"]


def test_subnets_groups_profile_taint_and_labels_are_those_that_were_given():
    made = chart(
        node_role=None,
        instance_profile="profile",
        subnet_selector_terms=[SubnetSelectorTerm(id="subnet-0a")],
        security_group_selector_terms=[{"id": "sg-0a"}],
        ebs_csi_startup_taint=True,
        labels={"team": "platform"},
    )
    made.add_node_class("c", ami=IMAGE)
    made.add_node_pool("p", node_class="c")
    node_class, pool = written(made)
    assert node_class["spec"]["subnetSelectorTerms"] == [{"id": "subnet-0a"}]
    assert node_class["spec"]["securityGroupSelectorTerms"] == [{"id": "sg-0a"}]
    assert node_class["spec"]["instanceProfile"] == "profile"
    assert "role" not in node_class["spec"]
    assert node_class["metadata"] == {"name": "c", "labels": {"team": "platform"}}
    assert pool["spec"]["template"]["spec"]["startupTaints"] == [
        {"key": "ebs.csi.aws.com/agent-not-ready", "effect": "NoExecute"}
    ]


def test_a_buffer_keeps_its_namespace_and_an_overlay_has_none():
    made = chart(feature_gates={"nodeOverlay": True, "capacityBuffer": True})
    made.add_node_overlay("cheap", price_adjustment="-10%")
    made.add_capacity_buffer("spare", namespace="shop", pod_template_ref={"name": "chunk"}, replicas=1)
    assert [body["metadata"] for body in written(made)] == [
        {"name": "cheap"},
        {"name": "spare", "namespace": "shop"},
    ]


def test_no_budgets_is_not_the_same_as_saying_nothing():
    made = chart()
    made.add_node_class("c", ami=IMAGE)
    made.add_node_pool("p", node_class="c", disruption={"consolidate_after": "1m", "budgets": []})
    assert written(made)[1]["spec"]["disruption"]["budgets"] == []


def test_manifests_are_read_and_what_changed_is_warned_of():
    made = chart()
    text = (
        "apiVersion: karpenter.sh/v1beta1\n"
        "kind: NodePool\n"
        "metadata: {name: old}\n"
        "spec:\n"
        "  template: {spec: {nodeClassRef: {name: c}, requirements: []}}\n"
        "  disruption: {expireAfter: 24h}\n"
    )
    made.add_node_class("c", ami=IMAGE)
    with pytest.warns(KarpenterWarning) as caught:
        (handle,) = made.add_manifests(text)
    assert handle.name == "old"
    assert [str(warning.message) for warning in caught] == [
        "<text>:6: spec.disruption.expireAfter: a node that expires is drained at once from Karpenter 1.0 on, whatever "
        "budgets say; terminationGracePeriod limits how long that takes [karpenter-construct:changedMeaning]"
    ]


def test_warnings_end_with_their_ids():
    made = chart()
    made.add_node_class("c", ami="al2023@latest")
    made.add_node_pool("p", node_class="c")
    with pytest.warns(KarpenterWarning) as caught:
        written(made)
    assert [str(warning.message) for warning in caught] == [
        "`node_classes['c'].ami`: 'al2023@latest' replaces all nodes whenever AWS publishes an image; pin it, as in "
        "'al2023@v20260810' [karpenter-construct:amiLatest]"
    ]


def refused(make) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        make()
    return lines(raised.value)


def test_fails_on_a_field_that_the_release_does_not_know_and_writes_nothing():
    made = chart("1.7.0")
    assert refused(lambda: made.add_node_pool("p", replicas=1, labels={"karpenter.sh/nodepool": "x"})) == [
        "`node_pools['p'].replicas`: needs Karpenter 1.8.0 or later, version is 1.7.0",
        "`node_pools['p'].labels['karpenter.sh/nodepool']`: label \"karpenter.sh/nodepool\" is restricted; leave it "
        "out, Karpenter sets it",
    ]
    assert written(made) == []


def test_fails_while_a_gate_is_off():
    assert refused(lambda: chart().add_node_overlay("o", price="1")) == [
        "`node_overlays['o']`: does nothing while the feature gate 'nodeOverlay' is off; pass "
        "feature_gates={'nodeOverlay': True}"
    ]


def test_fails_on_a_name_that_is_taken():
    made = chart()
    made.add_node_class("c")
    assert refused(lambda: made.add_node_class("c")) == [
        "`node_classes['c']`: is there already, as nodes/EC2NodeClass-c; give each its own name"
    ]


def test_fails_on_the_handle_of_another_chart():
    theirs = chart().add_node_class("c")
    assert refused(lambda: chart().add_node_pool("p", node_class=theirs)) == [
        "`node_pools['p'].node_class`: is the EC2NodeClass nodes/EC2NodeClass-c of another Karpenter; pass a node "
        "class of this one"
    ]


def test_fails_on_the_kubernetes_version_where_it_is_given():
    made = chart(kubernetes_version="1.33")
    assert refused(lambda: made.add_node_class("c", ami="al2@latest")) == [
        "`node_classes['c'].ami`: AL2 ends before Kubernetes 1.33, the cluster has 1.33; write 'al2023@latest'"
    ]


@pytest.mark.filterwarnings("ignore::karpenter_construct.cdk8s.KarpenterWarning")
def test_a_pool_takes_the_operating_system_of_its_class_and_what_its_labels_say():
    made = chart()
    made.add_node_class("w", ami="windows2022@latest")
    made.add_node_pool("p", node_class="w", labels={INSTANCE_FAMILY: "m7i"})
    made.node.root.synth()
    pool = next(each for each in made.to_json() if each["kind"] == "NodePool")
    assert pool["spec"]["template"]["spec"]["requirements"] == [
        {"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
    ]


@pytest.mark.filterwarnings("ignore::karpenter_construct.cdk8s.KarpenterWarning")
def test_fails_when_written_on_what_all_objects_get_wrong_together():
    made = chart()
    made.add_node_class("w", ami="windows2022@latest")
    made.add_node_pool("p", node_class="w", requirements=[In(OS, "linux")])
    with pytest.raises(RuntimeError) as raised:
        made.node.root.synth()
    assert "`node_pools['p'].requirements`: exclude the operating system 'windows'" in str(raised.value)


@pytest.mark.parametrize(
    ("version", "fields", "expected"),
    [
        (
            "1.14.1",
            {"node_role": None},
            ["`node_role`: is missing; give the name of the nodes' IAM role, or an instance_profile"],
        ),
        (
            "0.32.0",
            {"node_role": None},
            ["`node_role`: is missing; give the name of the nodes' IAM role, or an instance_profile"],
        ),
        (
            "0.31.5",
            {},
            ["`node_role`: needs Karpenter 0.32.0 or later, version is 0.31.5; give an instance_profile"],
        ),
        (
            "1.14.1",
            {"instance_profile": "profile", "feature_gates": {"driftEnabled": True}},
            [
                "`instance_profile`: cannot be beside node_role; give one of the two",
                "`feature_gates['driftEnabled']`: was removed in Karpenter 0.32.0, version is 1.14.1; leave it out",
            ],
        ),
        (
            "1.14.1",
            {
                "node_role": "arn:aws:iam::111122223333:role/nodes",
                "cluster_name": "",
                "subnet_selector_terms": [],
            },
            [
                "`KarpenterChart.cluster_name`: must not be empty, got ''",
                "`KarpenterChart.node_role`: must be the name of an IAM role, got "
                "'arn:aws:iam::111122223333:role/nodes'; give the name without ARN and path",
                "`KarpenterChart.subnet_selector_terms`: must have at least 1 item, has 0",
            ],
        ),
    ],
    ids=["no identity", "no identity, first", "role too early", "both", "three mistakes"],
)
def test_fails_on_arguments_that_cannot_work(version, fields, expected):
    app = cdk8s.App()
    given = {"cluster_name": "prod", "node_role": "nodes", **fields}
    assert refused(lambda: KarpenterChart(app, "nodes", version=version, **given)) == expected
    assert app.charts == []


def test_fails_on_a_release_that_cannot_be_installed():
    with pytest.raises(UnsupportedVersionError):
        chart("0.29.0")


def test_the_chart_needs_no_cdk():
    program = (
        "import sys\n"
        "from karpenter_construct.cdk8s import KarpenterChart\n"
        "import cdk8s\n"
        "chart = KarpenterChart(cdk8s.App(), 'n', version='1.14.1', cluster_name='prod', node_role='nodes')\n"
        "chart.add_node_pool('p')\n"
        "print('aws_cdk' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"


def test_fails_with_a_sentence_where_cdk8s_is_not_installed():
    program = (
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'cdk8s' else find(name, *rest)\n"
        "import karpenter_construct.cdk8s\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.stderr.splitlines()[-1] == (
        "ImportError: karpenter_construct.cdk8s needs the package cdk8s; run pip install 'karpenter-construct[cdk8s]'"
    )


def test_the_example_writes_its_file(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "examples.gitops_cdk8s"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    bodies = list(yaml.safe_load_all((tmp_path / "dist" / "nodes.k8s.yaml").read_text()))
    assert [f"{body['kind']} {body['metadata']['name']}" for body in bodies] == [
        "EC2NodeClass general",
        "NodePool spot",
        "NodePool on-demand",
    ]
    assert [body["spec"].get("weight") for body in bodies] == [None, 20, 10]
    assert bodies[0]["spec"]["role"] == "KarpenterNodeRole-prod"


# A chart in a CDK stack


def karpenter(build=clusters.imported_classic, version: str = "1.14.1", **fields) -> Karpenter:
    stack = clusters.stack()
    role = aws_iam.Role.from_role_name(stack, "Nodes", "nodes")
    return Karpenter(
        stack,
        "Karpenter",
        cluster=build(stack),
        version=version,
        **{**karpenters.ROLES_ALONE, "node_role": role, **fields},
    )


def filled(**fields) -> KarpenterChart:
    made = chart(**fields)
    own = made.add_node_class("own", ami=IMAGE)
    made.add_node_pool("batch", node_class=own, requirements=[In(CAPACITY_TYPE, "spot")])
    return made


every_module = pytest.mark.parametrize(
    "build",
    [clusters.classic_api, clusters.imported_classic]
    + ([clusters.v2, clusters.imported_v2] if clusters.HAS_EKS_V2 else []),
    ids=lambda build: build.__name__,
)


@every_module
def test_a_chart_is_applied_object_by_object_after_karpenter(build):
    installed = karpenter(build, install_chart=True)
    stack = Stack.of(installed)
    made = apply_chart(installed, filled(), to=installed)
    assert [one.node.path for one in made] == [
        "Test/Karpenter/EC2NodeClass-own",
        "Test/Karpenter/NodePool-batch",
    ]
    assert {"EC2NodeClass own", "NodePool batch"} <= set(applied(stack))
    assert "KarpenterEC2NodeClassown" in waits_for(stack, "NodePool", "batch")
    assert "KarpenterChart" in waits_for(stack, "EC2NodeClass", "own")


@every_module
def test_a_chart_is_applied_to_a_cluster(build):
    stack = clusters.stack()
    cluster = build(stack)
    team = Stack(stack.node.root, "Team")
    apply_chart(team, filled(), to=cluster)
    assert applied(team) == ["EC2NodeClass own", "NodePool batch"]
    assert waits_for(team, "NodePool", "batch") == ["EC2NodeClassown"]


def test_a_chart_in_the_stack_of_a_team_waits_for_that_of_karpenter():
    installed = karpenter()
    team = Stack(installed.node.root, "Team")
    apply_chart(team, filled(), to=installed)
    assert applied(team) == ["EC2NodeClass own", "NodePool batch"]
    Template.from_stack(team)
    assert team.dependencies == [Stack.of(installed)]


def test_what_was_patched_in_the_chart_is_applied():
    made = filled()
    pool = next(one for one in made.api_objects if one.kind == "NodePool")
    pool.add_json_patch(cdk8s.JsonPatch.add("/spec/weight", 7))
    pool.metadata.add_annotation("example.com/owner", "shop")
    installed = karpenter()
    apply_chart(installed, made, to=installed)
    body = next(body for body in manifests(Stack.of(installed)).values() if body["kind"] == "NodePool")
    assert body["spec"]["weight"] == 7
    assert body["metadata"] == {"name": "batch", "annotations": {"example.com/owner": "shop"}}


def test_a_chart_of_anything_is_applied():
    made = cdk8s.Chart(cdk8s.App(), "shop", namespace="shop")
    config = cdk8s.ApiObject(
        made, "config", api_version="v1", kind="ConfigMap", metadata={"name": "settings"}
    )
    role = cdk8s.ApiObject(
        made, "role", api_version="rbac.authorization.k8s.io/v1", kind="Role", metadata={"name": "r"}
    )
    config.add_dependency(role)
    installed = karpenter(install_chart=True)
    resources = apply_chart(installed, made, to=installed)
    assert [one.node.id for one in resources] == ["Role-shop-r", "ConfigMap-shop-settings"]
    assert "KarpenterRoleshopr" in waits_for(Stack.of(installed), "ConfigMap", "settings")
    assert "KarpenterChart" in waits_for(Stack.of(installed), "Role", "r")


def test_tokens_in_a_chart_are_resolved_in_the_stack():
    stack = clusters.stack()
    cluster = clusters.imported_classic(stack)
    role = aws_iam.Role(stack, "Nodes", assumed_by=aws_iam.ServicePrincipal("ec2.amazonaws.com"))
    apply_chart(stack, filled(node_role=role.role_name), to=cluster)
    body = next(body for body in manifests(stack).values() if body["kind"] == "EC2NodeClass")
    assert body["spec"]["role"] == "<Nodes66C30434>"


def test_spot_pools_of_a_chart_have_their_role_made():
    installed = karpenter()
    apply_chart(installed, filled(), to=installed)
    ids = Template.from_stack(Stack.of(installed)).to_json()["Resources"]
    assert any(logical_id.startswith("KarpenterSpotServiceLinkedRole") for logical_id in ids)


def test_fails_on_a_name_that_karpenter_has_already():
    installed = karpenter()
    installed.add_node_class("own", ami=IMAGE)
    tree = Tree(installed)
    team = Stack(installed.node.root, "Team")
    assert refused(lambda: apply_chart(team, filled(), to=installed)) == [
        "`node_classes['own']`: is there already, as Test/Karpenter/EC2NodeClass-own; give each its own name"
    ]
    assert tree.changes() == ["+Team"]


def test_fails_on_any_object_that_karpenter_has_already_and_builds_nothing():
    made = cdk8s.Chart(cdk8s.App(), "shop", namespace="shop")
    for name in ("first", "settings"):
        metadata = {"name": name}
        cdk8s.ApiObject(made, name, api_version="v1", kind="ConfigMap", metadata=metadata)
    installed = karpenter()
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "shop"}}
    installed.add_manifest("Mine", body)
    tree = Tree(installed)
    assert refused(lambda: apply_chart(installed, made, to=installed)) == [
        "`shop/settings`: is the ConfigMap 'settings' of the namespace 'shop', which is there already, as "
        "Test/Karpenter/Mine; give each its own name"
    ]
    assert tree.changes() == []


def test_fails_on_a_role_that_karpenter_may_not_pass():
    installed = karpenter()
    assert refused(lambda: apply_chart(installed, filled(node_role="others"), to=installed)) == [
        "`node_classes['own'].role`: is none of the node roles of this Karpenter, which may pass no other, got "
        "'others'; pass the role in `node_role` too"
    ]


def test_fails_on_a_chart_for_another_release():
    installed = karpenter()
    assert refused(lambda: apply_chart(installed, filled(version="1.13.0"), to=installed)) == [
        "`chart`: is for Karpenter 1.13.0, the one on the cluster is 1.14.1; make it for that"
    ]


def test_fails_on_a_chart_that_is_applied_twice():
    installed = karpenter()
    cluster = installed.node.scope.node.find_child("Cluster")
    made = filled()
    apply_chart(installed, made, to=installed)
    assert refused(lambda: apply_chart(installed, made, to=cluster)) == [
        "`nodes/EC2NodeClass-own`: the construct id 'EC2NodeClass-own' is taken in Test/Karpenter; use another scope",
        "`nodes/NodePool-batch`: the construct id 'NodePool-batch' is taken in Test/Karpenter; use another scope",
    ]


@pytest.mark.filterwarnings("ignore::karpenter_construct.cdk8s.KarpenterWarning")
def test_fails_on_a_chart_that_does_not_validate():
    made = chart()
    made.add_node_class("w", ami="windows2022@latest")
    made.add_node_pool("p", node_class="w", requirements=[In(OS, "linux")])
    installed = karpenter()
    (line,) = refused(lambda: apply_chart(installed, made, to=installed))
    assert line.startswith(
        "`nodes`: `node_pools['p'].requirements`: exclude the operating system 'windows', which"
    )


def test_fails_on_a_cluster_without_kubectl():
    stack = clusters.stack()
    cluster = clusters.imported_classic_bare(stack)
    (line,) = refused(lambda: apply_chart(stack, filled(), to=cluster))
    assert line.startswith("`to`: cannot apply charts and manifests to Test/Cluster; pass ")


def test_fails_on_what_is_neither_karpenter_nor_cluster():
    stack = clusters.stack()
    (line,) = refused(lambda: apply_chart(stack, filled(), to=stack))
    assert line.startswith("`cluster`: is no EKS cluster, got an object of class aws_cdk.Stack; ")
