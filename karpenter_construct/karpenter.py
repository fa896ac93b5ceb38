"""`Karpenter`: an autoscaler for an EKS cluster, as one construct. The wiring; what it wires is decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

# As in `Given`: the modules for queues and keys are loaded where they are first named.
import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from constructs import Construct, DependencyGroup

from ._applying.adding_manifests import AddsManifests
from ._applying.adding_node_objects import AddsNodeObjects
from ._applying.applied_objects import AppliedObjects, show
from ._cluster import adapt
from ._cluster.construct_ids import refuse_taken_id
from ._decisions.argument_types import refuse_wrong_types
from ._decisions.identity import IdentityType
from ._decisions.node_access import NodeAccess
from ._decisions.resolve import resolve
from ._resources.handler_function import HandlerFunction
from ._resources.spot_service_linked_role import spot_service_linked_role as make_spot_role
from ._resources.vpc_endpoints import required_services, vpc_endpoints
from ._wiring import Step
from ._wiring.at_synth import AtSynth
from ._wiring.decided import Decided
from ._wiring.given import Given
from .controller_capacity import ControllerCapacity
from .discovery import Discovery


class Karpenter(Decided, AddsNodeObjects, AddsManifests, Construct):
    """Karpenter on an EKS cluster: its roles, queue, tags and charts, and the node pools added to it.

    Attributes:
        node_role: The IAM role of nodes whose class names no other.
        node_roles: All IAM roles that nodes may have.
        node_instance_profile: The name of the nodes' instance profile; ``None`` where Karpenter makes one for the
            role of each class.
        interruption_queue: The queue of interruption events; ``None`` without interruption handling.
        controller_role: The controller's IAM role.
        chart_values: The chart's values, tokens included.
        chart: The Helm chart of the controller; ``None`` with ``install_chart=False``.
    """

    _applied: AppliedObjects

    def __init__(
        self,
        scope: Construct,
        id: str,  # noqa: A002 - the word of every construct
        *,
        cluster: Any,  # noqa: ANN401 - classes and interfaces of two modules, of which CDK before 2.240 has one
        version: str,
        namespace: str | None = None,
        service_account_name: str | None = None,
        identity_type: IdentityType | str | None = None,
        pod_identity_agent_installed: bool | None = None,
        controller_role: iam.IRole | None = None,
        controller_role_has_permissions: bool = False,
        controller_policy_statements: Sequence[iam.PolicyStatement] = (),
        keep_provisioner_permissions: bool = False,
        keep_pre_v1_permissions: bool = False,
        permissions_boundary: iam.IManagedPolicy | None = None,
        node_role: iam.IRole | Sequence[iam.IRole] | None = None,
        node_role_policies: Sequence[iam.IManagedPolicy] = (),
        cni_policy_on_node_role: bool = True,
        node_instance_profile: str | iam.IInstanceProfile | None = None,
        node_access: NodeAccess | str | None = None,
        interruption_handling: bool = True,
        interruption_queue: cdk.aws_sqs.IQueue | None = None,
        encryption_key: cdk.aws_kms.IKey | None = None,
        discovery: Discovery | None = None,
        isolated_vpc: bool = False,
        controller_capacity: ControllerCapacity | None = None,
        replicas: int | None = None,
        install_chart: bool = True,
        chart_repository: str | None = None,
        crd_chart_repository: str | None = None,
        image_repository: str | None = None,
        feature_gates: Mapping[str, bool] | None = None,
        helm_values: Mapping[str, object] | None = None,
        ebs_csi_startup_taint: bool = False,
        spot_service_linked_role: bool = True,
    ) -> None:
        """Install Karpenter on a cluster.

        Args:
            scope: The construct to build it under, in the cluster's stack or another one.
            id: The construct id.
            cluster: An ``aws_eks.Cluster``, an ``aws_eks_v2.Cluster``, or what ``from_cluster_attributes()`` of
                either returns.
            version: The Karpenter release, 0.30.0 to 1.14.1, or a newer 1.x with a warning. It may begin with a ``v``.
            namespace: The controller's namespace; Helm makes it. Default: ``kube-system``; ``karpenter`` before 0.33.
            service_account_name: The controller's service account, made by the chart. Default: ``karpenter``.
            identity_type: How the controller gets its AWS credentials. Default: Pod Identity where it works (0.34 or
                later, not on Fargate, the agent on the cluster), else IRSA.
            pod_identity_agent_installed: Whether the cluster has the add-on eks-pod-identity-agent. Default: made
                sure of on the app's own cluster, ``False`` on an imported one.
            controller_role: The controller's role; its trust policy is left alone. Default: one is made.
            controller_role_has_permissions: Whether the given role has its permissions already; otherwise the
                release's policies are attached to it. Default: ``False``.
            controller_policy_statements: What the controller may do besides. Default: nothing.
            keep_provisioner_permissions: For 0.32 only: keep the permissions for nodes of Provisioners, and their
                instance profile, while you migrate. Default: ``False``.
            keep_pre_v1_permissions: For 1.0 only: keep the permissions for nodes made before 1.0, while you migrate.
                Default: ``False``.
            permissions_boundary: The permissions boundary of every role made here. Default: none.
            node_role: The role of the nodes, or several: the first is that of every class that names none. Default:
                one is made.
            node_role_policies: Further managed policies of the node role made here. Default: none.
            cni_policy_on_node_role: Whether the VPC CNI works with the node role. ``False`` where it has a role of
                its own. Default: ``True``.
            node_instance_profile: An instance profile with the given ``node_role``, or its name. Default: Karpenter
                makes one for each class; one is made here before 0.32 and for an isolated VPC.
            node_access: How nodes are let into the cluster. Default: an access entry where the cluster takes them,
                else aws-auth.
            interruption_handling: Whether Karpenter learns of spot interruptions, maintenance and so on, and drains
                nodes before. Default: ``True``.
            interruption_queue: The queue of these events, with a policy of your own where it is imported. Default:
                one is made.
            encryption_key: The KMS key of the queue made here. Default: a key of SQS.
            discovery: How node classes find subnets and security groups. Default: by the tag
                ``karpenter.sh/discovery``, put on the private subnets and the cluster security group.
            isolated_vpc: Whether the VPC has no way to the internet. The nodes' instance profile is made here then, and
                Karpenter looks up no prices: IAM and the price list have no VPC endpoints. Default: ``False``.
            controller_capacity: Where the controller runs. Default: any node that Karpenter does not manage; Fargate on
                a ``FargateCluster``.
            replicas: How many controllers run. Default: 2, or as many as the capacity has nodes.
            install_chart: Whether the charts are installed. ``False`` for a cluster whose charts come from Argo CD
                or Flux: only the AWS side is made, and ``chart_values`` is for them. Default: ``True``.
            chart_repository: The OCI repository of the chart, ending in ``/karpenter``. Default: upstream's.
            crd_chart_repository: The same of the CRD chart, ending in ``/karpenter-crd``. Default: upstream's.
            image_repository: The repository of the controller image. Default: upstream's.
            feature_gates: Feature gates that differ from the release's default, by chart key. Default: none.
            helm_values: Values of the chart, over the construct's defaults. Default: none.
            ebs_csi_startup_taint: Whether new nodes take pods only once the EBS CSI driver runs there. Default:
                ``False``.
            spot_service_linked_role: Whether the role with which EC2 launches spot instances is made where a pool takes
                them and the account has none. It belongs to the account and stays. Default: ``True``.

        Raises:
            UnsupportedVersionError: The release cannot be installed.
            SettingsError: Arguments that cannot work; every one of them, a line each.
        """
        # Before another local variable joins them, these are the arguments.
        refuse_wrong_types(locals())
        adapter = adapt(cluster, scope)
        given = Given(
            controller_role=controller_role,
            controller_role_has_permissions=controller_role_has_permissions,
            controller_policy_statements=controller_policy_statements,
            permissions_boundary=permissions_boundary,
            node_role=node_role,
            node_role_policies=node_role_policies,
            cni_policy_on_node_role=cni_policy_on_node_role,
            node_instance_profile=node_instance_profile,
            interruption_queue=interruption_queue,
            encryption_key=encryption_key,
        )
        settings = resolve(
            adapter.facts,
            given.facts(adapter.stack),
            version=version,
            namespace=namespace,
            service_account_name=service_account_name,
            identity_type=identity_type,
            pod_identity_agent_installed=pod_identity_agent_installed,
            keep_provisioner_permissions=keep_provisioner_permissions,
            keep_pre_v1_permissions=keep_pre_v1_permissions,
            node_access=node_access,
            interruption_handling=interruption_handling,
            discovery=discovery,
            isolated_vpc=isolated_vpc,
            controller_capacity=controller_capacity,
            replicas=replicas,
            install_chart=install_chart,
            chart_repository=chart_repository,
            crd_chart_repository=crd_chart_repository,
            image_repository=image_repository,
            feature_gate_overrides=feature_gates,
            helm_values=helm_values,
            ebs_csi_startup_taint=ebs_csi_startup_taint,
            spot_service_linked_role=spot_service_linked_role,
        )
        settings.discovery.refuse_unusable_ids(adapter)

        with refuse_taken_id(scope, id, "id"):
            super().__init__(scope, id)
        adapter.claim(self)
        self._boundary = permissions_boundary
        self.settings = settings
        step = Step(scope=self, adapter=adapter, settings=settings, given=given)

        roles = step.node_roles()
        self.node_roles = tuple(each.role for each in roles)
        self.node_role = self.node_roles[0]
        self.node_instance_profile = step.node_instance_profile(self.node_role)
        queue = step.interruption_queue()
        self.interruption_queue = None if queue is None else queue.queue
        guard = step.upgrade_guard(lambda: self._handler)
        self._controller = step.controller_role(roles, queue, after=guard)
        self.controller_role = self._controller.role
        tags = step.discovery_tags(lambda: self._handler)
        self._endpoints = DependencyGroup()
        capacity = step.controller_capacity(after=self._endpoints)
        self._admission = step.node_admission(roles, capacity)
        self.chart_values = step.chart_values(self._controller, queue, self.node_instance_profile, capacity)
        self._foundation = step.foundation(
            *self._controller.dependencies,
            *self._admission.dependencies,
            *(queue.dependencies if queue else ()),
            *tags,
            *capacity.dependencies,
            self._endpoints,
            values=self.chart_values,
        )
        self.chart = step.charts(
            self.chart_values, after=self._foundation, crds_after=(self._endpoints, *guard)
        )
        drain = step.node_drain(lambda: self._handler, after=self.chart or self._foundation)
        self._applied = AppliedObjects(
            self,
            adapter,
            settings,
            step.node_objects(roles, self.node_instance_profile, self.chart_values),
            after=self.chart or self._foundation,
            drain=drain,
            admission=self._admission,
            node_roles=self.node_roles,
            spot_role=self._spot_role,
            let_read=step.let_read_image_parameters(self._controller, self._foundation),
        )
        self.node.add_validation(
            AtSynth(
                self,
                self._applied.problems_and_cautions,
                lambda: step.problems_and_cautions(self._admission),
            )
        )
        show(self, [*settings.cautions, *step.queue_cautions(queue)])

    def add_to_controller_policy(self, statement: iam.PolicyStatement) -> None:
        """Let the controller do more.

        Args:
            statement: What it may do.
        """
        refuse_wrong_types({"statement": statement})
        self._foundation.add(self._controller.add_given_statement(statement))

    @property
    def required_vpc_endpoints(self) -> tuple[str, ...]:
        """The services that need a VPC endpoint where the VPC has no way to the internet, such as ``ecr.api``."""
        return required_services(pod_identity=self.identity_type is IdentityType.POD_IDENTITY)

    def add_vpc_endpoints(
        self, vpc: ec2.IVpc, *, existing: Sequence[str] = (), cidrs: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """Make the VPC endpoints that nodes and controller need and the VPC lacks; the charts wait for them.

        A VPC that only keeps the cluster's API private, and reaches AWS otherwise, needs none of them.

        Args:
            vpc: The VPC. Endpoints that the app made for it are found.
            existing: Services that an imported VPC has an endpoint for, such as ``ecr.api``. Default: none.
            cidrs: The addresses that may call the endpoints. Default: the VPC's first block.

        Returns:
            The services that got one.

        Raises:
            SettingsError: The addresses of an imported VPC are not known.
        """
        refuse_wrong_types({"vpc": vpc, "existing": existing, "cidrs": cidrs})
        made = vpc_endpoints(
            self,
            vpc,
            pod_identity=self.identity_type is IdentityType.POD_IDENTITY,
            existing=existing,
            cidrs=cidrs,
        )
        self._endpoints.add(*made.dependencies)
        return made.made

    def _spot_role(self) -> tuple[Construct, ...]:
        """What makes the role with which EC2 launches spot instances; made with the first pool that takes them."""
        return (self._spot_service_linked_role,) if self.settings.spot_service_linked_role else ()

    @cached_property
    def _spot_service_linked_role(self) -> Construct:
        return make_spot_role(self._handler)

    @cached_property
    def _handler(self) -> HandlerFunction:
        """The function behind custom resources, made at its first use."""
        return HandlerFunction(self, permissions_boundary=self._boundary)
