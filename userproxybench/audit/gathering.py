"""Find and open the inputs. One that cannot be opened is one line, and the others go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from userproxybench.errors import LoadError
from userproxybench.loaders import Found, Input, LoadOptions, NotADumpError, discover, open_input


@dataclass(frozen=True)
class Gathered:
    """What was found under the given paths."""

    inputs: tuple[Input, ...]
    """Opened dumps."""
    problems: tuple[str, ...]
    """One line for each that could not be opened."""
    passed_over: tuple[str, ...]
    """Side files in the given folders, with why they are no dumps."""

    @property
    def names(self) -> tuple[str, ...]:
        """How the inputs are called."""
        return tuple(item.file for item in self.inputs)

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be assumed about inputs as a whole."""
        return tuple(f"{item.file}: {note}" for item in self.inputs for note in item.notes)


def gather(paths: Sequence[Path], options: LoadOptions) -> Gathered:
    """Open every dump under the paths.

    Raises:
        LoadError: the first input that cannot be opened, with `options.strict`.
    """
    absent = [Found(path, str(path)) for path in paths if not path.exists()]
    discovery = discover(path for path in paths if path.exists())
    named = {path.resolve() for path in paths}
    inputs: list[Input] = []
    problems: list[str] = []
    passed_over = [f"{side.file}: {side.reason}" for side in discovery.passed_over]
    for found in (*absent, *discovery.inputs):
        try:
            inputs.append(open_input(found, options))
        except LoadError as error:
            if isinstance(error, NotADumpError) and found.path.resolve() not in named:
                passed_over.append(f"{found.name}: {error.problem}")
            elif options.strict:
                raise
            else:
                problems.append(str(error))
    return Gathered(tuple(inputs), tuple(problems), tuple(passed_over))
