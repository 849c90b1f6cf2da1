"""Find and open the inputs. One that cannot be opened is one line, and the others go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from userproxybench.errors import LoadError
from userproxybench.loaders import Input, LoadOptions, NotADumpError, open_input


@dataclass(frozen=True)
class Gathered:
    """What was found under the given paths."""

    inputs: tuple[Input, ...]
    """Opened dumps."""
    problems: tuple[str, ...]
    """One line for each that could not be opened."""
    passed_over: tuple[str, ...]
    """Side files in the given folders."""


def gather(paths: Sequence[Path], options: LoadOptions) -> Gathered:
    """Open every dump under the paths.

    Raises:
        LoadError: the first input that cannot be opened, with `options.strict`.
    """
    inputs: list[Input] = []
    problems: list[str] = []
    passed_over: list[str] = []
    for path, name, named in _candidates(paths):
        try:
            inputs.append(open_input(path, options, name=name))
        except LoadError as error:
            if isinstance(error, NotADumpError) and not named:
                passed_over.append(name)
                continue
            if options.strict:
                raise
            problems.append(str(error))
    return Gathered(tuple(inputs), tuple(problems), tuple(passed_over))


def _candidates(paths: Sequence[Path]) -> list[tuple[Path, str, bool]]:
    found = []
    for path in paths:
        if path.is_dir():
            found += [
                (file, file.relative_to(path).as_posix(), False)
                for file in sorted(path.rglob("*"))
                if file.is_file()
            ]
        else:
            found.append((path, path.name, True))
    return found
