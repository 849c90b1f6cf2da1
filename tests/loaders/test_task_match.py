"""Tasks of simulations that name none."""

from __future__ import annotations

from pathlib import Path

from tests.loaders.dumps import TALK, TASK, read, run, write
from userproxybench.loaders import open_input


def task(id_: str, *actions: str) -> dict[str, object]:
    listed = [{"requestor": "assistant", "name": name, "arguments": {}} for name in actions]
    return {**TASK, "id": id_, "evaluation_criteria": {"actions": listed}}


def scored(id_: str, *actions: str) -> dict[str, object]:
    checks = [
        {"action": {"requestor": "assistant", "name": name, "arguments": {}}} for name in actions
    ]
    return {"id": id_, "messages": TALK, "reward_info": {"reward": 1, "action_checks": checks}}


def test_an_id_that_names_a_task_is_its_task_id(tmp_path: Path) -> None:
    (episode,) = read(write(tmp_path, run({"id": "7", "messages": TALK})))
    assert episode.trajectory.task_id == "7"


def test_the_reward_gives_the_task_away(tmp_path: Path) -> None:
    tasks = [task("a", "open"), task("b", "open", "close"), task("c")]
    path = write(tmp_path, run(scored("x", "open", "close"), scored("y", "shut"), tasks=tasks))
    assert [episode.trajectory.task_id for episode in read(path)] == ["b", "y"]
    assert "no task_id: 1 tasks not found" in open_input(path).notes


def test_two_tasks_with_the_same_checks_are_not_guessed_between(tmp_path: Path) -> None:
    tasks = [task("a", "open"), task("b", "open")]
    (episode,) = read(write(tmp_path, run(scored("x", "open"), tasks=tasks)))
    assert episode.contract.blueprint.is_empty
