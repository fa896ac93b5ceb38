"""The guard that refuses upgrades at deploy time, as CloudFormation calls it."""

from __future__ import annotations

import pytest

from karpenter_construct._resources.lambda_handler import index, upgrade_guard
from karpenter_construct._upstream.compatibility import NEWEST_PATCHES
from karpenter_construct._upstream.upgrades import check_upgrade, refused_origins
from karpenter_construct.releases import KarpenterVersion

PAST_V1BETA1 = (
    "`version`: cannot go from 0.37.8 to 1.14.1 in one step: 1.1 and later do not know v1beta1, which 1.0 converts; "
    "install 1.0.14 first, and go on once `status.storedVersions` of its CRDs is [v1]"
)
BACK_TO_ALPHA = (
    "`version`: cannot go from 1.14.1 to 0.31.5 in one step: releases before 0.32 do not know the NodePools and "
    "EC2NodeClasses of the cluster; go back to 0.32.10 at most"
)
BORDERS = (
    *(
        "0.30.0-rc.0",
        "0.31.0",
        "0.31.3",
        "0.31.4",
        "0.32.0",
        "0.32.8",
        "0.32.9",
        "0.33.0",
        "0.33.3",
        "0.33.4",
    ),
    *("0.33.11", "0.34.0", "0.34.5", "0.34.12", "0.35.4", "0.35.11", "0.36.0", "0.36.8", "0.37.0", "0.37.6"),
    *("0.37.7", "1.0.0", "1.1.0", "1.14.0", "1.15.0"),
)
"""The first and last releases of every span of the forbidden hops."""


def properties(release, namespace="kube-system"):
    refused = refused_origins(KarpenterVersion.parse(release))
    return {"Release": release, "Namespace": namespace, "Refused": refused}


class Stack:
    """CloudFormation, as far as a custom resource sees it: what it sends, and what it keeps of the answers."""

    def __init__(self, monkeypatch, release, namespace="kube-system"):
        self._answers = []
        monkeypatch.setattr(
            index, "answer", lambda _, failure, *, physical_id: self._answers.append((failure, physical_id))
        )
        self.sent = []
        self.properties = properties(release, namespace)
        self.physical_id = None
        self.physical_id = self._send("Create", self.properties)

    def _send(self, kind, new, old=None):
        """The physical id after a request; raises what the handler refuses."""
        event = {
            "RequestType": kind,
            "ResourceType": upgrade_guard.RESOURCE_TYPE,
            "LogicalResourceId": "UpgradeGuard",
            "ResourceProperties": new,
            **({} if old is None else {"OldResourceProperties": old}),
            **({} if self.physical_id is None else {"PhysicalResourceId": self.physical_id}),
        }
        index.handler(event)
        failure, physical_id = self._answers.pop()
        self.sent.append((kind, event.get("PhysicalResourceId"), new["Release"], failure))
        if failure is not None:
            raise RuntimeError(failure)
        return physical_id or event["PhysicalResourceId"]

    def update(self, release, namespace="kube-system"):
        """Update the guard; as the rollback of a refused update, CloudFormation updates it the other way round."""
        old, new = self.properties, properties(release, namespace)
        try:
            after = self._send("Update", new, old)
        except RuntimeError:
            self.physical_id = self._send("Update", old, new)
            raise
        before, self.physical_id, self.properties = self.physical_id, after, new
        return before

    def finish(self, before):
        """The clean-up of an update: an id that is not used any more is deleted."""
        after = self.physical_id
        if before != after:
            self.physical_id = before
            self._send("Delete", self.properties)
            self.physical_id = after

    def deploy(self, release, namespace="kube-system"):
        """An update in which everything works."""
        self.finish(self.update(release, namespace))

    def deploy_and_fail_later(self, release):
        """An update in which another resource fails: a new id is deleted, the old one is there again."""
        old = self.properties
        before = self.update(release)
        self._send("Delete", self.properties)
        self.physical_id, self.properties = before, old


@pytest.fixture
def stack(monkeypatch):
    return lambda *installed: Stack(monkeypatch, *installed)


@pytest.mark.parametrize("release", ["0.30.0-rc.0", "1.14.1"])
def test_any_release_can_come_first(stack, release):
    assert stack(release).sent == [("Create", None, release, None)]


def test_physical_id_names_what_is_installed(stack):
    made = stack("1.13.1")
    assert made.physical_id == "karpenter-1.13.1@kube-system"
    made.deploy("1.14.1")
    assert made.physical_id == "karpenter-1.14.1@kube-system"
    assert made.sent[1:] == [
        ("Update", "karpenter-1.13.1@kube-system", "1.14.1", None),
        ("Delete", "karpenter-1.13.1@kube-system", "1.14.1", None),
    ]


