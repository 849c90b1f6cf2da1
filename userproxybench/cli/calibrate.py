"""`userproxybench calibrate`: how good is my grader?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import (
    ApiBase,
    AsJson,
    Budget,
    Calls,
    Config,
)
from userproxybench.cli.output import clean, emit_json, table

if TYPE_CHECKING:
    from userproxybench.calibration import Mistake, Rate, Report


def calibrate(
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", help="JSONL file of labelled cases; repeat for several."),
    ] = None,
    grader: Annotated[str, typer.Option(help="`rules` or a model.")] = "rules",
    budget: Budget = None,
    jobs: Calls = 8,
    api_base: ApiBase = None,
    config: Config = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="List every miss and false alarm with its turns.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how often a grader is right.

    Recall, precision and false alarms against labelled cases.

    Without --cases it uses the shipped calibration set: its development part and, reported apart,
    the part that was held out while the rules were written.
    """
    from userproxybench.calibration import score_grades
    from userproxybench.cli.graders import case_grader
    from userproxybench.loaders.labelled import read_cases

    sets = {"cases": cases} if cases else _shipped_sets()
    measured = case_grader(grader, budget=budget, jobs=jobs, api_base=api_base, config=config)
    reports = {}
    for name, files in sets.items():
        loaded = [case for file in files for case in read_cases(file)]
        report, mistakes = score_grades(
            list(zip(loaded, measured.grade(loaded), strict=True)),
            name=measured.name,
            rubric_source=measured.rubric_source,
        )
        reports[name] = report
        if not as_json:
            _print(name, report, mistakes if errors else [])
    if as_json:
        dumped = {name: report.model_dump(mode="json") for name, report in reports.items()}
        emit_json(
            _flatten(dumped["cases"]) if cases else {n: _flatten(d) for n, d in dumped.items()}
        )


def _shipped_sets() -> dict[str, list[Path]]:
    """The shipped labelled cases: the part to work on, and the part held out."""
    from userproxybench.store import data_folder

    folder = data_folder("trajectories") / "calibration"
    return {"development": [folder / "dev.jsonl"], "held out": [folder / "held_out.jsonl"]}


def _flatten(node: object) -> object:
    """Rates as plain numbers, with their counts and interval beside them."""
    if not isinstance(node, dict):
        return node
    flat: dict[str, object] = {}
    for key, value in node.items():
        if isinstance(value, dict) and set(value) == {"value", "k", "n", "low", "high"}:
            flat[key] = value["value"]
            flat[f"{key}_k"], flat[f"{key}_n"] = value["k"], value["n"]
            flat[f"{key}_ci"] = [value["low"], value["high"]]
        else:
            flat[key] = _flatten(value)
    return flat


def _print(name: str, report: Report, mistakes: list[Mistake]) -> None:
    total = report.overall
    typer.echo(
        f"{name}: grader {report.grader}, rubric {report.rubric_source}, "
        f"{total.cases} cases, {total.scored} with a certain label"
    )
    rows = [
        ("precision", _rate(total.precision)),
        ("recall", _rate(total.recall)),
        ("clean cases flagged", _rate(total.clean_false_alarm_rate)),
        ("false alarms per clean case", _number(total.false_alarms_per_clean_case)),
        ("turn accuracy", _rate(total.turn_accuracy)),
        ("pairs told apart", _rate(total.pairs)),
        ("traps sprung", _rate(total.traps)),
        ("violating cases flagged", _rate(total.episode_recall)),
        ("agreement on outcome (kappa)", _number(total.outcome_kappa)),
        ("ungraded verdicts", str(total.ungraded)),
    ]
    table(("measure", "value"), rows)
    scored = [*report.families.items(), *report.modes.items()]
    scored += [("protocol", report.protocol), *report.protocol_modes.items()]
    table(
        ("group", "recall", "precision"),
        [(group, _rate(s.recall), _rate(s.precision)) for group, s in scored],
    )
    for mistake in mistakes:
        _print_mistake(mistake)


def _print_mistake(mistake: Mistake) -> None:
    case = mistake.case
    place = clean(f"{case.file} {case.id}, turn {mistake.turn}, {mistake.mode}")
    typer.echo(f"\n{mistake.kind}: {place}")
    typer.echo(f"  {clean(mistake.detail)}")
    for turn in case.trajectory.turns:
        if abs(turn.index - mistake.turn) <= 2:
            calls = clean(" ".join(f"<{call.name}>" for call in turn.tool_calls))
            mark = ">" if turn.index == mistake.turn else " "
            typer.echo(f"  {mark} {turn.index:3d} {turn.speaker:5s} {clean(turn.text)} {calls}")


def _rate(rate: Rate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return f"- (0 of {rate.n})"
    return f"{rate.value:.3f} ({rate.k} of {rate.n}) [{rate.low:.2f}, {rate.high:.2f}]"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
