"""The stratified cluster bootstrap, on sums per cluster.

A cluster (a task with all its trials, under every proxy) is drawn whole, within its stratum (a
domain). What is resampled is therefore one row of sums per cluster, and a replicate is a product
of multinomial counts with those rows: the cost does not depend on how many episodes there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from userproxybench.stats.interval import Interval, check_confidence

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

_CELLS = 4_000_000
"""Multinomial counts held at once (32 MB)."""
_DEFINED = 0.9
"""Share of replicates in which a statistic must exist for its interval to be given."""


def cluster_sums(
    values: Array, clusters: Codes, strata: Codes, *, sizes: tuple[int, int]
) -> tuple[Array, ...]:
    """Sums of each column of `values` per cluster, one array (clusters, columns) per stratum.

    Args:
        values: One row per episode, one column per quantity; a missing value counts as 0, so keep
            the number of values in a column of its own.
        clusters: Cluster of each episode, coded from 0.
        strata: Stratum of each cluster, coded from 0.
        sizes: Number of clusters and number of strata.
    """
    count, n_strata = sizes
    filled = np.nan_to_num(np.asarray(values, dtype=float), nan=0.0)
    sums = np.zeros((count, filled.shape[1]))
    np.add.at(sums, clusters, filled)
    return tuple(sums[strata == stratum] for stratum in range(n_strata))


def resample(
    sums: Sequence[Array],
    *,
    resamples: int,
    rng: np.random.Generator | Sequence[np.random.Generator],
) -> Array:
    """Sums over resampled clusters: (resamples, strata, columns).

    From each stratum as many clusters are drawn with replacement as it has, by one generator for
    all, or by one of its own for each.
    """
    if resamples < 1:
        raise ValueError(f"`resamples` is {resamples!r}; expected 1 or more")
    streams = [rng] * len(sums) if isinstance(rng, np.random.Generator) else rng
    drawn = [
        _resample_stratum(stratum, resamples, stream)
        for stratum, stream in zip(sums, streams, strict=True)
    ]
    return np.stack(drawn, axis=1)


def resampled_ratios(numerators: Array, denominators: Array) -> Array:
    """Element-wise ratio, NaN where the denominator is 0."""
    out = np.full(np.broadcast_shapes(numerators.shape, denominators.shape), np.nan)
    np.divide(numerators, denominators, out=out, where=denominators > 0)
    return out


def percentile_interval(replicates: Array, confidence: float = 0.95) -> Interval | None:
    """Percentile interval of one statistic from its bootstrap replicates.

    `None` where the bootstrap cannot tell: in more than a tenth of the replicates the statistic
    does not exist, or all replicates are equal (a single cluster, or every episode the same).

    Reference: Efron & Tibshirani (1993), chapter 13.
    """
    check_confidence(confidence)
    defined = replicates[np.isfinite(replicates)]
    if not defined.size or defined.size < _DEFINED * replicates.size:
        return None
    tail = (1 - confidence) / 2
    low, high = (float(end) for end in np.quantile(defined, [tail, 1 - tail]))
    if high - low <= 1e-12:
        return None
    return Interval(low, high, confidence, "task-cluster bootstrap")


def simultaneous_lower_bounds(replicates: Array, floors: Array, confidence: float) -> Array:
    """Lower bounds that hold for all columns of `replicates` at once.

    Each column gets the percentile bound at 1 - (1 - confidence)/columns (Bonferroni), or its
    entry in `floors` where that is lower: the bootstrap alone would call a proxy that never
    failed certain. NaN where a column is not defined in nine tenths of the replicates.
    """
    check_confidence(confidence)
    tail = (1 - confidence) / replicates.shape[1]
    bounds = np.full(replicates.shape[1], np.nan)
    for column, (values, floor) in enumerate(zip(replicates.T, floors, strict=True)):
        defined = values[np.isfinite(values)]
        if defined.size and defined.size >= _DEFINED * values.size:
            bounds[column] = min(float(np.quantile(defined, tail)), float(floor))
    return bounds


def _resample_stratum(sums: Array, resamples: int, rng: np.random.Generator) -> Array:
    clusters, columns = sums.shape
    out = np.zeros((resamples, columns))
    if not clusters:
        return out
    step = max(1, _CELLS // clusters)
    shares = np.full(clusters, 1 / clusters)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        out[start : start + size] = rng.multinomial(clusters, shares, size=size) @ sums
    return out
