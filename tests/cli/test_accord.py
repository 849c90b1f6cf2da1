import json
from pathlib import Path

import pytest

from tests.accord_example import FOLDER
from tests.cli.test_unit_test import small
from tests.openai_server import OpenAIServer
from userproxybench.cli import main

# litellm keeps no hold of a client that two threads made at the same moment.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["userproxybench", "accord", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_example_has_scores_per_domain_method_and_user(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["scores"]) == 8
    for cell in found["scores"]:
        assert (cell["scenarios"], cell["rollouts"]) == (6, 18)
        product = cell["completion"]["value"] * cell["outcome"]["value"]
        assert cell["task"]["value"] == pytest.approx(product)


def test_the_tables_of_the_paper_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER) == 0
    out = capsys.readouterr().out
    for table in ("Table 2", "Table 3", "Table 4"):
        assert table in out


def test_rules_score_travel_and_leave_purchases_ungraded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER, "--grader", "rules", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    shop = [cell for cell in found["scores"] if cell["domain"] == "shop"]
    assert all(cell["outcome"]["value"] is None and cell["ungraded"] > 0 for cell in shop)


def test_a_model_scores_purchases_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    with OpenAIServer(lambda request: '{"reason": "r", "score": 1}') as server:
        given = [small(tmp_path), "--grader", "openai/judge", "--api-base", server.url]
        assert run(monkeypatch, *given, "--out", folder, "--json") == 0
        first = json.loads(capsys.readouterr().out)
        assert run(monkeypatch, *given, "--out", folder) == 0
        assert len(server.requests) == 8
    assert first["scores"][0]["outcome"]["value"] == 1.0
    assert (folder / "tables" / "scores.csv").is_file()


def test_a_model_without_a_folder_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER, "--grader", "openai/judge") == 2
    assert "give `--out FOLDER`" in capsys.readouterr().err


def test_zero_rollouts_still_give_the_statistics_of_the_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, small(tmp_path, keep=0)) == 0
    out = capsys.readouterr().out
    assert "Shopping" in out
    assert "Table 3" not in out
    assert "the dump holds no rollouts" in out


def test_a_dump_of_another_benchmark_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = FOLDER.parent / "example" / "brio-mini.json"
    assert run(monkeypatch, other) == 2
    assert "no AcCoRD dump" in capsys.readouterr().err
