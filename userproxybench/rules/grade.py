"""Answer the criteria of a rubric by machine predicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from userproxybench.models import (
    Contract,
    Criterion,
    Family,
    Grade,
    Mode,
    Outcome,
    Rubric,
    Trajectory,
    Verdict,
)
from userproxybench.models import checks as c
from userproxybench.models import written_checks as w
from userproxybench.rules import (
    claims_said,
    disclosure,
    goals,
    held_back,
    missed,
    outcomes,
    reports_said,
    results_said,
    self_said,
    states_said,
    steps_taken,
    stops,
    unraised,
    values_said,
    written,
)
from userproxybench.rules.answer import Answer
from userproxybench.rules.bounds import bounded_contract, bounded_trajectory
from userproxybench.rules.caches import kept_by_identity, kept_longer, tidy
from userproxybench.rules.ledger import Ledger, build_ledger
from userproxybench.rules.protocol import protocol_notes

GRADER = "rules"

_Evaluate = Callable[[Ledger, Any], Answer]

_EVALUATORS: dict[type[Any], _Evaluate] = {
    c.ValuesGrounded: values_said.values_grounded,
    c.ValuesMatch: values_said.values_match,
    c.UnknownKept: values_said.unknown_kept,
    c.StateGrounded: states_said.state_grounded,
    c.ClaimsBacked: claims_said.claims_backed,
    c.ReportsBacked: reports_said.reports_backed,
    c.ReportsAgree: results_said.reports_agree,
    c.NoUnaskedStep: steps_taken.no_unasked_step,
    c.SelfConsistent: self_said.self_consistent,
    c.AnswersWhenAsked: missed.answers_when_asked,
    c.DoesWhenAsked: missed.does_when_asked,
    c.Raises: unraised.raises,
    c.Tells: unraised.tells,
    c.NoEarlyDisclosure: disclosure.no_early_disclosure,
    c.HeldBack: held_back.held_back,
    c.NoDump: disclosure.no_dump,
    c.NoEarlyStop: stops.no_early_stop,
    c.Insists: goals.insists,
    c.NothingElse: goals.nothing_else,
    c.Refuses: outcomes.refuses,
    c.RefusesFirst: outcomes.refuses_first,
    c.SatisfiedOnly: outcomes.satisfied_only,
    w.OnlyAfter: written.only_after,
    w.StatesOnly: written.states_only,
    w.EndsOnlyWhen: written.ends_only_when,
    w.CalledWith: written.called_with,
}


def grade(trajectory: Trajectory, contract: Contract, rubric: Rubric) -> Grade:
    """All verdicts that rules give on one trajectory; `ungraded` where no rule can decide."""
    tidy()
    ledger = build_ledger(bounded_trajectory(trajectory), bounded_contract(contract))
    return Grade(
        trajectory_id=trajectory.id,
        grader=GRADER,
        rubric_source=rubric.source,
        verdicts=tuple([_verdict(ledger, planned) for planned in _plan(rubric)]),
        protocol=tuple(protocol_notes(ledger)),
    )


_Named = tuple[str, Family, Mode]
"""Id, family and mode of a criterion."""


class _Planned(NamedTuple):
    """How one criterion is answered."""

    named: _Named
    evaluate: _Evaluate | None
    """What answers its check; `None` where only a reader can."""
    check: object


@kept_by_identity(512)
def _plan(rubric: Rubric) -> tuple[_Planned, ...]:
    """How the criteria of a rubric are answered."""
    return tuple(map(_planned, rubric.criteria))


def _planned(criterion: Criterion) -> _Planned:
    check = criterion.check
    evaluate = None if check is None else _EVALUATORS[type(check)]
    return _Planned((criterion.id, criterion.family, criterion.mode), evaluate, check)


def _verdict(ledger: Ledger, planned: _Planned) -> Verdict:
    named, evaluate, check = planned
    if evaluate is None:
        return _ungraded(named, "no_rule: only a reader can decide this")
    if ledger.trajectory.not_auditable:
        return _ungraded(named, f"no_text: {ledger.trajectory.not_auditable}")
    outcome, hits = evaluate(ledger, check)
    if not hits:
        return _bare((named, outcome))
    turn, quotation, reason = hits[0]
    further = tuple(dict.fromkeys(hit.turn for hit in hits if hit.turn != turn))
    found = {"turn": turn, "quotation": quotation, "reason": reason, "further_turns": further}
    return _bare((named, outcome)).model_copy(update=found)


def _ungraded(named: _Named, reason: str) -> Verdict:
    return _bare((named, "ungraded")).model_copy(update={"reason": reason})


@kept_longer(4096)
def _bare(answered: tuple[_Named, Outcome]) -> Verdict:
    """A verdict with no more than its outcome: one record for all trajectories and tasks."""
    (criterion_id, family, mode), outcome = answered
    return Verdict(
        criterion_id=criterion_id, family=family, mode=mode, verdict=outcome, grader=GRADER
    )
