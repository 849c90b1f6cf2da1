"""AcCoRD's scores over rollouts: completion, outcome, perfect outcomes, task score, dynamics.

Every figure is a ratio of two sums over rollouts, so one bootstrap over whole scenarios gives all
intervals. A rollout counts in a figure only where the figure is defined for it; what is left out
is counted (`unknown`, `ungraded`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from userproxybench.accord.format import DYNAMICS, Domain, Dynamic
from userproxybench.accord.rollouts import Cell, RolloutScore
from userproxybench.models import Record
from userproxybench.stats import (
    cluster_sums,
    percentile_interval,
    resample,
    resampled_ratios,
)

RESAMPLES = 2000
_PERFECT = 1 - 1e-9


class Estimate(Record):
    """One figure with its interval."""

    value: float | None
    """The figure; `None` where nothing was there to compute it from."""
    n: int
    """Rollouts (or preferences, where pooled) behind it."""
    low: float | None = None
    """Lower end at 95 %; `None` where the bootstrap cannot tell."""
    high: float | None = None
    """Upper end."""


class Spread(Record):
    """Mean and median of a count per rollout."""

    mean: float | None
    """Mean; `None` where nothing is recorded."""
    median: float | None
    """Median."""
    n: int
    """Rollouts with the count recorded."""


class Scores(Record):
    """Scores of one cell."""

    domain: Domain
    """shop or travel."""
    agent_model: str
    """Model of the agent."""
    method: str
    """How it is prompted."""
    user_model: str
    """Model of the user simulator."""
    scenarios: int
    """Scenarios with a rollout."""
    rollouts: int
    """Rollouts."""
    unknown: int
    """Rollouts that do not say whether they were completed."""
    ungraded: int
    """Completed rollouts without a score for every preference."""
    completion: Estimate
    """Share of rollouts completed, of those where it is known."""
    outcome: Estimate
    """Mean preference score over completed rollouts."""
    perfect_all: Estimate
    """Share of rollouts completed with every preference met."""
    perfect_completed: Estimate
    """The same, of completed rollouts."""
    task: Estimate
    """Outcome, 0 where not completed."""
    dynamics: dict[Dynamic, Estimate]
    """Mean over completed rollouts of the rollout's mean score of that dynamic."""
    outcome_pooled: Estimate
    """Mean over all preferences of completed rollouts."""
    dynamics_pooled: dict[Dynamic, Estimate]
    """The same per dynamic; weighted by `n` they give `outcome_pooled` where all are known."""
    actions: Spread
    """Environment actions per rollout."""
    utterances: Spread
    """Messages to the user per rollout."""


def score_cells(
    rollouts: Iterable[tuple[Cell, RolloutScore]], *, rng: np.random.Generator
) -> list[Scores]:
    """Scores of every cell, sorted by domain, agent, method and user model."""
    cells: dict[Cell, list[RolloutScore]] = {}
    for cell, rollout in rollouts:
        cells.setdefault(cell, []).append(rollout)
    return [score(cells[cell], cell, rng=rng) for cell in sorted(cells)]


def score(
    rollouts: Sequence[RolloutScore],
    cell: Cell,
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
) -> Scores:
    """Scores of one cell; intervals by a bootstrap over scenarios, percentile method.

    Reference: Efron & Tibshirani (1993), chapter 13; whole scenarios are drawn, because the
    rollouts of one scenario are not independent.
    """
    ratios = _ratios(rollouts)
    computed = _estimates(rollouts, list(ratios.values()), rng, resamples)
    estimates = dict(zip(ratios, computed, strict=True))
    return Scores(
        **cell._asdict(),
        scenarios=len({rollout.scenario for rollout in rollouts}),
        rollouts=len(rollouts),
        unknown=sum(rollout.completed is None for rollout in rollouts),
        ungraded=sum(bool(r.completed) and r.outcome is None for r in rollouts),
        completion=estimates["completion"],
        outcome=estimates["outcome"],
        perfect_all=estimates["perfect_all"],
        perfect_completed=estimates["perfect_completed"],
        task=estimates["task"],
        dynamics={dynamic: estimates[dynamic] for dynamic in DYNAMICS},
        outcome_pooled=estimates["outcome_pooled"],
        dynamics_pooled={dynamic: estimates[f"{dynamic}_pooled"] for dynamic in DYNAMICS},
        actions=_spread([rollout.actions for rollout in rollouts]),
        utterances=_spread([rollout.utterances for rollout in rollouts]),
    )


