"""Figures of what fails, where, and whether the reward notices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from userproxybench.analysis.failures import CellEffect, FamilyCount
from userproxybench.models import FAMILIES, Family
from userproxybench.plots.style import GREY, INK, PALE, PALETTE, footer, note, shortened, styled
from userproxybench.stats import Difference


@styled
def failures_and_effects(counts: Sequence[FamilyCount], cells: Sequence[CellEffect]) -> Figure:
    """Figure 3: how often each family fails, and what goes with it in each proxy-domain cell."""
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.7))
    totals = {
        family: sum(one.episodes for one in counts if one.family == family) for family in FAMILIES
    }
    order = sorted(FAMILIES, key=lambda family: totals[family])
    left.barh(range(len(order)), [totals[family] for family in order], 0.55, color=PALETTE[0])
    for row, family in enumerate(order):
        note(left, f" {totals[family]:,}", (totals[family], row))
        _effect_row(right, row, _of(cells, family))
    left.set_yticks(range(len(order)), [family.replace("_", " ") for family in order])
    left.set_xlabel("Episodes in which it fails")
    left.margins(x=0.18)
    right.axvline(0, color=GREY, linewidth=0.8, zorder=0)
    right.set_xlim(-1.05, 1.05)
    right.set_xticks((-1, -0.5, 0, 0.5, 1))
    right.set_ylim(-0.55, len(order) - 0.3)
    right.set_xlabel("Agent success, failed less not failed")
    right.tick_params(axis="y", length=0)
    small_print = (
        "right: one dot per proxy-domain cell with at least five episodes a side; "
        "grey: Agresti-Caffo 95 %; upright: mean"
    )
    footer(figure, small_print)
    return figure


@styled
def family_heatmap(counts: Sequence[FamilyCount]) -> Figure:
    """Share of scored episodes in which each family fails, by proxy and domain."""
    proxies = list(dict.fromkeys(count.proxy for count in counts))
    domains = list(dict.fromkeys(count.domain for count in counts))
    shares = {(one.family, one.proxy, one.domain): one.share for one in counts}
    top = max([0.05, *(share for share in shares.values() if share is not None)])
    width = 1.8 + len(FAMILIES) * max(1.35, 0.5 * len(domains))
    figure = Figure(figsize=(width, 1.5 + 0.32 * len(proxies)), layout="constrained")
    axes = figure.subplots(1, len(FAMILIES), sharey=True, squeeze=False)[0]
    for ax, family in zip(axes, FAMILIES, strict=True):
        rows = [[shares[family, proxy, domain] for domain in domains] for proxy in proxies]
        grid = np.array([[np.nan if value is None else value for value in row] for row in rows])
        _heat(ax, grid, top)
        ax.set_title(family.replace("_", "\n"), fontsize=8)
        ax.set_xticks(range(len(domains)), list(map(shortened, domains)), rotation=90, fontsize=7.5)
        ax.set_yticks(range(len(proxies)), list(map(shortened, proxies)), fontsize=8)
    footer(figure, "% of scored episodes in which the family fails; dash: none scored")
    return figure


def _of(cells: Sequence[CellEffect], family: Family) -> list[Difference]:
    mine = [
        cell.difference for cell in cells if cell.family == family and cell.others == "not failed"
    ]
    return sorted(mine, key=lambda difference: difference.estimate)


def _effect_row(ax: Axes, row: int, mine: Sequence[Difference]) -> None:
    if not mine:
        note(ax, "no cell with five episodes a side", (0.03, row), shade=GREY)
        return
    offsets = np.linspace(-0.3, 0.3, len(mine)) if len(mine) > 1 else np.zeros(1)
    for offset, one in zip(offsets, mine, strict=True):
        y = row + offset
        ax.plot([one.interval.low, one.interval.high], [y, y], color=PALE, linewidth=1)
        ax.plot(one.estimate, y, "o", color=PALETTE[0], markersize=3.5, zorder=3)
    mean = float(np.mean([one.estimate for one in mine]))
    ax.plot([mean, mean], [row - 0.38, row + 0.38], color=PALETTE[1], linewidth=2, zorder=4)
    spot = (mean, row + 0.39)
    note(ax, f"{mean:+.3f}", spot, align=("center", "bottom"), shade=PALETTE[1])


def _heat(ax: Axes, grid: NDArray[np.float64], top: float) -> None:
    ax.imshow(grid, cmap="Blues", vmin=0, vmax=top, aspect="auto")
    for (row, column), value in np.ndenumerate(grid):
        text = "–" if np.isnan(value) else f"{100 * value:.0f}"
        shade = "white" if value > 0.6 * top else INK
        ax.text(column, row, text, ha="center", va="center", fontsize=7.5, color=shade)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
