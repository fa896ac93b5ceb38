"""The node models: what they take, what they refuse and in which words, and that nothing changes them."""

from __future__ import annotations

import ast
import copy
import json
import math
import pickle
from enum import Enum

import pytest

from karpenter_construct._model import Model
from karpenter_construct.block_devices import BlockDevice
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass, MetadataOptions
from karpenter_construct.node_pool import (
    Budget,
    ConsolidationPolicy,
    Disruption,
    NodePool,
    Taint,
    TaintEffect,
)
from karpenter_construct.requirements import CAPACITY_TYPE, INSTANCE_GENERATION, Gt, In

TOKEN = "${Token[Cluster.Name.12]}"  # noqa: S105 - a placeholder of CDK
LIST_TOKEN = ["#{Token[Subnets.34]}"]
NUMBER_TOKEN = -1.8881545897087626e289


def refused(make) -> list[str]:
    """The lines of the error that ``make`` raises."""
    with pytest.raises(SettingsError) as raised:
        make()
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__
    return str(raised.value).splitlines()


def test_fails_with_every_mistake_at_once_each_with_its_path():
    assert refused(
        lambda: NodePool(
            name="batch",
            requirements=[{"key": "a b", "operator": "in", "values": "x"}],
            labels={"team": 5},
            disruption={"budgets": [{"nodes": 5, "raisons": ["Empty"]}]},
            limits={"cpu": 0.5},
            weight=500,
        )
    ) == [
        "`node_pools['batch'].requirements[0].key`: must be a label key, got 'a b'; write one as in 'team' "
        "or 'example.com/team'",
        "`node_pools['batch'].requirements[0].operator`: must be one of 'In', 'NotIn', 'Exists', "
        "'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte', got 'in'; did you mean 'In'?",
        "`node_pools['batch'].requirements[0].values`: must be a list, got 'x'; write ['x']",
        "`node_pools['batch'].labels['team']`: must be a string, got 5; write '5'",
        "`node_pools['batch'].disruption.consolidate_after`: is required; write for example '0s'",
        "`node_pools['batch'].disruption.budgets[0].nodes`: must be a string, got 5; write '5'",
        "`node_pools['batch'].disruption.budgets[0].raisons`: is not a field of Budget; did you mean "
        "'reasons'?",
        "`node_pools['batch'].limits['cpu']`: must be a Kubernetes quantity, got 0.5; write '0.5'",
        "`node_pools['batch'].weight`: must be between 1 and 100, got 500",
    ]


def test_fails_inside_a_part_that_stands_on_its_own_with_the_name_of_its_class():
    assert refused(lambda: Disruption(budgets=[{}])) == [
        "`Disruption.consolidate_after`: is required; write for example '0s'"
    ]


