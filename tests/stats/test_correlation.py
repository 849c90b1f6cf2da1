"""Pearson and Spearman: by hand, against R, at their edges."""

import math

import numpy as np
import pytest

from userproxybench.stats import pearson, spearman

NAN = float("nan")


def test_pearson_by_hand() -> None:
    # x - 3 = (-2,-1,0,1,2), y - 3 = (-1,-2,0,2,1): r = (2+2+0+2+2)/10
    got = pearson(np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 3, 5, 4]))
    assert got.estimate == pytest.approx(0.8)
    assert got.interval is not None
    reach = 1.959964 / math.sqrt(5 - 3)
    assert got.interval.low == pytest.approx(math.tanh(math.atanh(0.8) - reach), abs=1e-6)
    assert got.interval.high == pytest.approx(math.tanh(math.atanh(0.8) + reach), abs=1e-6)


def test_pearson_against_r() -> None:
    # R: cor.test(mtcars$mpg[1:8], mtcars$wt[1:8]) has r as cor() has; checked with numpy here
    x = np.array([21.0, 21.0, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4])
    y = np.array([2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19])
    assert pearson(x, y).estimate == pytest.approx(float(np.corrcoef(x, y)[0, 1]))


def test_spearman_by_hand() -> None:
    # ranks 1..5 against 2,1,3,5,4: 1 - 6 (1+1+0+1+1)/(5 x 24) = .8
    got = spearman(np.array([10.0, 20, 30, 40, 50]), np.array([2.0, 1, 3, 9, 4]))
    assert got.estimate == pytest.approx(0.8)


def test_spearman_ties_take_their_mean_rank() -> None:
    # R: cor(c(1,2,2,4), c(1,2,3,4), method = "spearman")  ->  0.9486833
    got = spearman(np.array([1.0, 2, 2, 4]), np.array([1.0, 2, 3, 4]))
    assert got.estimate == pytest.approx(0.9486833)


@pytest.mark.parametrize(
    ("x", "y", "n"),
    [
        pytest.param([], [], 0, id="nothing"),
        pytest.param([1.0, 2], [1.0, 2], 2, id="two points"),
        pytest.param([1.0, 1, 1], [1.0, 2, 3], 3, id="a constant"),
        pytest.param([1.0, NAN, 3], [1.0, 2, NAN], 1, id="incomplete pairs"),
    ],
)
def test_no_coefficient_where_there_is_none(x: list[float], y: list[float], n: int) -> None:
    for got in (pearson(np.array(x), np.array(y)), spearman(np.array(x), np.array(y))):
        assert (got.estimate, got.interval, got.n) == (None, None, n)


def test_three_points_or_a_straight_line_have_no_interval() -> None:
    assert pearson(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])).interval is None
    line = np.arange(6.0)
    assert pearson(line, 2 * line).interval is None


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 and 3 values"):
        pearson(np.zeros(2), np.zeros(3))
