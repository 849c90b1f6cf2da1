"""Fidelity and cost of proxies on shared tasks, resampled together: the ground of a choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from userproxybench.analysis.costs import Basis, Costs
from userproxybench.analysis.panel import Array, Mask, Means, Panel, means
from userproxybench.stats import (
    Selection,
    dominated,
    macro_interval,
    macro_lower_bound,
    picks,
    resampled_ratios,
    selection,
    simultaneous_lower_bounds,
)

SCALES = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Multiples of the tasks at which it is asked whether the pick has become stable."""


@dataclass(frozen=True)
class Ground:
    """Fidelity and cost of each proxy on the shared tasks, with replicates."""

    fidelity: Means
    """Means of fidelity."""
    usd: Array
    """Dollars per simulation of each proxy; NaN unknown."""
    drawn_usd: Array
    """Its replicates."""


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


def ground_of(
    panel: Panel, found: Costs, basis: Basis, rng: np.random.Generator, resamples: int
) -> Ground:
    """Means and replicates of UFS and cost; the cost is that of a mean episode."""
    fidelity, cost = means(
        panel, [panel.fidelity, found.episodes[basis]], rng=rng, resamples=resamples
    )
    known = found.known(basis)
    drawn = resampled_ratios(cost.drawn_sums.sum(axis=1), cost.drawn_counts.sum(axis=1))
    return Ground(
        fidelity,
        usd=np.where(known, cost.pooled, np.nan),
        drawn_usd=np.where(known, drawn, np.nan),
    )


def share_curve(
    panel: Panel, found: Costs, basis: Basis, *, rng: np.random.Generator, resamples: int
) -> ShareCurve | None:
    """Selection shares over a grid of UFS; `None` where tasks cannot be resampled."""
    ground = ground_of(panel, found, basis, rng, resamples)
    placed = np.isfinite(ground.usd) & np.isfinite(ground.fidelity.macro)
    if not is_resamplable(ground) or not placed.any():
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


def is_resamplable(ground: Ground) -> bool:
    """Whether every domain has at least two tasks: one says nothing about how tasks differ."""
    tasks = ground.fidelity.tasks
    return bool(tasks.size) and bool((tasks.max(axis=1) >= 2).all())


def lower_bounds(ground: Ground, level: float, known: Mask) -> Array:
    """Lower bounds that hold at once for all proxies with a known cost; NaN for the others.

    Never above the Price-Bonett bound over tasks, which keeps its distance where all episodes are
    alike. NaN throughout where a domain has a single task.
    """
    fidelity = ground.fidelity
    bounds = np.full(len(known), np.nan)
    if not is_resamplable(ground) or not known.any():
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


def pick_shares(ground: Ground, required: float) -> Selection | None:
    """How often each proxy is picked and dominated; `None` where tasks cannot be resampled."""
    if not is_resamplable(ground):
        return None
    return selection(ground.drawn_usd, ground.fidelity.drawn_macro, required)


def stability(ground: Ground, required: float, target: float) -> tuple[float | None, float | None]:
    """Share of replicates that agree with the pick, and the multiple of tasks to reach `target`.

    The spread of a mean over k times the tasks is taken as that over the tasks by the root of k.
    """
    if not is_resamplable(ground):
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


def blind_spots(panel: Panel, ground: Ground, required: float) -> list[str]:
    """Why resampling tasks cannot say how sure the answer is; empty where it can.

    A proxy that always or never fails shows no spread when resampled. That is harmless only where
    an interval that keeps its width (Price-Bonett, over tasks) leaves no doubt either.
    """
    if not is_resamplable(ground):
        return ["a domain has a single task: how sure the answer is cannot be said"]
    fidelity, names = ground.fidelity, []
    for at in np.flatnonzero(np.isfinite(ground.usd) & (np.ptp(fidelity.drawn_macro, axis=0) == 0)):
        there = fidelity.counts[:, at] > 0
        tasks = fidelity.tasks[there, at]
        ends = macro_interval(fidelity.by_domain[there, at] * tasks, tasks)
        if ends.low < required <= ends.high:
            names.append(f"{panel.proxies[at]} (UFS between {ends.low:.2f} and {ends.high:.2f})")
    if not names:
        return []
    return ["too few tasks to say how sure the answer is, all episodes alike: " + ", ".join(names)]
