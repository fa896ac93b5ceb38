"""What an argument may be; argparse shows why another text is refused.

Texts for policies may be, or have, placeholders such as ``${AWS::Region}``: the documents fit ``Fn::Sub``.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from dataclasses import dataclass

PLACEHOLDER = re.compile(r"\$\{[A-Za-z0-9:._]+\}")
_PARTITION = r"aws(-[a-z]+)*"
_REGION = r"[a-z]+(-[a-z]+)+-[0-9]+"
_ACCOUNT = r"[0-9]{12}"
_NAME = r"[A-Za-z0-9_+=,.@-]"  # IAM's names
_REGIONAL = rf"{_REGION}:{_ACCOUNT}"


@dataclass(frozen=True)
class Accepted:
    """The texts that an argument may be.

    Attributes:
        words: What it must be, after "must be".
        pattern: What the whole text matches.
        fix: What to do about another.
        placeholders: Whether parts may be placeholders for ``Fn::Sub``.
    """

    words: str
    pattern: str
    fix: str
    placeholders: bool = False

    def __call__(self, text: str) -> str:
        """``text``, where it is accepted.

        Raises:
            ArgumentTypeError: It is not.
        """
        has_placeholder = self.placeholders and PLACEHOLDER.search(text) is not None
        # Between its placeholders a text may have what no ARN and no name has, but nothing that ends a string of JSON.
        pattern = r'[^\s"\\*?]+' if has_placeholder else self.pattern
        if re.fullmatch(pattern, text, re.ASCII) is None:
            raise ArgumentTypeError(f"must be {self.words}, got {text!r}; {self.fix}")
        return text


CLUSTER_NAME = Accepted(
    "the name of an EKS cluster",
    r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}",
    "use at most 100 letters, digits, '-' and '_', with a letter or digit first",
    placeholders=True,
)
PARTITION = Accepted("a partition of AWS", _PARTITION, "write one as in 'aws-cn'", placeholders=True)
REGION = Accepted("a region of AWS", _REGION, "write one as in 'eu-west-1'", placeholders=True)
ACCOUNT = Accepted("an AWS account", _ACCOUNT, "write its twelve digits", placeholders=True)
ROLE_ARN = Accepted(
    "the ARN of an IAM role",
    rf"arn:{_PARTITION}:iam::{_ACCOUNT}:role/({_NAME}|[/*])+",
    "write one as in 'arn:aws:iam::111122223333:role/nodes'",
    placeholders=True,
)
QUEUE_ARN = Accepted(
    "the ARN of an SQS queue",
    rf"arn:{_PARTITION}:sqs:{_REGIONAL}:[A-Za-z0-9_-]{{1,80}}",
    "write one as in 'arn:aws:sqs:eu-west-1:111122223333:prod'",
    placeholders=True,
)
SSM_PARAMETER = Accepted(
    "the name or the ARN of an SSM parameter",
    rf"(arn:{_PARTITION}:ssm:{_REGIONAL}:parameter)?/?[A-Za-z0-9_.*/-]+(:[A-Za-z0-9_.-]+)?",
    "write one as in '/images/nodes'",
    placeholders=True,
)
QUEUE_NAME = Accepted("the name of an SQS queue", r"[A-Za-z0-9_-]{1,80}", "give the name without ARN and URL")
ROLE_NAME = Accepted("the name of an IAM role", rf"{_NAME}{{1,64}}", "give the name without ARN and path")
PROFILE_NAME = Accepted(
    "the name of an instance profile", rf"{_NAME}{{1,128}}", "give the name without ARN and path"
)
ENDPOINT = Accepted("the URL of an API server", r"https://[^\s/]+/?", "write one as in 'https://example.com'")
NAMESPACE = Accepted(
    "the name of a namespace",
    r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?",
    "use at most 63 lower case letters, digits and '-', with a letter or digit at both ends",
)
_COUNT = Accepted("a whole number from 1 on", r"0*[1-9][0-9]{0,5}", "write one as in 2")


def count(text: str) -> int:
    """A number of replicas."""
    return int(_COUNT(text))
