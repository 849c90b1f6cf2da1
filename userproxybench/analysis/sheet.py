"""A table on paper: CSV with all digits, Markdown and LaTeX rounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

from userproxybench.tables import csv_of, guarded

Cell = str | int | float | bool | None
Item = TypeVar("Item")

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "†": r"$^{\dagger}$",
    "\u2217": r"$^{\ast}$",
    "–": "--",
    "±": r"$\pm$",
    "≥": r"$\geq$",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    key: str
    """Name in the CSV."""
    head: str
    """Heading on paper."""
    digits: int = 3
    """Decimals of floats on paper."""


@dataclass(frozen=True)
class Sheet:
    """A table with a name, a caption and footnotes."""

    name: str
    """File name without its ending."""
    caption: str
    """What it shows, in one sentence."""
    columns: tuple[Column, ...]
    """Its columns."""
    rows: tuple[tuple[Cell, ...], ...]
    """Its rows; `None` is missing."""
    notes: tuple[str, ...] = ()
    """Footnotes."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: {len(row)} cells in a row of {len(self.columns)}")

    def records(self) -> list[dict[str, Cell]]:
        """Its rows by column key."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]

    def csv(self) -> str:
        """Comma separated, LF, missing empty, floats to ten digits, nothing that runs."""
        heads = [column.key for column in self.columns]
        return csv_of([heads, *([_full(cell) for cell in row] for row in self.rows)])

    def markdown(self) -> str:
        """A pipe table with caption and footnotes; text cannot break out of its cell."""
        lines = [f"**{self.caption}**", ""]
        lines.append("| " + " | ".join(_pipe(column.head) for column in self.columns) + " |")
        marks = ["---:" if self._numeric(at) else "---" for at in range(len(self.columns))]
        lines.append("| " + " | ".join(marks) + " |")
        lines += ["| " + " | ".join(map(_pipe, self._shown(row))) + " |" for row in self.rows]
        lines += ["", *(f"- {_pipe(note)}" for note in self.notes)] if self.notes else []
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        """A `table` with booktabs rules."""
        aligned = "".join("r" if self._numeric(at) else "l" for at in range(len(self.columns)))
        heads = " & ".join(_tex(column.head) for column in self.columns)
        body = [" & ".join(map(_tex, self._shown(row))) + r" \\" for row in self.rows]
        notes = "".join(f" {_tex(note)}." for note in self.notes)
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_tex(self.caption)}.{notes}}}",
                rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', self.name)}}}",
                rf"\begin{{tabular}}{{{aligned}}}",
                r"\toprule",
                heads + r" \\",
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )

    def _numeric(self, at: int) -> bool:
        return any(
            isinstance(row[at], int | float) and not isinstance(row[at], bool) for row in self.rows
        )

    def _shown(self, row: tuple[Cell, ...]) -> list[str]:
        return [shown(cell, column.digits) for cell, column in zip(row, self.columns, strict=True)]


Field = tuple[Column, str | Callable[[Item], Cell]]
"""A column, and where its cell comes from: an attribute path or a function."""


def sheet(
    name: str,
    caption: str,
    items: Iterable[Item],
    fields: Iterable[Field[Item]],
    notes: Iterable[str] = (),
) -> Sheet:
    """A sheet with one row per item."""
    columns, sources = zip(*fields, strict=True)
    getters = [attrgetter(source) if isinstance(source, str) else source for source in sources]
    rows = tuple(tuple(_plain(get(item)) for get in getters) for item in items)
    return Sheet(name, caption, columns, rows, tuple(notes))


def interval_fields(
    key: str, head: str, path: str
) -> list[tuple[Column, Callable[[object], Cell]]]:
    """Two columns for an interval at an attribute path, empty where it is `None`."""

    def end(name: str) -> Callable[[object], Cell]:
        def get(item: object) -> Cell:
            interval = attrgetter(path)(item)
            return None if interval is None else float(getattr(interval, name))

        return get

    return [
        (Column(f"{key}_low", f"{head} low"), end("low")),
        (Column(f"{key}_high", f"{head} high"), end("high")),
    ]


def _plain(cell: Cell) -> Cell:
    return None if cell == "" else cell


def shown(cell: Cell, digits: int) -> str:
    """A cell for people: missing is a dash, and no rounding hides that a cost is above 0."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        text = f"{cell:.{digits}f}"
        return f"{cell:.1g}" if cell and not float(text) and abs(cell) < 1e-4 else text
    return f"{cell:,}" if isinstance(cell, int) else cell


def _full(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return repr(float(f"{cell:.10g}"))
    return guarded(cell) if isinstance(cell, str) else str(cell)


def _pipe(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").split())


def _tex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()))
