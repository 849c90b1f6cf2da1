"""`userproxybench select`: the cheapest proxy that is faithful enough, and how sure that is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import (
    Agent,
    AllowDifferent,
    AsJson,
    Basis,
    Costs,
    Graded,
    Only,
    VerdictsTable,
)
from userproxybench.errors import GateNotMetError

if TYPE_CHECKING:
    from userproxybench.analysis import Choice


def select(
    runs: Graded,
    ufs: Annotated[float, typer.Option(min=0, max=1, help="UFS that the proxy must reach.")],
    confidence: Annotated[
        float | None,
        typer.Option(min=0.5, max=0.999, help="Require it of the one-sided lower bound."),
    ] = None,
    verdicts: VerdictsTable = None,
    agent: Agent = None,
    only: Only = None,
    costs: Costs = None,
    basis: Basis = "auto",
    allow_different: AllowDifferent = False,
    prompts: Annotated[int, typer.Option(min=1, help="Prompts of a training epoch.")] = 1000,
    rollouts: Annotated[int, typer.Option(min=1, help="Rollouts per prompt.")] = 64,
    as_json: AsJson = False,
) -> None:
    """Name the cheapest user proxy with the UFS you need.

    Says how sure that is, too. Ends with exit code 1 when none qualifies, naming the closest and
    by how much it falls short.
    """
    from userproxybench.analysis import Question, decide
    from userproxybench.analysis.panel import Panel
    from userproxybench.cli.graded import list_prices, read_graded, read_overrides

    graded = read_graded(runs, verdicts=verdicts, agent=agent, only=only or ())
    question = Question(
        required=ufs,
        confidence=confidence,
        basis=None if basis == "auto" else basis,
        allow_different=allow_different,
    )
    overrides = read_overrides(costs)
    choice = decide(Panel.of(graded.tables), question, prices=list_prices(), overrides=overrides)
    if as_json:
        from userproxybench.cli.output import emit_json

        emit_json(asdict(choice) | {"epoch_usd": _epoch(choice, prompts, rollouts)})
    else:
        _show(choice, graded.notes, (prompts, rollouts))
    if choice.pick is None:
        raise GateNotMetError(_nothing(choice))


def _epoch(choice: Choice, prompts: int, rollouts: int) -> float | None:
    from userproxybench.analysis import epoch_cost

    costs = [one.cost for one in choice.candidates if one.proxy == choice.pick]
    if not costs or costs[0] is None:
        return None
    return epoch_cost(costs[0], prompts=prompts, rollouts=rollouts)


def _show(choice: Choice, notes: tuple[str, ...], epoch: tuple[int, int]) -> None:
    from userproxybench.cli.output import clean, decimals, table

    level = choice.question.confidence or 0.9
    head = ("proxy", "cost/sim", "UFS", f"lower {level:.0%}", "qualifies", "picked", "")
    rows = [
        (
            clean(one.proxy, 40),
            "unknown" if one.cost is None else f"{one.cost:.4f}",
            decimals(one.ufs),
            decimals(one.lower),
            "yes" if one.qualifies else "no",
            "–" if one.picked_share is None else f"{one.picked_share:.1%}",
            "dominated" if one.dominated else "",
        )
        for one in choice.candidates
    ]
    table(head, rows)
    if choice.pick is not None:
        spent = _epoch(choice, *epoch)
        typer.echo(f"pick: {clean(choice.pick)} ({choice.basis} costs, {choice.tasks} tasks)")
        typer.echo(
            f"one epoch of {epoch[0]:,} prompts x {epoch[1]} rollouts: "
            f"{'unknown' if spent is None else f'${spent:,.0f}'} on the user side"
        )
    typer.echo(_sureness(choice))
    for note in (*notes, *choice.notes):
        typer.echo(f"note: {clean(note)}")


def _sureness(choice: Choice) -> str:
    if choice.stable_share is None or choice.none_share is None:
        return "how sure that is: unknown"
    text = (
        f"how sure that is: the same answer in {choice.stable_share:.1%} of {choice.resamples:,} "
        f"resamples of the tasks, none qualifies in {choice.none_share:.1%}"
    )
    if choice.tasks_until_stable is None:
        return f"{text}; not stable at {choice.stable_target:.0%} even with 64 times the tasks"
    if choice.tasks_until_stable > choice.tasks:
        more = choice.tasks_until_stable - choice.tasks
        return f"{text}; about {more:,} more tasks until {choice.stable_target:.0%}"
    return text


def _nothing(choice: Choice) -> str:
    from userproxybench.cli.output import clean

    asked = f"UFS of at least {choice.question.required:g}"
    if choice.question.confidence is not None:
        asked = f"a lower bound of {asked} at {choice.question.confidence:.0%} confidence"
    if choice.closest is None or choice.gap is None:
        return f"no proxy with a known cost has {asked}; none can be bounded"
    return (
        f"no proxy with a known cost has {asked}; closest is {clean(choice.closest)}, "
        f"short by {choice.gap:.3f}"
    )
