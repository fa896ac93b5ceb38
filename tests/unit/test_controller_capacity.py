"""Where the controller runs, as plain data."""

from __future__ import annotations

from enum import Enum
from functools import partial
from types import SimpleNamespace

import pytest

from karpenter_construct._capacity_arguments import NodeTaint
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
            ({"max_size": 1}, (1, 1, 1)),
            ({"min_size": 0, "max_size": 1}, (0, 1, 1)),
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
        assert message(labels={"gpu": True, 5: "x", "team": None}).splitlines() == [
            "`controller_capacity.labels['gpu']`: is no string, got True; write 'true'",
            "`controller_capacity.labels[5]`: is no string, got 5; write '5'",
            "`controller_capacity.labels['team']`: is no string, got None; write one, as in 'true'",
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

    def test_fails_with_more_at_least_than_at_most(self):
        said = "must not be more than max_size 2, got 3; set the three so that min_size <= desired_size <= max_size"
        assert message(min_size=3, max_size=2) == f"`controller_capacity.min_size`: {said}"
        assert message(min_size=3, max_size=2, desired_size=NUMBER_TOKEN) == (
            f"`controller_capacity.min_size`: {said}"
        )

    def test_fails_with_what_is_out_of_order_beside_a_token(self):
        so = "set the three so that min_size <= desired_size <= max_size"
        assert message(min_size=NUMBER_TOKEN, max_size=2, desired_size=3) == (
            f"`controller_capacity.desired_size`: must not be more than max_size 2, got 3; {so}"
        )
        assert message(min_size=2, max_size=NUMBER_TOKEN, desired_size=1) == (
            f"`controller_capacity.desired_size`: must not be less than min_size 2, got 1; {so}"
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


class TestAmiType:
    @pytest.mark.parametrize(
        ("ami_type", "instance_type"),
        [
            ("AL2023_x86_64_STANDARD", "m5.large"),
            ("AL2023_ARM_64_STANDARD", "m7g.large"),
            ("AL2023_X86_64_NVIDIA", "g6.xlarge"),
            ("BOTTLEROCKET_ARM_64_FIPS", "m7g.large"),
            ("BOTTLEROCKET_x86_64_NVIDIA_FIPS", "g6.xlarge"),
            ("AL2_x86_64", "m5.large"),
            ("AL2026_x86_64_STANDARD", "m5.large"),
            ("AL2027_ARM_64_STANDARD", "m9g.large"),
            ("AL2023_ARM_64_NEURON", "m7g.large"),
            ("AL2023_x86_64_REALTIME", "m5.large"),
            ("AL2023_ARM_64_STANDARD", TOKEN),
            (TOKEN, "m5.large"),
        ],
    )
    def test_those_of_eks_are_taken_and_what_may_come(self, ami_type, instance_type):
        capacity = ControllerCapacity.nodegroup(ami_type=ami_type, instance_types=[instance_type])
        assert capacity.ami_type == ami_type.replace("X86", "x86")

    @pytest.mark.parametrize(
        ("ami_type", "hint"),
        [
            ("AL2_X86", "did you mean 'AL2_x86_64'?"),
            ("AL2023_x86_64", "did you mean 'AL2023_x86_64_STANDARD'?"),
            ("AL2023_x86_64_STANDART", "did you mean 'AL2023_x86_64_STANDARD'?"),
            ("BOTLEROCKET_ARM_64", "did you mean 'BOTTLEROCKET_ARM_64'?"),
            ("al2023_x86_64_standard", "did you mean 'AL2023_x86_64_STANDARD'?"),
            ("ubuntu", "use 'AL2023_x86_64_STANDARD'"),
            ("", "use 'AL2023_x86_64_STANDARD'"),
        ],
    )
    def test_fails_with_one_that_eks_has_not(self, ami_type, hint):
        assert message(ami_type=ami_type) == (
            f"`controller_capacity.ami_type`: is no AMI type that EKS has, got {ami_type!r}; {hint}"
        )

    @pytest.mark.parametrize(
        ("ami_type", "instance_type", "said"),
        [
            (
                "AL2023_ARM_64_STANDARD",
                "m5.large",
                "is for arm64, and the instance types are x86_64, got 'AL2023_ARM_64_STANDARD'; use "
                "'AL2023_x86_64_STANDARD'",
            ),
            (
                "BOTTLEROCKET_x86_64",
                "m7g.large",
                "is for x86_64, and the instance types are arm64, got 'BOTTLEROCKET_x86_64'; use "
                "'AL2023_ARM_64_STANDARD'",
            ),
            (
                "AL2023_x86_64_NVIDIA",
                "p6e-gb200.36xlarge",
                "is for x86_64, and the instance types are arm64, got 'AL2023_x86_64_NVIDIA'; use "
                "'AL2023_ARM_64_STANDARD'",
            ),
        ],
    )
    def test_fails_with_one_of_another_architecture(self, ami_type, instance_type, said):
        assert message(ami_type=ami_type, instance_types=[instance_type]) == (
            f"`controller_capacity.ami_type`: {said}"
        )

    @pytest.mark.parametrize("ami_type", ["WINDOWS_CORE_2022_x86_64", "WINDOWS_FULL_2028_x86_64"])
    def test_fails_with_one_for_windows(self, ami_type):
        assert message(ami_type=ami_type) == (
            "`controller_capacity.ami_type`: is for Windows, and the image of the controller for Linux, got "
            f"{ami_type!r}; use 'AL2023_x86_64_STANDARD'"
        )

    def test_fails_with_the_image_of_a_launch_template(self):
        assert message(ami_type="CUSTOM") == (
            "`controller_capacity.ami_type`: needs a launch template, and none is made here, got 'CUSTOM'; use "
            "'AL2023_x86_64_STANDARD'"
        )


class TestInstanceTypes:
    @pytest.mark.parametrize(
        "instance_type",
        ["m5.large", "m7i-flex.large", "u-6tb1.56xlarge", "p6-b200.48xlarge", "m7i.metal-24xl", TOKEN],
    )
    def test_names_of_ec2_are_taken(self, instance_type):
        assert ControllerCapacity.nodegroup(instance_types=[instance_type]).instance_types == (instance_type,)

    @pytest.mark.parametrize("instance_type", ["m5large", "m5.", ".large", "M5.large", "m5 large", "m5", ""])
    def test_fails_with_what_is_no_name_of_one(self, instance_type):
        assert message(instance_types=["m5.large", instance_type]) == (
            f"`controller_capacity.instance_types[1]`: is no instance type, got {instance_type!r}; write one as in "
            "'m5.large'"
        )


class TestTaintsAndLabelsOfEks:
    def test_fifty_taints_are_taken(self):
        taints = [f"t{number}=x:NoSchedule" for number in range(50)]
        assert len(ControllerCapacity.nodegroup(taints=taints).taints) == 50

    def test_fails_with_one_more(self):
        taints = [f"t{number}=x:NoSchedule" for number in range(51)]
        assert message(taints=taints) == (
            "`controller_capacity.taints`: are too many, EKS takes at most 50, got 51; leave some out"
        )
        assert len(ControllerCapacity.existing("critical", taints=taints).taints) == 51

    @pytest.mark.parametrize(
        "taint", ["-a=b:NoSchedule", "a=b-:NoSchedule", "a/b/c:NoSchedule", f"a={'b' * 64}:NoSchedule"]
    )
    def test_fails_with_keys_and_values_that_kubernetes_refuses(self, taint):
        assert message(taints=[taint]) == (
            f"`controller_capacity.taints[0]`: is no taint, got {taint!r}; write it as in "
            "'CriticalAddonsOnly=true:NoSchedule'"
        )

    @pytest.mark.parametrize(
        "build", [ControllerCapacity.nodegroup, partial(ControllerCapacity.existing, "critical")]
    )
    def test_a_taint_that_a_lookup_has_yet_to_find_is_left_to_the_next_synth(self, build):
        dummy = "dummy-value-for-/t"
        assert build(taints=[dummy, dummy, "a=b:NoSchedule"]).taints == (NodeTaint("a", "b", "NoSchedule"),)

    @pytest.mark.parametrize(
        "build", [ControllerCapacity.nodegroup, partial(ControllerCapacity.existing, "critical")]
    )
    def test_fails_with_a_whole_taint_that_only_the_deployment_knows(self, build):
        assert build(taints=[f"a={TOKEN}:NoSchedule"]).taints == (NodeTaint("a", TOKEN, "NoSchedule"),)
        with pytest.raises(SettingsError) as raised:
            build(taints=[TOKEN])
        assert str(raised.value) == (
            "`controller_capacity.taints[0]`: must be known at synth where it is text, got '${Token[TOKEN.42]}'; write "
            "Taint(key=…, value=token, effect=…)"
        )

    def test_one_key_may_have_two_effects(self):
        taints = ["a=b:NoSchedule", "a=b:NoExecute"]
        assert len(ControllerCapacity.nodegroup(taints=taints).taints) == 2

    def test_fails_with_one_key_and_effect_twice(self):
        assert message(taints=["a=b:NoSchedule", "a=c:NoSchedule"]) == (
            "`controller_capacity.taints[1]`: repeats the key and the effect of another, got 'a=c:NoSchedule'; leave "
            "one out"
        )

    def test_keys_may_have_63_characters(self):
        key = f"example.com/{'k' * 51}"
        capacity = ControllerCapacity.nodegroup(labels={key: "x"}, taints=[f"{key}:NoSchedule"])
        assert (list(capacity.labels), capacity.taints[0].key) == ([key], key)

    def test_fails_with_keys_that_are_too_long_for_eks_and_not_for_kubernetes(self):
        key = f"example.com/{'k' * 52}"
        assert message(labels={key: "x"}, taints=[f"{key}:NoSchedule"]).splitlines() == [
            f"`controller_capacity.labels['{key}']`: is too long for EKS, has 64 characters; use at most 63",
            f"`controller_capacity.taints[0]`: has a key that is too long for EKS, got '{key}'; use at most 63 "
            "characters",
        ]
        assert ControllerCapacity.existing(labels={key: "x"}).labels == {key: "x"}

    @pytest.mark.parametrize(
        "labels",
        [
            {"team": "platform"},
            {"example.com/team": "Platform_1.0"},
            {"node.kubernetes.io/role": "controller"},
            {"a.node.kubernetes.io/role": "controller"},
            {"kubernetes.io/arch": "amd64"},
            {"karpenter.sh/controller": "true"},
            {"my-kubernetes.io/team": "x"},
            {TOKEN: "x", "team": TOKEN},
        ],
    )
    def test_labels_of_other_domains_are_taken(self, labels):
        assert ControllerCapacity.nodegroup(labels=labels).labels == labels

    @pytest.mark.parametrize(
        ("key", "said"),
        [
            ("eks.amazonaws.com/nodegroup", "is a label that EKS keeps for itself"),
            ("kubernetes.io/role", "is a label that no kubelet gives its own node"),
            ("node-role.kubernetes.io/worker", "is a label that no kubelet gives its own node"),
            ("node-restriction.kubernetes.io/x", "is a label that no kubelet gives its own node"),
            ("kops.k8s.io/x", "is a label that no kubelet gives its own node"),
            (
                "karpenter.sh/nodepool",
                "is a label of the nodes that Karpenter manages, which its controller stays off",
            ),
            (
                "karpenter.sh/capacity-type",
                "is a label of the nodes that Karpenter manages, which its controller stays off",
            ),
        ],
    )
    def test_fails_with_labels_of_domains_that_others_keep(self, key, said):
        assert message(labels={key: "x"}) == (
            f"`controller_capacity.labels['{key}']`: {said}, got '{key}'; use a key of your own domain"
        )

    @pytest.mark.parametrize("key", ["karpenter.sh/nodepool", "karpenter.sh/provisioner-name"])
    def test_fails_with_existing_nodes_that_karpenter_manages(self, key):
        with pytest.raises(SettingsError) as raised:
            ControllerCapacity.existing(labels={key: "x"})
        assert str(raised.value) == (
            f"`controller_capacity.labels['{key}']`: is a label of the nodes that Karpenter manages, which its "
            f"controller stays off, got '{key}'; use a key of your own domain"
        )

    def test_existing_nodes_have_the_labels_that_they_have(self):
        labels = {"eks.amazonaws.com/nodegroup": "one", "node-role.kubernetes.io/infra": ""}
        assert ControllerCapacity.existing(labels=labels).labels == labels

    @pytest.mark.parametrize("key", ["-a", "a b", "Example.com/a", "a/b/c", "", "/a", "k" * 64])
    def test_fails_with_what_is_no_key_of_a_label(self, key):
        assert message(labels={key: "x"}) == (
            f"`controller_capacity.labels[{key!r}]`: is no key of a label, got {key!r}; write one as in 'team' or "
            "'example.com/team'"
        )

    @pytest.mark.parametrize("value", ["a b", "-a", "v" * 64])
    def test_fails_with_what_is_no_value_of_a_label(self, value):
        assert message(labels={"team": value}) == (
            f"`controller_capacity.labels['team']`: is no value of a label, got {value!r}; use at most 63 letters, "
            "digits, '-', '_' and '.', with a letter or digit at both ends"
        )

    def test_fails_with_an_empty_value_which_eks_does_not_take(self):
        assert message(labels={"team": ""}) == (
            "`controller_capacity.labels['team']`: is empty, which EKS does not take, got ''; write 'true'"
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

    def test_counts_the_least_where_a_group_says_no_more(self):
        scaling = SimpleNamespace(desired_size=None, min_size=2)
        group = SimpleNamespace(nodegroup_name="critical", scaling_config=scaling)
        assert ControllerCapacity.existing(group).node_count == 2

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
