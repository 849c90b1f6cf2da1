"""Scores as the rows of AcCoRD's tables, ready to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from userproxybench.accord.format import DYNAMICS, Dynamic
from userproxybench.accord.scores import Estimate, Scores, Spread
from userproxybench.accord.statistics import DatasetStatistics

DYNAMIC_TITLES: dict[Dynamic, str] = {
    "hard_underspecified": "Hard Underspec.",
    "soft_underspecified": "Soft Underspec.",
    "unachievable": "Unachievable",
    "triggered": "Triggered",
}
DOMAIN_TITLES = {"shop": "Shopping", "travel": "Travel"}
_CELL = ("Domain", "Model", "Method", "User")


class TextTable(NamedTuple):
    """A table of texts."""

    title: str
    """One line above it."""
    header: tuple[str, ...]
    """Column names."""
    rows: tuple[tuple[str, ...], ...]
    """Rows."""


def dataset_table(statistics: Sequence[DatasetStatistics]) -> TextTable:
    """Layout of Table 2, without the search space, which no dump records."""
    rows = []
    for each in statistics:
        cells = []
        for dynamic in DYNAMICS:
            share = each.share(dynamic)
            percent = "-" if share is None else f"{share:.1%}"
            cells.append(f"{each.average(dynamic):.2f} ({percent})")
        unknown = str(each.unknown_dynamic)
        domain = DOMAIN_TITLES[each.domain]
        rows.append((domain, str(each.scenarios), f"{each.per_scenario:.2f}", *cells, unknown))
    header = ("Domain", "Scenarios", "Avg. Prefs per Scenario", *DYNAMIC_TITLES.values(), "Unknown")
    return TextTable("Dataset statistics (as AcCoRD Table 2)", header, tuple(rows))


def main_table(scores: Sequence[Scores]) -> TextTable:
    """Layout of Table 3, with both readings of the perfect outcome rate."""
    header = (
        *_CELL,
        "Scenarios",
        "Rollouts",
        "Task Completion Rate",
        "Outcome Score",
        "Perfect (all)",
        "Perfect (completed)",
        "Task Score",
        "Ungraded",
    )
    rows = tuple(
        (
            *_cell(each),
            str(each.scenarios),
            str(each.rollouts),
            percent(each.completion),
            number(each.outcome),
            percent(each.perfect_all),
            percent(each.perfect_completed),
            number(each.task),
            str(each.ungraded + each.unknown),
        )
        for each in scores
    )
    return TextTable("Main results (as AcCoRD Table 3)", header, rows)


def dynamics_table(scores: Sequence[Scores]) -> TextTable:
    """Layout of Table 4: scores per dynamic over completed rollouts, and rollout statistics."""
    header = (
        *_CELL,
        *DYNAMIC_TITLES.values(),
        "# env. actions (mean/median)",
        "# utterances (mean/median)",
    )
    rows = tuple(
        (
            *_cell(each),
            *(number(each.dynamics[dynamic]) for dynamic in DYNAMICS),
            spread(each.actions),
            spread(each.utterances),
        )
        for each in scores
    )
    return TextTable("Scores per preference dynamic (as AcCoRD Table 4)", header, rows)


def _cell(scores: Scores) -> tuple[str, str, str, str]:
    return DOMAIN_TITLES[scores.domain], scores.agent_model, scores.method, scores.user_model


def percent(estimate: Estimate) -> str:
    """A share with its interval; `-` where there is none."""
    if estimate.value is None:
        return "-"
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f" [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"
    return f"{estimate.value:.1%}{interval}"


def number(estimate: Estimate) -> str:
    """A score with its interval; `-` where there is none."""
    if estimate.value is None:
        return "-"
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f" [{estimate.low:.2f}, {estimate.high:.2f}]"
    return f"{estimate.value:.3f}{interval}"


def spread(value: Spread) -> str:
    """Mean and median; `-` where nothing is recorded."""
    if value.mean is None or value.median is None:
        return "-"
    return f"{value.mean:.2f} / {value.median:g}"
