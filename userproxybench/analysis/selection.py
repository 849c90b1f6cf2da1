"""The cheapest proxy that is faithful enough, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType

import numpy as np

from userproxybench.analysis.comparability import require_comparable, unknowns
from userproxybench.analysis.costs import Basis, Costs, Override, PriceLookup, choose_basis, costs
from userproxybench.analysis.panel import (
    RESAMPLES,
    SEED,
    Array,
    Mask,
    Means,
    Panel,
    means,
    number,
)
from userproxybench.errors import InputError
from userproxybench.stats import (
    Selection,
    dominated,
    macro_lower_bound,
    pick,
    picks,
    resampled_ratios,
    selection,
    simultaneous_lower_bounds,
)

SCALES = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Multiples of the tasks at which it is asked whether the pick has become stable."""
STABLE = 0.9
"""Share of resamples in which a stable pick is the same, where no confidence is asked for."""
_TAIL_DRAWS = 20
"""Replicates beyond each lower bound, at least."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of `decide`."""

    required: float
    """UFS that the proxy must reach."""
    confidence: float | None = None
    """How sure that must be; `None`: as measured."""
    basis: Basis | None = None
    """Basis of the costs; `None`: the one that prices most proxies."""
    allow_different: bool = False
    """Compare proxies although more than the proxy differs."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proxy as an answer to the question."""

    proxy: str
    """Its name."""
    ufs: float | None
    """UFS on the shared tasks, mean over domains."""
    lower: float | None
    """One-sided lower bound, simultaneous over candidates, at the confidence asked for or 90 %."""
    cost: float | None
    """Dollars per simulation; `None` is unknown, and the proxy cannot be picked."""
    qualifies: bool
    """Faithful enough: by its lower bound with a confidence, else by its UFS."""
    dominated: bool | None
    """Another is no dearer, no less faithful, and better in one; `None` where not placed."""
    picked_share: float | None
    """Share of resamples in which it is the pick; `None` where tasks cannot be resampled."""
    dominated_share: float | None
    """Share of resamples in which it is dominated."""


@dataclass(frozen=True)
class Choice:
    """The answer, and what it rests on."""

    question: Question
    """What was asked."""
    basis: Basis
    """Basis of the costs."""
    pick: str | None
    """The cheapest proxy that qualifies."""
    closest: str | None
    """Where nothing qualifies: the most faithful proxy with a known cost."""
    gap: float | None
    """By how much `closest` falls short."""
    candidates: tuple[Candidate, ...]
    """By cost, unknown last."""
    none_share: float | None
    """Share of resamples in which nothing qualifies."""
    resamples: int
    """Replicates behind the shares."""
    tasks: int
    """Shared tasks."""
    episodes_left_out: int
    """Episodes on tasks that not every proxy was run on."""
    stable_share: float | None
    """Share of resamples that agree with the pick on the UFS asked for (or that nothing does)."""
    stable_target: float
    """Share at which a pick counts as stable."""
    tasks_until_stable: int | None
    """Tasks at which that share is expected to be reached; `None` beyond 64 times as many."""
    notes: tuple[str, ...]
    """What a reader must know."""


@dataclass(frozen=True)
class ShareCurve:
    """Selection shares as a function of the UFS asked for."""

    required: Array
    """UFS asked for."""
    shares: Array
    """(required, proxies): share of resamples in which each is the pick."""
    none: Array
    """Share in which nothing qualifies."""
    frontier: Array
    """(proxies): share of resamples in which each is not dominated; NaN without a cost."""
    proxies: tuple[str, ...]
    """Names."""


@dataclass(frozen=True)
class _Ground:
    """Fidelity and cost of each proxy on the shared tasks, with replicates."""

    fidelity: Means
    cost: Means
    usd: Array
    drawn_usd: Array


def decide(
    panel: Panel,
    question: Question,
    *,
    prices: PriceLookup | None = None,
    overrides: Mapping[str, Override] = MappingProxyType({}),
) -> Choice:
    """Pick the cheapest proxy whose UFS, or with a confidence its lower bound, is high enough.

    Works on the tasks that every proxy was run on. Lower bounds are simultaneous (Bonferroni)
    over the proxies with a known cost: the chance that any proxy short of the required UFS gets
    past is at most one less the confidence. Raises `InputError` when the proxies cannot be
    compared, or none has a known cost.
    """
    if not len(panel):
        raise InputError("no episode to choose from: the tables are empty")
    notes = require_comparable(panel, allow_different=question.allow_different) + unknowns(panel)
    common = panel.shared()
    found = costs(common, prices=prices, overrides=overrides)
    basis = question.basis or choose_basis(found)
    if basis is None or not found.known(basis).any():
        raise InputError(_no_cost(common, found, question.required))
    choice = _choose(common, found, basis, question)
    left_out = len(panel) - len(common)
    if left_out:
        notes.append(f"{left_out} episodes on tasks that not every proxy was run on are left out")
    return replace(
        choice,
        episodes_left_out=left_out,
        notes=(*notes, *choice.notes, *_basis_notes(found, basis)),
    )


