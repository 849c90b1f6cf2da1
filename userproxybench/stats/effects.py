"""What goes with a violation: differences between episodes that have it and those that do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from userproxybench.stats.bootstrap import percentile_interval, resample, resampled_ratios
from userproxybench.stats.interval import Interval

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

Reading = Literal["pooled", "within proxy", "matched on task", "within proxy and task"]
READINGS: tuple[Reading, ...] = get_args(Reading)


@dataclass(frozen=True, slots=True)
class Difference:
    """Rate among the exposed less rate among the others, in one cell."""

    estimate: float
    """Difference of the two rates."""
    exposed: int
    """Episodes with the violation."""
    others: int
    """Episodes without it."""
    interval: Interval
    """Agresti-Caffo interval; takes episodes as independent."""


@dataclass(frozen=True, slots=True)
class Signs:
    """Several differences taken together. All `None` or 0 without any."""

    mean: float | None
    """Unweighted mean."""
    median: float | None
    """Median."""
    positive: int
    """How many are above 0."""
    negative: int
    """How many are below 0."""
    zero: int
    """How many are 0."""
    n: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Mean difference of a quantity between exposed and other episodes."""

    reading: Reading
    """Which episodes are compared with which."""
    estimate: float | None
    """The difference; `None` where no exposed episode has one to be compared with."""
    interval: Interval | None
    """Bootstrap interval, tasks resampled within domains."""
    exposed: int
    """Episodes with the violation."""
    others: int
    """Episodes without it."""
    tasks: int
    """Tasks."""
    by_proxy: tuple[float | None, ...]
    """Difference within each proxy (`within proxy` only, else empty)."""


