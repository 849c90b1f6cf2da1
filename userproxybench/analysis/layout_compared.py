"""Results → sheets: proxies set against each other, and what a violation does."""

from __future__ import annotations

from collections.abc import Callable

from userproxybench.analysis import layout
from userproxybench.analysis.effort import DisclosureEffect, EffortCorrelation
from userproxybench.analysis.pairs import Pair, Spread
from userproxybench.analysis.probe import ProbedProxy
from userproxybench.analysis.sheet import Column, Field, Sheet, interval_fields, sheet
from userproxybench.analysis.study import Analysis


def sheets(done: Analysis) -> list[Sheet]:
    """Every sheet that has a row, in reading order."""
    makers: tuple[Callable[[Analysis], Sheet], ...] = (
        layout.aggregate,
        layout.domains,
        layout.families,
        layout.reward_against_fidelity,
        layout.variants,
        layout.family_effects,
        layout.family_effect_cells,
        disclosure,
        effort,
        probe,
        layout.criteria,
        spreads,
        comparisons,
        layout.costs,
        selection_shares,
    )
    return [made for make in makers if (made := make(done)).rows]


def disclosure(done: Analysis) -> Sheet:
    """What premature disclosure spares the agent."""
    fields: list[Field[DisclosureEffect]] = [
        (Column("quantity", "Quantity"), "quantity"),
        (Column("reading", "Compared"), "effect.reading"),
        (Column("difference", "Difference"), "effect.estimate"),
        *interval_fields("ci", "95 %", "effect.interval"),
        (Column("disclosing", "Disclosing"), "effect.exposed"),
        (Column("others", "Others"), "effect.others"),
        (Column("tasks", "Tasks"), "effect.tasks"),
    ]
    effects, names = (done.effort.disclosure, done.effort.proxies) if done.effort else ((), ())
    caption = "Successful episodes with premature disclosure less those without"
    notes = [
        f"{one.quantity} by proxy: "
        + ", ".join(
            f"{name} {'–' if gap is None else f'{gap:+.2f}'}"
            for name, gap in zip(names, one.effect.by_proxy, strict=True)
        )
        for one in effects
        if one.effect.by_proxy
    ]
    shown = [one for one in effects if one.effect.exposed + one.effect.others]
    return sheet("disclosure_effects", caption, shown, fields, notes)


def effort(done: Analysis) -> Sheet:
    """Effort of the agent against UFS and reward."""
    fields: list[Field[EffortCorrelation]] = [
        (Column("effort", "Effort"), "effort"),
        (Column("against", "Against"), "target"),
        (Column("target_over", "Target over"), "on"),
        (Column("r", "r"), "correlation.estimate"),
        *interval_fields("ci", "95 %", "correlation.interval"),
        (Column("n", "Proxies"), "correlation.n"),
    ]
    found = done.effort.correlations if done.effort else ()
    tasks = done.effort.common_tasks if done.effort else 0
    caption = "Pearson's r over proxies between mean effort of the agent and UFS or reward"
    notes = [f"effort over the {tasks} tasks that all proxies completed; Fisher interval"]
    shown = [one for one in found if one.correlation.n > 1]
    return sheet("effort", caption, shown, fields, notes)


def probe(done: Analysis) -> Sheet:
    """Gold user writes beside the verdicts."""
    fields: list[Field[ProbedProxy]] = [
        (Column("proxy", "Proxy"), "proxy"),
        (Column("episodes", "Episodes"), "episodes"),
        (Column("missed", "Missed"), "missed"),
        (Column("ufs", "UFS"), "ufs"),
        (Column("ufs_with_probe", "With probe"), "ufs_with_probe"),
        (Column("rank", "Rank"), "rank"),
        (Column("rank_with_probe", "Rank with"), "rank_with_probe"),
    ]
    found = done.probe
    notes = (
        [
            f"{found.missed} of {found.episodes} episodes miss a gold write; in "
            f"{found.missed_all_pass} of these every applicable criterion passes, in "
            f"{found.missed_relevant_pass} a directly relevant one",
            f"folding the probe in {'changes' if found.ranking_changes else 'leaves'} the ranking",
        ]
        if found
        else []
    )
    caption = "UFS with a missed gold user write counted as a failure, where tasks have one"
    return sheet("probe", caption, found.proxies if found else (), fields, notes)


def spreads(done: Analysis) -> Sheet:
    """How far reward and effort move with the proxy alone."""
    fields: list[Field[Spread]] = [
        (Column("quantity", "Quantity"), "quantity"),
        (Column("domain", "Domain"), "domain"),
        (Column("lowest", "Lowest"), "lowest"),
        (Column("lowest_proxy", "by"), "lowest_proxy"),
        (Column("highest", "Highest"), "highest"),
        (Column("highest_proxy", "by"), "highest_proxy"),
        (Column("spread", "Spread"), "absolute"),
        (Column("relative_to_lowest", "Of lowest"), "relative"),
        (Column("relative_to_mean", "Of mean"), "relative_to_centre"),
        (Column("proxies", "Proxies"), "proxies"),
    ]
    found = [*(done.reward_spreads or ()), *(done.effort.spreads if done.effort else ())]
    caption = "Range of means over proxies, the agent held fixed"
    return sheet("spreads", caption, found, fields)


def comparisons(done: Analysis) -> Sheet:
    """Every pair of proxies on shared tasks."""
    fields: list[Field[Pair]] = [
        (Column("a", "A"), "a"),
        (Column("b", "B"), "b"),
        (Column("difference", "A less B"), "test.difference"),
        *interval_fields("ci", "95 %", "test.interval"),
        (Column("a_better", "A better"), "test.a_only"),
        (Column("b_better", "B better"), "test.b_only"),
        (Column("tasks", "Tasks"), "test.tasks"),
        (Column("p", "p", 4), "test.p_value"),
        (Column("p_holm", "p (Holm)", 4), "p_holm"),
        (Column("method", "Test"), "test.method"),
        (Column("tasks_needed", "Tasks needed"), "tasks_needed"),
    ]
    caption = "Difference in mean fidelity on shared tasks, pooled over domains"
    notes = ["tasks needed: to find such a difference with 80 % power at level .05"]
    return sheet("comparisons", caption, done.pairs or (), fields, notes)


def selection_shares(done: Analysis) -> Sheet:
    """Share of resamples in which each proxy is the cheapest that qualifies."""
    curve = done.curve
    if curve is None:
        return Sheet("selection_shares", "", (), ())
    columns = (
        Column("required_ufs", "Required UFS"),
        *(Column(name, name) for name in curve.proxies),
        Column("none", "None"),
    )
    rows = tuple(
        (float(required), *map(float, shares), float(none))
        for required, shares, none in zip(curve.required, curve.shares, curve.none, strict=True)
    )
    caption = "Share of resamples in which a proxy is the cheapest with the required UFS"
    return Sheet("selection_shares", caption, columns, rows)
