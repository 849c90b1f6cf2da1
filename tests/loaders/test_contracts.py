"""Contracts out of tau2 tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loaders.dumps import TASK, only, run, simulation
from userproxybench.loaders.contracts import is_write, task_key


@pytest.mark.parametrize(
    ("value", "key"),
    [(7, "7"), ("7", "7"), (7.0, "7"), ("07", "07"), (None, ""), ([1], "1"), (True, "true")],
)
def test_task_ids_are_text(value: object, key: str) -> None:
    assert task_key(value) == key


@pytest.mark.parametrize(
    ("name", "types", "expected"),
    [
        ("toggle_lamp", {}, True),
        ("check_lamp", {}, False),
        ("get_status_bar", {}, False),
        ("check_for_stop", {}, False),
        ("toggle_lamp", {"toggle_lamp": "read"}, False),
        ("check_out", {"check_out": "write"}, True),
    ],
)
def test_writes_are_told_by_recorded_type_else_by_name(
    name: str, types: dict[str, str], expected: bool
) -> None:
    assert is_write(name, types) is expected


def test_recorded_tool_types_decide_which_gold_actions_are_writes(tmp_path: Path) -> None:
    action = {"requestor": "user", "name": "check_out", "arguments": {}}
    task = {**TASK, "evaluation_criteria": {"actions": [action]}}
    checks = [{"action": action, "tool_type": "write"}]
    scored = simulation(reward_info={"reward": 1.0, "action_checks": checks})
    contract = only(tmp_path, run(scored, tasks=[task])).contract
    assert [write.name for write in contract.gold_user_writes] == ["check_out"]
    assert contract.user_tools[0].writes is True


def test_fields_that_only_a_fork_has_are_kept_as_instructions(tmp_path: Path) -> None:
    scenario = {"instructions": {"known_info": ["You are Ida.", "You own a kite."], "mood": "glad"}}
    task = {"id": "7", "user_scenario": scenario}
    blueprint = only(tmp_path, run(simulation(), tasks=[task])).contract.blueprint
    assert blueprint.known_info == "You are Ida.\nYou own a kite."
    assert blueprint.instructions == "mood: glad"


def test_what_the_simulator_was_not_shown_is_not_in_the_blueprint(tmp_path: Path) -> None:
    task = {**TASK, "ticket": "hunter2", "description": {"purpose": "hunter2"}}
    assert "hunter2" not in repr(only(tmp_path, run(simulation(), tasks=[task])))
