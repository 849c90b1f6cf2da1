from collections.abc import Callable

import pytest

from tests.rules.talks import GREETING, charged, under
from userproxybench.rules.caches import forget, kept, kept_by_identity, kept_longer, tidy
from userproxybench.rules.disclosure import _stands_in_reason

BOUND = under(reason_for_call="You want to borrow a projector.", known_info="You are Ida Marsh.")


def test_what_was_read_is_let_go_and_read_again_alike() -> None:
    talk = (GREETING, "user: Hi, Ida Marsh here. I'd like to borrow a projector.")
    before = charged("volunteers_unasked_info", BOUND, *talk)
    read, length = reader(kept_longer, 2)
    assert [length("ab"), _stands_in_reason.cache_info().currsize > 0] == [2, True]
    forget()
    assert [length("ab"), _stands_in_reason.cache_info().currsize] == [2, 0]
    assert read == ["ab", "ab"]
    assert charged("volunteers_unasked_info", BOUND, *talk) == before == [1]


OFTEN = 100
"""Conversations after which what is kept has been looked at."""
Keep = Callable[[int], Callable[[Callable[[str], int]], Callable[[str], int]]]


def reader(keep: Keep, most: int) -> tuple[list[str], Callable[[str], int]]:
    read: list[str] = []

    @keep(most)
    def length(text: str) -> int:
        read.append(text)
        return len(text)

    return read, length


@pytest.mark.parametrize("keep", [kept, kept_longer])
def test_what_was_asked_for_is_read_once(keep: Keep) -> None:
    read, length = reader(keep, 2)
    assert [length("ab"), length("ab")] == [2, 2]
    assert read == ["ab"]


def ask(length: Callable[[str], int], *texts: str) -> None:
    for text in texts:
        assert length(text) == len(text)
    for _ in range(OFTEN):
        tidy()


def test_what_is_asked_for_again_outlives_what_is_not() -> None:
    read, length = reader(kept_longer, 2)
    ask(length, "a", "bb", "ccc")
    ask(length, "a", "dddd", "eeeee")
    ask(length, "a", "bb")
    assert read == ["a", "bb", "ccc", "dddd", "eeeee", "bb"]


def test_what_is_too_full_begins_anew() -> None:
    read, length = reader(kept, 2)
    ask(length, "a", "bb")
    ask(length, "a", "ccc")
    ask(length, "a")
    assert read == ["a", "bb", "ccc", "a"]


@pytest.mark.parametrize("keep", [kept, kept_longer])
def test_one_function_forgets_alone(keep: Keep) -> None:
    read, length = reader(keep, 2)
    other, width = reader(keep, 2)
    length("a"), width("a")
    forget(length)
    length("a"), width("a")
    assert (read, other) == (["a", "a"], ["a"])


def test_what_is_kept_by_identity_is_read_once_for_each_object() -> None:
    read: list[tuple[int, ...]] = []

    @kept_by_identity(2)
    def total(numbers: tuple[int, ...]) -> int:
        read.append(numbers)
        return sum(numbers)

    one, alike = (tuple(range(3)) for _ in range(2))
    assert [total(one), total(alike), total(one), total(alike)] == [3, 3, 3, 3]
    assert [id(numbers) for numbers in read] == [id(one), id(alike)]
    forget()
    assert total(one) == 3
    assert len(read) == 3
