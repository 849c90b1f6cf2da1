"""Shards of one audit, made on several machines, become one run folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from userproxybench.errors import RunFolderError
from userproxybench.models.exchange import StoredVerdict
from userproxybench.store.files import check_same_instrument
from userproxybench.store.run_folder import RunFolder

Place = tuple[str, str, int]


class Merged(NamedTuple):
    """What `merge` did."""

    trajectories: int
    """Trajectories in the merged folder."""
    verdicts: int
    """Verdicts in the merged folder."""
    conflicts: int
    """Places that two shards answered differently; the answer that came first was kept."""


def merge(shards: Sequence[Path], into: Path) -> Merged:
    """Join run folders that one instrument made; doing it twice changes nothing."""
    folders = [RunFolder.open(shard) for shard in shards]
    if not folders:
        raise RunFolderError("nothing to merge: name at least one run folder")
    instrument = folders[0].config.instrument
    for folder in folders:
        check_same_instrument(folder.path, folder.config, instrument)
    inputs = [name for folder in folders for name in folder.config.inputs]
    with RunFolder.create_or_resume(into, instrument, inputs=inputs) as whole:
        for folder in folders:
            whole.write_trajectories(folder.trajectories(), folder.contracts().values())
            _copy_rubrics(folder.path, whole)
        kept, conflicts = _best_of([whole, *folders])
        lines = (stored.model_dump_json(exclude_defaults=True) + "\n" for stored in kept)
        whole.write("verdicts.jsonl", "".join(lines))
        for name in ("replies.jsonl", "protocol.jsonl"):
            whole.write(name, _joined([folder.path / name for folder in (whole, *folders)]))
        return Merged(sum(1 for _ in whole.trajectories()), len(kept), conflicts)


def _best_of(folders: Iterable[RunFolder]) -> tuple[list[StoredVerdict], int]:
    kept: dict[Place, StoredVerdict] = {}
    conflicts = 0
    for stored in (stored for folder in folders for stored in folder.verdicts()):
        place = (stored.trajectory_id, stored.verdict.criterion_id, stored.sample)
        before = kept.get(place)
        if before is None or before.verdict.verdict == "ungraded":
            kept[place] = stored
        elif stored.verdict.verdict not in ("ungraded", before.verdict.verdict):
            conflicts += 1
    return list(kept.values()), conflicts


def _joined(paths: Sequence[Path]) -> bytes:
    lines: dict[bytes, None] = {}
    for path in paths:
        if path.exists():
            with path.open("rb") as file:
                lines.update((line, None) for line in file if line.endswith(b"\n"))
    return b"".join(lines)


def _copy_rubrics(shard: Path, whole: RunFolder) -> None:
    for path in sorted((shard / "rubrics").rglob("*.json")):
        name = str(path.relative_to(shard))
        target = whole.path / name
        if target.exists() and target.read_bytes() != path.read_bytes():
            raise RunFolderError(
                f"{path} differs from {target}: the shards graded this task by different rubrics. "
                "Grade both with one set of rubric files (`--rubrics FOLDER`)"
            )
        whole.write(name, path.read_bytes())
