"""Find the inputs under some paths: files, and folders that hold one run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from userproxybench.errors import LoadError
from userproxybench.loaders.families import is_simulation, recognised, refuse
from userproxybench.loaders.records import NotADumpError
from userproxybench.loaders.shapes import look

LOOKED_AT = 8 << 20
"""Files in folders above this size are taken for dumps without a look inside, for speed."""


class Found(NamedTuple):
    """One input."""

    path: Path
    """A file, or a folder that holds one run."""
    name: str
    """How messages and sources call it: relative to the path that was given."""
    files: tuple[Path, ...] = ()
    """The simulation files of a folder, where they are known already."""


class PassedOver(NamedTuple):
    """A file in a folder that is no dump."""

    file: str
    """Its name."""
    reason: str
    """Why it is none."""


class Discovery(NamedTuple):
    """What lies under the given paths."""

    inputs: tuple[Found, ...]
    """Inputs in reading order."""
    passed_over: tuple[PassedOver, ...]
    """Side files."""


def discover(paths: Iterable[Path]) -> Discovery:
    """Find the inputs under `paths`; folders are searched through, in sorted order.

    A file that is named is an input, whatever it holds. In a folder, what is no dump is passed
    over with a reason; a dump that is damaged stays an input, so that opening it says so.

    Raises:
        LoadError: a path does not exist.
    """
    inputs: dict[Path, Found] = {}
    passed_over: list[PassedOver] = []
    for path in paths:
        if not path.exists():
            raise LoadError(str(path), "there is no such file or folder", "Check the path")
        for found in _under(path, passed_over):
            inputs.setdefault(found.path.resolve(), found)
    return Discovery(tuple(_unique(list(inputs.values()))), tuple(passed_over))


def _under(path: Path, passed_over: list[PassedOver]) -> Iterator[Found]:
    if not path.is_dir():
        yield Found(path, path.name)
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = Path(folder)
        if _is_directory_run(here):
            folders[:] = [name for name in folders if name != "simulations"]
            relative = here.relative_to(path).as_posix()
            yield Found(here, here.resolve().name if relative == "." else relative)
            names = [name for name in names if name != "results.json"]
        yield from _files(here, sorted(names), path, passed_over)


def _is_directory_run(folder: Path) -> bool:
    return (folder / "results.json").is_file() and (folder / "simulations").is_dir()


def _files(
    folder: Path, names: list[str], root: Path, passed_over: list[PassedOver]
) -> Iterator[Found]:
    """Dumps among the files of one folder; simulations one a file belong together."""
    single: list[Path] = []
    dumps: list[Path] = []
    for name in names:
        if name.startswith("."):
            continue
        path = folder / name
        relative = path.relative_to(root).as_posix()
        try:
            (single if _is_single(path, relative) else dumps).append(path)
        except NotADumpError as error:
            passed_over.append(PassedOver(relative, error.problem))
    if len(single) > 1:
        relative = folder.relative_to(root).as_posix()
        name = folder.resolve().name if relative == "." else relative
        yield Found(folder, name, tuple(single))
    else:
        dumps += single
    for path in sorted(dumps):
        yield Found(path, path.relative_to(root).as_posix())


def _is_single(path: Path, name: str) -> bool:
    """Whether a file holds one tau2 simulation.

    Raises:
        NotADumpError: it holds no conversation of any known format.
    """
    if path.stat().st_size > LOOKED_AT:
        return False
    try:
        shape = look(path, name)
    except NotADumpError:
        raise
    except LoadError:
        return False
    if not recognised(shape):
        raise refuse(shape)
    return shape.kind == "object" and is_simulation(shape)


def _unique(found: list[Found]) -> list[Found]:
    """Lengthen names that occur twice by the folders they lie in."""
    depth = 1
    while True:
        counts = Counter(one.name for one in found)
        if all(count == 1 for count in counts.values()) or depth > 20:
            return found
        depth += 1
        found = [
            one._replace(name="/".join(one.path.resolve().parts[-depth:]).lstrip("/"))
            if counts[one.name] > 1
            else one
            for one in found
        ]
