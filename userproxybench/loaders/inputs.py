"""Open one dump and read its episodes one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from userproxybench.errors import LoadError
from userproxybench.loaders.description import Description, describe
from userproxybench.loaders.discovery import Found
from userproxybench.loaders.families import is_simulation, open_shape
from userproxybench.loaders.limits import within_limits
from userproxybench.loaders.records import (
    Episode,
    LoadOptions,
    NotADumpError,
    ProxyIdentity,
    Reader,
)
from userproxybench.loaders.shapes import look
from userproxybench.loaders.tau2_files import FolderReader
from userproxybench.models import IdentitySource


class Input:
    """One dump. It pickles as its path: another process opens it in one pass over its bytes."""

    def __init__(self, found: Found, options: LoadOptions, reader: Reader) -> None:
        self.file = found.name
        """Name, as `Trajectory.source` has it."""
        self.path = found.path
        """The file, or the folder that holds the run."""
        self._found = found
        self._options = options
        self._reader = reader
        self._names: dict[ProxyIdentity, str] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return _reopen, (self._found, self._options, self._names)

    @property
    def format(self) -> str:
        """Name of the format."""
        return self._reader.format

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be assumed about the input as a whole."""
        return tuple(dict.fromkeys(note for note in self._reader.notes if note))

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
            episode = episode._replace(trajectory=within_limits(episode.trajectory))
            yield self._named(episode) if self._names else episode

    def describe(self) -> Description:
        """What is in the input; reads all episodes."""
        return describe(self.file, self.format, self.notes, self.episodes())

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


def unmatched(found: Iterable[tuple[str, IdentitySource]], options: LoadOptions) -> tuple[str, ...]:
    """One line for each `--proxy NAME=GLOB` that named none of the proxies (name, source) found."""
    named = {name for name, source in found if source == "flag"}
    return tuple(
        f"`--proxy {name}={glob}`: no input is called like that, so it names no proxy"
        for name, glob in options.proxies
        if name not in named
    )


def _reopen(found: Found, options: LoadOptions, names: dict[ProxyIdentity, str]) -> Input:
    opened = open_input(found, options)
    opened.rename(names)
    return opened


def open_input(
    path: Path | Found, options: LoadOptions | None = None, *, name: str | None = None
) -> Input:
    """Open a dump: a file, or a folder that holds one run.

    `name` is how messages and sources call a path; its last part where it is not given.

    Raises:
        LoadError: one line with file, place, problem and remedy. `NotADumpError` where the file
            is no dump at all.
    """
    found = path if isinstance(path, Found) else Found(path, name or path.name)
    options = options or LoadOptions()
    return Input(found, options, _reader(found, options))


def _reader(found: Found, options: LoadOptions) -> Reader:
    path, name = found.path, found.name
    if not path.exists():
        raise LoadError(name, "there is no such file or folder", "Check the path")
    if path.is_dir():
        return _open_folder(found, options)
    if path.name == "results.json" and (path.parent / "simulations").is_dir():
        return _open_folder(Found(path.parent, name), options)
    return open_shape(look(path, name), options)


def _may_be_simulation(path: Path) -> bool:
    """A damaged file may be one, so that reading it says what is wrong with it."""
    try:
        return is_simulation(look(path, path.name))
    except NotADumpError:
        return False
    except LoadError:
        return True


def _open_folder(found: Found, options: LoadOptions) -> Reader:
    folder, files = found.path, list(found.files)
    inner = folder / "simulations"
    if not files:
        there = sorted((inner if inner.is_dir() else folder).glob("*.json*"))
        files = [path for path in there if _may_be_simulation(path)]
    if not files:
        raise LoadError(found.name, "the folder holds no simulations", "Give the folder of a run")
    return FolderReader(folder, files, found.name, options)
