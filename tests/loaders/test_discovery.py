"""Finding inputs under paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loaders.dumps import run, simulation, write
from userproxybench.errors import LoadError
from userproxybench.loaders import discover, open_input


def test_files_keep_the_given_order_and_are_named_by_their_last_part(tmp_path: Path) -> None:
    paths = [write(tmp_path, run(simulation()), name) for name in ("b.json", "a.json")]
    assert [one.name for one in discover(paths).inputs] == ["b.json", "a.json"]


def test_the_same_file_given_twice_is_one_input(tmp_path: Path) -> None:
    path = write(tmp_path, run(simulation()))
    assert len(discover([path, tmp_path, path]).inputs) == 1


def test_equal_names_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    paths = [write(tmp_path, run(simulation()), f"{name}/run.json") for name in "xy"]
    assert [one.name for one in discover(paths).inputs] == ["x/run.json", "y/run.json"]


def test_a_directory_run_is_one_input(tmp_path: Path) -> None:
    write(tmp_path, {"info": {}, "tasks": []}, "deep/run/results.json")
    for name in "ab":
        write(tmp_path, simulation(id=name, trial=None), f"deep/run/simulations/{name}.json")
    (one,) = discover([tmp_path]).inputs
    assert (one.name, len(open_input(one))) == ("deep/run", 2)


def test_simulations_one_a_file_are_one_input_named_after_their_folder(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path, simulation(id=name, trial=None), f"weak/{name}.json")
    write(tmp_path, {"tasks": [], "run_timestamp": ""}, "weak/index.json")
    found = discover([tmp_path])
    (one,) = found.inputs
    opened = open_input(one)
    assert [identity.name for identity in opened.proxies] == ["weak"]
    sources = [episode.trajectory.source.file for episode in opened.episodes()]  # type: ignore[union-attr]
    assert sources == ["weak/a.json", "weak/b.json"]
    assert [side.file for side in found.passed_over] == ["weak/index.json"]


def test_a_damaged_dump_in_a_folder_stays_an_input(tmp_path: Path) -> None:
    write(tmp_path, '{"simulations": [{"id"')
    (one,) = discover([tmp_path]).inputs
    with pytest.raises(LoadError, match="cut off"):
        open_input(one)


def test_hidden_files_and_folders_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path, run(simulation()), ".git/run.json")
    write(tmp_path, run(simulation()), ".hidden.json")
    assert discover([tmp_path]) == ((), ())


def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        discover([tmp_path / "none"])
