"""`report` and `export` as people meet them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.report.runs import example_run, regraded
from userproxybench.cli.export import export
from userproxybench.cli.report import report
from userproxybench.cli.report_inputs import read_material
from userproxybench.errors import InputError, RunFolderError
from userproxybench.store import data_folder

app = typer.Typer()
app.command()(report)
app.command()(export)
RUNNER = CliRunner()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return example_run(tmp_path_factory.mktemp("runs"))


def test_a_page_lies_in_the_run_folder(run: Path) -> None:
    done = RUNNER.invoke(app, ["report", str(run)])
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{run}/report.html: 12 episodes, ")
    assert (run / "report.html").read_bytes().startswith(b"<!doctype html>")


def test_json_says_what_was_made(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "page.html"
    done = RUNNER.invoke(app, ["report", str(run), "--out", str(target), "--json"])
    made = json.loads(done.stdout)
    assert made == {"report": str(target), "bytes": target.stat().st_size, "episodes": 12}


def test_the_same_folder_gives_the_same_bytes(run: Path, tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        RUNNER.invoke(app, ["report", str(run), "--out", str(tmp_path / name)])
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]


def test_a_folder_by_another_instrument_is_compared_and_not_mixed_in(
    run: Path, tmp_path: Path
) -> None:
    other = regraded(run, tmp_path / "other", "judge-x", lambda verdict: verdict)
    material = read_material([run, other])
    assert len(material.trajectories) == 12
    assert [one.name for one in material.others] == ["judge-x on derived rubrics"]


def _without(folder: Path, name: str) -> None:
    if name == "half":
        log = folder / "verdicts.jsonl"
        log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    else:
        (folder / name).unlink()


@pytest.mark.parametrize("lost", ["verdicts.csv", "half", "trajectories.jsonl.gz"])
def test_what_is_missing_in_a_folder_is_a_warning(run: Path, tmp_path: Path, lost: str) -> None:
    folder = shutil.copytree(run, tmp_path / "run")
    assert RUNNER.invoke(app, ["report", str(folder)]).stderr == ""
    _without(folder, lost)
    done = RUNNER.invoke(app, ["report", str(folder)])
    assert done.exit_code == 0
    assert "warning: " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_one_episode_in_two_folders_is_refused(run: Path, tmp_path: Path) -> None:
    again = shutil.copytree(run, tmp_path / "again")
    with pytest.raises(InputError, match=r"is in .* and in"):
        read_material([run, again])


def test_a_grader_of_the_family_of_a_proxy_is_a_warning(run: Path, tmp_path: Path) -> None:
    other = regraded(run, tmp_path / "other", "gpt-5.2", lambda verdict: verdict)
    table = other / "episodes.csv"
    table.write_text(
        table.read_text(encoding="utf-8").replace("\nbrio-mini,", "\ngpt-4.1-mini,"),
        encoding="utf-8",
    )
    assert any("family of gpt-4.1-mini" in line for line in read_material([other]).warnings)


def test_labels_find_their_episode_by_its_words(run: Path, tmp_path: Path) -> None:
    said = read_material([run]).trajectories[0]
    roles = {"agent": "assistant", "user": "user", "tool": "tool"}
    case = {
        "id": "someone-elses-id",
        "blueprint": {},
        "messages": [{"role": roles[turn.speaker], "content": turn.text} for turn in said.turns],
        "expected": {"verdict": "clean"},
    }
    file = tmp_path / "labels.jsonl"
    file.write_text(json.dumps(case) + "\n", encoding="utf-8")
    material = read_material([run], [file])
    assert list(material.labels) == [said.id]
    assert "labels: 1 of 1 labelled conversations are among these episodes" in material.notes


def test_no_run_folder_is_one_line_that_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match=r"no run folder.*`--out` of an audit"):
        read_material([tmp_path])


def test_an_unfinished_audit_is_said_to_be_unfinished(run: Path, tmp_path: Path) -> None:
    half = tmp_path / "half"
    half.mkdir()
    (half / "config.json").write_bytes((run / "config.json").read_bytes())
    with pytest.raises(RunFolderError, match="was not finished"):
        read_material([half])


def test_export_writes_a_copy_with_reviews(run: Path, tmp_path: Path) -> None:
    dump = data_folder("trajectories") / "example" / "brio-mini.json"
    command = ["export", str(run), "--to", "tau2", "--dump", str(dump), "--json"]
    done = RUNNER.invoke(app, command)
    [made] = json.loads(done.stdout)
    assert made["file"] == str(run / "export" / "brio-mini.json")
    assert (made["simulations"], made["reviews"], made["replaced"]) == (4, 4, 0)


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("jsonl", {"episodes.jsonl"}),
        ("parquet", {"episodes.parquet", "verdicts.parquet", "protocol.parquet"}),
    ],
)
def test_export_writes_records_and_tables(run: Path, form: str, names: set[str]) -> None:
    done = RUNNER.invoke(app, ["export", str(run), "--to", form, "--json"])
    assert {Path(one["file"]).name for one in json.loads(done.stdout)} == names
    assert all(Path(one["file"]).stat().st_size for one in json.loads(done.stdout))


@pytest.mark.parametrize(
    ("more", "match"),
    [
        (["--to", "tau2"], "needs `--dump FILE`"),
        (["--to", "jsonl", "--dump", "x.json"], "belongs to `--to tau2`"),
    ],
)
def test_a_dump_goes_with_tau2_alone(run: Path, more: list[str], match: str) -> None:
    done = RUNNER.invoke(app, ["export", str(run), *more])
    assert isinstance(done.exception, InputError)
    assert match in str(done.exception)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_an_export_that_cannot_be_written_is_one_line(run: Path, tmp_path: Path, form: str) -> None:
    (tmp_path / "file").write_text("x")
    done = RUNNER.invoke(
        app, ["export", str(run), "--to", form, "--out", str(tmp_path / "file" / "under")]
    )
    assert isinstance(done.exception, InputError)
    assert "Give another `--out`" in str(done.exception)
