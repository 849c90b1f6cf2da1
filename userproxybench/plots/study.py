"""All figures of one analysis, as far as it has what they show."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from userproxybench.analysis import Analysis
from userproxybench.plots.agent import RewardPoint, effort, reward_range
from userproxybench.plots.choosing import FrontierPoint, cost_fidelity_frontier, selection_shares
from userproxybench.plots.failing import failures_and_effects, family_heatmap


def figures(done: Analysis, *, required: float | None = None) -> dict[str, Figure]:
    """Figures by file name. One that would show nothing, or compare the incomparable, is left out.

    `required` draws a line at that UFS into the frontier.
    """
    made: dict[str, Figure] = {}
    points = _frontier_points(done)
    if points and done.compared:
        made["figure1_frontier"] = cost_fidelity_frontier(
            points,
            basis=f"{done.scores.basis} dollars",
            interval="95 % task-cluster bootstrap",
            required=required,
        )
    rewards = _reward_points(done)
    if rewards and done.compared:
        made["figure2_reward_range"] = reward_range(rewards, interval="95 % task-cluster bootstrap")
    counts = [count for count in done.failures.counts if count.scored]
    if counts:
        made["figure3_failures"] = failures_and_effects(counts, done.failures.cells)
        made["figure5_families"] = family_heatmap(done.failures.counts)
    drawn = _effort(done)
    if drawn is not None:
        made["figure4_effort"] = drawn
    if done.curve is not None:
        made["figure6_selection"] = selection_shares(done.curve)
    return dict(sorted(made.items()))


def _frontier_points(done: Analysis) -> list[FrontierPoint]:
    curve = done.curve
    shares = {} if curve is None else dict(zip(curve.proxies, curve.frontier, strict=True))
    return [
        FrontierPoint(
            proxy=one.proxy,
            cost=one.cost,
            ufs=one.ufs,
            interval=one.interval,
            share=float(shares[one.proxy]) if np.isfinite(shares.get(one.proxy, np.nan)) else None,
        )
        for one in done.scores.proxies
        if one.ufs is not None and one.cost
    ]


def _reward_points(done: Analysis) -> list[RewardPoint]:
    return [
        RewardPoint(cell.proxy, cell.domain, cell.reward, cell.reward_interval)
        for cell in done.scores.cells
        if cell.reward is not None
    ]


def _effort(done: Analysis) -> Figure | None:
    if done.effort is None or not done.effort.correlations:
        return None
    points = [point for point in done.effort.points if point.effort is not None]
    found = {
        one.target: one.correlation
        for one in done.effort.correlations
        if one.effort == "agent_turns" and one.on == "common tasks"
    }
    if not points:
        return None
    return effort(points, found["ufs"], found["reward"], tasks=done.effort.common_tasks)
