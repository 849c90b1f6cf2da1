"""What an audit leaves behind, and what it finds there when it is continued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from userproxybench.audit.batch import Batch, fingerprint
from userproxybench.audit.by_rules import RuleGrader
from userproxybench.loaders import Episode
from userproxybench.store import RunFolder, rubric_path
from userproxybench.tables import csv_text

if TYPE_CHECKING:
    import pandas as pd

    from userproxybench.analysis.summary import Summary


def read_back(folder: RunFolder, grader: RuleGrader) -> tuple[Batch, dict[str, str]]:
    """The episodes on file, and their fingerprints by id.

    One that lacks verdicts there (no rubric, verdicts lost) is put to the grader again, from what
    is on file; so a second audit neither writes it twice nor forgets it.
    """
    batch = Batch()
    done: dict[str, str] = {}
    grades = {grade.trajectory_id: grade for grade in folder.grades()}
    contracts = folder.contracts()
    for trajectory in folder.trajectories():
        contract = contracts.get(trajectory.contract_hash)
        grade = grades.get(trajectory.id)
        if trajectory.not_auditable or contract is None or grader.is_whole(grade, contract):
            batch.add(trajectory, contract, grade)
        else:
            grader.again(Episode(trajectory, contract), batch)
        done[trajectory.id] = fingerprint(trajectory)
    folder.append_lines("verdicts.jsonl", batch.lines.verdicts)
    folder.append_lines("protocol.jsonl", batch.lines.protocol)
    return batch, done


def write_batches(folder: RunFolder, batches: Iterable[Batch]) -> None:
    """Put the lines of batches on file while they come in.

    Verdicts are on disk batch by batch; trajectories appear once all batches are through, and
    an episode counts as finished when both are there.
    """
    folder.add_packed(_packed(folder, batches))


def _packed(folder: RunFolder, batches: Iterable[Batch]) -> Iterator[bytes]:
    for batch in batches:
        folder.append_lines("verdicts.jsonl", batch.lines.verdicts)
        folder.append_lines("protocol.jsonl", batch.lines.protocol)
        for key, content in batch.lines.rubrics.items():
            _write_rubric(folder, key, content)
        yield batch.lines.trajectories


def _write_rubric(folder: RunFolder, key: tuple[str, str, str], content: bytes) -> None:
    """A second contract for one task (other guidelines) puts its rubric beside the first."""
    domain, task_id, contract_hash = key
    for name in (task_id, f"{task_id}@{contract_hash}"):
        path = rubric_path(folder.path / "rubrics", domain, name)
        if not path.exists():
            folder.write(str(path.relative_to(folder.path)), content)
            return
        if path.read_bytes() == content:
            return


def write_tables(folder: RunFolder, frames: dict[str, pd.DataFrame], summary: Summary) -> None:
    """CSV of each frame, Parquet where pyarrow is there, and `summary.json`."""
    for name, frame in frames.items():
        folder.write(f"{name}.csv", csv_text(frame))
        if find_spec("pyarrow") is not None:
            buffer = BytesIO()
            frame.to_parquet(buffer, index=False)
            folder.write(f"{name}.parquet", buffer.getvalue())
    folder.write("summary.json", summary.model_dump_json(indent=2) + "\n")
