"""analyze, select and paper, as a person meets them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.study import Design, Truth, study
from userproxybench.analysis import summarise
from userproxybench.cli.analyze import analyze
from userproxybench.cli.graded import read_graded, read_overrides
from userproxybench.cli.paper import paper
from userproxybench.cli.select import select
from userproxybench.errors import GateNotMetError, InputError
from userproxybench.tables import csv_text

THREE = {"dear": Truth(0.95, 0.1), "fair": Truth(0.85, 0.02), "cheap": Truth(0.6, 0.01)}
MakeRun = Callable[..., Path]


@pytest.fixture
def run_folder(tmp_path: Path) -> MakeRun:
    def make(name: str = "run", grader: str = "rules", **changes: object) -> Path:
        given: dict[str, object] = {
            "proxies": THREE,
            "tasks": {"shop": 40, "phones": 40},
            **changes,
        }
        tables = study(Design(**given))  # type: ignore[arg-type]  # a table of test settings
        folder = tmp_path / name
        folder.mkdir()
        (folder / "episodes.csv").write_text(csv_text(tables.episodes), encoding="utf-8")
        (folder / "verdicts.csv").write_text(csv_text(tables.verdicts), encoding="utf-8")
        summary = summarise(tables, version="0", grader=grader, rubric_source="derived")
        (folder / "summary.json").write_text(summary.model_dump_json(), encoding="utf-8")
        return folder

    return make


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_analyze_twice_is_byte_identical(run_folder: MakeRun, tmp_path: Path) -> None:
    run = run_folder()
    for name in ("one", "two"):
        analyze([run], out=tmp_path / name, resamples=200)
    first, second = files(tmp_path / "one"), files(tmp_path / "two")
    assert first == second
    assert len([name for name in first if name.startswith("tables/")]) == 45
    assert len([name for name in first if name.startswith("figures/")]) == 18


def test_analyze_prints_one_row_per_proxy(
    run_folder: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analyze([run_folder()], out=tmp_path / "o", resamples=50, figures=False)
    out = capsys.readouterr().out
    assert "240 episodes, 3 proxies, 2 domains, 80 tasks; grader rules, rubrics derived" in out
    assert not (tmp_path / "o" / "figures").exists()


def test_analyze_as_json_is_json(
    run_folder: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    analyze([run_folder()], out=tmp_path / "o", resamples=50, figures=False, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert {row["proxy"] for row in found["aggregate"]} == set(THREE)


def test_run_folders_are_joined(run_folder: MakeRun) -> None:
    one = run_folder("one", proxies={"a": THREE["dear"]})
    two = run_folder("two", proxies={"b": THREE["fair"]})
    assert len(read_graded([one, two]).tables.episodes) == 160


def test_ids_that_two_folders_share_are_told_apart(run_folder: MakeRun) -> None:
    one, two = (run_folder(name, proxies={name: THREE["dear"]}) for name in ("one", "two"))
    for folder in (one, two):
        for table in ("episodes.csv", "verdicts.csv"):
            text = (folder / table).read_text(encoding="utf-8")
            (folder / table).write_text(
                text.replace(f"{folder.name}/shop", "id/shop").replace(
                    f"{folder.name}/phones", "id/phones"
                ),
                encoding="utf-8",
            )
    tables = read_graded([one, two]).tables
    assert tables.episodes["episode_id"].is_unique
    assert set(tables.verdicts["episode_id"]) == set(tables.episodes["episode_id"])


@pytest.mark.parametrize(
    ("breakage", "message"),
    [
        pytest.param("twice", "given more than once", id="the same folder twice"),
        pytest.param("copy", "is in .* and in", id="the same episodes in two folders"),
        pytest.param("grader", "different instruments .*rules on derived", id="two graders"),
        pytest.param("empty", "no run folder", id="not a run folder"),
        pytest.param("summary", "not a summary", id="a broken summary"),
        pytest.param("absent", "cannot be read", id="no such file"),
        pytest.param("header", "not a readable CSV table", id="an empty table"),
    ],
)
def test_inputs_that_cannot_be_used_are_one_line(
    run_folder: MakeRun, tmp_path: Path, breakage: str, message: str
) -> None:
    run = run_folder()
    given = [run]
    if breakage == "twice":
        given = [run, run]
    elif breakage == "copy":
        given = [run, run_folder("copy")]
    elif breakage == "grader":
        given = [run, run_folder("other", grader="judge", proxies={"z": THREE["dear"]})]
    elif breakage == "empty":
        given = [tmp_path]
    elif breakage == "summary":
        (run / "summary.json").write_text("{}", encoding="utf-8")
    elif breakage == "absent":
        given = [tmp_path / "none.csv"]
    else:
        (run / "episodes.csv").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_graded(given)
    assert "\n" not in str(caught.value)


def test_a_table_of_ones_own_needs_four_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "own.csv"
    rows = "".join(f"a,x,{at},{int(at > 2)},.1\nb,x,{at},1,.2\n" for at in range(30))
    table.write_text("proxy,domain,task_id,fidelity,cost_usd\n" + rows, encoding="utf-8")
    select([table], ufs=0.95)
    assert "pick: b (recorded costs, 30 tasks)" in capsys.readouterr().out


def test_a_misspelt_column_is_mentioned(tmp_path: Path) -> None:
    table = tmp_path / "own.csv"
    table.write_text("proxy,domain,task_id,fidelity,cost\na,x,1,1,.1\n", encoding="utf-8")
    assert read_graded([table]).notes == (f"{table}: columns that nothing reads: cost",)


def test_only_what_was_asked_for_is_kept(run_folder: MakeRun) -> None:
    graded = read_graded([run_folder()], only=["fair"], agent="agent")
    assert set(graded.tables.episodes["proxy"]) == {"fair"}
    with pytest.raises(InputError, match="no proxy 'zed' here; found: cheap, dear, fair"):
        read_graded([run_folder("again")], only=["zed"])


def test_select_names_the_pick_and_what_an_epoch_costs(
    run_folder: MakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    select([run_folder()], ufs=0.7)
    out = capsys.readouterr().out
    assert "pick: fair" in out
    assert "one epoch of 1,000 prompts x 64 rollouts: $1," in out
    assert "the same answer in" in out


def test_select_fails_the_gate_and_names_the_closest(
    run_folder: MakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(GateNotMetError, match=r"closest is dear, short by 0\.\d+"):
        select([run_folder()], ufs=0.999)
    assert "pick:" not in capsys.readouterr().out


def test_select_as_json_holds_the_candidates(
    run_folder: MakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    select([run_folder()], ufs=0.7, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["pick"], len(found["candidates"])) == ("fair", 3)
    assert found["epoch_usd"] > 0


def test_costs_of_ones_own_go_first(
    run_folder: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = tmp_path / "costs.toml"
    costs.write_text(
        "[dear]\nper_simulation = 0.0001\n[fair]\ninput = 1\noutput = 2\n"
        "[cheap]\nper_simulation = 0.5\n",
        encoding="utf-8",
    )
    select([run_folder()], ufs=0.5, costs=costs)
    assert "pick: dear (override costs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[a", "not TOML", id="no TOML"),
        pytest.param("[a]\nprice = 1\n", r"a\.price", id="unknown key"),
        pytest.param("[a]\ninput = -1\n", r"a\.input", id="negative"),
        pytest.param("a = 1\n", "a: ", id="no table"),
    ],
)
def test_a_broken_cost_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "costs.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_overrides(file)


def test_paper_writes_checks_and_says_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper(tmp_path / "paper")
    out = capsys.readouterr().out
    assert "differs: AcCoRD Table 3, GPT-4.1 ReAct: task score" in out
    lines = (tmp_path / "paper" / "checks.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "paper,source,statement,published,recomputed,outcome,how"
    assert len(lines) == 80


def test_paper_as_json_is_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper(tmp_path, as_json=True)
    assert len(json.loads(capsys.readouterr().out)["checks"]) == 79
