"""Simulation study: with the truth known, do intervals and bounds hold what they promise?

Seven proxies, 375 tasks in four domains, one episode each, a thousand repetitions.
"""

import numpy as np
import pytest
from scipy import stats

from tests.study import Design, Truth, study
from userproxybench.analysis.ground import Ground, lower_bounds
from userproxybench.analysis.panel import Means, Panel, means
from userproxybench.stats import wilson_interval

pytestmark = pytest.mark.slow

REPETITIONS = 1000
TASKS = {"telecom": 114, "airline": 50, "retail": 114, "banking": 97}
TILT = np.array([0.06, 0.02, -0.10, 0.02])
"""How the domains (by name: airline, banking, retail, telecom) differ; the mean is 0."""
TRUE_UFS = np.array([0.60, 0.61, 0.75, 0.76, 0.78, 0.845, 0.86])


def design(proxies: int) -> Panel:
    names = {f"p{at}": Truth(0.5, 0.01) for at in range(proxies)}
    return Panel.of(study(Design(names, tasks=TASKS)))


def repetition(panel: Panel, ufs: np.ndarray, rng: np.random.Generator, resamples: int) -> Means:
    """Every episode drawn anew around the true UFS of its proxy, and the bootstrap on it."""
    chance = ufs[panel.proxy] + TILT[panel.domain]
    faithful = (rng.random(len(panel)) < chance).astype(float)
    return means(panel, [faithful], rng=rng, resamples=resamples)[0]


def test_bootstrap_intervals_cover_between_92_and_98_per_cent() -> None:
    panel, rng = design(7), np.random.default_rng(1)
    held = np.zeros(7)
    for _ in range(REPETITIONS):
        intervals = repetition(panel, TRUE_UFS, rng, 1000).macro_intervals()
        for at, interval in enumerate(intervals):
            assert interval is not None
            held[at] += interval.low <= TRUE_UFS[at] <= interval.high
    coverage = held / REPETITIONS
    assert ((coverage >= 0.92) & (coverage <= 0.98)).all(), coverage


@pytest.mark.parametrize("n", [50, 114, 375])
@pytest.mark.parametrize("true", [0.6, 0.845, 0.98])
def test_wilson_intervals_have_their_exact_coverage(n: int, true: float) -> None:
    ends = [wilson_interval(k, n) for k in range(n + 1)]
    holds = np.array([end.low <= true <= end.high for end in ends])
    exact = float(stats.binom.pmf(np.arange(n + 1), n, true)[holds].sum())
    drawn = np.random.default_rng(2).binomial(n, true, REPETITIONS)
    simulated = float(holds[drawn].mean())
    error = (exact * (1 - exact) / REPETITIONS) ** 0.5
    assert abs(simulated - exact) <= 4 * error + 1e-9
    assert exact >= 0.92


def test_three_proxies_just_below_are_rarely_picked_at_confidence_nine_tenths() -> None:
    required = 0.84
    panel, rng = design(3), np.random.default_rng(3)
    ufs = np.full(3, required - 0.002)
    usd = np.array([0.01, 0.02, 0.03])
    wrong = 0
    for _ in range(REPETITIONS):
        fidelity = repetition(panel, ufs, rng, 2000)
        ground = Ground(fidelity, usd, np.broadcast_to(usd, (2000, 3)))
        wrong += bool((lower_bounds(ground, 0.9, np.ones(3, dtype=bool)) >= required).any())
    assert wrong / REPETITIONS <= 0.10


def test_a_clear_winner_is_picked_at_confidence_nine_tenths() -> None:
    panel, rng = design(3), np.random.default_rng(4)
    ufs = np.array([0.75, 0.75, 0.93])
    hits = 0
    for _ in range(100):
        fidelity = repetition(panel, ufs, rng, 2000)
        usd = np.array([0.01, 0.02, 0.03])
        ground = Ground(fidelity, usd, np.broadcast_to(usd, (2000, 3)))
        bounds = lower_bounds(ground, 0.9, np.ones(3, dtype=bool))
        hits += bool(bounds[2] >= 0.84 > bounds[:2].max())
    assert hits >= 95
