"""Node classes: identity, images, selectors, volumes, tags, networks."""

from __future__ import annotations

import pytest

from karpenter_construct._checks import check_node_class
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.releases import KarpenterVersion

TOKEN = "${Token[Anything.7]}"  # noqa: S105 - a placeholder of CDK


def lines(
    *, version: str = "1.14.1", kubernetes: str | None = None, complete: bool = False, **fields
) -> list[str]:
    """What the checks say about a class ``c``."""
    problems = check_node_class(
        EC2NodeClass(**{"name": "c", **fields}),
        KarpenterVersion.parse(version),
        path="c",
        kubernetes_version=kubernetes,
        complete=complete,
    )
    return [str(problem) for problem in problems]


def test_a_class_that_says_nothing_passes():
    assert lines() == []


def test_fails_on_what_nobody_will_fill_in():
    assert lines(complete=True) == [
        "`c`: must specify exactly one of ['role', 'instanceProfile']; give the name of the nodes' role",
        "`c`: subnetSelectorTerms is required; say where nodes go",
        "`c`: securityGroupSelectorTerms is required; say what guards the nodes",
        "`c`: amiSelectorTerms is required; give ami, as in 'al2023@latest'",
    ]


def test_a_node_template_needs_neither_profile_nor_image():
    terms = {"subnet_selector_terms": [{"id": "subnet-1"}], "security_group_selector_terms": [{"id": "sg-1"}]}
    assert lines(complete=True, version="0.31.5", **terms) == []


def test_fails_on_both_identities():
    assert lines(role="nodes", instance_profile="nodes") == [
        "`c`: must specify exactly one of ['role', 'instanceProfile']; leave one of the two out"
    ]


@pytest.mark.parametrize(("version", "passes"), [("0.37.8", False), ("1.0.0", True)])
def test_fails_before_1_0_on_a_name_that_the_webhooks_refuse(version, passes):
    assert (lines(name="gpu.large", version=version) == []) is passes


def test_fails_from_1_0_on_a_name_that_is_no_label_value():
    assert lines(name="x" * 64, version="1.0.0") == [
        "`c.name`: must be at most 63 characters, as it becomes the value of a label on every node, got "
        f"'{'x' * 64}'; shorten it"
    ]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        pytest.param(
            {"ami": "al2023@latest", "ami_selector_terms": [{"id": "ami-1"}]},
            "`c.ami`: is short for one term of ami_selector_terms, got 'al2023@latest'; give one of the two",
            id="alias and terms",
        ),
        pytest.param(
            {"ami": "ubuntu@latest"},
            "`c.ami`: family is not supported, must be one of the following: 'al2', 'al2023', "
            "'bottlerocket', 'windows2019', 'windows2022', 'windows2025', got 'ubuntu@latest'; select other "
            "AMIs by id, name or tags",
            id="no family",
        ),
        pytest.param(
            {"ami": "AL2023@latest"},
            "`c.ami`: family is not supported, must be one of the following: 'al2', 'al2023', "
            "'bottlerocket', 'windows2019', 'windows2022', 'windows2025', got 'AL2023@latest'; did you mean "
            "'al2023'?",
            id="a family in capitals",
        ),
        pytest.param(
            {"ami": "windows2022@v1"},
            "`c.ami`: windows families may only specify version 'latest', got 'windows2022@v1'; write "
            "'windows2022@latest'",
            id="a pinned Windows",
        ),
        pytest.param(
            {"ami": "al2023@latest", "ami_family": "Bottlerocket"},
            "`c.ami_family`: if set, amiFamily must be 'AL2023' or 'Custom' when using an AL2023 alias, got "
            "'Bottlerocket'; leave it out",
            id="family against alias",
        ),
        pytest.param(
            {"ami_selector_terms": [{"alias": "windows2022@latest"}], "ami_family": "AL2"},
            "`c.ami_family`: if set, amiFamily must be 'Windows2022' or 'Custom' when using a Windows2022 "
            "alias, got 'AL2'; leave it out",
            id="family against alias in a term",
        ),
        pytest.param(
            {"ami_selector_terms": [{"alias": "al2@latest"}, {"alias": "al2023@latest"}]},
            "`c.ami_selector_terms`: 'alias' is mutually exclusive, cannot be set with a combination of "
            "other amiSelectorTerms, got (AMISelectorTerm(alias='al2@latest'), "
            "AMISelectorTerm(alias='al2023@latest')); keep the alias alone, or drop it",
            id="two aliases",
        ),
        pytest.param(
            {"ami_selector_terms": [{"id": "ami-1"}]},
            "`c`: must specify amiFamily if amiSelectorTerms does not contain an alias; give ami_family, as "
            "in 'AL2023'",
            id="neither family nor alias",
        ),
        pytest.param(
            {"ami_family": "Custom"},
            "`c`: amiSelectorTerms is required when amiFamily == 'Custom'; say which AMI in "
            "ami_selector_terms",
            id="Custom without AMI",
        ),
    ],
)
def test_fails_on_images_that_do_not_fit(fields, line):
    assert lines(**fields) == [line]


