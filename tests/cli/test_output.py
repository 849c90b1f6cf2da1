"""What reaches a terminal is inert, strict and fits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from userproxybench.cli import output
from userproxybench.cli.progress import progress


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand  blanks", "two lines and blanks"),
        ("\x1b[31mred", "\N{REPLACEMENT CHARACTER}[31mred"),
        ("a\u202eb\u2066c", "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"),
        ("\ud83d", "\N{REPLACEMENT CHARACTER}"),
        ("café 📶", "café 📶"),
    ],
    ids=["blanks", "escape", "bidi", "surrogate", "plain"],
)
def test_foreign_text_is_made_inert(text: str, shown: str) -> None:
    assert output.clean(text) == shown


def test_names_in_an_error_are_made_inert(tmp_path: Path) -> None:
    hostile = tmp_path / "a\x1b[31m\u202eb.json"
    hostile.write_text("no JSON")
    script = "from userproxybench.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "audit", str(hostile)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}b")


def test_long_text_is_cut_with_a_mark() -> None:
    assert output.clean("abcdef", 4) == "abc…"


def test_json_holds_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    output.emit_json({"value": float("nan")})
    assert json.loads(capsys.readouterr().out) == {"value": None}


def test_paragraphs_wrap_at_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    output.paragraph("word " * 60, indent="  ")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= output.WIDTH
    assert all(line.startswith("  ") for line in lines)


def test_short_work_off_a_terminal_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("audited") as tell:
        tell(1, 2)
        tell(2, 2)
    assert capsys.readouterr().err == ""


def test_long_work_off_a_terminal_says_a_plain_line(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("audited", patience=0.0) as tell:
        tell(1, 2)
        tell(2, 2)
    assert capsys.readouterr().err == "audited: 1 of 2\n"
