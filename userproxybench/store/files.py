"""Files of a run folder: the lock, the configuration, logs that only grow, whole replacements."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import filelock
import msgspec

from userproxybench import __version__
from userproxybench.errors import RunFolderError
from userproxybench.models import digest

T = TypeVar("T")

PART = ".part"
"""Ending of a file that is being written."""


class Config(msgspec.Struct, frozen=True):
    """`config.json`."""

    version: str
    """Version of the package that made the folder."""
    digest: str
    """Digest of `instrument`."""
    instrument: dict[str, object]
    """Everything that moves a verdict: grader, parameters, prompts, rubric source, …"""
    inputs: list[str]
    """Inputs audited so far; not part of the digest."""


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """What the system refuses to write is one line.

    Raises:
        RunFolderError: it was refused.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunFolderError(
            f"{target}: cannot be written ({reason}). Give another `--out`"
        ) from error


def made_folder(path: Path) -> Path:
    """The folder, made with its parents where it is not there.

    Raises:
        RunFolderError: it cannot be made, or a file stands in its place.
    """
    with writing(path):
        if path.exists() and not path.is_dir():
            raise RunFolderError(f"{path} is a file, not a folder. Give another `--out`")
        path.mkdir(parents=True, exist_ok=True)
    return path


class AppendLog:
    """A file that only grows.

    What was written survives the death of this process; what was synced, that of the machine.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with writing(path):
            self._file = path.open("ab", buffering=0)
            self._end = cut_torn_tail(path)
        self._write_lock = threading.Lock()
        self._sync_lock = threading.Lock()
        self._synced = self._end

    def append(self, data: bytes) -> None:
        """Add whole lines; all of them are on disk afterwards, or none is."""
        self.write(data)
        self.sync()

    def write(self, data: bytes) -> None:
        """Add whole lines; they are safe after the next `sync`."""
        with self._write_lock:
            self._write(data)

    def sync(self) -> None:
        """Put on disk whatever was written before; threads at the same moment share one fsync."""
        end = self._end
        with self._sync_lock:
            if self._synced < end:
                reached = self._end
                os.fsync(self._file.fileno())
                self._synced = reached

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            os.ftruncate(self._file.fileno(), self._end)
            raise RunFolderError(
                f"{self._path}: cannot be written ({error.strerror}). "
                "Every verdict so far is kept; make room and run the same command again"
            ) from error
        self._end += len(data)

    def close(self) -> None:
        """Sync and close the file."""
        self.sync()
        self._file.close()


def take_lock(path: Path) -> filelock.BaseFileLock:
    """Hold the folder for this process; the system frees it when the process dies."""
    lock = filelock.FileLock(path / ".lock", timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as error:
        raise RunFolderError(
            f"{path} is being written by another process. Wait for it, or give another `--out`"
        ) from error
    except OSError as error:
        raise RunFolderError(f"{path}: cannot be written ({error.strerror})") from error
    return lock


def read_config(path: Path) -> Config:
    """`config.json` of a run folder."""
    try:
        return msgspec.json.decode((path / "config.json").read_bytes(), type=Config)
    except FileNotFoundError as error:
        raise RunFolderError(
            f"{path} is no run folder: it has no config.json. Give the `--out` of an audit"
        ) from error
    except (msgspec.DecodeError, OSError) as error:
        raise RunFolderError(f"{path}/config.json: cannot be read ({error})") from error


def resumed_config(path: Path, instrument: Mapping[str, object], inputs: Sequence[str]) -> Config:
    """The configuration to go on with; refuses a folder that another instrument made."""
    wanted: dict[str, object] = msgspec.to_builtins(dict(instrument))
    known: list[str] = []
    if (path / "config.json").exists():
        found = read_config(path)
        known = found.inputs
        check_same_instrument(path, found, wanted)
    return Config(
        version=__version__,
        digest=digest(wanted),
        instrument=wanted,
        inputs=known + [name for name in dict.fromkeys(inputs) if name not in known],
    )


def check_same_instrument(path: Path, found: Config, wanted: Mapping[str, object]) -> None:
    """Raise when a folder was made by another instrument, naming the settings that differ."""
    if found.digest == digest(wanted):
        return
    before, now = _flat(found.instrument), _flat(wanted)
    keys = sorted(key for key in before | now if before.get(key) != now.get(key))
    changes = "; ".join(f"{key}: {before.get(key)!r} there, {now.get(key)!r} now" for key in keys)
    raise RunFolderError(
        f"{path} was made by another instrument ({changes}). "
        "Use the same settings, or give another `--out`"
    )


def _flat(value: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, item in value.items():
        if isinstance(item, Mapping):
            flat |= _flat(item, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = item
    return flat


def replace_file(target: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file whole, or leave the old one as it was."""
    made_folder(target.parent)
    with writing(target):
        handle, name = tempfile.mkstemp(PART, f".{target.name[:200]}.", target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise RunFolderError(f"{target}: cannot be written ({error.strerror})") from error
        raise


def clear_parts(folder: Path) -> None:
    """Remove what a killed process left half written; the caller holds the folder's lock."""
    for place in (folder, folder / "tables", folder / "rubrics"):
        found = place.rglob(f".*{PART}") if place.name == "rubrics" else place.glob(f".*{PART}")
        for path in found:
            with writing(path):
                path.unlink(missing_ok=True)


def read_lines(path: Path, decode: Callable[[bytes], T]) -> Iterator[T]:
    """The finished lines of a log, decoded; none where there is no such file.

    A torn last line was never finished, so it never counted.

    Raises:
        RunFolderError: a line is damaged; names it.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                continue
            try:
                yield decode(line)
            except ValueError as error:  # pydantic's and msgspec's errors are
                raise RunFolderError(
                    f"{path}: line {number} is damaged. Delete that line and run the same command "
                    "again: only what it held is made anew"
                ) from error


def cut_torn_tail(path: Path) -> int:
    """Cut an unfinished last line off (a killed writer leaves one); returns the length left."""
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 65536)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        file.truncate(end)
    return end


def encode(value: object) -> bytes:
    """JSON of a record; text that no UTF-8 file can hold (lone surrogates) is escaped first."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_printable(msgspec.to_builtins(value)))


def _printable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list | tuple):
        return [_printable(item) for item in value]
    if isinstance(value, dict):
        return {key: _printable(item) for key, item in value.items()}
    return value