@pytest.mark.parametrize(
    "fields",
    [
        {"ami": "al2023@v20260810"},
        {"ami": "bottlerocket@1.19.2"},
        {"ami": "windows2025@latest"},
        {"ami": "al2023@latest", "ami_family": "Custom"},
        {"ami": "al2023@latest", "ami_family": "AL2023"},
        {"ami_family": "Bottlerocket"},
        {
            "ami_family": "Custom",
            "ami_selector_terms": [{"id": "ami-1"}, {"name": "mine-*", "owner": "self"}],
        },
        {"ami": TOKEN, "ami_family": "AL2"},
        {"ami_selector_terms": ["#{Token[Terms.8]}"]},
    ],
)
def test_images_that_fit_pass(fields):
    assert lines(**fields) == []


def test_fails_on_a_pinned_image_before_1_0():
    assert lines(ami="al2023@v20240807", version="1.0.0") == []
    assert lines(ami="al2023@v20240807", version="0.37.8") == [
        "`c.ami`: a pinned image needs Karpenter 1.0.0 or later, version is 0.37.8, got 'al2023@v20240807'; "
        "write 'al2023@latest', or select AMIs by id"
    ]
    assert lines(ami="al2023@latest", version="0.37.8") == []


@pytest.mark.parametrize(
    ("alias", "last", "first"), [("al2023", "0.34.13", "0.35.0"), ("windows2025", "1.8.8", "1.9.0")]
)
def test_fails_on_an_alias_before_its_family(alias, last, first):
    assert lines(ami=f"{alias}@latest", version=first) == []
    assert lines(ami=f"{alias}@latest", version=last) == [
        f"`c.ami`: {alias!r} needs Karpenter {first} or later, version is {last}"
    ]


@pytest.mark.parametrize(
    ("alias", "instead"),
    [
        ("al2023@20260810", "al2023@v20260810"),
        ("al2023@latest ", "al2023@latest"),
        ("al2023@Latest", "al2023@latest"),
        ("al2023@v2026081", "al2023@v20260810"),
        ("al2023@v20261310", "al2023@v20260810"),
        ("al2023@v20260832", "al2023@v20260810"),
        ("al2023@v20260810@x", "al2023@v20260810"),
        ("al2023@v1.20.3", "al2023@v20260810"),
        ("al2@v1", "al2@v20240807"),
        ("bottlerocket@1.20", "bottlerocket@v1.20.3"),
        ("bottlerocket@v20260810", "bottlerocket@v1.20.3"),
        ("bottlerocket@V1.19.2", "bottlerocket@v1.19.2"),
        ("bottlerocket@v1.20.3-xyz", "bottlerocket@v1.20.3"),
    ],
)
@pytest.mark.parametrize("version", ["0.37.8", "1.0.0", "1.14.1"])
def test_fails_on_an_alias_that_no_image_can_have(alias, instead, version):
    said = f"names no image that there can be, got {alias!r}; write {instead!r}"
    assert lines(ami=alias, version=version) == [f"`c.ami`: {said}"]
    assert lines(ami_selector_terms=[{"alias": alias}], version="1.14.1") == [
        f"`c.ami_selector_terms[0].alias`: {said}"
    ]


@pytest.mark.parametrize(
    "alias",
    [
        *(
            "al2@v20240807",
            "al2023@v20260810",
            "al2023@v20261231",
            "bottlerocket@v1.20.3",
            "bottlerocket@1.20.3",
        ),
        *("bottlerocket@v1.20.3-5d9ac849", "bottlerocket@v10.0.12"),
    ],
)
def test_images_are_pinned_as_each_family_names_them(alias):
    assert lines(ami=alias, version="1.0.0") == []


