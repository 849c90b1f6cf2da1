"""Agreement of two raters beyond chance."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from userproxybench.stats.interval import Interval, check_confidence


@dataclass(frozen=True, slots=True)
class Agreement:
    """Cohen's κ."""

    estimate: float | None
    """κ; `None` without items, and when both raters always give the same single answer."""
    interval: Interval | None
    """Asymptotic interval; `None` when κ is, when a rater is constant, or when the error is 0."""
    observed: float | None
    """Share of items on which the two agree."""
    n: int
    """Items rated by both."""


def cohen_kappa(
    first: Sequence[Hashable], second: Sequence[Hashable], confidence: float = 0.95
) -> Agreement:
    """Cohen's κ = (p_o - p_e) / (1 - p_e) of two raters on the same items, any categories.

    Assumes independent items. The interval is asymptotic (Fleiss, Cohen & Everitt 1969) and cut
    at -1 and 1.

    Reference: Cohen (1960), Educational and Psychological Measurement 20.
    """
    check_confidence(confidence)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} ratings; expected as many")
    if not first:
        return Agreement(None, None, None, 0)
    categories = {label: at for at, label in enumerate(dict.fromkeys([*first, *second]))}
    table = np.zeros((len(categories), len(categories)))
    for one, two in zip(first, second, strict=True):
        table[categories[one], categories[two]] += 1
    observed = float(np.trace(table)) / len(first)
    if len(categories) == 1:
        return Agreement(None, None, observed, len(first))
    estimate, interval = _kappa(table, confidence)
    return Agreement(estimate, interval, observed, len(first))


def _kappa(table: np.ndarray, confidence: float) -> tuple[float, Interval | None]:
    from scipy import stats
    from statsmodels.stats.inter_rater import cohens_kappa

    constant = min(np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1)) == 1
    if constant:  # one rater never varies: kappa is 0 by definition, its variance is 0 / 0
        return float(cohens_kappa(table, return_results=False)), None
    result = cohens_kappa(table, return_results=True)
    estimate, variance = float(result.kappa), float(result.var_kappa)
    if variance <= 1e-15:
        return estimate, None
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * variance**0.5
    interval = Interval(
        max(-1.0, estimate - reach), min(1.0, estimate + reach), confidence, "asymptotic"
    )
    return estimate, interval
