"""IAM documents as ``Fn::Sub`` strings."""

from __future__ import annotations

import aws_cdk as cdk

from karpenter_construct._resources.policy_document import statements, sub_document

from .clusters import stack
from .intrinsics import document

ANY = {"Effect": "Allow", "Action": "*"}


def rendered(doc, **values):
    home = stack()
    return home.resolve(sub_document(doc, values))


def token(logical_id: str) -> str:
    return cdk.Fn.ref(logical_id)


def test_without_tokens_there_are_no_variables():
    assert rendered({"Resource": "arn:${AWS::Partition}:x:${Name}"}, Name="prod") == {
        "Fn::Sub": '{"Resource":"arn:${AWS::Partition}:x:prod"}'
    }


def test_a_token_becomes_a_variable_in_keys_and_values():
    value = rendered({"aws:ResourceTag/${Name}": "${Name}"}, Name=token("Cluster"))
    assert value == {"Fn::Sub": ['{"aws:ResourceTag/${Name}":"${Name}"}', {"Name": {"Ref": "Cluster"}}]}


def test_only_variables_that_are_used_are_passed():
    value = rendered({"a": "${Name}"}, Name=token("Cluster"), Queue=token("Queue"))
    assert value["Fn::Sub"][1] == {"Name": {"Ref": "Cluster"}}


def test_a_token_in_the_document_becomes_a_variable_once():
    one = token("One")
    value = rendered({"a": one, "b": ["${AWS::Region}", token("Two"), one]})
    assert document(value, Value0="1", Value1="2") == {"a": "1", "b": ["eu-west-1", "2", "1"]}


def test_variables_of_iam_stay_as_they_are():
    value = rendered({"a": "${aws:username} ${Name}"}, Name="prod")
    assert document(value) == {"a": "${aws:username} prod"}


def test_a_literal_cannot_break_out():
    value = rendered({"a": "${Name}"}, Name='"${AWS::Region}\\')
    assert document(value) == {"a": '"${AWS::Region}\\'}


def test_statements_make_a_document():
    assert statements(ANY) == {"Version": "2012-10-17", "Statement": [ANY]}
