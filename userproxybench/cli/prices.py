"""`userproxybench prices`: what the tool believes a model costs, and a new snapshot of it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from userproxybench.cli.options import (
    AsJson,
    Config,
    path_of,
)
from userproxybench.cli.output import clean, emit_json, table

app = typer.Typer(help="List prices of models.", no_args_is_help=True)


@app.command()
def show(
    models: Annotated[list[str], typer.Argument(metavar="MODEL...", help="Names of models.")],
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Print prices in dollars per million tokens, your own before the shipped ones."""
    import msgspec

    from userproxybench.cli.roles import read_roles

    book = read_roles(config=config).book
    found = {name: book.find(name) for name in models}
    if as_json:
        emit_json({"date": book.date, "source": book.source, "models": msgspec.to_builtins(found)})
        return
    typer.echo(f"{book.date}, {clean(book.source)}")
    rows = [
        (clean(name, 40), "unknown", "", "", "")
        if price is None
        else (
            clean(name, 40),
            *(_dollars(value) for value in (price.input, price.output)),
            *(_dollars(value) for value in (price.cache_read, price.cache_write)),
        )
        for name, price in found.items()
    ]
    table(("model", "input", "output", "cache read", "cache write"), rows)


@app.command()
def refresh(
    out: Annotated[
        Path | None,
        typer.Option(
            help="File (default: the package's own snapshot).", parser=path_of, metavar="PATH"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a snapshot from the table of the installed litellm. Nothing is fetched."""
    from userproxybench.litellm_model import bundled_prices, bundled_version
    from userproxybench.prices import SNAPSHOT, snapshot_of, write_prices

    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    source = f"litellm {bundled_version()}, bundled table"
    book = snapshot_of(bundled_prices(), date=today, source=source)
    write_prices(book, out or SNAPSHOT)
    file = str(out or SNAPSHOT)
    made = {"file": file, "date": today, "source": source, "models": len(book.models)}
    if as_json:
        emit_json(made)
    else:
        typer.echo(clean(f"{len(book.models)} prices, {source}, in {file}"))


def _dollars(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
