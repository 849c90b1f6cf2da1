import json
from pathlib import Path

import pytest

from tests.accord.test_mapping import MAP, foreign
from tests.accord_example import FOLDER, LABELS
from tests.openai_server import OpenAIServer
from userproxybench.cli import main

# litellm keeps no hold of a client that two threads made at the same moment.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")

YES = '{"reason": "r", "answer": "yes"}'


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["userproxybench", "unit-test", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def small(tmp_path: Path, keep: int = 2) -> Path:
    dump = json.loads((FOLDER / "shop.json").read_text(encoding="utf-8"))
    dump["rollouts"] = dump["rollouts"][:keep]
    path = tmp_path / "small.json"
    path.write_text(json.dumps(dump), encoding="utf-8")
    return path


def test_rules_on_the_example_agree_with_the_labels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER, "--labels", LABELS, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    by_test = {each["test"]: each for each in found["agreement"]}
    for test in ("test001", "test003", "test004", "test005"):
        assert by_test[test]["decided_share"] >= 0.8
        assert by_test[test]["agreed_share"] >= 0.95
        assert by_test[test]["false_no"] == 0
    assert len(found["answers"]) == 430 * 6


def test_the_table_names_what_rules_leave_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, FOLDER, "--domain", "travel") == 0
    out = capsys.readouterr().out
    assert "Travel: aurora-70b" in out
    assert "Shop" not in out
    assert "rules leave test000 and test002 to a model grader" in out


def test_a_model_answers_and_its_answers_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with OpenAIServer(lambda request: YES) as server:
        given = [small(tmp_path), "--grader", "openai/judge", "--api-base", server.url]
        folder = tmp_path / "run"
        assert run(monkeypatch, *given, "--out", folder, "--json") == 0
        first = json.loads(capsys.readouterr().out)
        asked = len(server.requests)
        assert run(monkeypatch, *given, "--out", folder, "--json") == 0
        second = json.loads(capsys.readouterr().out)
        assert len(server.requests) == asked == first["calls"]
    assert (second["calls"], second["answers"]) == (0, first["answers"])
    assert (folder / "figures" / "unit_tests.svg").is_file()
    assert (folder / "tables" / "unit_tests.csv").is_file()


def test_a_candidate_is_asked_for_its_own_responses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with OpenAIServer(lambda request: "I want plum.") as server:
        given = [small(tmp_path), "--candidate", "openai/sim", "--api-base", server.url]
        assert run(monkeypatch, *given, "--out", tmp_path / "run", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["response"] for each in found["answers"]} == {"I want plum."}
    assert {rate["user_model"] for rate in found["rates"]} == {"openai/sim"}


def test_a_dry_run_calls_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = [small(tmp_path), "--grader", "rules+openai/judge", "--dry-run", "--json"]
    assert run(monkeypatch, *given) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["calls"] > 0
    assert found["without_model"] > 0
    assert found["usd"] is None


def test_a_foreign_dump_is_tested_through_a_map(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    theirs = foreign(json.loads((FOLDER / "travel.json").read_text(encoding="utf-8")))
    (tmp_path / "theirs.json").write_text(json.dumps(theirs), encoding="utf-8")
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    map_, labels = tmp_path / "map.toml", LABELS
    dump = tmp_path / "theirs.json"
    assert run(monkeypatch, dump, "--map", map_, "--labels", labels, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(each["agreed"] for each in found["agreement"]) > 250


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--domain", "cars"], "expected shop or travel", id="domain"),
        pytest.param(["--labels", "none.jsonl"], "none.jsonl", id="labels"),
        pytest.param(["--prompts", "."], "holds no question", id="prompts"),
        pytest.param(["--map", "none.toml"], "cannot be read", id="map"),
    ],
)
def test_a_wrong_argument_is_one_line(
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, FOLDER, *arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_dump_without_rollouts_has_nothing_to_test(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, small(tmp_path, keep=0)) == 2
    assert "there is no user turn to test" in capsys.readouterr().err


def test_another_benchmark_gets_the_first_three_tests(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = FOLDER.parent / "example"
    assert run(monkeypatch, example, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["test"] for each in found["answers"]} == {"test000", "test001", "test002"}
    assert {each["outcome"] for each in found["answers"]} == {"ungraded"}
    assert any("no structured preferences" in note for note in found["notes"])


def test_what_cannot_be_read_does_not_stop_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    small(tmp_path)
    (tmp_path / "broken.json").write_text('{"scenarios": [', encoding="utf-8")
    assert run(monkeypatch, tmp_path) == 2
    captured = capsys.readouterr()
    assert "broken.json" in captured.err
    assert "Shop: aurora-70b" in captured.out
