"""The interruption queue, its policy, and the rules that fill it."""

from __future__ import annotations

import pytest
from aws_cdk import Environment, aws_iam, aws_kms, aws_sqs
from constructs import Construct

from karpenter_construct._resources.interruption_queue import interruption_queue
from karpenter_construct._upstream.interruption_events import interruption_events
from karpenter_construct.releases import KarpenterVersion

from .clusters import ACCOUNT, stack
from .intrinsics import CHINA, GOVCLOUD, PSEUDO, hard_coded, kinds, of_stack, resolved, resources

EVENTS = interruption_events(KarpenterVersion.parse("1.14.1"))
HERE = Environment(account=ACCOUNT, region="eu-west-1")
QUEUE_ARN = f"arn:aws:sqs:eu-west-1:{ACCOUNT}:mine"
KEY_ARN = f"arn:aws:kms:eu-west-1:{ACCOUNT}:key/1"
RULES_HERE = {
    "ArnLike": {
        "aws:SourceArn": {"Fn::Sub": "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/*"}
    }
}


def queue_statements(arn) -> list[dict]:
    return [
        {
            "Effect": "Allow",
            "Principal": {"Service": "events.amazonaws.com"},
            "Action": "sqs:SendMessage",
            "Resource": arn,
            "Condition": RULES_HERE,
        },
        {
            "Sid": "DenyHTTP",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "sqs:*",
            "Resource": arn,
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    ]


KEY_STATEMENT = {
    "Effect": "Allow",
    "Principal": {"Service": "events.amazonaws.com"},
    "Action": ["kms:Decrypt", "kms:GenerateDataKey"],
    "Resource": "*",
}


def queue(scope: Construct, **given):
    return interruption_queue(scope, events_of_release=EVENTS, **given)


class TestMade:
    def test_is_a_queue_its_policy_and_a_rule_for_each_event(self):
        assert kinds(resources(queue)) == {
            "InterruptionQueue": "AWS::SQS::Queue",
            "InterruptionQueuePolicy": "AWS::SQS::QueuePolicy",
            "ScheduledChangeRule": "AWS::Events::Rule",
            "SpotInterruptionRule": "AWS::Events::Rule",
            "RebalanceRule": "AWS::Events::Rule",
            "InstanceStateChangeRule": "AWS::Events::Rule",
            "CapacityReservationInterruptionRule": "AWS::Events::Rule",
        }

    def test_has_no_name_and_keeps_messages_for_five_minutes(self):
        assert resources(queue)["InterruptionQueue"]["Properties"] == {
            "MessageRetentionPeriod": 300,
            "SqsManagedSseEnabled": True,
        }

    def test_goes_with_the_stack(self):
        assert resources(queue)["InterruptionQueue"]["DeletionPolicy"] == "Delete"

    def test_takes_messages_from_rules_of_this_account_and_with_tls_only(self):
        policy = resources(queue)["InterruptionQueuePolicy"]["Properties"]
        assert policy["Queues"] == [{"Ref": "InterruptionQueue"}]
        assert policy["PolicyDocument"]["Statement"] == queue_statements(
            {"Fn::GetAtt": ["InterruptionQueue", "Arn"]}
        )

    def test_each_rule_sends_its_event_to_the_queue(self):
        found = resources(queue)
        assert found["ScheduledChangeRule"]["Properties"] == {
            "EventPattern": {"source": ["aws.health"], "detail-type": ["AWS Health Event"]},
            "Targets": [
                {
                    "Arn": {"Fn::GetAtt": ["InterruptionQueue", "Arn"]},
                    "Id": "KarpenterInterruptionQueueTarget",
                }
            ],
        }
        assert found["CapacityReservationInterruptionRule"]["Properties"]["EventPattern"] == {
            "source": ["aws.ec2"],
            "detail-type": ["EC2 Capacity Reservation Instance Interruption Warning"],
        }

    def test_nothing_is_missing(self):
        made = queue(Construct(stack(), "Karpenter"))
        assert made.missing_queue_statements == ()
        assert made.missing_key_statements == ()
        assert made.controller_statements == ()

    def test_what_waits_for_it_waits_for_its_policy_and_rules(self):
        def build(scope):
            made = queue(scope)
            aws_iam.CfnGroup(scope, "Last").node.add_dependency(*made.dependencies)

        assert resources(build)["Last"]["DependsOn"] == [
            "CapacityReservationInterruptionRule",
            "InstanceStateChangeRule",
            "InterruptionQueuePolicy",
            "InterruptionQueue",
            "RebalanceRule",
            "ScheduledChangeRule",
            "SpotInterruptionRule",
        ]


class TestKey:
    def test_of_the_app_lets_eventbridge_encrypt(self):
        def build(scope):
            made = queue(scope, encryption_key=aws_kms.Key(scope, "Key"))
            assert made.missing_key_statements == ()

        found = resources(build)
        assert found["InterruptionQueue"]["Properties"]["KmsMasterKeyId"] == {"Fn::GetAtt": ["Key", "Arn"]}
        assert "SqsManagedSseEnabled" not in found["InterruptionQueue"]["Properties"]
        assert found["Key"]["Properties"]["KeyPolicy"]["Statement"][-1] == KEY_STATEMENT

    def test_of_the_app_is_for_the_controller_to_decrypt_with(self):
        home = stack()
        key = aws_kms.Key(home, "Key")
        made = queue(Construct(home, "Karpenter"), encryption_key=key)
        [statement] = made.controller_statements
        assert home.resolve(statement.to_statement_json()) == {
            "Effect": "Allow",
            "Action": "kms:Decrypt",
            "Resource": home.resolve(key.key_arn),
        }

    def test_of_an_alias_of_the_app_is_decrypted_with_and_the_queue_waits_for_the_alias(self):
        home = stack()
        key = aws_kms.Key(home, "Key")
        alias = aws_kms.Alias(home, "Alias", alias_name="alias/mine", target_key=key)
        made = queue(Construct(home, "Karpenter"), encryption_key=alias)
        [statement] = made.controller_statements
        assert made.missing_key_statements == ()
        assert home.resolve(statement.to_statement_json()) == {
            "Effect": "Allow",
            "Action": "kms:Decrypt",
            "Resource": home.resolve(key.key_arn),
        }
        found = of_stack(home)
        assert found["InterruptionQueue"]["DependsOn"] == ["Alias"]
        assert found["Key"]["Properties"]["KeyPolicy"]["Statement"][-1] == KEY_STATEMENT

    @pytest.mark.parametrize(
        "imported",
        [
            lambda scope: aws_kms.Alias.from_alias_name(scope, "Alias", "alias/mine"),
            lambda scope: aws_kms.Alias.from_alias_attributes(
                scope,
                "Alias",
                alias_name="alias/mine",
                alias_target_key=aws_kms.Key.from_key_arn(scope, "Key", KEY_ARN),
            ),
        ],
        ids=["by name", "with its key"],
    )
    def test_of_an_imported_alias_is_known_by_the_alias(self, imported):
        home = stack(env=HERE)
        made = queue(Construct(home, "Karpenter"), encryption_key=imported(home))
        [statement] = made.controller_statements
        place = f"arn:aws:kms:eu-west-1:{ACCOUNT}"
        assert resolved(home.resolve(statement.to_statement_json()), PSEUDO) == {
            "Effect": "Allow",
            "Action": "kms:Decrypt",
            "Resource": f"{place}:key/*",
            "Condition": {"ForAnyValue:StringEquals": {"kms:ResourceAliases": "alias/mine"}},
        }
        assert made.missing_key_statements == (KEY_STATEMENT,)
        made_queue = of_stack(home)["InterruptionQueue"]
        assert resolved(made_queue["Properties"]["KmsMasterKeyId"], PSEUDO) == f"{place}:alias/mine"
        assert "DependsOn" not in made_queue

    def test_imported_tells_what_its_policy_lacks(self):
        home = stack()
        key = aws_kms.Key.from_key_arn(home, "Key", KEY_ARN)
        made = queue(Construct(home, "Karpenter"), encryption_key=key)
        assert made.missing_key_statements == (KEY_STATEMENT,)
        assert made.missing_queue_statements == ()

    def test_of_a_given_queue_with_an_imported_alias_is_known_by_the_alias(self):
        home = stack(env=HERE)
        alias = aws_kms.Alias.from_alias_name(home, "Alias", "alias/mine")
        made = queue(
            Construct(home, "Karpenter"), queue=aws_sqs.Queue(home, "Mine", encryption_master_key=alias)
        )
        [statement] = made.controller_statements
        assert statement.to_statement_json()["Condition"] == {
            "ForAnyValue:StringEquals": {"kms:ResourceAliases": "alias/mine"}
        }

    def test_of_a_given_queue_lets_eventbridge_encrypt(self):
        def build(scope):
            key = aws_kms.Key(scope, "Key")
            mine = aws_sqs.Queue(scope, "Mine", encryption_master_key=key)
            made = queue(scope, queue=mine)
            assert len(made.controller_statements) == 1

        assert resources(build)["Key"]["Properties"]["KeyPolicy"]["Statement"][-1] == KEY_STATEMENT


class TestGiven:
    def test_of_the_app_gets_the_policy_and_none_is_made(self):
        def build(scope):
            made = queue(scope, queue=aws_sqs.Queue(scope, "Mine"))
            assert made.missing_queue_statements == ()

        found = resources(build)
        assert set(found) == {"Mine", "MinePolicy", *(event.rule_id for event in EVENTS)}
        assert found["MinePolicy"]["Properties"]["PolicyDocument"]["Statement"] == queue_statements(
            {"Fn::GetAtt": ["Mine", "Arn"]}
        )
        assert found["RebalanceRule"]["Properties"]["Targets"][0]["Arn"] == {"Fn::GetAtt": ["Mine", "Arn"]}

    def test_of_another_stack_does_not_depend_on_this_one(self):
        away = stack(name="Away")
        mine = aws_sqs.Queue(away, "Mine")
        home = stack(away.node.root)
        queue(Construct(home, "Karpenter"), queue=mine)
        assert set(of_stack(home)) == {event.rule_id for event in EVENTS}
        assert set(of_stack(away)) == {"Mine", "MinePolicy"}

    def test_imported_gets_rules_and_tells_what_its_policy_lacks(self):
        home = stack()
        mine = aws_sqs.Queue.from_queue_arn(home, "Mine", QUEUE_ARN)
        made = queue(Construct(home, "Karpenter"), queue=mine)
        assert home.resolve(list(made.missing_queue_statements)) == queue_statements(QUEUE_ARN)
        found = of_stack(home)
        assert set(found) == {event.rule_id for event in EVENTS}
        assert found["RebalanceRule"]["Properties"]["Targets"][0]["Arn"] == QUEUE_ARN


@pytest.mark.parametrize("env", [None, CHINA, GOVCLOUD], ids=["any", "aws-cn", "aws-us-gov"])
def test_nothing_is_hard_coded(env):
    found = resources(lambda scope: queue(scope, encryption_key=aws_kms.Key(scope, "Key")), env=env)
    assert hard_coded(found) == set()
