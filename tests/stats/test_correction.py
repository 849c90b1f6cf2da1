"""Rogan-Gladen with the Lang-Reiczigel interval: by hand, by coverage, at its edges."""

import math

import numpy as np
import pytest

from userproxybench.stats import corrected_rate


def test_estimate_by_hand() -> None:
    # (.3 + .8 - 1) / (.9 + .8 - 1) = .1 / .7
    got = corrected_rate((30, 100), (45, 50), (40, 50))
    assert got.estimate == pytest.approx(1 / 7)
    assert (got.apparent, got.sensitivity, got.specificity) == (0.3, 0.9, 0.8)


def test_interval_by_hand() -> None:
    z2 = 1.959963984540054**2
    n, rate = 100 + z2, (30 + z2 / 2) / (100 + z2)
    se, sp = 46 / 52, 41 / 52
    true = (rate + sp - 1) / (se + sp - 1)
    v_se, v_sp = se * (1 - se) / 52, sp * (1 - sp) / 52
    shift = 2 * z2 * (true * v_se - (1 - true) * v_sp)
    reach = math.sqrt(z2 * (rate * (1 - rate) / n + true**2 * v_se + (1 - true) ** 2 * v_sp)) / (
        se + sp - 1
    )
    got = corrected_rate((30, 100), (45, 50), (40, 50)).interval
    assert got is not None
    assert got.low == max(0.0, true + shift - reach)
    assert got.high == pytest.approx(true + shift + reach)


@pytest.mark.parametrize(
    ("true", "se", "sp"),
    [
        pytest.param(0.3, 0.85, 0.8, id="middling"),
        pytest.param(0.1, 0.9, 0.95, id="rare and well seen"),
        pytest.param(0.8, 0.7, 0.9, id="common"),
    ],
)
def test_the_interval_covers_as_published(true: float, se: float, sp: float) -> None:
    rng = np.random.default_rng(0)
    seen = rng.binomial(200, true * se + (1 - true) * (1 - sp), 1000)
    caught, spared = rng.binomial(60, se, 1000), rng.binomial(60, sp, 1000)
    hits = 0
    for flagged, a, b in zip(seen.tolist(), caught.tolist(), spared.tolist(), strict=True):
        interval = corrected_rate((flagged, 200), (a, 60), (b, 60)).interval
        hits += interval is not None and interval.low <= true <= interval.high
    assert 0.93 <= hits / 1000 <= 0.99


def test_a_perfect_grader_changes_nothing() -> None:
    assert corrected_rate((30, 100), (50, 50), (50, 50)).estimate == pytest.approx(0.3)


def test_a_grader_no_better_than_chance_says_nothing() -> None:
    got = corrected_rate((30, 100), (25, 50), (25, 50))
    assert (got.estimate, got.interval) == (None, None)


def test_an_estimate_below_zero_is_cut() -> None:
    assert corrected_rate((1, 100), (45, 50), (40, 50)).estimate == 0.0


def test_a_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 0 <= hits <= n"):
        corrected_rate((0, 0), (1, 2), (1, 2))
