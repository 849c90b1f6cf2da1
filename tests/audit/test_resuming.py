"""A run folder is continued by its own instrument, and by no other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import userproxybench
from tests import dumps
from userproxybench.errors import RunFolderError
from userproxybench.store import RunFolder
from userproxybench.tables import read_table

FILES = ("config.json", "trajectories.jsonl.gz", "verdicts.jsonl", "summary.json")
TABLES = ("episodes", "verdicts", "protocol")


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return dumps.write(tmp_path / "in" / "first.json", dumps.dump(dumps.simulation("a")))


@pytest.fixture
def second(tmp_path: Path) -> Path:
    telling = dumps.simulation("b", dumps.TELLING)
    return dumps.write(tmp_path / "in" / "second.json", dumps.dump(telling, proxy="cinder-nano"))


def test_a_run_folder_holds_everything_a_reader_needs(first: Path, tmp_path: Path) -> None:
    found = userproxybench.audit(first, out=tmp_path / "run")
    assert all((tmp_path / "run" / name).is_file() for name in FILES)
    for name in TABLES:
        assert (tmp_path / "run" / f"{name}.csv").is_file()
        assert (tmp_path / "run" / f"{name}.parquet").is_file()
    assert list((tmp_path / "run" / "rubrics").rglob("*.json"))
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == found.summary.model_dump(
        mode="json"
    )
    with (tmp_path / "run" / "episodes.csv").open("rb") as file:
        frame = read_table(file, "episodes.csv")
    assert list(frame["episode_id"]) == list(found.episodes["episode_id"])


def test_stored_verdicts_are_the_verdicts_of_the_tables(second: Path, tmp_path: Path) -> None:
    found = userproxybench.audit(second, out=tmp_path / "run")
    (grade,) = RunFolder.open(tmp_path / "run").grades()
    assert [verdict.verdict for verdict in grade.verdicts] == list(found.verdicts["verdict"])


def test_the_same_command_again_reuses_everything(first: Path, tmp_path: Path) -> None:
    userproxybench.audit(first, out=tmp_path / "run")
    before = (tmp_path / "run" / "verdicts.jsonl").read_bytes()
    again = userproxybench.audit(first, out=tmp_path / "run")
    assert again.reused == 1
    assert (tmp_path / "run" / "verdicts.jsonl").read_bytes() == before
    assert len(again.episodes) == 1


def test_new_inputs_are_added_and_old_ones_kept(first: Path, second: Path, tmp_path: Path) -> None:
    userproxybench.audit(first, out=tmp_path / "run")
    grown = userproxybench.audit(second, out=tmp_path / "run")
    whole = userproxybench.audit([first, second])
    assert list(grown.episodes["proxy"]) == ["aurora-70b", "cinder-nano"]
    assert grown.episodes.equals(whole.episodes)
    assert grown.verdicts.equals(whole.verdicts)
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["inputs"] == ["first.json", "second.json"]


def test_another_instrument_is_refused_naming_the_setting(first: Path, tmp_path: Path) -> None:
    userproxybench.audit(first, out=tmp_path / "run")
    with pytest.raises(RunFolderError, match="guidelines"):
        userproxybench.audit(first, out=tmp_path / "run", guidelines="Be a customer.")


def test_an_episode_that_changed_under_its_id_is_said_and_not_mixed_in(
    first: Path, tmp_path: Path
) -> None:
    userproxybench.audit(first, out=tmp_path / "run")
    dumps.write(first, dumps.dump(dumps.simulation("a", dumps.TELLING)))
    again = userproxybench.audit(first, out=tmp_path / "run")
    assert list(again.episodes["fidelity"]) == [1]
    assert len(again.problems) == 1
    assert "other content" in again.problems[0]


def test_an_audit_broken_off_half_way_is_finished_by_the_next(first: Path, tmp_path: Path) -> None:
    many = dumps.dump(*(dumps.simulation(str(n)) for n in range(450)))
    dumps.write(first, many)

    def stop(done: int, total: int) -> None:
        if done < total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        userproxybench.audit(first, out=tmp_path / "run", progress=stop)
    found = userproxybench.audit(first, out=tmp_path / "run")
    assert len(found.episodes) == 450
    assert found.summary.counts.scored == 450


def test_tasks_under_two_guidelines_keep_both_rubrics(first: Path, tmp_path: Path) -> None:
    other = dumps.dump(dumps.simulation("b"))
    info = other["info"]["user_info"]  # type: ignore[index]  # a dump
    info["global_simulation_guidelines"] = "Say everything at once. Send ###STOP### at the end."
    second = dumps.write(tmp_path / "in" / "other.json", other)
    userproxybench.audit([first, second], out=tmp_path / "run")
    assert len(list((tmp_path / "run" / "rubrics").rglob("*.json"))) == 2


def test_an_audit_given_twice_writes_no_episode_twice_even_one_without_verdicts(
    tmp_path: Path, second: Path
) -> None:
    bare = dumps.dump(dumps.simulation("a"))
    bare["tasks"] = []
    first = dumps.write(tmp_path / "in" / "bare.json", bare)
    once = userproxybench.audit([first, second], out=tmp_path / "run")
    names = ("trajectories.jsonl.gz", "verdicts.jsonl", "episodes.csv", "verdicts.csv")
    before = {name: (tmp_path / "run" / name).read_bytes() for name in names}
    again = userproxybench.audit([first, second], out=tmp_path / "run")
    other = userproxybench.audit(second, out=tmp_path / "run")
    assert once.summary.counts.unscorable == 1
    assert again.reused == 2
    assert again.unjudged == other.unjudged == once.unjudged
    for name in names[1:]:
        assert (tmp_path / "run" / name).read_bytes() == before[name]
    assert gzip.decompress((tmp_path / "run" / names[0]).read_bytes()) == gzip.decompress(
        before[names[0]]
    )


def test_lost_verdicts_come_back_from_the_conversations_on_file(
    second: Path, tmp_path: Path
) -> None:
    userproxybench.audit(second, out=tmp_path / "run")
    log = tmp_path / "run" / "verdicts.jsonl"
    before = log.read_bytes()
    log.unlink()
    userproxybench.audit(second, out=tmp_path / "run")
    assert log.read_bytes() == before


def test_a_folder_that_holds_an_episode_twice_reads_as_if_once(
    second: Path, tmp_path: Path
) -> None:
    userproxybench.audit(second, out=tmp_path / "run")
    packed = tmp_path / "run" / "trajectories.jsonl.gz"
    packed.write_bytes(packed.read_bytes() * 2)
    assert len(list(RunFolder.open(tmp_path / "run").trajectories())) == 1
    assert len(userproxybench.audit(second, out=tmp_path / "run").episodes) == 1


def test_a_deleted_line_of_verdicts_is_made_anew(second: Path, tmp_path: Path) -> None:
    once = userproxybench.audit(second, out=tmp_path / "run")
    log = tmp_path / "run" / "verdicts.jsonl"
    first_line, rest = log.read_bytes().split(b"\n", 1)
    log.write_bytes(rest)
    again = userproxybench.audit(second, out=tmp_path / "run")
    assert set(again.verdicts["criterion_id"]) == set(once.verdicts["criterion_id"])
    assert first_line in log.read_bytes()
