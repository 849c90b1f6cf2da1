"""Answers to criteria, and what is noted beside them."""

from __future__ import annotations

from typing import Literal

from userproxybench.models.contract import Record
from userproxybench.models.rubric import RubricSource
from userproxybench.models.taxonomy import Family, Mode, ProtocolMode

Outcome = Literal["pass", "fail", "not_applicable", "ungraded"]
UngradedReason = Literal[
    "no_text",
    "format",
    "refusal",
    "content_filter",
    "cut_off",
    "overflow",
    "unsupported_quotation",
    "transport",
    "budget",
    "no_rule",
    "samples_disagree",
]
"""Why there is no answer. None of these is ever a pass or a fail."""


class Verdict(Record):
    """The answer to one criterion on one trajectory by one grader."""

    criterion_id: str
    """Criterion within its rubric."""
    family: Family
    """Family of the criterion."""
    mode: Mode
    """Mode of the criterion."""
    verdict: Outcome
    """The answer."""
    turn: int | None = None
    """Message index of the user turn that decides it; required for a fail."""
    quotation: str = ""
    """Words that occur verbatim in that turn (a tool name on a pure tool turn)."""
    reason: str = ""
    """Why, in a sentence a person accepts; for `ungraded` an `UngradedReason` and detail."""
    grader: str = ""
    """Who answered: `rules`, a model name, `human`, `replay`."""
    further_turns: tuple[int, ...] = ()
    """Later user turns at which the same criterion fails again."""


class ProtocolNote(Record):
    """A fault of form at one user turn; beside UFS, never inside."""

    mode: ProtocolMode
    """Which fault."""
    turn: int
    """Message index."""
    quotation: str = ""
    """Words or tool name that show it."""
    reason: str = ""
    """Why it is one."""


class Grade(Record):
    """All verdicts on one trajectory by one grader: exactly one per criterion."""

    trajectory_id: str
    """`Trajectory.id`."""
    grader: str
    """Who graded."""
    rubric_source: RubricSource
    """Which rubric."""
    verdicts: tuple[Verdict, ...]
    """One per criterion of the rubric, in its order."""
    protocol: tuple[ProtocolNote, ...] = ()
    """Protocol notes, where the grader looks for them."""


class GradingFailure(Record):
    """A trajectory that could not be graded at all. Never a pass, never a fail."""

    trajectory_id: str
    """`Trajectory.id`."""
    grader: str
    """Who should have graded."""
    reason: UngradedReason
    """Why not."""
    detail: str = ""
    """One line for people."""