Ratio = tuple[list[float], list[int]]
"""Numerator and denominator of one figure, per rollout."""


def _ratios(rollouts: Sequence[RolloutScore]) -> dict[str, Ratio]:
    outcomes = [rollout.outcome for rollout in rollouts]
    tasks = [rollout.task for rollout in rollouts]
    perfect = [None if value is None else float(value >= _PERFECT) for value in outcomes]
    perfect_all = [None if value is None else float(value >= _PERFECT) for value in tasks]
    completed = [None if r.completed is None else float(r.completed) for r in rollouts]
    pooled = [_sum_and_count(rollout, None) for rollout in rollouts]
    ratios = {
        "completion": _means(completed),
        "outcome": _means(outcomes),
        "perfect_all": _means(perfect_all),
        "perfect_completed": _means(perfect),
        "task": _means(tasks),
        "outcome_pooled": _unzipped(pooled),
    }
    for dynamic in DYNAMICS:
        sums = [_sum_and_count(rollout, dynamic) for rollout in rollouts]
        ratios[dynamic] = _means([total / n if n else None for total, n in sums])
        ratios[f"{dynamic}_pooled"] = _unzipped(sums)
    return ratios


def _means(values: Sequence[float | None]) -> Ratio:
    return [value or 0.0 for value in values], [int(value is not None) for value in values]


def _unzipped(pairs: Sequence[tuple[float, int]]) -> Ratio:
    return [total for total, _ in pairs], [n for _, n in pairs]


def _sum_and_count(rollout: RolloutScore, dynamic: Dynamic | None) -> tuple[float, int]:
    """Sum and number of preference scores of a scored rollout, of one dynamic or of all."""
    if rollout.outcome is None:
        return 0.0, 0
    values = [
        each.score
        for each in rollout.preferences
        if each.score is not None and dynamic in (None, each.dynamic)
    ]
    return sum(values), len(values)


def _estimates(
    rollouts: Sequence[RolloutScore],
    ratios: Sequence[Ratio],
    rng: np.random.Generator,
    resamples: int,
) -> list[Estimate]:
    above = np.array([numerator for numerator, _ in ratios], dtype=float).T
    below = np.array([denominator for _, denominator in ratios], dtype=float).T
    replicates = _replicates(rollouts, np.hstack([above, below]), rng, resamples)
    half = len(ratios)
    drawn = resampled_ratios(replicates[:, :half], replicates[:, half:])
    estimates = []
    for column in range(half):
        n = int(below[:, column].sum())
        interval = percentile_interval(drawn[:, column]) if n else None
        estimates.append(
            Estimate(
                value=float(above[:, column].sum() / n) if n else None,
                n=n,
                low=interval.low if interval else None,
                high=interval.high if interval else None,
            )
        )
    return estimates


def _replicates(
    rollouts: Sequence[RolloutScore],
    columns: NDArray[np.float64],
    rng: np.random.Generator,
    resamples: int,
) -> NDArray[np.float64]:
    names, clusters = np.unique([rollout.scenario for rollout in rollouts], return_inverse=True)
    strata = np.zeros(len(names), dtype=np.intp)
    sums = cluster_sums(columns, clusters.astype(np.intp), strata, sizes=(len(names), 1))
    return resample(sums, resamples=resamples, rng=rng)[:, 0, :]


def _spread(values: Iterable[int | None]) -> Spread:
    known = [value for value in values if value is not None]
    if not known:
        return Spread(mean=None, median=None, n=0)
    return Spread(mean=float(np.mean(known)), median=float(np.median(known)), n=len(known))
