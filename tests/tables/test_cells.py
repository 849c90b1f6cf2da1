"""No cell of a CSV runs as a formula, and tables come back as they were."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest

from userproxybench.analysis.sheet import Column, Sheet
from userproxybench.tables import csv_of, csv_text, guarded, read_table, unguarded

HOSTILE = (
    "=cmd|'/c calc'!A0",
    "+SUM(1)",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "=",
    "'=1",
    "''@x",
    "-\n=1",
    "- a list item",
)
PLAIN = (
    "yes",
    "'quoted'",
    "a=b",
    "-",
    "+",
    "",
    "-5",
    "+3.5e-7",
    "-12%",
    "7",
    "'",
    "\x1b[31m",
    "\u202e",
)


@pytest.mark.parametrize("text", [text for text in HOSTILE if len(text) > 1])
def test_what_could_run_stands_behind_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_everything_else_is_written_as_it_is(text: str) -> None:
    assert guarded(text) == text


@pytest.mark.parametrize("text", [*HOSTILE, *PLAIN])
@pytest.mark.parametrize("before", ["", "'", "''"])
def test_reading_undoes_writing(text: str, before: str) -> None:
    assert unguarded(guarded(before + text)) == before + text


def test_a_frame_comes_back_from_its_csv_and_its_numbers_stay_numbers() -> None:
    texts = [text for text in (*HOSTILE, *PLAIN) if text]
    frame = pd.DataFrame({"text": pd.Series([*texts, None], dtype="string"), "number": -1.5})
    written = csv_text(frame)
    cells = [row[0] for row in csv.reader(io.StringIO(written, newline=""))]
    assert not any(cell[:1] in "=@\t\r" for cell in cells if len(cell) > 1)
    assert {row[1] for row in csv.reader(io.StringIO(written, newline=""))} == {"number", "-1.5"}
    read = read_table(io.BytesIO(written.encode()), "own.csv")
    assert list(read["text"].dropna()) == texts


def test_a_sheet_guards_texts_and_leaves_numbers() -> None:
    sheet = Sheet("s", "c", (Column("a", "A"), Column("b", "B")), (("=1+1", -0.5), ("x", None)))
    assert sheet.csv() == "a,b\n'=1+1,-0.5\nx,\n"


def test_a_lone_carriage_return_ends_no_row() -> None:
    assert list(csv.reader(io.StringIO(csv_of([["a\rb", "c"], ["d", "e"]]), newline=""))) == [
        ["a\rb", "c"],
        ["d", "e"],
    ]
    assert csv_of([["a", "b c"]]) == "a,b c\n"
