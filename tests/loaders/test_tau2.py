"""What tau2 runs say about themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loaders import dumps
from tests.loaders.dumps import INFO, TALK, call, metered, only, read, result, run, simulation
from userproxybench.errors import LoadError
from userproxybench.loaders import open_input
from userproxybench.loaders.tau2 import SURVEYED


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ({"implementation": "llm_agent", "llm": "m"}, "m"),
        ({"implementation": "careful_agent", "llm": "m"}, "m (careful_agent)"),
        ({"implementation": "human", "llm": None}, "human"),
        ({}, "unknown"),
    ],
)
def test_agents_are_named_by_model_and_kind(
    tmp_path: Path, agent: dict[str, object], name: str
) -> None:
    info = {**INFO, "agent_info": agent}
    assert only(tmp_path, run(simulation(), info=info)).trajectory.agent == name


def test_reviews_keep_findings_about_the_user_alone(tmp_path: Path) -> None:
    errors = [
        {"source": "agent", "turn_idx": 0, "reasoning": "a"},
        {"source": "user", "turn_idx": 3, "error_tags": ["x"], "severity": "minor"},
        {"source": "user", "turn_idx": "odd", "error_type": "content", "severity": 7},
    ]
    found = only(tmp_path, run(simulation(review={"errors": errors}))).trajectory.review
    assert [(one.turn, one.tags, one.severity) for one in found] == [
        (3, ("x",), "minor"),
        (None, ("content",), "7"),
    ]


def test_a_long_run_is_sampled_for_user_tools_and_says_so(tmp_path: Path) -> None:
    acting = [metered(None, tool_calls=[call("dim_lamp")]), result("ok"), *TALK]
    many = [simulation(acting, id=f"s{n}", trial=n) for n in range(SURVEYED + 1)]
    path = dumps.write(tmp_path, run(*many))
    assert [tool.name for tool in read(path)[-1].contract.user_tools] == ["dim_lamp"]
    assert any("every" in note for note in open_input(path).notes)


def test_one_damaged_file_of_a_folder_leaves_the_others(tmp_path: Path) -> None:
    dumps.write(tmp_path, {"info": INFO, "tasks": []}, "run/results.json")
    dumps.write(tmp_path, simulation(), "run/simulations/a.json")
    dumps.write(tmp_path, '{"id": "b", "messages": [', "run/simulations/b.json")
    good, bad = open_input(tmp_path / "run").episodes()
    assert not isinstance(good, LoadError)
    assert isinstance(bad, LoadError)
    assert bad.file == "run/simulations/b.json"


def test_different_simulations_of_one_id_are_both_kept(tmp_path: Path) -> None:
    path = dumps.write(tmp_path, run(simulation(), simulation(trial=1)))
    first, second = (episode.trajectory for episode in read(path))
    assert first.id != second.id
    assert any("different content" in note for note in second.notes)
