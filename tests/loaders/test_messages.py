"""Messages of any writer."""

from __future__ import annotations

import pytest

from userproxybench.loaders.messages import arguments_of, number, text_of, tool_calls


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1),
        (0.5, 0.5),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
        (True, None),
        ("1", None),
        (None, None),
    ],
)
def test_numbers_are_finite_or_missing(value: object, expected: float | None) -> None:
    assert number(value) == expected


def test_printed_arguments_with_what_json_cannot_hold_are_kept_as_text() -> None:
    assert arguments_of("{'a': 1j}") == {"": "{'a': 1j}"}
    assert arguments_of("__import__('os')") == {"": "__import__('os')"}


def test_calls_that_are_none_are_left_out() -> None:
    assert [call.name for call in tool_calls([7, {}, {"name": 3}, {"name": "look"}])] == ["look"]


def test_content_of_any_kind_is_text() -> None:
    assert text_of([{"text": "a"}, {"content": "b"}, "c", None]) == "abc"
    assert text_of({"message": "x"}) == '{"message":"x"}'
