"""A rate seen through an imperfect grader, and what it says about the true rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from userproxybench.stats.interval import Interval, check_confidence


class Counts(NamedTuple):
    """Hits among trials."""

    hits: int
    n: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A rate corrected for the errors of the grader."""

    estimate: float | None
    """Rogan-Gladen estimate cut to [0, 1]; `None` when the grader is no better than chance."""
    interval: Interval | None
    """Lang-Reiczigel interval; carries the uncertainty of sensitivity and specificity."""
    apparent: float
    """Rate as the grader sees it."""
    sensitivity: float
    """Share of true cases that the grader flags."""
    specificity: float
    """Share of clean cases that it leaves alone."""
    n: int
    """Items behind the apparent rate."""


def corrected_rate(
    flagged: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    confidence: float = 0.95,
) -> Corrected:
    """True rate behind an apparent one: (t + Sp - 1) / (Se + Sp - 1).

    Each argument is (hits, n): items flagged of all; true cases flagged of all true cases; clean
    cases left alone of all clean cases. Assumes that the grader errs here as it did on the cases
    that gave its sensitivity and specificity.

    Reference: Rogan & Gladen (1978), American Journal of Epidemiology 107; interval: Lang &
    Reiczigel (2014), Preventive Veterinary Medicine 113.
    """
    check_confidence(confidence)
    seen, caught, spared = Counts(*flagged), Counts(*sensitivity), Counts(*specificity)
    for hits, n in (seen, caught, spared):
        if not 0 <= hits <= n or n == 0:
            raise ValueError(f"{hits!r} of {n!r}; expected 0 <= hits <= n, n > 0")
    rate, se, sp = (counts.hits / counts.n for counts in (seen, caught, spared))
    informative = se + sp - 1 > 1e-9
    return Corrected(
        estimate=min(1.0, max(0.0, (rate + sp - 1) / (se + sp - 1))) if informative else None,
        interval=_interval(seen, caught, spared, confidence) if informative else None,
        apparent=rate,
        sensitivity=se,
        specificity=sp,
        n=seen.n,
    )


def _interval(seen: Counts, caught: Counts, spared: Counts, confidence: float) -> Interval | None:
    z = float(NormalDist().inv_cdf((1 + confidence) / 2))
    n = seen.n + z * z
    rate = (seen.hits + z * z / 2) / n
    se, sp = (caught.hits + 1) / (caught.n + 2), (spared.hits + 1) / (spared.n + 2)
    youden = se + sp - 1
    if youden <= 0:
        return None
    true = (rate + sp - 1) / youden
    var_se, var_sp = se * (1 - se) / (caught.n + 2), sp * (1 - sp) / (spared.n + 2)
    shift = 2 * z * z * (true * var_se - (1 - true) * var_sp)
    spread = rate * (1 - rate) / n + true**2 * var_se + (1 - true) ** 2 * var_sp
    reach = z * math.sqrt(spread) / youden
    low, high = (min(1.0, max(0.0, true + shift + side * reach)) for side in (-1, 1))
    return Interval(low, high, confidence, "Lang-Reiczigel")
