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
_UNTOLD = ("site-packages", __file__)
_LONGEST = 200


def every(
    names: str | tuple[str, ...], cases: Iterable[Any], *, ids: Iterable[str] = ()
) -> Callable[[Check], Check]:
    """Tries a test with each of the cases: ``@every(("text", "expected"), [("1", 1), ("2", 2)])``.

    Args:
        names: The argument of the test that takes a case, or the arguments that take the parts of each case.
        cases: What they take. Other arguments are fixtures, made once for all cases.
        ids: What each case is called, where its values alone do not say it.
    """
    table, called = [_arguments(names, case) for case in cases], list(ids)
    if not table or len(called) not in {0, len(table)}:
        raise ValueError(f"{len(table)} cases with {len(called)} names prove nothing")

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(*owner: object, **fixtures: object) -> None:
            failures = _failures(functools.partial(check, *owner, **fixtures), table, called)
            if failures:
                pytest.fail(f"{len(failures)} of {len(table)} cases\n" + "\n".join(failures), pytrace=False)

        signature = inspect.signature(check)
        fixtures = [each for name, each in signature.parameters.items() if name not in table[0]]
        test.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return test

    return decorate


def _arguments(names: str | tuple[str, ...], case: Any) -> dict[str, Any]:
    return {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))


def _failures(check: Check, table: list[dict[str, Any]], called: list[str]) -> list[str]:
    failures = [(index, failure) for index, row in enumerate(table) if (failure := _failure(check, row))]
    return [f"* {called[index] if called else _shown(table[index])}\n{text}" for index, text in failures]


def _shown(row: Mapping[str, Any]) -> str:
    texts = {name: repr(value) for name, value in row.items()}
    return ", ".join(
        f"{name}={text if len(text) <= _LONGEST else f'{text[:_LONGEST]}...'}" for name, text in texts.items()
    )


def _failure(check: Check, row: Mapping[str, Any]) -> str | None:
    """What is wrong with a case, and where: nothing where it passes."""
    try:
        check(**row)
    except (Exception, pytest.fail.Exception) as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]
        # What is called here, in pytest or in another library explains nothing.
        told = [at for at in frames if not any(part in at.filename for part in _UNTOLD)]
        places = [f"{at.filename}:{at.lineno}: {at.line}" for at in told]
        return "\n".join([*places, f"{type(error).__name__}: {error}"])
    return None
