"""Two proxies on the same tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from userproxybench.stats.bootstrap import percentile_interval, resample, resampled_ratios
from userproxybench.stats.interval import Interval

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A against B on shared tasks."""

    difference: float | None
    """Mean over shared tasks of A less B; `None` without a shared task."""
    interval: Interval | None
    """Paired bootstrap interval of the difference, tasks resampled within domains."""
    p_value: float | None
    """Two-sided; see `method`. `None` without a shared task."""
    method: str
    """`exact McNemar` with one episode a task, else `sign-flip permutation`."""
    tasks: int
    """Shared tasks."""
    a_only: int
    """Tasks on which A did better."""
    b_only: int
    """Tasks on which B did better."""


def compare_pairs(
    values: Array,
    pairs: Sequence[tuple[int, int]],
    strata: NDArray[np.intp],
    *,
    rng: np.random.Generator,
    resamples: int = 2000,
) -> list[PairedTest]:
    """Compare pairs of proxies by the mean fidelity of each task.

    With one episode a task the values are 0 and 1, and the test is McNemar's, exact. With several
    trials it is the sign-flip permutation test on the differences, which McNemar's is a case of.
    Both take tasks as independent and ask whether the two are exchangeable on each.

    Args:
        values: (tasks, proxies), NaN where a proxy has no episode on the task.
        pairs: Columns to compare.
        strata: Domain of each task.
        rng: Source of the resamples and sign flips.
        resamples: How many of each.

    Reference: McNemar (1947), Psychometrika 12; Good (2005), Permutation, Parametric, and
    Bootstrap Tests of Hypotheses, 3.2.
    """
    if not pairs:
        return []
    gaps = np.stack([values[:, a] - values[:, b] for a, b in pairs], axis=1)
    intervals = _intervals(gaps, strata, rng, resamples)
    return [
        _compare(column[np.isfinite(column)], interval, rng, resamples)
        for column, interval in zip(gaps.T, intervals, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for their number by Holm's step-down rule, in the order given."""
    from statsmodels.stats.multitest import multipletests

    if not p_values:
        return []
    return [float(value) for value in multipletests(list(p_values), method="holm")[1]]


def _mcnemar(up: int, down: int) -> float:
    """Without a discordant task nothing speaks against equality: 1."""
    from scipy import stats

    return float(stats.binomtest(up, up + down).pvalue) if up + down else 1.0


def _sign_flip(gaps: Array, rng: np.random.Generator, resamples: int) -> float:
    """Monte Carlo p value, never 0: (1 + as extreme) / (1 + flips)."""
    extreme, limit = 0, abs(gaps.sum()) - 1e-12
    for _ in range(resamples):
        flips = rng.integers(0, 2, size=gaps.size) * 2 - 1
        extreme += bool(abs(flips @ gaps) >= limit)
    return (1 + extreme) / (1 + resamples)


def _compare(
    gaps: Array, interval: Interval | None, rng: np.random.Generator, resamples: int
) -> PairedTest:
    up, down = int((gaps > 0).sum()), int((gaps < 0).sum())
    exact = bool(np.isin(gaps, (-1.0, 0.0, 1.0)).all())
    method = "exact McNemar" if exact else "sign-flip permutation"
    if not gaps.size:
        return PairedTest(None, None, None, method, 0, 0, 0)
    return PairedTest(
        difference=float(gaps.mean()),
        interval=interval,
        p_value=_mcnemar(up, down) if exact else _sign_flip(gaps, rng, resamples),
        method=method,
        tasks=int(gaps.size),
        a_only=up,
        b_only=down,
    )


def _intervals(
    gaps: Array, strata: NDArray[np.intp], rng: np.random.Generator, resamples: int
) -> list[Interval | None]:
    shared = np.isfinite(gaps)
    columns = np.concatenate([np.where(shared, gaps, 0.0), shared.astype(float)], axis=1)
    sums = [columns[strata == stratum] for stratum in np.unique(strata)]
    if not sums:
        return [None] * gaps.shape[1]
    drawn = resample(sums, resamples=resamples, rng=rng).sum(axis=1)
    total, count = np.split(drawn, 2, axis=1)
    return [percentile_interval(column) for column in resampled_ratios(total, count).T]
