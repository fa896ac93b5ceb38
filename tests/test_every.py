"""What a test of many cases tells."""

from __future__ import annotations

import inspect

import pytest

from tests.every import every


def outcome(test, *given, **fixtures):
    """The text of the failure, without the places."""
    with pytest.raises(pytest.fail.Exception) as raised:
        test(*given, **fixtures)
    return [line for line in str(raised.value).splitlines() if not line.startswith(__file__)]


def test_tries_every_case_of_one_argument():
    seen = []

    def check(number):
        seen.append(number)

    every("number", [1, 2])(check)()
    assert seen == [1, 2]


def test_tries_every_case_of_several_arguments():
    seen = []
    every(("one", "two"), [(1, 2), (3, 4)])(lambda one, two: seen.append((one, two)))()
    assert seen == [(1, 2), (3, 4)]


def test_fails_with_every_case_that_fails():
    def check(number, text):
        assert number == 1, text

    assert outcome(every(("number", "text"), [(1, "a"), (2, "b"), (3, "c")])(check)) == [
        "2 of 3 cases",
        "* number=2, text='b'",
        "AssertionError: b",
        "assert 2 == 1",
        "* number=3, text='c'",
        "AssertionError: c",
        "assert 3 == 1",
    ]


def test_fails_with_the_beginning_of_a_long_case():
    def check(text):
        raise ValueError(text[0])

    assert outcome(every("text", ["a" * 198, "b" * 199])(check)) == [
        "2 of 2 cases",
        f"* text='{'a' * 198}'",
        "ValueError: a",
        f"* text='{'b' * 199}...",
        "ValueError: b",
    ]


def test_fails_at_the_line_of_the_check():
    def check(number):
        assert number == 1

    with pytest.raises(pytest.fail.Exception) as raised:
        every("number", [2])(check)()
    line = inspect.getsourcelines(check)[1] + 1
    assert f"\n{__file__}:{line}: assert number == 1\n" in str(raised.value)


def test_fails_with_errors_and_what_is_not_raised():
    def check(number):
        with pytest.raises(ZeroDivisionError):
            _ = {1: 1}[number]

    assert outcome(every("number", [1, 2])(check)) == [
        "2 of 2 cases",
        "* number=1",
        "Failed: DID NOT RAISE ZeroDivisionError",
        "* number=2",
        "KeyError: 2",
    ]


def test_skips_where_a_case_skips():
    with pytest.raises(pytest.skip.Exception, match=r"^absent$"):
        every("reason", ["absent"])(pytest.skip)()


@pytest.fixture
def ten():
    return 10


@every("number", [10, 5 + 5])
def test_other_arguments_are_fixtures(ten, number):
    assert number == ten


def test_tries_every_pair_of_two_tables():
    @every("one", [1, 2])
    @every("two", [1, 2])
    def check(one, two):
        assert one == two

    assert outcome(check) == [
        "2 of 2 cases",
        "* one=1",
        "Failed: 1 of 2 cases",
        "* two=2",
        "AssertionError: assert 1 == 2",
        "* one=2",
        "Failed: 1 of 2 cases",
        "* two=1",
        "AssertionError: assert 2 == 1",
    ]


def test_is_a_method_too():
    class Tests:
        @every("number", [1, 2])
        def test(self, number):
            assert number == 1

    assert outcome(Tests().test) == ["1 of 2 cases", "* number=2", "AssertionError: assert 2 == 1"]
    assert list(inspect.signature(Tests().test).parameters) == []


def test_cases_may_have_names():
    def check(number):
        assert number == 1

    assert outcome(every("number", [1, 2], ids=["one", "two"])(check)) == [
        "1 of 2 cases",
        "* two",
        "AssertionError: assert 2 == 1",
    ]


@pytest.mark.parametrize(
    ("cases", "ids", "message"),
    [
        ([], [], "0 cases with 0 names prove nothing"),
        ([1, 2], ["one"], "2 cases with 1 names prove nothing"),
    ],
)
def test_fails_without_cases_and_without_a_name_for_each(cases, ids, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        every("number", cases, ids=ids)
