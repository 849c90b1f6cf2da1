"""One record, one line: how each record stands in the files of a run folder."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from userproxybench.models import Contract, ProtocolNote, Trajectory
from userproxybench.models.exchange import StoredVerdict
from userproxybench.store.files import encode


class ProtocolLine(msgspec.Struct):
    """One line of `protocol.jsonl`."""

    trajectory_id: str
    """`Trajectory.id`."""
    notes: list[dict[str, object]]
    """Its notes."""


def contract_line(contract: Contract) -> bytes:
    """One line of `trajectories.jsonl.gz`."""
    return b'{"contract":' + encode(contract.model_dump(exclude_defaults=True)) + b"}\n"


def trajectory_line(trajectory: Trajectory) -> bytes:
    """One line of `trajectories.jsonl.gz`."""
    return b'{"trajectory":' + encode(trajectory) + b"}\n"


def verdict_line(verdict: StoredVerdict) -> bytes:
    """One line of `verdicts.jsonl`."""
    return encode(verdict.model_dump(exclude_defaults=True)) + b"\n"


def protocol_line(trajectory_id: str, notes: Sequence[ProtocolNote]) -> bytes:
    """One line of `protocol.jsonl`."""
    return encode(ProtocolLine(trajectory_id, [note.model_dump() for note in notes])) + b"\n"


def protocol_of(line: bytes) -> tuple[str, tuple[ProtocolNote, ...]]:
    """Trajectory id and notes of one line of `protocol.jsonl`."""
    found = msgspec.json.decode(line, type=ProtocolLine)
    return found.trajectory_id, tuple(ProtocolNote.model_validate(note) for note in found.notes)
