"""AWS as moto plays it, for the tests of the function behind the custom resources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import boto3
import pytest


@contextmanager
def account() -> Iterator[None]:
    """An empty account. Of the clients that are asked for alike there is one, since botocore takes long to make it."""
    from moto import mock_aws  # noqa: PLC0415 - only the worker needs it that runs these tests

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
        patch.setenv("AWS_ACCESS_KEY_ID", "testing")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
        # Nobody asks for the images, a thousand in each region.
        patch.setenv("MOTO_EC2_LOAD_DEFAULT_AMIS", "false")
        with mock_aws():
            patch.setattr(boto3, "client", _client)
            yield


@cache
def _session() -> boto3.Session:
    """Of all accounts one, since it keeps what it has read of AWS' interfaces."""
    return boto3.Session()


@cache
def _client(service: str) -> object:
    return _session().client(service)
