"""The controller's role: who may take it, and what it allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from aws_cdk import aws_eks as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from .._decisions.given_statements import Newest, statement_problems
from ..errors import SettingsError
from .policy_document import statements, sub_document

# The same in every partition.
_TOKEN_AUDIENCE = "sts.amazonaws.com"  # noqa: S105 - not a secret
_POD_IDENTITY_SERVICE = "pods.eks.amazonaws.com"


class IrsaTrust(NamedTuple):
    """The service account takes the role with a web identity of the cluster's OIDC provider.

    Attributes:
        provider_arn: The ARN of the IAM OIDC provider.
        issuer: Its issuer without ``https://``, such as ``oidc.eks.eu-west-1.amazonaws.com/id/…``.
        namespace: The namespace of the service account.
        service_account_name: The name of the service account.
    """

    provider_arn: str
    issuer: str
    namespace: str
    service_account_name: str

    @property
    def document(self) -> dict[str, Any]:
        """The trust policy. The issuer stands in the keys of its condition, hence a string."""
        user = f"system:serviceaccount:{self.namespace}:{self.service_account_name}"
        return sub_document(
            statements(
                {
                    "Effect": "Allow",
                    "Principal": {"Federated": "${ProviderArn}"},
                    "Action": "sts:AssumeRoleWithWebIdentity",
                    "Condition": {"StringEquals": {"${Issuer}:aud": _TOKEN_AUDIENCE, "${Issuer}:sub": user}},
                }
            ),
            {"ProviderArn": self.provider_arn, "Issuer": self.issuer},
        )


class PodIdentityTrust(NamedTuple):
    """EKS Pod Identity gives the role to the pods of the service account.

    Attributes:
        cluster_name: The cluster.
        namespace: The namespace of the service account.
        service_account_name: The name of the service account.
    """

    cluster_name: str
    namespace: str
    service_account_name: str

    def association(self, scope: Construct, role_arn: str) -> eks.CfnPodIdentityAssociation:
        """The association of the role with the service account, which the chart may make later."""
        return eks.CfnPodIdentityAssociation(
            scope,
            "PodIdentityAssociation",
            cluster_name=self.cluster_name,
            namespace=self.namespace,
            role_arn=role_arn,
            service_account=self.service_account_name,
        )


class ControllerRole:
    """The role made here, or the given one, with its policies and its Pod Identity association.

    Attributes:
        role: The role.
        arn: Its ARN.
        policies: The managed policies by construct id.
        association: The Pod Identity association, ``None`` for IRSA.
    """

    def __init__(
        self,
        scope: Construct,
        *,
        trust: IrsaTrust | PodIdentityTrust | None,
        policies: Mapping[str, Mapping[str, Any]],
        values: Mapping[str, str],
        role: iam.IRole | None = None,
        additional_statements: Sequence[iam.PolicyStatement] = (),
        permissions_boundary: iam.IManagedPolicy | None = None,
        after: Sequence[Construct] = (),
    ) -> None:
        """Make what is missing.

        Args:
            scope: The `Karpenter` construct.
            trust: Who may take the role. A given role is left alone: it must have such a trust already, and needs
                none here but for the association of Pod Identity.
            policies: Policy documents by construct id, with ``${Name}`` placeholders.
            values: What the placeholders stand for; tokens are welcome.
            role: A role to use instead of making one. The policies are attached to it by its name, which
                an imported role has too.
            additional_statements: The user's own, in one more policy.
            permissions_boundary: The boundary of a role made here.
            after: What must have come about before any of it is made, changed or taken away.
        """
        self._scope = scope
        self.role = role if role is not None else _make_role(scope, trust, permissions_boundary)
        self.arn = self.role.role_arn
        self._role_name = self.role.role_name
        self.policies = {
            policy_id: self._attach(policy_id, sub_document(document, values))
            for policy_id, document in policies.items()
        }
        self._additional = _Additional()
        for statement in additional_statements:
            self.add_statements(statement)
        # For IRSA, the annotation of the service account names the role.
        self.association = trust.association(scope, self.arn) if isinstance(trust, PodIdentityTrust) else None
        if after:
            # What is made here refers to a role made here, and waits for it anyway.
            for made in self.dependencies[:1] if role is None else self.dependencies[1:]:
                made.node.add_dependency(*after)

    def add_given_statement(self, statement: iam.PolicyStatement) -> iam.CfnManagedPolicy:
        """Allow the controller more, as the user says.

        Returns:
            The policy, for what must wait for it.

        Raises:
            SettingsError: IAM would refuse the statement.
        """
        given = {"statement": statement.to_statement_json()}
        if problems := statement_problems(given, self._additional.newest.statements):
            raise SettingsError(*problems)
        return self.add_statements(statement)

    def add_statements(self, *added: iam.PolicyStatement) -> iam.CfnManagedPolicy:
        """Allow the controller more, in ``AdditionalPolicy``; in ``AdditionalPolicy2`` and so on where that is full.

        Statements that are added together stay together.

        Returns:
            The policy, for what must wait for it.
        """
        statements = [statement.to_statement_json() for statement in added]
        document, is_new = self._additional.document_for(statements)
        policy_id = self._additional.policy_id
        if is_new:
            self.policies[policy_id] = self._attach(policy_id, document)
        document.add_statements(*added)
        return self.policies[policy_id]

    def policy_beside(
        self, resource: Construct, statements: Sequence[iam.PolicyStatement]
    ) -> iam.CfnManagedPolicy:
        """Allow the controller more for a resource of another stack, in a policy of that stack.

        Args:
            resource: What needs it.
            statements: What it needs.

        Returns:
            The policy, for the resource to wait for.
        """
        beside = cast("Construct", resource.node.scope)
        document = iam.PolicyDocument(statements=statements)
        return iam.CfnManagedPolicy(
            beside, "ControllerPolicy", policy_document=document, roles=[self._role_name]
        )

    @property
    def dependencies(self) -> tuple[Construct, ...]:
        """What the controller needs before it starts, and until it has stopped."""
        found = (self.role, *self.policies.values(), self.association)
        return tuple(cast("Construct", each) for each in found if each is not None)

    def _attach(self, id: str, document: object) -> iam.CfnManagedPolicy:  # noqa: A002
        return iam.CfnManagedPolicy(self._scope, id, policy_document=document, roles=[self._role_name])


class _Additional:
    """What the controller may do besides.

    Attributes:
        newest: What the newest policy has.
    """

    _document: iam.PolicyDocument
    """That of the newest policy, made with its first statements."""

    def __init__(self) -> None:
        self.newest = Newest()

    @property
    def policy_id(self) -> str:
        """The construct id of the newest policy."""
        number = self.newest.number
        return "AdditionalPolicy" if number == 1 else f"AdditionalPolicy{number}"

    def document_for(self, added: Sequence[Mapping[str, Any]]) -> tuple[iam.PolicyDocument, bool]:
        """The document that has room for these statements, and whether it is new."""
        is_new = self.newest.join(added)
        if is_new:
            self._document = iam.PolicyDocument()
        return self._document, is_new


def _make_role(
    scope: Construct,
    trust: IrsaTrust | PodIdentityTrust | None,
    permissions_boundary: iam.IManagedPolicy | None,
) -> iam.Role:
    assert trust is not None, "a role that is made here needs one"  # noqa: S101
    service = iam.ServicePrincipal(_POD_IDENTITY_SERVICE)
    # EKS user guide, Pod Identity: the service tags the session.
    principal = service if isinstance(trust, IrsaTrust) else service.with_session_tags()
    role = iam.Role(
        scope,
        "ControllerRole",
        assumed_by=cast("iam.IPrincipal", principal),
        permissions_boundary=permissions_boundary,
    )
    if isinstance(trust, IrsaTrust):
        # CDK's principals cannot say its conditions without a custom resource.
        cast("iam.CfnRole", role.node.default_child).assume_role_policy_document = trust.document
    return role
