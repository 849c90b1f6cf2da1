"""What grading gave: parts as they come in, and the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from userproxybench.grading.cases import GradingTask
from userproxybench.models import Grade, GradingFailure
from userproxybench.models.exchange import StoredVerdict
from userproxybench.replies import combine_samples


class Flips(NamedTuple):
    """How often repeated samples of one question did not agree."""

    questions: int = 0
    """Questions with two or more answers."""
    flipped: int = 0
    """Of these, questions whose answers were not all the same."""

    @property
    def rate(self) -> float | None:
        """Share that flipped; `None` without repeated answers."""
        return self.flipped / self.questions if self.questions else None


class GradingRun(NamedTuple):
    """What grading gave, and how it went."""

    grades: tuple[Grade, ...]
    """One per gradable trajectory, in the order given, one verdict per criterion."""
    failures: tuple[GradingFailure, ...]
    """Trajectories with nothing to grade."""
    reused: int
    """Verdicts found on file."""
    by_rules: int
    """Verdicts that rules gave."""
    by_model: int
    """Verdicts that the model was asked for."""
    redacted_turns: int
    """User turns in which a model's name was withheld."""
    flips: Flips
    """Agreement of repeated samples."""
    uncached: int
    """Trajectories whose prompt prefix is too short for the provider's cache."""
    calls: int = 0
    """Replies received in this run."""
    notes: tuple[str, ...] = ()
    """Lines for people."""


class Part(NamedTuple):
    """What one piece of work gave."""

    trajectory_id: str
    """What it is about."""
    verdicts: tuple[StoredVerdict, ...] = ()
    """Verdicts given, reused or by rules."""
    reused: int = 0
    """Of these, how many were on file."""
    by_rules: int = 0
    """Of these, how many rules gave."""
    redacted_turns: int = 0
    """User turns with a name withheld."""
    uncached: bool = False
    """The prefix is too short for the provider's cache."""
    failure: GradingFailure | None = None
    """Why there was nothing to grade."""


def collected(tasks: Sequence[GradingTask], parts: Sequence[Part], grader: str) -> GradingRun:
    """The parts put together, in the order of the tasks."""
    answers: dict[str, dict[str, list[StoredVerdict]]] = defaultdict(lambda: defaultdict(list))
    for part in parts:
        for stored in part.verdicts:
            answers[part.trajectory_id][stored.verdict.criterion_id].append(stored)
    failures = tuple(part.failure for part in parts if part.failure is not None)
    by_rules = sum(part.by_rules for part in parts)
    return GradingRun(
        grades=tuple(
            _grade(task, answers[task.trajectory.id], grader)
            for task in tasks
            if task.trajectory.id in answers
        ),
        failures=failures,
        reused=sum(part.reused for part in parts),
        by_rules=by_rules,
        by_model=sum(len(part.verdicts) for part in parts) - by_rules,
        redacted_turns=sum(part.redacted_turns for part in parts),
        flips=_flips(criterion for each in answers.values() for criterion in each.values()),
        uncached=sum(part.uncached for part in parts),
    )


def _grade(task: GradingTask, answers: dict[str, list[StoredVerdict]], grader: str) -> Grade:
    verdicts = []
    for item in task.rubric.criteria:
        samples = sorted(answers[item.id], key=lambda stored: stored.sample)
        verdicts.append(combine_samples([stored.verdict for stored in samples]))
    return Grade(
        trajectory_id=task.trajectory.id,
        grader=grader,
        rubric_source=task.rubric.source,
        verdicts=tuple(verdicts),
    )


def _flips(questions: Iterable[Sequence[StoredVerdict]]) -> Flips:
    total = flipped = 0
    for samples in questions:
        outcomes = [
            stored.verdict.verdict for stored in samples if stored.verdict.verdict != "ungraded"
        ]
        total += len(outcomes) > 1
        flipped += len(set(outcomes)) > 1
    return Flips(total, flipped)
