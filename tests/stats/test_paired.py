"""Paired tests, by hand, against statsmodels, and at their edges."""

from collections.abc import Sequence

import numpy as np
import pytest

from userproxybench.stats import PairedTest, compare_pairs, holm

NAN = float("nan")


def compare(a: Sequence[float], b: Sequence[float]) -> PairedTest:
    values = np.array([a, b], float).T
    strata = np.zeros(len(a), dtype=int)
    return compare_pairs(values, [(0, 1)], strata, rng=np.random.default_rng(0))[0]


def test_mcnemar_by_hand() -> None:
    # A alone on 5 tasks, B alone on 1: two-sided 2 (C(6,0) + C(6,1)) / 2^6 = 14/64
    got = compare([1] * 5 + [0] + [1] * 4, [0] * 5 + [1] + [1] * 4)
    assert got.p_value == pytest.approx(14 / 64)
    assert (got.a_only, got.b_only, got.tasks) == (5, 1, 10)
    assert got.difference == pytest.approx(0.4)
    assert got.method == "exact McNemar"


def test_mcnemar_against_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    got = compare([1] * 9 + [0] * 23, [0] * 9 + [1] * 20 + [0] * 3)
    assert got.p_value == pytest.approx(mcnemar([[0, 9], [20, 3]], exact=True).pvalue)


def test_sign_flips_agree_with_the_exact_test_they_generalise() -> None:
    # halves instead of ones: two of three trials; 3 gaps of +.5 flip to 8 equal cases, 2 extreme
    got = compare([1.0, 1.0, 1.0], [0.5, 0.5, 0.5])
    assert got.method == "sign-flip permutation"
    assert got.p_value == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize(
    ("a", "b", "tasks", "p_value"),
    [
        pytest.param([1, NAN], [NAN, 1], 0, None, id="no shared task"),
        pytest.param([1, 0], [1, 0], 2, 1.0, id="no discordant task"),
        pytest.param([1], [0], 1, 1.0, id="one task"),
    ],
)
def test_edges_claim_nothing(
    a: list[float], b: list[float], tasks: int, p_value: float | None
) -> None:
    got = compare(a, b)
    assert (got.tasks, got.p_value, got.interval) == (tasks, p_value, None)


def test_the_interval_is_that_of_the_mean_gap() -> None:
    # gaps +1 on half of 400 tasks: standard error √(.25/400) = .025, so ± .049
    got = compare([1.0, 0] * 200, [0.0, 0] * 200)
    assert got.interval is not None
    assert (got.interval.low, got.interval.high) == pytest.approx((0.451, 0.549), abs=0.006)


def test_holm_by_hand() -> None:
    # sorted .01 x 3, then .03 x 2, then .04 x 1 raised to the one before
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []


def test_several_pairs_come_in_their_order() -> None:
    values = np.array([[1.0, 0, NAN], [1, 0, 1], [1, 1, 1]])
    first, second = compare_pairs(
        values, [(0, 1), (1, 2)], np.zeros(3, dtype=int), rng=np.random.default_rng(0)
    )
    assert (first.tasks, first.a_only, first.b_only) == (3, 2, 0)
    assert (second.tasks, second.a_only, second.b_only) == (2, 0, 1)
    assert compare_pairs(values, [], np.zeros(3, dtype=int), rng=np.random.default_rng(0)) == []