@pytest.mark.parametrize(
    ("make", "line"),
    [
        pytest.param(
            NodePool,
            "`NodePool.name`: is required; write for example 'default'",
            id="no name",
        ),
        pytest.param(
            lambda: NodePool(name="Batch"),
            "`node_pools['Batch'].name`: must be a name that Kubernetes takes, got 'Batch'; use lower case "
            "letters, digits, '-' and '.', with a letter or digit at both ends of each part",
            id="no object name",
        ),
        pytest.param(
            lambda: NodePool(name="a", expire_after="30d"),
            "`node_pools['a'].expire_after`: must be a duration or 'Never', got '30d'; use the units h, m "
            "and s, as in '720h' or '1h30m'",
            id="no duration",
        ),
        pytest.param(
            lambda: NodePool(name="a", expire_after="720h\n"),
            "`node_pools['a'].expire_after`: must be a duration or 'Never', got '720h\\n'; use the units h, "
            "m and s, as in '720h' or '1h30m'",
            id="a duration and a line feed",
        ),
        pytest.param(
            lambda: NodePool(name="a", expire_after=None),
            "`node_pools['a'].expire_after`: must be a string, got None; use the units h, m and s, as in "
            "'720h' or '1h30m'",
            id="None where a string is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", weight="5"),
            "`node_pools['a'].weight`: must be a whole number, got '5'; write 5",
            id="digits where a number is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", weight=True),
            "`node_pools['a'].weight`: must be a whole number, got True",
            id="a truth value where a number is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", labels={"on": True}),
            "`node_pools['a'].labels['on']`: must be a string, got True; write 'true'",
            id="a truth value where a string is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", labels={7: "x"}),
            "`node_pools['a'].labels[7]`: must be a string, got 7; write '7'",
            id="a number as a key",
        ),
        pytest.param(
            lambda: NodePool(name="a", labels=["x"]),
            "`node_pools['a'].labels`: must be a mapping, got ['x']; write one as in {'team': 'a'}",
            id="a list where a mapping is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", labels={"x": "not a label"}),
            "`node_pools['a'].labels['x']`: must be a label value, got 'not a label'; use letters, digits, "
            "'-', '_' and '.', with a letter or digit at both ends",
            id="no label value",
        ),
        pytest.param(
            lambda: NodePool(name="a", limits={"cpu": "many"}),
            "`node_pools['a'].limits['cpu']`: must be a Kubernetes quantity, got 'many'; write one as in "
            "200, '500m' or '16Gi'",
            id="no quantity",
        ),
        pytest.param(
            lambda: NodePool(name="a", taints={"key": "x"}),
            "`node_pools['a'].taints`: must be a list, got {'key': 'x'}; write [{'key': 'x'}]",
            id="a mapping where a list is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", taints={Taint(key="x", effect="NoSchedule")}),
            "`node_pools['a'].taints`: must be a list, got {Taint(key='x', effect='NoSchedule')}; a set has no "
            "order; write a list",
            id="a set, whose order is not stable",
        ),
        pytest.param(
            lambda: NodePool(name="a", taints=[None]),
            "`node_pools['a'].taints[0]`: must be a Taint or a mapping of its fields, got None; write one as "
            "in {'key': 'dedicated', 'effect': 'NoSchedule'}",
            id="None in a list of models",
        ),
        pytest.param(
            lambda: NodePool(name="a", disruption="never"),
            "`node_pools['a'].disruption`: must be a Disruption or a mapping of its fields, got 'never'; "
            "write one as in {'consolidateAfter': '5m'}",
            id="a string where a model is wanted",
        ),
        pytest.param(
            lambda: NodePool(name="a", disruption=Budget()),
            "`node_pools['a'].disruption`: must be a Disruption or a mapping of its fields, got Budget(); "
            "write one as in {'consolidateAfter': '5m'}",
            id="another model",
        ),
        pytest.param(
            lambda: NodePool(name="a", nodeclass="x"),
            "`node_pools['a'].nodeclass`: is not a field of NodePool; did you mean 'node_class'?",
            id="a misspelt field",
        ),
        pytest.param(
            lambda: Budget(zzz=1),
            "`Budget.zzz`: is not a field of Budget; its fields are nodes, reasons, schedule, duration",
            id="a field that resembles none",
        ),
        pytest.param(
            lambda: NodePool(name="a", expireAfter="1h", expire_after="2h"),
            "`node_pools['a'].expire_after`: is given twice, as 'expire_after' and in its other spelling; "
            "give one",
            id="both spellings",
        ),
        pytest.param(
            lambda: NodePool.model_validate("x"),
            "`NodePool`: must be a NodePool or a mapping of its fields, got 'x'",
            id="no mapping",
        ),
        pytest.param(
            lambda: NodePool.model_validate_json("{"),
            "`NodePool`: is not JSON, got '{'",
            id="no JSON",
        ),
        pytest.param(
            lambda: NodePool(name="a", disruption=Disruption(consolidate_after="0s", budgets=[{}] * 51)),
            "`Disruption.budgets`: must have at most 50 items, has 51",
            id="too many items",
        ),
        pytest.param(
            lambda: NodePool(name="a", labels={f"l{index}": "x" for index in range(101)}),
            "`node_pools['a'].labels`: must have at most 100 entries, has 101",
            id="too many entries",
        ),
        pytest.param(
            lambda: EC2NodeClass(name="a", role="arn:aws:iam::123456789012:role/nodes"),
            "`node_classes['a'].role`: must be the name of an IAM role, got "
            "'arn:aws:iam::123456789012:role/nodes'; give the name without ARN and path",
            id="an ARN where a name is wanted",
        ),
        pytest.param(
            lambda: EC2NodeClass(name="a", ami="ami-0abcdef1234567890"),
            "`node_classes['a'].ami`: must be an alias of the format 'family@version', got 'ami-0abcdef1234567890'; "
            "write one as in 'al2023@latest' or 'al2023@v20260810'; the id of an AMI goes into "
            "ami_selector_terms=[AMISelectorTerm(id=...)]",
            id="an id where an alias is wanted",
        ),
        pytest.param(
            lambda: EC2NodeClass(name="a", role=""),
            "`node_classes['a'].role`: must not be empty, got ''; give the name without ARN and path",
            id="an empty role",
        ),
        pytest.param(
            lambda: EC2NodeClass(name="a", detailed_monitoring="yes"),
            "`node_classes['a'].detailed_monitoring`: must be True or False, got 'yes'",
            id="a string where a truth value is wanted",
        ),
        pytest.param(
            lambda: BlockDevice(volume_size=20),
            "`BlockDevice.volume_size`: must be a string, got 20; write a whole number with its unit, as in "
            "'20Gi'",
            id="a size without its unit",
        ),
        pytest.param(
            lambda: MetadataOptions(http_put_response_hop_limit=65),
            "`MetadataOptions.http_put_response_hop_limit`: must be between 1 and 64, got 65",
            id="above the range",
        ),
        pytest.param(
            lambda: EC2NodeClass(name="a", user_data="x" * 300, context=["y"] * 9),
            "`node_classes['a'].context`: must be a string, got ['y', 'y', 'y', 'y', ...]",
            id="a long value is cut",
        ),
    ],
)
def test_fails_in_words_of_this_library(make, line):
    assert refused(make) == [line]


