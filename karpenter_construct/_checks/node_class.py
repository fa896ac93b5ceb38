"""Node classes: what the release cannot say, what its CRD refuses, and what only EC2 would notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .._tokens import is_unresolved
from ..errors import Problem
from ..node_class import ConnectionTracking, EC2NodeClass, NetworkInterface
from ..releases import ALWAYS, KarpenterVersion, Window, between, since, until
from ..selector_terms import PlacementGroupSelector
from .block_devices import block_device_problems
from .ec2_limits import ec2_problems
from .images import image_problems
from .kubelet import kubelet_problems
from .names import NAME_RULES
from .rule import Rule, broken
from .selector_terms import selector_problems
from .windows import unknown_to_release

_CLASS_RULES: tuple[Rule[EC2NodeClass], ...] = (
    Rule(
        lambda c: c.role is not None and c.instance_profile is not None,
        "must specify exactly one of ['role', 'instanceProfile']",
        "leave one of the two out",
    ),
)

_MISSING_RULES: tuple[Rule[EC2NodeClass], ...] = (
    Rule(
        lambda c: c.role is None and c.instance_profile is None,
        "must specify exactly one of ['role', 'instanceProfile']",
        "give the name of the nodes' role",
        window=since("0.32"),
    ),
    Rule(lambda c: c.subnet_selector_terms is None, "subnetSelectorTerms is required", "say where nodes go"),
    Rule(
        lambda c: c.security_group_selector_terms is None,
        "securityGroupSelectorTerms is required",
        "say what guards the nodes",
    ),
    Rule(
        lambda c: c.alias is None and c.ami_selector_terms is None and c.ami_family is None,
        "amiFamily is required",
        "give ami, as in 'al2023@latest'",
        window=between("0.32", "1.0"),
    ),
    Rule(
        lambda c: c.ami is None and c.ami_selector_terms is None,
        "amiSelectorTerms is required",
        "give ami, as in 'al2023@latest'",
        window=since("1.0"),
    ),
)

_TRACKING_RULES: tuple[Rule[ConnectionTracking], ...] = (
    Rule(
        lambda t: (
            t.tcp_established_timeout is None and t.udp_stream_timeout is None and t.udp_timeout is None
        ),
        "at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set",
        "give one, or leave connection_tracking out",
    ),
)

_PLACEMENT_RULES: tuple[Rule[PlacementGroupSelector], ...] = (
    Rule(
        lambda p: p.name is None and p.id is None,
        "expected at least one, got none, ['name', 'id']",
        "give one of them",
    ),
    Rule(
        lambda p: p.name is not None and p.id is not None,
        "'name' and 'id' are mutually exclusive",
        "give one of the two",
    ),
)


class _RestrictedTag(NamedTuple):
    """A tag that Karpenter keeps for itself: its name, and the keys and releases that it covers."""

    name: str
    window: Window = ALWAYS
    covers: Callable[[str, str], bool] = str.__eq__


_RESTRICTED_TAGS = (
    _RestrictedTag("kubernetes.io/cluster/", covers=lambda key, _: key.startswith("kubernetes.io/cluster")),
    _RestrictedTag("karpenter.sh/provisioner-name", until("0.35")),
    _RestrictedTag("karpenter.sh/managed-by", until("1.0")),
    _RestrictedTag("karpenter.sh/nodepool", since("0.32")),
    _RestrictedTag("karpenter.sh/nodeclaim", since("0.35")),
    _RestrictedTag("karpenter.k8s.aws/ec2nodeclass", since("0.35")),
    _RestrictedTag("eks:eks-cluster-name", since("1.0")),
)


def check_node_class(
    node_class: EC2NodeClass,
    version: KarpenterVersion,
    *,
    path: str,
    kubernetes_version: str | None = None,
    complete: bool = False,
) -> list[Problem]:
    """Everything that this release would refuse, or that cannot work.

    Args:
        node_class: The node class.
        version: The release that it is for.
        path: Where messages begin, such as ``node_classes['spot']``.
        kubernetes_version: The cluster's, such as ``1.35``, where it is known.
        complete: Whether nobody will fill in role, selectors and image any more, so that they must be there.
    """
    return [
        *unknown_to_release(node_class, path, version),
        *broken(NAME_RULES, node_class, path, version),
        *broken(_CLASS_RULES, node_class, path, version),
        *(broken(_MISSING_RULES, node_class, path, version) if complete else ()),
        *image_problems(node_class, path, version, kubernetes_version),
        *selector_problems(node_class, path, version),
        *block_device_problems(node_class, path, version),
        *kubelet_problems(node_class.kubelet, f"{path}.kubelet", version),
        *_tag_problems(node_class.tags or {}, f"{path}.tags", version),
        *ec2_problems(node_class, path, version),
        *_network_problems(node_class, path, version),
    ]


def _tag_problems(tags: Mapping[str, str], path: str, version: KarpenterVersion) -> Iterator[Problem]:
    for key in tags:
        if not key:
            yield Problem(path, "empty tag keys aren't supported; name the tag")
        for tag in _RESTRICTED_TAGS:
            if version in tag.window and tag.covers(key, tag.name) and not is_unresolved(key):
                yield Problem(
                    f"{path}[{key!r}]",
                    f"tag contains a restricted tag matching {tag.name}; Karpenter sets it, leave it out",
                )


def _network_problems(node_class: EC2NodeClass, path: str, version: KarpenterVersion) -> Iterator[Problem]:
    if node_class.connection_tracking is not None:
        here = f"{path}.connection_tracking"
        yield from broken(_TRACKING_RULES, node_class.connection_tracking, here, version)
    if node_class.placement_group_selector is not None:
        here = f"{path}.placement_group_selector"
        yield from broken(_PLACEMENT_RULES, node_class.placement_group_selector, here, version)
    interfaces = tuple(node_class.network_interfaces or ())
    if interfaces and not is_unresolved(interfaces):
        yield from _interface_problems(interfaces, f"{path}.network_interfaces")


def _interface_problems(interfaces: tuple[NetworkInterface, ...], path: str) -> Iterator[Problem]:
    if not any(
        (i.network_card_index, i.device_index, i.interface_type) == (0, 0, "interface") for i in interfaces
    ):
        yield Problem(
            path,
            "networkInterfaces must include a primary interface with interfaceType='interface'; "
            "give it network_card_index=0 and device_index=0",
        )
    places = [(i.network_card_index, i.device_index) for i in interfaces]
    fabric = [i.network_card_index for i in interfaces if i.interface_type == "efa-only"]
    if len(set(places)) < len(places) or len(set(fabric)) < len(fabric):
        yield Problem(
            path,
            "networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have "
            "at most one efa device per network card; give each interface its own place",
        )
