"""UFS per proxy, per domain, under each variant: with intervals, bounds and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from userproxybench.analysis.costs import Basis, Costs
from userproxybench.analysis.panel import Array, Means, Panel, means, number
from userproxybench.scoring import VARIANTS
from userproxybench.stats import Correlation, Interval, dominated, spearman, wilson_interval


@dataclass(frozen=True, slots=True)
class ProxyScore:
    """One row of the aggregate table."""

    proxy: str
    """Its name."""
    hosting: str
    """`hosted`, `open`, or empty; both joined where episodes differ."""
    episodes: int
    """Trajectories."""
    scored: int
    """Of these, with a fidelity."""
    unscorable: int
    """Of these, with nothing applicable."""
    ungraded: int
    """Of these, left open."""
    reward: float | None
    """Agent reward, unweighted mean over domains."""
    ufs: float | None
    """UFS, unweighted mean over domains."""
    interval: Interval | None
    """Task-cluster bootstrap interval of `ufs`."""
    bound_low: float | None
    """`ufs` with every ungraded episode taken as failed."""
    bound_high: float | None
    """`ufs` with every ungraded episode taken as faithful."""
    pooled: float | None
    """UFS over all scored episodes."""
    wilson: Interval | None
    """Wilson interval of `pooled`; takes episodes as independent."""
    cost: float | None
    """Dollars per simulation on the basis of the table."""
    prompt_tokens: float | None
    """Mean prompt tokens per simulation."""
    completion_tokens: float | None
    """Mean completion tokens per simulation."""
    dominated: bool | None
    """Another proxy is no dearer, no less faithful, and better in one; `None` without a cost."""


@dataclass(frozen=True, slots=True)
class CellScore:
    """One proxy in one domain."""

    proxy: str
    """Its name."""
    domain: str
    """The domain."""
    episodes: int
    """Trajectories."""
    scored: int
    """Of these, with a fidelity: the n of `ufs`."""
    unscorable: int
    """Of these, with nothing applicable."""
    ungraded: int
    """Of these, left open."""
    missing_tasks: int
    """Tasks of the domain on which this proxy has no conversation that took place."""
    reward: float | None
    """Mean agent reward."""
    reward_interval: Interval | None
    """Task-cluster bootstrap interval of `reward`."""
    ufs: float | None
    """Mean fidelity."""
    interval: Interval | None
    """Task-cluster bootstrap interval."""
    wilson: Interval | None
    """Wilson interval; takes episodes as independent."""


@dataclass(frozen=True, slots=True)
class VariantScore:
    """UFS of one proxy when only some families count (means over domains), and its rank."""

    proxy: str
    """Its name."""
    ufs: Mapping[str, float | None]
    """UFS under `all` families, each variant, and the `fraction` of criteria that pass."""
    rank: int | None
    """Rank by UFS, 1 the best, ties sharing the better rank."""
    rank_without_disclosure: int | None
    """Rank when disclosure criteria are left out."""


@dataclass(frozen=True)
class Scores:
    """All of them, with the means they come from."""

    proxies: tuple[ProxyScore, ...]
    """By name."""
    cells: tuple[CellScore, ...]
    """By domain, then proxy."""
    variants: tuple[VariantScore, ...]
    """By name; empty without verdicts."""
    disclosure_against_rest: Correlation
    """Spearman's rho over proxies between disclosure-only UFS and UFS without disclosure."""
    basis: Basis | None
    """Basis of the costs; `None` where no proxy has one."""
    fidelity: Means
    """Means of fidelity, with replicates."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How scores are set out."""

    basis: Basis | None
    """Basis of the costs."""
    compared: bool
    """Whether proxies may be set against each other; if not, none is called dominated."""
    resamples: int
    """Bootstrap replicates."""


def scores(panel: Panel, found: Costs, setting: Setting, *, rng: np.random.Generator) -> Scores:
    """Scores of every proxy, in every domain, and under every variant."""
    low, high = panel.bounds
    columns = [panel.fidelity, low, high, panel.numbers("reward")]
    made = means(panel, columns, rng=rng, resamples=setting.resamples)
    variants = _variants(panel, made[0].macro, rng)
    both = [
        np.array([_float(score.ufs[key]) for score in variants])
        for key in ("disclosure_only", "without_premature_disclosure")
    ]
    return Scores(
        proxies=_proxies(panel, made, found, setting),
        cells=tuple(
            _cell(panel, made, domain, proxy)
            for domain in range(len(panel.domains))
            for proxy in range(len(panel.proxies))
        ),
        variants=variants,
        disclosure_against_rest=spearman(*both),
        basis=setting.basis,
        fidelity=made[0],
    )