@pytest.mark.parametrize("name", ["gpu.large", "123", "a", "x" * 253])
def test_takes_every_name_that_kubernetes_takes(name):
    assert NodePool(name=name).name == name


@pytest.mark.parametrize("name", ["x" * 254, "a..b", "-a", "a_b", ""])
def test_fails_on_a_name_that_kubernetes_refuses(name):
    refused(lambda: NodePool(name=name))


def test_takes_the_spelling_of_the_crd_too():
    assert NodePool.model_validate(
        {"name": "a", "expireAfter": "Never", "disruption": {"consolidateAfter": "1m"}}
    ) == NodePool(name="a", expire_after="Never", disruption=Disruption(consolidate_after="1m"))


def test_takes_json():
    assert NodePool.model_validate_json('{"name": "a", "weight": 5}') == NodePool(name="a", weight=5)


def test_takes_members_of_enums_as_their_strings():
    member = Taint(key="a", effect=TaintEffect.NO_EXECUTE)
    assert member == Taint(key="a", effect="NoExecute")
    assert type(member.effect) is str


def test_members_of_enums_are_their_strings():
    assert ConsolidationPolicy.WHEN_EMPTY == "WhenEmpty"
    assert str(ConsolidationPolicy.BALANCED) == "Balanced"
    assert ConsolidationPolicy("WhenEmpty") is ConsolidationPolicy.WHEN_EMPTY


def test_lists_become_tuples_and_mappings_cannot_be_changed():
    pool = NodePool(name="a", requirements=[In("x", "y")], labels={"a": "b"})
    assert pool.requirements == (In("x", "y"),)
    with pytest.raises(TypeError, match="this mapping belongs to a frozen model"):
        pool.labels["c"] = "d"
    with pytest.raises(TypeError, match="this mapping belongs to a frozen model"):
        NodePool(name="b").limits.update(cpu=5)


def test_does_not_change_what_it_was_made_from():
    labels = {"a": "b"}
    NodePool(name="a", labels=labels)
    labels["c"] = "d"
    assert NodePool(name="a", labels=labels).labels == {"a": "b", "c": "d"}


