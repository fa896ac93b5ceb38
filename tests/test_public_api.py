"""The interface that semantic versioning speaks of: every name and argument, written out."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import resources
from itertools import pairwise
from pathlib import Path

import aws_cdk as cdk
import pytest
from constructs import Construct

import karpenter_construct
from tests.synth.clusters import imported_classic

NAMES = [
    "AMIFamily",
    "AMISelectorTerm",
    "ARCH",
    "AppliedObject",
    "BlockDevice",
    "BlockDeviceMapping",
    "Budget",
    "CAPACITY_RESERVATION_ID",
    "CAPACITY_RESERVATION_INTERRUPTIBLE",
    "CAPACITY_RESERVATION_TYPE",
    "CAPACITY_TYPE",
    "CPUOptions",
    "CapacityBuffer",
    "CapacityReservationSelectorTerm",
    "CapacityType",
    "Caution",
    "ConnectionTracking",
    "ConsolidationPolicy",
    "ControllerCapacity",
    "Discovery",
    "Disruption",
    "DisruptionReason",
    "DoesNotExist",
    "EC2NodeClass",
    "EC2_NODE_CLASS",
    "Exists",
    "Gt",
    "Gte",
    "INSTANCE_ACCELERATOR_COUNT",
    "INSTANCE_ACCELERATOR_MANUFACTURER",
    "INSTANCE_ACCELERATOR_NAME",
    "INSTANCE_CAPABILITY_FLEX",
    "INSTANCE_CATEGORY",
    "INSTANCE_CPU",
    "INSTANCE_CPU_MANUFACTURER",
    "INSTANCE_CPU_SUSTAINED_CLOCK_SPEED_MHZ",
    "INSTANCE_EBS_BANDWIDTH",
    "INSTANCE_ENCRYPTION_IN_TRANSIT_SUPPORTED",
    "INSTANCE_FAMILY",
    "INSTANCE_GENERATION",
    "INSTANCE_GPU_COUNT",
    "INSTANCE_GPU_MANUFACTURER",
    "INSTANCE_GPU_MEMORY",
    "INSTANCE_GPU_NAME",
    "INSTANCE_HYPERVISOR",
    "INSTANCE_LOCAL_NVME",
    "INSTANCE_MEMORY",
    "INSTANCE_NETWORK_BANDWIDTH",
    "INSTANCE_SIZE",
    "INSTANCE_TENANCY",
    "INSTANCE_TYPE",
    "IdentityType",
    "In",
    "InstanceMatchCriteria",
    "InstanceStorePolicy",
    "InterfaceType",
    "Karpenter",
    "KarpenterCapacityBuffer",
    "KarpenterNodeClass",
    "KarpenterNodeOverlay",
    "KarpenterNodePool",
    "Kubelet",
    "Lt",
    "Lte",
    "MetadataOptions",
    "MetadataState",
    "MetadataTokens",
    "NODE_POOL",
    "NestedVirtualization",
    "NetworkInterface",
    "NodeAccess",
    "NodeOverlay",
    "NodePool",
    "NotIn",
    "OS",
    "Operator",
    "PLACEMENT_GROUP_ID",
    "PLACEMENT_GROUP_PARTITION",
    "PlacementGroupSelector",
    "PodTemplateRef",
    "Problem",
    "REGION",
    "Requirement",
    "ScalableRef",
    "SecurityGroupSelectorTerm",
    "SettingsError",
    "SubnetSelectorTerm",
    "Taint",
    "TaintEffect",
    "UnsupportedVersionError",
    "VolumeType",
    "WINDOWS_BUILD",
    "ZONE",
    "ZONE_ID",
]

ARGUMENTS = [
    "scope",
    "id",
    "cluster",
    "version",
    # where the controller is, and who it is
    "namespace",
    "service_account_name",
    "identity_type",
    "pod_identity_agent_installed",
    # controller role
    "controller_role",
    "controller_role_has_permissions",
    "controller_policy_statements",
    "keep_provisioner_permissions",
    "keep_pre_v1_permissions",
    "permissions_boundary",
    # node role
    "node_role",
    "node_role_policies",
    "cni_policy_on_node_role",
    "node_instance_profile",
    # node access
    "node_access",
    # interruption
    "interruption_handling",
    "interruption_queue",
    "encryption_key",
    # discovery
    "discovery",
    "isolated_vpc",
    # controller capacity
    "controller_capacity",
    "replicas",
    # chart
    "install_chart",
    "chart_repository",
    "crd_chart_repository",
    "image_repository",
    "feature_gates",
    "helm_values",
    # nodes
    "ebs_csi_startup_taint",
    "spot_service_linked_role",
]
"""The arguments of `Karpenter`, in the one order of nouns."""

METHODS = [
    "add_capacity_buffer",
    "add_limit_range",
    "add_manifest",
    "add_manifests",
    "add_node_class",
    "add_node_overlay",
    "add_node_pool",
    "add_test_workload",
    "add_to_controller_policy",
    "add_vpc_endpoints",
]
PROPERTIES = [
    "chart_repository",
    "chart_version",
    "controller_capacity",
    "critical_addons_tolerations",
    "do_not_disrupt_annotation",
    "identity_type",
    "namespace",
    "node_access",
    "node_pool_label",
    "required_vpc_endpoints",
    "service_account_name",
    "version",
]
ATTRIBUTES = [
    "chart",
    "chart_values",
    "controller_role",
    "interruption_queue",
    "node_instance_profile",
    "node_role",
    "node_roles",
    "settings",
]
"""What the constructor sets."""

CONSTRUCTS = [
    "Karpenter",
    "KarpenterCapacityBuffer",
    "KarpenterNodeClass",
    "KarpenterNodeOverlay",
    "KarpenterNodePool",
]
DOCUMENTED = [name for name in NAMES if not name.isupper()]


def public(name):
    return getattr(karpenter_construct, name)


def parameters():
    """The parameters of `Karpenter`, without ``self``."""
    return list(inspect.signature(public("Karpenter").__init__).parameters.values())[1:]


def own_members():
    """What `Karpenter` has beyond any construct, by name."""
    karpenter = public("Karpenter")
    names = [name for name in dir(karpenter) if not name.startswith("_") and not hasattr(Construct, name)]
    return {name: inspect.getattr_static(karpenter, name) for name in names}


def documented_arguments(function):
    """What the section ``Args`` of a docstring says, by argument."""
    section = re.search(r"^Args:\n(.*?)(?=^\w|\Z)", inspect.getdoc(function), re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^    (\w+): (.*?)(?=^    \w|\Z)", section.group(1), re.MULTILINE | re.DOTALL)
    return {name: " ".join(text.split()) for name, text in entries}


def test_names():
    assert sorted(karpenter_construct.__all__) == NAMES


def test_all_names_can_be_imported_at_once():
    found = {}
    exec("from karpenter_construct import *", found)  # noqa: S102
    assert sorted(name for name in found if name != "__builtins__") == NAMES


def test_fails_to_give_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match=r"^No karpenter_construct attribute NodeGroup$"):
        public("NodeGroup")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_class_or_function_is_documented(name):
    assert public(name).__doc__
    # A docstring that dataclasses write themselves says nothing: "Problem(path: str, message: str)".
    assert not public(name).__doc__.startswith(f"{name}(")


def test_label_keys_are_documented():
    source = resources.files(karpenter_construct).joinpath("requirements.py").read_text(encoding="utf-8")
    body = ast.parse(source).body
    documented = [
        statement.targets[0].id
        for statement, after in pairwise(body)
        if isinstance(statement, ast.Assign)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    ]
    assert {name for name in NAMES if name.isupper()} <= set(documented)


def test_arguments_of_karpenter_in_the_order_of_nouns():
    assert [each.name for each in parameters()] == ARGUMENTS


def test_arguments_of_karpenter_but_scope_and_id_are_keywords():
    keyword = [each.name for each in parameters() if each.kind is inspect.Parameter.KEYWORD_ONLY]
    assert keyword == ARGUMENTS[2:]


def test_only_cluster_and_version_are_required():
    required = [each.name for each in parameters() if each.default is inspect.Parameter.empty]
    assert required == ["scope", "id", "cluster", "version"]


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_arguments_are_documented_in_their_order(name):
    constructor = public(name).__init__
    parameters = list(inspect.signature(constructor).parameters)[1:]
    assert list(documented_arguments(constructor)) == parameters


@pytest.mark.parametrize("name", ARGUMENTS[4:])
def test_optional_argument_says_its_default_or_what_makes_it_differ(name):
    assert "Default: " in documented_arguments(public("Karpenter").__init__)[name]


def test_methods_and_properties_of_karpenter():
    members = own_members()
    properties = [name for name, member in members.items() if isinstance(member, property)]
    assert properties == PROPERTIES
    assert [name for name in members if name not in properties] == METHODS


def test_methods_and_properties_are_documented():
    assert [name for name, member in own_members().items() if not inspect.getdoc(member)] == []


@pytest.mark.parametrize("name", METHODS)
def test_arguments_of_the_method_are_documented_in_their_order(name):
    method = getattr(public("Karpenter"), name)
    parameters = list(inspect.signature(method).parameters)[1:]
    assert list(documented_arguments(method)) == parameters


def test_attributes():
    stack = cdk.Stack()
    karpenter = public("Karpenter")(stack, "Karpenter", cluster=imported_classic(stack), version="1.14.1")
    assert sorted(name for name in vars(karpenter) if not name.startswith("_")) == ATTRIBUTES


def test_attributes_are_documented():
    text = "\n".join(
        cls.__doc__ for cls in public("Karpenter").__mro__ if cls.__module__.startswith("karpenter")
    )
    assert [name for name in ATTRIBUTES if f"\n        {name}: " not in text] == []


def test_is_a_typed_package():
    assert resources.files(karpenter_construct).joinpath("py.typed").is_file()


def test_import_alone_loads_nothing_of_the_cdk():
    program = (
        "import sys, karpenter_construct as k\n"
        "[getattr(k, name) for name in k.__all__ if not name.startswith('Karpenter')]\n"
        "print(*sorted({'aws_cdk', 'boto3', 'cdk8s', 'constructs', 'jsii', 'yaml'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
