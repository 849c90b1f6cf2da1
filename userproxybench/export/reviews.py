"""Findings as tau2 v1 keeps them: `user_only_review` of a simulation.

tau2 1.0 stores only the severities `minor` and `critical`, and loses a whole review that says more.
How far a violation moved the outcome is not judged here: every finding is written as `minor`,
which every version reads, and the summary says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from userproxybench.models import Criterion, Grade, Mode, Trajectory, Verdict
from userproxybench.store import RunFolder, read_rubric, rubric_files

TAGS: Mapping[Mode, tuple[str, ...]] = {
    "unsupported_personal_fact": ("hallucination",),
    "unsupported_device_state": ("hallucination",),
    "unexecuted_action_claim": ("hallucination",),
    "fabricated_tool_result": ("hallucination",),
    "contradicts_tool_result": ("incorrect_interpretation",),
    "contradicts_blueprint": ("guideline_violation",),
    "self_contradiction": ("inconsistent_behavior",),
    "invents_unknown_info": ("hallucination",),
    "volunteers_unasked_info": ("revealed_info_early",),
    "preempts_diagnosis": ("revealed_info_early", "wrong_sequence"),
    "dumps_blueprint": ("revealed_info_early",),
    "premature_stop": ("premature_termination",),
    "accepts_forbidden_outcome": ("guideline_violation",),
    "accepts_insufficient_outcome": ("premature_termination",),
    "abandons_goal": ("missed_required_action",),
    "pursues_unlisted_goal": ("guideline_violation",),
    "withholds_requested_info": ("missed_required_action",),
    "skips_requested_action": ("missed_required_action",),
    "omits_required_request": ("missed_required_action",),
}
"""tau2's error tags for each mode."""
SEVERITY = "minor"
Review = dict[str, object]


@dataclass(frozen=True)
class Audited:
    """One episode of a run folder with its grade."""

    trajectory: Trajectory
    """The conversation."""
    grade: Grade
    """The answers."""
    criteria: Mapping[str, Criterion]
    """What was asked, by criterion id."""


def audited(folder: RunFolder) -> Iterator[Audited]:
    """Every graded episode of a run folder."""
    grades = {grade.trajectory_id: grade for grade in folder.grades()}
    place = folder.path / "rubrics"
    rubrics = map(read_rubric, rubric_files(place) if place.is_dir() else [])
    criteria = {one.contract_hash: {item.id: item for item in one.criteria} for one in rubrics}
    for trajectory in folder.trajectories():
        grade = grades.get(trajectory.id)
        if grade is not None:
            known = criteria.get(trajectory.contract_hash, {})
            yield Audited(trajectory, grade, known)


def review_of(episode: Audited, first_tick: Mapping[int, int] | None = None) -> Review:
    """`user_only_review` of one episode; with `first_tick` turns are given as voice ticks."""
    failed = [one for one in episode.grade.verdicts if one.verdict == "fail"]
    errors = [error for one in failed for error in _errors(one, episode.criteria, first_tick)]
    return {
        "summary": _summary(episode.grade),
        "user_error": bool(errors),
        "critical_user_error": False,
        "has_errors": bool(errors),
        "errors": errors,
        "cost": None,
    }


def _errors(
    verdict: Verdict, criteria: Mapping[str, Criterion], first_tick: Mapping[int, int] | None
) -> Iterator[Review]:
    """One error for each turn at which a criterion fails."""
    criterion = criteria.get(verdict.criterion_id)
    for turn in (verdict.turn, *verdict.further_turns):
        tick = None if first_tick is None or turn is None else first_tick.get(turn)
        yield {
            "source": "user",
            "error_type": "content_error",
            "error_tags": list(TAGS[verdict.mode]),
            "severity": SEVERITY,
            "turn_idx": turn if first_tick is None else None,
            "tick_start": tick,
            "tick_end": tick,
            "reasoning": f"{verdict.mode}: {verdict.reason or 'the criterion is not met'}",
            "user_message": verdict.quotation or None if turn == verdict.turn else None,
            "correct_behavior": None if criterion is None else criterion.statement,
        }


def _summary(grade: Grade) -> str:
    counts = {
        name: sum(verdict.verdict == name for verdict in grade.verdicts)
        for name in ("pass", "fail", "not_applicable", "ungraded")
    }
    return (
        f"userproxybench, grader {grade.grader} on {grade.rubric_source} rubrics: "
        f"{counts['fail']} criteria failed, {counts['pass']} passed, "
        f"{counts['not_applicable']} did not apply, {counts['ungraded']} have no answer. "
        "Severity is not judged: every finding is marked minor."
    )
