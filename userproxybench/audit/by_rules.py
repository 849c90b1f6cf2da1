"""Grade slices of inputs by rules; runs in this process or in several."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from userproxybench import rules
from userproxybench.audit.batch import Batch, fingerprint
from userproxybench.audit.rubric_sources import RubricOf
from userproxybench.errors import LoadError
from userproxybench.loaders import Episode, Input
from userproxybench.models import Contract, Grade, Rubric, UserTool
from userproxybench.models.exchange import StoredVerdict
from userproxybench.store import contract_line, protocol_line, trajectory_line, verdict_line


class Slice(NamedTuple):
    """Some episodes of one input."""

    input: int
    """Which input."""
    start: int
    """First episode."""
    stop: int
    """One past the last."""


@dataclass
class RuleGrader:
    """Grades slices; one per process."""

    inputs: Sequence[Input]
    """The opened inputs."""
    rubric_of: RubricOf
    """Where rubrics come from."""
    instrument: str
    """Digest of the instrument, part of every verdict's key."""
    done: Mapping[str, str] = field(default_factory=dict)
    """Fingerprints of the trajectories that are graded already, by id."""
    keep: bool = True
    """Whether to make the lines for a run folder."""
    _rubrics: dict[tuple[str, tuple[UserTool, ...]], Rubric | None] = field(default_factory=dict)
    _written: set[str] = field(default_factory=set)

    def __call__(self, part: Slice) -> Batch:
        """Grade one slice, one parsed conversation at a time."""
        batch = Batch()
        packed = _Packed()
        for item in self.inputs[part.input].episodes(part.start, part.stop):
            if isinstance(item, LoadError):
                batch.problems.append(str(item))
            elif item.trajectory.id not in self.done:
                self._grade(item, batch, packed)
            elif self.done[item.trajectory.id] == fingerprint(item.trajectory):
                batch.reused += 1
            else:
                batch.changed.append(item.trajectory.id)
        packed.finish(batch)
        return batch

    def is_whole(self, grade: Grade | None, contract: Contract) -> bool:
        """Whether a grade answers every criterion of the rubric, if there is one."""
        rubric = self._rubric(contract)
        if rubric is None or grade is None:
            return rubric is None
        answered = {verdict.criterion_id for verdict in grade.verdicts}
        return answered.issuperset(criterion.id for criterion in rubric.criteria)

    def again(self, episode: Episode, batch: Batch) -> None:
        """Grade an episode of the run folder that lacks verdicts there."""
        grade = self._answered(episode, self._rubric(episode.contract))
        batch.add(*episode, grade)
        if isinstance(grade, Grade) and grade.verdicts:
            packed = _Packed()
            packed.add(grade, f"{self.instrument}{fingerprint(episode.trajectory)}")
            batch.lines.verdicts += b"".join(packed.verdicts)
            batch.lines.protocol += b"".join(packed.protocol)

    def _answered(self, episode: Episode, rubric: Rubric | None) -> Grade | None:
        return None if rubric is None else rules.grade(*episode, rubric)

    def _grade(self, episode: Episode, batch: Batch, packed: _Packed) -> None:
        trajectory, contract = episode
        rubric = None if trajectory.not_auditable else self._rubric(contract)
        grade = self._answered(episode, rubric)
        batch.add(trajectory, contract, grade)
        if not self.keep:
            return
        if contract.hash not in self._written:
            self._written.add(contract.hash)
            packed.trajectories.append(contract_line(contract))
            if rubric is not None:
                key = (contract.domain, contract.task_id, contract.hash)
                batch.lines.rubrics[key] = _rubric_file(rubric)
        packed.trajectories.append(trajectory_line(trajectory))
        if grade is not None:
            packed.add(grade, f"{self.instrument}{fingerprint(trajectory)}")

    def _rubric(self, contract: Contract) -> Rubric | None:
        key = (contract.hash, contract.user_tools)
        if key not in self._rubrics:
            self._rubrics[key] = self.rubric_of(contract)
        return self._rubrics[key]


class _Packed:
    """Lines of one slice as they pile up."""

    def __init__(self) -> None:
        self.trajectories: list[bytes] = []
        self.verdicts: list[bytes] = []
        self.protocol: list[bytes] = []

    def add(self, grade: Grade, basis: str) -> None:
        for verdict in grade.verdicts:
            text = f"{basis}{verdict.criterion_id}".encode("utf-8", "surrogatepass")
            key = hashlib.sha256(text).hexdigest()[:32]
            stored = StoredVerdict(key=key, trajectory_id=grade.trajectory_id, verdict=verdict)
            self.verdicts.append(verdict_line(stored))
        if grade.protocol:
            self.protocol.append(protocol_line(grade.trajectory_id, grade.protocol))

    def finish(self, batch: Batch) -> None:
        lines = batch.lines
        if self.trajectories:
            lines.trajectories = gzip.compress(b"".join(self.trajectories), 1, mtime=0)
        lines.verdicts = b"".join(self.verdicts)
        lines.protocol = b"".join(self.protocol)


def _rubric_file(rubric: Rubric) -> bytes:
    return rubric.model_dump_json(indent=2, exclude_defaults=True).encode("utf-8") + b"\n"


def slices(inputs: Sequence[Input], jobs: int, *, most: int = 200) -> list[Slice]:
    """The inputs cut into slices: enough of them to keep all processes busy to the end."""
    total = sum(len(item) for item in inputs)
    size = max(1, min(most, -(-total // (24 * jobs)) if jobs > 1 else most))
    return [
        Slice(number, start, min(start + size, len(item)))
        for number, item in enumerate(inputs)
        for start in range(0, len(item), size)
    ]
