"""`userproxybench export`: a graded run in the forms that other tools read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from userproxybench.cli.options import AsJson, path_of
from userproxybench.errors import InputError

if TYPE_CHECKING:
    from userproxybench.export import Written
    from userproxybench.store import RunFolder

Form = Literal["tau2", "jsonl", "parquet"]


def export(
    run: Annotated[Path, typer.Argument(help="Run folder of an audit.", metavar="RUN")],
    to: Annotated[Form, typer.Option(help="`tau2` writes the findings into a copy of the dump.")],
    dump: Annotated[
        list[Path] | None,
        typer.Option(help="tau2 dump (file or folder) that was audited; repeat for several."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File or folder to write (default: export/ in the run folder).",
            parser=path_of,
            metavar="PATH",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Hand findings on, in a copy of a dump or as a table.

    As tau2's own user_only_review in a copy of the dump, as JSON lines, or as Parquet.
    """
    from userproxybench.cli.output import clean, emit_json
    from userproxybench.store import RunFolder

    if to == "tau2" and not dump:
        raise InputError("`--to tau2` needs `--dump FILE`: the dump to copy the findings into")
    if to != "tau2" and dump:
        raise InputError(f"`--dump` belongs to `--to tau2`; `--to {to}` reads the run folder alone")
    folder = RunFolder.open(run)
    made = _reviews(folder, dump or [], out) if to == "tau2" else _tables(folder, to, out)
    if as_json:
        emit_json(made)
        return
    for one in made:
        parts = [f"{key.replace('_', ' ')} {value}" for key, value in one.items() if key != "file"]
        typer.echo(clean(f"{one['file']}: {', '.join(parts)}"))


def _reviews(folder: RunFolder, dumps: Sequence[Path], out: Path | None) -> list[dict[str, object]]:
    from userproxybench.export import audited, write_reviews

    episodes = list(audited(folder))
    several = len(dumps) > 1 or (out is not None and out.is_dir())
    made = []
    for dump in dumps:
        target = (out or folder.path / "export") / dump.name if several or out is None else out
        made.append(_record(write_reviews(dump, target, episodes)))
    return made


def _record(written: Written) -> dict[str, object]:
    from userproxybench.cli.output import clean

    if written.repaired:
        typer.echo(f"note: repaired in the copy: {clean('; '.join(written.repaired))}", err=True)
    return {
        "file": str(written.target),
        "simulations": written.simulations,
        "reviews": written.reviews,
        "replaced": written.replaced,
        "findings": written.findings,
    }


def _tables(folder: RunFolder, to: Form, out: Path | None) -> list[dict[str, object]]:
    from userproxybench.cli.graded import read_graded
    from userproxybench.export import jsonl_lines, parquet_files
    from userproxybench.store.files import replace_file

    tables = read_graded([folder.path]).tables
    if to == "jsonl":
        target = out or folder.path / "export" / "episodes.jsonl"
        replace_file(target, lambda file: file.writelines(jsonl_lines(folder, tables)))
        return [{"file": str(target), "episodes": len(tables.episodes)}]
    place = out or folder.path / "export"
    files = parquet_files(folder, tables)
    for name, content in files.items():
        replace_file(place / name, partial(_put, content))
    return [{"file": str(place / name), "bytes": len(content)} for name, content in files.items()]


def _put(content: bytes, file: BinaryIO) -> None:
    file.write(content)