def ranks(values: Array) -> list[int | None]:
    """Rank of each value, 1 the highest, ties sharing the better rank; `None` for NaN."""
    return [
        None if np.isnan(value) else 1 + int((values > value).sum()) for value in values.tolist()
    ]


def _proxies(
    panel: Panel, made: list[Means], found: Costs, setting: Setting
) -> tuple[ProxyScore, ...]:
    fidelity, low, high, reward = made
    basis = setting.basis
    usd = [None if basis is None else cost.bases[basis].usd for cost in found.proxies]
    priced = np.array([_float(value) for value in usd])
    beaten = dominated(priced, fidelity.macro)
    intervals, hosting = fidelity.macro_intervals(), panel.words("hosting")
    rows = []
    for at, name in enumerate(panel.proxies):
        mine = panel.proxy == at
        counts = _counts(panel, mine)
        placed = usd[at] is not None and bool(np.isfinite(fidelity.macro[at]))
        placed = placed and setting.compared
        rows.append(
            ProxyScore(
                proxy=name,
                hosting="/".join(sorted(set(hosting[mine].tolist()) - {""})),
                **counts,
                reward=number(reward.macro[at]),
                ufs=number(fidelity.macro[at]),
                interval=intervals[at],
                bound_low=number(low.macro[at]),
                bound_high=number(high.macro[at]),
                pooled=number(fidelity.pooled[at]),
                wilson=_wilson(fidelity.sums[:, at].sum(), counts["scored"]),
                cost=usd[at],
                prompt_tokens=found.proxies[at].prompt_tokens,
                completion_tokens=found.proxies[at].completion_tokens,
                dominated=bool(beaten[at]) if placed else None,
            )
        )
    return tuple(rows)


def _cell(panel: Panel, made: list[Means], domain: int, proxy: int) -> CellScore:
    fidelity, reward = made[0], made[3]
    mine = (panel.proxy == proxy) & (panel.domain == domain)
    counts = _counts(panel, mine)
    reached = len(np.unique(panel.task[mine & panel.took_place]))
    return CellScore(
        proxy=panel.proxies[proxy],
        domain=panel.domains[domain],
        **counts,
        missing_tasks=int((panel.domain_of_task == domain).sum()) - reached,
        reward=number(reward.by_domain[domain, proxy]),
        reward_interval=reward.interval(domain, proxy),
        ufs=number(fidelity.by_domain[domain, proxy]),
        interval=fidelity.interval(domain, proxy),
        wilson=_wilson(fidelity.sums[domain, proxy], counts["scored"]),
    )


def _variants(panel: Panel, full: Array, rng: np.random.Generator) -> tuple[VariantScore, ...]:
    if not len(panel.tables.verdicts):
        return ()
    names = [*VARIANTS, "fraction"]
    made = means(panel, [panel.variants[name] for name in names], rng=rng, resamples=1)
    macro = {name: each.macro for name, each in zip(names, made, strict=True)}
    overall, without = ranks(full), ranks(macro["without_premature_disclosure"])
    return tuple(
        VariantScore(
            proxy=name,
            ufs={"all": number(full[at]), **{key: number(macro[key][at]) for key in names}},
            rank=overall[at],
            rank_without_disclosure=without[at],
        )
        for at, name in enumerate(panel.proxies)
    )


def _counts(panel: Panel, mine: np.ndarray) -> dict[str, int]:
    status = panel.status[mine]
    kinds = ("scored", "unscorable", "ungraded")
    return {"episodes": int(mine.sum()), **{kind: int((status == kind).sum()) for kind in kinds}}


def _wilson(successes: float, n: int) -> Interval | None:
    return wilson_interval(round(float(successes)), n) if n else None


def _float(value: float | None) -> float:
    return float("nan") if value is None else value