def rate_difference(
    outcome: NDArray[np.bool_], exposed: NDArray[np.bool_], *, at_least: int = 5
) -> Difference | None:
    """Rate of `outcome` among exposed less among others; `None` with a side too small.

    Reference for the interval: Agresti & Caffo (2000), The American Statistician 54.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    with_it, without = outcome[exposed], outcome[~exposed]
    if min(with_it.size, without.size) < max(1, at_least):
        return None
    low, high = confint_proportions_2indep(
        int(with_it.sum()), with_it.size, int(without.sum()), without.size, method="agresti-caffo"
    )
    return Difference(
        estimate=float(with_it.mean() - without.mean()),
        exposed=int(with_it.size),
        others=int(without.size),
        interval=Interval(max(-1.0, float(low)), min(1.0, float(high)), 0.95, "Agresti-Caffo"),
    )


def signs(differences: Sequence[float]) -> Signs:
    """Mean, median and signs of differences."""
    values = np.asarray(differences, dtype=float)
    if not values.size:
        return Signs(None, None, 0, 0, 0, 0)
    zero = np.abs(values) < 1e-12
    return Signs(
        mean=float(values.mean()),
        median=float(np.median(values)),
        positive=int((~zero & (values > 0)).sum()),
        negative=int((~zero & (values < 0)).sum()),
        zero=int(zero.sum()),
        n=int(values.size),
    )


@dataclass(frozen=True, slots=True)
class Exposure:
    """Episodes with a quantity, and where each belongs (codes from 0)."""

    quantity: Array
    """What is compared."""
    exposed: NDArray[np.bool_]
    """Whether the episode has the violation."""
    proxy: Codes
    """Its proxy."""
    task: Codes
    """Its task."""
    domain_of_task: Codes
    """Domain of each task."""
    proxies: int
    """How many proxies there are."""

    def __post_init__(self) -> None:
        if not self.quantity.shape == self.exposed.shape == self.proxy.shape == self.task.shape:
            raise ValueError("`quantity`, `exposed`, `proxy` and `task` differ in length")


def exposure_effects(
    data: Exposure, *, rng: np.random.Generator, resamples: int = 2000
) -> tuple[Effect, ...]:
    """Mean difference between exposed and other episodes under each of four readings.

    - `pooled`: all exposed against all others.
    - `within proxy`: the difference within each proxy, averaged over the proxies with both kinds.
    - `matched on task`: the difference within each task over proxies, averaged over such tasks.
    - `within proxy and task`: least squares with an effect of each proxy and each task.

    Intervals are percentiles over tasks resampled within domains, the same ones for each reading.
    A proxy, or a task, without both kinds of episodes gives no difference and is left out.
    """
    if not data.quantity.size:
        return tuple(Effect(reading, None, None, 0, 0, 0, ()) for reading in READINGS)
    sums: dict[Reading, Array] = {
        "pooled": _side_sums(data, np.zeros_like(data.proxy), 1),
        "within proxy": _side_sums(data, data.proxy, data.proxies),
        "matched on task": _task_gaps(data),
        "within proxy and task": _normal_equations(data),
    }
    columns = np.concatenate([sums[reading] for reading in READINGS], axis=1)
    drawn = resample(_by_domain(data, columns), resamples=resamples, rng=rng).sum(axis=1)
    edges = np.cumsum([sums[reading].shape[1] for reading in READINGS])[:-1]
    parts = np.split(drawn, edges, axis=1)
    return tuple(
        _effect(data, reading, sums[reading].sum(axis=0)[None, :], part)
        for reading, part in zip(READINGS, parts, strict=True)
    )


def _effect(data: Exposure, reading: Reading, total: Array, drawn: Array) -> Effect:
    estimate = _ESTIMATES[reading]
    point = float(estimate(total)[0])
    gaps = _side_gaps(total)[0].tolist() if reading == "within proxy" else []
    return Effect(
        reading=reading,
        estimate=point if np.isfinite(point) else None,
        interval=percentile_interval(estimate(drawn)),
        exposed=int(data.exposed.sum()),
        others=int((~data.exposed).sum()),
        tasks=len(np.unique(data.task)),
        by_proxy=tuple(gap if np.isfinite(gap) else None for gap in gaps),
    )


def _by_domain(data: Exposure, sums: Array) -> list[Array]:
    present = np.isin(np.arange(sums.shape[0]), data.task)
    domains = data.domain_of_task
    return [sums[(domains == domain) & present] for domain in np.unique(domains[present])]


def _per_task(data: Exposure, columns: Array) -> Array:
    sums = np.zeros((data.domain_of_task.size, columns.shape[1]))
    np.add.at(sums, data.task, columns)
    return sums


def _side_sums(data: Exposure, group: Codes, groups: int) -> Array:
    """Per task: for each group the sum and count of the exposed, then of the others."""
    columns = np.zeros((group.size, groups, 4))
    rows, side = np.arange(group.size), np.where(data.exposed, 0, 2)
    columns[rows, group, side] = data.quantity
    columns[rows, group, side + 1] = 1
    return _per_task(data, columns.reshape(group.size, -1))


def _side_gaps(sums: Array) -> Array:
    sides = sums.reshape(sums.shape[0], -1, 4)
    exposed = resampled_ratios(sides[..., 0], sides[..., 1])
    return exposed - resampled_ratios(sides[..., 2], sides[..., 3])


def _mean_gap(sums: Array) -> Array:
    gaps = _side_gaps(sums)
    there = np.isfinite(gaps)
    return resampled_ratios(np.where(there, gaps, 0).sum(axis=1), there.sum(axis=1, dtype=float))


def _task_gaps(data: Exposure) -> Array:
    """Per task its difference, and 1 where it has one."""
    gaps = _side_gaps(_side_sums(data, np.zeros_like(data.proxy), 1))[:, 0]
    there = np.isfinite(gaps)
    return np.stack([np.where(there, gaps, 0), there.astype(float)], axis=1)


def _ratio(sums: Array) -> Array:
    return resampled_ratios(sums[:, 0], sums[:, 1])


def _normal_equations(data: Exposure) -> Array:
    """Per task X'X and X'y, both demeaned within the task; X is exposure and proxy columns.

    A task drawn twice keeps its own effect each time, so demeaning commutes with resampling.
    """
    columns = np.zeros((data.proxy.size, data.proxies + 2))
    columns[:, 0] = data.exposed
    columns[np.arange(data.proxy.size), data.proxy + 1] = 1
    columns[:, -1] = data.quantity
    counts = np.bincount(data.task, minlength=data.domain_of_task.size).astype(float)
    means = resampled_ratios(_per_task(data, columns), counts[:, None])
    columns -= means[data.task]
    products = columns[:, :, None] * columns[:, None, :]
    return _per_task(data, products.reshape(data.proxy.size, -1))


def _solved(sums: Array) -> Array:
    """Coefficient of exposure; NaN where proxies and tasks leave it no variation of its own."""
    size = round(sums.shape[1] ** 0.5)
    products = sums.reshape(-1, size, size)
    nuisance, mixed = products[:, 1:-1, 1:-1], products[:, 1:-1, [0, -1]]
    adjusted = np.linalg.pinv(nuisance, hermitian=True) @ mixed
    cross = products[:, 0, 1:-1]
    own = products[:, 0, 0] - (cross * adjusted[..., 0]).sum(axis=1)
    with_outcome = products[:, 0, -1] - (cross * adjusted[..., 1]).sum(axis=1)
    return resampled_ratios(with_outcome, np.where(own > 1e-9, own, 0))


_ESTIMATES: dict[Reading, Callable[[Array], Array]] = {
    "pooled": _mean_gap,
    "within proxy": _mean_gap,
    "matched on task": _ratio,
    "within proxy and task": _solved,
}
