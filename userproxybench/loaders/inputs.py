"""Open one dump: find its format by content, read its episodes one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from userproxybench.errors import LoadError
from userproxybench.loaders.records import (
    Episode,
    LoadOptions,
    NotADumpError,
    ProxyIdentity,
    Reader,
)
from userproxybench.loaders.shapes import Shape, found_keys, look
from userproxybench.loaders.tau2_files import FolderReader, ResultsReader
from userproxybench.loaders.tau_bench import TauBenchReader

KNOWN = (
    "tau2 results (simulations), tau2 simulation (messages + termination_reason), tau2 viewer "
    "export (run_info), tau-bench v1 (traj), NeMo-Gym (result), chat JSONL (messages), trajectory "
    "JSONL (trajectory + contract)"
)


class Family(NamedTuple):
    """One family of formats."""

    claims: Callable[[Shape], bool]
    """Whether a file of this shape is of this family."""
    open: Callable[[Shape, LoadOptions], Reader]
    """Read it."""


def _single(shape: Shape, options: LoadOptions) -> Reader:
    return FolderReader(shape.path.parent, [shape.path], shape.name, options)


def _is_simulation(shape: Shape) -> bool:
    keys = shape.keys
    ends = bool(keys & {"termination_reason", "run_info"})
    return "ticks" in keys or ("messages" in keys and ends)


FAMILIES: tuple[Family, ...] = (
    Family(lambda shape: "traj" in shape.keys and shape.kind != "lines", TauBenchReader),
    Family(lambda shape: shape.kind == "object" and "simulations" in shape.keys, ResultsReader),
    Family(lambda shape: shape.kind == "array" and _is_simulation(shape), ResultsReader),
    Family(lambda shape: shape.kind == "object" and _is_simulation(shape), _single),
)
"""In the order in which they are asked; the first that claims a file reads it."""


class Input:
    """One dump. Opening it again in another process costs one pass over its bytes."""

    def __init__(self, path: Path, name: str, options: LoadOptions, reader: Reader) -> None:
        self.path = path
        self.file = name
        self._options = options
        self._reader = reader
        self._names: dict[ProxyIdentity, str] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _reopen, (self.path, self.file, self._options, self._names)

    @property
    def format(self) -> str:
        """Name of the format."""
        return self._reader.format

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be assumed about the input as a whole."""
        return tuple(dict.fromkeys(self._reader.notes))

    @property
    def proxies(self) -> tuple[ProxyIdentity, ...]:
        """The user proxies in the input, as `name_proxies` wants them."""
        return tuple(self._reader.proxies)

    def rename(self, names: Mapping[ProxyIdentity, str]) -> None:
        """Give proxies the display names that `name_proxies` found over all inputs."""
        self._names = {
            key: names[key] for key in self.proxies if names.get(key, key.name) != key.name
        }

    def __len__(self) -> int:
        return len(self._reader)

    def episodes(self, start: int = 0, stop: int | None = None) -> Iterator[Episode | LoadError]:
        """Episodes of a slice, one at a time; a damaged one is an error among the others."""
        for index in range(start, len(self) if stop is None else min(stop, len(self))):
            try:
                episode = self._reader.episode(index)
            except LoadError as error:
                yield error
                continue
            yield self._named(episode) if self._names else episode

    def _named(self, episode: Episode) -> Episode:
        trajectory = episode.trajectory
        key = ProxyIdentity(
            trajectory.proxy, trajectory.proxy_settings_hash, trajectory.proxy_identity
        )
        if key not in self._names:
            return episode
        return Episode(
            msgspec.structs.replace(trajectory, proxy=self._names[key]), episode.contract
        )


def _reopen(path: Path, name: str, options: LoadOptions, names: dict[ProxyIdentity, str]) -> Input:
    opened = open_input(path, options, name=name)
    opened.rename(names)
    return opened


def open_input(path: Path, options: LoadOptions | None = None, *, name: str | None = None) -> Input:
    """Open a dump: a file, or a folder that holds one run.

    `name` is how messages and sources call it; the file name where it is not given.

    Raises:
        LoadError: one line with file, place, problem and remedy. `NotADumpError` where the file
            is no dump at all.
    """
    options = options or LoadOptions()
    name = name or path.name
    if not path.exists():
        raise LoadError(name, "there is no such file or folder", "Check the path")
    if path.is_dir():
        return Input(path, name, options, open_folder(path, name, options))
    if path.name == "results.json" and (path.parent / "simulations").is_dir():
        return Input(path, name, options, open_folder(path.parent, name, options))
    shape = look(path, name)
    for family in FAMILIES:
        if family.claims(shape):
            return Input(path, name, options, family.open(shape, options))
    raise unrecognised(shape)


def open_folder(folder: Path, name: str, options: LoadOptions) -> Reader:
    """A folder that holds one run, one simulation a file."""
    inner = folder / "simulations"
    files = sorted((inner if inner.is_dir() else folder).glob("*.json*"))
    files = [path for path in files if _is_simulation(look(path, path.name))]
    if not files:
        raise LoadError(name, "the folder holds no simulations", "Give the folder of one run")
    return FolderReader(folder, files, name, options)


def unrecognised(shape: Shape) -> NotADumpError:
    """The message for a file of an unknown layout."""
    keys = ", ".join(found_keys(shape)) or "none"
    beside = shape.path.parent / "results.json"
    hint = (
        "Give results.json, which lies next to it"
        if (beside.is_file() and beside != shape.path)
        else f"Known layouts: {KNOWN}"
    )
    return NotADumpError(shape.name, f"unrecognised layout (top-level keys found: {keys})", hint)