@pytest.mark.parametrize(
    "make",
    [
        lambda: NodePool(
            name="a", node_class="dummy-value-for-/class", expire_after=TOKEN, weight=NUMBER_TOKEN
        ),
        lambda: NodePool(name="a", labels={TOKEN: TOKEN}, limits={"cpu": TOKEN, "memory": NUMBER_TOKEN}),
        lambda: NodePool(name="a", requirements=[In(TOKEN, TOKEN), In("zone", *LIST_TOKEN)]),
        lambda: NodePool(name="a", requirements=[Gt("cpu", NUMBER_TOKEN), In("cpu", 4, NUMBER_TOKEN)]),
        lambda: NodePool(name="a", requirements=LIST_TOKEN, taints=LIST_TOKEN),
        lambda: Disruption(consolidation_policy=TOKEN, consolidate_after=f"{TOKEN}s", budgets=LIST_TOKEN),
        lambda: EC2NodeClass(name="a", ami=TOKEN, role=f"{TOKEN}-nodes", subnet_selector_terms=LIST_TOKEN),
        lambda: EC2NodeClass(name="a", subnet_selector_terms=[{"id": TOKEN}], detailed_monitoring=TOKEN),
        lambda: EC2NodeClass(name="a", kubelet={"clusterDNS": LIST_TOKEN, "maxPods": TOKEN}),
    ],
)
def test_placeholders_of_cdk_pass_every_check(make):
    make()


def test_a_placeholder_stays_what_it_is():
    node_class = EC2NodeClass(name="a", role=TOKEN, subnet_selector_terms=LIST_TOKEN)
    assert (node_class.role, node_class.subnet_selector_terms) == (TOKEN, ("#{Token[Subnets.34]}",))


def test_fails_to_change_a_field():
    pool = NodePool(name="batch")
    with pytest.raises(SettingsError) as raised:
        pool.weight = 4
    assert str(raised.value) == (
        "`node_pools['batch'].weight`: cannot be changed, the object is frozen; use "
        "model_copy(update={'weight': 4})"
    )
    with pytest.raises(SettingsError):
        del pool.weight
    assert pool.weight is None


def test_a_copy_with_a_change_is_checked():
    pool = NodePool(name="batch", weight=5)
    assert pool.model_copy(update={"weight": 6}) == NodePool(name="batch", weight=6)
    assert pool.model_copy(update={"expireAfter": "1h"}) == NodePool(
        name="batch", weight=5, expire_after="1h"
    )
    assert pool.model_copy() == pool
    assert refused(lambda: pool.model_copy(update={"weight": 600})) == [
        "`node_pools['batch'].weight`: must be between 1 and 100, got 600"
    ]


def test_a_copy_keeps_what_was_said_apart_from_what_was_not():
    assert NodePool(name="a", weight=5).model_copy(update={"labels": {}}).model_fields_set == {
        "name",
        "weight",
        "labels",
    }


def test_equal_models_have_equal_hashes():
    one, other = (
        NodePool(name="a", labels={"x": "1", "y": "2"}, limits={"cpu": 5}),
        NodePool(name="a", labels={"y": "2", "x": "1"}, limits={"cpu": 5}),
    )
    assert one == other
    assert len({one, other}) == 1
    assert NodePool(name="a") != NodePool(name="b")


def test_survives_pickle_and_deepcopy():
    pool = NodePool(name="a", labels={"x": "1"}, requirements=[In("x", "y")])
    assert pickle.loads(pickle.dumps(pool)) == pool  # noqa: S301 - our own bytes
    assert copy.deepcopy(pool) == pool


def test_reads_as_the_code_that_makes_it():
    pool = NodePool(
        name="batch",
        requirements=[In(CAPACITY_TYPE, "spot"), Gt(INSTANCE_GENERATION, 5)],
        disruption=Disruption(consolidate_after="0s", consolidation_policy="WhenEmptyOrUnderutilized"),
        limits={"cpu": 1000},
    )
    assert repr(pool) == str(pool)
    assert repr(pool) == (
        "NodePool(name='batch', requirements=(In('karpenter.sh/capacity-type', 'spot'), "
        "Gt('karpenter.k8s.aws/instance-generation', '5')), disruption=Disruption(consolidate_after='0s'))"
    )


