"""Text cells that a spreadsheet would run as a formula are written with an apostrophe before them.

A text that starts with `=`, `+`, `-`, `@`, a tab or a carriage return, behind any apostrophes, gets
one apostrophe; reading takes it off again, so that tables come back as they were. Numbers stay
numbers, and a lone sign stays a sign. Nothing else is changed: CSV holds text as recorded.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

_FORMULA = re.compile(r"'*[=+\-@\t\r](?!\Z)(?!(?<=^[+-])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?%?\Z)")
_GUARDED = re.compile(r"'+[=+\-@\t\r](?!\Z)")


def guarded(text: str) -> str:
    """The text as it stands in a CSV cell."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text that a CSV cell holds."""
    return cell[1:] if _GUARDED.match(cell) else cell


def quoting(texts: Iterable[str]) -> Literal[0, 2]:
    """The quoting that survives these texts: a lone carriage return would end a row unquoted."""
    return csv.QUOTE_NONNUMERIC if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL


def csv_of(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as CSV: comma, LF, guarded already where they hold texts."""
    listed = [list(row) for row in rows]
    out = io.StringIO()
    style = quoting(cell for row in listed for cell in row)
    csv.writer(out, lineterminator="\n", quoting=style).writerows(listed)
    return out.getvalue()
