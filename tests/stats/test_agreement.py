"""Cohen's kappa: by hand, with its interval, at its edges."""

import math

import pytest

from userproxybench.stats import cohen_kappa


def ratings(both: int, first: int, second: int, neither: int) -> tuple[list[int], list[int]]:
    pairs = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second + [(0, 0)] * neither
    return [one for one, _ in pairs], [two for _, two in pairs]


def test_kappa_by_hand() -> None:
    # 20 both yes, 15 both no of 50; p_o = .7, p_e = .5 x .6 + .5 x .4 = .5
    got = cohen_kappa(*ratings(20, 5, 10, 15))
    assert got.estimate == pytest.approx(0.4)
    assert (got.observed, got.n) == (0.7, 50)


def test_interval_by_hand() -> None:
    # Fleiss, Cohen & Everitt: var = (A + B - C) / (n (1 - p_e)²), with rows (.5,.5), cols (.6,.4)
    kappa, p_e = 0.4, 0.5
    a = 0.4 * (1 - (0.5 + 0.6) * 0.6) ** 2 + 0.3 * (1 - (0.5 + 0.4) * 0.6) ** 2
    b = 0.36 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    c = (kappa - p_e * (1 - kappa)) ** 2
    error = math.sqrt((a + b - c) / (50 * (1 - p_e) ** 2))
    got = cohen_kappa(*ratings(20, 5, 10, 15)).interval
    assert got is not None
    assert (got.low, got.high) == pytest.approx((0.4 - 1.959964 * error, 0.4 + 1.959964 * error))


@pytest.mark.parametrize(
    ("first", "second", "estimate", "observed"),
    [
        pytest.param([], [], None, None, id="no item"),
        pytest.param(["a", "a"], ["a", "a"], None, 1.0, id="one answer only"),
        pytest.param(["a", "b"], ["a", "b"], 1.0, 1.0, id="perfect"),
        pytest.param(["a", "b"], ["b", "a"], -1.0, 0.0, id="opposite"),
        pytest.param(["a", "b"], ["a", "a"], 0.0, 0.5, id="one rater constant"),
    ],
)
def test_edges(
    first: list[str], second: list[str], estimate: float | None, observed: float | None
) -> None:
    got = cohen_kappa(first, second)
    assert got.observed == observed
    assert got.estimate == (None if estimate is None else pytest.approx(estimate))


def test_perfect_agreement_claims_no_interval() -> None:
    assert cohen_kappa(["a", "b"], ["a", "b"]).interval is None


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 and 2 ratings"):
        cohen_kappa([1], [1, 2])
