"""Node classes: how Karpenter launches a node in EC2."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from ._fields import Choice, Flag, Items, Map, Number, Text, Words
from ._model import Model, Named
from .block_devices import BlockDeviceMapping
from .kubelet import Kubelet
from .releases import since, until
from .selector_terms import (
    AMI_ALIAS,
    AMISelectorTerm,
    CapacityReservationSelectorTerm,
    PlacementGroupSelector,
    SecurityGroupSelectorTerm,
    SubnetSelectorTerm,
)

# IAM's own pattern for names (API reference, CreateRole and CreateInstanceProfile).
ROLE_NAME = Text(
    "the name of an IAM role",
    pattern=r"[A-Za-z0-9_+=,.@-]*",
    fix="give the name without ARN and path",
    shortest=1,
    longest=64,
)
INSTANCE_PROFILE_NAME = Text(
    "the name of an instance profile",
    pattern=r"[A-Za-z0-9_+=,.@-]*",
    fix="give the name without ARN and path",
    shortest=1,
    longest=128,
)


class AMIFamily(Words):
    """Which operating system a node boots: how its user data reads, and which volumes it has."""

    AL2 = "AL2"
    """Amazon Linux 2; EKS has none from Kubernetes 1.33."""
    AL2023 = "AL2023", since("0.35")
    """Amazon Linux 2023. From Karpenter 0.35."""
    BOTTLEROCKET = "Bottlerocket"
    """Bottlerocket."""
    UBUNTU = "Ubuntu", until("1.0")
    """Ubuntu. Until Karpenter 1.0."""
    CUSTOM = "Custom"
    """An AMI of your own, whose user data is taken as it is."""
    WINDOWS_2019 = "Windows2019"
    """Windows Server 2019."""
    WINDOWS_2022 = "Windows2022"
    """Windows Server 2022."""
    WINDOWS_2025 = "Windows2025", since("1.9")
    """Windows Server 2025. From Karpenter 1.9."""


ALIAS_FAMILIES = {
    "al2": "AL2",
    "al2023": "AL2023",
    "bottlerocket": "Bottlerocket",
    "windows2019": "Windows2019",
    "windows2022": "Windows2022",
    "windows2025": "Windows2025",
}
"""The AMI family that each family of an alias means."""


class InstanceStorePolicy(Words):
    """What becomes of the disks that are part of an instance."""

    RAID0 = "RAID0"
    """They become one volume for pods, images and logs."""


class MetadataState(Words):
    """Whether a part of the instance metadata service answers."""

    ENABLED = "enabled"
    DISABLED = "disabled"


class MetadataTokens(Words):
    """Whether the instance metadata service wants a session token (IMDSv2)."""

    REQUIRED = "required"
    OPTIONAL = "optional"


class MetadataOptions(Model):
    """How the instance metadata service of a node answers."""

    sample: ClassVar[str] = "{'httpTokens': 'required'}"

    http_endpoint: Annotated[MetadataState | str, Choice(MetadataState)] = "enabled"
    """Whether it answers at all. Default: ``enabled``."""
    http_protocol_ipv6: Annotated[MetadataState | str, Choice(MetadataState)] = "disabled"
    """Whether it answers over IPv6. Default: ``disabled``."""
    http_put_response_hop_limit: Annotated[int, Number(1, 64)] = 1
    """How many network hops a token may travel; with 1, only pods on the host's network reach the service.
    Default: 1."""
    http_tokens: Annotated[MetadataTokens | str, Choice(MetadataTokens)] = "required"
    """Whether every request needs a token. Default: ``required``."""


class InterfaceType(Words):
    """The kinds of network interface."""

    INTERFACE = "interface"
    """An ordinary one, with IP addresses."""
    EFA_ONLY = "efa-only"
    """An Elastic Fabric Adapter without IP addresses."""


class NetworkInterface(Model):
    """A network interface of a node."""

    sample: ClassVar[str] = "{'networkCardIndex': 0, 'deviceIndex': 0, 'interfaceType': 'interface'}"

    network_card_index: Annotated[int, Number(0, example="0")]
    """The network card that carries it. Default: required."""
    device_index: Annotated[int, Number(0, example="0")]
    """Its place on the card; the first on card 0 is the primary one. Default: required."""
    interface_type: Annotated[InterfaceType | str, Choice(InterfaceType)]
    """Its kind. Default: required."""


class ConnectionTracking(Model):
    """How long an idle connection is remembered by the security groups of a node."""

    sample: ClassVar[str] = "{'udpTimeout': 30}"

    tcp_established_timeout: Annotated[int | None, Number(60, 432_000)] = None
    """Seconds for TCP connections. Default: EC2's, 350 for Nitro v6 types and 432,000 for others."""
    udp_stream_timeout: Annotated[int | None, Number(60, 180)] = None
    """Seconds for UDP flows with more than one exchange. Default: EC2's, 180."""
    udp_timeout: Annotated[int | None, Number(30, 60)] = None
    """Seconds for UDP flows with one exchange or one direction. Default: EC2's, 30."""


class NestedVirtualization(Words):
    """Whether a node can run virtual machines."""

    ENABLED = "enabled"
    """It can; only instance types that support it are launched."""
    DISABLED = "disabled"
    """It cannot."""


