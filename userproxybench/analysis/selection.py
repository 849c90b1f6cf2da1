"""The cheapest proxy that is faithful enough, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType

import numpy as np

from userproxybench.analysis.comparability import require_comparable, scored_proxies, unknowns
from userproxybench.analysis.costs import Basis, Costs, Override, PriceLookup, choose_basis, costs
from userproxybench.analysis.ground import (
    Ground,
    blind_spots,
    ground_of,
    lower_bounds,
    pick_shares,
    stability,
)
from userproxybench.analysis.panel import RESAMPLES, SEED, Array, Mask, Panel, means, number
from userproxybench.errors import InputError
from userproxybench.stats import Selection, dominated, pick

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
    panel, without = scored_proxies(panel)
    if not len(panel):
        raise InputError("no episode has a score: nothing to choose by")
    notes = [f"no scored episode, left out: {', '.join(without)}"] if without else []
    notes += require_comparable(panel, allow_different=question.allow_different) + unknowns(panel)
    common = panel.shared()
    kept = {name: own for name, own in overrides.items() if name not in without}
    found = costs(common, prices=prices, overrides=kept)
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


def epoch_cost(usd_per_simulation: float, *, prompts: int, rollouts: int) -> float:
    """User-side dollars of one training epoch: prompts times rollouts times cost."""
    return usd_per_simulation * prompts * rollouts


def _choose(panel: Panel, found: Costs, basis: Basis, question: Question) -> Choice:
    level = STABLE if question.confidence is None else question.confidence
    resamples = max(RESAMPLES, ceil(_TAIL_DRAWS * len(panel.proxies) / (1 - level)))
    ground = ground_of(panel, found, basis, np.random.default_rng(SEED), resamples)
    lower = lower_bounds(ground, level, found.known(basis))
    judged = ground.fidelity.macro if question.confidence is None else lower
    taken = pick(ground.usd, judged, question.required)
    closest, gap = (None, None)
    if taken is None:
        closest, gap = _closest(judged, ground.usd, question.required)
    blind = blind_spots(panel, ground, question.required)
    shares = None if blind else pick_shares(ground, question.required)
    stable, scale = (None, None) if blind else stability(ground, question.required, level)
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
        notes=(*blind, *_notes(panel, ground)),
    )


def _closest(values: Array, usd: Array, required: float) -> tuple[int | None, float | None]:
    reachable = np.where(np.isfinite(usd) & np.isfinite(values), values, -np.inf)
    if not reachable.size or not np.isfinite(reachable.max()):
        return None, None
    best = int(reachable.argmax())
    return best, required - float(reachable[best])


def _candidates(
    panel: Panel,
    ground: Ground,
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


def _notes(panel: Panel, ground: Ground) -> list[str]:
    notes = []
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
        + (
            f" ({cost.zero_costs} recorded cost(s) of 0 taken as unknown)"
            if cost.zero_costs
            else ""
        )
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
