"""Correlation over proxies: few points, so the interval is what matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from userproxybench.stats.interval import Interval, check_confidence

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation coefficient."""

    estimate: float | None
    """`None` with fewer than three pairs, or when one side is constant."""
    interval: Interval | None
    """Fisher interval (Pearson only); `None` with fewer than four pairs or |r| = 1."""
    n: int
    """Pairs with both values."""
    method: Literal["Pearson", "Spearman"]
    """Which coefficient."""


def pearson(x: Array, y: Array, confidence: float = 0.95) -> Correlation:
    """Pearson's r with Fisher's z interval: tanh(atanh(r) ± z/√(n - 3)).

    Pairs with a missing value are left out. The interval assumes a bivariate normal.

    Reference: Fisher (1921), Metron 1.
    """
    from scipy import stats

    check_confidence(confidence)
    x, y = _pairs(x, y)
    if not _varies(x, y):
        return Correlation(None, None, x.size, "Pearson")
    result = stats.pearsonr(x, y)
    estimate = float(result.statistic)
    if x.size < 4 or abs(estimate) >= 1 - 1e-12:
        return Correlation(estimate, None, x.size, "Pearson")
    ends = result.confidence_interval(confidence)
    interval = Interval(float(ends.low), float(ends.high), confidence, "Fisher z")
    return Correlation(estimate, interval, x.size, "Pearson")


def spearman(x: Array, y: Array) -> Correlation:
    """Spearman's rank correlation, ties at their mean rank; incomplete pairs are left out."""
    from scipy import stats

    x, y = _pairs(x, y)
    if not _varies(x, y):
        return Correlation(None, None, x.size, "Spearman")
    return Correlation(float(stats.spearmanr(x, y).statistic), None, x.size, "Spearman")


def _pairs(x: Array, y: Array) -> tuple[Array, Array]:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if x.shape != y.shape:
        raise ValueError(f"`x` and `y` have {x.size} and {y.size} values; expected as many")
    both = np.isfinite(x) & np.isfinite(y)
    return x[both], y[both]


def _varies(x: Array, y: Array) -> bool:
    return x.size >= 3 and float(np.ptp(x)) > 1e-12 and float(np.ptp(y)) > 1e-12
