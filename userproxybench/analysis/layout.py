"""Results → sheets: each proxy on its own."""

from __future__ import annotations

from userproxybench.analysis.costs import PURE, ProxyCost, PureBasis
from userproxybench.analysis.failures import (
    CellEffect,
    CriteriaCount,
    FamilyCount,
    FamilyEffect,
    RewardTable,
)
from userproxybench.analysis.scores import CellScore, ProxyScore, VariantScore
from userproxybench.analysis.sheet import Column, Field, Sheet, interval_fields, sheet
from userproxybench.analysis.study import Analysis
from userproxybench.models import FAMILIES
from userproxybench.scoring import VARIANTS


def aggregate(done: Analysis) -> Sheet:
    """One row per proxy, dearest first, as in the paper's Table 1."""
    fields: list[Field[ProxyScore]] = [
        (Column("proxy", "Proxy"), "proxy"),
        (Column("dominated", "Dominated"), "dominated"),
        (Column("hosting", "Hosting"), "hosting"),
        (Column("cost_usd", "Cost/sim", 4), "cost"),
        (Column("reward", "Agent reward"), "reward"),
        (Column("ufs", "UFS"), "ufs"),
        *interval_fields("ufs_ci", "95 %", "interval"),
        (Column("ufs_bound_low", "Ungraded fail"), "bound_low"),
        (Column("ufs_bound_high", "Ungraded pass"), "bound_high"),
        (Column("ufs_pooled", "Pooled UFS"), "pooled"),
        *interval_fields("wilson", "Wilson", "wilson"),
        (Column("prompt_tokens", "Prompt tok", 0), "prompt_tokens"),
        (Column("completion_tokens", "Completion tok", 0), "completion_tokens"),
        (Column("episodes", "Episodes"), "episodes"),
        (Column("scored", "Scored"), "scored"),
        (Column("unscorable", "Unscorable"), "unscorable"),
        (Column("ungraded", "Ungraded"), "ungraded"),
    ]
    notes = (
        f"grader {done.grader}, rubrics {done.rubric_source}",
        f"cost basis: {done.scores.basis or 'none'}",
        f"interval of UFS: {done.resamples} resamples of tasks within domains",
        *done.notes,
    )
    ordered = sorted(done.scores.proxies, key=lambda one: (one.cost is None, -(one.cost or 0)))
    caption = "Proxies by user-side cost; reward and UFS are unweighted means over domains"
    return sheet("aggregate", caption, ordered, fields, notes)


def domains(done: Analysis) -> Sheet:
    """One row per domain and proxy, as in the paper's Table 2."""
    fields: list[Field[CellScore]] = [
        (Column("domain", "Domain"), "domain"),
        (Column("proxy", "Proxy"), "proxy"),
        (Column("reward", "Agent reward"), "reward"),
        (Column("ufs", "UFS"), "ufs"),
        (Column("n", "n"), "scored"),
        *interval_fields("ufs_ci", "95 %", "interval"),
        *interval_fields("wilson", "Wilson", "wilson"),
        (Column("unscorable", "Unscorable"), "unscorable"),
        (Column("ungraded", "Ungraded"), "ungraded"),
        (Column("missing_tasks", "Missing tasks"), "missing_tasks"),
    ]
    cells = [cell for cell in done.scores.cells if cell.episodes]
    notes = [note for cell in cells if (note := _footnote(cell))]
    return sheet("domains", "Reward and UFS per domain and proxy", cells, fields, notes)


def variants(done: Analysis) -> Sheet:
    """UFS when only some families count."""

    def under(key: str) -> Field[VariantScore]:
        return Column(f"ufs_{key}", key.replace("_", " ").capitalize()), lambda one: one.ufs[key]

    fields: list[Field[VariantScore]] = [
        (Column("proxy", "Proxy"), "proxy"),
        *(under(key) for key in ("all", *VARIANTS, "fraction")),
        (Column("rank", "Rank"), "rank"),
        (Column("rank_without_disclosure", "Rank without"), "rank_without_disclosure"),
    ]
    rho = done.scores.disclosure_against_rest
    shown = "undefined" if rho.estimate is None else f"{rho.estimate:.3f}"
    note = f"Spearman's rho, disclosure-only UFS and UFS without disclosure: {shown} (n = {rho.n})"
    caption = "UFS with and without each family, means over domains"
    return sheet("variants", caption, done.scores.variants, fields, [note])


def families(done: Analysis) -> Sheet:
    """Failures per family, domain and proxy."""
    fields: list[Field[FamilyCount]] = [
        (Column("family", "Family"), "family"),
        (Column("domain", "Domain"), "domain"),
        (Column("proxy", "Proxy"), "proxy"),
        (Column("episodes_failed", "Episodes"), "episodes"),
        (Column("share", "Share"), "share"),
        (Column("episodes_applicable", "Applicable"), "applicable"),
        (Column("scored", "Scored"), "scored"),
        (Column("criteria_failed", "Criteria"), "criteria"),
    ]
    counts = [count for count in done.failures.counts if count.scored]
    notes = [
        f"{family}: {sum(one.episodes for one in mine)} episodes, "
        f"{sum(one.criteria for one in mine)} criteria"
        for family in FAMILIES
        if (mine := [one for one in counts if one.family == family])
    ]
    caption = "Scored episodes in which a family failed, and criteria of it that failed"
    return sheet("families", caption, counts, fields, notes)


