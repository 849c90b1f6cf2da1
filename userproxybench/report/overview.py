"""The top of the page: what was audited, the headline, coverage, and what must be known first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from userproxybench.models import FAMILIES, MODES
from userproxybench.report.inert import inert_line
from userproxybench.report.material import Material

if TYPE_CHECKING:
    from userproxybench.analysis.scores import CellScore
    from userproxybench.analysis.summary import ProxySummary

SHORT = {
    "groundedness": "groundedness",
    "premature_disclosure": "disclosure",
    "goal_deviation": "goal",
    "missed_information": "missed info",
}
"""Heads of the family columns."""


def title(material: Material) -> str:
    """What was audited, in a line."""
    proxies, domains = material.analysis.proxies, material.analysis.domains
    who = inert_line(proxies[0]) if len(proxies) == 1 else f"{len(proxies)} user proxies"
    where = inert_line(domains[0]) if len(domains) == 1 else f"{len(domains)} domains"
    return f"Fidelity of {who} in {where}"


def context(material: Material) -> dict[str, object]:
    """What the template needs for its upper half."""
    done = material.analysis
    warnings = list(dict.fromkeys((*material.warnings, *done.notes)))
    notes = dict.fromkeys((*material.summary.notes, *material.notes))
    return {
        "abstract": _abstract(material),
        "warnings": warnings,
        "notes": [note for note in notes if note not in warnings],
        "families": [{"key": family, "short": SHORT[family]} for family in FAMILIES],
        "proxies": [_proxy(material, one) for one in material.summary.proxies],
        "basis": _common_basis(material.summary.proxies),
        "cells": _cells(done.scores.cells, done.domains),
        "coverage": _coverage(material),
        "not_drawn": _not_drawn(material),
    }


def address(**filters: str) -> str:
    """The list of episodes under these filters."""
    return "#list&" + urlencode({key: value for key, value in filters.items() if value})


def _abstract(material: Material) -> str:
    counts, done = material.summary.counts, material.analysis
    parts = (
        f"{_count(counts.episodes, 'conversation')} on {_count(counts.tasks, 'task')}"
        f"{f' in {counts.domains} domains' if counts.domains > 1 else ''}"
        f"{f' by {counts.proxies} user proxies' if counts.proxies > 1 else ''}."
    )
    scored = [one for one in material.summary.proxies if one.ufs is not None]
    if not scored:
        return f"{parts} None could be scored."
    best = max(scored, key=lambda one: one.ufs or 0.0)
    if len(scored) == 1:
        return f"{parts} No violation was found in {_found(best)} of those that could be scored."
    if not done.compared:
        return (
            f"{parts} They are not set against each other, because more than the user proxy "
            "differs or may differ."
        )
    worst = min(scored, key=lambda one: one.ufs or 0.0)
    return (
        f"{parts} Most faithful is {inert_line(best.proxy)}, with no violation found in "
        f"{_found(best)} of its conversations; least is {inert_line(worst.proxy)}, with "
        f"{_found(worst)}."
    )


def _found(one: ProxySummary) -> str:
    low, high = one.ufs_ci_low, one.ufs_ci_high
    interval = "" if low is None or high is None else f" (95 %: {low:.0%} to {high:.0%})"
    return f"{one.ufs or 0.0:.0%}{interval}"


def _proxy(material: Material, one: ProxySummary) -> dict[str, object]:
    name = inert_line(one.proxy)
    mine = next(
        (
            table
            for table in material.analysis.failures.reward
            if table.proxy == one.proxy and table.domain == "all" and table.n
        ),
        None,
    )
    low, high = one.ufs_ci_low, one.ufs_ci_high
    links: dict[str, str] = {
        family: address(proxy=name, family=family, verdict="fail") for family in FAMILIES
    }
    return {
        "name": name,
        "ufs": _share(one.ufs),
        "mark": None if one.ufs is None else f"{100 * one.ufs:.1f}",
        "low": None if low is None else f"{100 * low:.1f}",
        "high": None if high is None else f"{100 * high:.1f}",
        "spoken": f"UFS {_share(one.ufs)}, interval {_interval(low, high)}",
        "interval": _interval(low, high),
        "scored": one.scored,
        "unscored": one.unscorable + one.ungraded,
        "reward": _share(one.reward),
        "cost": "unknown" if one.cost_usd is None else _dollars(one.cost_usd),
        "basis": _basis(one),
        "families": {
            family: one.families[family].episodes if one.scored else None for family in FAMILIES
        },
        "pass_fail": None if mine is None else mine.pass_fail,
        "bounds": _bounds(one),
        "links": {
            **links,
            "scored": address(proxy=name, cell="scored"),
            "pass_fail": address(proxy=name, cell="pass-fail"),
            "unscored": address(proxy=name, cell="unscored"),
        },
    }


def _common_basis(proxies: Sequence[ProxySummary]) -> str:
    """Basis of all known costs, where they share one."""
    found = {_basis(one) for one in proxies if one.cost_usd is not None}
    return found.pop() if len(found) == 1 else ""


def _basis(one: ProxySummary) -> str:
    if one.cost_usd is None:
        return "mixed bases" if one.cost_coverage and one.cost_coverage >= 0.9 else ""
    if one.cost_coverage is not None and one.cost_coverage < 1:
        return f"{one.cost_basis}, {one.cost_coverage:.0%} of episodes"
    return one.cost_basis


def _bounds(one: ProxySummary) -> str:
    if not one.ungraded:
        return ""
    return (
        f"{_count(one.ungraded, 'episode')} without an answer: UFS lies between "
        f"{_share(one.ufs_bound_low)} (all taken as failures) and {_share(one.ufs_bound_high)} "
        "(all taken as faithful)."
    )


def _cells(cells: Sequence[CellScore], domains: Sequence[str]) -> dict[str, object] | None:
    if len(domains) < 2:
        return None
    found = {(cell.proxy, cell.domain): cell for cell in cells if cell.episodes}
    proxies = dict.fromkeys(cell.proxy for cell in cells)
    return {
        "domains": [inert_line(domain) for domain in domains],
        "rows": [
            {
                "proxy": inert_line(proxy),
                "cells": [_cell(found.get((proxy, domain))) for domain in domains],
            }
            for proxy in proxies
        ],
    }


def _cell(cell: CellScore | None) -> dict[str, object] | None:
    if cell is None:
        return None
    bounds = cell.interval
    return {
        "ufs": _share(cell.ufs),
        "interval": "" if bounds is None else _interval(bounds.low, bounds.high),
        "n": cell.scored,
        "link": address(proxy=inert_line(cell.proxy), domain=inert_line(cell.domain)),
    }


def _coverage(material: Material) -> dict[str, object]:
    counts = material.summary.counts
    held = set(material.tables.verdicts["mode"].dropna())
    asked = counts.verdicts_passed + counts.verdicts_failed
    sentence = (
        f"{counts.verdicts:,} criteria were put to {_count(counts.episodes, 'episode')}: "
        f"{asked:,} applied, of which {counts.verdicts_failed:,} failed; "
        f"{counts.verdicts_not_applicable:,} never came to apply; "
        f"{counts.verdicts_ungraded:,} have no answer. "
        f"{len(held & set(MODES))} of the {len(MODES)} modes have a criterion."
    )
    if material.summary.audit_cost_usd:
        sentence += f" Grading cost {_dollars(material.summary.audit_cost_usd)}."
    faults = Counter(
        mode
        for grade in material.main.grades.values()
        for mode in {note.mode for note in grade.protocol}
    )
    return {
        "sentence": sentence,
        "unscored": _unscored(material),
        "uncovered": [mode.replace("_", " ") for mode in MODES if mode not in held],
        "protocol": [
            {"mode": mode.replace("_", " "), "episodes": count, "link": address(mode=mode)}
            for mode, count in sorted(faults.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
    }


def _unscored(material: Material) -> list[Mapping[str, object]]:
    frame = material.tables.episodes
    status = dict(zip(frame["episode_id"], frame["status"], strict=True))
    found = Counter(
        (str(status[id_]), reason)
        for id_, reason in material.unscored.items()
        if id_ in status and status[id_] != "scored"
    )
    return [
        {
            "count": count,
            "text": f"{state}: {reason}",
            "link": address(cell=state, q=inert_line(reason)[:60]),
        }
        for (state, reason), count in found.most_common()
    ]


def _not_drawn(material: Material) -> list[str]:
    done = material.analysis
    if done.compared:
        return [] if done.scores.basis else ["No frontier: no user proxy has a known cost."]
    return [
        "Frontier, reward range and effort set proxies against each other. They are not drawn, "
        "because more than the proxy differs or may differ: "
        + "; ".join(f"{one.what}: {one.detail}" for one in done.obstacles)
        + "."
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.2f}–{high:.2f}"


def _dollars(value: float) -> str:
    return f"${value:.4f}" if value >= 0.0001 or not value else f"${value:.2g}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
