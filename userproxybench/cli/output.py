"""How results reach a terminal: inert text, plain tables within 80 columns, strict JSON."""

from __future__ import annotations

import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

import typer
from pydantic_core import to_json

from userproxybench.errors import InputError

WIDTH = 80
"""Columns that every table fits in."""


def clean(text: str, limit: int = 0) -> str:
    """Text of a dump made inert: no control, bidi or surrogate characters, one line."""
    flat = " ".join(text.split())
    shown = "".join(
        char
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
        else "\N{REPLACEMENT CHARACTER}"
        for char in flat
    )
    return shown if not limit or len(shown) <= limit else shown[: limit - 1] + "…"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def decimals(value: float | None) -> str:
    """Three decimals; a dash for what is not known."""
    return "–" if value is None else f"{value:.3f}"


def emit_json(value: object) -> None:
    """Print strict JSON (no NaN) on stdout."""
    sys.stdout.write(to_json(value, indent=2, inf_nan_mode="null").decode("utf-8") + "\n")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a plain table: first column left, all columns padded, no colours, no boxes."""
    cells = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for number, row in enumerate(cells):
        typer.echo(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        if number == 0:
            typer.echo("  ".join("-" * width for width in widths))
    typer.echo("")


def paragraph(text: str, *, indent: str = "") -> None:
    """Print text wrapped to the terminal, at most `WIDTH` columns, later lines indented."""
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    typer.echo(
        textwrap.fill(
            text,
            max(20, width),
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_on_hyphens=False,
        )
    )


def warn(lines: Iterable[str]) -> None:
    """One line on stderr for each thing that is amiss and stops nothing."""
    for line in lines:
        typer.echo(f"warning: {clean(line)}", err=True)


def finish(problems: Sequence[str]) -> None:
    """One line for each thing that could not be read, and exit code 2 where there was any."""
    for problem in problems:
        typer.echo(f"error: {clean(problem)}", err=True)
    if problems:
        raise typer.Exit(InputError.exit_code)