def test_fails_on_a_custom_family_beside_an_alias_before_1_0():
    assert lines(ami="al2@latest", ami_family="Custom", version="1.0.0") == []
    assert lines(ami="al2@latest", ami_family="Custom", version="0.37.8") == [
        "`c.ami_family`: if set, amiFamily must be 'AL2' when using an AL2 alias, got 'Custom'; leave it out"
    ]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"ami": "al2@latest"}, "ami"),
        ({"ami_selector_terms": [{"alias": "al2@v20240807"}]}, "ami_selector_terms[0].alias"),
        ({"ami_family": "AL2"}, "ami_family"),
    ],
)
def test_fails_on_al2_from_kubernetes_1_33(fields, field):
    assert lines(kubernetes="1.32", **fields) == []
    assert lines(kubernetes=TOKEN, **fields) == []
    assert lines(kubernetes="1.33", **fields) == [
        f"`c.{field}`: AL2 ends before Kubernetes 1.33, the cluster has 1.33; write 'al2023@latest'"
    ]


def test_al2_by_id_passes_on_every_kubernetes():
    assert lines(kubernetes="1.36", ami_family="AL2", ami_selector_terms=[{"id": "ami-1"}]) == []


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"subnet_selector_terms": []},
            "`c.subnet_selector_terms`: subnetSelectorTerms cannot be empty; give at least one term, or "
            "leave it out",
        ),
        (
            {"subnet_selector_terms": [{"id": "subnet-1"}, {}]},
            "`c.subnet_selector_terms[1]`: expected at least one, got none, ['tags', 'id']; give one of them",
        ),
        (
            {"subnet_selector_terms": [{"tags": {}}]},
            "`c.subnet_selector_terms[0]`: expected at least one, got none, ['tags', 'id']; give one of them",
        ),
        (
            {"subnet_selector_terms": [{"id": "subnet-1"}, {"id": "subnet-2", "tags": {"a": "b"}}]},
            "`c.subnet_selector_terms[1]`: 'id' is mutually exclusive, cannot be set with a combination of "
            "other fields in a subnet selector term, got SubnetSelectorTerm(tags={'a': 'b'}, id='subnet-2'); "
            "give terms of their own to the others",
        ),
        (
            {"security_group_selector_terms": [{"name": "nodes", "tags": {"a": "b"}}]},
            "`c.security_group_selector_terms[0]`: 'name' is mutually exclusive, cannot be set with a "
            "combination of other fields in a security group selector term, got "
            "SecurityGroupSelectorTerm(tags={'a': 'b'}, name='nodes'); give terms of their own to the others",
        ),
        (
            {"capacity_reservation_selector_terms": [{"owner_id": "123456789012"}]},
            "`c.capacity_reservation_selector_terms[0]`: expected at least one, got none, ['tags', 'id', "
            "'instanceMatchCriteria']; give one of them",
        ),
        (
            {"capacity_reservation_selector_terms": [{"id": "cr-1", "owner_id": "123456789012"}]},
            "`c.capacity_reservation_selector_terms[0]`: 'id' is mutually exclusive, cannot be set along with "
            "other fields in a capacity reservation selector term, got "
            "CapacityReservationSelectorTerm(id='cr-1', owner_id='123456789012'); give terms of their own to the "
            "others",
        ),
        (
            {"ami_family": "AL2", "ami_selector_terms": [{"owner": "self"}]},
            "`c.ami_selector_terms[0]`: expected at least one, got none, ['tags', 'id', 'name', 'alias', "
            "'ssmParameter']; give one of them",
        ),
        (
            {"ami_family": "AL2", "ami_selector_terms": [{"id": "ami-1", "owner": "self"}]},
            "`c.ami_selector_terms[0]`: 'id' is mutually exclusive, cannot be set with a combination of "
            "other fields in amiSelectorTerms, got AMISelectorTerm(id='ami-1', owner='self'); give terms of "
            "their own to the others",
        ),
        (
            {"ami_selector_terms": [{"alias": "al2@latest", "name": "x"}]},
            "`c.ami_selector_terms[0]`: 'alias' is mutually exclusive, cannot be set with a combination of "
            "other fields in amiSelectorTerms, got AMISelectorTerm(alias='al2@latest', name='x'); give terms "
            "of their own to the others",
        ),
        (
            {"subnet_selector_terms": [{"tags": {"team": ""}}]},
            "`c.subnet_selector_terms[0].tags['team']`: empty tag keys or values aren't supported, got ''; "
            "write '*' for any value",
        ),
    ],
)
def test_fails_on_each_selector_term_by_itself(fields, line):
    assert lines(**fields) == [line]


