"""Sample size for McNemar's test: by hand, by simulation, at its edges."""

import math

import numpy as np
import pytest
from scipy import stats

from userproxybench.stats import tasks_to_tell_apart


def test_tasks_by_hand() -> None:
    # ψ = .3, δ = .1: ((1.95996 √.3 + .84162 √(.3 - .01)) / .1)² = 233.2
    expected = ((1.959964 * math.sqrt(0.3) + 0.841621 * math.sqrt(0.29)) / 0.1) ** 2
    assert tasks_to_tell_apart(0.2, 0.1) == math.ceil(expected) == 234


def test_that_many_tasks_give_about_that_power() -> None:
    n = tasks_to_tell_apart(0.2, 0.1)
    assert n is not None
    rng = np.random.default_rng(0)
    counts = rng.multinomial(n, [0.2, 0.1, 0.7], size=4000)
    up, down = counts[:, 0], counts[:, 1]
    z = (up - down) / np.sqrt(up + down)
    assert float((np.abs(z) > stats.norm.ppf(0.975)).mean()) == pytest.approx(0.8, abs=0.03)


def test_no_difference_needs_no_number() -> None:
    assert tasks_to_tell_apart(0.1, 0.1) is None
    assert tasks_to_tell_apart(0.0, 0.0) is None


def test_order_does_not_matter() -> None:
    assert tasks_to_tell_apart(0.1, 0.2) == tasks_to_tell_apart(0.2, 0.1)


@pytest.mark.parametrize(("a", "b"), [(-0.1, 0.2), (0.6, 0.5)])
def test_shares_that_are_none_are_refused(a: float, b: float) -> None:
    with pytest.raises(ValueError, match="not shares"):
        tasks_to_tell_apart(a, b)
