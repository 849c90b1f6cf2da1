"""Proxy against proxy on the tasks both were run on; and what the spread of proxies does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from userproxybench.analysis.panel import Array, Panel, means
from userproxybench.stats import PairedTest, compare_pairs, holm, tasks_to_tell_apart

POWER = 0.8
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Pair:
    """Two proxies compared."""

    a: str
    """First proxy."""
    b: str
    """Second proxy."""
    test: PairedTest
    """Difference in fidelity, A less B, over the shared tasks."""
    p_holm: float | None
    """P value adjusted for the number of pairs (Holm)."""
    tasks_needed: int | None
    """Tasks at which a difference like this is found with 80 % power at level .05; `None` where
    there is none to find, or tasks have several episodes.
    """


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a mean moves when only the proxy changes."""

    quantity: str
    """Column of `episodes`."""
    domain: str
    """The domain, or `all` for the unweighted mean over domains."""
    lowest: float
    """Lowest mean."""
    lowest_proxy: str
    """Proxy that has it."""
    highest: float
    """Highest mean."""
    highest_proxy: str
    """Proxy that has it."""
    centre: float
    """Unweighted mean over proxies."""
    proxies: int
    """Proxies with a mean."""

    @property
    def absolute(self) -> float:
        """Highest less lowest."""
        return self.highest - self.lowest

    @property
    def relative(self) -> float | None:
        """That in shares of the lowest; `None` where it is 0."""
        return self.absolute / self.lowest if self.lowest > 0 else None

    @property
    def relative_to_centre(self) -> float | None:
        """That in shares of the mean over proxies; `None` where it is 0."""
        return self.absolute / self.centre if self.centre > 0 else None


def pairs(panel: Panel, *, rng: np.random.Generator, resamples: int) -> tuple[Pair, ...]:
    """Every pair of proxies, in order of names."""
    chosen = list(combinations(range(len(panel.proxies)), 2))
    values = task_means(panel, panel.fidelity)
    tests = compare_pairs(values, chosen, panel.domain_of_task, rng=rng, resamples=resamples)
    defined = [test.p_value for test in tests if test.p_value is not None]
    adjusted = iter(holm(defined))
    return tuple(
        Pair(
            a=panel.proxies[a],
            b=panel.proxies[b],
            test=test,
            p_holm=None if test.p_value is None else next(adjusted),
            tasks_needed=_needed(test),
        )
        for (a, b), test in zip(chosen, tests, strict=True)
    )


def task_means(panel: Panel, values: Array) -> Array:
    """(tasks, proxies): mean of the known values; NaN without one."""
    shape = (len(panel.tasks), len(panel.proxies))
    known = np.isfinite(values)
    place = panel.task[known] * shape[1] + panel.proxy[known]
    size = shape[0] * shape[1]
    sums = np.bincount(place, weights=values[known], minlength=size)
    counts = np.bincount(place, minlength=size)
    out = np.full(size, np.nan)
    np.divide(sums, counts, out=out, where=counts > 0)
    return out.reshape(shape)


def spreads(panel: Panel, quantities: Sequence[str]) -> tuple[Spread, ...]:
    """Spread over proxies of the mean of each quantity, per domain and over all domains."""
    rows: list[Spread | None] = []
    columns = [panel.numbers(quantity) for quantity in quantities]
    made = means(panel, columns, rng=np.random.default_rng(0), resamples=1)
    for quantity, mean in zip(quantities, made, strict=True):
        for code, domain in enumerate(panel.domains):
            rows.append(_spread(panel, quantity, domain, mean.by_domain[code]))
        if len(panel.domains) > 1:
            rows.append(_spread(panel, quantity, "all", mean.macro))
    return tuple(row for row in rows if row is not None)


def _spread(panel: Panel, quantity: str, domain: str, values: Array) -> Spread | None:
    known = np.flatnonzero(np.isfinite(values))
    if known.size < 2:
        return None
    low, high = known[values[known].argmin()], known[values[known].argmax()]
    return Spread(
        quantity=quantity,
        domain=domain,
        lowest=float(values[low]),
        lowest_proxy=panel.proxies[low],
        highest=float(values[high]),
        highest_proxy=panel.proxies[high],
        centre=float(values[known].mean()),
        proxies=int(known.size),
    )


def _needed(test: PairedTest) -> int | None:
    if test.method != "exact McNemar" or not test.tasks:
        return None
    a_only, b_only = test.a_only / test.tasks, test.b_only / test.tasks
    return tasks_to_tell_apart(a_only, b_only, alpha=ALPHA, power=POWER)
