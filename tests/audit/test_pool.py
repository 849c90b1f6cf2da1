"""Work over several processes comes back in order, and its errors come back too."""

from __future__ import annotations

import os

import pytest

from userproxybench.audit import pool


def square(number: int) -> tuple[int, int]:
    if number < 0:
        raise ValueError("a negative number")
    return number * number, os.getpid()


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_the_order_of_the_parts(jobs: int) -> None:
    assert [value for value, _ in pool.run(square, range(20), jobs)] == [n * n for n in range(20)]


def test_several_jobs_are_several_processes() -> None:
    places = {place for _, place in pool.run(square, range(50), 2)}
    assert os.getpid() not in places


def test_one_part_stays_in_this_process() -> None:
    assert [place for _, place in pool.run(square, [3], 4)] == [os.getpid()]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_part_is_raised_here(jobs: int) -> None:
    with pytest.raises(ValueError, match="a negative number"):
        list(pool.run(square, [1, -1, 2], jobs))
