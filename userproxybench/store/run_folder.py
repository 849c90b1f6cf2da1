"""One run folder: trajectories, verdicts and raw replies, each on disk before it counts."""

from __future__ import annotations

import gzip
import shutil
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self, TypeVar

import filelock
import msgspec

from userproxybench.errors import RunFolderError
from userproxybench.models import (
    Contract,
    Grade,
    ProtocolNote,
    Trajectory,
    UngradedReason,
    Verdict,
)
from userproxybench.models.exchange import Reply, StoredVerdict
from userproxybench.replies import combine_samples, is_final, ungraded_reason
from userproxybench.store.files import (
    AppendLog,
    Config,
    clear_parts,
    made_folder,
    read_config,
    read_lines,
    replace_file,
    resumed_config,
    take_lock,
)
from userproxybench.store.lines import (
    contract_line,
    protocol_line,
    protocol_of,
    trajectory_line,
    verdict_line,
)
from userproxybench.store.replies_log import ReplyLine, reply_line
from userproxybench.store.spending import Spending, spending_of

T = TypeVar("T")


class _TrajectoryLine(msgspec.Struct, omit_defaults=True):
    """One line of `trajectories.jsonl.gz`."""

    contract: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    trajectory: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Id(msgspec.Struct):
    """A trajectory of which only the id matters."""

    id: str


