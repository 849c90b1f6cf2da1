"""`userproxybench report`: one page that people look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from userproxybench.cli.options import (
    AllowDifferent,
    AsJson,
    path_of,
)
from userproxybench.errors import InputError


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders. Those by another instrument are compared with the first.",
            metavar="RUN...",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where the page goes (default: report.html in the first folder).",
            parser=path_of,
            metavar="PATH",
        ),
    ] = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(help="Labelled cases (JSONL) over the same episodes, to compare with."),
    ] = None,
    allow_different: AllowDifferent = False,
    as_json: AsJson = False,
) -> None:
    """Make one HTML page with the turn behind each number.

    Self-contained: numbers, figures, conversations.

    The page needs no network and no server, and the same folders give the same bytes.
    """
    from userproxybench.cli.output import clean, emit_json, warn
    from userproxybench.cli.report_inputs import damage, read_material
    from userproxybench.report import render

    material = read_material(runs, labels or (), allow_different=allow_different)
    page = render(material).encode("utf-8")
    target = out or runs[0] / "report.html"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(page)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror})") from error
    warn(damage(material))
    made = {"report": str(target), "bytes": len(page), "episodes": len(material.trajectories)}
    if as_json:
        emit_json(made)
    else:
        size = f"{len(page) / 1e6:.1f} MB"
        typer.echo(f"{clean(str(target))}: {len(material.trajectories):,} episodes, {size}")
