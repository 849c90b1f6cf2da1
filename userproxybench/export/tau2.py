"""Write reviews into a copy of a tau2 dump; every other value keeps its bytes."""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
from msgspec import Raw

from userproxybench.errors import InputError, LoadError
from userproxybench.export.reviews import Audited, review_of
from userproxybench.loaders import Input, LoadOptions, discover, open_input
from userproxybench.loaders.buffers import Data, decode_noting, read
from userproxybench.loaders.shapes import look
from userproxybench.loaders.voice import join_ticks
from userproxybench.models import Trajectory
from userproxybench.store.files import encode, made_folder, replace_file, writing

KEY = "user_only_review"
FORMATS = (
    "tau2 v0 results",
    "tau2 v1 results",
    "tau2 list of simulations",
    "tau2 v1 directory",
    "tau2 simulation files",
    "tau2 viewer export",
)
"""Formats whose simulations have a place for reviews."""
Place = tuple[str, int]
"""File of a dump and position in it, as `Trajectory.source` has them."""
Object = dict[str, Raw]


@dataclass
class Written:
    """What became of one dump."""

    target: Path
    """The copy."""
    simulations: int = 0
    """Simulations in it."""
    reviews: int = 0
    """Of these, with a review written."""
    replaced: int = 0
    """Of these, with an earlier review that gave way."""
    findings: int = 0
    """Findings written."""
    repaired: list[str] = field(default_factory=list)
    """What was no sound JSON in the dump and had to be repaired."""


def write_reviews(dump: Path, target: Path, episodes: Sequence[Audited]) -> Written:
    """Copy a dump (file or folder) with the findings of a run in it.

    A simulation is found by its id, else by what was said in it. Simulations that the run did not
    grade stay as they are.

    Raises:
        InputError: this is no tau2 dump, nothing in it was graded in this run, or the copy would
            overwrite it.
    """
    if target.resolve() == dump.resolve() or dump.resolve() in target.resolve().parents:
        raise InputError(f"{target}: this would overwrite the dump. Give another `--out`")
    inputs = [open_input(found, LoadOptions(partial=True)) for found in discover([dump]).inputs]
    strange = [one.format for one in inputs if one.format not in FORMATS]
    if strange or not inputs:
        found = strange[0] if strange else "no dump"
        raise InputError(
            f"{dump}: {found}; only tau2 simulations have a place for reviews. Use `--to jsonl`"
        )
    places = {place: one for each in inputs for place, one in _matched(each, episodes)}
    if not places:
        raise InputError(f"{dump}: the run holds no grade for any of its simulations")
    written = Written(target)
    if dump.is_dir():
        _copy_folder(dump, target, inputs, places, written)
    else:
        _copy_file(dump, target, inputs[0].file, places, written)
    return written


def _matched(opened: Input, episodes: Sequence[Audited]) -> Iterator[tuple[Place, Audited]]:
    by_id = {one.trajectory.id: one for one in episodes}
    by_words = {_words(one.trajectory): one for one in episodes}
    for item in opened.episodes():
        if isinstance(item, LoadError):
            continue
        trajectory = item.trajectory
        words = _words(trajectory)
        found = by_id.get(trajectory.id)
        if found is None or _words(found.trajectory) != words:
            found = by_words.get(words)
        if found is not None:
            yield (trajectory.source.file, trajectory.source.index), found


def _words(trajectory: Trajectory) -> str:
    """Digest over task and conversation, whatever the file is called."""
    return hashlib.sha256(
        encode((trajectory.domain, trajectory.task_id, trajectory.trial, trajectory.turns))
    ).hexdigest()


def _copy_folder(
    dump: Path,
    target: Path,
    inputs: Sequence[Input],
    places: Mapping[Place, Audited],
    written: Written,
) -> None:
    names = _names(dump, inputs, places)
    for path in sorted(dump.rglob("*")):
        copy = target / path.relative_to(dump)
        if path in names:
            _copy_file(path, copy, names[path], places, written)
        elif path.is_file():
            made_folder(copy.parent)
            with writing(copy):
                shutil.copyfile(path, copy)


