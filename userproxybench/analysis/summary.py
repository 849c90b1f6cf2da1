"""`summary.json`: what one audit comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from userproxybench.analysis.costs import PURE, BasisCost, ProxyCost, PureBasis, cost_notes, costs
from userproxybench.analysis.panel import RESAMPLES, SEED, Means, Panel, means, number
from userproxybench.models import FAMILIES, CostBasis, Family, Record, RubricSource
from userproxybench.stats import Interval, corrected_rate
from userproxybench.tables import Tables


class FamilyCounts(Record):
    """How often one family failed under one proxy."""

    episodes: int
    """Episodes in which it failed."""
    applicable: int
    """Episodes in which it failed or passed."""
    criteria: int
    """Criteria of it that failed."""


class Counts(Record):
    """How much was audited, and how it ended."""

    episodes: int
    """Trajectories."""
    scored: int
    """Episodes with a fidelity."""
    unscorable: int
    """Episodes in which nothing applied or nothing was there to grade."""
    ungraded: int
    """Episodes left open by an unanswered criterion."""
    proxies: int
    """User proxies."""
    domains: int
    """Domains."""
    tasks: int
    """Tasks, keyed by domain and task id."""
    verdicts: int
    """Answers to criteria."""
    verdicts_passed: int
    """Of these, passes."""
    verdicts_failed: int
    """Of these, fails."""
    verdicts_not_applicable: int
    """Of these, not applicable."""
    verdicts_ungraded: int
    """Of these, without an answer."""


class CorrectedUfs(Record):
    """Rogan-Gladen estimate of the pooled UFS."""

    estimate: float | None
    """`None` when the grader tells violating from faithful no better than chance."""
    low: float | None
    """Lower end of the 95 % Lang-Reiczigel interval."""
    high: float | None
    """Upper end."""


@dataclass(frozen=True)
class ErrorRates:
    """How a grader did on labelled conversations; counts, so that their uncertainty carries."""

    caught: tuple[int, int]
    """Violating conversations flagged, of all violating ones."""
    spared: tuple[int, int]
    """Faithful conversations left alone, of all faithful ones."""


class ProxySummary(Record):
    """One user proxy. Shares lie in [0, 1]; `None` is unknown or undefined."""

    proxy: str
    """Its name."""
    episodes: int
    """Its trajectories."""
    scored: int
    """Of these, with a fidelity."""
    unscorable: int
    """Of these, with nothing applicable."""
    ungraded: int
    """Of these, left open."""
    ufs: float | None
    """UFS, unweighted mean over domains."""
    ufs_pooled: float | None
    """UFS over all its scored episodes."""
    ufs_ci_low: float | None
    """Lower end of the 95 % task-cluster bootstrap interval of `ufs`.

    Price-Bonett's over tasks where all episodes end alike.
    """
    ufs_ci_high: float | None
    """Upper end."""
    ufs_bound_low: float | None
    """`ufs` with every ungraded episode taken as failed."""
    ufs_bound_high: float | None
    """`ufs` with every ungraded episode taken as faithful."""
    ufs_by_domain: dict[str, float | None]
    """UFS per domain; a domain without episodes of this proxy is left out."""
    reward: float | None
    """Agent reward, unweighted mean over domains."""
    cost_usd: float | None
    """Dollars per simulation; `None` below 90 % coverage or on mixed bases."""
    cost_basis: CostBasis
    """Where the dollars come from."""
    cost_coverage: float | None
    """Share of its episodes that are priced on that basis."""
    families: dict[Family, FamilyCounts]
    """Failures per family."""
    ufs_corrected: CorrectedUfs | None = None
    """`ufs_pooled` freed of the grader's known errors, where a calibration of it was given."""


class Summary(Record):
    """The content of `summary.json`."""

    version: str
    """Version of the package that graded."""
    grader: str
    """The instrument."""
    rubric_source: RubricSource
    """Which rubrics."""
    counts: Counts
    """How much was audited."""
    proxies: tuple[ProxySummary, ...] = ()
    """One entry per proxy, by name."""
    audit_cost_usd: float | None = Field(default=None, ge=0)
    """What the audit itself cost; `None` when any of its calls is unpriced."""
    notes: tuple[str, ...] = ()
    """What a reader must know."""


@dataclass(frozen=True)
class _Measured:
    """Means that a summary reads from."""

    fidelity: Means
    low: Means
    high: Means
    reward: Means
    intervals: Sequence[Interval | None]


def summarise(  # noqa: PLR0913  # keyword-only, one per part of the record
    tables: Tables,
    *,
    version: str,
    grader: str,
    rubric_source: RubricSource,
    audit_cost_usd: float | None = None,
    error_rates: ErrorRates | None = None,
    notes: Sequence[str] = (),
) -> Summary:
    """The summary of one run's tables; the same tables give the same summary."""
    panel = Panel.of(tables)
    measured = _measure(panel)
    spent = costs(panel).proxies
    return Summary(
        version=version,
        grader=grader,
        rubric_source=rubric_source,
        counts=_counts(panel),
        proxies=tuple(
            _proxy(panel, at, measured, spent[at]).model_copy(
                update={"ufs_corrected": _corrected(panel, at, error_rates)}
            )
            for at in range(len(panel.proxies))
        ),
        audit_cost_usd=audit_cost_usd,
        notes=(*notes, *_notes(panel, measured, spent)),
    )


