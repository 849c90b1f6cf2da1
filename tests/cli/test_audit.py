"""`userproxybench audit` as people meet it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from tests import dumps

COMMAND = Path(sys.executable).with_name("userproxybench")


def run(*arguments: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    faithful = dumps.dump(dumps.simulation("a"))
    telling = dumps.dump(dumps.simulation("b", dumps.TELLING), proxy="cinder-nano")
    dumps.write(tmp_path / "dumps" / "a.json", faithful)
    dumps.write(tmp_path / "dumps" / "b.json", telling)
    return tmp_path


def test_the_page_answers_who_failed_where_and_in_which_words(folder: Path) -> None:
    done = run("audit", "dumps", "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    page = done.stdout
    rows = {line.split()[0]: line.split() for line in page.splitlines() if "unknown" in line}
    table = [line.split() for line in page.splitlines() if line.startswith(("aurora", "cinder"))]
    assert {row[0]: row[1] for row in table} == {"aurora-70b": "1.00", "cinder-nano": "0.00"}
    assert not rows
    assert "turn 1" in page
    assert "97214" in page
    assert "lower-coverage instrument" in page
    assert "Run folder: run" in page


def test_json_is_the_summary_and_what_else_the_page_says(folder: Path) -> None:
    done = run("audit", "dumps", "--out", "run", "--json", cwd=folder)
    found = json.loads(done.stdout)
    stored = json.loads((folder / "run" / "summary.json").read_text())
    assert {key: found[key] for key in stored} == stored
    assert found["out"] == "run"
    assert found["failures"][0]["turn"] == 1
    assert found["uncovered_modes"]
    assert found["problems"] == []


def test_without_out_the_same_command_finds_its_folder_again(folder: Path) -> None:
    first = json.loads(run("audit", "dumps", "--json", cwd=folder).stdout)
    again = json.loads(run("audit", "dumps", "--json", cwd=folder).stdout)
    assert first["out"] == again["out"]
    assert (first["reused"], again["reused"]) == (0, 2)


def test_unreadable_inputs_end_with_exit_2_after_the_answer(folder: Path) -> None:
    (folder / "cut.json").write_text('{"simulations": [{"id": ')
    done = run("audit", "dumps", "cut.json", "absent.json", "--out", "run", cwd=folder)
    assert done.returncode == 2
    assert "aurora-70b" in done.stdout
    errors = done.stderr.splitlines()
    assert len(errors) == 2
    assert all(line.startswith("error: ") for line in errors)
    assert "Traceback" not in done.stderr


def test_strict_stops_before_any_answer(folder: Path) -> None:
    (folder / "cut.json").write_text('{"simulations": [{"id": ')
    done = run("audit", "dumps", "cut.json", "--strict", cwd=folder)
    assert done.returncode == 2
    assert not done.stdout
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--proxy", "mini"), "NAME=GLOB"),
        (("--guidelines", "absent.md"), "absent.md"),
        (("--rubrics", "generic"), "model graders"),
        (("--rubrics", "absent"), "absent"),
        (("--out", "dumps/a.json"), "is a file, not a folder"),
        (("--out", "dumps/a.json/run"), "cannot be written"),
    ],
    ids=["proxy", "guidelines", "generic by rules", "rubric folder", "file as out", "under a file"],
)
def test_bad_flags_are_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run("audit", "dumps", *arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_another_instrument_is_refused(folder: Path) -> None:
    run("audit", "dumps", "--out", "run", cwd=folder)
    (folder / "rules.md").write_text("Be a customer.")
    done = run("audit", "dumps", "--out", "run", "--guidelines", "rules.md", cwd=folder)
    assert done.returncode == 2
    assert "another instrument" in done.stderr


def test_the_page_keeps_to_80_columns_and_has_no_escapes(folder: Path) -> None:
    hostile = "\x1b[31mred\x07 \u202egnp.exe\u2066 " + "x" * 300
    lines = ("agent: Hello", f"user: I'm Wren Castellano, 97214. {hostile}", "user: ###STOP###")
    telling = dumps.dump(dumps.simulation("c", lines), proxy="a-model-with-a-very-long-name" * 2)
    dumps.write(folder / "dumps" / "c.json", telling)
    done = run("audit", "dumps", "--out", "run", cwd=folder, NO_COLOR="1", TERM="xterm-256color")
    assert done.returncode == 0, done.stderr
    prose = [line for line in done.stdout.splitlines() if "x" * 40 not in line]
    assert max(map(len, prose)) <= 80
    assert not [char for char in done.stdout if unicodedata.category(char) in ("Cf", "Cs")]
    assert "\x1b" not in done.stdout


def test_a_dry_run_with_rules_costs_nothing_and_writes_nothing(folder: Path) -> None:
    done = run("audit", "dumps", "--dry-run", "--out", "run", cwd=folder)
    assert done.returncode == 0
    assert "0 calls" in done.stdout
    assert not (folder / "run").exists()


def test_a_dry_run_with_a_model_sends_nothing(folder: Path) -> None:
    done = run(
        "audit", "dumps", "--grader", "openai/gpt-4o-mini", "--rubrics", "generic", "--dry-run",
        "--json", "--api-base", "http://127.0.0.1:9", cwd=folder,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["calls"] == 2 * 19
    assert found["usd"] > 0
    assert not list(folder.rglob("verdicts.jsonl"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("audit", "dumps", "--out", ""), "the path is empty"),
        (("audit", ""), "the path is empty"),
        (("report", "run", "--out", ""), "the path is empty"),
        (("audit", "dumps", "--budget", "-1"), "greater than or equal to 0"),
    ],
    ids=["out", "dump", "report", "budget"],
)
def test_a_flag_without_sense_is_refused_and_nothing_is_written(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(*arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert [path.name for path in folder.iterdir()] == ["dumps"]


def test_a_proxy_flag_that_names_no_input_is_a_warning(folder: Path) -> None:
    flags = ("--proxy", "mini=nomatch*", "--proxy", "first=a.json")
    done = run("audit", "dumps", "--out", "run", *flags, cwd=folder)
    assert done.returncode == 0
    assert done.stderr.count("warning: ") == 1
    assert "mini=nomatch*" in done.stderr
    assert "first" in done.stdout
    described = run("describe", "dumps", *flags, cwd=folder)
    assert described.returncode == 0
    assert described.stderr == done.stderr


def test_a_model_without_rubrics_says_the_way_out_and_claims_nothing(folder: Path) -> None:
    done = run("audit", "dumps", "--out", "run", "--grader", "openai/gpt-4o-mini", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "No failure was found" not in done.stdout
    assert "Nothing was scored" in done.stdout
    assert "--rubrics generate" in " ".join(done.stdout.split())


def test_defaults_in_the_help_are_readable(folder: Path) -> None:
    page = " ".join(run("audit", "--help", cwd=folder, COLUMNS="200").stdout.split())
    for shown in ("(default: runs/...)", "(default: userproxybench.toml here)"):
        assert shown in page
    assert "file ." not in page