class RunFolder:
    """One run folder, open for writing (`create_or_resume`) or for reading (`open`)."""

    def __init__(self, path: Path, config: Config) -> None:
        self.path = path
        self.config = config
        self._lock: filelock.BaseFileLock | None = None
        self._logs: dict[str, AppendLog] = {}
        self._log_guard = threading.Lock()
        self._answers: dict[str, Verdict] | None = None
        self._answers_guard = threading.Lock()
        self._places: set[tuple[str, str]] = set()

    @classmethod
    def create_or_resume(
        cls, path: Path, instrument: Mapping[str, object], *, inputs: Sequence[str] = ()
    ) -> Self:
        """Open for writing; refuses another instrument's folder and one that is being written."""
        made_folder(path)
        lock = take_lock(path)
        try:
            clear_parts(path)
            config = resumed_config(path, instrument, inputs)
            folder = cls(path, config)
            folder.write("config.json", msgspec.json.format(msgspec.json.encode(config)))
        except BaseException:
            lock.release()
            raise
        folder._lock = lock
        return folder

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open for reading; works beside a running writer."""
        return cls(path, read_config(path))

    def close(self) -> None:
        """Give the folder free."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, name: str, content: bytes | str) -> Path:
        """Write one file of the folder whole or not at all."""
        data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
        target = self.path / name
        replace_file(target, lambda file: file.write(data))
        return target

    # trajectories

    def write_trajectories(
        self, trajectories: Iterable[Trajectory], contracts: Iterable[Contract]
    ) -> int:
        """Add the trajectories and contracts not yet on file; returns how many were added."""
        target = self.path / "trajectories.jsonl.gz"
        known = {line.id for line in self._decoded(_Id)}
        bound = set(self.contracts())
        added = 0

        def fill(file: BinaryIO) -> None:
            nonlocal added
            if target.exists():
                with target.open("rb") as old:
                    shutil.copyfileobj(old, file)
            with gzip.GzipFile("", "wb", 1, file, mtime=0) as packed:
                for contract in contracts:
                    if contract.hash not in bound:
                        bound.add(contract.hash)
                        packed.write(contract_line(contract))
                for trajectory in trajectories:
                    if trajectory.id not in known:
                        known.add(trajectory.id)
                        added += 1
                        packed.write(trajectory_line(trajectory))

        replace_file(target, fill)
        return added

    def add_packed(self, members: Iterable[bytes]) -> None:
        """Add gzip members with finished lines of trajectories that are not on file yet.

        The members may be made while they are asked for: until the last one is written, the file
        stays as it was.
        """
        target = self.path / "trajectories.jsonl.gz"

        def fill(file: BinaryIO) -> None:
            if target.exists():
                with target.open("rb") as old:
                    shutil.copyfileobj(old, file)
            for member in members:
                file.write(member)

        replace_file(target, fill)

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory on file once, in the order it was written."""
        seen: set[str] = set()
        for trajectory in self._decoded(Trajectory):
            if trajectory.id not in seen:
                seen.add(trajectory.id)
                yield trajectory

    def contracts(self) -> dict[str, Contract]:
        """Every contract on file by its hash."""
        with self._sound():
            found = [
                Contract.model_validate_json(bytes(line.contract))
                for line in self._lines_of_trajectories()
                if line.contract is not msgspec.UNSET
            ]
        return {contract.hash: contract for contract in found}

    def _decoded(self, kind: type[T]) -> Iterator[T]:
        decoder = msgspec.json.Decoder(kind)
        with self._sound():
            for line in self._lines_of_trajectories():
                if line.trajectory is not msgspec.UNSET:
                    yield decoder.decode(line.trajectory)

    def _lines_of_trajectories(self) -> Iterator[_TrajectoryLine]:
        path = self.path / "trajectories.jsonl.gz"
        decoder = msgspec.json.Decoder(_TrajectoryLine)
        if not path.exists():
            return
        with gzip.open(path) as file:
            yield from map(decoder.decode, file)

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Damage of the trajectories is one line."""
        try:
            yield
        except (EOFError, OSError, zlib.error, ValueError) as error:
            path = self.path / "trajectories.jsonl.gz"
            found = " ".join(str(error).split())
            raise RunFolderError(
                f"{path}: cannot be read ({found:.120}). Delete this file and run the audit again: "
                "the verdicts are kept apart and are found again"
            ) from error

    # verdicts

    def append_verdicts(self, verdicts: Iterable[StoredVerdict]) -> None:
        """Put verdicts on disk; returns when they are there. One fsync per call."""
        self.append_lines("verdicts.jsonl", b"".join(map(verdict_line, verdicts)))

    def append_lines(self, name: str, lines: bytes) -> None:
        """Put finished lines on disk; returns when they are there. One fsync per call."""
        if lines:
            self._log(name).append(lines)

    def add(self, verdict: StoredVerdict) -> None:
        """Write one verdict and remember it for `find`; it counts after `flush`.

        One that stands on file in this place already is not written again.
        """
        answers = self._remembered()
        place = (verdict.key, verdict.trajectory_id)
        if place in self._places and answers.get(verdict.key) == verdict.verdict:
            return
        self._log("verdicts.jsonl").write(verdict_line(verdict))
        self._places.add(place)
        if is_final(verdict.verdict):
            answers[verdict.key] = verdict.verdict

    def note_reply(self, key: str, role: str, reply: Reply) -> None:
        """Write one raw reply; it is safe after `flush`."""
        self._log("replies.jsonl").write(reply_line(key, role, reply))

    def flush(self) -> None:
        """Put everything on disk that was written so far, replies before verdicts."""
        for name in ("replies.jsonl", "verdicts.jsonl"):
            if name in self._logs:
                self._logs[name].sync()

    def add_reply(self, key: str, role: str, reply: Reply) -> None:
        """Put one raw reply on disk."""
        self._log("replies.jsonl").append(reply_line(key, role, reply))

    def find(self, key: str) -> Verdict | None:
        """The answer already on file under this key, unless it is one to try again."""
        return self._remembered().get(key)

    def forget(self, reasons: Iterable[UngradedReason]) -> int:
        """Let `find` miss the verdicts left `ungraded` for these reasons; returns how many."""
        answers = self._remembered()
        named = tuple(reasons)
        stale = [key for key, verdict in answers.items() if ungraded_reason(verdict) in named]
        for key in stale:
            del answers[key]
        return len(stale)

    def verdicts(self) -> list[StoredVerdict]:
        """The verdicts on file: the last one for each trajectory, criterion and sample."""
        latest: dict[tuple[str, str, int], StoredVerdict] = {}
        path = self.path / "verdicts.jsonl"
        for stored in read_lines(path, StoredVerdict.model_validate_json):
            place = (stored.trajectory_id, stored.verdict.criterion_id, stored.sample)
            latest[place] = stored
        return list(latest.values())

    def grades(self) -> list[Grade]:
        """One grade per trajectory with verdicts on file, repeated samples combined."""
        answers: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
        for stored in self.verdicts():
            answers[stored.trajectory_id][stored.verdict.criterion_id].append(stored.verdict)
        notes = self.protocol()
        return [
            Grade(
                trajectory_id=trajectory_id,
                grader=str(self.config.instrument.get("grader", "")),
                rubric_source=str(self.config.instrument.get("rubrics", "")),
                verdicts=tuple(combine_samples(samples) for samples in criteria.values()),
                protocol=notes.get(trajectory_id, ()),
            )
            for trajectory_id, criteria in answers.items()
        ]

    def append_protocol(self, notes: Mapping[str, Sequence[ProtocolNote]]) -> None:
        """Put the protocol notes of some trajectories on disk. One fsync per call."""
        lines = [protocol_line(trajectory_id, found) for trajectory_id, found in notes.items()]
        self.append_lines("protocol.jsonl", b"".join(lines))

    def protocol(self) -> dict[str, tuple[ProtocolNote, ...]]:
        """The protocol notes of each trajectory."""
        return dict(read_lines(self.path / "protocol.jsonl", protocol_of))

    def replies(self) -> Iterator[ReplyLine]:
        """Every raw reply on file."""
        decoder = msgspec.json.Decoder(ReplyLine)
        return read_lines(self.path / "replies.jsonl", decoder.decode)

    def spending(self) -> list[Spending]:
        """What every role has cost over the life of this folder."""
        by_role: dict[str, list[Reply]] = defaultdict(list)
        for line in self.replies():
            by_role[line.role].append(line.reply)
        return [spending_of(role, replies) for role, replies in sorted(by_role.items())]

    def _remembered(self) -> dict[str, Verdict]:
        with self._answers_guard:
            if self._answers is None:
                on_file = self.verdicts()
                self._places = {(stored.key, stored.trajectory_id) for stored in on_file}
                self._answers = {
                    stored.key: stored.verdict for stored in on_file if is_final(stored.verdict)
                }
            return self._answers

    def _log(self, name: str) -> AppendLog:
        if self._lock is None:
            raise RunFolderError(f"{self.path} is open for reading only")
        with self._log_guard:
            if name not in self._logs:
                self._logs[name] = AppendLog(self.path / name)
            return self._logs[name]
