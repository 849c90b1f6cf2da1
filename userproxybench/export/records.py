"""A run folder as JSON lines, one episode each, or as Parquet tables."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import msgspec

from userproxybench.errors import InputError
from userproxybench.store import RunFolder
from userproxybench.store.files import encode

if TYPE_CHECKING:
    import pandas as pd

    from userproxybench.tables import Tables


def jsonl_lines(folder: RunFolder, tables: Tables) -> Iterator[bytes]:
    """One line per episode: trajectory, contract, its row of `episodes`, and its grade.

    The lines are trajectory JSONL with two keys more, so that this package reads them again.
    """
    contracts = folder.contracts()
    grades = {grade.trajectory_id: grade for grade in folder.grades()}
    whole = tables.episodes.astype(object)
    rows = {row["episode_id"]: row for row in whole.where(whole.notna(), None).to_dict("records")}
    for trajectory in folder.trajectories():
        contract, grade = contracts.get(trajectory.contract_hash), grades.get(trajectory.id)
        line = {
            "trajectory": trajectory,
            "contract": None if contract is None else contract.model_dump(exclude_defaults=True),
            "episode": rows.get(trajectory.id),
            "grade": None if grade is None else grade.model_dump(exclude_defaults=True),
        }
        yield encode(msgspec.to_builtins(line)) + b"\n"


def parquet_files(folder: RunFolder, tables: Tables) -> dict[str, bytes]:
    """The tables of a run as Parquet files, by name.

    Raises:
        InputError: pyarrow is not installed.
    """
    frames = {
        "episodes.parquet": tables.episodes,
        "verdicts.parquet": tables.verdicts,
        "protocol.parquet": _protocol(folder),
    }
    return {name: _parquet(frame) for name, frame in frames.items()}


def _protocol(folder: RunFolder) -> pd.DataFrame:
    import pandas as pd

    columns = ("episode_id", "mode", "turn", "quotation", "reason")
    rows = [
        (id_, note.mode, note.turn, note.quotation, note.reason)
        for id_, notes in folder.protocol().items()
        for note in notes
    ]
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.astype({name: "Int64" if name == "turn" else "string" for name in columns})


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = BytesIO()
    try:
        frame.to_parquet(buffer, index=False)
    except ImportError:
        raise InputError(
            "writing Parquet needs pyarrow. Install 'userproxybench[parquet]', or use `--to jsonl`"
        ) from None
    return buffer.getvalue()
