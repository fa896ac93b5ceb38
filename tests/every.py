"""One test of many cases: as `pytest.mark.parametrize`, but one item, which tells every case that fails.

Pytest and xdist need three milliseconds for an item, many times what it takes to look at a row of a table, and a
third of that for a subtest. `parametrize` is for cases that take long, or change what a fixture makes for each.
"""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

Check = Callable[..., None]
_LIBRARIES = "site-packages"
_LONGEST = 200


def every(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Check], Check]:
    """Tries a test with each of the cases: ``@every(("text", "expected"), [("1", 1), ("2", 2)])``.

    Args:
        names: The argument of the test that takes a case, or the arguments that take the parts of each case.
        cases: What they take. Other arguments are fixtures, made once for all cases.
    """
    table = [_arguments(names, case) for case in cases]
    if not table:
        raise ValueError("a test without cases proves nothing")

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(*owner: object, **fixtures: object) -> None:
            __tracebackhide__ = True
            failures = [found for row in table if (found := _failure(check, owner, fixtures, row))]
            if failures:
                pytest.fail(f"{len(failures)} of {len(table)} cases\n" + "\n".join(failures), pytrace=False)

        signature = inspect.signature(check)
        fixtures = [each for name, each in signature.parameters.items() if name not in table[0]]
        test.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return test

    return decorate


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _arguments(names: str | tuple[str, ...], case: Any) -> dict[str, Any]:
    return {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))


def _failure(
    check: Check, owner: tuple[object, ...], fixtures: Mapping[str, object], row: Mapping[str, Any]
) -> str | None:
    """What is wrong with a case, and where: nothing where it passes."""
    try:
        check(*owner, **fixtures, **row)
    except (Exception, pytest.fail.Exception) as error:
        case = ", ".join(f"{name}={_shown(value)}" for name, value in row.items())
        frames = traceback.extract_tb(error.__traceback__)[1:]
        # What is called in pytest or another library explains nothing.
        places = [f"{at.filename}:{at.lineno}: {at.line}" for at in frames if _LIBRARIES not in at.filename]
        return "\n".join([f"* {case}", *places, f"{type(error).__name__}: {error}"])
    return None
