"""What the AcCoRD commands read: dumps with preferences, and other dumps beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from userproxybench.errors import InputError, LoadError

if TYPE_CHECKING:
    from userproxybench.accord.format import Domain
    from userproxybench.accord.mapping import KeyMap
    from userproxybench.accord.reading import Dump
    from userproxybench.accord.tables import TextTable
    from userproxybench.loaders import Found, Input
    from userproxybench.store.run_folder import RunFolder

SEED = 20260828
"""Of the resampling behind the intervals."""
_DUMP_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")


@dataclass
class Inputs:
    """What was found under the given paths."""

    dumps: list[Dump] = field(default_factory=list)
    """AcCoRD dumps."""
    others: list[Input] = field(default_factory=list)
    """Dumps of other benchmarks."""
    problems: list[str] = field(default_factory=list)
    """What could not be read, one line each."""
    notes: list[str] = field(default_factory=list)
    """What had to be assumed."""


def read_inputs(
    paths: Sequence[Path], key_map: KeyMap | None, *, domain: Domain | None, others: bool
) -> Inputs:
    """Read every dump under `paths`; with `others`, those of other benchmarks are opened too."""
    from userproxybench.loaders import NotADumpError, open_input
    from userproxybench.loaders.accord import read_accord

    found = Inputs()
    for one in _files(paths, key_map):
        try:
            dump = read_accord(one.path, one.name, key_map)
        except NotADumpError as error:
            try:
                if not others:
                    raise error from None
                found.others.append(open_input(one))
            except LoadError as problem:
                if one.path in paths or not isinstance(problem, NotADumpError):
                    found.problems.append(str(problem))
        except LoadError as error:
            found.problems.append(str(error))
        else:
            found.dumps.append(_only(dump, domain))
            found.problems += map(str, dump.problems)
            found.notes += [f"{dump.name}: {note}" for note in dump.notes]
            found.notes += _play_notes(dump)
    return found


def _files(paths: Sequence[Path], key_map: KeyMap | None) -> Iterable[Found]:
    """Inputs under the paths; with a key map every file may be one, whatever it looks like."""
    from userproxybench.loaders import Found, discover

    if key_map is None:
        yield from discover(paths).inputs
        return
    for path in paths:
        if not path.exists():
            raise LoadError(str(path), "there is no such file or folder", "Check the path")
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.is_file() and file.name.endswith(_DUMP_ENDINGS):
                    yield Found(file, file.relative_to(path).as_posix())
        else:
            yield Found(path, path.name)


def _only(dump: Dump, domain: Domain | None) -> Dump:
    """The part of a dump that is of one domain."""
    from dataclasses import replace

    if domain is None:
        return dump
    return replace(
        dump,
        scenarios=tuple(s for s in dump.scenarios if s.domain == domain),
        plays=tuple(p for p in dump.plays if p.scenario.domain == domain),
    )


def _play_notes(dump: Dump, limit: int = 3) -> list[str]:
    """Notes of single rollouts, those of one kind gathered."""
    places: dict[str, list[str]] = {}
    for play in dump.plays:
        for note in play.notes:
            places.setdefault(note, []).append(play.where)
    lines = []
    for note, where in places.items():
        more = f" and {len(where) - limit} more" if len(where) > limit else ""
        lines.append(f"{dump.name}: {', '.join(where[:limit])}{more}: {note}")
    return lines


def read_map(path: Path | None) -> KeyMap | None:
    """The `--map` file."""
    if path is None:
        return None
    from userproxybench.accord.mapping import read_key_map
    from userproxybench.cli.options import read_text

    return read_key_map(read_text(path), path.name)


def check_domain(name: str | None) -> Domain | None:
    """`--domain`."""
    from userproxybench.accord.format import DOMAINS

    for domain in DOMAINS:
        if name == domain:
            return domain
    if name is None:
        return None
    raise InputError(f"`--domain {name}`: expected {' or '.join(DOMAINS)}")


def show_tables(tables: Iterable[TextTable]) -> None:
    """Print tables, each under its title; names out of dumps are made inert."""
    import typer

    from userproxybench.cli.output import clean, table

    for one in tables:
        typer.echo(one.title)
        table(one.header, [tuple(clean(cell) for cell in row) for row in one.rows])


def save_tables(folder: RunFolder, tables: dict[str, TextTable]) -> None:
    """Tables as CSV files of a run folder."""
    from userproxybench.tables import csv_of, guarded

    for name, one in tables.items():
        rows = [[guarded(cell) for cell in row] for row in one.rows]
        folder.write(f"tables/{name}.csv", csv_of([one.header, *rows]))


def finish(problems: Sequence[str], notes: Sequence[str], *, as_json: bool) -> None:
    """Say what was assumed and what could not be read; exit 2 where something could not."""
    from userproxybench.cli import output

    if not as_json:
        for note in notes:
            output.paragraph(f"note: {output.clean(note)}")
    output.finish(problems)
