"""What `audit` prints: tables per domain, telling failures, what was not judged and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from userproxybench.audit.batch import NO_RUBRIC
from userproxybench.cli.output import WIDTH, clean, count, paragraph
from userproxybench.models import FAMILIES

if TYPE_CHECKING:
    import pandas as pd

    from userproxybench.analysis.summary import ProxySummary
    from userproxybench.audit import Audit

WAY_OUT = (
    "add `--rubrics generate` (a model writes criteria first), or `--rubrics generic` for one "
    "criterion per mode"
)
"""What helps where the library has no rubric for a task."""
SHOWN = 3
"""Failures that are quoted."""
SHOWN_NOTES = 8
"""Notes that are printed."""
SHORT = {
    "groundedness": "ground",
    "premature_disclosure": "discl",
    "goal_deviation": "goal",
    "missed_information": "missed",
}
"""Column heads of the families."""


@dataclass(frozen=True)
class Failure:
    """One failure, as it is quoted."""

    proxy: str
    domain: str
    task_id: str
    episode_id: str
    mode: str
    turn: int
    quotation: str
    reason: str
    reward: float | None
    of_mode: int
    """Episodes in which this mode failed."""


def show(found: Audit) -> None:
    """Print the answer for people."""
    _head(found)
    for domain in sorted(found.episodes["domain"].unique()):
        _domain(found, str(domain))
    _corrected(found)
    _legend()
    _failures(telling(found), scored=found.summary.counts.scored)
    _beside(found)
    _not_judged(found)
    _more(found)


def _head(found: Audit) -> None:
    counts = found.summary.counts
    parts = [
        count(counts.episodes, "episode"),
        count(counts.tasks, "task"),
        count(counts.proxies, "user proxy", "user proxies"),
        count(counts.domains, "domain"),
    ]
    typer.echo(", ".join(parts))
    typer.echo(f"Graded by {found.summary.grader} on {found.summary.rubric_source} rubrics.")
    if found.reused:
        typer.echo(f"{count(found.reused, 'episode')} graded before: reused from {found.out}.")
    typer.echo("")


def _corrected(found: Audit) -> None:
    """One line a proxy, where the grader's error rates were given."""
    for proxy in found.summary.proxies:
        made = proxy.ufs_corrected
        if made is None:
            continue
        value = (
            "cannot be corrected: the grader tells violating from faithful no better than chance"
            if made.estimate is None
            else f"{_share(made.estimate)}, {_interval(made.low, made.high)}"
        )
        paragraph(
            f"{clean(proxy.proxy, 40)}: pooled UFS {_share(proxy.ufs_pooled)}; freed of the "
            f"grader's known errors {value}"
        )


