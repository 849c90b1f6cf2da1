"""The two frames as arrays: who, where, what; and the bootstrap over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from userproxybench.models import Family
from userproxybench.scoring import VARIANT_FAMILIES, Tally
from userproxybench.scoring import fidelity as fidelity_of
from userproxybench.scoring import fraction as fraction_of
from userproxybench.stats import (
    Interval,
    macro_interval,
    percentile_interval,
    resample,
    resampled_ratios,
)
from userproxybench.tables import Tables, family_tallies

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]

RESAMPLES = 2000
"""Bootstrap replicates where nothing else is asked for."""
SEED = 0
"""Seed of every generator that no caller seeds: the same tables always give the same results."""


@dataclass(frozen=True)
class Panel:
    """Episodes as codes of proxy, domain and task (a cluster, keyed by domain and task id)."""

    tables: Tables
    """The frames, in the order of the arrays."""
    proxies: tuple[str, ...]
    """Names, sorted."""
    domains: tuple[str, ...]
    """Names, sorted."""
    tasks: tuple[tuple[str, str], ...]
    """(domain, task id), sorted."""
    proxy: Codes
    """Proxy of each episode."""
    task: Codes
    """Task of each episode."""
    domain_of_task: Codes
    """Domain of each task."""

    @classmethod
    def of(cls, tables: Tables) -> Panel:
        """The panel of checked tables."""
        episodes = tables.episodes
        proxies, proxy = np.unique(_words(episodes["proxy"]), return_inverse=True)
        domains = np.unique(_words(episodes["domain"]))
        keys = list(zip(_words(episodes["domain"]), _words(episodes["task_id"]), strict=True))
        tasks = sorted(set(keys))
        place = {key: at for at, key in enumerate(tasks)}
        domain_at = {str(name): at for at, name in enumerate(domains)}
        return cls(
            tables=tables,
            proxies=tuple(str(name) for name in proxies),
            domains=tuple(str(name) for name in domains),
            tasks=tuple(tasks),
            proxy=proxy.astype(np.intp).reshape(-1),
            task=np.array([place[key] for key in keys], dtype=np.intp),
            domain_of_task=np.array([domain_at[domain] for domain, _ in tasks], dtype=np.intp),
        )

    def __len__(self) -> int:
        """Number of episodes."""
        return len(self.proxy)

    @cached_property
    def domain(self) -> Codes:
        """Domain of each episode."""
        return self.domain_of_task[self.task] if len(self) else self.task

    def numbers(self, column: str) -> Array:
        """A column of `episodes` as floats, NaN where missing."""
        values = self.tables.episodes[column].to_numpy(dtype=float, na_value=np.nan)
        return np.asarray(values, dtype=float)

    def words(self, column: str) -> NDArray[np.str_]:
        """A column of `episodes` as text, empty where missing."""
        return _words(self.tables.episodes[column])

    @cached_property
    def fidelity(self) -> Array:
        """f_i, NaN where undefined."""
        return self.numbers("fidelity")

    @cached_property
    def status(self) -> NDArray[np.str_]:
        """`scored`, `unscorable`, `ungraded`."""
        return self.words("status")

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """f_i with every ungraded episode taken as failed, as faithful."""
        open_ = self.status == "ungraded"
        return np.where(open_, 0.0, self.fidelity), np.where(open_, 1.0, self.fidelity)

    @cached_property
    def took_place(self) -> Mask:
        """Episodes with at least one turn of the proxy; where turns are not known, all of them."""
        turns = self.numbers("user_turns")
        return np.isnan(turns) | (turns > 0)

    @cached_property
    def tallies(self) -> dict[Family, list[Tally]]:
        """Tally of each family on each episode, from the verdicts; all zero without verdicts."""
        return family_tallies(self.tables.episodes["episode_id"], self.tables.verdicts)

    @cached_property
    def variants(self) -> dict[str, Array]:
        """f_i under each variant, and the fraction of criteria; NaN where undefined."""
        made = {
            str(name): _floats(
                fidelity_of(_total(parts))
                for parts in zip(*(self.tallies[family] for family in sorted(kept)), strict=True)
            )
            for name, kept in VARIANT_FAMILIES.items()
        }
        totals = (_total(parts) for parts in zip(*self.tallies.values(), strict=True))
        return {**made, "fraction": _floats(fraction_of(total) for total in totals)}

    def only(self, keep: Mask) -> Panel:
        """The panel of some of the episodes; names and tasks that are left empty go."""
        episodes = self.tables.episodes[keep].reset_index(drop=True)
        verdicts = self.tables.verdicts
        held = verdicts["episode_id"].isin(episodes["episode_id"])
        return Panel.of(Tables(episodes, verdicts[held].reset_index(drop=True)))

    def shared(self) -> Panel:
        """The episodes on tasks that every proxy was run on."""
        there = np.zeros((len(self.tasks), len(self.proxies)), dtype=bool)
        there[self.task, self.proxy] = True
        everywhere: Mask = np.all(there, axis=1)
        return self.only(everywhere[self.task])


@dataclass(frozen=True)
class Means:
    """Means of one quantity per domain and proxy, with the bootstrap replicates of each."""

    by_domain: Array
    """(domains, proxies); NaN where there is no value."""
    counts: NDArray[np.intp]
    """(domains, proxies): values behind each mean."""
    sums: Array
    """(domains, proxies): sum of the values."""
    tasks: NDArray[np.intp]
    """(domains, proxies): tasks with a value."""
    drawn_sums: Array
    """(resamples, domains, proxies)."""
    drawn_counts: Array
    """(resamples, domains, proxies)."""

    @cached_property
    def drawn(self) -> Array:
        """Replicates of `by_domain`."""
        return resampled_ratios(self.drawn_sums, self.drawn_counts)

    @cached_property
    def macro(self) -> Array:
        """Per proxy the unweighted mean over the domains in which it has a value."""
        return macro_mean(self.by_domain, self.counts > 0)

    @cached_property
    def drawn_macro(self) -> Array:
        """Replicates of `macro`; NaN where a domain came out empty."""
        return macro_mean(self.drawn, self.counts > 0)

    @cached_property
    def pooled(self) -> Array:
        """Per proxy the mean over all its episodes."""
        return resampled_ratios(self.sums.sum(axis=0), self.counts.sum(axis=0).astype(float))

    def macro_intervals(self, confidence: float = 0.95) -> tuple[Interval | None, ...]:
        """Bootstrap interval of `macro` per proxy.

        `None` where a domain has a single task: nothing then says how much tasks differ. Where
        all episodes end alike, at 0 or at 1, the bootstrap is mute, and the interval is
        Price-Bonett's over tasks, which keeps its width.
        """
        thin = ((self.tasks == 1) & (self.counts > 0)).any(axis=0)
        made = (percentile_interval(column, confidence) for column in self.drawn_macro.T)
        return tuple(
            None if bare else one or self._alike(slice(None), at, confidence)
            for at, (bare, one) in enumerate(zip(thin, made, strict=True))
        )

    def interval(self, domain: int, proxy: int, confidence: float = 0.95) -> Interval | None:
        """Bootstrap interval of one mean in `by_domain`; `None` as in `macro_intervals`."""
        if self.tasks[domain, proxy] < 2:
            return None
        made = percentile_interval(self.drawn[:, domain, proxy], confidence)
        return made or self._alike(slice(domain, domain + 1), proxy, confidence)

    def _alike(self, domains: slice, proxy: int, confidence: float) -> Interval | None:
        """Interval over tasks where every mean is exactly 0 or exactly 1."""
        shares, tasks = self.by_domain[domains, proxy], self.tasks[domains, proxy]
        there = tasks > 0
        if not there.any() or not np.isin(shares[there], (0.0, 1.0)).all():
            return None
        return macro_interval(list(shares[there] * tasks[there]), list(tasks[there]), confidence)


def means(
    panel: Panel, quantities: Sequence[Array], *, rng: np.random.Generator, resamples: int
) -> list[Means]:
    """Means of several quantities (NaN is missing) over the same resampled tasks.

    Tasks are drawn within their domain with all their trials and under all proxies, so that
    differences and choices between proxies keep their pairing. Each domain has a generator of its
    own, seeded by `rng` and its name: what is drawn in one depends on its tasks alone, and not on
    which other domains, or which proxies on the same tasks, are in the run.
    """
    totals = np.stack([_per_task(panel, values) for values in quantities], axis=1)
    # per task: (quantities, proxies, sum and count)
    strata = [totals[panel.domain_of_task == code] for code in range(len(panel.domains))]
    flat = [rows.reshape(len(rows), -1) for rows in strata]
    shape = (resamples, len(flat), *totals.shape[1:])
    streams = _streams(panel.domains, rng)
    drawn = resample(flat, resamples=resamples, rng=streams) if flat else np.zeros(shape)
    drawn = drawn.reshape(shape)
    summed = np.array([rows.sum(axis=0) for rows in strata]).reshape(shape[1:])
    tasks = np.array([(rows[..., 1] > 0).sum(axis=0) for rows in strata]).reshape(shape[1:-1])
    return [
        Means(
            by_domain=resampled_ratios(summed[:, at, :, 0], summed[:, at, :, 1]),
            counts=summed[:, at, :, 1].astype(np.intp),
            sums=summed[:, at, :, 0],
            tasks=tasks[:, at].astype(np.intp),
            drawn_sums=drawn[:, :, at, :, 0],
            drawn_counts=drawn[:, :, at, :, 1],
        )
        for at in range(len(quantities))
    ]


def _streams(domains: Sequence[str], rng: np.random.Generator) -> list[np.random.Generator]:
    root = int(rng.integers(2**63))
    return [np.random.default_rng([root, *domain.encode("utf-8", "replace")]) for domain in domains]


def macro_mean(by_domain: Array, there: Mask) -> Array:
    """Mean over the domains marked `there`; NaN without one, or where one of them is NaN."""
    filled = np.where(there, by_domain, 0.0)
    return resampled_ratios(filled.sum(axis=-2), there.sum(axis=-2).astype(float))


def number(value: float | np.floating) -> float | None:
    """A float for a record: `None` for NaN."""
    return float(value) if np.isfinite(value) else None


def _per_task(panel: Panel, values: Array) -> Array:
    """(tasks, proxies, 2): sum and number of the known values."""
    known = np.isfinite(values)
    width = len(panel.proxies)
    place = panel.task[known] * width + panel.proxy[known]
    size = len(panel.tasks) * width
    sums = np.bincount(place, weights=values[known], minlength=size)
    counts = np.bincount(place, minlength=size).astype(float)
    return np.stack([sums, counts], axis=-1).reshape(len(panel.tasks), width, 2)


def _words(column: pd.Series) -> NDArray[np.str_]:
    return np.array(column.astype("string").fillna("").tolist(), dtype=np.str_)


def _total(parts: Sequence[Tally]) -> Tally:
    return sum(parts, Tally())


def _floats(values: Iterable[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