def test_knows_its_path():
    assert NodePool(name="batch").path == "node_pools['batch']"
    assert EC2NodeClass(name="spot").path == "node_classes['spot']"


def test_its_json_schema_has_docs_patterns_enums_and_bounds():
    schema = NodePool.model_json_schema()
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["weight"] == {
        "description": "The pool's priority: of all pools that fit a pod, the one of the greatest weight "
        "is taken. Default: 0, the least.",
        "maximum": 100,
        "minimum": 1,
        "type": "integer",
    }
    assert schema["properties"]["expireAfter"] == {
        "default": "720h",
        "description": "The age at which a node is replaced, or ``Never``. Default: ``720h``, thirty days.",
        "pattern": "^(?:([0-9]+(s|m|h))+|Never)$",
        "type": "string",
    }
    assert schema["properties"]["limits"]["default"] == {"cpu": 1000}
    assert schema["$defs"]["Taint"]["properties"]["effect"]["enum"] == [
        "NoSchedule",
        "PreferNoSchedule",
        "NoExecute",
    ]
    assert schema["$defs"]["Disruption"]["properties"]["budgets"]["maxItems"] == 50


@pytest.mark.parametrize("model", [NodePool, EC2NodeClass])
def test_its_json_schema_describes_every_field(model):
    schema = model.model_json_schema()
    parts = [schema, *schema["$defs"].values()]
    undocumented = [
        f"{part['title']}.{name}"
        for part in parts
        for name, prop in part["properties"].items()
        if "Default:" not in prop.get("description", "")
    ]
    assert undocumented == []
    json.dumps(schema)


def test_dumps_to_plain_data():
    pool = NodePool(name="a", taints=[Taint(key="x", effect=TaintEffect.NO_SCHEDULE)])
    assert pool.model_dump(by_alias=True, exclude_unset=True, mode="json") == {
        "name": "a",
        "taints": [{"key": "x", "effect": "NoSchedule"}],
    }


def test_fails_for_a_model_with_its_article():
    with pytest.raises(SettingsError) as error:
        EC2NodeClass(name="a", ami_selector_terms=["ami-1"], block_device_mappings=["/dev/xvda"])
    assert str(error.value) == (
        "`node_classes['a'].ami_selector_terms[0]`: must be an AMISelectorTerm or a mapping of its fields, got '"
        "ami-1'; write one as in {'id': 'ami-0abcdef1234567890'}\n"
        "`node_classes['a'].block_device_mappings[0]`: must be a BlockDeviceMapping or a mapping of its fields, got "
        "'/dev/xvda'; write one as in {'deviceName': '/dev/xvda', 'ebs': {'volumeSize': '20Gi'}}"
    )


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (
            lambda: NodePool(name="a", limits="100"),
            "`node_pools['a'].limits`: must be a mapping, got '100'; write one as in {'cpu': 1000}",
        ),
        (
            lambda: NodePool(name="a", taints=["dedicated=batch:NoSchedule"]),
            "`node_pools['a'].taints[0]`: must be a Taint or a mapping of its fields, got "
            "'dedicated=batch:NoSchedule'; write one as in {'key': 'dedicated', 'effect': 'NoSchedule'}",
        ),
        (
            lambda: EC2NodeClass(name="a", user_data=object()),
            "`node_classes['a'].user_data`: must be a string, got an object of class builtins.object; pass the text; "
            "of an ec2.UserData, what its render() returns",
        ),
    ],
    ids=["limits", "taints", "user data"],
)
def test_fails_for_another_form_with_the_right_one(make, line):
    with pytest.raises(SettingsError) as error:
        make()
    assert str(error.value) == line


def _models(model=Model):
    for each in model.__subclasses__():
        yield each
        yield from _models(each)


