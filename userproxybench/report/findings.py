"""What each grader, person or earlier review found in an episode, in one form to compare by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from userproxybench.models import Grade, Trajectory, Verdict
from userproxybench.report.material import LabelledTurn, Labels

REVIEW = "tau2 review"
"""Name of the review that a dump carries."""
PEOPLE = "human labels"
"""Name of what people say."""


@dataclass(frozen=True)
class Finding:
    """One violation that somebody sees at one user turn."""

    turns: tuple[int | None, ...]
    """Message indices that count as its place; the first is where it is shown."""
    what: tuple[str, ...]
    """Mode, accepted modes, or tags."""
    reason: str = ""
    """Why."""
    quotation: str = ""
    """Words of the turn."""
    criterion: str = ""
    """Criterion it answers, where there is one."""

    @property
    def turn(self) -> int | None:
        """Where it is shown."""
        return self.turns[0]

    def meets(self, other: Finding) -> bool:
        """Whether both speak of one turn."""
        return any(turn in other.turns for turn in self.turns if turn is not None)


def of_grade(grade: Grade) -> tuple[Finding, ...]:
    """The failed criteria of a grade."""
    failed = (verdict for verdict in grade.verdicts if verdict.verdict == "fail")
    return tuple(map(of_verdict, failed))


def of_verdict(verdict: Verdict) -> Finding:
    """One failed criterion."""
    return Finding(
        turns=(verdict.turn, *verdict.further_turns),
        what=(verdict.mode,),
        reason=verdict.reason,
        quotation=verdict.quotation,
        criterion=verdict.criterion_id,
    )


def of_review(trajectory: Trajectory) -> tuple[Finding, ...]:
    """What the dump's own review says of the user."""
    return tuple(
        Finding(
            turns=(one.turn,),
            what=(*one.tags, *((one.severity,) if one.severity else ())),
            reason=one.reasoning,
        )
        for one in trajectory.review
    )


def of_labels(labels: Labels) -> tuple[Finding, ...]:
    """Violations that people see."""
    return tuple(Finding((one.turn,), one.modes, one.why) for one in labels.violations)


def untolerated(findings: Iterable[Finding], labels: Labels) -> tuple[Finding, ...]:
    """Findings that count against labels: those at tolerated places do not, either way."""
    return tuple(one for one in findings if not any(_is(one, at) for at in labels.tolerated))


def _is(finding: Finding, place: LabelledTurn) -> bool:
    named = not place.modes or bool(set(finding.what) & set(place.modes))
    return named and finding.turn == place.turn