def share_curve(
    panel: Panel, found: Costs, basis: Basis, *, rng: np.random.Generator, resamples: int
) -> ShareCurve | None:
    """Selection shares over a grid of UFS; `None` where tasks cannot be resampled."""
    ground = _ground(panel, found, basis, rng, resamples)
    placed = np.isfinite(ground.usd) & np.isfinite(ground.fidelity.macro)
    if not _resamplable(ground) or not placed.any():
        return None
    values = ground.fidelity.macro[placed]
    start, stop = max(0.0, values.min() - 0.06), min(1.0, values.max() + 0.06)
    grid = np.linspace(start, stop, 81)
    drawn = ground.fidelity.drawn_macro
    taken = np.stack([picks(ground.drawn_usd, drawn, float(q)) for q in grid])
    shares = np.stack([(taken == at).mean(axis=1) for at in range(len(panel.proxies))], axis=1)
    beaten = dominated(ground.drawn_usd, drawn).mean(axis=0)
    frontier = np.where(placed, 1 - beaten, np.nan)
    return ShareCurve(grid, shares, (taken < 0).mean(axis=1), frontier, panel.proxies)


def epoch_cost(usd_per_simulation: float, *, prompts: int, rollouts: int) -> float:
    """User-side dollars of one training epoch: prompts times rollouts times cost."""
    return usd_per_simulation * prompts * rollouts


def _choose(panel: Panel, found: Costs, basis: Basis, question: Question) -> Choice:
    level = STABLE if question.confidence is None else question.confidence
    resamples = max(RESAMPLES, ceil(_TAIL_DRAWS * len(panel.proxies) / (1 - level)))
    ground = _ground(panel, found, basis, np.random.default_rng(SEED), resamples)
    lower = _lower_bounds(ground, level, found.known(basis))
    judged = ground.fidelity.macro if question.confidence is None else lower
    taken = pick(ground.usd, judged, question.required)
    closest, gap = (None, None)
    if taken is None:
        closest, gap = _closest(judged, ground.usd, question.required)
    shares = _shares(ground, question.required)
    stable, scale = _stability(ground, question.required, level)
    return Choice(
        question=question,
        basis=basis,
        pick=None if taken is None else panel.proxies[taken],
        closest=None if closest is None else panel.proxies[closest],
        gap=gap,
        candidates=_candidates(panel, ground, lower, judged >= question.required, shares),
        none_share=None if shares is None else shares.none,
        resamples=resamples,
        tasks=len(panel.tasks),
        episodes_left_out=0,
        stable_share=stable,
        stable_target=level,
        tasks_until_stable=None if scale is None else ceil(scale * len(panel.tasks)),
        notes=tuple(_notes(panel, ground)),
    )


def _ground(
    panel: Panel, found: Costs, basis: Basis, rng: np.random.Generator, resamples: int
) -> _Ground:
    fidelity, cost = means(
        panel, [panel.fidelity, found.episodes[basis]], rng=rng, resamples=resamples
    )
    known = found.known(basis)
    drawn = resampled_ratios(cost.drawn_sums.sum(axis=1), cost.drawn_counts.sum(axis=1))
    return _Ground(
        fidelity,
        cost,
        usd=np.where(known, cost.pooled, np.nan),
        drawn_usd=np.where(known, drawn, np.nan),
    )


def _resamplable(ground: _Ground) -> bool:
    """Whether every domain has at least two tasks: one says nothing about how tasks differ."""
    tasks = ground.fidelity.tasks
    return bool(tasks.size) and bool((tasks.max(axis=1) >= 2).all())


def _lower_bounds(ground: _Ground, level: float, known: np.ndarray) -> Array:
    fidelity = ground.fidelity
    bounds = np.full(len(known), np.nan)
    if not _resamplable(ground) or not known.any():
        return bounds
    each = 1 - (1 - level) / int(known.sum())
    floors = [
        macro_lower_bound(
            fidelity.by_domain[there, at] * fidelity.tasks[there, at],
            fidelity.tasks[there, at],
            each,
        )
        if (there := fidelity.counts[:, at] > 0).any()
        else np.nan
        for at in np.flatnonzero(known)
    ]
    bounds[known] = simultaneous_lower_bounds(
        fidelity.drawn_macro[:, known], np.array(floors), level
    )
    return bounds