def recorded_cost(cost: ProxyCost) -> tuple[CostBasis, BasisCost]:
    """The one basis on which the episodes of a proxy carry costs; `unknown` for none or several."""
    present: list[PureBasis] = [basis for basis in PURE if cost.bases[basis].priced]
    if len(present) != 1:
        return "unknown", BasisCost(None, 0, cost.bases["recorded"].episodes)
    return present[0], cost.bases[present[0]]


def _measure(panel: Panel) -> _Measured:
    low, high = panel.bounds
    quantities = [panel.fidelity, low, high, panel.numbers("reward")]
    rng = np.random.default_rng(SEED)
    fidelity, lowest, highest, reward = means(panel, quantities, rng=rng, resamples=RESAMPLES)
    return _Measured(fidelity, lowest, highest, reward, fidelity.macro_intervals())


def _counts(panel: Panel) -> Counts:
    verdict = panel.tables.verdicts["verdict"]
    ended = {str(key): int(count) for key, count in verdict.value_counts().items()}
    status = panel.status
    return Counts(
        episodes=len(panel),
        scored=int((status == "scored").sum()),
        unscorable=int((status == "unscorable").sum()),
        ungraded=int((status == "ungraded").sum()),
        proxies=len(panel.proxies),
        domains=len(panel.domains),
        tasks=len(panel.tasks),
        verdicts=len(verdict),
        verdicts_passed=ended.get("pass", 0),
        verdicts_failed=ended.get("fail", 0),
        verdicts_not_applicable=ended.get("not_applicable", 0),
        verdicts_ungraded=ended.get("ungraded", 0),
    )


def _proxy(panel: Panel, at: int, measured: _Measured, cost: ProxyCost) -> ProxySummary:
    mine = panel.proxy == at
    present = {int(code) for code in panel.domain[mine]}
    status, interval = panel.status[mine], measured.intervals[at]
    basis, priced = recorded_cost(cost)
    return ProxySummary(
        proxy=panel.proxies[at],
        episodes=int(mine.sum()),
        scored=int((status == "scored").sum()),
        unscorable=int((status == "unscorable").sum()),
        ungraded=int((status == "ungraded").sum()),
        ufs=number(measured.fidelity.macro[at]),
        ufs_pooled=number(measured.fidelity.pooled[at]),
        ufs_ci_low=None if interval is None else interval.low,
        ufs_ci_high=None if interval is None else interval.high,
        ufs_bound_low=number(measured.low.macro[at]),
        ufs_bound_high=number(measured.high.macro[at]),
        ufs_by_domain={
            name: number(measured.fidelity.by_domain[code, at])
            for code, name in enumerate(panel.domains)
            if code in present
        },
        reward=number(measured.reward.macro[at]),
        cost_usd=priced.usd,
        cost_basis=basis,
        cost_coverage=priced.coverage,
        families={family: _family(panel, family, mine) for family in FAMILIES},
    )


def _corrected(panel: Panel, at: int, rates: ErrorRates | None) -> CorrectedUfs | None:
    """1 minus the corrected share of failing episodes; `None` without error rates or scores."""
    scored = (panel.proxy == at) & (panel.status == "scored")
    n = int(scored.sum())
    if rates is None or not n:
        return None
    failing = n - round(float(np.nansum(panel.fidelity[scored])))
    found = corrected_rate((failing, n), rates.caught, rates.spared)
    return CorrectedUfs(
        estimate=None if found.estimate is None else 1 - found.estimate,
        low=None if found.interval is None else 1 - found.interval.high,
        high=None if found.interval is None else 1 - found.interval.low,
    )


def _family(panel: Panel, family: Family, mine: np.ndarray) -> FamilyCounts:
    outcome = panel.words(family)[mine]
    failed = [tally.failed for tally, own in zip(panel.tallies[family], mine, strict=True) if own]
    return FamilyCounts(
        episodes=int((outcome == "failed").sum()),
        applicable=int(np.isin(outcome, ("failed", "passed")).sum()),
        criteria=sum(failed),
    )


def _notes(panel: Panel, measured: _Measured, spent: Sequence[ProxyCost]) -> list[str]:
    notes = []
    thin = [
        name
        for name, interval, value in zip(
            panel.proxies, measured.intervals, measured.fidelity.macro, strict=True
        )
        if interval is None and np.isfinite(value)
    ]
    if thin:
        notes.append("no interval (a domain with a single task): " + ", ".join(thin))
    return [*notes, *cost_notes(spent)]
