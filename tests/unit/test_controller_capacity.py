"""Where the controller runs, as plain data."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace

import pytest

from karpenter_construct.controller_capacity import ControllerCapacity
from karpenter_construct.errors import SettingsError

TOKEN = "${Token[TOKEN.42]}"  # noqa: S105 - CDK's word
NUMBER_TOKEN = -1.8881545897087626e289


def message(**arguments) -> str:
    with pytest.raises(SettingsError) as raised:
        ControllerCapacity.nodegroup(**arguments)
    return str(raised.value)


class TestNodegroup:
    def test_defaults_are_two_x86_nodes_for_critical_add_ons(self):
        capacity = ControllerCapacity.nodegroup()
        assert capacity.instance_types == ("m5.large",)
        assert (capacity.min_size, capacity.desired_size, capacity.max_size) == (2, 2, 2)
        assert capacity.ami_type == "AL2023_x86_64_STANDARD"
        assert capacity.labels == {"karpenter.sh/controller": "true"}
        assert capacity.taints == (("CriticalAddonsOnly", "true", "NoSchedule"),)
        assert capacity.subnets is None
        assert capacity.on_fargate is False

    def test_is_selected_by_its_name_and_labels(self):
        capacity = ControllerCapacity.nodegroup(labels={"team": "platform"})
        assert capacity.node_affinity_expressions("critical") == (
            {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["critical"]},
            {"key": "team", "operator": "In", "values": ["platform"]},
        )

    def test_pods_tolerate_its_taints(self):
        capacity = ControllerCapacity.nodegroup(taints=["a=b:NoExecute", "c:PreferNoSchedule"])
        assert capacity.tolerations == (
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"},
            {"key": "c", "operator": "Exists", "effect": "PreferNoSchedule"},
        )

    def test_taints_are_taken_as_objects(self):
        taint = SimpleNamespace(key="a", value=None, effect="NoSchedule")
        assert ControllerCapacity.nodegroup(taints=[taint]).taints == (("a", "", "NoSchedule"),)

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({"min_size": 3}, (3, 3, 3)),
            ({"desired_size": 1}, (1, 1, 1)),
            ({"max_size": 5}, (2, 2, 5)),
            ({"min_size": 0}, (0, 2, 2)),
            ({"min_size": 1, "desired_size": 2, "max_size": 3}, (1, 2, 3)),
            ({"min_size": 0, "desired_size": 1}, (0, 1, 1)),
        ],
    )
    def test_sizes_follow_the_ones_given(self, given, expected):
        capacity = ControllerCapacity.nodegroup(**given)
        assert (capacity.min_size, capacity.desired_size, capacity.max_size) == expected

    @pytest.mark.parametrize(("desired", "count"), [(1, 1), (2, 2), (NUMBER_TOKEN, None)])
    def test_node_count_is_the_desired_size(self, desired, count):
        assert ControllerCapacity.nodegroup(desired_size=desired).node_count == count

    @pytest.mark.parametrize(
        "instance_type", ["m7g.large", "c7gn.large", "im4gn.large", "a1.large", "g5g.xlarge", "t4g.medium"]
    )
    def test_graviton_gets_an_arm_image(self, instance_type):
        capacity = ControllerCapacity.nodegroup(instance_types=[instance_type])
        assert capacity.ami_type == "AL2023_ARM_64_STANDARD"

    @pytest.mark.parametrize(
        "instance_type", ["m5.large", "g4dn.xlarge", "g6.xlarge", "m7i-flex.large", TOKEN]
    )
    def test_the_rest_gets_an_x86_image(self, instance_type):
        capacity = ControllerCapacity.nodegroup(instance_types=[instance_type])
        assert capacity.ami_type == "AL2023_x86_64_STANDARD"

    def test_instance_types_are_taken_as_cdk_objects(self):
        instance_type = SimpleNamespace(to_string=lambda: "m7g.large")
        assert ControllerCapacity.nodegroup(instance_types=[instance_type]).instance_types == ("m7g.large",)

    def test_ami_type_is_taken_as_a_member_of_cdks_enum(self):
        names = Enum("NodegroupAmiType", {"BOTTLEROCKET_X86_64": "BOTTLEROCKET_X86_64"})
        capacity = ControllerCapacity.nodegroup(ami_type=names.BOTTLEROCKET_X86_64)
        assert capacity.ami_type == "BOTTLEROCKET_x86_64"

    @pytest.mark.parametrize(
        ("subnets", "zones"),
        [
            (None, None),
            (["subnet-1"], 1),
            (["subnet-1", "subnet-2"], None),
            ([TOKEN], 1),
            (["#{Token[TOKEN.7]}"], None),
        ],
        ids=["the cluster's", "one", "two", "one token", "a list token"],
    )
    def test_one_subnet_is_one_zone(self, subnets, zones):
        assert ControllerCapacity.nodegroup(subnets=subnets).zone_count == zones

    def test_is_hashable_and_frozen(self):
        assert ControllerCapacity.nodegroup() == ControllerCapacity.nodegroup()
        assert len({ControllerCapacity.nodegroup(), ControllerCapacity.nodegroup()}) == 1


class TestFailsNodegroup:
    def test_fails_without_instance_types(self):
        assert message(instance_types=[]) == (
            "`controller_capacity.instance_types`: must list at least one instance type, got []; use "
            "['m5.large']"
        )

    @pytest.mark.parametrize("types", ["m5.large", 5, None])
    def test_fails_without_a_list_of_instance_types(self, types):
        assert message(instance_types=types) == (
            f"`controller_capacity.instance_types`: is no list, got {types!r}; put it in a list"
        )

    def test_fails_with_what_is_no_instance_type(self):
        assert message(instance_types=["m5.large", 5]) == (
            "`controller_capacity.instance_types[1]`: is no instance type, got 5; write one as in 'm5.large'"
        )

    @pytest.mark.parametrize("ami_type", [5, ["AL2023_x86_64_STANDARD"]])
    def test_fails_with_what_is_no_ami_type(self, ami_type):
        assert message(ami_type=ami_type) == (
            f"`controller_capacity.ami_type`: is no AMI type, got {ami_type!r}; write EKS' name of one, as in "
            "'BOTTLEROCKET_ARM_64'"
        )

    @pytest.mark.parametrize("labels", ["team", ["team"], 5])
    def test_fails_without_a_map_of_labels(self, labels):
        assert message(labels=labels) == (
            f"`controller_capacity.labels`: is no map of labels, got {labels!r}; write a dict, as in "
            "{'team': 'platform'}"
        )

    def test_fails_with_labels_that_are_no_strings(self):
        assert message(labels={"gpu": True, 5: "x"}).splitlines() == [
            "`controller_capacity.labels['gpu']`: is no string, got True; write 'true'",
            "`controller_capacity.labels[5]`: is no string, got 5; write '5'",
        ]

    @pytest.mark.parametrize("taints", [5, None, {"key": "a"}])
    def test_fails_without_a_list_of_taints(self, taints):
        assert message(taints=taints) == (
            f"`controller_capacity.taints`: is no list, got {taints!r}; put it in a list"
        )

    def test_one_taint_may_stand_without_a_list(self):
        assert ControllerCapacity.nodegroup(taints="a=b:NoSchedule").taints == (("a", "b", "NoSchedule"),)

    def test_fails_with_two_architectures(self):
        assert message(instance_types=["m7g.large", "m5.large"]) == (
            "`controller_capacity.instance_types`: mix arm64 and x86_64, for which one node group has no "
            "AMI, got ['m7g.large', 'm5.large']; keep the types of one architecture"
        )

    def test_fails_with_no_nodes(self):
        assert message(desired_size=0, min_size=0, max_size=1) == (
            "`controller_capacity.desired_size`: must be a whole number of at least 1, got 0; use 2"
        )

    def test_fails_with_every_wrong_size_at_once(self):
        assert message(desired_size=True, min_size=-1, max_size="2") == (
            "`controller_capacity.min_size`: must be a whole number of at least 0, got -1; use 2\n"
            "`controller_capacity.desired_size`: must be a whole number of at least 1, got True; use 2\n"
            "`controller_capacity.max_size`: must be a whole number of at least 1, got '2'; use 2"
        )

    @pytest.mark.parametrize(
        ("sizes", "said"),
        [
            ({"min_size": 3, "desired_size": 2}, "min_size 3 and max_size 2, got 2"),
            ({"desired_size": 2, "max_size": 1}, "min_size 2 and max_size 1, got 2"),
            ({"min_size": 1, "desired_size": 4, "max_size": 3}, "min_size 1 and max_size 3, got 4"),
        ],
        ids=["below the least", "above the most", "outside both"],
    )
    def test_fails_with_sizes_out_of_order(self, sizes, said):
        assert message(**sizes) == (
            f"`controller_capacity.desired_size`: must lie between {said}; set the three so that min_size <= "
            "desired_size <= max_size"
        )

    def test_does_not_compare_tokens(self):
        assert ControllerCapacity.nodegroup(min_size=NUMBER_TOKEN, desired_size=2).min_size == NUMBER_TOKEN

    @pytest.mark.parametrize("taint", ["CriticalAddonsOnly", "a=b", "a=b:Never", "=b:NoSchedule"])
    def test_fails_with_what_is_no_taint(self, taint):
        assert message(taints=["a:NoSchedule", taint]) == (
            f"`controller_capacity.taints[1]`: is no taint, got {taint!r}; write it as in "
            "'CriticalAddonsOnly=true:NoSchedule'"
        )

    def test_fails_without_subnets(self):
        assert message(subnets=[]) == (
            "`controller_capacity.subnets`: must list at least one, got []; leave the argument out to take the "
            "cluster's own"
        )

    @pytest.mark.parametrize("subnets", ["subnet-1", 5, {"subnet-1"}])
    def test_fails_without_a_list_of_subnets(self, subnets):
        assert message(subnets=subnets) == (
            f"`controller_capacity.subnets`: is no list, got {subnets!r}; write vpc.private_subnets or ['subnet-…']"
        )

    @pytest.mark.parametrize("subnet", ["private", "sg-1", "", 5, None])
    def test_fails_with_what_is_no_subnet(self, subnet):
        assert message(subnets=["subnet-1", subnet]) == (
            f"`controller_capacity.subnets[1]`: is no subnet and no id of one, got {subnet!r}; write "
            "vpc.private_subnets or ['subnet-…']"
        )


def made(taints: object, desired_size: object) -> SimpleNamespace:
    """A node group of CDK's."""
    resource = SimpleNamespace(
        attr_nodegroup_name=TOKEN, taints=taints, scaling_config=SimpleNamespace(desired_size=desired_size)
    )
    return SimpleNamespace(nodegroup_name=TOKEN, node=SimpleNamespace(default_child=resource))


