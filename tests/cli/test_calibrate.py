"""`calibrate` measures rules and models; its report corrects the UFS of the same instrument."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.openai_server import OpenAIServer, Request, verdict

CASE = {
    "id": "c1",
    "pair": None,
    "label_confidence": "certain",
    "blueprint": {
        "reason_for_call": "You want to renew your reading pass.",
        "known_info": "You are Odile Brantsen, zip code 51234.",
        "task_instructions": "Renew it for one year.",
    },
    "guidelines_excerpt": "Wait until the agent asks before you give information.",
    "user_tools": [],
    "messages": [
        {"role": "assistant", "content": "Library desk."},
        {"role": "user", "content": "I want to renew my reading pass."},
        {"role": "assistant", "content": "Your name and zip code, please?"},
        {"role": "user", "content": "Odile Brantsen, 51432."},
    ],
    "expected": {
        "verdict": "violation",
        "violations": [
            {
                "turn": 3,
                "family": "groundedness",
                "mode": "contradicts_blueprint",
                "accept_modes": ["contradicts_blueprint", "unsupported_personal_fact"],
            }
        ],
    },
}


def clean_twin() -> dict[str, object]:
    messages = [*CASE["messages"][:3], {"role": "user", "content": "Odile Brantsen, 51234."}]  # type: ignore[index]
    return {**CASE, "id": "c1c", "messages": messages, "expected": {"verdict": "clean"}}


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(c) + "\n" for c in (CASE, clean_twin())), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from userproxybench.cli import main; main()"]
    given = [*command, *map(str, arguments)]
    env = {**os.environ, "OPENAI_API_KEY": "sk-test"}
    return subprocess.run(given, capture_output=True, text=True, check=False, timeout=120, env=env)


def test_rules_are_measured_on_the_shipped_set_without_any_argument() -> None:
    done = run("calibrate", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(report) == {"development", "held out"}
    assert report["held out"]["overall"]["cases"] == 89
    assert set(report["development"]["overall"]) >= {
        "precision",
        "recall",
        "clean_false_alarm_rate",
    }


def test_own_cases_are_scored_and_mistakes_shown(cases: Path) -> None:
    done = run("calibrate", "--cases", cases, "--errors")
    assert done.returncode == 0, done.stderr
    assert "1.000 (1 of 1)" in done.stdout


def test_an_unreadable_case_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "x"}\n', encoding="utf-8")
    done = run("calibrate", "--cases", path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "bad.jsonl: line 1" in done.stderr


def test_a_report_corrects_the_ufs_of_the_same_instrument_only(cases: Path, tmp_path: Path) -> None:
    made = run("calibrate", "--cases", cases, "--json")
    report = tmp_path / "report.json"
    report.write_text(made.stdout, encoding="utf-8")
    out = tmp_path / "run"
    done = run("audit", "trajectories/example", "--out", out, "--calibration", report, "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert all(proxy["ufs_corrected"]["low"] is not None for proxy in summary["proxies"])
    assert any("may not carry over" in note for note in summary["notes"])
    other = json.loads(made.stdout) | {"grader": "somebody"}
    report.write_text(json.dumps(other), encoding="utf-8")
    refused = run("audit", "trajectories/example", "--out", tmp_path / "r", "--calibration", report)
    assert refused.returncode == 2
    assert "Calibrate the same instrument" in refused.stderr


def test_a_model_is_measured_on_one_criterion_per_mode(cases: Path) -> None:
    def judge(request: Request) -> str:
        wrong = "51432" in request.text and "differs from the one in its blueprint" in request.text
        return verdict("fail", 3, "51432") if wrong else verdict("pass")

    with OpenAIServer(judge) as server:
        done = run(
            "calibrate", "--cases", cases, "--grader", "openai/some-judge", "--json",
            "--api-base", server.url,
        )  # fmt: skip
        asked = len(server.requests)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert asked == 2 * 19
    assert (report["overall"]["precision"], report["overall"]["recall"]) == (1.0, 1.0)
    assert report["rubric_source"] == "generic"