def test_before_1_3_the_crds_name_the_list():
    fields = {"subnet_selector_terms": [{"id": "subnet-2", "tags": {"a": "b"}}]}
    assert "fields in subnetSelectorTerms, got" in lines(version="1.2.8", **fields)[0]
    assert "fields in a subnet selector term, got" in lines(version="1.3.0", **fields)[0]


def test_before_1_8_the_crds_speak_of_tags():
    fields = {"capacity_reservation_selector_terms": [{"id": "cr-1", "tags": {"a": "b"}}]}
    said = "cannot be set along with tags in a capacity reservation selector term, got"
    assert said in lines(version="1.7.6", **fields)[0]
    assert said not in lines(version="1.8.0", **fields)[0]


def test_a_family_alone_is_no_complete_image_from_1_0():
    terms = {"subnet_selector_terms": [{"id": "subnet-1"}], "security_group_selector_terms": [{"id": "sg-1"}]}
    fields = {**terms, "role": "nodes", "ami_family": "AL2"}
    assert lines(complete=True, version="0.37.8", **fields) == []
    assert lines(complete=True, version="1.0.0", **fields) == [
        "`c`: amiSelectorTerms is required; give ami, as in 'al2023@latest'"
    ]
    assert lines(complete=True, version="0.37.8", **{**terms, "role": "nodes"}) == [
        "`c`: amiFamily is required; give ami, as in 'al2023@latest'"
    ]


def test_before_1_8_match_criteria_do_not_select():
    fields = {"capacity_reservation_selector_terms": [{}]}
    assert lines(version="1.7.6", **fields) == [
        "`c.capacity_reservation_selector_terms[0]`: expected at least one, got none, ['tags', 'id']; give "
        "one of them"
    ]


@pytest.mark.parametrize(
    ("version", "passes"), [("0.32.0", False), ("0.32.1", False), ("0.32.2", True), ("0.31.5", True)]
)
def test_fails_on_an_owner_beside_tags_in_0_32_0_and_0_32_1(version, passes):
    said = lines(
        version=version, ami_family="AL2", ami_selector_terms=[{"owner": "self", "tags": {"a": "b"}}]
    )
    assert said == (
        []
        if passes
        else [
            "`c.ami_selector_terms[0]`: 'owner' cannot be set with 'tags'; select by name, or use Karpenter "
            "0.32.2 or later"
        ]
    )


@pytest.mark.parametrize("field", ["subnet_selector_terms", "security_group_selector_terms"])
def test_fails_before_0_32_on_terms_that_one_map_cannot_say(field):
    terms = {field: [{"tags": {"a": "b"}}, {"tags": {"c": "d"}}]}
    assert lines(version="0.32.0", **terms) == []
    assert lines(version="0.31.5", **terms) == [
        f"`c.{field}`: a list of such terms needs Karpenter 0.32.0 or later, version is 0.31.5; give one term, "
        "terms of an id each, or every combination of some values"
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"subnet_selector_terms": [{"tags": {"a": "b", "c": "d"}}]},
        {"security_group_selector_terms": [{"id": "sg-1"}, {"id": "sg-2"}]},
        {"subnet_selector_terms": [{"tags": {"a": "b"}}, {"tags": {"a": "c"}}]},
        {"ami_family": "AL2", "ami_selector_terms": [{"name": "mine", "owner": "self", "tags": {"a": "b"}}]},
    ],
)
def test_what_one_map_can_say_passes_before_0_32(fields):
    assert lines(version="0.31.5", **fields) == []


def test_fails_before_0_32_on_a_security_group_by_name():
    assert lines(version="0.31.5", security_group_selector_terms=[{"name": "nodes"}]) == [
        "`c.security_group_selector_terms[0].name`: needs Karpenter 0.32.0 or later, version is 0.31.5"
    ]


def test_fails_before_0_33_on_a_comma_in_a_tags_value():
    terms = [{"tags": {"Name": "a,b"}}]
    assert lines(version="0.33.0", subnet_selector_terms=terms) == []
    assert lines(version="0.32.10", subnet_selector_terms=terms) == [
        "`c.subnet_selector_terms[0].tags['Name']`: a comma within a value needs Karpenter 0.33.0 or later, "
        "version is 0.32.10, got 'a,b'"
    ]


