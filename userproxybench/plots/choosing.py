"""Figures to choose a proxy by: the frontier, and how often each is the pick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from userproxybench.analysis.ground import ShareCurve
from userproxybench.plots.style import (
    GREY,
    INK,
    colour,
    footer,
    label_points,
    note,
    share_axis,
    shortened,
    styled,
    whisker,
)
from userproxybench.stats import Interval, dominated


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One proxy on the cost-fidelity plane."""

    proxy: str
    """Its name."""
    cost: float
    """Dollars per simulation, above 0."""
    ufs: float
    """Its UFS."""
    interval: Interval | None = None
    """Interval of `ufs`."""
    share: float | None = None
    """Share of resamples in which no other proxy dominates it."""


@styled
def cost_fidelity_frontier(
    points: Sequence[FrontierPoint], *, basis: str, interval: str, required: float | None = None
) -> Figure:
    """Figure 1: UFS against user-side cost; the frontier dashed, dominated proxies ringed."""
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.add_subplot()
    ax.set_xscale("log")
    beaten = dominated(np.array([p.cost for p in points]), np.array([p.ufs for p in points]))
    for at, (point, ringed) in enumerate(zip(points, beaten, strict=True)):
        whisker(ax, point.cost, point.interval, colour(at))
        ax.plot(point.cost, point.ufs, "o", color=colour(at), markersize=6, zorder=3)
        if ringed:
            ax.plot(point.cost, point.ufs, "o", mfc="none", mec=INK, markersize=12, mew=0.9)
    front = sorted(
        (point.cost, point.ufs) for point, ringed in zip(points, beaten, strict=True) if not ringed
    )
    ax.plot([x for x, _ in front], [y for _, y in front], "--", color=GREY, linewidth=1, zorder=1)
    _cost_axis(ax, [point.cost for point in points], basis)
    ax.set_ylabel("UFS (mean over domains)")
    share_axis(ax)
    if required is not None:
        _requirement(ax, required)
    footer(figure, _small_print(points, interval))
    label_points(figure, ax, [(p.cost, p.ufs) for p in points], [_label(p) for p in points])
    return figure


@styled
def selection_shares(curve: ShareCurve) -> Figure:
    """How often each proxy is the cheapest that qualifies, as the required UFS rises."""
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    ax = figure.add_subplot()
    lines = [*zip(curve.proxies, curve.shares.T, strict=True), ("none qualifies", curve.none)]
    for at, (name, shares) in enumerate(lines):
        if shares.max() < 0.02:
            continue
        none = at == len(curve.proxies)
        shade = GREY if none else colour(at)
        ax.plot(curve.required, shares, ":" if none else "-", color=shade, linewidth=1.6)
        peaks = np.flatnonzero(shares >= shares.max() - 1e-9)
        peak = peaks[len(peaks) // 2]
        spot = (float(curve.required[peak]), float(shares[peak]) + 0.015)
        note(ax, shortened(name), spot, align=("center", "bottom"), shade=shade)
    ax.set_xlim(float(curve.required[0]), float(curve.required[-1]))
    ax.set_ylim(0, 1.12)
    ax.set_yticks(np.linspace(0, 1, 5))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    ax.set_xlabel("Required UFS")
    ax.set_ylabel("Share of resamples as the pick")
    return figure


def _cost_axis(ax: Axes, costs: Sequence[float], basis: str) -> None:
    ax.set_xlim(min(costs) / 1.6, max(costs) * 1.9)
    ticks = _dollar_ticks(*ax.get_xlim())
    ax.set_xticks(ticks if len(ticks) > 1 else sorted({min(costs), max(costs)}))
    ax.xaxis.set_major_formatter(FuncFormatter(_dollars))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(f"User-side cost per simulation ({basis}, log scale)")


def _requirement(ax: Axes, required: float) -> None:
    ax.axhline(required, color=GREY, linewidth=0.8, zorder=0)
    spot = (0.005, required)
    note(ax, f"UFS {required:g}", spot, align=("left", "bottom"), shade=GREY, from_axis=True)


def _label(point: FrontierPoint) -> str:
    name = shortened(point.proxy)
    return name if point.share is None else f"{name} ({100 * point.share:.0f} %)"


def _small_print(points: Sequence[FrontierPoint], interval: str) -> str:
    parts = ["dashed: frontier", "ringed: dominated"]
    if any(point.interval for point in points):
        parts.append(f"bars: {interval}")
    if any(point.share is not None for point in points):
        parts.append("%: share of resamples on the frontier")
    return "; ".join(parts)


def _dollars(value: float, _: object = None) -> str:
    text = f"{value:.6f}".rstrip("0")
    return f"${value:.2f}" if len(text) < 4 else f"${value:.3g}" if value >= 0.01 else f"${text}"


def _dollar_ticks(low: float, high: float) -> list[float]:
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    steps = (1, 2, 5) if np.log10(high / low) < 3 else (1,)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return [tick for tick in ticks if low <= tick <= high]