class CPUOptions(Model):
    """What the processors of a node do."""

    sample: ClassVar[str] = "{'nestedVirtualization': 'enabled'}"

    nested_virtualization: Annotated[NestedVirtualization | str | None, Choice(NestedVirtualization)] = None
    """Whether the node can run virtual machines. Default: it cannot."""


class EC2NodeClass(Named):
    """How the nodes of a pool are launched in EC2: image, network, identity, disks."""

    collection: ClassVar[str] = "node_classes"

    ami: Annotated[str | None, AMI_ALIAS] = None
    """The image as ``family@version``, short for one AMI selector term with that alias; ``@latest``
    replaces all nodes whenever AWS publishes one. Default: the newest Amazon Linux that the release knows,
    ``@latest``."""
    ami_selector_terms: Annotated[Sequence[AMISelectorTerm] | None, Items(most=30)] = None
    """The images to choose from; of several, the newest that fits the instance is taken. Default: see
    ``ami``."""
    ami_family: Annotated[AMIFamily | str | None, Choice(AMIFamily)] = None
    """The operating system of the images. Default: that of the alias; required where there is none."""
    subnet_selector_terms: Annotated[Sequence[SubnetSelectorTerm] | None, Items(most=30)] = None
    """The subnets that nodes are launched in. Default: those that the construct discovers."""
    security_group_selector_terms: Annotated[Sequence[SecurityGroupSelectorTerm] | None, Items(most=30)] = (
        None
    )
    """The security groups of the nodes. Default: those that the construct discovers."""
    role: Annotated[str | None, ROLE_NAME, since("0.32")] = None
    """The name of the nodes' IAM role; Karpenter makes the instance profile. Default: the construct's node
    role."""
    instance_profile: Annotated[str | None, INSTANCE_PROFILE_NAME, until("0.32") | since("0.32.2")] = None
    """The name of the nodes' instance profile, instead of a role. Default: Karpenter makes one for the
    role."""
    associate_public_ip_address: Annotated[bool | None, Flag(), since("0.35")] = None
    """Whether nodes get a public IPv4 address. Default: as the subnet says."""
    ip_prefix_count: Annotated[int | None, Number(0), since("1.8")] = None
    """How many IPv4 prefixes the network interface gets at its start. Default: none, the VPC CNI fetches
    them."""
    network_interfaces: Annotated[Sequence[NetworkInterface] | None, Items(most=150), since("1.11")] = None
    """The network interfaces of a node. Default: one, and EFA where pods ask for it."""
    connection_tracking: Annotated[ConnectionTracking | None, since("1.13")] = None
    """How long idle connections are remembered. Default: EC2's."""
    capacity_reservation_selector_terms: Annotated[
        Sequence[CapacityReservationSelectorTerm] | None, Items(most=30), since("1.3")
    ] = None
    """The capacity reservations that nodes use first. Default: none."""
    placement_group_selector: Annotated[PlacementGroupSelector | None, since("1.11")] = None
    """The placement group that nodes are launched in. Default: none."""
    user_data: Annotated[
        str | None, Text(fix="pass the text; of an ec2.UserData, what its render() returns")
    ] = None
    """What a node runs or reads at its start, in the format of the AMI family; Karpenter merges its own
    part in, but for Custom. Default: Karpenter's own part alone."""
    block_device_mappings: Annotated[Sequence[BlockDeviceMapping] | None, Items(most=50)] = None
    """The EBS volumes of a node. Default: those of the AMI family, 20Gi of gp3 for Amazon Linux."""
    instance_store_policy: Annotated[
        InstanceStorePolicy | str | None, Choice(InstanceStorePolicy), since("0.34")
    ] = None
    """What becomes of the disks that are part of an instance. Default: they are left alone."""
    metadata_options: MetadataOptions | None = None
    """How the instance metadata service answers. Default: with tokens, over IPv4, one hop."""
    detailed_monitoring: Annotated[bool | None, Flag()] = None
    """Whether CloudWatch gets metrics each minute instead of each fifth, at a price. Default: no."""
    cpu_options: Annotated[CPUOptions | None, since("1.13")] = None
    """What the processors do. Default: EC2's."""
    kubelet: Kubelet | None = None
    """Kubelet settings for all nodes of the class, in every release. Default: Karpenter's own."""
    tags: Annotated[Mapping[str, str] | None, Map()] = None
    """Tags of the instances, volumes and launch templates. Default: Karpenter's own alone."""
    context: Annotated[str | None, Text()] = None
    """EC2 CreateFleet's reserved field. Default: none."""

    @property
    def alias(self) -> str | None:
        """The alias of the image: `ami`, that of a term, or what an AMI family without terms means."""
        terms = self.ami_selector_terms or ()
        given = [self.ami, *(term.alias for term in terms if isinstance(term, AMISelectorTerm))]
        implied = [f"{word}@latest" for word, family in ALIAS_FAMILIES.items() if family == self.ami_family]
        found = [alias for alias in given if alias is not None] or ([] if terms else implied)
        return found[0] if found else None

    @property
    def family(self) -> str | None:
        """The AMI family: `ami_family`, or that of the alias; ``None`` where neither says."""
        if self.ami_family is not None or self.alias is None:
            return self.ami_family
        return ALIAS_FAMILIES.get(self.alias.partition("@")[0])

    @property
    def is_windows(self) -> bool:
        """Whether the nodes boot Windows."""
        return (self.family or "").startswith("Windows")