def volumes(*mappings, **fields) -> dict:
    return {"block_device_mappings": list(mappings), **fields}


GI = {"volume_size": "20Gi"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            volumes({"device_name": "/dev/xvda", "ebs": {"volume_type": "gp3"}}),
            "`c.block_device_mappings[0].ebs`: snapshotID or volumeSize must be defined; give volume_size, "
            "as in '20Gi'",
        ),
        (
            volumes({"device_name": "/dev/xvda", "ebs": {**GI, "volume_initialization_rate": 100}}),
            "`c.block_device_mappings[0].ebs.volume_initialization_rate`: snapshotID must be set when "
            "volumeInitializationRate is set, got 100; give snapshot_id, or leave the rate out",
        ),
        (
            volumes(
                {"device_name": "/dev/xvda", "ebs": GI, "root_volume": True},
                {"device_name": "/dev/xvdb", "ebs": GI, "root_volume": True},
            ),
            "`c.block_device_mappings`: must have only one blockDeviceMappings with rootVolume, has 2; keep "
            "one",
        ),
        (
            volumes({"device_name": "/dev/sda1", "ebs": GI}, ami="al2023@latest"),
            "`c.block_device_mappings[0].device_name`: is not the root device of AL2023, got '/dev/sda1'; "
            "write '/dev/xvda'",
        ),
        (
            volumes({"device_name": "/dev/xvda", "ebs": GI}, ami_family="Windows2022"),
            "`c.block_device_mappings[0].device_name`: is not the root device of Windows2022, got "
            "'/dev/xvda'; write '/dev/sda1'",
        ),
        (
            volumes({"device_name": "/dev/xvdb", "ebs": GI}, {"device_name": "/dev/xvdb", "ebs": GI}),
            "`c.block_device_mappings[1].device_name`: is mapped twice, got '/dev/xvdb'; map each device "
            "once",
        ),
    ],
)
def test_fails_on_volumes_that_do_not_fit(fields, line):
    assert lines(**fields) == [line]


@pytest.mark.parametrize(
    "fields",
    [
        volumes({"device_name": "/dev/xvda", "ebs": {"snapshot_id": "snap-1"}}, ami="al2023@latest"),
        volumes(
            {"device_name": "/dev/xvda", "ebs": GI},
            {
                "device_name": "/dev/xvdb",
                "ebs": {**GI, "snapshot_id": "snap-1", "volume_initialization_rate": 300},
            },
            ami="bottlerocket@latest",
        ),
        volumes(
            {"device_name": "/dev/sda1", "ebs": GI}, ami_family="AL2", ami_selector_terms=[{"id": "ami-1"}]
        ),
        volumes({"device_name": TOKEN, "ebs": GI}, {"device_name": TOKEN, "ebs": GI}, ami="al2@latest"),
    ],
)
def test_volumes_that_fit_pass(fields):
    assert lines(**fields) == []


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (
            {"ebs": GI},
            [
                "`c.block_device_mappings[0]`: names no device, without which EC2 makes no volume; give device_name, "
                "as in '/dev/xvda'"
            ],
        ),
        (
            {"device_name": "", "ebs": GI},
            [
                "`c.block_device_mappings[0]`: names no device, without which EC2 makes no volume; give device_name, "
                "as in '/dev/xvda'"
            ],
        ),
        ({"device_name": "/dev/xvdc"}, []),
    ],
)
def test_fails_before_1_0_on_half_a_mapping(mapping, said):
    assert lines(version="1.0.0", **volumes(mapping)) == said
    assert lines(version="0.37.8", **volumes(mapping)) == [
        "`c.block_device_mappings[0]`: deviceName and ebs must be defined before Karpenter 1.0.0; give both"
    ]


def test_ubuntu_boots_from_sda1():
    assert (
        lines(version="0.37.8", ami_family="Ubuntu", **volumes({"device_name": "/dev/sda1", "ebs": GI})) == []
    )


