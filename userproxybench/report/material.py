"""What a report is made of: plain records, read by someone else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from userproxybench.models import Contract, Criterion, Grade, Rubric, Trajectory

if TYPE_CHECKING:
    from userproxybench.analysis import Analysis, Summary
    from userproxybench.tables import Tables


@dataclass(frozen=True)
class Reading:
    """What one instrument answered."""

    grader: str
    """`rules`, a model name, or both joined."""
    rubric_source: str
    """Which rubrics."""
    grades: Mapping[str, Grade]
    """Its grades by episode id."""
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    """Its rubrics by contract hash."""

    @property
    def name(self) -> str:
        """The instrument in words."""
        return f"{self.grader} on {self.rubric_source} rubrics"

    def criteria(self, contract_hash: str) -> dict[str, Criterion]:
        """The criteria of one task by id."""
        rubric = self.rubrics.get(contract_hash)
        return {} if rubric is None else {item.id: item for item in rubric.criteria}


@dataclass(frozen=True)
class LabelledTurn:
    """What a person says of one user turn."""

    turn: int
    """Message index."""
    modes: tuple[str, ...] = ()
    """Modes that are right for it; empty: all."""
    why: str = ""
    """The labeller's words."""


@dataclass(frozen=True)
class Labels:
    """What people say of one conversation."""

    certain: bool
    """Whether the label counts."""
    violations: tuple[LabelledTurn, ...] = ()
    """Violations they see."""
    tolerated: tuple[LabelledTurn, ...] = ()
    """Findings that count neither way."""


@dataclass(frozen=True)
class Material:
    """One report."""

    version: str
    """Version of the package that graded."""
    inputs: tuple[str, ...]
    """Names of the dumps."""
    tables: Tables
    """The frames."""
    summary: Summary
    """The content of `summary.json`."""
    analysis: Analysis
    """Every result."""
    main: Reading
    """The instrument that the report is about."""
    trajectories: Sequence[Trajectory]
    """All conversations."""
    contracts: Mapping[str, Contract]
    """Contracts by hash."""
    others: tuple[Reading, ...] = ()
    """Further instruments, to compare it with."""
    labels: Mapping[str, Labels] = field(default_factory=dict)
    """Labels of people by episode id."""
    unscored: Mapping[str, str] = field(default_factory=dict)
    """Why an episode has no score, by episode id."""
    warnings: tuple[str, ...] = ()
    """What a reader must know before using the numbers."""
    notes: tuple[str, ...] = ()
    """What was assumed."""