def _domain(found: Audit, domain: str) -> None:
    """One table: a row per proxy."""
    from userproxybench.analysis.summary import summarise
    from userproxybench.tables import Tables

    mine = found.episodes[found.episodes["domain"] == domain]
    answers = found.verdicts[found.verdicts["episode_id"].isin(mine["episode_id"])]
    summary = summarise(
        Tables(mine.reset_index(drop=True), answers.reset_index(drop=True)),
        version=found.summary.version,
        grader=found.summary.grader,
        rubric_source=found.summary.rubric_source,
    )
    typer.echo(f"{clean(domain, 40)} ({count(summary.counts.tasks, 'task')})")
    header = ("proxy", "UFS", "95 % CI", "n", "reward", "cost/sim", *SHORT.values())
    _columns(header, [_row(proxy) for proxy in summary.proxies])
    for proxy in summary.proxies:
        if proxy.ungraded:
            paragraph(
                f"{clean(proxy.proxy, 40)}: {count(proxy.ungraded, 'episode')} without an answer; "
                f"UFS lies between {_share(proxy.ufs_bound_low)} (all taken as failures) and "
                f"{_share(proxy.ufs_bound_high)} (all taken as faithful)"
            )
    typer.echo("")


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table whose long names stand on a line of their own, so that it keeps within 80 columns."""
    cells = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(header))]
    widths[0] = min(widths[0], max(12, WIDTH - sum(widths[1:]) - len(widths) + 1))
    for row in cells:
        first = row[0]
        if len(first) > widths[0]:
            typer.echo(first)
            first = ""
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        typer.echo(" ".join((first.ljust(widths[0]), *rest)).rstrip())


def _row(proxy: ProxySummary) -> tuple[str, ...]:
    return (
        clean(proxy.proxy, WIDTH),
        _share(proxy.ufs),
        _interval(proxy.ufs_ci_low, proxy.ufs_ci_high),
        str(proxy.scored),
        _share(proxy.reward),
        "unknown" if proxy.cost_usd is None else f"${proxy.cost_usd:.4f}",
        *(str(proxy.families[family].episodes) for family in FAMILIES),
    )


def _legend() -> None:
    paragraph(
        "UFS is the share of scored episodes (n) in which no criterion fails. The last four "
        "columns count episodes with a failure of groundedness, premature disclosure, goal "
        "deviation, missed information. cost/sim is what the user side of one conversation cost."
    )


def telling(found: Audit) -> list[Failure]:
    """The failures worth quoting: the commonest modes, each by one clear example.

    An example in an episode that the agent won comes first, because reward does not show it.
    """
    failed = found.verdicts[found.verdicts["verdict"] == "fail"].merge(
        found.episodes[["episode_id", "proxy", "domain", "task_id", "reward"]], on="episode_id"
    )
    if failed.empty:
        return []
    counts = failed.groupby("mode")["episode_id"].nunique()
    failed = failed.assign(
        of_mode=failed["mode"].map(counts),
        won=failed["reward"].fillna(0.0),
        length=failed["quotation"].fillna("").str.len(),
    )
    order = failed.sort_values(
        ["of_mode", "mode", "won", "length", "episode_id"],
        ascending=[False, True, False, False, True],
    )
    first = order.drop_duplicates("mode")
    rest = order[~order.index.isin(first.index)]
    return [_failure(row) for row in _records([first, rest])][:SHOWN]


def _records(frames: Sequence[pd.DataFrame]) -> Iterator[dict[str, object]]:
    for frame in frames:
        yield from frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[misc]  # keys are strings


def _failure(row: dict[str, object]) -> Failure:
    reward = row["reward"]
    return Failure(
        proxy=str(row["proxy"]),
        domain=str(row["domain"]),
        task_id=str(row["task_id"]),
        episode_id=str(row["episode_id"]),
        mode=str(row["mode"]),
        turn=int(str(row["turn"])),
        quotation=str(row["quotation"] or ""),
        reason=str(row["reason"] or ""),
        reward=float(reward) if isinstance(reward, float) else None,
        of_mode=int(str(row["of_mode"])),
    )


def _failures(failures: Sequence[Failure], *, scored: int) -> None:
    if not scored:
        typer.echo("\nNothing was scored, so nothing can be said about failures.")
        return
    if not failures:
        typer.echo("\nNo failure was found.")
        return
    typer.echo("\nMost telling failures")
    for number, failure in enumerate(failures, start=1):
        typer.echo("")
        reward = "" if failure.reward is None else f", reward {failure.reward:.2f}"
        paragraph(
            f"{number}. {failure.mode} ({count(failure.of_mode, 'episode')}): "
            f"{clean(failure.proxy, 40)}, {clean(failure.domain, 30)} task "
            f"{clean(failure.task_id, 60)}, turn {failure.turn}{reward}"
        )
        paragraph(f"user: “{clean(failure.quotation, 300)}”", indent="   ")
        paragraph(clean(failure.reason, 400), indent="   ")


def _beside(found: Audit) -> None:
    """What stands beside UFS and never inside: protocol faults and missed gold writes."""
    owner = found.episodes[["episode_id", "proxy"]]
    if len(found.protocol):
        typer.echo("\nBeside UFS: protocol faults")
        joined = found.protocol.merge(owner, on="episode_id")
        for proxy, faults in joined.groupby("proxy"):
            counts = faults["mode"].value_counts()
            shown = ", ".join(f"{mode} {count}" for mode, count in counts.items())
            paragraph(f"{clean(str(proxy), 40)}: {shown}", indent="  ")
    probed = found.episodes[found.episodes["missed_gold_writes"].notna()]
    if len(probed):
        typer.echo("\nBeside UFS: episodes with a missed gold write (a step the user owed)")
        for proxy, mine in probed.groupby("proxy"):
            missed = int((mine["missed_gold_writes"] > 0).sum())
            typer.echo(f"  {clean(str(proxy), 40)}: {missed} of {len(mine)}")


def _not_judged(found: Audit) -> None:
    counts = found.summary.counts
    typer.echo("\nNot judged")
    if not found.unjudged:
        typer.echo("  every episode has a score")
    else:
        typer.echo(f"  {counts.unscorable} unscorable, {counts.ungraded} ungraded:")
        for reason, count in found.unjudged.items():
            paragraph(f"{count}: {clean(reason)}", indent="    ")
        if NO_RUBRIC in found.unjudged and found.summary.grader != "rules":
            paragraph(f"To score them, {WAY_OUT}.", indent="    ")
    if found.passed_over:
        names = ", ".join(clean(name, 60) for name in found.passed_over[:5])
        more = "" if len(found.passed_over) <= 5 else f" and {len(found.passed_over) - 5} more"
        paragraph(f"passed over (no dumps): {names}{more}", indent="  ")
    _listed("Assumed", found.notes)
    _listed("Notes", [note for note in found.summary.notes if note not in found.notes])


def _listed(title: str, notes: Sequence[str]) -> None:
    if notes:
        typer.echo(f"\n{title}")
    for note in notes[:SHOWN_NOTES]:
        paragraph(f"- {clean(note, 400)}", indent="  ")
    if len(notes) > SHOWN_NOTES:
        typer.echo(f"  - and {len(notes) - SHOWN_NOTES} more: `userproxybench describe` lists them")


def _more(found: Audit) -> None:
    """What a model grader would add, and where everything is."""
    if found.summary.grader == "rules":
        typer.echo("")
        paragraph(
            "A model grader would add "
            + (f"the modes {', '.join(found.uncovered)}, and " if found.uncovered else "")
            + "criteria written for each task: `audit ... --grader MODEL --dry-run` prints the "
            "calls, tokens and dollars first."
        )
    if found.out is not None:
        typer.echo(f"\nRun folder: {found.out}")
        typer.echo("  episodes.csv, verdicts.csv, protocol.csv, summary.json, rubrics/, ...")


def as_record(found: Audit) -> dict[str, object]:
    """`summary.json` and what else the page says, for `--json`."""
    probed = found.episodes[found.episodes["missed_gold_writes"].notna()]
    return {
        **found.summary.model_dump(mode="json"),
        "out": None if found.out is None else str(found.out),
        "reused": found.reused,
        "failures": [vars(failure) for failure in telling(found)],
        "protocol": {
            str(mode): int(count) for mode, count in found.protocol["mode"].value_counts().items()
        },
        "missed_gold_writes": {
            "episodes": len(probed),
            "missed": int((probed["missed_gold_writes"] > 0).sum()),
        },
        "unjudged": dict(found.unjudged),
        "uncovered_modes": list(found.uncovered),
        "passed_over": list(found.passed_over),
        "assumed": list(found.notes),
        "problems": list(found.problems),
        "warnings": list(found.warnings),
    }


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.2f}-{high:.2f}"