def _names(dump: Path, inputs: Sequence[Input], places: Mapping[Place, Audited]) -> dict[Path, str]:
    """Which files of a folder hold simulations, by their path, and how places call them."""
    names: dict[Path, str] = {}
    for opened in inputs:
        for file in dict.fromkeys(file for file, _ in places):
            inner = file.removeprefix(f"{opened.file}/")
            path = opened.path if file == opened.file else opened.path / inner
            if path.is_file() and dump in path.parents:
                names[path] = file
    return names


def _copy_file(
    path: Path, target: Path, name: str, places: Mapping[Place, Audited], written: Written
) -> None:
    kind = look(path, name).kind
    data = read(path, name)

    def reviewed(index: int, raw: Data) -> Iterator[bytes]:
        return _simulation(raw, places.get((name, index)), written)

    def fill(file: BinaryIO) -> None:
        with _packed(file, target) as out:
            for piece in _whole(data, kind, reviewed, written):
                out.write(piece)

    replace_file(target, fill)


def _packed(file: BinaryIO, target: Path) -> AbstractContextManager[BinaryIO]:
    if target.suffix != ".gz":
        return _Open(file)
    return cast("AbstractContextManager[BinaryIO]", gzip.GzipFile("", "wb", 6, file, mtime=0))


class _Open:
    """A file that stays open at the end of a block."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __enter__(self) -> BinaryIO:
        return self._file

    def __exit__(self, *_: object) -> None:
        return None


def _whole(
    data: Data, kind: str, reviewed: Callable[[int, Data], Iterator[bytes]], written: Written
) -> Iterator[bytes]:
    """The text of a dump, piece by piece."""
    if kind == "array":
        yield from _array(_items(data, written), reviewed)
        return
    if kind == "lines":
        for index, line in enumerate(bytes(memoryview(data)).splitlines()):
            yield from reviewed(index, line)
            yield b"\n"
        return
    top = _object(data, written)
    if "simulations" not in top:
        yield from reviewed(0, data)
        return
    for number, (key, value) in enumerate(top.items()):
        yield (b"," if number else b"{") + msgspec.json.encode(key) + b":"
        if key == "simulations":
            yield from _array(_items(value, written), reviewed)
        else:
            yield bytes(value)
    yield b"}"


def _array(
    items: Sequence[Raw], reviewed: Callable[[int, Data], Iterator[bytes]]
) -> Iterator[bytes]:
    yield b"["
    for index, item in enumerate(items):
        yield b",\n" if index else b""
        yield from reviewed(index, item)
    yield b"]"


def _simulation(raw: Data, episode: Audited | None, written: Written) -> Iterator[bytes]:
    written.simulations += 1
    if episode is None:
        yield bytes(memoryview(raw))
        return
    fields = _object(raw, written)
    earlier = fields.pop(KEY, None)
    ticks = join_ticks(fields["ticks"]) if "ticks" in fields else None
    review = review_of(episode, None if ticks is None else ticks.first_tick)
    written.reviews += 1
    written.replaced += earlier is not None and bytes(earlier) != b"null"
    written.findings += len(cast("list[object]", review["errors"]))
    for number, (key, value) in enumerate(fields.items()):
        yield (b"," if number else b"{") + msgspec.json.encode(key) + b":" + bytes(value)
    yield (b"," if fields else b"{") + b'"' + KEY.encode() + b'":' + encode(review) + b"}"


def _object(data: Data, written: Written) -> Object:
    found = decode_noting(data, Object)
    _note(found.repaired, written)
    return found.value


def _items(data: Data, written: Written) -> list[Raw]:
    found = decode_noting(data, list[Raw])
    _note(found.repaired, written)
    return found.value


def _note(repaired: str, written: Written) -> None:
    if repaired and repaired not in written.repaired:
        written.repaired.append(repaired)
