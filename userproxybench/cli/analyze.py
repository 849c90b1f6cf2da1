"""`userproxybench analyze`: tables and figures from graded files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from userproxybench.cli.options import (
    Agent,
    AllowDifferent,
    AsJson,
    Basis,
    Costs,
    Graded,
    Only,
    VerdictsTable,
    path_of,
)
from userproxybench.errors import InputError

if TYPE_CHECKING:
    from userproxybench.analysis import Analysis


def analyze(
    runs: Graded,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where tables/ and figures/ go (default: the first run folder).",
            parser=path_of,
            metavar="PATH",
        ),
    ] = None,
    verdicts: VerdictsTable = None,
    ufs: Annotated[
        float | None, typer.Option(min=0, max=1, help="Draw this UFS into the frontier.")
    ] = None,
    agent: Agent = None,
    only: Only = None,
    costs: Costs = None,
    basis: Basis = "auto",
    allow_different: AllowDifferent = False,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap replicates.")] = 2000,
    figures: Annotated[bool, typer.Option(help="Draw figures.")] = True,
    as_json: AsJson = False,
) -> None:
    """Write every table and figure of graded runs.

    Tables as CSV, Markdown and LaTeX, figures as PNG, SVG and PDF.

    The same run folders give the same bytes. Proxies are set against each other only where
    nothing but the proxy differs.
    """
    from userproxybench.analysis import Options, analyse, sheets
    from userproxybench.cli.graded import list_prices, read_graded, read_overrides

    graded = read_graded(runs, verdicts=verdicts, agent=agent, only=only or ())
    options = Options(
        basis=None if basis == "auto" else basis,
        prices=list_prices(),
        overrides=read_overrides(costs),
        allow_different=allow_different,
        resamples=resamples,
    )
    done = analyse(graded.tables, options)
    made = sheets(done)
    folder = out or (runs[0] if runs[0].is_dir() else runs[0].parent)
    files = {
        f"tables/{sheet.name}.{ending}": text.encode("utf-8")
        for sheet in made
        for ending, text in (
            ("csv", sheet.csv()),
            ("md", sheet.markdown()),
            ("tex", sheet.latex()),
        )
    }
    if figures:
        files |= drawn(done, ufs)
    write_files(folder, files)
    if as_json:
        from userproxybench.cli.output import emit_json

        emit_json({sheet.name: sheet.records() for sheet in made} | {"notes": list(graded.notes)})
    else:
        _show(done, graded.notes, folder, files)


def drawn(done: Analysis, ufs: float | None) -> dict[str, bytes]:
    """The figures as files."""
    from userproxybench.plots import FORMATS, figures, rendered

    return {
        f"figures/{name}.{kind}": rendered(figure, kind)
        for name, figure in figures(done, required=ufs).items()
        for kind in FORMATS
    }


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files below a folder; files of an earlier run under other names stay."""
    try:
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from error


def _show(done: Analysis, notes: tuple[str, ...], folder: Path, files: dict[str, bytes]) -> None:
    from userproxybench.cli.output import clean, count, decimals, table

    typer.echo(
        f"{count(done.episodes, 'episode')}, {count(len(done.proxies), 'proxy', 'proxies')}, "
        f"{count(len(done.domains), 'domain')}, {count(done.tasks, 'task')}; "
        f"grader {clean(done.grader)}, rubrics {clean(done.rubric_source)}\n"
    )
    rows = [
        (
            clean(one.proxy, 40),
            decimals(one.ufs),
            "–" if one.interval is None else f"{one.interval.low:.3f}–{one.interval.high:.3f}",
            f"{one.scored}",
            f"{one.unscorable}",
            f"{one.ungraded}",
            decimals(one.reward),
            "unknown" if one.cost is None else f"{one.cost:.4f}",
            "" if one.dominated is None else ("dominated" if one.dominated else "frontier"),
        )
        for one in done.scores.proxies
    ]
    head = ("proxy", "UFS", "95 %", "scored", "unscorable", "ungraded", "reward", "cost/sim", "")
    table(head, rows)
    for note in (*notes, *done.notes):
        typer.echo(f"note: {clean(note)}")
    typer.echo(f"{len(files)} files under {folder}")
