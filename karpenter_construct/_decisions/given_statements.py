"""The statements that the user adds to the controller's policy: what IAM would refuse at the deployment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._tokens import is_unresolved, replaced
from .._upstream.controller_policy import MANAGED_POLICY_LIMIT
from ..errors import Problem

Statement = Mapping[str, Any]
"""A statement as it stands in a policy document; its strings may be tokens."""

_SID = r"[A-Za-z0-9]*"
_ENVELOPE = len('{"Version":"2012-10-17","Statement":[]}')
LARGEST_STATEMENTS = MANAGED_POLICY_LIMIT - _ENVELOPE
"""The characters that the statements of one policy may have, and the commas between them."""

_TOKEN_SIZE = 100
"""What a value that only the deployment knows takes about: the ARN of a role with a name of 64 characters."""


class Newest:
    """The newest of the policies with further statements, which the next ones join while it has room.

    Attributes:
        number: Which of the policies it is; 0 where there is none yet.
        statements: What it has.
    """

    def __init__(self, statements: Sequence[Statement] = ()) -> None:
        self.number = 0
        self.statements: tuple[Statement, ...] = ()
        if statements:
            self.join(statements)

    def others_of(self, added: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements that would be in one policy with these; none where that would be a new one."""
        size = sum(statement_size(statement) for statement in (*self.statements, *added))
        return self.statements if size <= LARGEST_STATEMENTS + 1 else ()

    def join(self, added: Sequence[Statement]) -> bool:
        """Add statements, which stay together; whether they are in a new policy."""
        others = self.others_of(added)
        self.statements = (*others, *added)
        self.number += not others
        return not others


def statement_problems(given: Mapping[str, Statement], others: Sequence[Statement] = ()) -> list[Problem]:
    """What is wrong with statements.

    Args:
        given: The statements, by the argument that each came in.
        others: The statements of the newest policy.
    """
    newest = Newest(others)
    problems: list[Problem] = []
    for path, statement in given.items():
        # A Sid is unique in its policy.
        beside = newest.others_of([statement])
        named = {str(other["Sid"]): other for other in reversed(beside) if "Sid" in other}
        problems += (Problem(path, message) for message in _messages(statement, named))
        newest.join([statement])
    return problems


def _messages(statement: Statement, named: Mapping[str, Statement]) -> Iterator[str]:
    if not statement.get("Action") and not statement.get("NotAction"):
        yield "allows no action; pass actions, as in actions=['kms:Decrypt']"
    if not statement.get("Resource") and not statement.get("NotResource"):
        yield "is about no resource; pass resources, as in resources=['*']"
    if statement.get("Principal") or statement.get("NotPrincipal"):
        yield "names principals, which the policy of a role cannot have; leave them out"
    sid = statement.get("Sid", "")
    if not is_unresolved(sid) and not re.fullmatch(_SID, sid):
        yield f"has a Sid that IAM does not take, got {sid!r}; use letters and digits only"
    # CDK writes equal statements once.
    elif sid and named.get(sid, statement) != statement:
        yield f"has the Sid of another statement, got {sid!r}; give each statement its own"
    size = _size(statement, token_size=0)
    if size > LARGEST_STATEMENTS:
        yield (
            f"has {size} characters without white space, and IAM takes {LARGEST_STATEMENTS} in a statement of a "
            "managed policy; divide it into several statements"
        )


def statement_size(statement: Statement) -> int:
    """About how many characters of a policy the statement takes: exact, and one too many, for literals."""
    return _size(statement, token_size=_TOKEN_SIZE) + len(",")


def _size(statement: Statement, *, token_size: int) -> int:
    """The characters without white space, which IAM does not count."""
    token = "x" * token_size
    text = json.dumps(statement, ensure_ascii=False, default=lambda _: token)
    return len("".join(replaced(text, by=token).split()))