def reward_against_fidelity(done: Analysis) -> Sheet:
    """Reward pass by UFS fail."""
    fields: list[Field[RewardTable]] = [
        (Column("proxy", "Proxy"), "proxy"),
        (Column("domain", "Domain"), "domain"),
        (Column("n", "n"), "n"),
        (Column("reward_pass_ufs_pass", "Pass, pass"), "pass_pass"),
        (Column("reward_pass_ufs_fail", "Pass, fail"), "pass_fail"),
        (Column("reward_fail_ufs_pass", "Fail, pass"), "fail_pass"),
        (Column("reward_fail_ufs_fail", "Fail, fail"), "fail_fail"),
        (Column("share_of_successes", "Of successes"), "share_of_successes"),
        (Column("share_of_all", "Of all"), "share_of_all"),
    ]
    return sheet(
        "reward_against_fidelity",
        "Agent success, then fidelity, over scored episodes with a reward",
        [table for table in done.failures.reward if table.n],
        fields,
        ["shares are of successful episodes that fail UFS"],
    )


def family_effects(done: Analysis) -> Sheet:
    """Difference in success per family."""
    fields: list[Field[FamilyEffect]] = [
        (Column("family", "Family"), "family"),
        (Column("compared_with", "Compared with"), "others"),
        (Column("mean", "Mean"), "cells.mean"),
        (Column("median", "Median"), "cells.median"),
        (Column("positive", "Above 0"), "cells.positive"),
        (Column("negative", "Below 0"), "cells.negative"),
        (Column("zero", "At 0"), "cells.zero"),
        (Column("cells", "Cells"), "cells.n"),
    ]
    caption = "Agent success where a family failed less where it did not, over proxy-domain cells"
    notes = ["cells with at least five episodes on either side"]
    return sheet("family_effects", caption, done.failures.effects, fields, notes)


def family_effect_cells(done: Analysis) -> Sheet:
    """The cells behind `family_effects`."""
    fields: list[Field[CellEffect]] = [
        (Column("family", "Family"), "family"),
        (Column("compared_with", "Compared with"), "others"),
        (Column("domain", "Domain"), "domain"),
        (Column("proxy", "Proxy"), "proxy"),
        (Column("difference", "Difference"), "difference.estimate"),
        *interval_fields("ci", "95 %", "difference.interval"),
        (Column("failed", "Failed"), "difference.exposed"),
        (Column("others", "Others"), "difference.others"),
    ]
    caption = "Agent success where a family failed less where it did not, cell by cell"
    return sheet("family_effect_cells", caption, done.failures.cells, fields)


def criteria(done: Analysis) -> Sheet:
    """Criteria per domain, family and mode."""
    fields: list[Field[CriteriaCount]] = [
        (Column("domain", "Domain"), "domain"),
        (Column("family", "Family"), "family"),
        (Column("mode", "Mode"), "mode"),
        (Column("criteria", "Criteria"), "criteria"),
        (Column("tasks", "Tasks"), "tasks"),
        (Column("passed", "Pass"), "passed"),
        (Column("failed", "Fail"), "failed"),
        (Column("not_applicable", "Not applicable"), "not_applicable"),
        (Column("ungraded", "Ungraded"), "ungraded"),
    ]
    total = sum(one.criteria for one in done.failures.criteria)
    notes = [f"{total} criteria, {total / done.tasks:.1f} per task"] if done.tasks else []
    caption = "Criteria per domain, family and mode, each counted once per task"
    return sheet("criteria", caption, done.failures.criteria, fields, notes)


def costs(done: Analysis) -> Sheet:
    """Costs on the three bases, side by side."""

    def on(basis: PureBasis) -> list[Field[ProxyCost]]:
        return [
            (Column(f"{basis}_usd", basis.capitalize(), 4), lambda one: one.bases[basis].usd),
            (Column(f"{basis}_coverage", "Coverage", 2), lambda one: one.bases[basis].coverage),
        ]

    fields: list[Field[ProxyCost]] = [
        (Column("proxy", "Proxy"), "proxy"),
        *(field for basis in PURE for field in on(basis)),
        (Column("prompt_tokens", "Prompt tok", 0), "prompt_tokens"),
        (Column("completion_tokens", "Completion tok", 0), "completion_tokens"),
        (Column("metered_episodes", "Metered"), "metered"),
        (Column("partly_metered_episodes", "Partly"), "partly_metered"),
        (Column("zero_costs", "Zero costs"), "zero_costs"),
        (Column("discarded_attempts", "Discarded"), "discarded_attempts"),
    ]
    notes = [
        "a dash is unknown: fewer than nine in ten episodes have a cost on that basis",
        "list: tokens times list price, no cache discount, episodes with every call metered",
    ]
    caption = "User-side dollars per simulation on three bases, and the share of episodes priced"
    return sheet("costs", caption, done.costs.proxies, fields, notes)


def _footnote(cell: CellScore) -> str:
    parts = [
        f"{count} {what}"
        for count, what in (
            (cell.unscorable, "unscorable"),
            (cell.ungraded, "ungraded"),
            (cell.missing_tasks, "tasks without a conversation"),
        )
        if count
    ]
    return f"{cell.domain}, {cell.proxy}: n = {cell.scored}, {', '.join(parts)}" if parts else ""