def test_samples_are_right():
    samples = {model: ast.literal_eval(model.sample) for model in _models() if model.sample}
    assert len(samples) == 18
    for model, sample in samples.items():
        assert model(**sample).model_dump(by_alias=True, exclude_unset=True, mode="json") == sample


class Colour(str, Enum):
    RED = "red"


def test_strings_of_a_class_of_their_own_keep_their_characters():
    pool = NodePool(name="a", labels={"colour": Colour.RED}, requirements=[In("colour", Colour.RED)])
    assert pool.labels == {"colour": "red"}
    assert pool.requirements[0].values == ("red",)
    assert type(pool.labels["colour"]) is str


@pytest.mark.parametrize("duration", ["2562047h", "153722820m", "9223369200s", "2562046h60m", "0h"])
def test_longest_durations(duration):
    assert NodePool(name="a", expire_after=duration).expire_after == duration


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"expire_after": "2562048h"}, "expire_after"),
        ({"termination_grace_period": "2562048h"}, "termination_grace_period"),
        ({"disruption": {"consolidate_after": "2562048h"}}, "disruption.consolidate_after"),
        (
            {"disruption": {"consolidate_after": "0s", "budgets": [{"duration": "2562048h"}]}},
            "disruption.budgets[0].duration",
        ),
    ],
)
def test_fails_for_durations_that_karpenter_cannot_read(fields, path):
    with pytest.raises(SettingsError) as error:
        NodePool(name="a", **fields)
    assert str(error.value) == (
        f"`node_pools['a'].{path}`: must be at most 2562047h, the longest that Karpenter can read, got '2562048h'"
    )


def test_annotation_keys():
    annotations = {"note": "", "Example.com/a_B.c": "any text"}
    assert NodePool(name="a", annotations=annotations).annotations == annotations
    with pytest.raises(SettingsError) as error:
        NodePool(name="a", annotations={"": "x", "a b": "x", "a/b/c": "x"})
    assert str(error.value) == "\n".join(
        f"`node_pools['a'].annotations[{key!r}]`: must be an annotation key, got {key!r}; write one as in 'note' or "
        "'example.com/note'"
        for key in ("", "a b", "a/b/c")
    )


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (Budget(nodes="1"), "Budget(nodes='1'); write [Budget(nodes='1')]"),
        ({"nodes": "1"}, "{'nodes': '1'}; write [{'nodes': '1'}]"),
        ({"1"}, "{'1'}; a set has no order; write a list"),
        (5, "5"),
    ],
)
def test_fails_where_one_stands_for_a_list(value, got):
    with pytest.raises(SettingsError) as error:
        Disruption(consolidate_after="0s", budgets=value)
    assert str(error.value) == f"`Disruption.budgets`: must be a list, got {got}"


@pytest.mark.parametrize(
    ("value", "fix"),
    [
        (1.5, "write '1.5'"),
        (1e300, "write '1e+300'"),
        (math.nan, "write one as in 200, '500m' or '16Gi'"),
        (-math.inf, "write one as in 200, '500m' or '16Gi'"),
        (True, "write one as in 200, '500m' or '16Gi'"),
    ],
)
def test_fails_for_numbers_that_are_no_quantity(value, fix):
    with pytest.raises(SettingsError) as error:
        NodePool(name="a", limits={"cpu": value})
    assert str(error.value) == (
        f"`node_pools['a'].limits['cpu']`: must be a Kubernetes quantity, got {value!r}; {fix}"
    )


def test_numbers_that_json_would_round_are_text():
    limits = {"cpu": 2**53, "memory": 2**53 + 1, "pods": 2**256 - 1}
    assert NodePool(name="a", limits=limits).limits == {
        "cpu": 9007199254740992,
        "memory": "9007199254740993",
        "pods": "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    }
    with pytest.raises(SettingsError) as error:
        NodePool(name="a", limits={"cpu": 10**5000})
    assert str(error.value) == (
        "`node_pools['a'].limits['cpu']`: must be a Kubernetes quantity, got a number of 16610 bits; write one as in "
        "200, '500m' or '16Gi'"
    )
