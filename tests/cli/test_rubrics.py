from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import pytest
from typer.testing import CliRunner

from tests.author import reply_to
from tests.builders import criterion, rubric
from tests.openai_server import OpenAIServer
from userproxybench.cli.rubrics import app
from userproxybench.errors import GateNotMetError, InputError, RubricError
from userproxybench.store import load_rubrics, save_rubric

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")


class Outcome(Protocol):
    """What a command did."""

    exit_code: int
    stdout: str
    exception: BaseException | None


Invoke = Callable[..., Outcome]


@pytest.fixture
def rubrics() -> Invoke:
    runner = CliRunner()

    def invoke(*words: object) -> Outcome:
        return cast("Outcome", runner.invoke(app, [str(word) for word in words]))

    return invoke


@pytest.fixture
def dump(shared: Path, tmp_path: Path) -> Path:
    items = json.loads((shared / "dumps" / "t1_trait_telecom_none.json").read_text())
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(items[:3]))
    return path


def authors(url: str) -> list[str]:
    return ["--generator", "openai/writer", "--verifier", "openai/reader", "--api-base", url]


def test_generate_writes_once_and_reuses(rubrics: Invoke, dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "rubrics"
    with OpenAIServer(reply_to) as server:
        words = ["generate", dump, "--out", out, "--json", *authors(server.url)]
        planned = json.loads(rubrics(*words, "--dry-run").stdout)
        assert (planned["calls_expected"], len(server.requests)) == (6, 0)
        first = json.loads(rubrics(*words).stdout)
        calls = len(server.requests)
        second = json.loads(rubrics(*words).stdout)
        assert len(server.requests) == calls
    assert (first["written"], first["reused"], first["failures"]) == (3, 0, [])
    assert first["rejected"] == {"span_is_verbatim": 3, "achievable": 3}
    assert (second["written"], second["reused"]) == (0, 3)
    assert any("--sample-from" in line for line in first["warnings"])
    assert len(load_rubrics(out)) == 3


def test_samples_may_come_from_elsewhere(rubrics: Invoke, dump: Path, tmp_path: Path) -> None:
    with OpenAIServer(reply_to) as server:
        out = tmp_path / "a"
        words = ["generate", dump, "--out", out, "--json", *authors(server.url)]
        without = json.loads(rubrics(*words, "--sample-from", "none").stdout)
        assert all("# Sample conversation" not in line for line in without["warnings"])
        texts = [request.text for request in server.requests if request.schema == "CriteriaReply"]
        assert all("### turn 0" not in text for text in texts)
        wrong = rubrics(*words, "--sample-from", "nobody")
    assert isinstance(wrong.exception, InputError)
    assert "neither a dump nor a proxy" in str(wrong.exception)


def test_verify_keeps_what_passes(rubrics: Invoke, dump: Path, tmp_path: Path) -> None:
    with OpenAIServer(reply_to) as server:
        out = tmp_path / "first"
        rubrics("generate", dump, "--out", out, *authors(server.url))
        again = rubrics(
            *("verify", out, "--dump", dump, "--out", tmp_path / "second", "--json"),
            *("--verifier", "openai/third", "--api-base", server.url),
        )
    rows = json.loads(again.stdout)
    assert len(rows) == 3
    assert all(row["kept"] >= 3 for row in rows)
    read = load_rubrics(tmp_path / "second")
    assert {item.provenance.verifier for item in read.values()} == {"openai/third"}


def test_lint_of_the_library_is_clean(rubrics: Invoke) -> None:
    result = rubrics("lint", "rubrics")
    assert (result.exit_code, "0 faults" in result.stdout) == (0, True)


def test_lint_names_file_criterion_and_check(rubrics: Invoke, tmp_path: Path) -> None:
    save_rubric(tmp_path, rubric(criterion("c1", statement="The user is polite.")))
    result = rubrics("lint", tmp_path, "--json")
    assert isinstance(result.exception, GateNotMetError)
    faults = json.loads(result.stdout)["faults"]
    assert {fault["check"] for fault in faults} == {"size", "within_contract"}
    assert all(fault["file"].endswith("cancel.json") for fault in faults)


@pytest.mark.parametrize("content", ["", "{}", '{"domain": 1}'])
def test_file_that_is_no_rubric_is_one_line(rubrics: Invoke, tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    result = rubrics("lint", tmp_path)
    assert isinstance(result.exception, RubricError)
    assert "\n" not in str(result.exception)


def test_show_resolves_quotations_from_a_dump(rubrics: Invoke, dump: Path, tmp_path: Path) -> None:
    with OpenAIServer(reply_to) as server:
        rubrics("generate", dump, "--out", tmp_path / "r", *authors(server.url))
    words = ("show", "0", "--rubrics", tmp_path / "r", "--json")
    (blank,) = json.loads(rubrics(*words).stdout)
    (shown,) = json.loads(rubrics(*words, "--dump", dump).stdout)
    assert blank["criteria"][0]["quotation"] == "(give --dump to see it)"
    assert shown["match"] == "exact"
    assert shown["criteria"][0]["quotation"] in dump.read_text()
    assert shown["rejected"]
    missing = rubrics("show", "no-such-task", "--rubrics", tmp_path / "r")
    assert isinstance(missing.exception, InputError)


def test_coverage_counts_exact_stale_and_none(rubrics: Invoke, dump: Path, tmp_path: Path) -> None:
    with OpenAIServer(reply_to) as server:
        rubrics("generate", dump, "--out", tmp_path / "r", *authors(server.url))
    some = next(iter(load_rubrics(tmp_path / "r").values()))
    old = some.model_copy(update={"contract_hash": "0" * 16, "task_hash": "0" * 16})
    save_rubric(tmp_path / "r", old)
    words = ("coverage", dump, "--rubrics", tmp_path / "r", "--json")
    row = json.loads(rubrics(*words).stdout)["domains"]["telecom"]
    assert (row["tasks"], row["exact"], row["stale"], row["none"]) == (3, 2, 1, 0)
