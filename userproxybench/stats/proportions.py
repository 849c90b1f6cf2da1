"""Proportions: one of them, and the mean of several."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from userproxybench.stats.interval import Interval, check_confidence


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson score interval of a proportion from independent trials.

    Raises `ValueError` for `n` = 0: nothing was observed, so there is no interval.

    Reference: Wilson (1927); Brown, Cai & DasGupta (2001), Statistical Science 16.
    """
    from scipy import stats

    check_confidence(confidence)
    _check_counts(successes, n)
    made = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return Interval(float(made.low), float(made.high), confidence, "Wilson")


def macro_interval(
    successes: Sequence[float], n: Sequence[float], confidence: float = 0.95
) -> Interval:
    """Adjusted Wald interval of the unweighted mean of k independent proportions.

    With 4/k trials added to each group, half of them successes:
    mean(p̃) ± z √(Σ p̃(1 - p̃)/ñ) / k. Assumes independent trials within and between groups. Unlike
    the plain Wald and the bootstrap interval it keeps its width when every trial succeeds.

    Reference: Price & Bonett (2004), Computational Statistics & Data Analysis 45.
    """
    check_confidence(confidence)
    centre, error = _adjusted(successes, n)
    reach = float(NormalDist().inv_cdf((1 + confidence) / 2)) * error
    low, high = max(0.0, centre - reach), min(1.0, centre + reach)
    return Interval(low, high, confidence, "Price-Bonett")


def macro_lower_bound(successes: Sequence[float], n: Sequence[float], confidence: float) -> float:
    """One-sided lower bound that belongs to `macro_interval`."""
    check_confidence(confidence)
    centre, error = _adjusted(successes, n)
    return max(0.0, centre - float(NormalDist().inv_cdf(confidence)) * error)


def _adjusted(successes: Sequence[float], n: Sequence[float]) -> tuple[float, float]:
    """Shrunken mean of the proportions and its standard error."""
    hits, trials = np.asarray(successes, dtype=float), np.asarray(n, dtype=float)
    if hits.shape != trials.shape or not hits.size:
        raise ValueError(f"`successes` and `n` have {hits.size} and {trials.size} groups")
    for hit, trial in zip(hits, trials, strict=True):
        _check_counts(hit, trial)
    groups = hits.size
    enlarged = trials + 4 / groups
    share = (hits + 2 / groups) / enlarged
    return float(share.mean()), float(np.sqrt((share * (1 - share) / enlarged).sum())) / groups


def _check_counts(successes: float, n: float) -> None:
    if not (n > 0 and 0 <= successes <= n):
        raise ValueError(f"{successes!r} successes of {n!r}; expected 0 <= successes <= n, n > 0")