def _shares(ground: _Ground, required: float) -> Selection | None:
    if not _resamplable(ground):
        return None
    return selection(ground.drawn_usd, ground.fidelity.drawn_macro, required)


def _stability(
    ground: _Ground, required: float, target: float
) -> tuple[float | None, float | None]:
    """Share of replicates that agree with the pick, and the multiple of tasks to reach `target`.

    The spread of a mean over k times the tasks is taken as that over the tasks by the root of k.
    """
    if not _resamplable(ground):
        return None, None
    ufs, usd = ground.fidelity.macro, ground.usd
    wanted = picks(usd[None, :], ufs[None, :], required)[0]
    now: float | None = None
    for scale in SCALES:
        shrink = 1 / np.sqrt(scale)
        drawn_usd = usd + (ground.drawn_usd - usd) * shrink
        drawn_ufs = ufs + (ground.fidelity.drawn_macro - ufs) * shrink
        agree = float((picks(drawn_usd, drawn_ufs, required) == wanted).mean())
        now = agree if now is None else now
        if agree >= target:
            return now, scale
    return now, None


def _closest(values: Array, usd: Array, required: float) -> tuple[int | None, float | None]:
    reachable = np.where(np.isfinite(usd) & np.isfinite(values), values, -np.inf)
    if not reachable.size or not np.isfinite(reachable.max()):
        return None, None
    best = int(reachable.argmax())
    return best, required - float(reachable[best])


def _candidates(
    panel: Panel,
    ground: _Ground,
    lower: Array,
    qualifies: Mask,
    shares: Selection | None,
) -> tuple[Candidate, ...]:
    ufs, usd = ground.fidelity.macro, ground.usd
    beaten = dominated(usd, ufs)
    order = sorted(range(len(panel.proxies)), key=lambda at: (np.isnan(usd[at]), usd[at], at))
    return tuple(
        Candidate(
            proxy=panel.proxies[at],
            ufs=number(ufs[at]),
            lower=number(lower[at]),
            cost=number(usd[at]),
            qualifies=bool(qualifies[at]),
            dominated=bool(beaten[at]) if np.isfinite(usd[at] + ufs[at]) else None,
            picked_share=None if shares is None else number(shares.picked[at]),
            dominated_share=None if shares is None else number(shares.dominated[at]),
        )
        for at in order
    )


def _notes(panel: Panel, ground: _Ground) -> list[str]:
    notes = []
    if not _resamplable(ground):
        notes.append(
            "a domain has a single task: how sure the pick is cannot be said, and no lower bound "
            "exists"
        )
    unknown = [
        f"{name} (UFS {ufs:.3f})" if np.isfinite(ufs) else name
        for name, ufs, usd in zip(panel.proxies, ground.fidelity.macro, ground.usd, strict=True)
        if np.isnan(usd)
    ]
    if unknown:
        notes.append("cost unknown, cannot be picked: " + ", ".join(unknown))
    open_ = [
        name
        for at, name in enumerate(panel.proxies)
        if ((panel.proxy == at) & (panel.status == "ungraded")).any()
    ]
    if open_:
        notes.append("has ungraded episodes, left out of its UFS: " + ", ".join(open_))
    return notes


def _no_cost(panel: Panel, found: Costs, required: float) -> str:
    fidelity = means(panel, [panel.fidelity], rng=np.random.default_rng(SEED), resamples=1)[0].macro
    known = zip(panel.proxies, fidelity, found.proxies, strict=True)
    shown = [
        f"{name} UFS {'undefined' if np.isnan(ufs) else f'{ufs:.3f}'}"
        + (f" ({cost.zero_costs} recorded costs of 0 taken as unknown)" if cost.zero_costs else "")
        for name, ufs, cost in known
    ]
    return (
        f"no cheapest proxy with UFS of at least {required:g}: no proxy has a known cost "
        f"({'; '.join(shown):.300}). Give one with --costs"
    )


def _basis_notes(found: Costs, basis: Basis) -> list[str]:
    if basis == "mixed":
        shown = [f"{one.proxy} {one.mixed_from}" for one in found.proxies if one.mixed_from]
        return ["costs on mixed bases, which do not compare like with like: " + ", ".join(shown)]
    more = int(found.known("mixed").sum()) - int(found.known(basis).sum())
    notes = [f"{more} more proxies could be priced with --basis mixed"] if more > 0 else []
    discarded = [one.proxy for one in found.proxies if one.discarded_attempts]
    if discarded and basis == "recorded":
        notes.append(
            "turns were discarded and regenerated, costs cover the kept ones only: "
            + ", ".join(discarded)
        )
    return notes
