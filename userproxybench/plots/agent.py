"""Figures of what the proxy does to the agent: its reward, and its effort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from userproxybench.analysis.effort import EffortPoint
from userproxybench.plots.style import (
    GREY,
    PALE,
    colour,
    footer,
    key,
    label_points,
    note,
    share_axis,
    shortened,
    styled,
    whisker,
)
from userproxybench.stats import Correlation, Interval


@dataclass(frozen=True, slots=True)
class RewardPoint:
    """Mean reward of the fixed agent with one proxy in one domain."""

    proxy: str
    """The proxy."""
    domain: str
    """The domain."""
    reward: float
    """Mean reward."""
    interval: Interval | None = None
    """Its interval."""


@styled
def reward_range(points: Sequence[RewardPoint], *, interval: str) -> Figure:
    """Figure 2: reward of the same agent under each proxy, by domain; the bar is the range."""
    domains = list(dict.fromkeys(point.domain for point in points))
    proxies = list(dict.fromkeys(point.proxy for point in points))
    figure = Figure(figsize=(6.4, 1.1 + 0.85 * len(domains)), layout="constrained")
    ax = figure.add_subplot()
    for row, domain in enumerate(domains):
        _reward_row(ax, row, [point for point in points if point.domain == domain], proxies)
    note(ax, "range", (1.01, -0.62), shade=GREY, from_axis=True)
    ax.set_yticks(range(len(domains)), [shortened(domain) for domain in domains])
    ax.set_ylim(len(domains) - 0.45, -0.75)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("Mean agent reward")
    key(ax, proxies)
    drawn = f"; lines: {interval}" if any(point.interval for point in points) else ""
    footer(figure, f"same agent, same tasks, only the user proxy differs{drawn}")
    return figure


@styled
def effort(
    points: Sequence[EffortPoint], ufs: Correlation, reward: Correlation, *, tasks: int
) -> Figure:
    """Figure 4: mean agent turns of each proxy against UFS and against reward."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    pairs = [(one, one.effort) for one in points if one.effort is not None]
    against_ufs = [
        _Spot(one.proxy, turns, one.ufs, one.ufs_interval)
        for one, turns in pairs
        if one.ufs is not None
    ]
    against_reward = [
        _Spot(one.proxy, turns, one.reward, one.reward_interval)
        for one, turns in pairs
        if one.reward is not None
    ]
    _scatter(left, against_ufs, "UFS", ufs)
    _scatter(right, against_reward, "Agent reward", reward)
    drawn = any(spot.interval for spot in (*against_ufs, *against_reward))
    bars = "; bars: 95 % task-cluster bootstrap" if drawn else ""
    footer(figure, f"tasks completed by all proxies: {tasks}{bars}")
    for ax, spots in ((left, against_ufs), (right, against_reward)):
        label_points(
            figure, ax, [(s.turns, s.value) for s in spots], [shortened(s.proxy) for s in spots]
        )
    return figure


@dataclass(frozen=True, slots=True)
class _Spot:
    proxy: str
    turns: float
    value: float
    interval: Interval | None


def _reward_row(ax: Axes, row: int, mine: Sequence[RewardPoint], proxies: Sequence[str]) -> None:
    step = 0.52 / max(1, len(proxies) - 1)
    low, high = min(point.reward for point in mine), max(point.reward for point in mine)
    ax.barh(row, high - low, left=low, height=0.62, color=PALE, zorder=0)
    for point in mine:
        at = proxies.index(point.proxy)
        y = row - 0.26 + step * at
        if point.interval is not None:
            ends = [point.interval.low, point.interval.high]
            ax.plot(ends, [y, y], color=colour(at), linewidth=0.8, alpha=0.6, zorder=1)
        ax.plot(point.reward, y, "o", color=colour(at), markersize=5, zorder=2)
    note(ax, f"{high - low:.3f}", (1.01, row), from_axis=True)


def _scatter(ax: Axes, spots: Sequence[_Spot], name: str, found: Correlation) -> None:
    for at, spot in enumerate(spots):
        whisker(ax, spot.turns, spot.interval, colour(at))
        ax.plot(spot.turns, spot.value, "o", color=colour(at), markersize=6)
    ax.margins(x=0.25, y=0.12)
    share_axis(ax)
    ax.set_xlabel("Mean agent turns")
    ax.set_ylabel(name)
    ax.set_title(_correlation(found))


def _correlation(found: Correlation) -> str:
    if found.estimate is None:
        return f"r undefined (n = {found.n})"
    if found.interval is None:
        return f"r = {found.estimate:.3f} (n = {found.n})"
    low, high = found.interval.low, found.interval.high
    return f"r = {found.estimate:.3f} [{low:.2f}, {high:.2f}], n = {found.n}"
