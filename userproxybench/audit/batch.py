"""What one slice of an input comes to: rows and finished lines, cheap to send between processes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from userproxybench.loaders import ProxyIdentity
from userproxybench.models import Contract, Grade, GradingFailure, ProtocolMode, Source, Trajectory
from userproxybench.replies import ungraded_reason
from userproxybench.store.files import encode
from userproxybench.tables import EpisodeRow, episode_row, no_verdicts, verdict_columns

NOTHING_APPLIED = "no criterion applied"
NO_RUBRIC = "no rubric for this task"


class ProtocolRow(NamedTuple):
    """One row of `protocol.csv`."""

    episode_id: str
    """`Trajectory.id`."""
    mode: ProtocolMode
    """Which fault of form."""
    turn: int
    """Message index."""
    quotation: str
    """Words that show it."""
    reason: str
    """Why it is one."""


NOWHERE = Source("", 0)


def fingerprint(trajectory: Trajectory) -> str:
    """Digest of a trajectory, wherever it was read."""
    return hashlib.sha256(encode(msgspec.structs.replace(trajectory, source=NOWHERE))).hexdigest()[
        :16
    ]


@dataclass
class Lines:
    """Finished content for the files of a run folder."""

    trajectories: bytes = b""
    """A gzip member with the lines of contracts and trajectories."""
    verdicts: bytes = b""
    """Lines of `verdicts.jsonl`."""
    protocol: bytes = b""
    """Lines of `protocol.jsonl`."""
    rubrics: dict[tuple[str, str, str], bytes] = field(default_factory=dict)
    """Rubric files by domain, task id and contract hash."""


@dataclass
class Batch:
    """Rows of some episodes, and what is to be said about them."""

    episodes: list[EpisodeRow] = field(default_factory=list)
    """One row per episode, proxies under the names their inputs give them."""
    identities: list[ProxyIdentity] = field(default_factory=list)
    """Who the proxy of each episode is."""
    verdicts: tuple[list[object], ...] = field(default_factory=no_verdicts)
    """One list per column: rows would take twice the room, and ten times as long to send."""
    protocol: list[ProtocolRow] = field(default_factory=list)
    """One row per protocol note."""
    unjudged: list[str] = field(default_factory=list)
    """Why each episode has no score; empty for one that has."""
    notes: Counter[str] = field(default_factory=Counter)
    """What had to be assumed, per episode."""
    problems: list[str] = field(default_factory=list)
    """One line for each item that could not be read."""
    reused: int = 0
    """Episodes left out because they were graded before."""
    changed: list[str] = field(default_factory=list)
    """Episodes that were graded before and have changed since."""
    lines: Lines = field(default_factory=Lines)
    """What goes on file."""

    def add(
        self,
        trajectory: Trajectory,
        contract: Contract | None,
        grade: Grade | GradingFailure | None,
    ) -> None:
        """Tabulate one episode; one with nothing to read is unscorable, not a grader's failure."""
        textless = isinstance(grade, GradingFailure) and grade.reason == "no_text"
        row = episode_row(trajectory, contract, None if textless else grade)
        self.episodes.append(row)
        self.identities.append(
            ProxyIdentity(
                trajectory.proxy, trajectory.proxy_settings_hash, trajectory.proxy_identity
            )
        )
        for column, answers in zip(self.verdicts, verdict_columns(grade), strict=True):
            column.extend(answers)
        if isinstance(grade, Grade):
            self.protocol.extend(
                ProtocolRow(trajectory.id, note.mode, note.turn, note.quotation, note.reason)
                for note in grade.protocol
            )
        for note in (*trajectory.notes, *(() if contract is None else contract.notes)):
            self.notes[note] += 1
        self.unjudged.append("" if row.status == "scored" else why_unscored(trajectory, grade))


def why_unscored(trajectory: Trajectory, grade: Grade | GradingFailure | None) -> str:
    """Why an episode has no score, in words for people."""
    if trajectory.not_auditable:
        return trajectory.not_auditable
    if grade is None:
        return NO_RUBRIC
    if isinstance(grade, GradingFailure):
        return grade.detail if grade.reason == "no_text" else f"grader failed: {grade.reason}"
    reasons: Sequence[str | None] = [
        ungraded_reason(verdict) for verdict in grade.verdicts if verdict.verdict == "ungraded"
    ]
    if not reasons:
        return NOTHING_APPLIED
    return "criteria without an answer: " + ", ".join(sorted({reason or "?" for reason in reasons}))