def test_fails_an_upgrade_that_breaks_the_cluster_and_lets_it_roll_back(stack):
    made = stack("0.37.8")
    with pytest.raises(RuntimeError) as raised:
        made.deploy("1.14.1")
    assert str(raised.value) == PAST_V1BETA1
    assert made.sent[1:] == [
        ("Update", "karpenter-0.37.8@kube-system", "1.14.1", PAST_V1BETA1),
        ("Update", "karpenter-0.37.8@kube-system", "0.37.8", None),
    ]


def test_way_round_is_open_after_a_refusal(stack):
    made = stack("0.37.8")
    with pytest.raises(RuntimeError):
        made.deploy("1.14.1")
    made.deploy("1.0.14")
    made.deploy("1.14.1")
    assert made.physical_id == "karpenter-1.14.1@kube-system"


def test_fails_the_way_back_of_an_upgrade_that_was_made_in_steps(stack):
    made = stack("0.31.5")
    for release in ("0.32.10", "0.37.8", "1.0.14", "1.14.1"):
        made.deploy(release)
    with pytest.raises(RuntimeError) as raised:
        made.deploy("0.31.5")
    assert str(raised.value) == BACK_TO_ALPHA


def test_upgrade_that_fails_elsewhere_rolls_back_even_where_there_is_no_way_back(stack):
    made = stack("0.37.5")
    made.deploy_and_fail_later("1.0.14")
    assert made.physical_id == "karpenter-0.37.5@kube-system"
    assert [failure for *_, failure in made.sent] == [None, None, None]
    made.deploy("1.0.14")


def test_another_release_after_an_update_that_was_left_failed_starts_from_what_is_installed():
    # `cdk deploy --no-rollback` leaves the refused template's properties as the old ones.
    refused, next_stop = properties("1.14.1"), properties("1.0.14")
    request = upgrade_guard.Request(
        upgrade_guard.RequestType.UPDATE,
        upgrade_guard.RESOURCE_TYPE,
        properties=next_stop,
        old_properties=refused,
        physical_id="karpenter-0.37.8@kube-system",
    )
    assert upgrade_guard.handle(request) == "karpenter-1.0.14@kube-system"


MOVED = (
    "`namespace`: cannot go from karpenter to kube-system: a Helm release cannot move, and a second one would want the "
    "cluster roles of the first; write namespace='karpenter'"
)


def test_fails_a_move_to_another_namespace_and_lets_it_roll_back(stack):
    made = stack("0.32.10", "karpenter")
    with pytest.raises(RuntimeError) as raised:
        made.deploy("0.33.12")
    assert str(raised.value) == MOVED
    assert [failure for *_, failure in made.sent] == [None, MOVED, None]


def test_the_namespace_stays_where_it_is_written_out(stack):
    made = stack("0.32.10", "karpenter")
    made.deploy("0.33.12", "karpenter")
    assert made.physical_id == "karpenter-0.33.12@karpenter"


def test_changed_properties_of_the_same_release_pass(stack):
    made = stack("1.14.1")
    made.deploy("1.14.1")
    assert made.sent[1:] == [("Update", "karpenter-1.14.1@kube-system", "1.14.1", None)]


def test_data_of_a_release_as_the_handler_gets_it():
    assert refused_origins(KarpenterVersion.parse("0.32.10")) == [
        {
            "Since": "1.0.0",
            "Until": "1.1.0",
            "Why": "only the last patches of 0.33 to "
            "0.37 convert the objects that 1.0 stored as v1; go back to 0.33.12, 0.34.13, 0.35.12, 0.36.9 or 0.37.8",
        },
        {
            "Since": "1.1.0",
            "Why": "releases before 1.0 take v1beta1, "
            "which 1.1 and later removed from the CRDs; stay on 1.0 or later",
        },
    ]


def test_data_of_the_newest_release():
    assert [
        (span["Since"], span.get("Until")) for span in refused_origins(KarpenterVersion.parse("1.14.1"))
    ] == [
        ("0.0.0", "0.32.0"),
        ("0.32.0", "0.33.0"),
        ("0.33.0", "1.0.0"),
    ]


@pytest.mark.parametrize("target", sorted({*NEWEST_PATCHES, *BORDERS}))
def test_refuses_exactly_what_the_table_forbids(stack, target):
    for origin in (*NEWEST_PATCHES, *BORDERS):
        problem = check_upgrade(KarpenterVersion.parse(origin), KarpenterVersion.parse(target))
        made = stack(origin)
        refused = None
        try:
            made.deploy(target)
        except RuntimeError as error:
            refused = str(error)
        assert refused == (None if problem is None else str(problem)), origin


def test_every_sentence_fits_cloudformations_answer():
    origins = [KarpenterVersion.parse(text) for text in (*NEWEST_PATCHES, *BORDERS)]
    problems = [check_upgrade(origin, target) for origin in origins for target in origins]
    assert max(len(str(problem)) for problem in problems) < 400
