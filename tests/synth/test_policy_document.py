"""IAM documents with placeholders, as CloudFormation takes them."""

from __future__ import annotations

import json

from aws_cdk import Fn

from karpenter_construct._resources.policy_document import statements, sub_document

from .clusters import stack
from .intrinsics import document

ANY = {"Effect": "Allow", "Action": "*"}


def rendered(doc, **values):
    home = stack()
    return home.resolve(sub_document(doc, values))


def test_values_that_are_known_are_written():
    doc = {"aws:ResourceTag/${Name}": "owned", "Resource": ["${Name}", "arn:${AWS::Partition}:x:${Name}"]}
    assert document(rendered(doc, Name="prod")) == {
        "aws:ResourceTag/prod": "owned",
        "Resource": ["prod", "arn:aws:x:prod"],
    }


def test_a_key_that_the_deployment_names_makes_the_document_one_string():
    value = rendered({"aws:ResourceTag/${Name}": "${Name}"}, Name=Fn.ref("Cluster"))
    assert value == {"Fn::Sub": ['{"aws:ResourceTag/${Name}":"${Name}"}', {"Name": {"Ref": "Cluster"}}]}


def test_the_string_is_json_of_what_the_deployment_knows():
    doc = {"aws:ResourceTag/${Name}": ["${AWS::Region}", "${Queue}"], "Sid": 'say "x"'}
    value = rendered(doc, Name=Fn.ref("Cluster"), Queue=Fn.get_att("Queue", "Arn").to_string())
    assert isinstance(value["Fn::Sub"], list)
    assert document(value, {"Cluster": "prod", "Queue.Arn": "arn"}) == {
        "aws:ResourceTag/prod": ["eu-west-1", "arn"],
        "Sid": 'say "x"',
    }


def test_only_values_that_are_used_are_passed():
    value = rendered({"${Name}": "*"}, Name=Fn.ref("Cluster"), Queue=Fn.ref("Queue"))
    assert value["Fn::Sub"][1] == {"Name": {"Ref": "Cluster"}}


def test_tokens_in_the_document_itself_are_taken_too():
    one, two = Fn.ref("One"), Fn.ref("Two")
    known = {"One": "1", "Two": "2"}
    in_values = rendered({"a": one, "b": ["${AWS::Region}", two, f"{one}/{two}"]})
    assert document(in_values, known) == {"a": "1", "b": ["eu-west-1", "2", "1/2"]}
    in_keys = rendered({one: two, "b": one})
    assert document(in_keys, known) == {"1": "2", "b": "1"}


def test_variables_of_iam_stay_as_they_are():
    doc = {"a": "${aws:username} ${Name}", "b": "${aws:username}/${AWS::Region}", "c": "${aws:username}"}
    deployed = {
        "a": "${aws:username} prod",
        "b": "${aws:username}/eu-west-1",
        "c": "${aws:username}",
    }
    assert document(rendered(doc, Name="prod")) == deployed
    in_one_string = rendered({**doc, "${Key}": "*"}, Name="prod", Key=Fn.ref("Key"))
    assert document(in_one_string, {"Key": "d"}) == {**deployed, "d": "*"}


def test_a_value_cannot_break_out():
    name = '"${AWS::Region}\\'
    assert document(rendered({"a": "${Name}"}, Name=name)) == {"a": name}
    in_one_string = rendered({"a": "${Name}", "${Key}": "*"}, Name=name, Key=Fn.ref("Key"))
    assert document(in_one_string, {"Key": "b"}) == {"a": name, "b": "*"}


def test_what_is_no_text_stays():
    assert rendered({"a": [1, True, None, {"b": 2}]}) == {"a": [1, True, {"b": 2}]}
    assert json.dumps(statements(ANY)) == '{"Version": "2012-10-17", "Statement": [' + json.dumps(ANY) + "]}"