# A tag, the last release that lets users set it and the first that does not, or the other way round.
@pytest.mark.parametrize(
    ("tag", "allows", "refuses"),
    [
        ("karpenter.sh/provisioner-name", "0.35.0", "0.34.13"),
        ("karpenter.sh/managed-by", "1.0.0", "0.37.8"),
        ("karpenter.sh/nodepool", "0.31.5", "0.32.0"),
        ("karpenter.sh/nodeclaim", "0.34.13", "0.35.0"),
        ("karpenter.k8s.aws/ec2nodeclass", "0.34.13", "0.35.0"),
        ("eks:eks-cluster-name", "0.37.8", "1.0.0"),
    ],
)
def test_fails_on_a_tag_that_the_release_keeps_for_itself(tag, allows, refuses):
    assert lines(tags={tag: "x"}, version=allows) == []
    assert lines(tags={tag: "x"}, version=refuses) == [
        f"`c.tags[{tag!r}]`: tag contains a restricted tag matching {tag}; Karpenter sets it, leave it out"
    ]


@pytest.mark.parametrize("version", ["0.30.0", "1.14.1"])
def test_fails_on_a_clusters_tag_in_every_release(version):
    assert lines(tags={"kubernetes.io/cluster/demo": "owned"}, version=version) == [
        "`c.tags['kubernetes.io/cluster/demo']`: tag contains a restricted tag matching "
        "kubernetes.io/cluster/; Karpenter sets it, leave it out"
    ]


def test_fails_on_a_tag_without_a_key():
    assert lines(tags={"": "x"}) == ["`c.tags`: empty tag keys aren't supported; name the tag"]


def test_other_tags_pass():
    assert lines(tags={"Name": "node", "team": "", TOKEN: TOKEN}) == []


def interface(card: int, device: int, kind: str = "interface") -> dict:
    return {"network_card_index": card, "device_index": device, "interface_type": kind}


@pytest.mark.parametrize(
    "interfaces",
    [
        [interface(0, 0), interface(0, 0, "efa-only")],
        [interface(0, 0), interface(1, 0, "efa-only"), interface(1, 1, "efa-only")],
    ],
)
def test_fails_on_interfaces_in_one_place(interfaces):
    assert lines(network_interfaces=interfaces) == [
        "`c.network_interfaces`: networkInterfaces must not have duplicate networkCardIndex and deviceIndex "
        "pairs, and can have at most one efa device per network card; give each interface its own place"
    ]


@pytest.mark.parametrize("interfaces", [[interface(0, 1)], [interface(0, 0, "efa-only")]])
def test_fails_without_a_primary_interface(interfaces):
    assert lines(network_interfaces=interfaces) == [
        "`c.network_interfaces`: networkInterfaces must include a primary interface with "
        "interfaceType='interface'; give it network_card_index=0 and device_index=0"
    ]


@pytest.mark.parametrize(
    "interfaces",
    [[], [interface(0, 0)], [interface(0, 0), interface(0, 1, "efa-only"), interface(1, 0, "efa-only")]],
)
def test_interfaces_that_fit_pass(interfaces):
    assert lines(network_interfaces=interfaces) == []


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"connection_tracking": {}},
            "`c.connection_tracking`: at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout "
            "must be set; give one, or leave connection_tracking out",
        ),
        (
            {"placement_group_selector": {}},
            "`c.placement_group_selector`: expected at least one, got none, ['name', 'id']; give one of them",
        ),
        (
            {"placement_group_selector": {"name": "rack", "id": "pg-1"}},
            "`c.placement_group_selector`: 'name' and 'id' are mutually exclusive; give one of the two",
        ),
        (
            {"kubelet": {"kube_reserved": {"cpus": "1"}}},
            "`c.kubelet.kube_reserved`: valid keys for kubeReserved are "
            "['cpu','memory','ephemeral-storage','pid'], got 'cpus'; did you mean 'cpu'?",
        ),
    ],
)
def test_fails_on_parts_that_do_not_fit(fields, line):
    assert lines(**fields) == [line]


@pytest.mark.parametrize(
    ("fields", "alias", "family"),
    [
        ({}, None, None),
        ({"ami": "al2023@v1"}, "al2023@v1", "AL2023"),
        ({"ami_selector_terms": [{"alias": "bottlerocket@latest"}]}, "bottlerocket@latest", "Bottlerocket"),
        ({"ami_family": "AL2"}, "al2@latest", "AL2"),
        ({"ami_family": "Ubuntu"}, None, "Ubuntu"),
        ({"ami_family": "Custom", "ami": "al2@latest"}, "al2@latest", "Custom"),
        ({"ami_family": "AL2", "ami_selector_terms": [{"id": "ami-1"}]}, None, "AL2"),
    ],
)
def test_knows_its_alias_and_its_family(fields, alias, family):
    node_class = EC2NodeClass(name="c", **fields)
    assert (node_class.alias, node_class.family) == (alias, family)
