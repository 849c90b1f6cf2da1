"""tau2 conversations one a line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.loaders.dumps import TALK, TASK, only, read, say, simulation, write
from userproxybench.loaders import open_input

CONFIG = {"domain": "d", "user": "user_simulator", "llm_user": "dummy", "llm_agent": "dummy"}


def test_a_rollout_names_its_models_by_raw_data(tmp_path: Path) -> None:
    talk = [
        say("assistant", "Hi.", raw_data={"model": "/srv/someone/models/agent-m"}),
        say("user", "Hello.", cost=0.1, raw_data={"model": "user-m"}),
    ]
    line = {"result": simulation(talk), "task": TASK, "config": CONFIG}
    trajectory, contract = only(tmp_path, line)
    assert (trajectory.proxy, trajectory.proxy_identity) == ("user-m", "raw_data")
    assert trajectory.agent == "agent-m"
    assert contract.domain == "d"
    assert not contract.blueprint.is_empty


def test_each_line_has_its_own_domain_and_task(tmp_path: Path) -> None:
    lines = [
        {
            "result": simulation(id=f"s{domain}"),
            "task": {**TASK, "user_scenario": {"instructions": domain}},
            "config": {**CONFIG, "domain": domain},
        }
        for domain in ("a", "b")
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    found = read(write(tmp_path, text, "rollouts.jsonl"))
    assert [episode.contract.blueprint.instructions for episode in found] == ["a", "b"]


def test_a_blind_bundle_holds_blueprint_and_steps(tmp_path: Path) -> None:
    steps = [
        {"step": 0, "role": "user", "content": "Hi."},
        {"step": 1, "role": "assistant", "tool_calls": [{"name": "look", "arguments": {"a": 1}}]},
        {"step": 2, "role": "tool", "content": "3", "tool_name": "look", "tool_error": True},
    ]
    line = {"trajectory": steps, "task_context": {"task_definition": TASK}}
    trajectory, contract = only(tmp_path, line)
    assert contract.blueprint.known_info == "You are Ida Brandt."
    assert (trajectory.turns[2].tool, trajectory.turns[2].error) == ("look", True)


def test_responses_items_become_turns(tmp_path: Path) -> None:
    line = {
        "responses_create_params": {
            "input": [{"role": "system", "content": "x"}, {"role": "user", "content": "Hi."}]
        },
        "response": {
            "output": [
                {"type": "function_call", "name": "look", "arguments": "{}", "call_id": "c"},
                {"type": "function_call_output", "call_id": "c", "output": "3"},
                {"type": "message", "role": "assistant", "content": [{"text": "Three."}]},
                {"type": "message", "role": "assistant", "content": "", "id": "msg_empty"},
            ]
        },
        "reward": 1.0,
    }
    trajectory = only(tmp_path, line).trajectory
    assert [turn.speaker for turn in trajectory.turns] == ["user", "agent", "tool", "agent"]
    assert trajectory.turns[2].tool == "look"
    assert trajectory.reward == 1.0


def test_a_list_of_simulations_and_chat_lines_are_told_apart(tmp_path: Path) -> None:
    listed = open_input(write(tmp_path, [simulation()], "list.json"))
    chat = open_input(write(tmp_path, {"messages": TALK, "tools": []}, "chat.jsonl"))
    assert (listed.format, chat.format) == ("tau2 list of simulations", "OpenAI chat JSONL")
