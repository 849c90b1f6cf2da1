"""Wilson and Price-Bonett intervals, by hand, against other code, and at their edges."""

import math

import pytest

from userproxybench.stats import macro_interval, macro_lower_bound, wilson_interval

Z = 1.959963984540054


def test_wilson_by_hand() -> None:
    # p = .9, n = 10: centre (p + z²/2n)/(1 + z²/n), reach z √(p(1-p)/n + z²/4n²)/(1 + z²/n)
    centre = (0.9 + Z**2 / 20) / (1 + Z**2 / 10)
    reach = Z * math.sqrt(0.9 * 0.1 / 10 + Z**2 / 400) / (1 + Z**2 / 10)
    got = wilson_interval(9, 10)
    assert (got.low, got.high) == pytest.approx((centre - reach, centre + reach))


def test_wilson_against_r() -> None:
    # R: prop.test(9, 10, correct = FALSE)$conf.int  ->  0.5958500 0.9821238
    got = wilson_interval(9, 10)
    assert (got.low, got.high) == pytest.approx((0.5958500, 0.9821238), abs=1e-7)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        pytest.param(0, 5, 0.0, Z**2 / (5 + Z**2), id="none"),
        pytest.param(5, 5, 5 / (5 + Z**2), 1.0, id="all"),
        pytest.param(1, 1, 1 / (1 + Z**2), 1.0, id="a single trial"),
    ],
)
def test_wilson_at_the_ends(successes: int, n: int, low: float, high: float) -> None:
    got = wilson_interval(successes, n)
    assert (got.low, got.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "n"),
    [
        pytest.param(0, 0, id="nothing observed"),
        pytest.param(3, 2, id="too many"),
        pytest.param(-1, 2, id="negative"),
    ],
)
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= successes <= n"):
        wilson_interval(successes, n)
    with pytest.raises(ValueError, match="expected 0 <= successes <= n"):
        macro_interval([successes], [n])


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0])
def test_a_confidence_outside_its_range_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="`confidence`"):
        wilson_interval(1, 2, confidence)


def test_macro_interval_by_hand() -> None:
    # two groups: 8/10 and 5/10; 2 trials added to each, one of them a success: 9/12 and 6/12
    centre = (9 / 12 + 6 / 12) / 2
    error = math.sqrt(0.75 * 0.25 / 12 + 0.5 * 0.5 / 12) / 2
    got = macro_interval([8, 5], [10, 10])
    assert (got.low, got.high) == pytest.approx((centre - Z * error, centre + Z * error))


def test_macro_interval_against_statsmodels() -> None:
    # the mean of two proportions has half the standard error of their difference, for which
    # Price & Bonett's interval is that of Agresti & Caffo
    from statsmodels.stats.proportion import confint_proportions_2indep

    low, high = confint_proportions_2indep(
        30, 50, 70, 100, method="agresti-caffo", compare="diff", correction=False
    )
    got = macro_interval([30, 70], [50, 100])
    assert got.high - got.low == pytest.approx((high - low) / 2)


def test_all_successes_keep_a_width() -> None:
    got = macro_interval([8], [8])
    assert got.low < 0.95
    assert got.high == 1.0


def test_lower_bound_is_the_lower_end_of_the_interval_of_twice_the_error() -> None:
    assert macro_lower_bound([30, 20], [50, 40], 0.95) == pytest.approx(
        macro_interval([30, 20], [50, 40], 0.90).low
    )


def test_unequal_lists_are_refused() -> None:
    with pytest.raises(ValueError, match="2 and 1 groups"):
        macro_interval([1, 1], [2])