class TestExisting:
    def test_is_selected_by_names_labels_and_tolerated(self):
        capacity = ControllerCapacity.existing(
            "one", SimpleNamespace(nodegroup_name=TOKEN), labels={"a": "b"}, taints=["c=d:NoSchedule"]
        )
        assert capacity.node_affinity_expressions() == (
            {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["one", TOKEN]},
            {"key": "a", "operator": "In", "values": ["b"]},
        )
        assert capacity.tolerations == (
            {"key": "c", "operator": "Equal", "value": "d", "effect": "NoSchedule"},
        )
        assert capacity.node_count is None

    def test_labels_alone_select_nodes_that_eks_does_not_manage(self):
        assert ControllerCapacity.existing(labels={"a": "b"}).node_affinity_expressions() == (
            {"key": "a", "operator": "In", "values": ["b"]},
        )

    def test_takes_the_name_from_the_l1_where_cdks_own_holds_the_clusters_too(self):
        resource = SimpleNamespace(attr_nodegroup_name="critical")
        group = SimpleNamespace(nodegroup_name="prod/critical", node=SimpleNamespace(default_child=resource))
        assert ControllerCapacity.existing(group).node_affinity_expressions() == (
            {"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["critical"]},
        )

    def test_knows_of_groups_of_the_app_what_they_say(self):
        taint = SimpleNamespace(key="a", value="b", effect="NO_EXECUTE")
        bare = SimpleNamespace(key="c", value=None, effect="PREFER_NO_SCHEDULE")
        capacity = ControllerCapacity.existing(made([taint, bare], 2), made([taint], 3))
        assert capacity.tolerations == (
            {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"},
            {"key": "c", "operator": "Exists", "effect": "PreferNoSchedule"},
        )
        assert capacity.node_count == 5

    def test_takes_the_taints_that_are_given_instead(self):
        group = made([SimpleNamespace(key="a", value="b", effect="NO_EXECUTE")], 2)
        assert ControllerCapacity.existing(group, taints=[]).tolerations == ()

    @pytest.mark.parametrize(
        "group",
        [
            "critical",
            SimpleNamespace(nodegroup_name="critical"),
            made(None, None),
            made(SimpleNamespace(creation_stack=[]), None),
            made([SimpleNamespace(key=TOKEN, value=None, effect=TOKEN)], NUMBER_TOKEN),
        ],
    )
    def test_knows_nothing_of_others_and_of_what_the_deployment_decides(self, group):
        capacity = ControllerCapacity.existing(group)
        assert capacity.tolerations == ()
        assert capacity.node_count is None
        assert ControllerCapacity.existing(made([], 2), group).node_count is None

    def test_fails_without_anything(self):
        with pytest.raises(SettingsError) as raised:
            ControllerCapacity.existing()
        assert str(raised.value) == (
            "`controller_capacity.nodegroups`: must list at least one node group, got (); pass node groups, "
            "their names, or the `labels` of the nodes"
        )

    @pytest.mark.parametrize("group", [5, None, ["critical"]])
    def test_fails_with_what_is_no_node_group(self, group):
        with pytest.raises(SettingsError) as raised:
            ControllerCapacity.existing("fine", group)
        assert str(raised.value) == (
            f"`controller_capacity.nodegroups[1]`: is no node group, got {group!r}; pass a node group, or its name"
        )

    @pytest.mark.parametrize("name", ["prod/critical", "", "-a"])
    def test_fails_with_what_is_no_name(self, name):
        with pytest.raises(SettingsError) as raised:
            ControllerCapacity.existing("fine", name)
        assert str(raised.value) == (
            f"`controller_capacity.nodegroups[1]`: is no name of a node group, got {name!r}; pass the name "
            "alone, without the cluster's"
        )


class TestFargateAndAnywhere:
    def test_fargate_needs_nothing_of_its_pods(self):
        capacity = ControllerCapacity.fargate(subnets=["subnet-1"])
        assert capacity.on_fargate is True
        assert capacity.node_affinity_expressions() == ()
        assert capacity.tolerations == ()
        assert capacity.node_count is None
        assert capacity.zone_count == 1

    def test_fails_on_fargate_without_subnets(self):
        with pytest.raises(SettingsError) as raised:
            ControllerCapacity.fargate(subnets=[])
        assert str(raised.value) == (
            "`controller_capacity.subnets`: must list at least one, got []; leave the argument out to take "
            "the cluster's own"
        )

    def test_anywhere_needs_nothing(self):
        capacity = ControllerCapacity.anywhere()
        assert capacity.on_fargate is False
        assert capacity.node_affinity_expressions() == ()
        assert capacity.tolerations == ()
        assert capacity.node_count is None
        assert capacity.zone_count is None
